//! What a regression in one dimension is told.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, flag, integer, points, real, reals};
use crate::models::mlp::fields::{ALPHA, BETA, RESTARTS, SEARCH, Search};

/// Fewest and most examples.
pub(super) const FEWEST: usize = 2;
pub(super) const MOST: usize = 400;

crate::choice! {
    /// The examples.
    pub enum PointSet {
        Waves = "waves" "waves: sin(2.5x)·(1 − x²/8)",
        Steps = "steps" "steps: a staircase",
        Gap = "gap" "waves with a gap in the middle",
        Growing = "growing" "waves with noise that grows with x",
        Own = "own" "your own",
    }
}

crate::choice! {
    /// Where α and β come from.
    pub enum Hyperparameters {
        Estimated = "estimated" "estimated, with Gamma priors",
        Fixed = "fixed" "given",
    }
}

crate::spec! {
    /// Specification of a regression in one dimension.
    pub struct CurveSpec {
        /// How the examples are drawn.
        set: PointSet = choice()
            .label("Examples")
            .help("Inputs between −2 and 2 with noisy targets. The model takes the noise to be the same everywhere."),
        /// How many.
        examples: usize = integer(FEWEST as u64, MOST as u64)
            .slider(6, 100)
            .label("Examples")
            .symbol("N")
            .help("Number of examples.")
            .default("20")
            => set not [PointSet::Own.word()],
        /// Standard deviation of their noise.
        noise: f64 = real((0.0, 3.0), (0.0, 1.0, 0.01))
            .label("Noise")
            .help("Standard deviation of the noise on the targets; of growing noise at x = 2.")
            .default("0.15")
            => set not [PointSet::Own.word()],
        /// A person's own: x and t of each.
        points: Vec<[f64; 2]> = points((-100.0, 100.0), (-100.0, 100.0), (FEWEST, MOST))
            .label("Your own points")
            .help("x and t of each point. Drag, add and delete them in the figure.")
            => set is [PointSet::Own.word()],
        /// Hidden units.
        hidden: usize = integer(1, 12)
            .slider(1, 8)
            .label("Hidden units")
            .symbol("H")
            .help("Units with an input weight, a bias and an output weight each.")
            .group(Group::Method)
            .default("3").knob(),
        /// Whether units have a bias.
        bias: bool = flag()
            .label("Bias")
            .help("A bias for every hidden unit; without, f is odd.")
            .group(Group::Method)
            .default("true").more(),
        /// Factors of eq. (18).
        factors: usize = integer(1, 6)
            .slider(1, 4)
            .label("Factors")
            .symbol("s")
            .help("Factors of the covariance of eq. (18).")
            .group(Group::Method).more(),
        /// Where α and β come from.
        hyper: Hyperparameters = choice()
            .label("α and β")
            .help("Estimated: ensemble learning has Gamma priors, MAP and Laplace re-estimate by MacKay's evidence.")
            .group(Group::Method),
        /// a, b, c, d of eqs. (19) and (20).
        hyperpriors: Vec<f64> = reals((1e-6, 1e9), 4)
            .label("Gamma priors")
            .symbol("a, b, c, d")
            .help("Shape and scale of the priors of α and of β.")
            .group(Group::Method)
            .default("0.25,400,0.05,2000").more()
            => hyper is [Hyperparameters::Estimated.word()],
        /// Prior precision.
        alpha: f64 = ALPHA.default("0.6") => hyper is [Hyperparameters::Fixed.word()],
        /// Noise precision.
        beta: f64 = BETA.default("40") => hyper is [Hyperparameters::Fixed.word()],
        /// How the free energy is minimised.
        optimiser: Search = SEARCH.more(),
        /// Starts of each fit.
        restarts: usize = RESTARTS.more(),
        /// Draws of each of four chains.
        hmc: usize = integer(0, 100_000)
            .slider(0, 10_000)
            .label("Monte Carlo draws")
            .help("Draws of each of four Hamiltonian Monte Carlo chains through the exact posterior; 0 for none.")
            .group(Group::Run)
            .default("2000"),
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
        label: "Waves: bands outside the data",
        help: "Twenty points, three units, α and β estimated.",
        query: "",
    },
    Preset {
        label: "A gap in the middle",
        help: "What each approximation says where there are no points.",
        query: "set=gap&examples=16&hyper=fixed",
    },
    Preset {
        label: "Given α and β",
        help: "The posterior has one part only and the chains mix: the fairest comparison.",
        query: "hyper=fixed&hidden=2&examples=12",
    },
    Preset {
        label: "Steps",
        help: "A staircase needs steep units.",
        query: "set=steps&examples=40&hidden=4",
    },
    Preset {
        label: "Noise that grows",
        help: "The model knows one β only: the bands of f are too wide on the left and too narrow on the right.",
        query: "set=growing&examples=60&noise=0.4",
    },
    Preset {
        label: "Too many units",
        help: "Units that the data do not need are switched off.",
        query: "hidden=8&hmc=0",
    },
];

impl Spec for CurveSpec {
    fn problems(&self) -> Vec<InputError> {
        let fields = Self::FIELDS;
        let mut problems = Vec::new();
        if self.set == PointSet::Own && self.points.is_empty() {
            let why = format!("there must be at least {FEWEST} points of your own");
            problems.push(fields.set.error(self.set).because(why).nearest(PointSet::Waves));
        }
        if self.hyperpriors.len() != 4 {
            let error = fields.hyperpriors.error(format!("{} numbers", self.hyperpriors.len()));
            problems.push(error.expected("four numbers: a, b, c and d").nearest(fields.hyperpriors.default));
        }
        problems
    }
}
