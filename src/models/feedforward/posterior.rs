//! The exact posterior of the student's weights, and independent draws from the prior weighted by their likelihoods
//! (importance sampling; rejection where there is no noise). `hamiltonian.rs` has a Markov chain for it.

use crate::data::teacher::Examples;
use crate::math::covariance::Covariance;
use crate::math::lanes::{LANES, dot};
use crate::math::random::Stream;

/// What is to be sampled: prior N(0, C⁻¹) in each branch, labels flipped with a probability. Inside, inputs are whitened,
/// so that the prior of the weights is N(0, I).
#[derive(Clone, Debug)]
pub struct Posterior {
    /// m×N, one example a row, white.
    rows: Vec<f64>,
    labels: Vec<f64>,
    hidden: usize,
    inputs: usize,
    /// ln of the likelihood of an example that the machine gets right, wrong, and tosses a coin for.
    ln_right: f64,
    ln_wrong: f64,
    ln_tie: f64,
    covariance: Covariance,
}

impl Posterior {
    /// The posterior of a committee of `hidden` branches after all `examples`.
    pub fn new(examples: &Examples, hidden: usize, flip_probability: f64, covariance: Covariance) -> Self {
        let inputs = examples.inputs();
        let blocks: Vec<&[f64]> = examples.blocks().collect();
        let mut rows: Vec<f64> = (0..examples.len())
            .flat_map(|i| (0..inputs).map(move |j| (i, j)))
            .map(|(i, j)| blocks[i / LANES][j * LANES + i % LANES])
            .collect();
        rows.chunks_exact_mut(inputs / hidden).for_each(|s| covariance.whiten(s));
        Self {
            rows,
            labels: examples.labels().to_vec(),
            hidden,
            inputs,
            ln_right: libm::log1p(-flip_probability),
            ln_wrong: if flip_probability > 0.0 { libm::log(flip_probability) } else { f64::NEG_INFINITY },
            ln_tie: -std::f64::consts::LN_2,
            covariance,
        }
    }

    /// Inputs of a branch, n.
    pub(super) fn branch(&self) -> usize {
        self.inputs / self.hidden
    }

    /// Labels ±1, m.
    pub(super) fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// Multiply–adds of one weighted draw.
    pub fn cost(&self) -> usize {
        self.rows.len() + 20 * self.inputs
    }

    /// The white inputs of branch `k`, example by example.
    pub(super) fn branch_rows(&self, k: usize) -> impl Iterator<Item = &[f64]> {
        let n = self.branch();
        self.rows.chunks_exact(self.inputs).map(move |row| &row[k * n..(k + 1) * n])
    }

    /// Weights on white inputs as weights on the inputs as they are.
    pub(super) fn colour_weights(&self, w: &mut [f64]) {
        w.chunks_exact_mut(self.branch()).for_each(|w| self.covariance.colour_weights(w));
    }

    /// The other way round.
    pub(super) fn whiten_weights(&self, w: &mut [f64]) {
        w.chunks_exact_mut(self.branch()).for_each(|w| self.covariance.whiten_weights(w));
    }

    /// ln of the likelihood of an example with label `y` when so many more branches vote + than −.
    pub(super) fn ln_likelihood(&self, balance: i32, y: f64) -> f64 {
        match f64::from(balance) * y {
            agreement if agreement > 0.0 => self.ln_right,
            agreement if agreement < 0.0 => self.ln_wrong,
            _ => self.ln_tie,
        }
    }
}

/// An independent draw from the prior, N, and the ln of its weight.
pub fn weighted_draw(posterior: &Posterior, stream: &mut Stream) -> (Vec<f64>, f64) {
    let mut w: Vec<f64> = (0..posterior.inputs).map(|_| stream.normal()).collect();
    let mut balances = vec![0_i32; posterior.labels.len()];
    for (k, w) in w.chunks_exact(posterior.branch()).enumerate() {
        for (balance, x) in balances.iter_mut().zip(posterior.branch_rows(k)) {
            *balance += sign(dot(x, w));
        }
    }
    let pairs = balances.iter().zip(&posterior.labels);
    let ln_weight = pairs.map(|(balance, y)| posterior.ln_likelihood(*balance, *y)).sum();
    posterior.colour_weights(&mut w);
    (w, ln_weight)
}

/// The vote of a branch with that field.
pub(super) fn sign(field: f64) -> i32 {
    if field < 0.0 { -1 } else { 1 }
}
