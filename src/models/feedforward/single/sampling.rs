//! Averages over the exact posterior as draws come in, whichever sampler makes them.

use super::super::hamiltonian::Chain;
use super::super::posterior::{Posterior, weighted_draw};
use super::Sampled;
use crate::data::teacher::Teacher;
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// Batches whose means give the chain's standard errors.
const BATCHES: usize = 32;

/// Fresh inputs at which predictions are compared.
#[derive(Clone, Debug)]
pub struct Fresh {
    /// As the student sees them, count×N.
    rows: Vec<f64>,
    /// The noiseless labels, 0 where a coin decides.
    truth: Vec<f64>,
    inputs: usize,
    branch: usize,
}

impl Fresh {
    /// `count` inputs of that `teacher`.
    pub fn draw(teacher: &Teacher, count: usize, stream: &mut Stream) -> Self {
        let inputs = teacher.inputs();
        let (mut rows, mut truth) = (Vec::with_capacity(count * inputs.count), Vec::new());
        let mut row = vec![0.0; inputs.count];
        for _ in 0..count {
            inputs.draw(stream, &mut row);
            truth.push(teacher.clean(&row));
            inputs.colour(&mut row);
            rows.extend(&row);
        }
        Self { rows, truth, inputs: inputs.count, branch: inputs.branch }
    }

    /// Fields of the branches with weights `w` at each input, over √n.
    pub fn fields<'a>(&'a self, w: &'a [f64]) -> impl Iterator<Item = Vec<f64>> + 'a {
        let n = self.branch;
        self.rows.chunks_exact(self.inputs).map(move |row| {
            row.chunks_exact(n).zip(w.chunks_exact(n)).map(|(s, w)| dot(s, w) / (n as f64).sqrt()).collect()
        })
    }

    /// Share of inputs at which the more probable output is not the truth.
    pub fn error(&self, outputs: &[f64]) -> f64 {
        let wrong = |(p, truth): (&f64, &f64)| match (p - 0.5) * truth {
            agreement if agreement > 0.0 => 0.0,
            agreement if agreement < 0.0 => 1.0,
            _ => 0.5,
        };
        outputs.iter().zip(&self.truth).map(wrong).sum::<f64>() / self.truth.len() as f64
    }

    fn cost(&self) -> usize {
        self.rows.len()
    }
}

/// A sampler at work.
pub struct Sampling {
    posterior: Posterior,
    /// `None`: weighted draws.
    chain: Option<Chain>,
    stream: Stream,
    draws: usize,
    done: usize,
    /// Largest ln weight so far, and the sums in its units.
    ln_best: f64,
    total: f64,
    squares: f64,
    sum: Vec<f64>,
    /// Σ w² x and Σ w² x² of weighted draws; of the chain, Σ x² in the second.
    square_sum: Vec<f64>,
    square_square: Vec<f64>,
    /// Means of the chain's batches.
    batches: Vec<Vec<f64>>,
    batch: Vec<f64>,
    votes: Vec<f64>,
    voted: f64,
}

impl Sampling {
    /// `draws` of a Markov chain from `start`, or weighted ones without it.
    pub fn new(
        posterior: Posterior,
        chain: Option<Chain>,
        fresh: &Fresh,
        draws: usize,
        stream: Stream,
    ) -> Self {
        let n = fresh.inputs;
        Self {
            posterior,
            chain,
            stream,
            draws,
            done: 0,
            ln_best: f64::NEG_INFINITY,
            total: 0.0,
            squares: 0.0,
            sum: vec![0.0; n],
            square_sum: vec![0.0; n],
            square_square: vec![0.0; n],
            batches: Vec::new(),
            batch: vec![0.0; n],
            votes: vec![0.0; fresh.truth.len()],
            voted: 0.0,
        }
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        self.done as f64 / self.draws as f64
    }

    /// About so many multiply–adds of work; `true` when all is done.
    pub fn advance(&mut self, fresh: &Fresh, budget: usize) -> bool {
        let mut work = 0;
        while work < budget && self.done < self.draws {
            work += match self.chain.take() {
                Some(mut chain) => {
                    let moved = chain.step(&self.posterior, &mut self.stream);
                    let cost = chain.cost() + if moved { self.chain_draw(fresh, &chain) } else { 0 };
                    self.chain = Some(chain);
                    cost
                }
                None => self.posterior.cost() + self.weighted_draw(fresh),
            };
        }
        self.done == self.draws
    }

    /// Takes in where a move of the chain has ended; a tenth of them are to forget where it began.
    fn chain_draw(&mut self, fresh: &Fresh, chain: &Chain) -> usize {
        let forgotten = self.draws / 10;
        self.done += 1;
        if self.done <= forgotten {
            return 0;
        }
        let w = chain.weights(&self.posterior);
        self.total += 1.0;
        self.voted += 1.0;
        for (j, w) in w.iter().enumerate() {
            self.sum[j] += w;
            self.batch[j] += w;
            self.square_square[j] += w * w;
        }
        let size = ((self.draws - forgotten) / BATCHES).max(1);
        if (self.done - forgotten).is_multiple_of(size) && self.batches.len() < BATCHES {
            self.batches.push(self.batch.iter().map(|sum| sum / size as f64).collect());
            self.batch.fill(0.0);
        }
        vote(fresh, &w, 1.0, &mut self.votes);
        fresh.cost()
    }

    fn weighted_draw(&mut self, fresh: &Fresh) -> usize {
        let (w, ln) = weighted_draw(&self.posterior, &mut self.stream);
        self.done += 1;
        if ln > self.ln_best {
            // New units: what was the best before shrinks.
            let shrink = if self.ln_best > f64::NEG_INFINITY { libm::exp(self.ln_best - ln) } else { 0.0 };
            self.ln_best = ln;
            self.total *= shrink;
            self.voted *= shrink;
            self.squares *= shrink * shrink;
            self.sum.iter_mut().chain(&mut self.votes).for_each(|x| *x *= shrink);
            self.square_sum.iter_mut().chain(&mut self.square_square).for_each(|x| *x *= shrink * shrink);
        }
        let weight = libm::exp(ln - self.ln_best);
        if ln == f64::NEG_INFINITY || weight < 1e-14 {
            return 0;
        }
        self.total += weight;
        self.voted += weight;
        self.squares += weight * weight;
        for (j, w) in w.iter().enumerate() {
            self.sum[j] += weight * w;
            self.square_sum[j] += weight * weight * w;
            self.square_square[j] += weight * weight * w * w;
        }
        vote(fresh, &w, weight, &mut self.votes);
        fresh.cost()
    }

    /// The averages so far; `None` before anything counts.
    pub fn averages(&self, fresh: &Fresh, tap_outputs: &[f64]) -> Option<Sampled> {
        if self.total == 0.0 || self.voted == 0.0 {
            return None;
        }
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / self.total).collect();
        let (se, effective) =
            if self.chain.is_some() { self.chain_errors(&mean) } else { self.weighted_errors(&mean) };
        let outputs: Vec<f64> = self.votes.iter().map(|votes| votes / self.voted).collect();
        Some(Sampled {
            se,
            effective,
            draws: self.done,
            bayes: fresh.error(&outputs),
            tap_bayes: fresh.error(tap_outputs),
            outputs,
            mean,
        })
    }

    /// Standard errors of a ratio of sums, and (Σw)²/Σw² draws of equal weight.
    fn weighted_errors(&self, mean: &[f64]) -> (Vec<f64>, f64) {
        let error = |(j, mean): (usize, &f64)| {
            let square = self.square_square[j] - 2.0 * mean * self.square_sum[j] + mean * mean * self.squares;
            square.max(0.0).sqrt() / self.total
        };
        (mean.iter().enumerate().map(error).collect(), self.total * self.total / self.squares)
    }

    /// Standard errors from the scatter of batch means, and the number of independent draws with the same.
    fn chain_errors(&self, mean: &[f64]) -> (Vec<f64>, f64) {
        let count = self.batches.len() as f64;
        if count < 2.0 {
            return (vec![f64::NAN; mean.len()], f64::NAN);
        }
        let (mut errors, mut plain, mut correlated) = (Vec::new(), 0.0, 0.0);
        for j in 0..mean.len() {
            let centre = self.batches.iter().map(|b| b[j]).sum::<f64>() / count;
            let scatter = self.batches.iter().map(|b| (b[j] - centre) * (b[j] - centre)).sum::<f64>();
            let square = scatter / (count * (count - 1.0));
            errors.push(square.sqrt());
            correlated += square;
            plain += (self.square_square[j] / self.total - mean[j] * mean[j]).max(0.0);
        }
        (errors, if correlated > 0.0 { plain / correlated } else { f64::NAN })
    }
}

/// Adds `weight` to every input that the machine `w` calls +1, half of it in a tie.
fn vote(fresh: &Fresh, w: &[f64], weight: f64, votes: &mut [f64]) {
    for (fields, votes) in fresh.fields(w).zip(votes) {
        let balance: i32 = fields.iter().map(|f| if *f < 0.0 { -1 } else { 1 }).sum();
        *votes += weight
            * match balance {
                0 => 0.5,
                balance => f64::from(u8::from(balance > 0)),
            };
    }
}
