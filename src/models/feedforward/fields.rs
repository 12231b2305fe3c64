//! Student, teacher, noise and inputs: the fields that the experiments of this model share.

use std::f64::consts::LN_2;

use crate::data::teacher::{InputDistribution, TeacherRule};
use crate::figure::percent;
use crate::lab::{Group, InputError, Meaning, choice, flag, integer, real};
use crate::math::covariance::InputCovariance;

crate::choice! {
    /// Rule that labels the examples.
    pub enum TeacherKind {
        Matched = "matched" "same as the learner",
        Perceptron = "perceptron" "perceptron",
        Committee = "committee" "committee with its own K",
        Parity = "parity" "parity machine",
        Random = "random" "none: random labels",
    }
}

crate::spec! {
    /// Student, teacher, label noise and inputs.
    pub struct StudentTeacher {
        /// Branches K of the student; 1 is the simple perceptron.
        hidden: usize = integer(1, 101)
            .slider(1, 9)
            .label("Hidden units")
            .symbol("K")
            .help("Branches of the committee, each with N/K inputs of its own; the majority decides. 1 is a perceptron.")
            .knob(),
        /// Inputs N, shared equally by the branches.
        inputs: usize = integer(2, MAX_INPUTS as u64)
            .slider(5, 300)
            .label("Inputs")
            .symbol("N")
            .help("Number of inputs and weights. The theory is for N → ∞; try small N to see where it breaks down.")
            .default("50"),
        /// Inverse temperature β of the output noise; ∞ is noise-free.
        beta: f64 = real((0.0, 50.0), (0.0, 5.0, 0.05))
            .or_infinity()
            .label("Label reliability")
            .symbol("β")
            .help("Each label is flipped with probability 1/(1+e^β): the larger β, the fewer; inf means that all labels are right.")
            .meaning(Some(Meaning::Logistic("of the labels are flipped")))
            .default("0.5")
            .knob(),
        /// Rule that labels the examples.
        teacher: TeacherKind = choice()
            .label("Teacher")
            .help(
                "Rule that generates the labels. A mismatched learner can only approximate it; the theory assumes a \
                 match.",
            )
            .more(),
        /// Branches of a teacher with another number of branches than the student.
        teacher_hidden: usize = integer(1, 101)
            .slider(1, 9)
            .label("Teacher's hidden units")
            .help("Branches of the committee or parity machine that generates the labels.")
            .default("2")
            .more()
            => teacher is [TeacherKind::Committee.word(), TeacherKind::Parity.word()],
        /// Correlation of neighbouring inputs of a branch.
        rho: f64 = real((-0.99, 0.99), (-0.95, 0.95, 0.05))
            .label("Correlation of inputs")
            .symbol("ρ")
            .help("Correlation of neighbouring inputs of a branch; inputs d apart have correlation ρ to the power d.")
            .more(),
        /// True if the student knows the correlation.
        whiten: bool = flag()
            .label("Student knows ρ")
            .help("When off, the learner wrongly assumes uncorrelated inputs.")
            .group(Group::Method)
            .more()
            .default("true")
            => rho not ["0"],
        /// True if the inputs of each branch are scaled onto the sphere.
        normalise: bool = flag()
            .label("Inputs on the sphere")
            .help("Scales every example to the same length. This changes no label and brings TAP nearer to the exact posterior.")
            .group(Group::Method)
            .more(),
    }
}

impl StudentTeacher {
    /// Returns the errors of fields that are valid one by one but not together.
    pub fn problems(&self) -> Vec<InputError> {
        let (hidden, inputs) = (self.hidden, self.inputs);
        let teacher_hidden = self.teacher_branches().unwrap_or(1);
        let both = lcm(hidden, teacher_hidden);
        if both > MAX_INPUTS / 2 {
            let expected = format!("a number whose multiples up to {MAX_INPUTS} include one of K = {hidden}");
            return vec![
                Self::FIELDS.teacher_hidden.error(teacher_hidden).expected(expected).nearest(hidden),
            ];
        }
        // A branch with one input has only a sign to learn.
        let least = 2 * hidden.max(teacher_hidden);
        if inputs.is_multiple_of(both) && inputs >= least {
            return Vec::new();
        }
        let nearest = (inputs as f64 / both as f64).round() as usize * both;
        let nearest = nearest.max(least.next_multiple_of(both));
        let nearest = if nearest > MAX_INPUTS { nearest - both } else { nearest };
        let whose = if teacher_hidden == 1 {
            String::new()
        } else {
            format!(" and of the teacher's K = {teacher_hidden}")
        };
        let expected = format!("a multiple of K = {hidden}{whose}, at least {least}");
        vec![Self::FIELDS.inputs.error(inputs).expected(expected).nearest(nearest)]
    }

    /// Returns the number of branches of a teacher that has another number than the student.
    fn teacher_branches(&self) -> Option<usize> {
        matches!(self.teacher, TeacherKind::Committee | TeacherKind::Parity).then_some(self.teacher_hidden)
    }

    /// Returns true if the teacher has the student's architecture; replica theory assumes it.
    pub fn is_matched(&self) -> bool {
        match self.teacher {
            TeacherKind::Matched => true,
            TeacherKind::Perceptron => self.hidden == 1,
            TeacherKind::Committee => self.hidden == self.teacher_hidden,
            TeacherKind::Parity => self.hidden == 1 && self.teacher_hidden == 1,
            TeacherKind::Random => false,
        }
    }

    /// Returns the rule of the teacher.
    pub fn rule(&self) -> TeacherRule {
        match self.teacher {
            TeacherKind::Matched => TeacherRule::Committee(self.hidden),
            TeacherKind::Perceptron => TeacherRule::Committee(1),
            TeacherKind::Committee => TeacherRule::Committee(self.teacher_hidden),
            TeacherKind::Parity => TeacherRule::Parity(self.teacher_hidden),
            TeacherKind::Random => TeacherRule::Coin,
        }
    }

    /// Returns the distribution of the inputs.
    pub fn drawn_inputs(&self) -> InputDistribution {
        InputDistribution {
            count: self.inputs,
            branch: self.inputs / self.hidden,
            covariance: InputCovariance::ar1(self.rho),
            normalise: self.normalise,
        }
    }

    /// Returns the covariance of the inputs that the student assumes.
    pub fn assumed_covariance(&self) -> InputCovariance {
        if self.whiten { InputCovariance::ar1(self.rho) } else { InputCovariance::White }
    }

    /// Returns the number of examples m for α = m/N, at least one.
    pub fn examples(&self, alpha: f64) -> usize {
        ((alpha * self.inputs as f64).round() as usize).max(1)
    }

    /// Returns the probability 1/(1+e^β) that a label is flipped.
    pub fn flip_probability(&self) -> f64 {
        1.0 / (1.0 + libm::exp(self.beta))
    }

    /// Returns m/N.
    pub fn ratio(&self, m: usize) -> f64 {
        m as f64 / self.inputs as f64
    }

    /// Returns the error on noisy labels of a prediction whose error against the noiseless teacher is `clean`.
    pub fn noisy(&self, clean: f64) -> f64 {
        let p = self.flip_probability();
        p + (1.0 - 2.0 * p) * clean
    }

    /// Describes the student.
    pub fn describe_machine(&self) -> String {
        match self.hidden {
            1 => "simple perceptron".into(),
            hidden => format!("K\u{a0}=\u{a0}{hidden} committee machine"),
        }
    }

    /// Describes teacher, inputs and noise where they differ from the defaults.
    pub fn describe_circumstances(&self) -> String {
        let teacher = match self.teacher {
            _ if self.is_matched() => String::new(),
            TeacherKind::Committee if self.teacher_hidden > 1 => {
                format!("taught by a K\u{a0}=\u{a0}{} committee, ", self.teacher_hidden)
            }
            TeacherKind::Parity => {
                format!("taught by a parity machine of {} branches, ", self.teacher_hidden)
            }
            TeacherKind::Random => "given random labels but assuming ".into(),
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
        format!("{teacher}{}{sphere}{correlated}", self.describe_noise())
    }

    /// Describes the labels with which predictions are compared.
    pub fn describe_truth(&self) -> &'static str {
        if self.teacher == TeacherKind::Random { "fresh coins" } else { "the noiseless teacher" }
    }

    /// Returns true if the inputs are correlated and the student assumes that they are not.
    pub fn ignores_correlation(&self) -> bool {
        self.rho != 0.0 && !self.whiten
    }

    /// Describes the theory that is drawn.
    pub fn describe_theory(&self) -> &'static str {
        if self.ignores_correlation() {
            "replica theory for a learner who knows ρ"
        } else {
            "replica theory"
        }
    }

    fn describe_noise(&self) -> String {
        if self.beta.is_infinite() {
            "noise-free labels".into()
        } else if self.beta < LN_2 / 1e9 {
            "labels that are pure noise (β\u{a0}=\u{a0}0)".into()
        } else {
            format!(
                "{} of the labels flipped (β\u{a0}=\u{a0}{})",
                percent(self.flip_probability()).replace(' ', "\u{a0}"),
                self.beta
            )
        }
    }

    /// Returns advice for a solve that does not converge.
    pub fn advice(&self) -> &'static str {
        if self.ignores_correlation() {
            "; let the learner know the correlation ρ of its inputs"
        } else if self.beta.is_infinite() && !self.is_matched() {
            "; a noise-free learner cannot fit so many labels of another teacher: set β to a finite value"
        } else {
            "; more inputs or a smaller β would help"
        }
    }
}

/// Largest number of inputs.
const MAX_INPUTS: usize = 1000;

/// Returns the least common multiple.
fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
