//! Averages over annealed chains. Chains that agree are pooled with equal weights. Chains that disagree are weighted by annealed
//! importance sampling (Neal 2001), so that separate regions of the posterior count in proportion even if no chain moves between
//! them. The weights are flattened if a few chains would dominate. Standard errors come from the scatter between chains.

use super::mixing::MixingCriterion;
use serde::{Deserialize, Serialize};

use super::lanes::exp;

/// Minimum effective fraction of the chains, to which weights are flattened.
const MIN_FRACTION: f64 = 0.25;
/// Variance of rounding errors: means are stored in single precision.
const ROUNDING: f64 = 1e-10;

/// Means over a chain, in single precision, whose error is far below the Monte Carlo error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChainMean {
    /// Log importance weight.
    pub ln_weight: f64,
    /// Means of the quantities by which chains are compared.
    pub mean: Vec<f32>,
    /// Sum over these of the square of half the difference between the means of the two halves of the chain.
    pub gap: f64,
    /// Means of other quantities.
    pub others: Vec<f32>,
}

/// Agreement of several chains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainAgreement {
    /// Number of chains.
    pub count: usize,
    /// Effective number of equally weighted chains.
    pub effective: f64,
    /// Ratio of the variance between chains to that expected from their halves: close to 1 for mixed chains, large for chains in
    /// separate regions.
    pub ratio: f64,
}

impl ChainAgreement {
    /// Returns the criterion by which the chains have mixed.
    pub fn criterion(&self) -> MixingCriterion {
        MixingCriterion::VarianceRatio(self.ratio)
    }

    /// Returns true if the chains have mixed.
    pub fn agree(&self) -> bool {
        self.criterion().is_met()
    }
}

/// Chains with their weights in averages.
pub struct ChainEnsemble<'a> {
    chains: Vec<&'a ChainMean>,
    weights: Vec<f64>,
    agreement: ChainAgreement,
}

impl<'a> ChainEnsemble<'a> {
    /// Weights `chains` with equal numbers of quantities; `None` without chains.
    pub fn of(chains: impl IntoIterator<Item = &'a ChainMean>) -> Option<Self> {
        let chains: Vec<&ChainMean> = chains.into_iter().collect();
        let count = chains.len();
        let ratio = if count < 2 { 1.0 } else { ratio(&chains) };
        let weights = if MixingCriterion::VarianceRatio(ratio).is_met() {
            vec![1.0 / count as f64; count]
        } else {
            let ln_weights = ln_weights(&chains);
            flattened(&ln_weights, power(&ln_weights))
        };
        let agreement = ChainAgreement { count, effective: effective(&weights), ratio };
        (count > 0).then_some(Self { chains, weights, agreement })
    }

    /// Returns the agreement of the chains.
    pub fn agreement(&self) -> ChainAgreement {
        self.agreement
    }

    /// Returns the largest power of the weights for which enough chains are effective.
    pub fn power(&self) -> f64 {
        power(&ln_weights(&self.chains))
    }

    /// Returns the means of the quantities by which chains are compared.
    pub fn mean(&self) -> Vec<f64> {
        self.averaged(&self.weights, |chain| &chain.mean)
    }

    /// Returns the means of the other quantities.
    pub fn others(&self) -> Vec<f64> {
        self.averaged(&self.weights, |chain| &chain.others)
    }

    /// Returns the standard errors of the means from the scatter between chains and from the change due to flattened weights. Empty
    /// for fewer than two chains.
    pub fn standard_errors(&self) -> Vec<f64> {
        let n = self.agreement.count as f64;
        if n < 2.0 {
            return Vec::new();
        }
        let mean = self.mean();
        let mut squares = vec![0.0; mean.len()];
        if !self.agreement.agree() {
            let unflattened = self.averaged(&flattened(&ln_weights(&self.chains), 1.0), |chain| &chain.mean);
            for ((square, mean), other) in squares.iter_mut().zip(&mean).zip(&unflattened) {
                *square = (mean - other) * (mean - other);
            }
        }
        // Standard error of a ratio of sums.
        let bessel = n / (n - 1.0);
        for (weight, chain) in self.weights.iter().zip(&self.chains) {
            for ((square, mean), of_chain) in squares.iter_mut().zip(&mean).zip(&chain.mean) {
                let difference = weight * (f64::from(*of_chain) - mean);
                *square += bessel * difference * difference;
            }
        }
        squares.iter().map(|square| square.sqrt()).collect()
    }

    fn averaged(&self, weights: &[f64], pick: fn(&ChainMean) -> &Vec<f32>) -> Vec<f64> {
        let mut sums = vec![0.0; pick(self.chains[0]).len()];
        for (weight, chain) in weights.iter().zip(&self.chains) {
            sums.iter_mut().zip(pick(chain)).for_each(|(sum, x)| *sum += weight * f64::from(*x));
        }
        sums
    }
}

/// Returns the ratio of the variance between chains to that expected from their halves, summed over the quantities.
fn ratio(chains: &[&ChainMean]) -> f64 {
    let n = chains.len() as f64;
    let mut means = vec![0.0; chains[0].mean.len()];
    for chain in chains {
        means.iter_mut().zip(&chain.mean).for_each(|(mean, x)| *mean += f64::from(*x) / n);
    }
    let square = |(x, mean): (&f32, &f64)| (f64::from(*x) - mean) * (f64::from(*x) - mean);
    let between: f64 = chains.iter().flat_map(|chain| chain.mean.iter().zip(&means).map(square)).sum();
    let (between, within) = (between / (n - 1.0), chains.iter().map(|chain| chain.gap).sum::<f64>() / n);
    // Chains with constant means agree if the means are equal.
    if between <= ROUNDING { 1.0 } else { (between / within).min(1e9) }
}

fn ln_weights(chains: &[&ChainMean]) -> Vec<f64> {
    chains.iter().map(|chain| chain.ln_weight).collect()
}

/// Returns the normalised weights e^`ln_weights` raised to a power.
fn flattened(ln_weights: &[f64], power: f64) -> Vec<f64> {
    let most = ln_weights.iter().fold(f64::NEG_INFINITY, |most, ln| most.max(*ln));
    let raw: Vec<f64> = ln_weights.iter().map(|ln| exp(power * (ln - most))).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|weight| weight / sum).collect()
}

/// Returns the largest power, in steps of 1/20, for which a quarter of the chains, and at least two, are effective.
fn power(ln_weights: &[f64]) -> f64 {
    let enough = (MIN_FRACTION * ln_weights.len() as f64).max(2.0);
    let powers = (0..20).map(|i| 1.0 - 0.05 * f64::from(i));
    powers.into_iter().find(|power| effective(&flattened(ln_weights, *power)) >= enough).unwrap_or(0.0)
}

/// Returns the effective number of equal weights, given weights with sum 1.
fn effective(weights: &[f64]) -> f64 {
    1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_chain_does_not_dominate() {
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
