//! Fields and presets of the task with two weights.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Spec, choice, flag, integer, points};
use crate::models::mlp::fields::{ALPHA, BETA, OPTIMISER, OptimiserChoice, PREDICT, RESTARTS};

/// Minimum and maximum number of examples.
const EXAMPLES: (usize, usize) = (1, 200);

crate::choice! {
    /// Training set of the task with two weights.
    pub enum PlaneTrainingSet {
        /// Chosen for this page; BB98 does not give its data.
        Figure1 = "figure1" "four points, as in Figure 1",
        Second = "held2" "another four points",
        Saturated = "saturated" "three points, two optima",
        Own = "own" "your own points",
    }
}

crate::spec! {
    /// Specification of a network of two weights, f(x) = v s(u x).
    pub struct PlaneSpec {
        /// Training set.
        set: PlaneTrainingSet = choice()
            .label("Training set")
            .help(
                "Inputs x and targets t. The paper does not list the points of its Figure 1; four points that reproduce it were chosen. The \
                 network has one hidden unit and no bias: f(x) = v s(u x).",
            ),
        /// Points of the user: x and t of each.
        points: Vec<[f64; 2]> = points((-100.0, 100.0), (-100.0, 100.0), EXAMPLES)
            .label("Your own points")
            .help("Input x and target t of each point. Drag, add or delete points in the lower panels.")
            => set is [PlaneTrainingSet::Own.word()],
        /// Prior precision.
        alpha: f64 = ALPHA.default("1.8").more(),
        /// Noise precision.
        beta: f64 = BETA.default("800").knob(),
        /// Minimiser of the free energy.
        optimiser: OptimiserChoice = OPTIMISER.more(),
        /// Maximum number of evaluations of the free energy in each fit.
        evaluations: usize = integer(1, 5000)
            .slider(1, 60)
            .label("Maximum evaluations")
            .help("Maximum number of evaluations of the free energy in each fit. Small values show the fits before convergence.")
            .group(Group::Method)
            .default("1000").more(),
        /// True if the symmetric mode at (−u, −v) is shown.
        twin: bool = flag()
            .label("Show the symmetric mode")
            .help(
                "Shows the mode at (−u, −v) as well, where the posterior density is the same. A Gaussian at one of the two modes misses \
                 half of the probability mass, which adds ln 2 to its KL.",
            )
            .group(Group::Method).more(),
        /// Number of starts of each fit.
        restarts: usize = RESTARTS.more(),
        /// Number of draws of each of four chains; 0 for none.
        hmc: usize = integer(0, 100_000)
            .slider(0, 5000)
            .label("Monte Carlo draws per chain")
            .help("Draws in each of four Hamiltonian Monte Carlo chains, which check the exact posterior; 0 runs no chains.")
            .group(Group::Run)
            .default("1000"),
        /// Inputs at which the report gives predictions.
        predict: Vec<f64> = PREDICT,
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Paper, Figure 1: three Gaussians",
        "The posterior is curved; Laplace's ellipse at the mode extends beyond it.",
        "",
    ),
    Preset::new(
        "Another four points",
        "A different training set leads to the same conclusion.",
        "set=held2&alpha=1.2",
    ),
    Preset::new(
        "Two optima",
        "With a broad prior the best fit is far from the mode; restarts find it.",
        "set=own&points=1,2.4,1.5,3.6,2,4.8&alpha=0.02&beta=1&restarts=6",
    ),
    Preset::new(
        "Symmetric modes",
        "Both modes of the posterior. A single Gaussian covers one of them, which adds ln 2 to its KL.",
        "twin=true",
    ),
    Preset::new(
        "Nearly Gaussian posterior",
        "Eight examples with low noise: the posterior is nearly Gaussian, and all three fits agree.",
        "set=own&points=-2,-0.9,-1.5,-0.82,-1,-0.65,-0.5,-0.37,0.5,0.38,1,0.66,1.5,0.81,2,0.9&alpha=1&beta=2000",
    ),
];

impl Spec for PlaneSpec {
    fn problems(&self) -> Vec<InputError> {
        if self.set == PlaneTrainingSet::Own && self.points.is_empty() {
            let why = "the training set needs at least one point";
            return vec![Self::FIELDS.set.error(self.set).because(why).nearest(PlaneTrainingSet::Figure1)];
        }
        Vec::new()
    }
}
