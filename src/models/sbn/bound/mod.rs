//! The task `sbn.bound`: the bound on ln P(V) of small networks compared with its exact value, and the bound (22) of one unit.

mod figures;
mod file_figures;
mod network_file;
mod report;
mod spec;
mod task;
mod texts;
mod work;

pub use spec::BoundSpec;

use serde::{Deserialize, Serialize};

use crate::math::importance::LogMeanWeight;

/// The task: the bound compared with exact values.
pub struct BoundComparison;

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoundSnapshot {
    /// Random networks, one row per weight standard deviation, in the order of the units.
    pub rows: Vec<WeightSdRow>,
    /// The network of a file, instead of random networks.
    pub from_file: Option<PatternCase>,
}

/// Random networks with one weight standard deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightSdRow {
    /// Standard deviation of the weights.
    pub sd: f64,
    /// One case per network, with a pattern drawn from it.
    pub cases: Vec<PatternCase>,
}

/// Bounds and exact values for a pattern of a network, in nats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternCase {
    /// ln P(V) by enumeration; NaN if there are too many hidden units.
    pub ln_p: f64,
    /// Bound (24) at a solution of the mean field equations.
    pub bound: f64,
    /// Bound (6) of the same factorial distribution by enumeration; NaN if a unit has too many parents.
    pub factorial_bound: f64,
    /// Strict bound of Saul, Jaakkola and Jordan (1996) at means that maximise it, from those of (24).
    pub strict_bound: f64,
    /// Importance sampling estimate of ln P(V).
    pub estimate: f64,
    /// Standard error of the estimate.
    pub estimate_se: f64,
    /// Effective sample size of the estimate.
    pub estimate_ess: f64,
    /// Number of passes of the solve.
    pub passes: usize,
    /// Largest difference of the two sides of eqs. (8) and (9) at the solution.
    pub residual: f64,
    /// Means μ of each layer.
    pub mu: Vec<Vec<f64>>,
    /// Parameters ξ of each layer.
    pub xi: Vec<Vec<f64>>,
}

impl PatternCase {
    /// Returns true if the bound (24) exceeds ln P.
    pub fn exceeds(&self) -> bool {
        self.bound > self.ln_p
    }

    /// Returns the importance sampling estimate with its error.
    pub fn sampled(&self) -> LogMeanWeight {
        LogMeanWeight { ln_mean: self.estimate, se: self.estimate_se, ess: self.estimate_ess }
    }
}

impl WeightSdRow {
    /// Returns the mean difference of a value from ln P over the networks, with its standard error.
    pub fn mean(&self, of: fn(&PatternCase) -> f64) -> crate::math::stats::Mean {
        crate::math::stats::mean(self.cases.iter().map(|case| of(case) - case.ln_p))
    }

    /// Returns the mean of the strict bound less (24), with its standard error: the two share network and pattern.
    pub fn strict_less_approximate(&self) -> crate::math::stats::Mean {
        crate::math::stats::mean(self.cases.iter().map(|case| case.strict_bound - case.bound))
    }

    /// Returns the median effective sample size of the importance sampling estimates.
    pub fn ess(&self) -> f64 {
        crate::math::stats::median(self.cases.iter().map(|case| case.estimate_ess))
    }

    /// Returns the number of networks whose importance sampling estimate has an effective sample size below 5.
    pub fn dominated(&self) -> usize {
        self.cases.iter().filter(|case| case.sampled().is_dominated()).count()
    }

    /// Returns the number of networks whose bound (24) exceeds ln P.
    pub fn exceeding(&self) -> usize {
        self.cases.iter().filter(|case| case.exceeds()).count()
    }
}
