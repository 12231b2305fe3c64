//! Settings of a fit.

use super::gaussian::CovarianceForm;

/// Approximation of the posterior over the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InferenceMethod {
    /// Point estimate at the mode of the posterior.
    Map,
    /// Laplace's Gaussian at the mode.
    Laplace,
    /// Ensemble learning: the Gaussian of least free energy.
    Ensemble(CovarianceForm),
}

/// Minimiser of the free energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimiser {
    /// Limited-memory BFGS with 30 pairs.
    Lbfgs,
    /// Scaled conjugate gradients, as in BB98.
    Scg,
}

/// Updates of α and β under Gamma priors, BB98 section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One minimisation over Q, with R(α) and S(β) at their optimum for every Q.
    Collapsed,
    /// Alternation, as in BB98: Q for fixed means of α and β, then these means for fixed Q.
    Alternating,
}

/// Options of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Approximation to fit.
    pub method: InferenceMethod,
    /// Minimiser in ensemble learning. The mode is always found by L-BFGS.
    pub optimiser: Optimiser,
    /// Updates of α and β in ensemble learning with Gamma priors.
    pub scheme: Scheme,
    /// Largest element of the gradient at convergence, in nats per unit of the parametrisation.
    pub tolerance: f64,
    /// Maximum number of evaluations of the free energy.
    pub max_evaluations: usize,
}

impl Options {
    /// Returns options for `method`: L-BFGS over all parameters to a tolerance of 1e-6.
    pub fn new(method: InferenceMethod) -> Self {
        Self {
            method,
            optimiser: Optimiser::Lbfgs,
            scheme: Scheme::Collapsed,
            tolerance: 1e-6,
            max_evaluations: 5000,
        }
    }
}
