//! What one run can be told.

use std::ops::Deref;

use crate::lab::{Field, Group, InputError, Kind, Preset, Spec, Values};
use crate::models::feedforward::fields::{
    BETA, HIDDEN, INPUTS, NORMALISE, RHO, SEED, Setting, TEACHER, TEACHER_HIDDEN, WHITEN,
};

/// Specification of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleSpec {
    /// Who learns what from whom.
    pub setting: Setting,
    /// Training-set size m/N.
    pub alpha: f64,
    /// Whether the training set grows to that size, each solve starting from the last.
    pub warm_start: bool,
    /// How the exact posterior is sampled.
    pub exact: Exact,
    /// Draws from it.
    pub draws: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// How the exact posterior is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Not at all.
    No,
    /// Draws from the prior, weighted by their likelihood.
    Weighted,
    /// A Markov chain.
    Chain,
}

impl Deref for SingleSpec {
    type Target = Setting;
    fn deref(&self) -> &Setting {
        &self.setting
    }
}

static FIELDS: [Field; 13] = [
    HIDDEN,
    INPUTS,
    Field { default: "2", ..BETA },
    Field {
        key: "alpha",
        label: "Examples per weight",
        symbol: "α",
        help: "Size of the training set, m/N.",
        group: Group::Problem,
        kind: Kind::Real { min: 0.02, max: 20.0, slider: (0.1, 10.0, 0.1), infinity: false },
        default: "4",
    },
    TEACHER,
    TEACHER_HIDDEN,
    RHO,
    WHITEN,
    NORMALISE,
    Field {
        key: "warm_start",
        label: "Let the training set grow",
        symbol: "",
        help: "Solves ever more examples, each time from the last solution, and shows the student come nearer.",
        group: Group::Method,
        kind: Kind::Flag,
        default: "true",
    },
    Field {
        key: "exact",
        label: "Exact posterior",
        symbol: "",
        help: "The truth to compare with, sampled. Weighted draws are independent, but only for a dozen examples or so.",
        group: Group::Method,
        kind: Kind::Choice(&[
            ("none", "not sampled"),
            ("weighted", "weighted draws"),
            ("chain", "Markov chains"),
        ]),
        default: "chain",
    },
    Field {
        key: "draws",
        label: "Draws",
        symbol: "",
        help: "Draws from the exact posterior; four times as many about halve the error bars.",
        group: Group::Run,
        kind: Kind::Integer { min: 100, max: 10_000_000, slider: Some((100, 10_000)) },
        default: "1000",
    },
    SEED,
];

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "A noisy perceptron",
        help: "Four examples a weight, one label in eight wrong: the mean weights look like the teacher's.",
        query: "",
    },
    Preset {
        label: "A noise-free committee",
        help: "K = 3 without noise: the residual falls slowly, and the exact posterior is a small cone.",
        query: "hidden=3&inputs=60&beta=inf&alpha=3",
    },
    Preset {
        label: "Five inputs",
        help: "N = 5, where Gaussian fields are a poor guess: how far off is TAP?",
        query: "inputs=5&beta=inf&alpha=2&exact=weighted&draws=200000",
    },
    Preset {
        label: "The same on the sphere",
        help: "N = 5 with all examples of one length: TAP comes much closer.",
        query: "inputs=5&beta=inf&alpha=2&exact=weighted&draws=200000&normalise=true",
    },
    Preset {
        label: "It cannot work",
        help: "A noise-free perceptron taught by a parity machine: the residual does not fall.",
        query: "beta=inf&teacher=parity&alpha=4&warm_start=false",
    },
];

impl Spec for SingleSpec {
    fn fields() -> &'static [Field] {
        &FIELDS
    }

    fn read(values: &Values) -> Self {
        Self {
            setting: Setting::read(values),
            alpha: values.real("alpha"),
            warm_start: values.flag("warm_start"),
            exact: match values.choice("exact") {
                "weighted" => Exact::Weighted,
                "chain" => Exact::Chain,
                _ => Exact::No,
            },
            draws: values.integer("draws") as usize,
            seed: values.integer("seed"),
        }
    }

    fn problems(&self) -> Vec<InputError> {
        self.setting.problems()
    }
}
