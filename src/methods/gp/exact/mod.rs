//! The exact posterior, by sampling: fields h ~ N(0, C) with the likelihood κ + (1−2κ) Θ(τh) of their signs, which the chains of
//! [`crate::math::annealing`] follow without error in h = L u, C = L Lᵀ.

mod blocks;

pub use blocks::{Block, BlockRow, Draws, Probe, sample};

use crate::gp::solver::site::probability;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::annealing::Annealed;
use crate::math::cholesky::Cholesky;
use crate::math::exact_hmc::StepLikelihood;
use crate::math::lanes::dot;

/// An input at which the posterior is looked at.
struct Place {
    /// L⁻¹ k, m.
    weights: Vec<f64>,
    /// Variance of its field given all others.
    var: f64,
}

/// The posterior of u, and the inputs at which predictive probabilities are averaged over it.
pub struct Truth {
    factor: Cholesky,
    /// L, row by row with zeros, m×m.
    rows: Vec<f64>,
    tau: Vec<f64>,
    kappa: f64,
    /// Inputs whose weights are still to be found.
    waiting: std::vec::IntoIter<(Vec<f64>, f64)>,
    places: Vec<Place>,
}

/// See [`Annealed::tempered`].
pub struct Tempered<'a> {
    truth: &'a Truth,
    log_odds: f64,
}

impl StepLikelihood for Tempered<'_> {
    fn rows(&self, _branch: usize) -> impl Iterator<Item = &[f64]> {
        self.truth.rows.chunks_exact(self.truth.tau.len())
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        if f64::from(balance) * self.truth.tau[i] > 0.0 { 0.0 } else { -self.log_odds }
    }
}

impl Annealed for Truth {
    type Tempered<'a> = Tempered<'a>;

    fn tempered(&self, log_odds: f64) -> Tempered<'_> {
        Tempered { truth: self, log_odds }
    }

    fn log_odds(&self) -> f64 {
        if self.kappa > 0.0 { libm::log1p(-self.kappa) - libm::log(self.kappa) } else { f64::INFINITY }
    }

    fn weights(&self) -> (usize, usize) {
        (self.tau.len(), self.tau.len())
    }

    fn quantities(&self) -> (usize, usize) {
        (self.places.len(), 0)
    }

    fn add(&self, u: &[f64], compared: &mut [f64], _others: &mut [f64]) {
        for (sum, place) in compared.iter_mut().zip(&self.places) {
            *sum += probability(dot(&place.weights, u), place.var, self.kappa);
        }
    }

    fn cost(&self) -> u64 {
        (self.places.len() * (self.tau.len() + 60)) as u64
    }
}

impl Truth {
    /// The posterior of a `problem` whose noise v is in C; inputs to predict at are given by their covariances to the examples,
    /// and the variance of their own field with the noise. `None` where C is singular.
    pub fn new(problem: &TrainingSet, inputs: impl Iterator<Item = (Vec<f64>, f64)>) -> Option<Self> {
        let m = problem.len();
        let trace: f64 = (0..m).map(|i| problem.at(i, i)).sum();
        // A little more on the diagonal where rounding has taken it.
        let factor = [0.0, 1e-10, 1e-8].into_iter().find_map(|jitter| {
            let extra = jitter * trace / m as f64;
            Cholesky::new(m, |i, j| problem.at(i, j) + if i == j { extra } else { 0.0 })
        })?;
        let mut rows = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..=i {
                rows[i * m + j] = factor.at(i, j);
            }
        }
        let waiting: Vec<_> = inputs.collect();
        Some(Self {
            factor,
            rows,
            tau: problem.tau.clone(),
            kappa: problem.kappa,
            places: Vec::with_capacity(waiting.len()),
            waiting: waiting.into_iter(),
        })
    }

    /// Gets the inputs ready until the budget is spent; `true` once all are, and chains can begin.
    pub fn prepare(&mut self, budget: &mut Budget) -> bool {
        while !budget.is_spent()
            && let Some((mut k, own)) = self.waiting.next()
        {
            self.factor.solve_lower(&mut k);
            budget.spend((k.len() * k.len() / 2) as u64);
            self.places.push(Place { var: (own - dot(&k, &k)).max(0.0), weights: k });
        }
        self.waiting.len() == 0
    }

    /// u of fields that fit every label: the mean fields `h` (m), and where these miss a label, fields of the label's own sign and
    /// small beside the prior's. `None` where neither does, though no label is flipped.
    fn fitting(&self, h: &[f64]) -> Option<Vec<f64>> {
        let m = self.tau.len();
        let fields: Vec<f64> = (0..m)
            .map(|i| {
                let row = &self.rows[i * m..][..m];
                let least = 1e-3 * dot(row, row).sqrt();
                if h[i] * self.tau[i] > 0.0 { h[i] } else { self.tau[i] * least }
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
