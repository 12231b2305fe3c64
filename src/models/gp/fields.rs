//! Fields that the pages share: covariance function and noise. Their bounds include every result of a fit.

use crate::lab::{Group, TypedField, choice, real};

use super::fit;
use super::solver::kernel::KernelKind;

/// Covariance function.
pub(super) const KERNEL: TypedField<KernelKind> = choice()
    .label("Covariance function")
    .symbol("K")
    .help(
        "RBF: very smooth functions. Matérn 5/2, 3/2: functions that can be differentiated twice, once. Periodic: the period p in \
         every input. Arcsine: an infinitely wide network without bias, so that K(0, ·) = 0.",
    )
    .group(Group::Method);

/// Period p of the periodic covariance function.
pub(super) const PERIOD: TypedField<f64> = real((0.01, 100.0), (0.5, 8.0, 0.05))
    .label("Period")
    .symbol("p")
    .help("Period of the covariance function in every input, in the units of the inputs after scaling. It is not fitted.")
    .group(Group::Method)
    .default("2");

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
