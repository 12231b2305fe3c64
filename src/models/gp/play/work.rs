//! The work of both tasks: each method on a grid and the chains of the exact posterior; and the live map, coarse and then fine.

use std::rc::Rc;

use super::method_map::{MethodMap, initial_row};
use super::points::{PlayPoints, cell, cells};
use super::{MapComparison, Method, MethodRow, PlaySnapshot, PlaySpec, UNSAMPLED};
use crate::lab::{Budget, Work};
use crate::math::random::Purpose;
use crate::models::gp::exact::{ChainBlock, Draws, ExactPosterior, StartProbe};

/// Columns of the maps that are compared.
pub const COLUMNS: usize = 48;
/// Columns of the live map at first.
const COARSE: usize = 24;
/// Columns of the live map at the end.
const FINE: usize = 96;
/// Work of the comparison: every method in turn, or some chains of the exact posterior.
pub struct ComparisonWork {
    spec: PlaySpec,
    points: PlayPoints,
    /// Results of the earlier stages: the start of chains, and the pilot chains.
    before: PlaySnapshot,
    unit: ComparisonUnit,
    /// The exact posterior with the cells of its map, for the chains of several units.
    posterior: Option<ExactPosterior>,
    results: PlaySnapshot,
}

/// The unit in progress.
enum ComparisonUnit {
    Map(Box<MethodMap>),
    /// A TAP solve, near whose mean fields chains start.
    Fields(Box<MethodMap>),
    /// A short chain that tests whether chains can move.
    Probe(Box<ExactPosterior>, Box<StartProbe>),
    Block(Box<ChainBlock>),
    Done,
}

impl ComparisonWork {
    /// Returns the work before its first unit, with the results of the earlier stages.
    pub fn new(spec: &PlaySpec, before: Option<PlaySnapshot>) -> Self {
        Self {
            points: PlayPoints::new(spec),
            spec: spec.clone(),
            before: before.unwrap_or_default(),
            unit: ComparisonUnit::Done,
            posterior: None,
            results: PlaySnapshot::default(),
        }
    }

    fn block(&self, number: usize) -> ComparisonUnit {
        let draws = Draws(self.spec.draws);
        let mut known = self.before.blocks.iter().chain(&self.results.blocks);
        let failed = |row: &MethodRow| row.method == Method::Sampled && row.failed.is_some();
        if self.before.rows.iter().any(failed) || known.any(|block| block.stuck) {
            return ComparisonUnit::Done;
        }
        let pilots = if number < draws.pilots() { &[][..] } else { &self.before.blocks };
        let start = &self.before.start;
        ComparisonUnit::Block(Box::new(ChainBlock::new(
            draws,
            number,
            pilots,
            start,
            (self.spec.seed, Purpose::GpChain),
        )))
    }

    /// Starts a probe near the mean fields `h`, m, unless no fields satisfy every label.
    fn probe(&mut self, h: &[f64]) -> ComparisonUnit {
        let streams = (self.spec.seed, Purpose::GpChain);
        let posterior = ExactPosterior::new(&self.points.problem(), std::iter::empty());
        let probe =
            posterior.and_then(|posterior| Some((StartProbe::new(&posterior, h, streams)?, posterior)));
        let Some((probe, posterior)) = probe else { return self.finish_probe(None) };
        ComparisonUnit::Probe(Box::new(posterior), Box::new(probe))
    }

    fn finish_probe(&mut self, start: Option<Vec<f64>>) -> ComparisonUnit {
        let failed = start.is_none().then(|| UNSAMPLED.to_owned());
        self.results.rows.push(MethodRow { failed, ..initial_row(&self.points, Method::Sampled, COLUMNS) });
        self.results.start = start.unwrap_or_default().into();
        ComparisonUnit::Done
    }

    fn sample(&mut self, mut block: Box<ChainBlock>, budget: &mut Budget) -> ComparisonUnit {
        if self.posterior.is_none() {
            let inputs = (0..cells(COLUMNS)).map(|i| self.points.covariances(&cell(COLUMNS, i)));
            budget.spend((cells(COLUMNS) * self.points.rows.len() * 20) as u64);
            self.posterior = ExactPosterior::new(&self.points.problem(), inputs);
        }
        let Some(posterior) = &mut self.posterior else { return ComparisonUnit::Done };
        if posterior.prepare(budget) && block.advance(posterior, budget) {
            self.results.blocks.push(Rc::new(block.samples()));
            return ComparisonUnit::Done;
        }
        ComparisonUnit::Block(block)
    }
}

impl Work for ComparisonWork {
    type Snapshot = PlaySnapshot;

    fn begin(&mut self, unit: usize) {
        let map = |method, columns| Box::new(MethodMap::new(&self.spec, &self.points, method, columns));
        self.unit = match MapComparison::METHODS.get(unit) {
            // With flips every start is valid.
            Some(Method::Sampled) if self.spec.kappa > 0.0 => self.probe(&self.points.tau.clone()),
            Some(Method::Sampled) => ComparisonUnit::Fields(map(Method::Tap, 0)),
            Some(method) => ComparisonUnit::Map(map(*method, COLUMNS)),
            None => self.block(unit - MapComparison::METHODS.len()),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        self.unit = match std::mem::replace(&mut self.unit, ComparisonUnit::Done) {
            ComparisonUnit::Map(mut map) => {
                if map.step(&self.points, budget) {
                    self.results.rows.push(map.row);
                    ComparisonUnit::Done
                } else {
                    ComparisonUnit::Map(map)
                }
            }
            ComparisonUnit::Fields(mut map) => {
                if map.step(&self.points, budget) {
                    self.probe(&map.fields(&self.points))
                } else {
                    ComparisonUnit::Fields(map)
                }
            }
            ComparisonUnit::Probe(posterior, mut probe) => match probe.advance(&posterior, budget) {
                Some(start) => self.finish_probe(start),
                None => ComparisonUnit::Probe(posterior, probe),
            },
            ComparisonUnit::Block(block) => self.sample(block, budget),
            ComparisonUnit::Done => ComparisonUnit::Done,
        };
        matches!(self.unit, ComparisonUnit::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            ComparisonUnit::Map(map) => map.fraction(),
            ComparisonUnit::Block(block) => block.fraction(),
            ComparisonUnit::Fields(_) | ComparisonUnit::Probe(..) | ComparisonUnit::Done => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            ComparisonUnit::Map(map) => map.row.method.label(),
            _ => "sampling the exact posterior",
        }
        .to_owned()
    }

    fn snapshot(&self) -> PlaySnapshot {
        let mut results = self.results.clone();
        if let ComparisonUnit::Block(block) = &self.unit {
            results.blocks.push(Rc::new(block.samples()));
        }
        results
    }
}

/// Work of the live map of one method.
pub struct MapWork {
    points: PlayPoints,
    map: MethodMap,
    /// The last complete map.
    complete: Option<MethodRow>,
}

impl MapWork {
    /// Returns the work before its first step.
    pub fn new(spec: &PlaySpec) -> Self {
        let points = PlayPoints::new(spec);
        let method = if spec.method == Method::Sampled { Method::Tap } else { spec.method };
        let map = MethodMap::new(spec, &points, method, COARSE);
        Self { points, map, complete: None }
    }
}

impl Work for MapWork {
    type Snapshot = PlaySnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        if !self.map.step(&self.points, budget) {
            return false;
        }
        let row = self.complete.insert(self.map.row.clone());
        if row.failed.is_some() || row.columns == FINE {
            return true;
        }
        self.map.restart_map(FINE);
        false
    }

    fn fraction(&self) -> f64 {
        if self.complete.is_none() { 0.0 } else { 0.1 + 0.9 * self.map.fraction() }
    }

    fn note(&self) -> String {
        if self.complete.is_none() { "coarse map" } else { "fine map" }.to_owned()
    }

    fn is_drawable(&self) -> bool {
        self.complete.is_some()
    }

    /// Returns the map of the current iterate during the solve, then the finished maps.
    fn frame(&self) -> Option<PlaySnapshot> {
        if self.complete.is_some() {
            return (self.map.fraction() >= 1.0).then(|| self.snapshot());
        }
        let iterate = self.map.iterate(&self.points, COLUMNS)?;
        Some(PlaySnapshot { rows: vec![iterate], ..PlaySnapshot::default() })
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.complete.iter().cloned().collect(), ..PlaySnapshot::default() }
    }
}
