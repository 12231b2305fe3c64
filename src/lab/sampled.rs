//! What a worker sends of a Markov chain, and the pooled estimates of all chains.

use serde::{Deserialize, Serialize};

use crate::math::mixing::{Mixing, MixingCriterion, mixing};

/// A Markov chain, seen by some values at each of its draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainRow {
    /// Sum and sum of squares of each value.
    pub sums: Vec<(f64, f64)>,
    /// Some of the values, draw by draw: what R̂ and the effective sample size are taken of.
    pub series: Vec<Vec<f32>>,
    /// Draws made.
    pub count: usize,
    /// Share of moves accepted.
    pub accepted: f64,
    /// Moves that diverged.
    pub divergent: usize,
}

impl ChainRow {
    /// An empty chain of draws of `width` values; `followed` of them are kept draw by draw.
    pub fn new(width: usize, followed: usize) -> Self {
        let (sums, series) = (vec![(0.0, 0.0); width], vec![Vec::new(); followed]);
        Self { sums, series, count: 0, accepted: 0.0, divergent: 0 }
    }

    /// Counts another draw, of which the values at `followed` are kept.
    pub fn add(&mut self, values: &[f64], followed: &[usize]) {
        for ((sum, squares), value) in self.sums.iter_mut().zip(values) {
            *sum += value;
            *squares += value * value;
        }
        for (series, at) in self.series.iter_mut().zip(followed) {
            series.push(values[*at] as f32);
        }
        self.count += 1;
    }

    /// The same with the share of its moves that were accepted, and the number that diverged.
    #[must_use]
    pub fn with_moves(&self, (accepted, divergent): (f64, usize)) -> Self {
        Self { accepted, divergent, ..self.clone() }
    }
}

/// Means, standard deviations and diagnostics, pooled over all chains.
pub struct Sampled {
    /// Mean and standard deviation of each value.
    pub predicted: Vec<(f64, f64)>,
    /// The worst of the diagnostics.
    pub mixing: Mixing,
    /// Share of moves accepted.
    pub accepted: f64,
    /// Moves that diverged.
    pub divergent: usize,
    /// How many chains.
    pub chains: usize,
    /// Draws of all of them.
    pub count: usize,
}

impl Sampled {
    /// Pools the chains, if there are any with draws.
    pub fn of(chains: &[&ChainRow]) -> Option<Self> {
        let count: usize = chains.iter().map(|chain| chain.count).sum();
        let first = chains.first().filter(|_| count > 3)?;
        let predicted = (0..first.sums.len()).map(|at| {
            let sums = chains.iter().map(|chain| chain.sums[at]);
            let (sum, squares) = sums.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            let mean = sum / count as f64;
            (mean, (squares / count as f64 - mean * mean).max(0.0).sqrt())
        });
        let of = |at: usize| {
            let series = chains.iter().map(|chain| chain.series[at].iter().map(|f| f64::from(*f)).collect());
            let series: Vec<Vec<f64>> = series.collect();
            mixing(&series.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let all = (0..first.series.len()).map(of);
        let mixing = all.fold(Mixing { r_hat: 1.0, ess: f64::INFINITY }, |worst, mixing| Mixing {
            r_hat: worst.r_hat.max(mixing.r_hat),
            ess: worst.ess.min(mixing.ess),
        });
        let accepted = chains.iter().map(|chain| chain.accepted).sum::<f64>() / chains.len() as f64;
        let divergent = chains.iter().map(|chain| chain.divergent).sum();
        Some(Self {
            predicted: predicted.collect(),
            mixing,
            accepted,
            divergent,
            chains: chains.len(),
            count,
        })
    }

    /// The criterion by which the chains have mixed: the largest split R̂.
    pub fn criterion(&self) -> MixingCriterion {
        MixingCriterion::SplitRHat(self.mixing.r_hat)
    }

    /// True if the chains have mixed.
    pub fn mixed(&self) -> bool {
        self.criterion().is_met()
    }

    /// Diagnostics of the chains in words, after a space.
    pub fn words(&self) -> String {
        let Self { mixing: Mixing { r_hat, ess }, accepted, divergent, chains, .. } = self;
        let warning = self.criterion().warning();
        format!(
            " Monte Carlo: {chains} chains, R̂ {r_hat:.3}, effective sample size {ess:.0}, {:.0} % of proposals accepted, \
             divergent transitions: {divergent}.{warning}",
            100.0 * accepted
        )
    }

    /// The same as JSON.
    pub fn report(&self) -> serde_json::Value {
        serde_json::json!({
            "chains": self.chains, "r_hat": self.mixing.r_hat, "ess": self.mixing.ess,
            "accepted": self.accepted, "divergent": self.divergent, "mixed": self.mixed(),
        })
    }
}
