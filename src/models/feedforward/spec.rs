//! What the learning curve can be told: the keys of form, permalink and command line.

use std::f64::consts::LN_2;

use crate::lab::{Checked, Field, Group, Kind, Preset, Problem, Spec, Values};

/// Specification of a learning curve of a perceptron or committee machine.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSpec {
    /// Branches K of student and teacher; 1 is the simple perceptron.
    pub hidden: usize,
    /// Inputs N, shared equally by the branches.
    pub inputs: usize,
    /// Inverse temperature β of the output noise; ∞ is noise-free.
    pub beta: f64,
    /// Training-set sizes m/N.
    pub alphas: Vec<f64>,
    /// Independent runs averaged over.
    pub runs: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

static FIELDS: [Field; 6] = [
    Field {
        key: "hidden",
        label: "Hidden units",
        symbol: "K",
        help: "Branches of the committee, each with N/K inputs of its own; the majority decides. 1 is a perceptron.",
        group: Group::Problem,
        kind: Kind::Integer { min: 1, max: 101, slider: Some((1, 9)) },
        default: "1",
    },
    Field {
        key: "inputs",
        label: "Inputs",
        symbol: "N",
        help: "Number of inputs and weights. Theory is for N → ∞; small N shows how far that carries.",
        group: Group::Problem,
        kind: Kind::Integer { min: 2, max: 1000, slider: Some((5, 300)) },
        default: "50",
    },
    Field {
        key: "beta",
        label: "Inverse temperature",
        symbol: "β",
        help: "How reliable the labels are: each is flipped with probability 1/(1+e^β). inf is noise-free.",
        group: Group::Problem,
        kind: Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 5.0, 0.05), infinity: true },
        default: "0.5",
    },
    Field {
        key: "alphas",
        label: "Examples per weight",
        symbol: "α",
        help: "Training-set sizes m/N at which the curve is measured, separated by commas.",
        group: Group::Problem,
        kind: Kind::Reals { min: 0.02, max: 20.0, most: 40 },
        default: "0.5,1,2,3,4,5,6,8,10",
    },
    Field {
        key: "runs",
        label: "Runs",
        symbol: "",
        help: "Independent teachers and training sets averaged over; four times as many halve the error bars.",
        group: Group::Run,
        kind: Kind::Integer { min: 1, max: 10_000, slider: Some((10, 1000)) },
        default: "200",
    },
    Field {
        key: "seed",
        label: "Seed",
        symbol: "",
        help: "The same seed gives the same teachers, examples and noise, on every machine.",
        group: Group::Run,
        kind: Kind::Integer { min: 0, max: u64::MAX, slider: None },
        default: "1",
    },
];

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "Figure 1",
        help: "The paper's figure 1: output noise β = 0.5, N = 50, 200 runs.",
        query: "hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=200",
    },
    Preset {
        label: "Figure 2",
        help: "The paper's figure 2: the noise-free committee of three, N = 60, 200 runs.",
        query: "hidden=3&inputs=60&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&runs=200",
    },
    Preset {
        label: "No noise",
        help: "β = ∞: every label is right, and the error falls as 0.44/α.",
        query: "hidden=1&inputs=50&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&runs=200",
    },
    Preset {
        label: "Tiny, N = 15",
        help: "The paper: “the algorithm works very well even for small N ≈ 15”. Does it?",
        query: "hidden=1&inputs=15&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=1000",
    },
    Preset {
        label: "Large, N = 300",
        help: "Towards the limit in which the theory is exact.",
        query: "hidden=1&inputs=300&beta=1.5&alphas=0.25,0.5,1,1.5,2,3,4,5,6&runs=40",
    },
];

impl Spec for CurveSpec {
    fn fields() -> &'static [Field] {
        &FIELDS
    }

    fn read(values: &Values) -> Self {
        Self {
            hidden: values.integer("hidden") as usize,
            inputs: values.integer("inputs") as usize,
            beta: values.real("beta"),
            alphas: values.reals("alphas"),
            runs: values.integer("runs") as usize,
            seed: values.integer("seed"),
        }
    }

    fn problems(&self) -> Vec<Problem> {
        // A branch of one input has no direction to learn but its sign.
        let (hidden, inputs) = (self.hidden, self.inputs);
        if inputs.is_multiple_of(hidden) && inputs >= 2 * hidden {
            return Vec::new();
        }
        let nearest = (inputs as f64 / hidden as f64).round().max(2.0) as usize * hidden;
        vec![Problem {
            field: "inputs".into(),
            given: inputs.to_string(),
            accepted: format!("a multiple of hidden = {hidden}, at least {}", 2 * hidden),
            nearest: Some(if nearest > 1000 { nearest - hidden } else { nearest }.to_string()),
        }]
    }
}

impl CurveSpec {
    /// Number of examples m at each α: αN rounded, at least one.
    pub fn examples(&self) -> impl Iterator<Item = usize> + Clone {
        self.alphas.iter().map(|alpha| ((alpha * self.inputs as f64).round() as usize).max(1))
    }

    /// m/N at each α: where a measured point really lies.
    pub fn ratios(&self) -> impl Iterator<Item = f64> + Clone {
        self.examples().map(|m| m as f64 / self.inputs as f64)
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

    /// β in words.
    pub fn noise_in_words(&self) -> String {
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
}

/// For the tests of several files: a checked specification from a permalink's query.
///
/// # Panics
/// If it makes no sense.
pub fn checked(query: &str) -> Checked<CurveSpec> {
    let link = crate::lab::Link::parse(&format!("#/feedforward?{query}"));
    match Checked::new(&link.raw) {
        Ok(spec) => spec,
        Err(problems) => panic!("{problems:?}"),
    }
}
