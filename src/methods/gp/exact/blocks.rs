//! Division of the moves of a sampled posterior among chains, in units of work that can run anywhere: a probe for a start, pilot chains,
//! then blocks of one long chain each, or of several short chains if the pilots disagree.

use std::ops::Range;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::ExactPosterior;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::annealing::{AnnealedChain, ChainEnd};
use crate::math::chains::{ChainEnsemble, ChainMean};
use crate::math::random::{Purpose, Stream};

/// The number of moves of all chains together.
#[derive(Clone, Copy, Debug)]
pub struct Draws(pub usize);

/// Pilot chains.
const PILOTS: usize = 10;
/// Chains of a block if the pilots disagree.
const SHORT_CHAINS: usize = 4;
/// Smallest power of the chains' weights ([`ChainEnsemble::power`]) at which more chains help.
const MIN_POWER: f64 = 0.5;
/// Moves of the chain that probes a start.
const PROBE_MOVES: usize = 5;

/// Samples of a block so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockSamples {
    /// Number of the block; the first blocks are the pilots.
    pub block: usize,
    /// Averages of the chains that have ended.
    pub chains: Vec<ChainMean>,
    /// Averages of the first chain, while it is in progress.
    pub partial: Option<ChainMean>,
    /// True if a chain found almost no region that satisfies the labels.
    pub stuck: bool,
    /// u at the end of a pilot without flips, where other chains may start; empty otherwise.
    pub end: Vec<f64>,
}

impl Draws {
    /// Returns the number of blocks, including pilots: about √(draws/2), with one chain each if the pilots agree.
    pub fn blocks(self) -> usize {
        (((self.0 / 2) as f64).sqrt() as usize).max(PILOTS)
    }

    /// Returns the number of pilots.
    pub fn pilots(self) -> usize {
        PILOTS
    }

    /// Returns the number of moves of a block.
    pub fn length(self, block: usize) -> usize {
        let ends = |block: usize| self.0 * block / self.blocks();
        ends(block + 1) - ends(block)
    }
}

/// A block in progress.
pub struct ChainBlock {
    samples: BlockSamples,
    /// Numbers of the chains that have not started.
    chains: Range<u64>,
    /// Moves of each chain during annealing.
    steps: usize,
    /// Moves of each chain at the posterior.
    length: usize,
    seed: u64,
    purpose: Purpose,
    start: Rc<[f64]>,
    chain: Option<AnnealedChain>,
}

impl ChainBlock {
    /// Returns block number `block` of `draws`, before its first move; `pilots` is empty for a pilot. Without flips, a chain whose
    /// annealing does not reach fields that satisfy every label starts at the end of a pilot, and a pilot at `start`. The random stream of
    /// a chain is that of (seed, number of the chain, purpose).
    pub fn new(
        draws: Draws,
        block: usize,
        pilots: &[Rc<BlockSamples>],
        start: &Rc<[f64]>,
        (seed, purpose): (u64, Purpose),
    ) -> Self {
        let length = draws.length(block);
        let pilot = block < PILOTS;
        let first = if pilot { block } else { PILOTS + SHORT_CHAINS * (block - PILOTS) } as u64;
        // If chains do not leave their modes, more chains with a longer annealing sample better than longer chains, provided that their
        // weights can be estimated.
        let (count, steps) =
            if !pilot && disagree(pilots) { (SHORT_CHAINS as u64, length / 2) } else { (1, length / 4) };
        let ends: Vec<_> = pilots.iter().filter(|pilot| !pilot.end.is_empty()).collect();
        let start = match ends.get(block % ends.len().max(1)) {
            Some(pilot) if start.len() == pilot.end.len() => pilot.end.as_slice().into(),
            _ => start.clone(),
        };
        Self {
            samples: BlockSamples { block, ..BlockSamples::default() },
            chains: first..first + count,
            steps,
            length: (length / count as usize).max(2),
            seed,
            purpose,
            start,
            chain: None,
        }
    }

    /// Moves until the budget is spent. Returns `true` when all chains have ended.
    pub fn advance(&mut self, posterior: &ExactPosterior, budget: &mut Budget) -> bool {
        while !budget.is_spent() {
            let Some(mut chain) = self.chain.take().or_else(|| self.start_chain(posterior)) else {
                return true;
            };
            match chain.advance(posterior, budget) {
                None => self.chain = Some(chain),
                Some(ChainEnd::Whole) => {
                    self.samples.chains.extend(chain.mean());
                    if posterior.kappa == 0.0 && self.samples.block < PILOTS {
                        self.samples.end = chain.weights();
                    }
                }
                Some(ChainEnd::Lost | ChainEnd::Stuck) => {
                    self.samples.stuck = true;
                    return true;
                }
            }
        }
        self.chain.is_none() && self.chains.is_empty()
    }

    fn start_chain(&mut self, posterior: &ExactPosterior) -> Option<AnnealedChain> {
        let stream = Stream::for_purpose(self.seed, self.purpose, self.chains.next()?);
        let chain = AnnealedChain::new(posterior, posterior.tau.len(), self.steps, self.length, stream);
        // Without flips the posterior is the prior on a convex region: it has one mode, and every start in it is valid.
        Some(if posterior.kappa == 0.0 { chain.with_fallback(&self.start) } else { chain })
    }

    /// Returns the fraction done.
    pub fn fraction(&self) -> f64 {
        let under_way = self.chain.as_ref().map_or(0.0, AnnealedChain::fraction);
        let done = self.samples.chains.len() as f64 + under_way;
        done / (self.samples.chains.len() + usize::from(self.chain.is_some()) + self.chains.clone().count())
            .max(1) as f64
    }

    /// Returns the samples so far.
    pub fn samples(&self) -> BlockSamples {
        let partial = if self.samples.chains.is_empty() { &self.chain } else { &None };
        BlockSamples { partial: partial.as_ref().and_then(AnnealedChain::mean), ..self.samples.clone() }
    }
}

/// Returns true if the chains disagree, and their weights are good enough for more chains to help.
fn disagree(pilots: &[Rc<BlockSamples>]) -> bool {
    let ensemble = ChainEnsemble::of(pilots.iter().flat_map(|pilot| &pilot.chains));
    ensemble.is_some_and(|ensemble| !ensemble.agreement().agree() && ensemble.power() >= MIN_POWER)
}

/// A short chain that tests whether a chain can move from a start where every label is satisfied. With flips no test is needed.
pub struct StartProbe(Option<AnnealedChain>);

impl StartProbe {
    /// Returns a probe near the mean fields `h`, m; `None` if no fields are found that satisfy every label.
    pub fn new(posterior: &ExactPosterior, h: &[f64], (seed, purpose): (u64, Purpose)) -> Option<Self> {
        let u = posterior.white_start(h)?;
        let stream = Stream::for_purpose(seed, purpose, u64::MAX);
        let chain = AnnealedChain::at(posterior, &u, PROBE_MOVES, stream);
        Some(Self((posterior.kappa == 0.0).then_some(chain)))
    }

    /// Moves until the budget is spent. Returns `None` until the probe ends, and then the start (empty with flips), or `Some(None)` if
    /// there is almost no region that satisfies the labels.
    pub fn advance(&mut self, posterior: &ExactPosterior, budget: &mut Budget) -> Option<Option<Vec<f64>>> {
        let Some(chain) = &mut self.0 else { return Some(Some(Vec::new())) };
        let end = chain.advance(posterior, budget)?;
        Some((end == ChainEnd::Whole).then(|| chain.weights()))
    }
}

/// Samples all blocks, one after the other, for a problem and inputs as in [`ExactPosterior::new`], near mean fields `h`, m, with random
/// streams of (seed, purpose). Returns `None` if almost no region satisfies the labels, or C is singular.
pub fn sample(
    set: &TrainingSet,
    h: &[f64],
    inputs: impl Iterator<Item = (Vec<f64>, f64)>,
    draws: Draws,
    streams: (u64, Purpose),
) -> Option<Vec<Rc<BlockSamples>>> {
    let mut posterior = ExactPosterior::new(set, inputs)?;
    while !posterior.prepare(&mut Budget::slice()) {}
    let mut probe = StartProbe::new(&posterior, h, streams)?;
    let start = loop {
        if let Some(start) = probe.advance(&posterior, &mut Budget::slice()) {
            break Rc::from(start?);
        }
    };
    let mut rows: Vec<Rc<BlockSamples>> = Vec::new();
    for block in 0..draws.blocks() {
        let pilots = rows[..PILOTS.min(block)].to_vec();
        let pilots = if block < PILOTS { &[][..] } else { &pilots };
        let mut block = ChainBlock::new(draws, block, pilots, &start, streams);
        while !block.advance(&posterior, &mut Budget::slice()) {}
        rows.push(Rc::new(block.samples()));
    }
    rows.iter().all(|row| !row.stuck).then_some(rows)
}
