//! Averages over the exact posterior as draws come in, whichever sampler makes them.

use super::chains::{Averages, Chains};
use super::posterior::{Posterior, weighted_draw};
use crate::data::teacher::Teacher;
use crate::math::Budget;
use crate::math::lanes::dot;
use crate::math::random::Stream;
use crate::models::feedforward::single::Sampled;

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

    /// How many there are.
    pub fn count(&self) -> usize {
        self.truth.len()
    }

    /// Multiply–adds of looking at all of them.
    pub fn cost(&self) -> usize {
        self.rows.len()
    }
}

/// A sampler at work.
pub struct Sampling {
    posterior: Posterior,
    stream: Stream,
    method: Method,
}

enum Method {
    Chains(Chains),
    Weighted(Weighted),
}

/// Independent draws from the prior.
struct Weighted {
    draws: usize,
    done: usize,
    /// Largest ln weight so far, and the sums in its units.
    ln_best: f64,
    total: f64,
    squares: f64,
    sum: Vec<f64>,
    /// Σ w² x and Σ w² x².
    square_sum: Vec<f64>,
    square_square: Vec<f64>,
    votes: Vec<f64>,
}

impl Sampling {
    /// By Markov chains.
    pub fn chains(posterior: Posterior, chains: Chains, stream: Stream) -> Self {
        Self { posterior, stream, method: Method::Chains(chains) }
    }

    /// By so many weighted draws.
    pub fn weighted(posterior: Posterior, draws: usize, fresh: &Fresh, stream: Stream) -> Self {
        let zeros = || vec![0.0; fresh.inputs];
        let weighted = Weighted {
            draws,
            done: 0,
            ln_best: f64::NEG_INFINITY,
            total: 0.0,
            squares: 0.0,
            sum: zeros(),
            square_sum: zeros(),
            square_square: zeros(),
            votes: vec![0.0; fresh.count()],
        };
        Self { posterior, stream, method: Method::Weighted(weighted) }
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        match &self.method {
            Method::Chains(chains) => chains.fraction(),
            Method::Weighted(weighted) => weighted.done as f64 / weighted.draws as f64,
        }
    }

    /// Works until the budget is spent; `true` when all is done.
    pub fn advance(&mut self, fresh: &Fresh, budget: &mut Budget) -> bool {
        let Self { posterior, stream, method } = self;
        while !budget.is_spent() {
            let work = match method {
                Method::Chains(chains) if chains.ended() => return true,
                Method::Chains(chains) => chains.step(posterior, fresh, stream),
                Method::Weighted(weighted) if weighted.done == weighted.draws => return true,
                Method::Weighted(weighted) => posterior.cost() + weighted.draw(posterior, fresh, stream),
            };
            budget.spend(work as u64);
        }
        false
    }

    /// The averages so far; `None` before anything counts.
    pub fn averages(&self, fresh: &Fresh, tap_outputs: &[f64]) -> Option<Sampled> {
        let (averages, draws) = match &self.method {
            Method::Chains(chains) => (chains.averages()?, chains.done()),
            Method::Weighted(weighted) => (weighted.averages()?, weighted.done),
        };
        Some(Sampled {
            draws,
            effective: averages.effective,
            disagree: averages.disagree,
            bayes: fresh.error(&averages.outputs),
            tap_bayes: fresh.error(tap_outputs),
            outputs: averages.outputs,
            mean: averages.mean,
            se: averages.se,
        })
    }

    /// Why there are no averages when all is done.
    pub fn failure(&self) -> &'static str {
        match self.method {
            Method::Chains(_) => {
                "the exact posterior was not sampled: no weights that fit every example were found"
            }
            Method::Weighted(_) => {
                "no draw from the prior was possible: the chain finds the posterior of more examples"
            }
        }
    }
}

impl Weighted {
    /// One draw more; how many multiply–adds it took to look at it.
    fn draw(&mut self, posterior: &Posterior, fresh: &Fresh, stream: &mut Stream) -> usize {
        let (w, ln) = weighted_draw(posterior, stream);
        self.done += 1;
        if ln > self.ln_best {
            // New units: what was the best before shrinks.
            let shrink = if self.ln_best > f64::NEG_INFINITY { libm::exp(self.ln_best - ln) } else { 0.0 };
            self.ln_best = ln;
            self.total *= shrink;
            self.squares *= shrink * shrink;
            self.sum.iter_mut().chain(&mut self.votes).for_each(|x| *x *= shrink);
            self.square_sum.iter_mut().chain(&mut self.square_square).for_each(|x| *x *= shrink * shrink);
        }
        let weight = libm::exp(ln - self.ln_best);
        if ln == f64::NEG_INFINITY || weight < 1e-14 {
            return 0;
        }
        self.total += weight;
        self.squares += weight * weight;
        for (j, w) in w.iter().enumerate() {
            self.sum[j] += weight * w;
            self.square_sum[j] += weight * weight * w;
            self.square_square[j] += weight * weight * w * w;
        }
        vote(fresh, &w, weight, &mut self.votes);
        fresh.cost()
    }

    /// Standard errors are those of a ratio of sums, and (Σw)²/Σw² draws of equal weight are as good.
    fn averages(&self) -> Option<Averages> {
        let total = Some(self.total).filter(|total| *total > 0.0)?;
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / total).collect();
        let error = |(j, mean): (usize, &f64)| {
            let square = self.square_square[j] - 2.0 * mean * self.square_sum[j] + mean * mean * self.squares;
            square.max(0.0).sqrt() / total
        };
        Some(Averages {
            se: mean.iter().enumerate().map(error).collect(),
            outputs: self.votes.iter().map(|votes| votes / total).collect(),
            effective: total * total / self.squares,
            disagree: false,
            mean,
        })
    }
}

/// Adds `weight` to every input that the machine `w` calls +1, half of it in a tie.
pub fn vote(fresh: &Fresh, w: &[f64], weight: f64, votes: &mut [f64]) {
    for (fields, votes) in fresh.fields(w).zip(votes) {
        let balance: i32 = fields.iter().map(|f| if *f < 0.0 { -1 } else { 1 }).sum();
        *votes += weight
            * match balance {
                0 => 0.5,
                balance => f64::from(u8::from(balance > 0)),
            };
    }
}
