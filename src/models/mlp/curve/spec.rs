//! Fields and presets of the regression in one dimension.

use crate::data::DataRef;
use crate::lab::fields::{LABEL, SEED};
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, data, integer, points, real, text};
use crate::models::mlp::fields::{
    ALPHA, BETA, BIAS, FACTORS, HYPER, HYPERPRIORS, OPTIMISER, OptimiserChoice, PREDICT, PrecisionSource,
    RESTARTS, SCHEME, SchemeChoice, check_hyperpriors,
};

/// Minimum number of examples.
pub(super) const MIN_EXAMPLES: usize = 2;
/// Maximum number of examples.
pub(super) const MAX_EXAMPLES: usize = 400;
/// Value of the field `table` without a table.
const NO_TABLE: &str = "none";

crate::choice! {
    /// Training set of the regression in one dimension.
    pub enum CurveTrainingSet {
        Waves = "waves" "waves: sin(2.5x)·(1 − x²/8)",
        Steps = "steps" "steps: a staircase",
        Gap = "gap" "waves with a gap in the middle",
        Growing = "growing" "waves with noise that grows with x",
        Own = "own" "your own points",
        Table = "table" "two columns of a CSV file",
    }
}

crate::spec! {
    /// Specification of a regression in one dimension.
    pub struct CurveSpec {
        /// Training set.
        set: CurveTrainingSet = choice()
            .label("Training set")
            .help("Inputs between −2 and 2 with noisy targets. The model assumes the same noise variance at every x."),
        /// Number of examples.
        examples: usize = integer(MIN_EXAMPLES as u64, MAX_EXAMPLES as u64)
            .slider(6, 100)
            .label("Number of examples")
            .symbol("N")
            .help("Number of training examples.")
            .default("24")
            => set not [CurveTrainingSet::Own.word(), CurveTrainingSet::Table.word()],
        /// Standard deviation of the noise of the targets.
        noise: f64 = real((0.0, 3.0), (0.0, 1.0, 0.01))
            .label("Noise standard deviation")
            .help("Standard deviation of the noise on the targets. If the noise grows with x, its value at x = 2.")
            .default("0.15")
            => set not [CurveTrainingSet::Own.word(), CurveTrainingSet::Table.word()],
        /// Points of the user: x and t of each.
        points: Vec<[f64; 2]> = points((-100.0, 100.0), (-100.0, 100.0), (MIN_EXAMPLES, MAX_EXAMPLES))
            .label("Your own points")
            .help("Input x and target t of each point. Drag, add or delete points in the figure.")
            => set is [CurveTrainingSet::Own.word()],
        /// Table with x and t in two of its columns.
        table: Option<DataRef> = data(Role::Data)
            .label("Your data")
            .help("A CSV file. One column is the input x, another one the target t; both are scaled to unit variance for the fit.")
            .default(NO_TABLE)
            => set is [CurveTrainingSet::Table.word()],
        /// Name of the column of x.
        input: String = text(200)
            .label("Input column")
            .symbol("x")
            .help("Numeric column of the inputs. Default: the first one that is not the target.")
            => set is [CurveTrainingSet::Table.word()],
        /// Name of the column of t.
        label: String = LABEL.label("Target").symbol("t").help("Numeric column to predict. Default: the last one.")
            => set is [CurveTrainingSet::Table.word()],
        /// Number of hidden units.
        hidden: usize = integer(1, 12)
            .slider(1, 8)
            .label("Hidden units")
            .symbol("H")
            .help("Number of hidden units. Each has an input weight, a bias and an output weight.")
            .group(Group::Method)
            .default("3").knob(),
        /// True if hidden units have a bias.
        bias: bool = BIAS.help("Gives every hidden unit a bias. Without biases f is an odd function.").more(),
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
        /// Minimiser of the free energy.
        optimiser: OptimiserChoice = OPTIMISER.more(),
        /// Updates of α and β under Gamma priors.
        scheme: SchemeChoice = SCHEME.more() => hyper is [PrecisionSource::Estimated.word()],
        /// Number of starts of each fit.
        restarts: usize = RESTARTS.more(),
        /// Number of draws of each of four chains; 0 for none.
        hmc: usize = integer(0, 100_000)
            .slider(0, 10_000)
            .label("Monte Carlo draws per chain")
            .help("Draws in each of four Hamiltonian Monte Carlo chains from the exact posterior; 0 runs no chains.")
            .group(Group::Run)
            .default("2000"),
        /// Inputs at which the report gives predictions.
        predict: Vec<f64> = PREDICT,
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Waves: bands outside the data",
        "Twenty-four points, three hidden units: Laplace misses the points; ensemble learning is too sure beyond them.",
        "",
    ),
    Preset::new(
        "A gap in the middle",
        "Compare the bands in the interval without data.",
        "set=gap&examples=16&hyper=fixed",
    ),
    Preset::new(
        "Fixed α and β",
        "The posterior has one mode up to symmetries, as far as the chains show, and they mix: the fairest comparison.",
        "hyper=fixed&hidden=2&examples=12",
    ),
    Preset::new(
        "Steps",
        "A staircase requires hidden units with large input weights.",
        "set=steps&examples=40&hidden=4",
    ),
    Preset::new(
        "Noise that grows",
        "The model has a single β: the bands of f are too wide on the left and too narrow on the right.",
        "set=growing&examples=60&noise=0.4",
    ),
    Preset::new(
        "Too many units",
        "Eight hidden units, α and β fixed: some are switched off. If α and β are estimated, all may be switched off (overpruning).",
        "hidden=8&hyper=fixed&hmc=0",
    ),
];

impl Spec for CurveSpec {
    fn problems(&self) -> Vec<InputError> {
        let fields = Self::FIELDS;
        let mut errors = Vec::new();
        if self.set == CurveTrainingSet::Own && self.points.is_empty() {
            let why = format!("the training set needs at least {MIN_EXAMPLES} points");
            errors.push(fields.set.error(self.set).because(why).nearest(CurveTrainingSet::Waves));
        }
        errors.extend(check_hyperpriors(&self.hyperpriors, &fields.hyperpriors));
        errors
    }
}
