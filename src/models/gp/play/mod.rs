//! The playground `gp`: points in the plane, classified by TAP, naive mean field and Laplace's approximation beside the exact posterior.

mod error_map;
mod figures;
mod method_map;
pub mod plane;
mod points;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use points::PlayPoints;
pub use spec::{MapContent, PlaySpec, PointSet};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::math::chains::{ChainAgreement, ChainEnsemble};
use crate::models::gp::exact::BlockSamples;
use crate::models::gp::solver::approximation::Approach;
use crate::models::gp::solver::mean_field::MeanFieldSolver;
use crate::models::gp::solver::theory::MeanFieldTheory;

/// Maximum number of Newton solves of an approximation, so that a map takes seconds at most.
const MAX_SOLVES: usize = 300;

/// The task `gp`: every method on the same points.
pub struct MapComparison;

crate::choice! {
    /// A method for the posterior.
    #[derive(Serialize, Deserialize)]
    pub enum Method {
        Tap = "tap" "TAP",
        Naive = "naive" "Naive mean field",
        Laplace = "laplace" "Laplace",
        + Sampled = "sampled" "Exact, sampled",
    }
}

/// Results: one row per method, and one per block of chains.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaySnapshot {
    /// Rows in the order of [`MapComparison::METHODS`]. The row of the exact posterior has no map, see [`Self::methods`].
    pub rows: Vec<MethodRow>,
    /// Start of chains in white coordinates u, m; empty with flips, and before it is found.
    pub start: Rc<[f64]>,
    /// Blocks of chains of the exact posterior, pilots first.
    pub blocks: Vec<Rc<BlockSamples>>,
}

/// Results of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodRow {
    /// Method.
    pub method: Method,
    /// Points (x, y, label), m.
    pub points: Vec<(f32, f32, f32)>,
    /// p(+1) on a grid, row by row from the bottom.
    pub map: Vec<f32>,
    /// Standard errors of a sampled map, cell by cell; empty for other methods, and with fewer than two chains.
    pub se: Vec<f32>,
    /// Agreement of the chains of a sampled map; `None` for other methods, and with fewer than two chains.
    pub chains: Option<ChainAgreement>,
    /// Columns of the map.
    pub columns: usize,
    /// Log evidence, or −G of the naive theory, which is not one; `None` for the exact posterior.
    pub minus_g: Option<f64>,
    /// True for each point that is misclassified in leave-one-out, m; empty if the method has no such estimate.
    pub left_out_wrong: Vec<bool>,
    /// Number of Newton solves.
    pub newton_solves: usize,
    /// Reason why there is no map, to follow the method's name and a colon.
    pub failed: Option<String>,
}

/// Reason of a failure: no chain can move.
const UNSAMPLED: &str = "hardly any function satisfies all labels: increase v or κ";

/// Half the width and half the height of the displayed part of the plane.
pub const VIEW: (f64, f64) = (3.2, 2.4);

impl MapComparison {
    /// Methods in the order of units, rows and figures.
    pub const METHODS: [Method; 4] = [Method::Tap, Method::Naive, Method::Laplace, Method::Sampled];
}

impl PlaySnapshot {
    /// Returns one row per method. The row of the exact posterior is averaged over its chains so far, and is absent before any has moved.
    pub fn methods(&self) -> Vec<MethodRow> {
        let row = |row: &MethodRow| match row.method {
            Method::Sampled if row.failed.is_none() => self.averaged(row),
            _ => Some(row.clone()),
        };
        self.rows.iter().filter_map(row).collect()
    }

    fn averaged(&self, row: &MethodRow) -> Option<MethodRow> {
        if self.blocks.iter().any(|block| block.stuck) {
            return Some(MethodRow { failed: Some(UNSAMPLED.to_owned()), ..row.clone() });
        }
        let whole = self.blocks.iter().flat_map(|block| &block.chains);
        let partial = self.blocks.iter().filter_map(|block| block.partial.as_ref());
        let ensemble = ChainEnsemble::of(whole).or_else(|| ChainEnsemble::of(partial.take(1)))?;
        let single = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect();
        Some(MethodRow {
            map: single(ensemble.mean()),
            se: single(ensemble.standard_errors()),
            chains: Some(ensemble.agreement()).filter(|chains| chains.count > 1),
            ..row.clone()
        })
    }
}

impl Method {
    /// Returns the name for narrow labels.
    pub fn short(self) -> &'static str {
        if self == Self::Naive { "Naive" } else { self.label() }
    }

    /// Returns true if the method can be used with the noise variance `v`: Laplace's likelihood is a probit, which needs v > 0.
    pub fn allows(self, v: f64) -> bool {
        self != Self::Laplace || v > 0.0
    }

    /// Returns the approach, with a limit on the Newton solves. The sampled posterior starts from that of TAP.
    pub fn approach(self) -> Approach {
        let mean_field = |theory| {
            Approach::MeanField(MeanFieldSolver { max_steps: MAX_SOLVES, ..MeanFieldSolver::new(theory) })
        };
        match self {
            Self::Tap | Self::Sampled => mean_field(MeanFieldTheory::Tap),
            Self::Naive => mean_field(MeanFieldTheory::Naive),
            Self::Laplace => Approach::Laplace,
        }
    }
}

impl MethodRow {
    /// Returns the number of points that are misclassified in leave-one-out; `None` if the method has no such estimate.
    pub fn left_out_errors(&self) -> Option<usize> {
        (!self.left_out_wrong.is_empty()).then(|| self.left_out_wrong.iter().filter(|w| **w).count())
    }

    /// Returns p − p(sampled) in every cell; both maps have the same grid.
    pub fn errors(&self, sampled: &Self) -> Vec<f32> {
        self.map.iter().zip(&sampled.map).map(|(p, exact)| p - exact).collect()
    }

    /// Returns the largest difference from the sampled map on the same grid, and the standard error there, if known; `None` if there is no
    /// pair of maps.
    pub fn difference(&self, sampled: &Self) -> Option<(f64, Option<f64>)> {
        if self.map.is_empty() || self.map.len() != sampled.map.len() || self.method == sampled.method {
            return None;
        }
        let differences = self.errors(sampled).into_iter().map(|d| f64::from(d.abs()));
        let (cell, largest) = differences.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some((largest, sampled.se.get(cell).map(|se| f64::from(*se))))
    }
}
