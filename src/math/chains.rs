//! What each of several Markov chains counts that were led from the prior to the posterior: its weight by annealed importance
//! sampling (Neal 2001), flattened where a few lucky chains would be all that counts.

use super::lanes::exp;

/// Weights are flattened until at least this part of the chains counts.
const LEAST_PART: f64 = 0.25;

/// The weights e^`ln_weights` to that power, 1 in all.
pub fn flattened(ln_weights: &[f64], power: f64) -> Vec<f64> {
    let most = ln_weights.iter().fold(f64::NEG_INFINITY, |most, ln| most.max(*ln));
    let raw: Vec<f64> = ln_weights.iter().map(|ln| exp(power * (ln - most))).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|weight| weight / sum).collect()
}

/// The largest power, in steps of a twentieth, to which a quarter of the chains counts, and two at least.
pub fn power(ln_weights: &[f64]) -> f64 {
    let enough = (LEAST_PART * ln_weights.len() as f64).max(2.0);
    let powers = (0..20).map(|i| 1.0 - 0.05 * f64::from(i));
    powers.into_iter().find(|power| effective(&flattened(ln_weights, *power)) >= enough).unwrap_or(0.0)
}

/// How many equal weights are as good as these, which are 1 in all.
pub fn effective(weights: &[f64]) -> f64 {
    1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_lucky_chain_is_not_all_that_counts() {
        let alike = [0.3; 8];
        assert!(
            (power(&alike) - 1.0).abs() < 1e-12 && (effective(&flattened(&alike, 1.0)) - 8.0).abs() < 1e-9
        );
        let lucky = [0.0, -9.0, -10.0, -11.0, -9.5, -12.0, -10.5, -8.5];
        let weights = flattened(&lucky, power(&lucky));
        assert!(effective(&flattened(&lucky, 1.0)) < 1.01 && effective(&weights) >= 2.0, "{weights:?}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && weights[0] > weights[1]);
    }
}
