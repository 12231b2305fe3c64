//! How far the bound is from ln P(V): small networks whose ln P is known by enumeration, and the bound (22) of one unit.

mod figures;
mod network_file;
mod own;
mod own_figures;
mod report;
mod run;
mod spec;

pub use spec::BoundSpec;

use serde::{Deserialize, Serialize};

/// The bound compared with exact values.
pub struct Bound;

/// What a worker sends: one row for each weight standard deviation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoundSnapshot {
    /// In the order of the units.
    pub rows: Vec<Row>,
    /// The network of a file, in place of random ones.
    pub own: Option<Case>,
}

/// Networks with weights of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Standard deviation of the weights.
    pub sd: f64,
    /// One for each network, with a pattern drawn from it.
    pub cases: Vec<Case>,
}

/// A pattern of a network, all in nats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// ln P(V), by enumeration; NaN where there are too many hidden units.
    pub ln_p: f64,
    /// The bound (24) at a solution of the mean field equations.
    pub bound: f64,
    /// The bound (6) of the same factorial distribution, by enumeration; NaN where a unit has too many parents.
    pub factorial: f64,
    /// ln P(V) by importance sampling, and its standard error.
    pub estimate: f64,
    /// See `estimate`.
    pub estimate_se: f64,
    /// Passes of the solve.
    pub passes: usize,
    /// Largest difference of the two sides of (8) and (9) at the end.
    pub residual: f64,
    /// μ of each layer.
    pub mu: Vec<Vec<f64>>,
    /// ξ of each layer.
    pub xi: Vec<Vec<f64>>,
}

impl Row {
    /// Mean of a difference to ln P over the networks, with its standard error.
    pub fn mean(&self, of: fn(&Case) -> f64) -> crate::math::stats::Mean {
        crate::math::stats::mean(self.cases.iter().map(|case| of(case) - case.ln_p))
    }

    /// Networks whose bound (24) exceeds ln P.
    pub fn exceeding(&self) -> usize {
        self.cases.iter().filter(|case| case.bound > case.ln_p).count()
    }
}
