//! Options of a fit, bounds of the hyperparameters, and why a fit is rejected.

use crate::gp::solver::hyperparameters::Hyperparameters;
use crate::gp::solver::theory::MeanFieldTheory;

/// Bounds of σ², fitted or given (with a weight for every input, of 1/(N w_i)).
pub const SIGMA2: (f64, f64) = (1e-3, 1e3);
/// Bounds of the noise variance v if it is fitted; a given v may be 0. The linear kernel has no scale of its own, so v may be as large as
/// σ² small.
pub const V: (f64, f64) = (1e-6, 1e3);
/// Bounds of κ if it is fitted; a given κ may be 0.
pub const KAPPA: (f64, f64) = (1e-6, 0.45);

/// The free length scales of the covariance function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthScales {
    /// None: the weights are fixed.
    Fixed,
    /// One σ²; the relevances w_i σ² N are fixed.
    Shared,
    /// A weight for every input: automatic relevance determination. σ² is then that of the mean weight, 1/(N w̄), so that the mean
    /// relevance is 1.
    PerInput,
}

/// The hyperparameters that are fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeParameters {
    /// Length scales of the covariance function.
    pub length_scales: LengthScales,
    /// True if v is fitted.
    pub v: bool,
    /// True if κ is fitted.
    pub kappa: bool,
}

/// The function that a fit maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// TAP's log evidence −G, OW98 §6.
    Evidence,
    /// Leave-one-out log predictive probability Σ ln p(label | others): smooth, unlike the count of errors of OW98 §5.
    LeaveOneOut,
}

/// Default number of starts.
pub const STARTS: usize = 4;

/// Options of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Objective.
    pub objective: Objective,
    /// Mean-field theory; the naive theory has no evidence, and is fitted by leave-one-out only.
    pub theory: MeanFieldTheory,
    /// The hyperparameters that are fitted; all others are fixed.
    pub free: FreeParameters,
    /// Number of starts; the first is the given one, the others are spread around it.
    pub starts: usize,
    /// Evaluations of each start at most. The number of solver steps is limited to twenty times as many, so that evaluations that fail
    /// slowly end a start, too.
    pub max_evaluations: usize,
    /// A start has converged when no derivative with respect to a coordinate is larger, in nats.
    pub tolerance: f64,
}

impl Options {
    /// Returns options with [`STARTS`] starts and a tolerance below the digits that are printed.
    pub fn new(objective: Objective, free: FreeParameters) -> Self {
        Self {
            objective,
            theory: MeanFieldTheory::Tap,
            free,
            starts: STARTS,
            max_evaluations: 200,
            tolerance: 1e-4,
        }
    }

    /// Checks the options with inputs `rows` (m of N), labels `tau` (m) and the first starting point.
    pub(super) fn check(
        &self,
        rows: &[Vec<f64>],
        tau: &[f64],
        start: &Hyperparameters,
    ) -> Result<(), FitError> {
        let FreeParameters { length_scales, v, kappa } = self.free;
        if (self.theory, self.objective) == (MeanFieldTheory::Naive, Objective::Evidence) {
            return Err(FitError::NaiveEvidence);
        }
        if length_scales == LengthScales::Fixed && !v && !kappa {
            return Err(FitError::NothingFree);
        }
        let inputs = start.kernel.weights.len();
        let rectangular = rows.iter().all(|row| row.len() == inputs);
        if rows.is_empty() || inputs == 0 || tau.len() != rows.len() || !rectangular {
            return Err(FitError::Shape);
        }
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let noise = start.v >= 0.0 && start.v.is_finite() && (0.0..0.5).contains(&start.kappa);
        let weights = start.kernel.weights.iter().all(|w| positive(*w));
        if weights && positive(start.sigma2) && noise { Ok(()) } else { Err(FitError::Start) }
    }
}

/// Reason for the rejection of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// The objective is the naive theory's evidence.
    #[error(
        "−G of the naive theory is a poor estimate of the log evidence and not a bound: fit it by leave-one-out, or fit TAP"
    )]
    NaiveEvidence,
    /// No hyperparameter is free.
    #[error("no hyperparameter is free: σ² or the weights, v and κ are all fixed")]
    NothingFree,
    /// There are no examples or no inputs, or the numbers of weights and inputs or of labels and examples differ.
    #[error("a fit needs examples, each with a label, and a weight for every input")]
    Shape,
    /// A hyperparameter of the first starting point is out of range.
    #[error("a fit starts at positive weights and σ², v of at least 0, and κ from 0 to below 0.5")]
    Start,
}
