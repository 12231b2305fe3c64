//! One approximation on the points, and its map of the plane.

use super::points::{Points, cell, cells};
use super::{Method, MethodRow, PlaySpec};
use crate::lab::{Budget, Ending};
use crate::models::gp::solver::approximation::{Approach, Posterior, Solving};
use crate::models::gp::solver::tap::{MeanField, Tap};

/// Newton solves at most: nobody waits longer for a map.
const MOST_SOLVES: usize = 300;

/// A method's solve, and then its map, cell by cell.
pub struct Mapping {
    solving: Solving,
    posterior: Option<Posterior>,
    /// What is known so far.
    pub row: MethodRow,
}

impl Mapping {
    /// Before its first step.
    pub fn new(spec: &PlaySpec, points: &Points, method: Method, columns: usize) -> Self {
        let theory = if method == Method::Naive { MeanField::Naive } else { MeanField::Tap };
        let tap = Tap { most_steps: MOST_SOLVES, ..Tap::new(theory) };
        let approach = if method == Method::Laplace { Approach::Laplace } else { Approach::MeanField(tap) };
        let mut row = row(points, method, columns);
        if !method.applies(spec) {
            row.failed = Some("not available, because it needs v > 0".to_owned());
        }
        let solving = Solving::new(&points.rows, &points.tau, points.setting.clone(), approach);
        Self { solving, posterior: None, row }
    }

    /// A step of the solve, or a cell of the map; `true` when the row is as it will be.
    pub fn step(&mut self, points: &Points, budget: &mut Budget) -> bool {
        let m = points.rows.len();
        if self.row.failed.is_some() {
            return true;
        }
        if let Some(posterior) = &self.posterior {
            let Some(at) = self.next() else { return true };
            let said = self.solving.predict(posterior, points.rows.iter(), &at);
            self.row.map.push(said.p as f32);
            budget.spend((m * (m / 2 + 20)) as u64);
        } else {
            budget.spend(self.solving.cost() as u64);
            if let Some(ending) = self.solving.advance() {
                self.solved(points, ending);
            }
        }
        false
    }

    /// The next cell.
    fn next(&self) -> Option<[f64; 2]> {
        let (index, columns) = (self.row.map.len(), self.row.columns);
        (index < cells(columns)).then(|| cell(columns, index))
    }

    fn solved(&mut self, points: &Points, ending: Ending) {
        self.posterior = self.solving.posterior().filter(|_| ending.is_solution());
        let solves = self.solving.effort().newton_solves;
        self.row.newton_solves = solves;
        let Some(posterior) = &self.posterior else {
            self.row.failed = Some(match self.row.method {
                Method::Laplace => "the mode was not found".to_owned(),
                _ => {
                    format!(
                        "no fixed point after {solves} Newton solves; other values of v, κ or σ² may have one"
                    )
                }
            });
            return;
        };
        self.row.minus_g = Some(posterior.minus_g);
        let pairs = posterior.left_out.iter().zip(&points.tau);
        self.row.left_out_wrong = pairs.map(|(said, tau)| said.misses(*tau)).collect();
    }

    /// Another map by the same solution.
    pub fn redraw(&mut self, columns: usize) {
        (self.row.columns, self.row.map) = (columns, Vec::new());
    }

    /// TAP's mean fields, m; the labels where there is no solution.
    pub fn fields(self, points: &Points) -> Vec<f64> {
        self.posterior.map_or_else(|| points.tau.clone(), |posterior| posterior.h)
    }

    /// Share of the map that there is.
    pub fn fraction(&self) -> f64 {
        self.row.map.len() as f64 / cells(self.row.columns).max(1) as f64
    }
}

/// What is known before a method begins.
pub fn row(points: &Points, method: Method, columns: usize) -> MethodRow {
    let pairs = points.rows.iter().zip(&points.tau);
    MethodRow {
        method,
        points: pairs.map(|(at, tau)| (at[0] as f32, at[1] as f32, *tau as f32)).collect(),
        map: Vec::new(),
        se: Vec::new(),
        chains: None,
        columns,
        minus_g: None,
        left_out_wrong: Vec::new(),
        newton_solves: 0,
        failed: None,
    }
}
