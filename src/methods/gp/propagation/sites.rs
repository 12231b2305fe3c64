//! The Gaussian sites of all rows, and their sums over the rows.

use std::task::Poll;

use crate::gp::inducing::Projection;
use crate::math::Budget;
use crate::math::gram::WeightedGram;
use crate::math::lanes::{LANES, Lanes};

/// Precisions S and precision-weighted means ν of sites, n each, at which a solve begins.
#[derive(Clone, Debug, PartialEq)]
pub struct StartSites {
    pub(super) precision: Vec<f64>,
    pub(super) weighted_mean: Vec<f64>,
}

/// Precisions S and precision-weighted means ν of the sites, n each, with their sums.
pub(super) struct Sites {
    pub(super) precision: Vec<f64>,
    pub(super) weighted_mean: Vec<f64>,
    /// Σ S v vᵀ.
    pub(super) gram: WeightedGram,
    /// Σ ν v, M.
    pub(super) moment: Vec<f64>,
}

/// Scale of the sums beside the sites in an extrapolation, which the sites then determine: a power of 2, so that nothing is rounded.
const SUMS: f64 = 1.0 / (1_u64 << 50) as f64;

impl Sites {
    /// Returns no sites, for `points` points.
    pub(super) fn new(points: usize) -> Self {
        let gram = WeightedGram::new(points);
        Self { precision: Vec::new(), weighted_mean: Vec::new(), gram, moment: vec![0.0; points] }
    }

    /// Adds the sites of `rows` to the sums until the budget is spent; pending until the last. `done` is the number of rows added before.
    pub(super) fn sum(
        &mut self,
        projection: &Projection,
        rows: &[Vec<f64>],
        done: &mut usize,
        budget: &mut Budget,
    ) -> Poll<()> {
        let points = projection.len();
        let work = projection.cost() + (LANES * points * points / 2) as u64;
        while *done < rows.len() {
            let end = (*done + LANES).min(rows.len());
            let white = projection.project(&rows[*done..end]).white;
            let lanes = |all: &[f64]| {
                let mut lanes = [0.0; LANES];
                lanes.iter_mut().zip(&all[*done..end]).for_each(|(into, x)| *into = *x);
                lanes
            };
            self.add(&white, &lanes(&self.precision), &lanes(&self.weighted_mean));
            *done = end;
            if !budget.spend(work) && end < rows.len() {
                return Poll::Pending;
            }
        }
        self.gram.flush();
        Poll::Ready(())
    }

    /// Adds eight rows with covariances `white` to the sums.
    pub(super) fn add(&mut self, white: &[Lanes], precision: &Lanes, weighted_mean: &Lanes) {
        self.gram.add(white, precision);
        for (sum, v) in self.moment.iter_mut().zip(white) {
            *sum += (0..LANES).map(|lane| v[lane] * weighted_mean[lane]).sum::<f64>();
        }
    }

    /// Returns the sites and, scaled, the sums, which are linear in them.
    pub(super) fn to_vec(&self) -> Vec<f64> {
        let sums = self.gram.values().iter().flatten().chain(&self.moment).map(|sum| SUMS * sum);
        self.precision.iter().chain(&self.weighted_mean).copied().chain(sums).collect()
    }

    /// Sets the sites and sums from a vector in the form of [`Self::to_vec`].
    pub(super) fn set(&mut self, all: &[f64]) {
        let n = self.precision.len();
        self.precision.copy_from_slice(&all[..n]);
        self.weighted_mean.copy_from_slice(&all[n..2 * n]);
        let (gram, moment) = all[2 * n..].split_at(all.len() - 2 * n - self.moment.len());
        self.gram.set_values(gram.iter().map(|sum| sum / SUMS));
        self.moment.iter_mut().zip(moment).for_each(|(into, sum)| *into = sum / SUMS);
    }
}
