//! The mean of independent importance weights, which estimates a normalising constant.

use serde::{Deserialize, Serialize};

/// Logarithm of the mean of independent weights. Its expectation is below the logarithm of the expected weight; the bias decreases
/// with the number of weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogMeanWeight {
    /// Logarithm of the mean weight, in nats.
    pub ln_mean: f64,
    /// Standard error of `ln_mean`, from the variance of the weights. It is too small if the estimate
    /// [is dominated](Self::is_dominated).
    pub se: f64,
    /// Effective sample size (Σw)²/Σw².
    pub ess: f64,
}

impl LogMeanWeight {
    /// Effective sample size below which the mean is unreliable.
    pub const MIN_ESS: f64 = 5.0;

    /// Returns true if the effective sample size is below [`Self::MIN_ESS`]: the estimate is then typically too low, and its standard
    /// error too small.
    pub fn is_dominated(&self) -> bool {
        self.ess < Self::MIN_ESS
    }

    /// Returns the length of an error bar: the standard error; NaN, for none, if the mean is dominated.
    pub fn error_bar(&self) -> f64 {
        if self.is_dominated() { f64::NAN } else { self.se }
    }

    /// Returns the estimate of the weights e^`ln_weights`; `None` for fewer than two weights, or if all of them are zero.
    pub fn of(ln_weights: &[f64]) -> Option<Self> {
        let largest = ln_weights.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        if ln_weights.len() < 2 || largest == f64::NEG_INFINITY {
            return None;
        }
        let (mut sum, mut squares) = (0.0, 0.0);
        for ln_weight in ln_weights {
            let w = libm::exp(ln_weight - largest);
            sum += w;
            squares += w * w;
        }
        let (n, ess) = (ln_weights.len() as f64, sum * sum / squares);
        let relative_variance = (n / ess - 1.0).max(0.0) / (n - 1.0);
        Some(Self { ln_mean: largest + libm::log(sum / n), se: relative_variance.sqrt(), ess })
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Stream;
    use super::*;

    /// Weights e^x of a standard normal x have the mean e^½ and the variance e² − e.
    #[test]
    fn lognormal_weights_have_their_mean_and_error() {
        let mut stream = Stream::of(1, 0);
        let n = 100_000;
        let ln_weights: Vec<f64> = (0..n).map(|_| 900.0 + stream.normal()).collect();
        let found = LogMeanWeight::of(&ln_weights).unwrap();
        let se = ((std::f64::consts::E - 1.0) / f64::from(n)).sqrt();
        assert!((found.ln_mean - 900.5).abs() < 4.0 * se, "{found:?}");
        assert!((found.se / se - 1.0).abs() < 0.1, "{found:?} {se}");
        assert!((found.ess * std::f64::consts::E / f64::from(n) - 1.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn weights_of_zero_count_in_the_mean() {
        let found = LogMeanWeight::of(&[0.0, f64::NEG_INFINITY]).unwrap();
        assert!((found.ln_mean + std::f64::consts::LN_2).abs() < 1e-15 && found.ess == 1.0, "{found:?}");
        assert_eq!(LogMeanWeight::of(&[f64::NEG_INFINITY; 3]), None);
        assert_eq!(LogMeanWeight::of(&[1.0]), None);
    }

    /// Weights with ln w ~ N(0, s²) have the mean e^(s²/2). With s = 7, few of 100 weights carry the sum.
    #[test]
    fn the_error_of_a_dominated_mean_is_too_small() {
        let mut stream = Stream::of(2, 0);
        let mut sample = |sd: f64| {
            let ln_weights: Vec<f64> = (0..100).map(|_| sd * stream.normal() - 0.5 * sd * sd).collect();
            LogMeanWeight::of(&ln_weights).unwrap()
        };
        let wide: Vec<LogMeanWeight> = (0..50).map(|_| sample(7.0)).collect();
        let narrow: Vec<LogMeanWeight> = (0..50).map(|_| sample(0.5)).collect();
        let far = |all: &[LogMeanWeight]| all.iter().filter(|z| z.ln_mean.abs() > 4.0 * z.se).count();
        assert!(wide.iter().filter(|z| z.is_dominated()).count() > 45 && far(&wide) > 40, "{}", far(&wide));
        assert!(!narrow.iter().any(LogMeanWeight::is_dominated) && far(&narrow) == 0, "{}", far(&narrow));
    }
}
