//! The playground: points of the plane, classified by TAP, naive mean field and Laplace beside the exact posterior.

mod experiment;
mod figures;
mod mapping;
mod points;
mod report;
mod run;
mod spec;
#[cfg(test)]
mod tests;

pub use spec::{PlaySpec, PointSet};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::math::chains::{Agreement, Ensemble};
use crate::models::gp::exact::BlockRow;

/// Every method on the same points.
pub struct Compare;

crate::choice! {
    /// A way to the posterior.
    #[derive(Serialize, Deserialize)]
    pub enum Method {
        Tap = "tap" "TAP",
        Naive = "naive" "Naive mean field",
        Laplace = "laplace" "Laplace",
        + Sampled = "sampled" "Exact, sampled",
    }
}

/// What a worker sends: one row a method, and one a block of chains.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaySnapshot {
    /// In the order of [`Compare::METHODS`]; that of the exact posterior is still without its map, see [`Self::methods`].
    pub rows: Vec<MethodRow>,
    /// Where chains may begin, in white coordinates; empty with flips, and while that is not known.
    pub start: Rc<[f64]>,
    /// Chains of the exact posterior, pilots first.
    pub blocks: Vec<Rc<BlockRow>>,
}

/// What a method makes of the points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodRow {
    /// Which.
    pub method: Method,
    /// The points, (x, y, label).
    pub points: Vec<(f32, f32, f32)>,
    /// p(+1) on a grid, row by row from below.
    pub map: Vec<f32>,
    /// Standard errors of a sampled map, cell by cell; none elsewhere, or while there is no telling.
    pub se: Vec<f32>,
    /// How the chains of a sampled map stand to each other; none elsewhere, or while there is no telling.
    pub chains: Option<Agreement>,
    /// Its columns.
    pub columns: usize,
    /// Log evidence, where the method has one; the naive theory's −G is none but is given.
    pub minus_g: Option<f64>,
    /// Points that their neighbours would get wrong; none where the method cannot say.
    pub left_out_wrong: Vec<bool>,
    /// Newton solves.
    pub newton_solves: usize,
    /// Why there is no map, in words that go on after the method's name and a colon.
    pub failed: Option<String>,
}

/// Where the exact posterior has no room for a chain.
const UNSAMPLED: &str = "hardly any function satisfies all labels: increase v or κ";

/// Half the width and height of the shown part of the plane.
pub const VIEW: (f64, f64) = (3.2, 2.4);

impl Compare {
    /// The order of units, rows and figures.
    pub const METHODS: [Method; 4] = [Method::Tap, Method::Naive, Method::Laplace, Method::Sampled];
}

impl PlaySnapshot {
    /// One row a method, that of the exact posterior averaged over its chains so far; before any has moved there is none.
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
        let ensemble = Ensemble::of(whole).or_else(|| Ensemble::of(partial.take(1)))?;
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
    /// Its name where there is little room.
    pub fn short(self) -> &'static str {
        if self == Self::Naive { "Naive" } else { self.reads() }
    }

    /// Whether it has anything to say about such points.
    pub fn applies(self, spec: &PlaySpec) -> bool {
        self != Self::Laplace || spec.v > 0.0
    }
}

impl MethodRow {
    /// How many points their neighbours would get wrong; `None` where the method cannot say.
    pub fn left_out_errors(&self) -> Option<usize> {
        (!self.left_out_wrong.is_empty()).then(|| self.left_out_wrong.iter().filter(|w| **w).count())
    }

    /// The largest difference to the sampled map of the same grid, and the standard error of that where it is; `None` unless
    /// both are there.
    pub fn difference(&self, sampled: &Self) -> Option<(f64, Option<f64>)> {
        if self.map.is_empty() || self.map.len() != sampled.map.len() || self.method == sampled.method {
            return None;
        }
        let differences = self.map.iter().zip(&sampled.map).map(|(a, b)| f64::from((a - b).abs()));
        let (cell, far) = differences.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some((far, sampled.se.get(cell).map(|se| f64::from(*se))))
    }
}
