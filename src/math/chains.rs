//! What several Markov chains say together that were led from the prior to the posterior. Where chains agree they have forgotten
//! how they began, and count alike. Where they do not, each counts by its weight from annealed importance sampling (Neal 2001),
//! flattened where a few lucky chains would be all that counts: so they stand for the parts of the posterior as it does, even if
//! none ever leaves its own. Either way the standard errors are the scatter between chains.

use serde::{Deserialize, Serialize};

use super::lanes::exp;
use super::mixing::MixingCriterion;

/// Weights are flattened until at least this part of the chains counts.
const LEAST_PART: f64 = 0.25;
/// Sums of squares below this are those of rounding: means are kept in single precision.
const SAME: f64 = 1e-10;

/// What a chain says. Many are sent and kept, so single precision must do: it is far below their Monte Carlo errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChainMean {
    /// ln of its weight.
    pub ln_weight: f64,
    /// Means of the quantities by which chains are compared.
    pub mean: Vec<f32>,
    /// Σ over these of the square of half the difference between the means of the chain's halves.
    pub gap: f64,
    /// Means of other quantities.
    pub others: Vec<f32>,
}

/// How chains stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// How many there are.
    pub count: usize,
    /// How many equally weighted ones would count as much as they do.
    pub effective: f64,
    /// The variance between their means over what the halves of each let expect: near 1 for chains that go everywhere, and
    /// large for chains that stay apart.
    pub ratio: f64,
}

impl Agreement {
    /// The criterion by which they have mixed.
    pub fn criterion(&self) -> MixingCriterion {
        MixingCriterion::VarianceRatio(self.ratio)
    }

    /// True if the chains have mixed.
    pub fn agree(&self) -> bool {
        self.criterion().is_met()
    }
}

/// Chains with the weights at which they count.
pub struct Ensemble<'a> {
    chains: Vec<&'a ChainMean>,
    weights: Vec<f64>,
    agreement: Agreement,
}

impl<'a> Ensemble<'a> {
    /// All of `chains`, which have equally many quantities; `None` without any.
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
        let agreement = Agreement { count, effective: effective(&weights), ratio };
        (count > 0).then_some(Self { chains, weights, agreement })
    }

    /// How they stand to each other.
    pub fn agreement(&self) -> Agreement {
        self.agreement
    }

    /// The largest power of their weights to which enough of them count.
    pub fn power(&self) -> f64 {
        power(&ln_weights(&self.chains))
    }

    /// Means of the quantities by which chains are compared.
    pub fn mean(&self) -> Vec<f64> {
        self.averaged(&self.weights, |chain| &chain.mean)
    }

    /// Means of the other quantities.
    pub fn others(&self) -> Vec<f64> {
        self.averaged(&self.weights, |chain| &chain.others)
    }

    /// Standard errors of the means by the scatter of chains, however alike neighbouring moves are, and by what flattening of
    /// their weights changes; none before there are two chains. 0 where all say the very same.
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
        // A ratio of sums.
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

/// Variance between chains over what their halves let expect, all quantities together.
fn ratio(chains: &[&ChainMean]) -> f64 {
    let n = chains.len() as f64;
    let mut means = vec![0.0; chains[0].mean.len()];
    for chain in chains {
        means.iter_mut().zip(&chain.mean).for_each(|(mean, x)| *mean += f64::from(*x) / n);
    }
    let square = |(x, mean): (&f32, &f64)| (f64::from(*x) - mean) * (f64::from(*x) - mean);
    let between: f64 = chains.iter().flat_map(|chain| chain.mean.iter().zip(&means).map(square)).sum();
    let (between, within) = (between / (n - 1.0), chains.iter().map(|chain| chain.gap).sum::<f64>() / n);
    // Chains that never say anything else agree if they say the same.
    if between <= SAME { 1.0 } else { (between / within).min(1e9) }
}

fn ln_weights(chains: &[&ChainMean]) -> Vec<f64> {
    chains.iter().map(|chain| chain.ln_weight).collect()
}

/// The weights e^`ln_weights` to that power, 1 in all.
fn flattened(ln_weights: &[f64], power: f64) -> Vec<f64> {
    let most = ln_weights.iter().fold(f64::NEG_INFINITY, |most, ln| most.max(*ln));
    let raw: Vec<f64> = ln_weights.iter().map(|ln| exp(power * (ln - most))).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|weight| weight / sum).collect()
}

/// The largest power, in steps of a twentieth, to which a quarter of the chains counts, and two at least.
fn power(ln_weights: &[f64]) -> f64 {
    let enough = (LEAST_PART * ln_weights.len() as f64).max(2.0);
    let powers = (0..20).map(|i| 1.0 - 0.05 * f64::from(i));
    powers.into_iter().find(|power| effective(&flattened(ln_weights, *power)) >= enough).unwrap_or(0.0)
}

/// How many equal weights are as good as these, which are 1 in all.
fn effective(weights: &[f64]) -> f64 {
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
