//! What the two weights are told.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, flag, integer, points, reals};
use crate::models::mlp::fields::{ALPHA, BETA, RESTARTS, SEARCH, Search};

/// Fewest and most examples.
pub(super) const FEWEST: usize = 1;
pub(super) const MOST: usize = 200;

crate::choice! {
    /// The examples.
    pub enum PointSet {
        /// Ours; the paper prints no data.
        Figure1 = "figure1" "four points chosen to give Figure 1",
        Second = "held2" "a second set of four",
        Saturated = "saturated" "three points with two optima",
        Own = "own" "your own",
    }
}

crate::spec! {
    /// Specification of a network of two weights, f(x) = v s(u x).
    pub struct PlaneSpec {
        /// The examples.
        set: PointSet = choice()
            .label("Examples")
            .help("Inputs and targets of a network of one hidden unit without bias, f(x) = v s(u x)."),
        /// A person's own: x and t of each.
        points: Vec<[f64; 2]> = points((-100.0, 100.0), (-100.0, 100.0), (FEWEST, MOST))
            .label("Your own points")
            .help("x and t of each point. Drag, add and delete them in the figure of the fits.")
            => set is [PointSet::Own.word()],
        /// Prior precision.
        alpha: f64 = ALPHA.default("1.8").more(),
        /// Noise precision.
        beta: f64 = BETA.default("800").knob(),
        /// How the free energy is minimised.
        optimiser: Search = SEARCH.more(),
        /// Evaluations of the free energy that each fit may take.
        evaluations: usize = integer(1, 5000)
            .slider(1, 60)
            .label("Evaluations")
            .help("Evaluations of the free energy at most. Drag to small numbers and back to see the fits on their way.")
            .group(Group::Method)
            .default("1000").more(),
        /// Whether the twin of every weight is shown.
        twin: bool = flag()
            .label("Show the twin")
            .help("The posterior is the same at (−u, −v). A Gaussian that sits on one of the two misses half of the mass: ln 2 of its KL.")
            .group(Group::Method).more(),
        /// Starts of each fit.
        restarts: usize = RESTARTS.more(),
        /// Draws of each of four chains.
        hmc: usize = integer(0, 100_000)
            .slider(0, 5000)
            .label("Monte Carlo draws")
            .help("Draws of each of four Hamiltonian Monte Carlo chains, which check the exact posterior; 0 for none.")
            .group(Group::Run)
            .default("1000"),
        /// Where predictions are reported.
        predict: Vec<f64> = reals((-1e3, 1e3), 200)
            .label("Predict at")
            .help("Inputs at which the report gives mean and variance of f.")
            .group(Group::Run)
            .role(Role::Report),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "Figure 1: Laplace against ensemble learning",
        help: "A curved posterior: the straight ellipse at the mode leaves it.",
        query: "",
    },
    Preset { label: "A second set", help: "Other points, the same finding.", query: "set=held2&alpha=1.2" },
    Preset {
        label: "Two optima",
        help: "A hardly restrained unit: the fit beside the mode is not the best one; restarts find the other.",
        query: "set=saturated&alpha=0.000007&beta=42&restarts=6",
    },
    Preset {
        label: "The twin",
        help: "Both halves of the posterior, and the ln 2 that one Gaussian cannot avoid.",
        query: "twin=true",
    },
    Preset {
        label: "Where Laplace is right",
        help: "Many precise examples: the posterior is nearly Gaussian and all three agree.",
        query: "set=own&points=-2,-0.9,-1.5,-0.82,-1,-0.65,-0.5,-0.37,0.5,0.38,1,0.66,1.5,0.81,2,0.9&alpha=1&beta=2000",
    },
];

impl Spec for PlaneSpec {
    fn problems(&self) -> Vec<InputError> {
        if self.set == PointSet::Own && self.points.is_empty() {
            let why = "there must be at least one point of your own";
            return vec![Self::FIELDS.set.error(self.set).because(why).nearest(PointSet::Figure1)];
        }
        Vec::new()
    }
}
