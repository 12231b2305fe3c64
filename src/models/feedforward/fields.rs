//! What every experiment of this model is about: student, teacher, noise and inputs. The fields are shared by the
//! experiments' forms.

use std::f64::consts::LN_2;

use crate::lab::{Field, Group, InputError, Kind, Values};

use crate::data::teacher::{Inputs, Rule};
use crate::math::covariance::Covariance;

/// A student, a teacher, and what lies between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Branches K of the student; 1 is the simple perceptron.
    pub hidden: usize,
    /// Inputs N, shared equally by the branches.
    pub inputs: usize,
    /// Inverse temperature β of the output noise; ∞ is noise-free.
    pub beta: f64,
    /// Who labels the examples.
    pub teacher: TeacherKind,
    /// Branches of a teacher that has its own number of them.
    pub teacher_hidden: usize,
    /// Correlation of neighbouring inputs of a branch.
    pub rho: f64,
    /// Whether the student knows of that correlation.
    pub whiten: bool,
    /// Whether each branch's inputs are scaled onto the sphere.
    pub normalise: bool,
}

/// Who labels the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeacherKind {
    /// A machine like the student.
    Matched,
    /// A simple perceptron.
    Perceptron,
    /// A committee with a number of branches of its own.
    Committee,
    /// The product of the signs of its branches.
    Parity,
    /// Nobody: a fair coin.
    Random,
}

pub(super) const HIDDEN: Field = Field {
    key: "hidden",
    label: "Hidden units",
    symbol: "K",
    help: "Branches of the committee, each with N/K inputs of its own; the majority decides. 1 is a perceptron.",
    group: Group::Problem,
    kind: Kind::Integer { min: 1, max: 101, slider: Some((1, 9)) },
    default: "1",
};

pub(super) const INPUTS: Field = Field {
    key: "inputs",
    label: "Inputs",
    symbol: "N",
    help: "Number of inputs and weights. Theory is for N → ∞; small N shows how far that carries.",
    group: Group::Problem,
    kind: Kind::Integer { min: 2, max: 1000, slider: Some((5, 300)) },
    default: "50",
};

pub(super) const BETA: Field = Field {
    key: "beta",
    label: "Inverse temperature",
    symbol: "β",
    help: "How reliable the labels are: each is flipped with probability 1/(1+e^β). inf is noise-free.",
    group: Group::Problem,
    kind: Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 5.0, 0.05), infinity: true },
    default: "0.5",
};

pub(super) const TEACHER: Field = Field {
    key: "teacher",
    label: "Teacher",
    symbol: "",
    help: "Who labels the examples. A student of another kind can at best come near; theory is for a matched one.",
    group: Group::Problem,
    kind: Kind::Choice(&[
        ("matched", "like the student"),
        ("perceptron", "a perceptron"),
        ("committee", "a committee of its own K"),
        ("parity", "a parity machine"),
        ("random", "a coin (random labels)"),
    ]),
    default: "matched",
};

pub(super) const TEACHER_HIDDEN: Field = Field {
    key: "teacher_hidden",
    label: "Teacher's hidden units",
    symbol: "",
    help: "Branches of a committee or parity machine that teaches; other teachers take no notice.",
    group: Group::Problem,
    kind: Kind::Integer { min: 1, max: 101, slider: Some((1, 9)) },
    default: "2",
};

pub(super) const RHO: Field = Field {
    key: "rho",
    label: "Correlation of inputs",
    symbol: "ρ",
    help: "Neighbouring inputs of a branch are correlated by ρ, those d apart by ρ to the power d.",
    group: Group::Problem,
    kind: Kind::Real { min: -0.99, max: 0.99, slider: (-0.95, 0.95, 0.05), infinity: false },
    default: "0",
};

pub(super) const WHITEN: Field = Field {
    key: "whiten",
    label: "Student knows ρ",
    symbol: "",
    help: "Off, the student takes correlated inputs for uncorrelated ones, and the equations go wrong.",
    group: Group::Method,
    kind: Kind::Flag,
    default: "true",
};

pub(super) const NORMALISE: Field = Field {
    key: "normalise",
    label: "Inputs on the sphere",
    symbol: "",
    help: "Scales every example to the same length, which changes no label and brings small N nearer to theory.",
    group: Group::Method,
    kind: Kind::Flag,
    default: "false",
};

pub(super) const SEED: Field = Field {
    key: "seed",
    label: "Seed",
    symbol: "",
    help: "The same seed gives the same teachers, examples and noise, on every machine.",
    group: Group::Run,
    kind: Kind::Integer { min: 0, max: u64::MAX, slider: None },
    default: "1",
};

impl Setting {
    /// Reads its fields.
    pub fn read(values: &Values) -> Self {
        Self {
            hidden: values.integer("hidden") as usize,
            inputs: values.integer("inputs") as usize,
            beta: values.real("beta"),
            teacher: match values.choice("teacher") {
                "perceptron" => TeacherKind::Perceptron,
                "committee" => TeacherKind::Committee,
                "parity" => TeacherKind::Parity,
                "random" => TeacherKind::Random,
                _ => TeacherKind::Matched,
            },
            teacher_hidden: values.integer("teacher_hidden") as usize,
            rho: values.real("rho"),
            whiten: values.flag("whiten"),
            normalise: values.flag("normalise"),
        }
    }

    /// What is wrong with its fields taken together.
    pub fn problems(&self) -> Vec<InputError> {
        let (hidden, inputs) = (self.hidden, self.inputs);
        let theirs = self.own_branches().unwrap_or(1);
        let both = lcm(hidden, theirs);
        if both > MOST_INPUTS / 2 {
            return vec![InputError {
                field: "teacher_hidden".into(),
                given: theirs.to_string(),
                accepted: format!("a number that shares some N up to {MOST_INPUTS} with hidden = {hidden}"),
                nearest: Some(hidden.to_string()),
            }];
        }
        // A branch of one input has no direction to learn but its sign.
        let least = 2 * hidden.max(theirs);
        if inputs.is_multiple_of(both) && inputs >= least {
            return Vec::new();
        }
        let nearest = (inputs as f64 / both as f64).round() as usize * both;
        let nearest = nearest.max(least.next_multiple_of(both));
        let whose = if theirs == 1 { String::new() } else { format!(" and teacher_hidden = {theirs}") };
        vec![InputError {
            field: "inputs".into(),
            given: inputs.to_string(),
            accepted: format!("a multiple of hidden = {hidden}{whose}, at least {least}"),
            nearest: Some(if nearest > MOST_INPUTS { nearest - both } else { nearest }.to_string()),
        }]
    }

    /// The number of branches of a teacher that has its own.
    fn own_branches(&self) -> Option<usize> {
        matches!(self.teacher, TeacherKind::Committee | TeacherKind::Parity).then_some(self.teacher_hidden)
    }

    /// Whether the teacher is a machine like the student, the case that theory is for.
    pub fn matched(&self) -> bool {
        match self.teacher {
            TeacherKind::Matched => true,
            TeacherKind::Perceptron => self.hidden == 1,
            TeacherKind::Committee => self.hidden == self.teacher_hidden,
            TeacherKind::Parity => self.hidden == 1 && self.teacher_hidden == 1,
            TeacherKind::Random => false,
        }
    }

    /// How the teacher decides.
    pub fn rule(&self) -> Rule {
        match self.teacher {
            TeacherKind::Matched => Rule::Committee(self.hidden),
            TeacherKind::Perceptron => Rule::Committee(1),
            TeacherKind::Committee => Rule::Committee(self.teacher_hidden),
            TeacherKind::Parity => Rule::Parity(self.teacher_hidden),
            TeacherKind::Random => Rule::Coin,
        }
    }

    /// How the inputs are drawn.
    pub fn drawn_inputs(&self) -> Inputs {
        Inputs {
            count: self.inputs,
            branch: self.inputs / self.hidden,
            covariance: Covariance::ar1(self.rho),
            normalise: self.normalise,
        }
    }

    /// The covariance of the inputs as the student believes it to be.
    pub fn believed(&self) -> Covariance {
        if self.whiten { Covariance::ar1(self.rho) } else { Covariance::White }
    }

    /// m/N examples a weight as a number of examples: at least one.
    pub fn examples(&self, alpha: f64) -> usize {
        ((alpha * self.inputs as f64).round() as usize).max(1)
    }

    /// Probability 1/(1+e^β) that a label is flipped.
    pub fn flip_probability(&self) -> f64 {
        1.0 / (1.0 + libm::exp(self.beta))
    }

    /// The error against noisy labels of a prediction whose error against the noiseless teacher is `clean`.
    pub fn noisy(&self, clean: f64) -> f64 {
        let p = self.flip_probability();
        p + (1.0 - 2.0 * p) * clean
    }

    /// The student in words.
    pub fn machine_in_words(&self) -> String {
        match self.hidden {
            1 => "simple perceptron".into(),
            hidden => format!("K\u{a0}=\u{a0}{hidden} committee machine"),
        }
    }

    /// Teacher, inputs and noise in words, each where it is worth a word.
    pub fn circumstances_in_words(&self) -> String {
        let teacher = match self.teacher {
            _ if self.matched() => String::new(),
            TeacherKind::Committee if self.teacher_hidden > 1 => {
                format!("taught by a K\u{a0}=\u{a0}{} committee, ", self.teacher_hidden)
            }
            TeacherKind::Parity => {
                format!("taught by a parity machine of {} branches, ", self.teacher_hidden)
            }
            TeacherKind::Random => "given random labels but believing in ".into(),
            _ => "taught by a perceptron, ".into(),
        };
        let sphere = if self.normalise { ", inputs on the sphere" } else { "" };
        let correlated = match (self.rho, self.whiten) {
            (0.0, _) => String::new(),
            (rho, true) => format!(", inputs correlated by ρ\u{a0}=\u{a0}{rho}"),
            (rho, false) => {
                format!(", inputs correlated by ρ\u{a0}=\u{a0}{rho} but taken for uncorrelated")
            }
        };
        format!("{teacher}{}{sphere}{correlated}", self.noise_in_words())
    }

    /// What predictions are compared with, in words.
    pub fn truth_in_words(&self) -> &'static str {
        if self.teacher == TeacherKind::Random { "fresh coins" } else { "the noiseless teacher" }
    }

    /// Whether the student takes correlated inputs for uncorrelated.
    pub fn ignores_correlation(&self) -> bool {
        self.rho != 0.0 && !self.whiten
    }

    /// The theory that is drawn, in words.
    pub fn theory_in_words(&self) -> &'static str {
        if self.ignores_correlation() {
            "replica theory for a student who knows ρ"
        } else {
            "replica theory"
        }
    }

    fn noise_in_words(&self) -> String {
        if self.beta.is_infinite() {
            "noise-free labels".into()
        } else if self.beta < LN_2 / 1e9 {
            "labels that are pure noise (β\u{a0}=\u{a0}0)".into()
        } else {
            format!(
                "output noise β\u{a0}=\u{a0}{} ({:.0}\u{a0}% of the labels flipped)",
                self.beta,
                100.0 * self.flip_probability()
            )
        }
    }

    /// What would help a solve that does not converge.
    pub fn advice(&self) -> &'static str {
        if self.ignores_correlation() {
            "; let the student know the correlation ρ of its inputs"
        } else if self.beta.is_infinite() && !self.matched() {
            "; a noise-free student cannot fit so many labels of another teacher: set β to a finite value"
        } else {
            "; more inputs or more noise (smaller β) would help"
        }
    }
}

/// Most inputs that can be asked for.
const MOST_INPUTS: usize = 1000;

/// Least common multiple.
fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
