//! Fields and presets of the regression in one dimension.

use crate::data::toy_curve::ToyCurve;
use crate::lab::fields::{PREDICT_AT, SEED};
use crate::lab::{Group, InputError, Preset, Spec, choice, integer, points, real};
use crate::math::random::{Purpose, Stream};
use crate::models::gp::fields::{
    AMPLITUDE, COMBINE, KERNEL, KERNEL2, MODEL_NOISE, PERIOD, PERIOD2, RATIO2, RegressionFitBy, SIGMA2,
    covariance_settings,
};
use crate::models::gp::solver::kernel::{Combination, KernelKind};

/// Minimum number of examples.
const MIN_POINTS: usize = 2;
/// Maximum number of examples.
const MAX_POINTS: usize = 200;
/// Number of inputs at which the functions are drawn.
const INPUTS: usize = 201;
/// Margin on either side of the examples, as a fraction of their range.
const ROOM: f64 = 0.4;

crate::choice! {
    /// A generator of examples.
    pub enum RegressionPoints {
        Waves = "waves" "a smooth function",
        Steps = "steps" "a staircase",
        Periodic = "periodic" "a periodic function",
        Gap = "gap" "a smooth function, no data in the middle",
        Trend = "trend" "a trend and a season",
        Own = "own" "your own points",
    }
}

crate::spec! {
    /// Settings of a regression in one dimension.
    pub struct RegressionSpec {
        /// Generator of the examples.
        set: RegressionPoints = choice()
            .label("Points")
            .help("Inputs between −2 and 2 with noisy targets. The dashed line is the function without noise."),
        /// Number of examples m.
        examples: usize = integer(MIN_POINTS as u64, MAX_POINTS as u64)
            .slider(4, 100)
            .label("Examples")
            .symbol("m")
            .help("Number of points.")
            .default("20")
            => set not [RegressionPoints::Own.word()],
        /// Standard deviation of the noise of the generated targets.
        true_noise: f64 = real((0.0, 3.0), (0.0, 1.0, 0.01))
            .label("True noise")
            .help("Standard deviation of the noise of the generated targets. The model does not use it.")
            .default("0.15")
            => set not [RegressionPoints::Own.word()],
        /// The user's own points: x and t of each.
        points: Vec<[f64; 2]> = points((-100.0, 100.0), (-100.0, 100.0), (MIN_POINTS, MAX_POINTS))
            .label("Your own points")
            .help("Input x and target t of each point. Drag, add or delete points in the figure.")
            .more()
            => set is [RegressionPoints::Own.word()],
        /// Covariance function.
        kernel: KernelKind = KERNEL.knob(),
        /// Period p of the periodic covariance function.
        period: f64 = PERIOD.help("Period of the covariance function in units of x. It is not fitted.")
            => kernel is [KernelKind::Periodic.word()],
        /// Combination with a second covariance function.
        combine: Combination = COMBINE,
        /// Second covariance function.
        kernel2: KernelKind = KERNEL2 => combine not [Combination::None.word()],
        /// Squared length scale of the second function, divided by that of the first.
        ratio2: f64 = RATIO2 => combine not [Combination::None.word()],
        /// Period of a periodic second function.
        period2: f64 = PERIOD2.help("Period of a periodic second function in units of x. It is not fitted.") => combine not [Combination::None.word()],
        /// Squared length scale σ².
        sigma2: f64 = SIGMA2
            .help("Square of the distance over which f(x) varies. With small σ², f follows every point; with large σ², it is smooth."),
        /// Amplitude a.
        amplitude: f64 = AMPLITUDE,
        /// Standard deviation of the noise of the model.
        noise: f64 = MODEL_NOISE,
        /// Criterion by which σ², amplitude and noise are fitted.
        fit: RegressionFitBy = choice()
            .label("Tune the model")
            .help("Maximises the log evidence over σ², amplitude and noise, from the values here and six other starts. For the linear \
                   kernel, σ² is not identified and stays fixed.")
            .group(Group::Method),
        /// Number of hidden units of the network beside the Gaussian process; 0 for none.
        network: usize = integer(0, 8)
            .slider(0, 8)
            .label("Hidden units of a network")
            .symbol("H")
            .help("Size of a network fitted to the same points by ensemble learning, for comparison. 0: no network.")
            .group(Group::Method)
            .default("0"),
        /// Number of functions drawn from the prior and from the posterior.
        draws: usize = integer(0, 30)
            .slider(0, 12)
            .label("Functions drawn")
            .help("Number of functions drawn from the prior and from the posterior, with the same random numbers.")
            .group(Group::Run)
            .default("4"),
        /// Inputs at which the report gives predictions.
        predict: Vec<f64> = PREDICT_AT
            .help("Inputs x at which the report gives the mean and the standard deviations of predictions."),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "A smooth function",
        "The model fits: about 95 % of new observations lie in its 95 % band.",
        "",
    ),
    Preset::new(
        "Overfitting",
        "σ² and the noise are too small: the curve passes through every point, and most new observations near the data lie outside its band.",
        "sigma2=0.01&noise=0.02",
    ),
    Preset::new(
        "Underfitting",
        "σ² and the noise are too large: the waves are treated as noise, and the band is too wide.",
        "sigma2=20&noise=0.7",
    ),
    Preset::new(
        "Tuned by the evidence",
        "σ², amplitude and noise that maximise the log evidence, from the points alone.",
        "sigma2=0.01&noise=0.02&fit=evidence",
    ),
    Preset::new(
        "No data in the middle",
        "Without data the band widens to that of the prior; the mean returns to 0.",
        "set=gap&examples=16",
    ),
    Preset::new(
        "Beyond the data, wrong kernel",
        "A periodic function and the RBF kernel: accurate where there are data, uninformative beyond them.",
        "set=periodic&examples=24&fit=evidence",
    ),
    Preset::new(
        "Beyond the data, periodic kernel",
        "The same points and a kernel with the period of the function: the curve continues correctly.",
        "set=periodic&examples=24&kernel=periodic&period=2&fit=evidence",
    ),
    Preset::new(
        "Comparison with a network",
        "A network with three hidden units, fitted to the same points by ensemble learning. Its band stays narrow beyond the points.",
        "network=3",
    ),
    Preset::new(
        "A trend and a season",
        "The sum of a periodic and a linear kernel continues both parts; neither kernel alone does.",
        "set=trend&examples=24&kernel=periodic&period=2&combine=sum&fit=evidence",
    ),
    Preset::new(
        "Steps, RBF",
        "Smooth functions oscillate beside each step. Compare log evidence and leave-one-out with Matérn 3/2.",
        "set=steps&examples=40&true_noise=0.03&fit=evidence",
    ),
    Preset::new(
        "Steps, Matérn 3/2",
        "Rougher functions fit the same staircase better.",
        "set=steps&examples=40&true_noise=0.03&kernel=matern32&fit=evidence",
    ),
];

covariance_settings!(RegressionSpec);

impl Spec for RegressionSpec {
    fn problems(&self) -> Vec<InputError> {
        let fields = Self::FIELDS;
        if self.set == RegressionPoints::Own && self.points.is_empty() {
            let why = format!("at least {MIN_POINTS} points of your own are required");
            return vec![fields.set.error(self.set).because(why).nearest(RegressionPoints::Waves)];
        }
        Vec::new()
    }
}

impl RegressionSpec {
    /// Number of leading elements of [`Self::inputs`] that are drawn.
    pub const DRAWN: usize = INPUTS;

    /// Returns the number of examples m.
    pub fn count(&self) -> usize {
        if self.set == RegressionPoints::Own { self.points.len() } else { self.examples }
    }

    fn toy(&self) -> Option<ToyCurve> {
        match self.set {
            RegressionPoints::Waves => Some(ToyCurve::Waves),
            RegressionPoints::Steps => Some(ToyCurve::Steps),
            RegressionPoints::Periodic => Some(ToyCurve::Periodic),
            RegressionPoints::Gap => Some(ToyCurve::Gap),
            RegressionPoints::Trend => Some(ToyCurve::Trend),
            RegressionPoints::Own => None,
        }
    }

    /// Returns the noise-free function at `x`; `None` for the user's own points.
    pub fn noise_free(&self, x: f64) -> Option<f64> {
        self.toy().map(|toy| toy.at(x))
    }

    /// Returns x and t of each example, m.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let mut stream = Stream::for_purpose(self.seed, Purpose::GpPoints, 0);
        match self.toy() {
            Some(toy) => toy.draw(self.examples, self.true_noise, &mut stream),
            None => self.points.iter().map(|[x, t]| (*x, *t)).collect(),
        }
    }

    /// Returns the smallest and the largest drawn input, which lie beyond the `examples`.
    pub fn view(examples: &[(f64, f64)]) -> (f64, f64) {
        let ends = examples.iter().map(|(x, _)| (*x, *x));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0));
        let room = ROOM * (high - low).max(1e-3);
        (low - room, high + room)
    }

    /// Returns the inputs of predictions: first those that are drawn, then those of the report.
    pub fn inputs(&self, examples: &[(f64, f64)]) -> Vec<f64> {
        let (low, high) = Self::view(examples);
        let at = |i: usize| low + (high - low) * i as f64 / (INPUTS - 1) as f64;
        (0..INPUTS).map(at).chain(self.predict.iter().copied()).collect()
    }

    /// Returns the index of the drawn input x₀, right of the middle, whose covariance with the others is shown.
    pub const fn reference() -> usize {
        INPUTS * 5 / 8
    }
}
