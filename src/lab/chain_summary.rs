//! Pooled estimates and convergence diagnostics of Markov chains.

use crate::figure::percent;
use crate::math::ChainStats;
use crate::math::mixing::{MixingCriterion, MixingDiagnostics, mixing};

/// Means, standard deviations and diagnostics, pooled over chains.
pub struct ChainSummary {
    /// Mean and standard deviation of each quantity.
    pub predicted: Vec<(f64, f64)>,
    /// Largest R̂ and smallest effective sample size of the traced quantities.
    pub mixing: MixingDiagnostics,
    /// Mean acceptance rate.
    pub accepted: f64,
    /// Number of divergent transitions.
    pub divergent: usize,
    /// Number of chains.
    pub chains: usize,
    /// Number of draws of all chains.
    pub count: usize,
}

impl ChainSummary {
    /// Pools chains; `None` for fewer than four draws.
    pub fn of(chains: &[&ChainStats]) -> Option<Self> {
        let count: usize = chains.iter().map(|chain| chain.count).sum();
        let first = chains.first().filter(|_| count > 3)?;
        let predicted = (0..first.sums.len()).map(|at| {
            let sums = chains.iter().map(|chain| chain.sums[at]);
            let (sum, squares) = sums.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            let mean = sum / count as f64;
            (mean, (squares / count as f64 - mean * mean).max(0.0).sqrt())
        });
        let diagnose = |at: usize| {
            let series = chains.iter().map(|chain| chain.series[at].iter().map(|f| f64::from(*f)).collect());
            let series: Vec<Vec<f64>> = series.collect();
            mixing(&series.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let ideal = MixingDiagnostics { r_hat: 1.0, ess: f64::INFINITY };
        let mixing = (0..first.series.len()).map(diagnose).fold(ideal, |worst, mixing| MixingDiagnostics {
            r_hat: worst.r_hat.max(mixing.r_hat),
            ess: worst.ess.min(mixing.ess),
        });
        Some(Self {
            predicted: predicted.collect(),
            mixing,
            accepted: chains.iter().map(|chain| chain.accepted).sum::<f64>() / chains.len() as f64,
            divergent: chains.iter().map(|chain| chain.divergent).sum(),
            chains: chains.len(),
            count,
        })
    }

    /// Returns the criterion by which the chains have mixed: the largest split R̂.
    pub fn criterion(&self) -> MixingCriterion {
        MixingCriterion::SplitRHat(self.mixing.r_hat)
    }

    /// Returns true if the chains have mixed.
    pub fn has_mixed(&self) -> bool {
        self.criterion().is_met()
    }

    /// Describes the diagnostics in sentences, with a leading space.
    pub fn describe(&self) -> String {
        let Self { mixing: MixingDiagnostics { r_hat, ess }, accepted, divergent, chains, .. } = self;
        let warning = self.criterion().warning();
        format!(
            " Monte Carlo: {chains} chains, R̂ {r_hat:.3} (near 1 if the chains have mixed), effective sample size {ess:.0}, {} of proposals accepted, \
             divergent transitions: {divergent}.{warning}",
            percent(*accepted)
        )
    }

    /// Returns the diagnostics as JSON.
    pub fn report(&self) -> serde_json::Value {
        serde_json::json!({
            "chains": self.chains, "r_hat": self.mixing.r_hat, "ess": self.mixing.ess,
            "accepted": self.accepted, "divergent": self.divergent, "mixed": self.has_mixed(),
        })
    }
}
