//! The hyperparameters of one solve.

use super::kernel::{Kernel, Kind};

/// Covariance function and noise of one solve: everything about the model that is not learnt by TAP itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Covariance function with its weights `w_i` = `a_i`/(σ²N).
    pub kernel: Kernel,
    /// The σ² in them, beside the relevances `a_i`.
    pub sigma2: f64,
    /// Noise variance v ≥ 0 of the fields.
    pub v: f64,
    /// Probability κ that a label is flipped, 0 ≤ κ < ½.
    pub kappa: f64,
}

impl Setting {
    /// With the isotropic function of `inputs` inputs.
    pub fn isotropic(kind: Kind, inputs: usize, sigma2: f64, v: f64, kappa: f64) -> Self {
        Self { kernel: Kernel::isotropic(kind, inputs, sigma2), sigma2, v, kappa }
    }
}
