//! The exact posterior, by sampling: fields h ~ N(0, C) with the likelihood κ + (1−2κ) Θ(τh) of their signs, which the chain of
//! [`crate::math::hamiltonian`] follows without error in h = L u, C = L Lᵀ.
//!
//! The posterior may have parts between which a chain hardly ever moves, so there are many chains. Each begins with a draw from
//! the prior and is cooled: the likelihood of a field of the wrong sign, relative to a right one, falls from 1 to κ/(1−κ) in a
//! ladder of steps. What the likelihoods gain on the way is the chain's weight (annealed importance sampling, Neal, Stat. Comput.
//! 11, 125 (2001)): with it the chains stand for the parts as the posterior does, even if none ever leaves its own. Where chains
//! agree they have forgotten how they began, and count alike.

use crate::math::Budget;
use crate::math::chains;
use crate::math::cholesky::Cholesky;
use crate::math::hamiltonian::{Chain, Steps};
use crate::math::lanes::dot;
use crate::math::random::Stream;
use crate::models::gp::solver::site::probability;
use crate::models::gp::solver::training_set::TrainingSet;

/// The posterior of u.
struct Fields {
    /// L, row by row with zeros, m×m.
    rows: Vec<f64>,
    tau: Vec<f64>,
    /// ln of the likelihood of a wrong sign less that of a right one.
    ln_wrong: f64,
}

impl Steps for Fields {
    fn rows(&self, _branch: usize) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.tau.len())
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        if f64::from(balance) * self.tau[i] > 0.0 { 0.0 } else { self.ln_wrong }
    }
}

/// An input at which the posterior is looked at.
struct Place {
    /// L⁻¹ k, m.
    weights: Vec<f64>,
    /// Variance of its field given all others.
    var: f64,
}

/// A chain that has made its moves.
struct Ended {
    /// ln of its weight.
    ln_weight: f64,
    /// Mean probability at each place.
    means: Vec<f64>,
    /// Σ over places of (mean of the first half − mean of the second)².
    apart: f64,
}

/// How chains stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Chains {
    /// How many there are.
    pub count: usize,
    /// How many equally weighted ones would count as much as they do.
    pub effective: f64,
    /// The variance between their means over what the halves of each let expect: near 1 for chains that go everywhere, and
    /// large for chains that stay apart.
    pub ratio: f64,
}

impl Chains {
    /// Whether each goes wherever the others do.
    pub fn agree(&self) -> bool {
        self.ratio <= MOST_RATIO
    }
}

/// Sampled predictive probabilities.
pub struct Truth {
    factor: Cholesky,
    /// Inputs whose weights are still to be found.
    waiting: std::vec::IntoIter<(Vec<f64>, f64)>,
    fields: Fields,
    stream: Stream,
    places: Vec<Place>,
    /// ln of the relative likelihood of a wrong sign at each step of the ladder; the last is the posterior's own.
    ladder: Vec<f64>,
    /// The present chain, its step on the ladder and ln of its weight.
    chain: Chain,
    step: usize,
    ln_weight: f64,
    /// Sums of its probabilities in each half, and how many moves those are.
    halves: [(Vec<f64>, usize); 2],
    ended: Vec<Ended>,
    /// u of some fields that fit every label, should it come to that.
    fitting: Vec<f64>,
    kappa: f64,
    /// Moves of a chain.
    length: usize,
    draws: usize,
    done: usize,
    /// Multiply–adds since the last move was done.
    spent: f64,
}

/// Fewest chains.
const FEWEST: usize = 10;
/// A larger ratio of variances means that chains do not agree: halves of a chain are correlated by more than one half.
const MOST_RATIO: f64 = 3.0;
/// Weights that are to be flattened more than to this power are no good.
const LEAST_POWER: f64 = 0.5;
/// Without flips the ladder ends here, before wrong signs are forbidden altogether.
const COLDEST: f64 = 12.0;
/// Multiply–adds of a move after which the chain is given up: labels that hardly any field fits reflect it without end.
const MOST_SPENT: f64 = 2e9;
/// What a turn costs besides its multiply–adds.
const TURN: f64 = 1e4;

impl Truth {
    /// A sampler of `draws` moves, shared among √(draws/2) chains, for a `problem` whose noise v is in C; inputs to predict at are
    /// given by their covariances to the examples, and the variance of their own field with the noise. Without flips, a chain
    /// whose cooling does not end at fields that fit every label begins where the one before it ended, the first near `h` (m).
    /// `None` where no start fits every label though none is flipped, or C is singular.
    pub fn new(
        problem: &TrainingSet,
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
        let ln_wrong = if kappa > 0.0 { libm::log(kappa) - libm::log1p(-kappa) } else { f64::NEG_INFINITY };
        let fields = Fields { rows, tau: problem.tau.clone(), ln_wrong };
        // The mean fields, and where they miss a label, fields of the label's own sign and of the prior's size.
        let fitting: Vec<f64> = (0..m)
            .map(|i| {
                let least = 1e-3 * problem.at(i, i).sqrt();
                if h[i] * problem.tau[i] > 0.0 { h[i] } else { problem.tau[i] * least }
            })
            .collect();
        let (chain, fitting) = [h.to_vec(), fitting].into_iter().find_map(|mut u| {
            factor.solve_lower(&mut u);
            let chain = Chain::new(&fields, &u, m);
            chain.possible(&fields).then_some((chain, u))
        })?;
        let chains = (((draws / 2) as f64).sqrt() as usize).max(FEWEST);
        let length = (draws / chains).max(2);
        let waiting: Vec<_> = inputs.collect();
        let none = || (vec![0.0; waiting.len()], 0);
        let mut truth = Self {
            factor,
            ladder: ladder(m, -ln_wrong, length / 4),
            halves: [none(), none()],
            places: Vec::with_capacity(waiting.len()),
            waiting: waiting.into_iter(),
            fields,
            stream,
            chain,
            step: 0,
            ln_weight: 0.0,
            ended: Vec::new(),
            fitting,
            kappa,
            length,
            draws,
            done: 0,
            spent: 0.0,
        };
        truth.begin();
        Some(truth)
    }

    /// Whether there is next to no room between the labels, and the chain goes to and fro in it.
    pub fn stuck(&self) -> bool {
        self.spent > MOST_SPENT
    }

    /// Works until the budget is spent; `true` when all is done.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        while !budget.is_spent()
            && let Some((mut k, own)) = self.waiting.next()
        {
            self.factor.solve_lower(&mut k);
            budget.spend((k.len() * k.len() / 2) as u64);
            self.places.push(Place { var: (own - dot(&k, &k)).max(0.0), weights: k });
        }
        while !budget.is_spent() && self.done < self.draws {
            budget.spend(self.chain.cost() as u64);
            self.spent += TURN + self.chain.cost() as f64;
            if !self.chain.step(&self.fields, &mut self.stream) {
                continue;
            }
            self.spent = 0.0;
            if self.step + 1 < self.ladder.len() {
                self.cool(self.step + 1);
            } else {
                budget.spend(self.record() as u64);
            }
        }
        self.done == self.draws
    }

    /// A chain at a draw from the prior, on the first step of the ladder.
    fn begin(&mut self) {
        let m = self.fitting.len();
        let u: Vec<f64> = (0..m).map(|_| self.stream.normal()).collect();
        self.fields.ln_wrong = 0.0;
        self.chain = Chain::new(&self.fields, &u, m);
        self.ln_weight = 0.0;
        self.cool(0);
    }

    /// On to that step of the ladder.
    fn cool(&mut self, step: usize) {
        let before = self.chain.ln_likelihood(&self.fields);
        (self.step, self.fields.ln_wrong) = (step, self.ladder[step]);
        self.ln_weight += self.chain.ln_likelihood(&self.fields) - before;
        if self.kappa == 0.0 && step + 1 == self.ladder.len() {
            // Half spaces cut a convex piece out of the prior: there are no parts to be weighed.
            self.ln_weight = 0.0;
            if !self.chain.possible(&self.fields) {
                self.chain = Chain::new(&self.fields, &self.fitting, self.fitting.len());
            }
        }
    }

    /// Counts a move at the posterior, and ends the chain with its last; the work of it.
    fn record(&mut self) -> usize {
        let u = self.chain.weights();
        let second = 2 * self.halves[0].1 >= self.length;
        let (sums, moves) = &mut self.halves[usize::from(second)];
        for (sum, place) in sums.iter_mut().zip(&self.places) {
            *sum += probability(dot(&place.weights, &u), place.var, self.kappa);
        }
        *moves += 1;
        self.done += 1;
        let mut work = self.places.len() * (u.len() + 60);
        // What is too little for a further chain is left to the last one.
        let whole = self.halves[0].1 + self.halves[1].1 >= self.length;
        if self.done == self.draws || whole && self.draws - self.done >= self.length {
            self.end(u);
            work += self.fields.rows.len();
        }
        work
    }

    fn end(&mut self, u: Vec<f64>) {
        let means = self.present();
        let [(a, many), (b, more)] = &mut self.halves;
        let apart = |(a, b): (&f64, &f64)| (a / *many as f64 - b / *more as f64).powi(2);
        // A chain of one move has no halves.
        let apart = if *many > 0 && *more > 0 { a.iter().zip(&*b).map(apart).sum() } else { 0.0 };
        self.ended.push(Ended { ln_weight: self.ln_weight, means, apart });
        for (sums, moves) in &mut self.halves {
            sums.fill(0.0);
            *moves = 0;
        }
        self.fitting = u;
        // Long chains are in vain where none leaves its part: rather more of them, if their weights are any good, and cooled
        // slowly.
        if self.ended.len() == FEWEST
            && self.kappa > 0.0
            && self.ratio() > MOST_RATIO
            && self.power() >= LEAST_POWER
        {
            self.ladder = ladder(self.fitting.len(), -self.ladder[self.ladder.len() - 1], self.length / 2);
            self.length = (self.length / 4).max(2);
        }
        if self.done < self.draws {
            self.begin();
        }
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        self.done as f64 / self.draws as f64
    }

    /// Means over the moves of the present chain.
    fn present(&self) -> Vec<f64> {
        let [(a, many), (b, more)] = &self.halves;
        a.iter().zip(b).map(|(a, b)| (a + b) / (many + more) as f64).collect()
    }

    /// p(+1) at each input, averaged over the chains so far; `None` before any move counts.
    pub fn probabilities(&self) -> Option<Vec<f64>> {
        if self.ended.is_empty() {
            return (self.done > 0).then(|| self.present());
        }
        Some(self.averaged(&self.weights()))
    }

    fn averaged(&self, weights: &[f64]) -> Vec<f64> {
        let mut means = vec![0.0; self.places.len()];
        for (weight, chain) in weights.iter().zip(&self.ended) {
            for (mean, of_chain) in means.iter_mut().zip(&chain.means) {
                *mean += weight * of_chain;
            }
        }
        means
    }

    /// Standard errors of the probabilities by the scatter of chains, however alike neighbouring moves are, and by what
    /// flattening of their weights changes; none before there are two chains. 0 where all say the very same.
    pub fn standard_errors(&self) -> Vec<f64> {
        let n = self.ended.len();
        if n < 2 {
            return Vec::new();
        }
        let weights = self.weights();
        let means = self.averaged(&weights);
        let mut squares = vec![0.0; means.len()];
        if self.ratio() > MOST_RATIO {
            let unflattened = self.averaged(&self.flattened(1.0));
            for ((square, mean), other) in squares.iter_mut().zip(&means).zip(&unflattened) {
                *square = (mean - other) * (mean - other);
            }
        }
        let bessel = n as f64 / (n as f64 - 1.0);
        for (weight, chain) in weights.iter().zip(&self.ended) {
            for ((square, mean), of_chain) in squares.iter_mut().zip(&means).zip(&chain.means) {
                *square += bessel * weight * weight * (of_chain - mean) * (of_chain - mean);
            }
        }
        squares.iter().map(|square| square.sqrt()).collect()
    }

    /// Whether the chains so far agree; `None` before there are two.
    pub fn chains(&self) -> Option<Chains> {
        let effective = chains::effective(&self.weights());
        (self.ended.len() > 1).then(|| Chains { count: self.ended.len(), effective, ratio: self.ratio() })
    }

    /// Variance between chains over what their halves let expect, all places together.
    fn ratio(&self) -> f64 {
        let n = self.ended.len() as f64;
        let between: f64 = (0..self.places.len())
            .map(|i| {
                let mean = self.ended.iter().map(|chain| chain.means[i]).sum::<f64>() / n;
                self.ended.iter().map(|chain| (chain.means[i] - mean).powi(2)).sum::<f64>() / (n - 1.0)
            })
            .sum();
        let within = self.ended.iter().map(|chain| chain.apart).sum::<f64>() / (4.0 * n);
        // Chains that never say anything else agree if they say the same.
        if between <= 1e-20 { 1.0 } else { (between / within).min(1e9) }
    }

    /// What each chain so far counts, 1 in all.
    fn weights(&self) -> Vec<f64> {
        let n = self.ended.len();
        if n < 2 || self.ratio() <= MOST_RATIO {
            return vec![1.0 / n as f64; n];
        }
        self.flattened(self.power())
    }

    /// Their weights to that power, 1 in all.
    fn flattened(&self, power: f64) -> Vec<f64> {
        chains::flattened(&self.ln_weights(), power)
    }

    /// The largest power to which enough chains count.
    fn power(&self) -> f64 {
        chains::power(&self.ln_weights())
    }

    fn ln_weights(&self) -> Vec<f64> {
        self.ended.iter().map(|chain| chain.ln_weight).collect()
    }
}

/// A ladder of `steps` for m examples from the prior to where a wrong sign is e^`cold` times less likely than a right one: as
/// many signs are wrong as the temperature allows, so that its steps are equal in the logarithm.
fn ladder(m: usize, cold: f64, steps: usize) -> Vec<f64> {
    let coldest = cold.min(COLDEST);
    let first = (2.0 / m as f64).min(0.5 * coldest);
    let last = steps.max(8) - 1;
    let ratio = libm::log(coldest / first) / last as f64;
    let mut ladder: Vec<f64> = (0..last).map(|i| -first * libm::exp(ratio * i as f64)).collect();
    if cold > COLDEST {
        ladder.push(-coldest);
    }
    ladder.push(-cold);
    ladder
}

#[cfg(test)]
mod tests;
