//! The exact posterior by Markov chains: fields h ~ N(0, C) with the likelihood κ + (1−2κ) Θ(τh), OW98 eq. (4). The chains of
//! [`crate::math::annealing`] move in white coordinates u with h = L u, C = L Lᵀ, without discretisation error.

mod blocks;
pub mod evidence;

pub use blocks::{BlockSamples, ChainBlock, Draws, StartProbe, sample};

use crate::gp::solver::site::probability;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::annealing::Annealed;
use crate::math::cholesky::Cholesky;
use crate::math::exact_hmc::StepLikelihood;
use crate::math::lanes::dot;

/// An input at which the predictive probability is averaged.
struct QueryInput {
    /// L⁻¹ k, m, with the covariances k of its field with those of the examples.
    weights: Vec<f64>,
    /// Variance of its field given the fields of the examples, with the noise v.
    var: f64,
}

/// The posterior of u, with the inputs at which predictive probabilities are averaged over it.
pub struct ExactPosterior {
    /// Cholesky factor L of C.
    factor: Cholesky,
    /// L, row by row with zeros above the diagonal, m×m.
    rows: Vec<f64>,
    tau: Vec<f64>,
    kappa: f64,
    /// Inputs whose weights have not been computed: covariances with the examples, m, and variance.
    pending: std::vec::IntoIter<(Vec<f64>, f64)>,
    queries: Vec<QueryInput>,
}

/// A tempered posterior, see [`Annealed::tempered`].
pub struct TemperedPosterior<'a> {
    posterior: &'a ExactPosterior,
    log_odds: f64,
}

impl StepLikelihood for TemperedPosterior<'_> {
    fn rows(&self, _branch: usize) -> impl Iterator<Item = &[f64]> {
        self.posterior.rows.chunks_exact(self.posterior.tau.len())
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        if f64::from(balance) * self.posterior.tau[i] > 0.0 { 0.0 } else { -self.log_odds }
    }
}

impl Annealed for ExactPosterior {
    type Tempered<'a> = TemperedPosterior<'a>;

    fn tempered(&self, log_odds: f64) -> TemperedPosterior<'_> {
        TemperedPosterior { posterior: self, log_odds }
    }

    fn log_odds(&self) -> f64 {
        if self.kappa > 0.0 { libm::log1p(-self.kappa) - libm::log(self.kappa) } else { f64::INFINITY }
    }

    fn weights(&self) -> (usize, usize) {
        (self.tau.len(), self.tau.len())
    }

    fn quantities(&self) -> (usize, usize) {
        (self.queries.len(), 0)
    }

    fn add(&self, u: &[f64], compared: &mut [f64], _others: &mut [f64]) {
        for (sum, query) in compared.iter_mut().zip(&self.queries) {
            *sum += probability(dot(&query.weights, u), query.var, self.kappa);
        }
    }

    fn cost(&self) -> u64 {
        (self.queries.len() * (self.tau.len() + 60)) as u64
    }
}

impl ExactPosterior {
    /// Returns the posterior of a `set` with the noise v in C. The `inputs` of predictions are given by the covariances of their fields
    /// with those of the examples, m, and by the variance of their field with the noise v. Returns `None` if C is singular.
    pub fn new(set: &TrainingSet, inputs: impl Iterator<Item = (Vec<f64>, f64)>) -> Option<Self> {
        let m = set.len();
        let trace: f64 = (0..m).map(|i| set.at(i, i)).sum();
        // Rounding may leave C without a factor; then a small number is added to its diagonal.
        let factor = [0.0, 1e-10, 1e-8].into_iter().find_map(|jitter| {
            let extra = jitter * trace / m as f64;
            Cholesky::new(m, |i, j| set.at(i, j) + if i == j { extra } else { 0.0 })
        })?;
        let mut rows = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..=i {
                rows[i * m + j] = factor.at(i, j);
            }
        }
        let pending: Vec<_> = inputs.collect();
        Some(Self {
            factor,
            rows,
            tau: set.tau.clone(),
            kappa: set.kappa,
            queries: Vec::with_capacity(pending.len()),
            pending: pending.into_iter(),
        })
    }

    /// Computes the weights of the inputs until the budget is spent. Returns `true` once all are done and chains can start.
    pub fn prepare(&mut self, budget: &mut Budget) -> bool {
        while !budget.is_spent()
            && let Some((mut k, prior)) = self.pending.next()
        {
            self.factor.solve_lower(&mut k);
            budget.spend((k.len() * k.len() / 2) as u64);
            self.queries.push(QueryInput { var: (prior - dot(&k, &k)).max(0.0), weights: k });
        }
        self.pending.len() == 0
    }

    /// Returns u, m, of fields that satisfy every label: of the mean fields `h` (m), or with the fields that miss a label replaced by small
    /// ones of its sign. With flips any fields will do. Returns `None` if neither satisfies all labels without flips.
    fn white_start(&self, h: &[f64]) -> Option<Vec<f64>> {
        let m = self.tau.len();
        let fields: Vec<f64> = (0..m)
            .map(|i| {
                let row = &self.rows[i * m..][..m];
                let small = 1e-3 * dot(row, row).sqrt();
                if h[i] * self.tau[i] > 0.0 { h[i] } else { self.tau[i] * small }
            })
            .collect();
        [h.to_vec(), fields].into_iter().find_map(|mut u| {
            self.factor.solve_lower(&mut u);
            let fits = |(row, tau): (&[f64], &f64)| dot(row, &u) * tau > 0.0;
            let all = self.rows.chunks_exact(m).zip(&self.tau).all(fits);
            (self.kappa > 0.0 || all).then_some(u)
        })
    }
}

#[cfg(test)]
mod tests;
