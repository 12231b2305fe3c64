//! Diagnostics of mixing of Markov chains: split R̂ and the effective sample size over several chains (Gelman et al., Bayesian Data
//! Analysis, 3rd ed., section 11.4–5; Geyer, Stat. Sci. 7, 473 (1992)).

/// Criterion by which several Markov chains count as mixed, with the value of its statistic.
///
/// There are two because samplers keep different records of a chain. They test the same thing, chains that stay apart, but their values
/// and limits are not comparable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MixingCriterion {
    /// Split R̂ of chains whose draws are kept (see [`mixing`]): pooled standard deviation over the one within half-chains.
    SplitRHat(f64),
    /// Variance ratio of chains of which only means are kept (see [`crate::chains`]): variance between the means of chains over the
    /// variance expected from the two halves of each.
    VarianceRatio(f64),
}

impl MixingCriterion {
    /// Split R̂ below which chains count as mixed.
    pub const R_HAT_LIMIT: f64 = 1.05;
    /// Largest variance ratio of mixed chains. A larger one means that the halves of a chain are correlated by more than one half.
    pub const VARIANCE_RATIO_LIMIT: f64 = 3.0;

    /// Returns true if the chains have mixed.
    pub fn is_met(self) -> bool {
        match self {
            Self::SplitRHat(r_hat) => r_hat < Self::R_HAT_LIMIT,
            Self::VarianceRatio(ratio) => ratio <= Self::VARIANCE_RATIO_LIMIT,
        }
    }

    /// Returns a warning for captions, after a space; empty if the chains have mixed.
    pub fn warning(self) -> String {
        let failed = match self {
            _ if self.is_met() => return String::new(),
            Self::SplitRHat(_) => format!("R̂ is not below {}", Self::R_HAT_LIMIT),
            Self::VarianceRatio(_) => format!(
                "the variance between chains is more than {} times the one expected from each",
                Self::VARIANCE_RATIO_LIMIT
            ),
        };
        format!(
            " The chains have not mixed ({failed}): treat this reference as approximate, or increase the number of draws."
        )
    }
}

/// Diagnostics of a scalar in several chains of equal length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixingDiagnostics {
    /// Split R̂: ratio of the pooled standard deviation to that within half-chains; 1 if mixed, NaN for fewer than four draws.
    pub r_hat: f64,
    /// Effective sample size: number of independent draws with the same standard error of the mean.
    pub ess: f64,
}

/// Computes the diagnostics of `chains`, each a sequence of draws. Each chain is split into two halves.
pub fn mixing(chains: &[&[f64]]) -> MixingDiagnostics {
    let half = chains.iter().map(|chain| chain.len()).min().unwrap_or(0) / 2;
    if half < 2 {
        return MixingDiagnostics { r_hat: f64::NAN, ess: f64::NAN };
    }
    let halves: Vec<&[f64]> =
        chains.iter().flat_map(|chain| [&chain[..half], &chain[chain.len() - half..]]).collect();
    let (n, m) = (half as f64, halves.len() as f64);
    let means: Vec<f64> = halves.iter().map(|half| half.iter().sum::<f64>() / n).collect();
    let grand = means.iter().sum::<f64>() / m;
    let between = n / (m - 1.0) * means.iter().map(|mean| (mean - grand) * (mean - grand)).sum::<f64>();
    let covariance = |lag: usize| {
        let of = |(draws, mean): (&&[f64], &f64)| {
            draws[lag..].iter().zip(*draws).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n
        };
        halves.iter().zip(&means).map(of).sum::<f64>() / m
    };
    let within = covariance(0) * n / (n - 1.0);
    let pooled = (n - 1.0) / n * within + between / n;
    if pooled <= 0.0 || pooled.is_nan() {
        // All draws are equal.
        return MixingDiagnostics { r_hat: 1.0, ess: n * m };
    }
    // Sums of adjacent autocorrelations are positive and decrease until noise dominates (Geyer).
    let correlation = |lag: usize| 1.0 - (within - covariance(lag)) / pooled;
    let (mut sum, mut least, mut lag) = (0.0, f64::INFINITY, 0);
    while lag + 1 < half {
        let pair = (if lag == 0 { 1.0 } else { correlation(lag) }) + correlation(lag + 1);
        if pair <= 0.0 || pair.is_nan() {
            break;
        }
        least = pair.min(least);
        sum += least;
        lag += 2;
    }
    // Antithetic chains may be better than independent draws; the effective sample size is limited.
    let time = (2.0 * sum - 1.0).max(1.0 / libm::log10(n * m).max(1.0));
    MixingDiagnostics { r_hat: (pooled / within).sqrt(), ess: n * m / time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn chains(rho: f64, apart: f64) -> Vec<Vec<f64>> {
        (0..4)
            .map(|chain| {
                let (mut stream, mut x) = (Stream::of(3, chain), 0.0);
                let mut next = || {
                    x = rho * x + (1.0 - rho * rho).sqrt() * stream.normal();
                    x + apart * (chain as f64)
                };
                (0..20_000).map(|_| next()).collect()
            })
            .collect()
    }

    fn of(chains: &[Vec<f64>]) -> MixingDiagnostics {
        mixing(&chains.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn ess_agrees_with_the_theory_of_an_autoregression() {
        for rho in [0.0, 0.5, 0.9, -0.3] {
            let MixingDiagnostics { r_hat, ess } = of(&chains(rho, 0.0));
            // 80,000 draws, autocorrelation time (1 + ρ)/(1 − ρ).
            let expected = 80_000.0 * (1.0 - rho) / (1.0 + rho);
            assert!((ess / expected - 1.0).abs() < 0.15, "ρ = {rho}: {ess} instead of {expected}");
            assert!((1.0 - r_hat).abs() < 0.01, "ρ = {rho}: {r_hat}");
        }
    }

    #[test]
    fn separate_and_drifting_chains_have_a_large_r_hat() {
        let MixingDiagnostics { r_hat, ess } = of(&chains(0.0, 2.0));
        assert!(r_hat > 1.5 && ess < 20.0, "{r_hat} {ess}");
        // A drifting chain differs between its halves.
        let drift: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.01).collect();
        assert!(of(&[drift]).r_hat > 1.5);
    }

    #[test]
    fn constant_chains_have_an_r_hat_of_one() {
        assert_eq!(of(&[vec![2.0; 100], vec![2.0; 100]]), MixingDiagnostics { r_hat: 1.0, ess: 200.0 });
        assert!(of(&[vec![1.0, 2.0]]).r_hat.is_nan());
    }
}
