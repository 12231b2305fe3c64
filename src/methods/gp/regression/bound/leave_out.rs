//! Leave-one-out predictions with inducing points. The posterior of u is a product of one Gaussian factor for each row (T09 eq. (10)), so
//! that a row can be taken out: the result is that of the other rows with the same points.

use super::BoundPosterior;
use crate::gp::inducing::{ProjectedRows, products, square_sums};
use crate::gp::regression::Normal;
use crate::math::Budget;
use crate::math::lanes::LANES;

/// The computation of leave-one-out predictions, which can be paused.
#[derive(Clone, Debug, Default)]
pub struct BoundLeaveOut(Vec<Normal>);

impl BoundLeaveOut {
    /// Continues until the budget is spent. Returns the prediction of each target from all other examples, n, when they are complete: mean
    /// and variance, including the noise. `posterior` and its `rows` and `targets` must be the same in each call.
    pub fn advance(
        &mut self,
        posterior: &BoundPosterior,
        rows: &[Vec<f64>],
        targets: &[f64],
        budget: &mut Budget,
    ) -> Option<Vec<Normal>> {
        let noise = posterior.model.noise_variance();
        while self.0.len() < rows.len() {
            let first = self.0.len();
            let group = &rows[first..(first + LANES).min(rows.len())];
            let ProjectedRows { white, residual, .. } = posterior.projection.project(group);
            let means = products(&white, &posterior.white_mean);
            let vars = square_sums(&posterior.factor.solve_lower_block(white));
            self.0.extend((0..group.len()).map(|lane| {
                let leverage = vars[lane] / noise;
                let left = 1.0 - leverage;
                let mean = (means[lane] - leverage * targets[first + lane]) / left;
                Normal { mean, var: residual[lane] + vars[lane] / left + noise }
            }));
            if !budget.spend(posterior.block_cost()) && self.0.len() < rows.len() {
                return None;
            }
        }
        Some(std::mem::take(&mut self.0))
    }
}
