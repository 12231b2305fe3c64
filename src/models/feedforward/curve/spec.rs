//! Specification of the learning curve: the keys of form, permalink and command line.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, flag, integer, reals};
use crate::models::feedforward::fields::StudentTeacher;
use crate::models::feedforward::theory::tensor::MAX_TENSOR_HIDDEN;

crate::choice! {
    /// Cavity variances of the leave-one-out estimates.
    pub enum CurveVariances {
        /// OW96 eq. (6').
        Shared = "shared" "one for all examples",
        Own = "own" "also one for each example",
    }
}

/// Maximum number of inputs of a branch with a cavity variance for each example; a sweep takes m n² operations.
const MAX_OWN_BRANCH: usize = 200;

crate::choice! {
    /// Curves that the figure shows at first.
    pub enum ShownCurves {
        Overview = "overview" "single runs, their means, and the theory",
        Paper = "paper" "those of the paper's figure",
    }
}

crate::spec! {
    /// Specification of a learning curve of a perceptron or committee.
    pub struct CurveSpec {
        ..setting: StudentTeacher { beta = StudentTeacher::FIELDS.beta.default("2") },
        /// Training-set sizes m/N.
        alphas: Vec<f64> = reals((0.02, 20.0), 40)
            .after(&StudentTeacher::FIELDS.beta)
            .label("Examples per weight")
            .symbol("α")
            .help("Training-set sizes m/N at which the curve is measured, separated by commas.")
            .default("0.5,1,2,3,4,5,6,8,10"),
        /// Cavity variances of the leave-one-out estimates.
        variance: CurveVariances = choice()
            .label("Cavity variances")
            .symbol("λ")
            .help(
                "The paper has one λ for all examples of a branch, which makes leave-one-out too large. One for each example is solved and \
                 drawn beside it, and takes longer.",
            )
            .group(Group::Method)
            .more(),
        /// True if each solve starts from the solution for fewer examples.
        warm_start: bool = flag()
            .label("Warm start")
            .help("Starts each solve from the α before: the same result, more sweeps. The paper starts from 1 to 10 examples fewer.")
            .group(Group::Method)
            .more(),
        /// Number of independent runs.
        runs: usize = integer(1, 10_000)
            .slider(10, 1000)
            .label("Runs")
            .help("Independent teachers and training sets averaged over; four times as many halve the error bars.")
            .group(Group::Run)
            .default("200"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
        /// Curves that the figure shows at first.
        curves: ShownCurves = choice()
            .label("Curves")
            .help("Curves that the figure shows at first. The others are under “More curves”.")
            .group(Group::Run)
            .role(Role::Display)
            .more(),
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "One label in eight flipped",
        "12 % of the labels are flipped (β = 2). The learner's own (leave-one-out) estimate follows its test error.",
        "",
    ),
    Preset::new(
        "Paper, Figure 1: noisy labels",
        "The paper's figure 1 with its curves: β = 0.5 (38 % of the labels flipped), N = 50, 200 runs.",
        "hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=200&curves=paper",
    ),
    Preset::new(
        "Leave-one-out without bias",
        "Figure 1 with a cavity variance for each example (diamonds), beside the paper's single λ, whose estimate is too large.",
        "hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&variance=own&runs=100",
    ),
    Preset::new(
        "Paper, Figure 2: committee of three",
        "The paper's figure 2 with its curves: the committee of three without noise, N = 60, 200 runs.",
        "hidden=3&inputs=60&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&runs=200&curves=paper",
    ),
    Preset::new(
        "Perfect labels",
        "β = ∞: every label is correct, and for large α the error falls as 0.44/α.",
        "hidden=1&inputs=50&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&runs=200",
    ),
    Preset::new(
        "Only 15 inputs",
        "The paper: “the algorithm works very well even for small N ≈ 15”. The theory is for N → ∞.",
        "hidden=1&inputs=15&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=1000",
    ),
    Preset::new(
        "300 inputs",
        "Closer to the limit N → ∞ of the theory.",
        "hidden=1&inputs=300&beta=1.5&alphas=0.25,0.5,1,1.5,2,3,4,5,6&runs=40",
    ),
    Preset::new(
        "Where it fails: correlated inputs",
        "Inputs correlated by ρ = 0.9, which the learner ignores: it learns much more slowly, and the leave-one-out \
               estimate exceeds one half.",
        "hidden=1&inputs=50&beta=0.5&rho=0.9&whiten=false&runs=100",
    ),
    Preset::new(
        "Mismatched teacher",
        "A perceptron taught by a committee of three. Without noise it has no fixed point once it cannot fit all labels.",
        "hidden=1&inputs=51&beta=3&teacher=committee&teacher_hidden=3&runs=100",
    ),
];

impl Spec for CurveSpec {
    fn problems(&self) -> Vec<InputError> {
        let mut errors = self.setting.problems();
        let error = || Self::FIELDS.variance.error(self.variance).nearest(CurveVariances::Shared);
        if self.variance == CurveVariances::Own {
            if self.inputs / self.hidden > MAX_OWN_BRANCH {
                let why = format!("a branch has more than {MAX_OWN_BRANCH} inputs");
                errors.push(error().because(why));
            } else if self.rho != 0.0 && self.whiten {
                errors
                    .push(error().because(
                        "a variance for each example is for inputs that are taken for uncorrelated",
                    ));
            }
        }
        errors
    }
}

impl CurveSpec {
    /// Iterates over the number of examples m at each α: αN rounded, at least one.
    pub fn examples(&self) -> impl Iterator<Item = usize> + Clone {
        self.alphas.iter().map(|alpha| self.setting.examples(*alpha))
    }

    /// Iterates over m/N at each α, which differs from α by rounding.
    pub fn ratios(&self) -> impl Iterator<Item = f64> + Clone {
        self.examples().map(|m| m as f64 / self.inputs as f64)
    }

    /// Returns the largest m/N, the end of the axis.
    pub fn end(&self) -> f64 {
        self.ratios().fold(0.0, f64::max)
    }

    /// Returns true if the figure shows the curves of the paper's figures at first.
    pub fn as_in_paper(&self) -> bool {
        self.curves == ShownCurves::Paper
    }

    /// Returns the number of units of theory: one for each α, or one for all α where interpolation is cheaper; 0 without a theory.
    pub fn theory_units(&self) -> usize {
        match self.is_matched() {
            false => 0,
            true if self.theory_in_one_unit() => 1,
            true => self.alphas.len(),
        }
    }

    /// Returns true if theory is computed for all α in one unit.
    pub fn theory_in_one_unit(&self) -> bool {
        self.hidden > MAX_TENSOR_HIDDEN
    }

    /// Returns N/(N−K), the factor between m/N and m/(N−K).
    pub fn finite_size_factor(&self) -> f64 {
        self.inputs as f64 / (self.inputs - self.hidden) as f64
    }
}
