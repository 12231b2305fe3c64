//! Leave-one-out predictions in closed form, RW06 §5.4.2.

use super::{Normal, RegressionPosterior};
use crate::math::Budget;
use crate::math::cholesky::inverse::InverseDiagonal;

/// The computation of leave-one-out predictions, which can be paused.
#[derive(Clone, Debug, Default)]
pub struct LeaveOut(InverseDiagonal);

impl LeaveOut {
    /// Continues until the budget is spent. Returns the prediction of each target from all other examples, m, when they are complete:
    /// mean and variance, including the noise, RW06 eq. (5.12). It equals the prediction of a posterior without the example.
    /// `posterior` must be the same in each call.
    pub fn advance(&mut self, posterior: &RegressionPosterior, budget: &mut Budget) -> Option<Vec<Normal>> {
        if !self.0.advance(&posterior.factor, budget) {
            return None;
        }
        let values = posterior.targets.iter().zip(&posterior.alpha).zip(&self.0.sums);
        Some(values.map(|((t, alpha), p)| Normal { mean: t - alpha / p, var: 1.0 / p }).collect())
    }
}

impl RegressionPosterior {
    /// Returns the leave-one-out predictions, see [`LeaveOut::advance`].
    pub fn leave_one_out(&self) -> Vec<Normal> {
        LeaveOut::default().advance(self, &mut Budget::new(u64::MAX)).unwrap_or_default()
    }

    /// Returns the prediction of target `i` by retraining without example `i`; `None` if it cannot be computed.
    pub fn retrained_without(&self, i: usize) -> Option<Normal> {
        let (mut rows, mut targets) = (self.rows.to_vec(), self.targets.to_vec());
        let at = rows.remove(i);
        targets.remove(i);
        let f = Self::new(rows, targets, self.model.clone())?.predict(&at);
        Some(Normal { var: f.var + self.model.noise_variance(), ..f })
    }
}
