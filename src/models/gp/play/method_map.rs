//! One approximation of the points, and its map of the plane.

use super::points::{PlayPoints, cell, cells};
use super::{Method, MethodRow, PlaySpec};
use crate::lab::{Budget, Ending};
use crate::models::gp::solver::approximation::Solve;
use crate::models::gp::solver::posterior::Posterior;

/// The solve of one method, and then its map, cell by cell.
pub struct MethodMap {
    solving: Solve,
    posterior: Option<Posterior>,
    /// Results so far.
    pub row: MethodRow,
}

impl MethodMap {
    /// Returns the solve before its first step.
    pub fn new(spec: &PlaySpec, points: &PlayPoints, method: Method, columns: usize) -> Self {
        let mut row = initial_row(points, method, columns);
        if !method.allows(spec.v) {
            row.failed = Some("not available, because it needs v > 0".to_owned());
        }
        let solving =
            Solve::new(&points.rows, &points.tau, points.hyperparameters.clone(), method.approach());
        Self { solving, posterior: None, row }
    }

    /// Takes a step of the solve, or computes a cell of the map. Returns `true` when the row is complete.
    pub fn step(&mut self, points: &PlayPoints, budget: &mut Budget) -> bool {
        let m = points.rows.len();
        if self.row.failed.is_some() {
            return true;
        }
        if let Some(posterior) = &self.posterior {
            let Some(at) = self.next_cell() else { return true };
            let prediction = self.solving.predict(posterior, points.rows.iter(), &at);
            self.row.map.push(prediction.p as f32);
            budget.spend((m * (m / 2 + 20)) as u64);
        } else {
            budget.spend(self.solving.cost());
            if let Some(ending) = self.solving.advance() {
                self.finish_solve(points, ending);
            }
        }
        false
    }

    /// Returns the centre of the next cell; `None` if the map is complete.
    fn next_cell(&self) -> Option<[f64; 2]> {
        let (index, columns) = (self.row.map.len(), self.row.columns);
        (index < cells(columns)).then(|| cell(columns, index))
    }

    fn finish_solve(&mut self, points: &PlayPoints, ending: Ending) {
        self.posterior = self.solving.posterior().filter(|_| ending.is_solution());
        let solves = self.solving.effort().newton_solves;
        self.row.newton_solves = solves;
        let Some(posterior) = &self.posterior else {
            self.row.failed = Some(match self.row.method {
                Method::Laplace => "the mode was not found".to_owned(),
                Method::Tap | Method::Naive | Method::Sampled => format!(
                    "no fixed point after {solves} Newton solves; other values of v, κ or σ² may have one"
                ),
            });
            return;
        };
        self.row.minus_g = Some(posterior.minus_g);
        let pairs = posterior.left_out.iter().zip(&points.tau);
        self.row.left_out_wrong = pairs.map(|(prediction, tau)| prediction.misses(*tau)).collect();
    }

    /// Returns the row with the map of the current iterate, which has `columns` columns; `None` after the solve.
    pub fn iterate(&self, points: &PlayPoints, columns: usize) -> Option<MethodRow> {
        let posterior = self.posterior.is_none().then(|| self.solving.posterior()).flatten()?;
        let predicted = |index| {
            let at = cell(columns, index);
            self.solving.predict(&posterior, points.rows.iter(), &at).p as f32
        };
        let pairs = posterior.left_out.iter().zip(&points.tau);
        Some(MethodRow {
            map: (0..cells(columns)).map(predicted).collect(),
            columns,
            left_out_wrong: pairs.map(|(prediction, tau)| prediction.misses(*tau)).collect(),
            ..self.row.clone()
        })
    }

    /// Starts another map of the same solution.
    pub fn restart_map(&mut self, columns: usize) {
        (self.row.columns, self.row.map) = (columns, Vec::new());
    }

    /// Returns the mean fields, m, or the labels if there is no solution.
    pub fn fields(self, points: &PlayPoints) -> Vec<f64> {
        self.posterior.map_or_else(|| points.tau.clone(), |posterior| posterior.h)
    }

    /// Returns the completed fraction of the map.
    pub fn fraction(&self) -> f64 {
        self.row.map.len() as f64 / cells(self.row.columns).max(1) as f64
    }
}

/// Returns the row of a method before its solve.
pub fn initial_row(points: &PlayPoints, method: Method, columns: usize) -> MethodRow {
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
