//! Specification of one run.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Spec, choice, flag, integer, real};
use crate::models::feedforward::fields::StudentTeacher;

crate::choice! {
    /// Sampler of the exact posterior.
    pub enum Exact {
        No = "none" "not sampled",
        Weighted = "weighted" "weighted draws from the prior",
        Chain = "chain" "Markov chains",
    }
}

crate::spec! {
    /// Specification of one run.
    pub struct SingleSpec {
        ..setting: StudentTeacher { beta = StudentTeacher::FIELDS.beta.default("2") },
        /// Training-set size m/N.
        alpha: f64 = real((0.02, 20.0), (0.1, 10.0, 0.1))
            .after(&StudentTeacher::FIELDS.beta)
            .label("Examples per weight")
            .symbol("α")
            .help("Size of the training set, m/N.")
            .default("4"),
        /// True if the training set grows to that size, each solve starting from the last solution.
        warm_start: bool = flag()
            .label("Growing training set")
            .help("Solves for more and more examples, each time from the last solution, and shows how the overlaps grow.")
            .group(Group::Method)
            .default("true"),
        /// Sampler of the exact posterior.
        exact: Exact = choice()
            .label("Exact posterior")
            .help(
                "Reference to compare with, by Monte Carlo. Weighted draws are independent, but work only for about a \
                 dozen examples.",
            )
            .group(Group::Method)
            .default(Exact::Chain.word()),
        /// Number of draws from the exact posterior.
        draws: usize = integer(100, 10_000_000)
            .slider(100, 10_000)
            .label("Draws")
            .help("Draws from the exact posterior; four times as many about halve the error bars.")
            .group(Group::Run)
            .default("1000")
            => exact not [Exact::No.word()],
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Noisy labels",
        "Four examples per weight, one label in eight flipped: TAP's weights are close to the exact ones.",
        "",
    ),
    Preset::new(
        "Committee without noise",
        "K = 3 without noise: the residual falls slowly, and the exact posterior can be multimodal.",
        "hidden=3&inputs=60&beta=inf&alpha=3",
    )
    .about("residual"),
    Preset::new(
        "Five inputs",
        "N = 5: examples differ in length and fields are not quite Gaussian. How far off is TAP?",
        "inputs=5&beta=inf&alpha=2&exact=weighted&draws=200000",
    ),
    Preset::new(
        "Five inputs of one length",
        "N = 5 with all examples of one length: TAP comes much closer.",
        "inputs=5&beta=inf&alpha=2&exact=weighted&draws=200000&normalise=true",
    ),
    Preset::new(
        "Unlearnable rule",
        "A noise-free perceptron taught by a parity machine: the residual does not fall.",
        "beta=inf&teacher=parity&alpha=4&warm_start=false",
    ),
];

impl Spec for SingleSpec {
    fn problems(&self) -> Vec<InputError> {
        self.setting.problems()
    }
}
