//! The choice of the inducing points: rows with the largest prior variance given the points before them, one after the other, which is
//! Cholesky factorisation with pivoting (Burt, Rasmussen & van der Wilk 2020).

use std::rc::Rc;
use std::task::Poll;

use super::{Inducing, Prior};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};

/// Number of candidates for each point.
const CANDIDATES_PER_POINT: usize = 4;
/// Minimum number of candidates, if there are as many rows.
const MIN_CANDIDATES: usize = 1_000;
/// Variance given the points, relative to the largest prior variance, below which a row adds nothing.
const NEGLIGIBLE: f64 = 1e-10;

/// The choice of the points, which can be paused. Pauses do not change the result.
#[derive(Clone, Debug)]
pub struct PointChoice {
    prior: Prior,
    count: usize,
    candidates: Vec<Vec<f64>>,
    /// Variances of the candidates given the points, C.
    variances: Vec<f64>,
    largest: f64,
    /// Columns of the pivoted factor, C each.
    columns: Vec<Vec<f64>>,
    points: Vec<Vec<f64>>,
}

impl PointChoice {
    /// Prepares the choice among `rows`, or a random sample of them if they are many.
    pub fn new(prior: Prior, rows: &[Vec<f64>], inducing: Inducing) -> Self {
        let most = (CANDIDATES_PER_POINT * inducing.count).max(MIN_CANDIDATES);
        let chosen = sample(rows.len(), most, inducing.seed, 0);
        let candidates: Vec<Vec<f64>> = chosen.into_iter().map(|row| rows[row].clone()).collect();
        let variances: Vec<f64> = candidates.iter().map(|row| prior.covariance(row, row)).collect();
        let largest = variances.iter().copied().fold(0.0, f64::max);
        let (columns, points) = (Vec::new(), Vec::new());
        Self { prior, count: inducing.count, candidates, variances, largest, columns, points }
    }

    /// Continues until the budget is spent. Returns the points, one at least, when they are chosen.
    pub fn advance(&mut self, budget: &mut Budget) -> Poll<Rc<Vec<Vec<f64>>>> {
        while self.points.len() < self.count.min(self.candidates.len()) {
            let mut best = 0;
            for (at, variance) in self.variances.iter().enumerate() {
                if *variance > self.variances[best] {
                    best = at;
                }
            }
            if !self.points.is_empty() && self.variances[best] <= NEGLIGIBLE * self.largest {
                break;
            }
            self.add(best);
            let work = self.candidates.len() * (self.columns.len() + self.prior.kernel.weights.len() + 20);
            if !budget.spend(work as u64) {
                return Poll::Pending;
            }
        }
        self.columns = Vec::new();
        Poll::Ready(Rc::new(std::mem::take(&mut self.points)))
    }

    fn add(&mut self, best: usize) {
        let point = self.candidates[best].clone();
        let mut column: Vec<f64> =
            self.candidates.iter().map(|row| self.prior.covariance(row, &point)).collect();
        for earlier in &self.columns {
            let factor = earlier[best];
            column.iter_mut().zip(earlier).for_each(|(sum, x)| *sum -= factor * x);
        }
        let root = self.variances[best].max(f64::MIN_POSITIVE).sqrt();
        for (x, variance) in column.iter_mut().zip(&mut self.variances) {
            *x /= root;
            *variance = (*variance - *x * *x).max(0.0);
        }
        // A chosen row is not chosen again.
        self.variances[best] = 0.0;
        self.columns.push(column);
        self.points.push(point);
    }
}

/// Returns `most` of the numbers below `rows` in ascending order, drawn without replacement; all of them if they are not more.
pub fn sample(rows: usize, most: usize, seed: u64, unit: u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..rows).collect();
    if rows <= most {
        return all;
    }
    let mut stream = Stream::for_purpose(seed, Purpose::GpInducingPoints, unit);
    for at in 0..most {
        let other = at + ((stream.uniform() * (rows - at) as f64) as usize).min(rows - at - 1);
        all.swap(at, other);
    }
    all.truncate(most);
    all.sort_unstable();
    all
}
