//! The hyperparameters of one solve.

use super::kernel::{Kernel, KernelKind};

/// Covariance function and noise of one solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperparameters {
    /// Covariance function with its weights `w_i` = `a_i`/(σ²N).
    pub kernel: Kernel,
    /// The σ² of the weights, apart from the relevances `a_i`.
    pub sigma2: f64,
    /// Noise variance v ≥ 0 of the fields, OW98 §5.
    pub v: f64,
    /// Probability κ that a label is flipped, 0 ≤ κ < ½.
    pub kappa: f64,
}

impl Hyperparameters {
    /// Returns hyperparameters with the isotropic kernel of `inputs` inputs.
    pub fn isotropic(kind: KernelKind, inputs: usize, sigma2: f64, v: f64, kappa: f64) -> Self {
        Self { kernel: Kernel::isotropic(kind, inputs, sigma2), sigma2, v, kappa }
    }
}
