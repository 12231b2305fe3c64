//! Fields and presets of the sweep over hidden units.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Spec, choice, integer, real};
use crate::models::mlp::curve::{CurveSpec, CurveTrainingSet};
use crate::models::mlp::fields::{
    ALPHA, BETA, BIAS, FACTORS, HYPER, HYPERPRIORS, OptimiserChoice, PrecisionSource, RESTARTS, SchemeChoice,
    check_hyperpriors,
};

/// Maximum number of hidden units.
const MAX_HIDDEN: u64 = 10;

crate::choice! {
    /// Training set of the sweep over hidden units.
    pub enum UnitsTrainingSet {
        Waves = "waves" "waves: sin(2.5x)·(1 − x²/8)",
        Steps = "steps" "steps: a staircase",
        Gap = "gap" "waves with a gap in the middle",
    }
}

crate::spec! {
    /// Specification of the sweep over hidden units.
    pub struct UnitsSpec {
        /// Training set.
        set: UnitsTrainingSet = choice()
            .label("Training set")
            .help("Inputs between −2 and 2 with noisy targets, as on the page “Curve”."),
        /// Number of examples.
        examples: usize = integer(2, 400)
            .slider(6, 100)
            .label("Number of examples")
            .symbol("N")
            .help("Number of training examples.")
            .default("20").knob(),
        /// Standard deviation of the noise of the targets.
        noise: f64 = real((0.0, 3.0), (0.0, 1.0, 0.01))
            .label("Noise standard deviation")
            .help("Standard deviation of the noise on the targets.")
            .default("0.15"),
        /// Largest number of hidden units.
        most: usize = integer(1, MAX_HIDDEN)
            .slider(1, MAX_HIDDEN)
            .label("Most hidden units")
            .symbol("H")
            .help("The networks have 1, 2, 3, … hidden units, up to this number.")
            .group(Group::Method)
            .default("8"),
        /// True if hidden units have a bias.
        bias: bool = BIAS.more(),
        /// Number of factors s of BB98 eq. (18).
        factors: usize = FACTORS.more(),
        /// Source of α and β.
        hyper: PrecisionSource = HYPER,
        /// Parameters a, b, c, d of the Gamma priors, BB98 eqs. (19) and (20).
        hyperpriors: Vec<f64> = HYPERPRIORS.more() => hyper is [PrecisionSource::Estimated.word()],
        /// Prior precision.
        alpha: f64 = ALPHA.default("0.6") => hyper is [PrecisionSource::Fixed.word()],
        /// Noise precision.
        beta: f64 = BETA.default("40") => hyper is [PrecisionSource::Fixed.word()],
        /// Number of random starts of each fit.
        restarts: usize = RESTARTS.default("6").more(),
        /// Number of walks from the prior to the posterior.
        walks: usize = integer(0, 5_000)
            .slider(0, 200)
            .label("Annealed walks")
            .help("Number of walks from the prior to the posterior for each number of hidden units. Their mean weight estimates the \
                   evidence; 0 makes none.")
            .group(Group::Run)
            .default("40"),
        /// Number of steps of the ladder.
        rungs: usize = integer(2, 200_000)
            .slider(500, 20_000)
            .label("Steps of a walk")
            .help("Number of steps in which the noise precision increases from 0. More steps give a smaller error.")
            .group(Group::Run)
            .default("10000").more(),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Overpruning",
        "Twenty points, α and β estimated: with four or more units, the best fit is flat.",
        "",
    ),
    Preset::new(
        "Fixed α and β",
        "With fixed precisions the fits keep some units, however many there are.",
        "hyper=fixed",
    ),
    Preset::new(
        "More examples",
        "Forty points give more evidence than the units cost: fewer fits are flat.",
        "examples=40&most=6",
    ),
];

impl Spec for UnitsSpec {
    fn problems(&self) -> Vec<InputError> {
        check_hyperpriors(&self.hyperpriors, &Self::FIELDS.hyperpriors).into_iter().collect()
    }
}

impl UnitsSpec {
    /// Returns the inputs of the drawn curves.
    pub fn inputs(&self) -> Vec<f64> {
        let curve = self.curve(1);
        let all = curve.inputs(&curve.examples());
        Self::drawn(&all[..CurveSpec::DRAWN]).copied().collect()
    }

    /// Iterates over the values that the sweep keeps, given those at all drawn inputs of the regression.
    pub fn drawn<T>(values: &[T]) -> impl Iterator<Item = &T> {
        values.iter().take(CurveSpec::DRAWN).step_by(2)
    }

    /// Returns the specification of the regression with `hidden` units.
    pub fn curve(&self, hidden: usize) -> CurveSpec {
        CurveSpec {
            set: match self.set {
                UnitsTrainingSet::Waves => CurveTrainingSet::Waves,
                UnitsTrainingSet::Steps => CurveTrainingSet::Steps,
                UnitsTrainingSet::Gap => CurveTrainingSet::Gap,
            },
            examples: self.examples,
            noise: self.noise,
            points: Vec::new(),
            table: None,
            input: String::new(),
            label: String::new(),
            hidden,
            bias: self.bias,
            factors: self.factors,
            hyper: self.hyper,
            hyperpriors: self.hyperpriors.clone(),
            alpha: self.alpha,
            beta: self.beta,
            optimiser: OptimiserChoice::Lbfgs,
            scheme: SchemeChoice::Joint,
            restarts: self.restarts,
            hmc: 0,
            predict: Vec::new(),
            seed: self.seed,
        }
    }
}
