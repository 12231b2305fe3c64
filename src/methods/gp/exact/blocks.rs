//! How the moves of a sampled posterior are shared among chains, in units that can run on any worker: a start, some pilot chains,
//! then blocks, each one long chain, or several short ones where the pilots do not agree.

use std::ops::Range;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Truth;
use crate::gp::solver::training_set::TrainingSet;
use crate::math::Budget;
use crate::math::annealing::{AnnealedChain, ChainEnd};
use crate::math::chains::{ChainEnsemble, ChainMean};
use crate::math::random::{Purpose, Stream};

/// How many moves there are, in all chains together.
#[derive(Clone, Copy, Debug)]
pub struct Draws(pub usize);

/// Pilot chains.
const PILOTS: usize = 10;
/// Chains of a block where the pilots do not agree.
const SHORT: usize = 4;
/// Weights that are to be flattened more than to this power are no good.
const LEAST_POWER: f64 = 0.5;
/// Moves of the chain that tries a start.
const PROBE: usize = 5;

/// What a block has sampled so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// Its number; the first are the pilots.
    pub block: usize,
    /// One of each chain that has ended.
    pub chains: Vec<ChainMean>,
    /// The first chain, while it is under way.
    pub partial: Option<ChainMean>,
    /// Whether a chain found next to no room between the labels.
    pub stuck: bool,
    /// u at the end of a pilot without flips, where others may begin.
    pub end: Vec<f64>,
}

impl Draws {
    /// How many blocks there are, pilots among them: about √(draws/2), one chain each if all agree.
    pub fn blocks(self) -> usize {
        (((self.0 / 2) as f64).sqrt() as usize).max(PILOTS)
    }

    /// How many of them are pilots.
    pub fn pilots(self) -> usize {
        PILOTS
    }

    /// Moves of a block.
    pub fn length(self, block: usize) -> usize {
        let ends = |block: usize| self.0 * block / self.blocks();
        ends(block + 1) - ends(block)
    }
}

/// A block under way.
pub struct Block {
    row: BlockRow,
    /// Chains still to begin, and moves of each on the way and at the posterior.
    chains: Range<u64>,
    steps: usize,
    length: usize,
    seed: u64,
    purpose: Purpose,
    start: Rc<[f64]>,
    chain: Option<AnnealedChain>,
}

impl Block {
    /// Block number `block` of `draws`, after the `pilots` if it is none itself. Without flips, a chain whose way does not lead to
    /// fields that fit every label begins at the end of a pilot, and a pilot at `start`. The stream of each chain comes from
    /// the seed, the purpose and the number of the chain.
    pub fn new(
        draws: Draws,
        block: usize,
        pilots: &[Rc<BlockRow>],
        start: &Rc<[f64]>,
        (seed, purpose): (u64, Purpose),
    ) -> Self {
        let length = draws.length(block);
        let pilot = block < PILOTS;
        let first = if pilot { block } else { PILOTS + SHORT * (block - PILOTS) } as u64;
        // Long chains are in vain where none leaves its part: rather more of them, if their weights are any good, on a longer way.
        let (count, steps) =
            if !pilot && apart(pilots) { (SHORT as u64, length / 2) } else { (1, length / 4) };
        let ends: Vec<_> = pilots.iter().filter(|pilot| !pilot.end.is_empty()).collect();
        let start = match ends.get(block % ends.len().max(1)) {
            Some(pilot) if start.len() == pilot.end.len() => pilot.end.as_slice().into(),
            _ => start.clone(),
        };
        Self {
            row: BlockRow { block, ..BlockRow::default() },
            chains: first..first + count,
            steps,
            length: (length / count as usize).max(2),
            seed,
            purpose,
            start,
            chain: None,
        }
    }

    /// Works until the budget is spent; `true` when all its chains have ended.
    pub fn advance(&mut self, truth: &Truth, budget: &mut Budget) -> bool {
        while !budget.is_spent() {
            let Some(mut chain) = self.chain.take().or_else(|| self.begin(truth)) else { return true };
            match chain.advance(truth, budget) {
                None => self.chain = Some(chain),
                Some(ChainEnd::Whole) => {
                    self.row.chains.extend(chain.mean());
                    if truth.kappa == 0.0 && self.row.block < PILOTS {
                        self.row.end = chain.weights();
                    }
                }
                Some(ChainEnd::Lost | ChainEnd::Stuck) => {
                    self.row.stuck = true;
                    return true;
                }
            }
        }
        self.chain.is_none() && self.chains.is_empty()
    }

    fn begin(&mut self, truth: &Truth) -> Option<AnnealedChain> {
        let stream = Stream::for_purpose(self.seed, self.purpose, self.chains.next()?);
        let chain = AnnealedChain::new(truth, truth.tau.len(), self.steps, self.length, stream);
        // Half spaces cut a convex piece out of the prior: there are no parts to be weighed, and any start is as good.
        Some(if truth.kappa == 0.0 { chain.with_fallback(&self.start) } else { chain })
    }

    /// Fraction done.
    pub fn fraction(&self) -> f64 {
        let under_way = self.chain.as_ref().map_or(0.0, AnnealedChain::fraction);
        let done = self.row.chains.len() as f64 + under_way;
        done / (self.row.chains.len() + usize::from(self.chain.is_some()) + self.chains.clone().count())
            .max(1) as f64
    }

    /// What there is so far.
    pub fn row(&self) -> BlockRow {
        let partial = if self.row.chains.is_empty() { &self.chain } else { &None };
        BlockRow { partial: partial.as_ref().and_then(AnnealedChain::mean), ..self.row.clone() }
    }
}

/// Whether chains do not agree, and their weights are good enough for more of them to help.
fn apart(pilots: &[Rc<BlockRow>]) -> bool {
    let ensemble = ChainEnsemble::of(pilots.iter().flat_map(|pilot| &pilot.chains));
    ensemble.is_some_and(|ensemble| !ensemble.agreement().agree() && ensemble.power() >= LEAST_POWER)
}

/// A chain that tries whether it can move where every label fits, without flips; with flips every start will do.
pub struct Probe(Option<AnnealedChain>);

impl Probe {
    /// One that begins near the mean fields `h`, m; `None` where no fields are known that fit every label.
    pub fn new(truth: &Truth, h: &[f64], (seed, purpose): (u64, Purpose)) -> Option<Self> {
        let u = truth.fitting(h)?;
        let stream = Stream::for_purpose(seed, purpose, u64::MAX);
        let chain = AnnealedChain::at(truth, &u, PROBE, stream);
        Some(Self((truth.kappa == 0.0).then_some(chain)))
    }

    /// Works until the budget is spent; when done, the start, or nothing where there is next to no room between the labels.
    pub fn advance(&mut self, truth: &Truth, budget: &mut Budget) -> Option<Option<Vec<f64>>> {
        let Some(chain) = &mut self.0 else { return Some(Some(Vec::new())) };
        let end = chain.advance(truth, budget)?;
        Some((end == ChainEnd::Whole).then(|| chain.weights()))
    }
}

/// All blocks, one after the other, for a problem and inputs as in [`Truth::new`], near mean fields `h`, m; `None` where there is
/// no room between the labels, or C is singular.
pub fn sample(
    problem: &TrainingSet,
    h: &[f64],
    inputs: impl Iterator<Item = (Vec<f64>, f64)>,
    draws: Draws,
    streams: (u64, Purpose),
) -> Option<Vec<Rc<BlockRow>>> {
    let mut truth = Truth::new(problem, inputs)?;
    while !truth.prepare(&mut Budget::slice()) {}
    let mut probe = Probe::new(&truth, h, streams)?;
    let start = loop {
        if let Some(start) = probe.advance(&truth, &mut Budget::slice()) {
            break Rc::from(start?);
        }
    };
    let mut rows: Vec<Rc<BlockRow>> = Vec::new();
    for block in 0..draws.blocks() {
        let pilots = rows[..PILOTS.min(block)].to_vec();
        let pilots = if block < PILOTS { &[][..] } else { &pilots };
        let mut block = Block::new(draws, block, pilots, &start, streams);
        while !block.advance(&truth, &mut Budget::slice()) {}
        rows.push(Rc::new(block.row()));
    }
    rows.iter().all(|row| !row.stuck).then_some(rows)
}
