//! Scores of estimated sources against the true sources.

use crate::math::lanes::dot;
use crate::math::stats::order;

/// Upper limit of a signal-to-noise ratio in dB; −10 log₁₀(1 − ρ²) is unbounded.
const MAX_DB: f64 = 150.0;

/// A one-to-one matching of true and estimated sources.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Estimated source of each true source; `None` if too few were estimated.
    pub partner: Vec<Option<usize>>,
    /// Correlation of each pair, with sign.
    pub correlation: Vec<f64>,
}

impl Matching {
    /// Finds the matching with the largest Σ ρ²; both arguments have T rows.
    pub fn new(truth: &[Vec<f64>], estimate: &[Vec<f64>]) -> Self {
        let columns = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            (0..rows.first().map_or(0, Vec::len)).map(|i| rows.iter().map(|row| row[i]).collect()).collect()
        };
        let (truth, estimate) = (columns(truth), columns(estimate));
        let rho: Vec<Vec<f64>> =
            truth.iter().map(|a| estimate.iter().map(|b| correlation(a, b)).collect()).collect();
        let partner = assignment(&rho);
        let correlation =
            partner.iter().zip(&rho).map(|(partner, row)| partner.map_or(0.0, |j| row[j])).collect();
        Self { partner, correlation }
    }

    /// Returns the signal-to-noise ratio −10 log₁₀(1 − ρ²) of each true source, in dB.
    pub fn each_db(&self) -> Vec<f64> {
        self.correlation.iter().map(|rho| decibel(1.0 - rho * rho)).collect()
    }

    /// Returns the total signal-to-noise ratio, −10 log₁₀ of the mean of 1 − ρ², in dB.
    pub fn db(&self) -> f64 {
        let noise: f64 = self.correlation.iter().map(|rho| 1.0 - rho * rho).sum();
        decibel(noise / self.correlation.len().max(1) as f64)
    }
}

/// Returns the signal-to-noise ratio in dB for a noise-to-signal ratio `noise`.
pub fn decibel(noise: f64) -> f64 {
    (-10.0 * libm::log10(noise.max(1e-300))).min(MAX_DB)
}

/// Returns Pearson's correlation; 0 if either variable is constant.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let centred = |x: &[f64]| -> Vec<f64> {
        let mean = x.iter().sum::<f64>() / x.len().max(1) as f64;
        x.iter().map(|x| x - mean).collect()
    };
    let (a, b) = (centred(a), centred(b));
    let scale = (dot(&a, &a) * dot(&b, &b)).sqrt();
    if scale > 0.0 { (dot(&a, &b) / scale).clamp(-1.0, 1.0) } else { 0.0 }
}

/// Returns Spearman's rank correlation.
pub fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    correlation(&ranks(a), &ranks(b))
}

/// Returns the rank of each element.
fn ranks(x: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; x.len()];
    for (rank, i) in order(x).into_iter().enumerate() {
        ranks[i] = rank as f64;
    }
    ranks
}

/// Assigns a different column to each row so that Σ ρ² is largest, by the Hungarian method with potentials.
fn assignment(rho: &[Vec<f64>]) -> Vec<Option<usize>> {
    let (rows, found) = (rho.len(), rho.first().map_or(0, Vec::len));
    // Missing columns are padded with columns of cost 0. Index 0 of each list is used by the method.
    let columns = rows.max(found);
    let cost = |i: usize, j: usize| if j <= found { -rho[i - 1][j - 1] * rho[i - 1][j - 1] } else { 0.0 };
    let (mut u, mut v) = (vec![0.0; rows + 1], vec![0.0; columns + 1]);
    let mut taken = vec![0; columns + 1];
    for row in 1..=rows {
        taken[0] = row;
        let (mut at, mut slack, mut done, mut way) =
            (0, vec![f64::INFINITY; columns + 1], vec![false; columns + 1], vec![0; columns + 1]);
        loop {
            done[at] = true;
            let (mut delta, mut next) = (f64::INFINITY, 0);
            for j in (1..=columns).filter(|j| !done[*j]) {
                let reduced = cost(taken[at], j) - u[taken[at]] - v[j];
                if reduced < slack[j] {
                    (slack[j], way[j]) = (reduced, at);
                }
                if slack[j] < delta {
                    (delta, next) = (slack[j], j);
                }
            }
            for j in 0..=columns {
                if done[j] {
                    u[taken[j]] += delta;
                    v[j] -= delta;
                } else {
                    slack[j] -= delta;
                }
            }
            at = next;
            if taken[at] == 0 {
                break;
            }
        }
        while at != 0 {
            taken[at] = taken[way[at]];
            at = way[at];
        }
    }
    let mut partner = vec![None; rows];
    for j in 1..=found {
        if taken[j] > 0 {
            partner[taken[j] - 1] = Some(j - 1);
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignment_maximises_the_sum_of_squared_correlations() {
        // A greedy matching gives 0.9² + 0.1²; the optimum is 0.8² + 0.8².
        assert_eq!(assignment(&[vec![0.9, -0.8], vec![0.8, 0.1]]), [Some(1), Some(0)]);
        assert_eq!(assignment(&[vec![0.1], vec![-0.9], vec![0.5]]), [None, Some(0), None]);
        assert_eq!(assignment(&[vec![0.1, 0.2, 0.9]]), [Some(2)]);
    }

    #[test]
    fn a_tenth_of_noise_is_ten_decibels() {
        let matching = Matching { partner: vec![Some(0)], correlation: vec![0.9_f64.sqrt()] };
        assert!((matching.db() - 10.0).abs() < 1e-12 && (matching.each_db()[0] - 10.0).abs() < 1e-12);
        assert!((rank_correlation(&[1.0, 2.0, 9.0], &[0.1, 0.2, 70.0]) - 1.0).abs() < 1e-15);
    }
}
