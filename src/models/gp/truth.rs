//! The exact posterior, by sampling: fields h ~ N(0, C) with the likelihood κ + (1−2κ) Θ(τh) of their signs, which the chain of
//! [`crate::math::hamiltonian`] follows without error in h = L u, C = L Lᵀ.

use super::problem::Problem;
use super::site::probability;
use crate::math::cholesky::Cholesky;
use crate::math::hamiltonian::{Chain, Steps};
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// The posterior of u.
struct Fields {
    /// L, row by row with zeros, m×m.
    rows: Vec<f64>,
    tau: Vec<f64>,
    ln_right: f64,
    ln_wrong: f64,
}

impl Steps for Fields {
    fn rows(&self, _branch: usize) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.tau.len())
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        if f64::from(balance) * self.tau[i] > 0.0 { self.ln_right } else { self.ln_wrong }
    }
}

/// An input at which the posterior is looked at.
struct Place {
    /// L⁻¹ k, m.
    weights: Vec<f64>,
    /// Variance of its field given all others.
    var: f64,
}

/// Sampled predictive probabilities.
pub struct Truth {
    factor: Cholesky,
    /// Inputs whose weights are still to be found.
    waiting: std::vec::IntoIter<(Vec<f64>, f64)>,
    fields: Fields,
    chain: Chain,
    stream: Stream,
    places: Vec<Place>,
    /// Of all probabilities, of those in whole batches, and of the squares of what each such batch sums to.
    sums: Vec<f64>,
    whole: Vec<f64>,
    squares: Vec<f64>,
    kappa: f64,
    draws: usize,
    done: usize,
    /// Multiply–adds since the last move was done.
    spent: f64,
}

/// Batches of moves, whose spread is the standard error however alike neighbouring moves are.
const BATCHES: usize = 20;
/// Multiply–adds of a move after which the chain is given up: labels that hardly any field fits reflect it without end.
const MOST_SPENT: f64 = 2e9;
/// What a turn costs besides its multiply–adds.
const TURN: f64 = 1e4;

impl Truth {
    /// A sampler of `draws` moves for a `problem` whose noise v is in C, begun at fields `h` (m); inputs to predict at are given by
    /// their covariances to the examples, and the variance of their own field with the noise. `None` where no start fits every
    /// label though none is flipped, or C is singular.
    pub fn new(
        problem: &Problem,
        h: &[f64],
        inputs: impl Iterator<Item = (Vec<f64>, f64)>,
        draws: usize,
        stream: Stream,
    ) -> Option<Self> {
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
        let kappa = problem.kappa;
        let fields = Fields {
            rows,
            tau: problem.tau.clone(),
            ln_right: libm::log1p(-kappa),
            ln_wrong: if kappa > 0.0 { libm::log(kappa) } else { f64::NEG_INFINITY },
        };
        // The mean fields, and where they miss a label, fields of the label's own sign and of the prior's size.
        let fitting: Vec<f64> = (0..m)
            .map(|i| {
                let least = 1e-3 * problem.at(i, i).sqrt();
                if h[i] * problem.tau[i] > 0.0 { h[i] } else { problem.tau[i] * least }
            })
            .collect();
        let chain = [h.to_vec(), fitting].into_iter().find_map(|mut h| {
            factor.solve_lower(&mut h);
            Some(Chain::new(&fields, &h, m)).filter(|chain| chain.possible(&fields))
        })?;
        let waiting: Vec<_> = inputs.collect();
        Some(Self {
            factor,
            sums: vec![0.0; waiting.len()],
            whole: vec![0.0; waiting.len()],
            squares: vec![0.0; waiting.len()],
            places: Vec::with_capacity(waiting.len()),
            waiting: waiting.into_iter(),
            fields,
            chain,
            stream,
            kappa,
            draws,
            done: 0,
            spent: 0.0,
        })
    }

    /// Whether there is next to no room between the labels, and the chain goes to and fro in it.
    pub fn stuck(&self) -> bool {
        self.spent > MOST_SPENT
    }

    /// About so many multiply–adds of work; `true` when all is done.
    pub fn advance(&mut self, budget: usize) -> bool {
        let mut work = 0;
        while work < budget
            && let Some((mut k, own)) = self.waiting.next()
        {
            self.factor.solve_lower(&mut k);
            work += k.len() * k.len() / 2;
            self.places.push(Place { var: (own - dot(&k, &k)).max(0.0), weights: k });
        }
        while work < budget && self.done < self.draws {
            work += self.chain.cost();
            self.spent += TURN + self.chain.cost() as f64;
            if !self.chain.step(&self.fields, &mut self.stream) {
                continue;
            }
            self.done += 1;
            self.spent = 0.0;
            // A tenth of the moves are to forget where the chain began.
            if self.done > self.draws / 10 {
                let u = self.chain.weights();
                work += self.places.len() * (u.len() + 60);
                for (sum, place) in self.sums.iter_mut().zip(&self.places) {
                    *sum += probability(dot(&place.weights, &u), place.var, self.kappa);
                }
                if self.counted().is_multiple_of(self.batch_moves()) {
                    for (i, sum) in self.sums.iter().enumerate() {
                        self.squares[i] += (sum - self.whole[i]) * (sum - self.whole[i]);
                        self.whole[i] = *sum;
                    }
                }
            }
        }
        self.done == self.draws
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        self.done as f64 / self.draws as f64
    }

    /// Moves that count so far.
    fn counted(&self) -> usize {
        self.done.saturating_sub(self.draws / 10)
    }

    fn batch_moves(&self) -> usize {
        ((self.draws - self.draws / 10) / BATCHES).max(1)
    }

    /// p(+1) at each input, averaged over the moves so far; `None` before any counts.
    pub fn probabilities(&self) -> Option<Vec<f64>> {
        let counted = self.counted();
        (counted > 0).then(|| self.sums.iter().map(|sum| sum / counted as f64).collect())
    }

    /// Standard errors of the probabilities by batch means; none before two batches are whole.
    pub fn standard_errors(&self) -> Vec<f64> {
        let (moves, batches) = (self.batch_moves() as f64, self.counted() / self.batch_moves());
        if batches < 2 {
            return Vec::new();
        }
        let n = batches as f64;
        let each = self.whole.iter().zip(&self.squares);
        each.map(|(sum, square)| {
            let mean = sum / (n * moves);
            ((square / (n * moves * moves) - mean * mean).max(0.0) / (n - 1.0)).sqrt()
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::{Kernel, Kind};
    use super::*;

    /// No line has opposite corners on one side; only rounding leaves any room.
    #[test]
    fn labels_that_no_field_fits_are_given_up() {
        let corners = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
        let rows: Vec<Vec<f64>> =
            (0..20).map(|i| corners[i % 4].iter().map(|x| x * (1.0 + 0.05 * i as f64)).collect()).collect();
        let tau: Vec<f64> = (0..20).map(|i| if i % 4 < 2 { 1.0 } else { -1.0 }).collect();
        let problem = Problem::new(&rows, &tau, &Kernel::isotropic(Kind::Linear, 2, 0.3), 0.0, 0.0);
        let here = std::iter::once((vec![0.0; 20], 1.0));
        let mut truth = Truth::new(&problem, &tau, here, 100, Stream::of(1, 0)).unwrap();
        while !truth.advance(10_000_000) && !truth.stuck() {}
        assert!(truth.stuck());
    }
}
