//! Fields and presets of a regression on the user's table.

use crate::lab::fields::{FOLDS, SEED, check_folds};
use crate::lab::labelled_table::{TableSettings, planned_folds};
use crate::lab::{Group, InputError, Preset, Spec, choice, flag};
use crate::models::gp::fields::{
    AMPLITUDE, COMBINE, KERNEL, KERNEL2, MODEL_NOISE, PERIOD, PERIOD2, RATIO2, RELEVANCES, RegressionFitBy,
    SIGMA2, check_fitted_relevances, covariance_settings,
};
use crate::models::gp::inducing::Inducing;
use crate::models::gp::inducing_points::{INDUCING, MOST_IN_REGRESSION, inducing};
use crate::models::gp::regression::RegressionModel;
use crate::models::gp::solver::kernel::{Combination, KernelKind};

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Example: yield of wheat",
        "180 simulated field plots with five measurements, 30 % of them kept for testing. The yield in t/ha is predicted with an interval.",
        "data=yield&train_fraction=0.7",
    ),
    Preset::new(
        "Which columns matter",
        "The same, with column weights fitted by evidence and compared with one length scale by cross-validation.",
        "data=yield&train_fraction=0.7&fit_ard=true",
    )
    .about("weights"),
    Preset::new(
        "A rougher function",
        "Matérn 3/2 in place of RBF: functions that are differentiable once. Compare the evidence and the test error.",
        "data=yield&train_fraction=0.7&kernel=matern32",
    ),
    Preset::new(
        "Linear regression",
        "With the linear covariance function a Gaussian process is Bayesian linear regression.",
        "data=yield&train_fraction=0.7&kernel=linear",
    ),
    Preset::new(
        "Boston housing",
        "506 districts of Boston, 13 columns, 70 % of the rows for training. The price is in thousands of dollars.",
        "data=housing&train_fraction=0.7",
    ),
    Preset::new(
        "Boston housing with column weights",
        "A weight for each column is fitted as well. The evidence is larger, but held-out rows are not predicted better: the results use one \
         length scale.",
        "data=housing&train_fraction=0.7&fit_ard=true",
    )
    .about("weights"),
];

crate::spec! {
    /// Specification of a regression on the user's table.
    pub struct ProcessRegressionSpec {
        ..table: TableSettings {
            label = TableSettings::FIELDS.label.label("Target").symbol("t").help(
                "Numeric column to predict. Rows with an empty target are predicted. Default: the last column.",
            ),
            standardise = TableSettings::FIELDS.standardise.help(
                "Scales inputs to zero mean and unit variance over the training rows. The target is always scaled in the model.",
            ),
        },
        /// Covariance function.
        kernel: KernelKind = KERNEL.knob(),
        /// Period p of the periodic covariance function.
        period: f64 = PERIOD => kernel is [KernelKind::Periodic.word()],
        /// Combination with a second covariance function.
        combine: Combination = COMBINE,
        /// Second covariance function.
        kernel2: KernelKind = KERNEL2 => combine not [Combination::None.word()],
        /// Squared length scale of the second function, divided by that of the first.
        ratio2: f64 = RATIO2 => combine not [Combination::None.word()],
        /// Period of a periodic second function.
        period2: f64 = PERIOD2 => combine not [Combination::None.word()],
        /// Squared length scale σ²: the inverse of N times the weight of an input.
        sigma2: f64 = SIGMA2.default("1"),
        /// Relevances `a_i` of the inputs, w_i = a_i/(σ²N); empty for 1 each.
        ard: Vec<f64> = RELEVANCES,
        /// Amplitude a, in standard deviations of the training targets.
        amplitude: f64 = AMPLITUDE
            .help("Prior standard deviation of the function, in standard deviations of the training targets."),
        /// Standard deviation of the noise, in standard deviations of the training targets.
        noise: f64 = MODEL_NOISE
            .help("Standard deviation of the noise of a target, in standard deviations of the training targets.")
            .default("0.3"),
        /// Number of inducing points; 0 for the default.
        inducing: usize = INDUCING,
        /// Criterion by which the hyperparameters are fitted.
        fit: RegressionFitBy = choice()
            .label("Tune the model")
            .help("Maximises the log evidence over σ², amplitude and noise, starting from the values above and six others. The results of \
                   the given values come first.")
            .group(Group::Method)
            .default("evidence"),
        /// True if relevances are fitted as well.
        fit_ard: bool = flag()
            .label("Also tune column weights")
            .help(
                "Fits one weight for each column; those of uninformative columns tend to zero. They are used only if they raise the mean log \
                 density of held-out rows by more than one standard error, compared with one length scale for all columns.",
            )
            .group(Group::Method)
            => fit not [RegressionFitBy::Nothing.word()],
        /// Number of folds of cross-validation; 0 for none.
        folds: usize = FOLDS,
        /// Random seed of the train/test split and of the folds.
        seed: u64 = SEED.help("Random seed of the train/test split and of the folds."),
    }
}

impl ProcessRegressionSpec {
    /// Returns true if hyperparameters are fitted.
    pub fn is_fitted(&self) -> bool {
        self.fit == RegressionFitBy::Evidence
    }

    /// Returns the specification with one length scale for all columns, if relevances are fitted.
    pub fn one_length_scale(&self) -> Option<Self> {
        (self.is_fitted() && self.fit_ard).then(|| Self { fit_ard: false, ..self.clone() })
    }

    /// Returns true if the predictions in folds are results, not only a comparison of relevances with one length scale.
    pub fn shows_folds(&self, has_tests: bool) -> bool {
        self.folds > 0 || !has_tests
    }

    /// Returns true if leave-one-out is too optimistic, because hyperparameters are fitted or rows are grouped.
    pub fn is_optimistic(&self) -> bool {
        self.is_fitted() || !self.group.is_empty()
    }

    /// Returns the number of folds of cross-validation; see [`planned_folds`].
    pub fn planned_folds(&self) -> usize {
        planned_folds(self.folds, self.is_optimistic())
    }

    /// Returns the inducing points of `rows` training rows; `None` for the full model.
    pub fn inducing_points(&self, rows: usize) -> Option<Inducing> {
        inducing(self.inducing, rows, self.seed, MOST_IN_REGRESSION)
    }

    /// Returns the given model of `inputs` inputs.
    pub fn given(&self, inputs: usize) -> RegressionModel {
        let mut kernel = self.isotropic_kernel(inputs, self.sigma2);
        kernel.weights.iter_mut().zip(&self.ard).for_each(|(w, a)| *w *= a);
        RegressionModel { kernel, amplitude: self.amplitude, noise: self.noise }
    }
}

covariance_settings!(ProcessRegressionSpec);

impl Spec for ProcessRegressionSpec {
    fn problems(&self) -> Vec<InputError> {
        let relevances = if self.is_fitted() { check_fitted_relevances(&self.ard) } else { None };
        check_folds(self.folds).into_iter().chain(relevances).collect()
    }
}
