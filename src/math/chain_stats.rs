//! Running sums of a Markov chain.

use serde::{Deserialize, Serialize};

/// Sufficient statistics of a Markov chain, and the trace of some of its quantities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainStats {
    /// Sum and sum of squares of each quantity.
    pub sums: Vec<(f64, f64)>,
    /// Traces, one value per draw, from which R̂ and the effective sample size are estimated.
    pub series: Vec<Vec<f32>>,
    /// Number of draws.
    pub count: usize,
    /// Fraction of proposals accepted.
    pub accepted: f64,
    /// Number of divergent transitions.
    pub divergent: usize,
}

impl ChainStats {
    /// Returns the statistics of no draws of `width` quantities, with `traced` traces.
    pub fn new(width: usize, traced: usize) -> Self {
        let (sums, series) = (vec![(0.0, 0.0); width], vec![Vec::new(); traced]);
        Self { sums, series, count: 0, accepted: 0.0, divergent: 0 }
    }

    /// Adds a draw, and appends its values at the indices `traced` to the traces.
    pub fn add(&mut self, values: &[f64], traced: &[usize]) {
        for ((sum, squares), value) in self.sums.iter_mut().zip(values) {
            *sum += value;
            *squares += value * value;
        }
        for (series, at) in self.series.iter_mut().zip(traced) {
            series.push(values[*at] as f32);
        }
        self.count += 1;
    }

    /// Returns a copy with the acceptance rate and the number of divergent transitions.
    #[must_use]
    pub fn with_moves(&self, (accepted, divergent): (f64, usize)) -> Self {
        Self { accepted, divergent, ..self.clone() }
    }
}
