//! A Markov chain that is led from the prior to the posterior by a likelihood that grows (annealing).
//!
//! The posterior of signs may have parts between which a chain hardly ever moves, so there are many chains, each with its own
//! random stream. A chain begins with a draw from the prior; the log odds of a right label, by which the likelihood prefers it
//! to a wrong one, grow on a ladder from nearly 0 to the posterior's own. What the likelihoods gain on the way is the chain's
//! weight (annealed importance sampling, Neal, Stat. Comput. 11, 125 (2001)), with which [`super::chains`] averages.

use super::Budget;
use super::chains::ChainMean;
use super::exact_hmc::{ExactHmc, StepLikelihood};
use super::random::Stream;

/// A posterior of signs, with log odds that can be lowered, and what is averaged over it.
pub trait Annealed {
    /// The likelihood with other log odds.
    type Tempered<'a>: StepLikelihood
    where
        Self: 'a;

    /// The likelihood with these log odds of a right label; 0 is the prior.
    fn tempered(&self, log_odds: f64) -> Self::Tempered<'_>;
    /// The posterior's own log odds; infinite without noise.
    fn log_odds(&self) -> f64;
    /// Number of weights, and of those of a branch.
    fn weights(&self) -> (usize, usize);
    /// How many quantities are averaged: those by which chains are compared, and others.
    fn quantities(&self) -> (usize, usize);
    /// Adds the quantities at the weights `u`, white, to their sums.
    fn add(&self, u: &[f64], compared: &mut [f64], others: &mut [f64]);
    /// Multiply–adds of that.
    fn cost(&self) -> u64;
}

/// Moves at most with log odds that are as good as certainty, until no label is wrong where none may be.
const WAIT: usize = 60;
/// Moves at the posterior that do not count.
const SETTLE: usize = 5;
/// Log odds that are as good as certainty on the way.
const CERTAIN: f64 = 12.0;
/// Fewest steps of a ladder.
const FEWEST: usize = 8;
/// Multiply–adds of a move after which the chain is given up: labels that hardly any field fits reflect it without end.
const MOST_SPENT: u64 = 2_000_000_000;
/// What a change of a vote costs besides its multiply–adds.
const TURN: u64 = 10_000;

/// How a chain ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// It made its moves.
    Whole,
    /// It did not come to weights that every label allows.
    Lost,
    /// There is next to no room between the labels, and it goes to and fro in it.
    Stuck,
}

/// A chain under way.
pub struct AnnealedChain {
    chain: ExactHmc,
    stream: Stream,
    /// Log odds of the way; the last are the posterior's own.
    ladder: Vec<f64>,
    rung: usize,
    /// Moves on the way, of waiting and of settling.
    waited: usize,
    settled: usize,
    ln_weight: f64,
    /// Where it begins should it be lost.
    fallback: Option<Vec<f64>>,
    /// Moves wanted and counted.
    length: usize,
    counted: usize,
    /// Sums of what chains are compared by over the first and the second half, and of the rest.
    halves: [Vec<f64>; 2],
    others: Vec<f64>,
    /// Multiply–adds since the last move was done.
    spent: u64,
}

impl AnnealedChain {
    /// One that begins with a draw from the prior, is led on a ladder of `steps` for `examples`, and counts `length` moves.
    pub fn new(
        target: &impl Annealed,
        examples: usize,
        steps: usize,
        length: usize,
        mut stream: Stream,
    ) -> Self {
        let ladder = ladder(examples, target.log_odds(), steps);
        let (weights, branch) = target.weights();
        let u: Vec<f64> = (0..weights).map(|_| stream.normal()).collect();
        let first = target.tempered(ladder[0]);
        let chain = ExactHmc::new(&first, &u, branch);
        // From the prior to the first likelihood.
        let ln_weight = chain.ln_likelihood(&first);
        let (compared, others) = target.quantities();
        Self {
            chain,
            stream,
            ladder,
            rung: 0,
            waited: 0,
            settled: 0,
            ln_weight,
            fallback: None,
            length,
            counted: 0,
            halves: [vec![0.0; compared], vec![0.0; compared]],
            others: vec![0.0; others],
            spent: 0,
        }
    }

    /// The same, which begins anew at the posterior with the weights `u` should it be lost. It has weight 1.
    #[must_use]
    pub fn with_fallback(mut self, u: &[f64]) -> Self {
        self.fallback = Some(u.to_vec());
        self
    }

    /// One that begins at the weights `u`, which the posterior must allow, and has weight 1.
    pub fn at(target: &impl Annealed, u: &[f64], length: usize, stream: Stream) -> Self {
        let mut chain = Self::new(target, 1, 1, length, stream);
        chain.restart_at(target, u);
        chain
    }

    fn restart_at(&mut self, target: &impl Annealed, u: &[f64]) {
        self.rung = self.ladder.len() - 1;
        self.chain = ExactHmc::new(&target.tempered(target.log_odds()), u, target.weights().1);
        self.ln_weight = 0.0;
    }

    /// Works until the budget is spent or the chain has ended.
    pub fn advance(&mut self, target: &impl Annealed, budget: &mut Budget) -> Option<ChainEnd> {
        while !budget.is_spent() {
            let cost = self.chain.cost() as u64;
            budget.spend(cost);
            self.spent += TURN + cost;
            if !self.chain.step(&target.tempered(self.ladder[self.rung]), &mut self.stream) {
                if self.spent > MOST_SPENT {
                    return Some(ChainEnd::Stuck);
                }
                continue;
            }
            self.spent = 0;
            if self.rung + 1 < self.ladder.len() {
                if !self.climb(target) {
                    return Some(ChainEnd::Lost);
                }
            } else if self.settled < SETTLE {
                self.settled += 1;
            } else {
                let half = &mut self.halves[usize::from(2 * self.counted >= self.length)];
                target.add(&self.chain.weights(), half, &mut self.others);
                budget.spend(target.cost());
                self.counted += 1;
                if self.counted == self.length {
                    return Some(ChainEnd::Whole);
                }
            }
        }
        None
    }

    /// On to the next log odds; `false` where those allow no weights near here.
    fn climb(&mut self, target: &impl Annealed) -> bool {
        let [here, next] = [0, 1].map(|i| target.tempered(self.ladder[self.rung + i]));
        let gain = self.chain.ln_likelihood(&next) - self.chain.ln_likelihood(&here);
        if gain > f64::NEG_INFINITY {
            self.ln_weight += gain;
            self.rung += 1;
        } else if self.waited < WAIT {
            self.waited += 1;
        } else if let Some(u) = self.fallback.take() {
            self.restart_at(target, &u);
            self.fallback = Some(u);
        } else {
            return false;
        }
        true
    }

    /// Fraction of its moves done.
    pub fn fraction(&self) -> f64 {
        (self.rung + self.settled + self.counted) as f64
            / (self.ladder.len() - 1 + SETTLE + self.length) as f64
    }

    /// Moves so far that count.
    pub fn counted(&self) -> usize {
        self.counted
    }

    /// The weights after the last move.
    pub fn weights(&self) -> Vec<f64> {
        self.chain.weights()
    }

    /// What it says so far; `None` before any move counts.
    pub fn mean(&self) -> Option<ChainMean> {
        let second = self.counted.saturating_sub(self.length.div_ceil(2));
        let first = self.counted - second;
        let [a, b] = &self.halves;
        let pairs = || a.iter().zip(b);
        let apart = |(a, b): (&f64, &f64)| 0.25 * (a / first as f64 - b / second as f64).powi(2);
        let mean = |sum: f64| (sum / self.counted as f64) as f32;
        (self.counted > 0).then(|| ChainMean {
            ln_weight: if self.fallback.is_some() { 0.0 } else { self.ln_weight },
            mean: pairs().map(|(a, b)| mean(a + b)).collect(),
            // A chain of one move has no halves.
            gap: if second > 0 { pairs().map(apart).sum() } else { 0.0 },
            others: self.others.iter().map(|sum| mean(*sum)).collect(),
        })
    }
}

/// A ladder of `steps` for m examples from the prior to these log odds: as many labels are wrong as the log odds allow, so that
/// its steps are equal in the logarithm.
fn ladder(m: usize, log_odds: f64, steps: usize) -> Vec<f64> {
    let end = log_odds.min(CERTAIN);
    let first = (2.0 / m as f64).min(0.5 * end);
    let last = steps.max(FEWEST) - 1;
    let ratio = libm::log(end / first) / last as f64;
    let mut ladder: Vec<f64> = (0..last).map(|i| first * libm::exp(ratio * i as f64)).collect();
    if log_odds > CERTAIN {
        ladder.push(end);
    }
    ladder.push(log_odds);
    ladder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chains::ChainEnsemble;
    use crate::exact_hmc::sign;
    use crate::lanes::dot;

    /// Two weights, and signs of their sums with some inputs; the first weight is averaged, and its square.
    struct Toy {
        rows: Vec<[f64; 2]>,
        log_odds: f64,
    }

    struct Tempered<'a>(&'a Toy, f64);

    impl StepLikelihood for Tempered<'_> {
        fn rows(&self, _k: usize) -> impl Iterator<Item = &[f64]> {
            self.0.rows.iter().map(<[f64; 2]>::as_slice)
        }
        fn ln_likelihood(&self, _i: usize, balance: i32) -> f64 {
            if balance > 0 { 0.0 } else { -self.1 }
        }
    }

    impl Annealed for Toy {
        type Tempered<'a> = Tempered<'a>;
        fn tempered(&self, log_odds: f64) -> Tempered<'_> {
            Tempered(self, log_odds)
        }
        fn log_odds(&self) -> f64 {
            self.log_odds
        }
        fn weights(&self) -> (usize, usize) {
            (2, 2)
        }
        fn quantities(&self) -> (usize, usize) {
            (1, 1)
        }
        fn add(&self, u: &[f64], compared: &mut [f64], others: &mut [f64]) {
            compared[0] += u[0];
            others[0] += u[0] * u[0];
        }
        fn cost(&self) -> u64 {
            1
        }
    }

    fn chains(toy: &Toy, count: u64, fallback: Option<&[f64]>) -> Vec<ChainMean> {
        let chain = |i| {
            let mut chain = AnnealedChain::new(toy, toy.rows.len(), 20, 40, Stream::of(3, i));
            if let Some(u) = fallback {
                chain = chain.with_fallback(u);
            }
            let end =
                std::iter::repeat_with(|| chain.advance(toy, &mut Budget::new(100))).find_map(|end| end);
            assert_eq!(end, Some(ChainEnd::Whole));
            chain.mean().unwrap()
        };
        (0..count).map(chain).collect()
    }

    /// Moments of the first weight by a fine grid.
    fn exactly(toy: &Toy) -> [f64; 2] {
        let (mut total, mut sums) = (0.0, [0.0; 2]);
        for a in -300..=300 {
            for b in -300..=300 {
                let u = [f64::from(a) * 0.02 + 1e-4, f64::from(b) * 0.02];
                let wrong = toy.rows.iter().filter(|row| sign(dot(*row, &u)) < 0).count() as f64;
                let cost = if wrong > 0.0 { wrong * toy.log_odds } else { 0.0 };
                let weight = libm::exp(-cost - 0.5 * dot(&u, &u));
                total += weight;
                sums[0] += weight * u[0];
                sums[1] += weight * u[0] * u[0];
            }
        }
        sums.map(|sum| sum / total)
    }

    #[test]
    fn chains_in_one_part_agree_and_average_as_a_grid_does() {
        for log_odds in [1.0, f64::INFINITY] {
            let toy = Toy { rows: vec![[1.0, 0.3], [-0.2, 2.0], [0.9, -0.4]], log_odds };
            let chains = chains(&toy, 60, None);
            let ensemble = ChainEnsemble::of(chains.iter()).unwrap();
            let (mean, se) = (ensemble.mean()[0], ensemble.standard_errors()[0]);
            let exact = exactly(&toy);
            assert!(ensemble.agreement().agree(), "{}", ensemble.agreement().ratio);
            assert!((mean - exact[0]).abs() < 4.0 * se && se < 0.03, "{mean} ± {se}, {}", exact[0]);
            assert!((ensemble.others()[0] - exact[1]).abs() < 0.15, "{} {}", ensemble.others()[0], exact[1]);
        }
    }

    /// Three clumps of inputs all round, of which no half plane holds all: two parts of unequal weight are far apart.
    #[test]
    fn chains_that_stay_apart_count_by_their_weights() {
        let clump = |angle: f64, size| std::iter::repeat_n([libm::cos(angle), libm::sin(angle)], size);
        let rows = clump(0.0, 4).chain(clump(2.1, 4)).chain(clump(4.2, 5)).collect();
        let toy = Toy { rows, log_odds: 7.0 };
        let (chains, exact) = (chains(&toy, 200, None), exactly(&toy));
        let ensemble = ChainEnsemble::of(chains.iter()).unwrap();
        let (mean, se) = (ensemble.mean()[0], ensemble.standard_errors()[0]);
        assert!(!ensemble.agreement().agree() && ensemble.agreement().effective < 190.0);
        assert!((mean - exact[0]).abs() < 4.0 * se && se < 0.2, "{mean} ± {se}, {}", exact[0]);
        let even = chains.iter().map(|chain| f64::from(chain.mean[0])).sum::<f64>() / 200.0;
        assert!((even - exact[0]).abs() > 2.0 * (mean - exact[0]).abs(), "{even} {mean} {}", exact[0]);
    }

    /// No plane holds opposite inputs.
    #[test]
    fn a_chain_that_no_weights_fit_is_lost_and_one_with_a_fallback_is_not() {
        let none = Toy { rows: vec![[1.0, 0.0], [-1.0, 0.1], [0.0, -1.0]], log_odds: f64::INFINITY };
        let mut chain = AnnealedChain::new(&none, 3, 20, 10, Stream::of(1, 0));
        let end = std::iter::repeat_with(|| chain.advance(&none, &mut Budget::slice())).find_map(|end| end);
        assert!(matches!(end, Some(ChainEnd::Lost)), "{end:?}");
        let narrow = Toy { rows: vec![[1.0, 0.0], [-1.0, 1e-4]], log_odds: f64::INFINITY };
        let chains = chains(&narrow, 20, Some(&[1e-5, 1.0]));
        assert!(chains.iter().all(|chain| chain.ln_weight == 0.0 && (0.0..1e-3).contains(&chain.mean[0])));
    }

    #[test]
    fn a_ladder_ends_at_the_posterior_by_way_of_near_certainty() {
        for (log_odds, steps) in [(2.0, 20), (30.0, 12), (f64::INFINITY, 3)] {
            let ladder = ladder(50, log_odds, steps);
            assert!(ladder.is_sorted() && ladder[0] > 0.0 && ladder[0] < 0.1 && ladder.len() >= 8);
            assert_eq!(ladder.last(), Some(&log_odds));
            assert_eq!(ladder.contains(&CERTAIN), log_odds > CERTAIN);
        }
    }
}
