//! Leave-one-out predictions in closed form, RW06 §5.4.2.

use super::{Normal, RegressionPosterior};

impl RegressionPosterior {
    /// Returns the prediction of each target from all other examples, m: mean and variance, including the noise, RW06
    /// eq. (5.12). It equals the prediction of a posterior without the example.
    pub fn leave_one_out(&self) -> Vec<Normal> {
        let precisions = self.factor.inverse_diagonal();
        let values = self.targets.iter().zip(&self.alpha).zip(precisions);
        values.map(|((t, alpha), p)| Normal { mean: t - alpha / p, var: 1.0 / p }).collect()
    }

    /// Returns the prediction of target `i` by retraining without example `i`; `None` if it cannot be computed.
    pub fn retrained_without(&self, i: usize) -> Option<Normal> {
        let (mut rows, mut targets) = (self.rows.clone(), self.targets.clone());
        let at = rows.remove(i);
        targets.remove(i);
        let f = Self::new(rows, targets, self.model.clone())?.predict(&at);
        Some(Normal { var: f.var + self.model.noise_variance(), ..f })
    }
}
