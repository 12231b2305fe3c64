//! Fields that the pages share: covariance function, period, amplitude, noise and tuning. Their bounds include every result of a fit.

use crate::data::Dataset;
use crate::lab::{Group, InputError, Role, TypedField, choice, real, reals};

use super::solver::kernel::{Combination, KernelKind};
use super::{fit, regression};

/// Covariance function.
pub(super) const KERNEL: TypedField<KernelKind> = choice()
    .label("Covariance function")
    .symbol("K")
    .help(
        "RBF: very smooth functions. Matérn 5/2: twice differentiable functions; 3/2: once. Periodic: functions with period p in \
         every input. Arcsine: an infinitely wide network without bias, so that K(0, ·) = 0. Linear: planes through the origin.",
    )
    .group(Group::Method);

/// Period p of the periodic covariance function.
pub(super) const PERIOD: TypedField<f64> = real((0.01, 100.0), (0.5, 8.0, 0.05))
    .label("Period")
    .symbol("p")
    .help("Period of the covariance function in every input, in the units of the inputs after scaling. It is not fitted.")
    .group(Group::Method)
    .default("2");

/// Combination with a second covariance function.
pub(super) const COMBINE: TypedField<Combination> = choice()
    .label("Second covariance function")
    .help(
        "A sum models two independent parts, such as a trend and a season; a product lets both shape every change, as in a season whose \
         form drifts.",
    )
    .group(Group::Method)
    .more();

/// Second covariance function.
pub(super) const KERNEL2: TypedField<KernelKind> = choice()
    .label("Second function")
    .symbol("K₂")
    .help("The function that is added or multiplied, with the same relevances of the inputs.")
    .group(Group::Method)
    .default("linear")
    .more();

/// Squared length scale of the second covariance function, divided by that of the first.
pub(super) const RATIO2: TypedField<f64> = real((0.0001, 10_000.0), (0.1, 10.0, 0.1))
    .label("Relative smoothness")
    .symbol("σ₂²/σ²")
    .help("Squared length scale of the second function, divided by that of the first. It is not fitted.")
    .group(Group::Method)
    .default("1")
    .more();

/// Period of a periodic second covariance function.
pub(super) const PERIOD2: TypedField<f64> = PERIOD
    .label("Period of the second function")
    .symbol("p₂")
    .help("Period of a periodic second function in every input, in the units of the inputs after scaling. It is not fitted.")
    .more();

/// Gives the settings of a page a method that returns their covariance function.
macro_rules! covariance_settings {
    ($spec:ty) => {
        impl $spec {
            /// Returns the covariance function of `inputs` inputs of equal relevance, with squared length scale σ².
            pub fn isotropic_kernel(
                &self,
                inputs: usize,
                sigma2: f64,
            ) -> $crate::models::gp::solver::kernel::Kernel {
                use $crate::models::gp::solver::kernel::{Combination, Kernel, SecondKernel};
                let is_product = self.combine == Combination::Product;
                let (kind, scale, period) = (self.kernel2, 1.0 / self.ratio2, self.period2);
                let second = SecondKernel { kind, is_product, scale, period };
                Kernel::isotropic(self.kernel, inputs, sigma2)
                    .with_period(self.period)
                    .with_second((self.combine != Combination::None).then_some(second))
            }
        }
    };
}

pub(super) use covariance_settings;

/// Squared length scale σ².
pub(super) const SIGMA2: TypedField<f64> = real(fit::SIGMA2, (0.02, 3.0, 0.02))
    .label("Smoothness")
    .symbol("σ²")
    .help("Squared length scale: inputs are weighted by 1/(σ²N). Small σ² follows every point, large σ² smooths.")
    .group(Group::Method)
    .knob()
    .default("0.3");

/// Flip probability κ.
pub(super) const KAPPA: TypedField<f64> = real((0.0, fit::KAPPA.1), (0.0, 0.4, 0.01))
    .label("Flip probability")
    .symbol("κ")
    .help("Probability that a label is flipped, wherever its point lies.")
    .group(Group::Method);

/// Noise variance v.
pub(super) const NOISE: TypedField<f64> = real((0.0, fit::V.1), (0.0, 2.0, 0.02))
    .label("Latent noise variance")
    .symbol("v")
    .help("Variance of Gaussian noise added to the latent function: labels near the decision line are uncertain.")
    .group(Group::Method)
    .default("0.2");

/// Relevances `a_i` of the inputs, w_i = a_i/(σ²N); empty for 1 each.
pub(super) const RELEVANCES: TypedField<Vec<f64>> = reals((0.0, 1e6), 1000)
    .keyed("ard")
    .label("Relevances")
    .symbol("a")
    .help("One number for each input column, in their order: its weight is aᵢ/(σ²N). Default: 1 each.")
    .group(Group::Method)
    .role(Role::PerColumn);

/// Amplitude a of a regression.
pub(super) const AMPLITUDE: TypedField<f64> = real(regression::fit::AMPLITUDE, (0.1, 3.0, 0.05))
    .label("Amplitude")
    .symbol("a")
    .help("Prior standard deviation of f. The prior covariance is a² K.")
    .group(Group::Method)
    .default("1");

/// Standard deviation s of the noise of a regression.
pub(super) const MODEL_NOISE: TypedField<f64> = real(regression::fit::NOISE, (0.01, 1.0, 0.01))
    .label("Model noise")
    .symbol("s")
    .help("Standard deviation of the target noise in the model. With small s, the curve passes through every point.")
    .group(Group::Method)
    .knob()
    .default("0.15");

crate::choice! {
    /// Criterion by which the hyperparameters of a regression are fitted.
    pub enum RegressionFitBy {
        Nothing = "none" "no",
        /// The log evidence.
        Evidence = "evidence" "by evidence",
    }
}

/// Checks that there are as many relevances as inputs, or none.
pub(super) fn check_relevances(ard: &[f64], rows: &Dataset) -> Result<(), InputError> {
    if ard.is_empty() || ard.len() == rows.width() {
        return Ok(());
    }
    let left_out = match rows.constant.as_slice() {
        [] => String::new(),
        names => format!("; those that never change are left out: {}", names.join(", ")),
    };
    let expected = format!(
        "nothing, or a number for each of the {} input columns {}{left_out}",
        rows.width(),
        rows.names.join(", ")
    );
    let error = RELEVANCES.error(format!("{} numbers", ard.len()));
    Err(error.expected(expected).nearest(vec!["1"; rows.width()].join(",")))
}

/// Returns an error if a relevance at which a fit starts is 0.
pub(super) fn check_fitted_relevances(ard: &[f64]) -> Option<InputError> {
    ard.contains(&0.0).then(|| {
        let positive: Vec<String> = ard.iter().map(|a| a.max(1e-3).to_string()).collect();
        let given: Vec<String> = ard.iter().map(f64::to_string).collect();
        let expected = "positive numbers for a fit, which optimises their logarithms";
        RELEVANCES.error(given.join(",")).expected(expected).nearest(positive.join(","))
    })
}
