//! Markov chains that are annealed from the prior to the posterior.
//!
//! The posterior of signs may have regions between which a chain rarely moves. There are therefore many chains, each with its own
//! random stream. A chain starts with a draw from the prior. The log odds of a correct label then increase on a ladder from almost 0
//! to those of the posterior. The gain in likelihood along the ladder is the importance weight of the chain (annealed importance
//! sampling, Neal, Stat. Comput. 11, 125 (2001)), which [`super::chains`] uses for averages.

use super::Budget;
use super::chains::ChainMean;
use super::exact_hmc::{ExactHmc, StepLikelihood};
use super::random::Stream;

/// A posterior of signs with adjustable log odds, and the quantities to be averaged over it.
pub trait Annealed {
    /// Likelihood with other log odds.
    type Tempered<'a>: StepLikelihood
    where
        Self: 'a;

    /// Returns the likelihood with these log odds of a correct label; 0 gives the prior.
    fn tempered(&self, log_odds: f64) -> Self::Tempered<'_>;
    /// Returns the log odds of the posterior; infinite without noise.
    fn log_odds(&self) -> f64;
    /// Returns the number of weights in total and per branch.
    fn weights(&self) -> (usize, usize);
    /// Returns the numbers of averaged quantities: those by which chains are compared, and others.
    fn quantities(&self) -> (usize, usize);
    /// Adds the quantities at the white weights `u` to their sums.
    fn add(&self, u: &[f64], compared: &mut [f64], others: &mut [f64]);
    /// Returns the number of multiply–adds of [`Self::add`].
    fn cost(&self) -> u64;
}

/// Maximum number of moves at almost certain log odds before all labels are correct, without noise.
const MAX_WAIT: usize = 60;
/// Number of discarded moves at the posterior.
const BURN_IN: usize = 5;
/// Log odds that are almost certain: the end of the ladder without noise.
const CERTAIN: f64 = 12.0;
/// Minimum number of steps of a ladder.
const MIN_STEPS: usize = 8;
/// Maximum number of multiply–adds of a move. In a very narrow feasible region, reflections do not end.
const MAX_WORK: u64 = 2_000_000_000;
/// Cost of a change of a vote besides its multiply–adds.
const VOTE_COST: u64 = 10_000;

/// The ending of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// All moves were made.
    Whole,
    /// No weights that satisfy all labels were found.
    Lost,
    /// The work limit was exceeded in a narrow feasible region.
    Stuck,
}

/// An annealed chain.
pub struct AnnealedChain {
    chain: ExactHmc,
    stream: Stream,
    /// Log odds of the ladder; the last are those of the posterior.
    ladder: Vec<f64>,
    rung: usize,
    /// Numbers of moves without progress on the ladder, and of discarded moves at the posterior.
    waited: usize,
    discarded: usize,
    ln_weight: f64,
    /// Weights at which a lost chain restarts.
    fallback: Option<Vec<f64>>,
    /// Numbers of required and counted moves.
    length: usize,
    counted: usize,
    /// Sums of the compared quantities over the first and the second half, and of the others.
    halves: [Vec<f64>; 2],
    others: Vec<f64>,
    /// Multiply–adds since the last complete move.
    spent: u64,
}

impl AnnealedChain {
    /// Starts a chain with a draw from the prior, a ladder of `steps` for `examples`, and `length` counted moves.
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
        // Gain from the prior to the first step of the ladder.
        let ln_weight = chain.ln_likelihood(&first);
        let (compared, others) = target.quantities();
        Self {
            chain,
            stream,
            ladder,
            rung: 0,
            waited: 0,
            discarded: 0,
            ln_weight,
            fallback: None,
            length,
            counted: 0,
            halves: [vec![0.0; compared], vec![0.0; compared]],
            others: vec![0.0; others],
            spent: 0,
        }
    }

    /// Sets the weights `u` at which the chain restarts at the posterior if it is lost. Its importance weight is then 1.
    #[must_use]
    pub fn with_fallback(mut self, u: &[f64]) -> Self {
        self.fallback = Some(u.to_vec());
        self
    }

    /// Starts a chain at weights `u` with a posterior probability above zero. Its importance weight is 1.
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

    /// Runs until the budget is spent or the chain has ended.
    pub fn advance(&mut self, target: &impl Annealed, budget: &mut Budget) -> Option<ChainEnd> {
        while !budget.is_spent() {
            let cost = self.chain.cost() as u64;
            budget.spend(cost);
            self.spent += VOTE_COST + cost;
            if !self.chain.step(&target.tempered(self.ladder[self.rung]), &mut self.stream) {
                if self.spent > MAX_WORK {
                    return Some(ChainEnd::Stuck);
                }
                continue;
            }
            self.spent = 0;
            if self.rung + 1 < self.ladder.len() {
                if !self.climb(target) {
                    return Some(ChainEnd::Lost);
                }
            } else if self.discarded < BURN_IN {
                self.discarded += 1;
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

    /// Moves to the next log odds. Returns false if the current weights have no likelihood there and the chain is lost.
    fn climb(&mut self, target: &impl Annealed) -> bool {
        let [here, next] = [0, 1].map(|i| target.tempered(self.ladder[self.rung + i]));
        let gain = self.chain.ln_likelihood(&next) - self.chain.ln_likelihood(&here);
        if gain > f64::NEG_INFINITY {
            self.ln_weight += gain;
            self.rung += 1;
        } else if self.waited < MAX_WAIT {
            self.waited += 1;
        } else if let Some(u) = self.fallback.take() {
            self.restart_at(target, &u);
            self.fallback = Some(u);
        } else {
            return false;
        }
        true
    }

    /// Returns the fraction of completed moves.
    pub fn fraction(&self) -> f64 {
        (self.rung + self.discarded + self.counted) as f64
            / (self.ladder.len() - 1 + BURN_IN + self.length) as f64
    }

    /// Returns the log importance weight of a chain without a fallback, −∞ if its weights had no likelihood at the end of the ladder.
    /// `None` before the end of the ladder. The mean of the weights is an unbiased estimate of the evidence in units of the likelihood at
    /// which every label is correct.
    pub fn ln_importance(&self) -> Option<f64> {
        if self.waited > 0 {
            return Some(f64::NEG_INFINITY);
        }
        (self.rung + 1 == self.ladder.len()).then_some(self.ln_weight)
    }

    /// Returns the number of counted moves.
    pub fn counted(&self) -> usize {
        self.counted
    }

    /// Returns the weights after the last move.
    pub fn weights(&self) -> Vec<f64> {
        self.chain.weights()
    }

    /// Returns the means so far; `None` before the first counted move.
    pub fn mean(&self) -> Option<ChainMean> {
        let second = self.counted.saturating_sub(self.length.div_ceil(2));
        let first = self.counted - second;
        let [a, b] = &self.halves;
        let pairs = || a.iter().zip(b);
        let squared_gap = |(a, b): (&f64, &f64)| 0.25 * (a / first as f64 - b / second as f64).powi(2);
        let mean = |sum: f64| (sum / self.counted as f64) as f32;
        (self.counted > 0).then(|| ChainMean {
            ln_weight: if self.fallback.is_some() { 0.0 } else { self.ln_weight },
            mean: pairs().map(|(a, b)| mean(a + b)).collect(),
            // A chain of one move cannot be divided into halves.
            gap: if second > 0 { pairs().map(squared_gap).sum() } else { 0.0 },
            others: self.others.iter().map(|sum| mean(*sum)).collect(),
        })
    }
}

/// Returns a ladder of log odds for m examples with a geometric progression of `steps` from almost 0 to `log_odds`.
fn ladder(m: usize, log_odds: f64, steps: usize) -> Vec<f64> {
    let end = log_odds.min(CERTAIN);
    let first = (2.0 / m as f64).min(0.5 * end);
    let last = steps.max(MIN_STEPS) - 1;
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

    /// Signs of the fields of two weights. The averages are those of the first weight and its square.
    struct TwoWeights {
        rows: Vec<[f64; 2]>,
        log_odds: f64,
    }

    struct Tempered<'a>(&'a TwoWeights, f64);

    impl StepLikelihood for Tempered<'_> {
        fn rows(&self, _k: usize) -> impl Iterator<Item = &[f64]> {
            self.0.rows.iter().map(<[f64; 2]>::as_slice)
        }
        fn ln_likelihood(&self, _i: usize, balance: i32) -> f64 {
            if balance > 0 { 0.0 } else { -self.1 }
        }
    }

    impl Annealed for TwoWeights {
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

    fn chains(toy: &TwoWeights, count: u64, fallback: Option<&[f64]>) -> Vec<ChainMean> {
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

    /// Returns the first two moments of the first weight on a fine grid.
    fn grid_moments(toy: &TwoWeights) -> [f64; 2] {
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
    fn chains_in_one_region_agree_with_a_grid() {
        for log_odds in [1.0, f64::INFINITY] {
            let toy = TwoWeights { rows: vec![[1.0, 0.3], [-0.2, 2.0], [0.9, -0.4]], log_odds };
            let chains = chains(&toy, 60, None);
            let ensemble = ChainEnsemble::of(chains.iter()).unwrap();
            let (mean, se) = (ensemble.mean()[0], ensemble.standard_errors()[0]);
            let exact = grid_moments(&toy);
            assert!(ensemble.agreement().agree(), "{}", ensemble.agreement().ratio);
            assert!((mean - exact[0]).abs() < 4.0 * se && se < 0.03, "{mean} ± {se}, {}", exact[0]);
            assert!((ensemble.others()[0] - exact[1]).abs() < 0.15, "{} {}", ensemble.others()[0], exact[1]);
        }
    }

    /// Three clusters of inputs that no half plane contains: the posterior has two separate regions of unequal weight.
    #[test]
    fn chains_in_separate_regions_are_weighted() {
        let cluster = |angle: f64, size| std::iter::repeat_n([libm::cos(angle), libm::sin(angle)], size);
        let rows = cluster(0.0, 4).chain(cluster(2.1, 4)).chain(cluster(4.2, 5)).collect();
        let toy = TwoWeights { rows, log_odds: 7.0 };
        let (chains, exact) = (chains(&toy, 200, None), grid_moments(&toy));
        let ensemble = ChainEnsemble::of(chains.iter()).unwrap();
        let (mean, se) = (ensemble.mean()[0], ensemble.standard_errors()[0]);
        assert!(!ensemble.agreement().agree() && ensemble.agreement().effective < 190.0);
        assert!((mean - exact[0]).abs() < 4.0 * se && se < 0.2, "{mean} ± {se}, {}", exact[0]);
        let even = chains.iter().map(|chain| f64::from(chain.mean[0])).sum::<f64>() / 200.0;
        assert!((even - exact[0]).abs() > 2.0 * (mean - exact[0]).abs(), "{even} {mean} {}", exact[0]);
    }

    /// No weights satisfy opposite inputs.
    #[test]
    fn chains_without_feasible_weights_are_lost_unless_they_have_a_fallback() {
        let none = TwoWeights { rows: vec![[1.0, 0.0], [-1.0, 0.1], [0.0, -1.0]], log_odds: f64::INFINITY };
        let mut chain = AnnealedChain::new(&none, 3, 20, 10, Stream::of(1, 0));
        let end = std::iter::repeat_with(|| chain.advance(&none, &mut Budget::slice())).find_map(|end| end);
        assert!(matches!(end, Some(ChainEnd::Lost)), "{end:?}");
        let narrow = TwoWeights { rows: vec![[1.0, 0.0], [-1.0, 1e-4]], log_odds: f64::INFINITY };
        let chains = chains(&narrow, 20, Some(&[1e-5, 1.0]));
        assert!(chains.iter().all(|chain| chain.ln_weight == 0.0 && (0.0..1e-3).contains(&chain.mean[0])));
    }

    #[test]
    fn ladders_end_at_the_log_odds_of_the_posterior() {
        for (log_odds, steps) in [(2.0, 20), (30.0, 12), (f64::INFINITY, 3)] {
            let ladder = ladder(50, log_odds, steps);
            assert!(ladder.is_sorted() && ladder[0] > 0.0 && ladder[0] < 0.1 && ladder.len() >= 8);
            assert_eq!(ladder.last(), Some(&log_odds));
            assert_eq!(ladder.contains(&CERTAIN), log_odds > CERTAIN);
        }
    }
}
