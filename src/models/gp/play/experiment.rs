//! The experiments: each method on a grid, and the chains of the exact posterior; and the live map, coarse and then fine.

use std::rc::Rc;

use super::mapping::{Mapping, row};
use super::points::{Points, cell, cells};
use super::{Compare, Method, MethodRow, PlaySnapshot, PlaySpec, UNSAMPLED};
use crate::lab::{Budget, Work};
use crate::math::random::Purpose;
use crate::models::gp::exact::{Block, Draws, Probe, Truth};

/// Columns of the maps that are compared, and of the live one: first and at last.
pub const COLUMNS: usize = 48;
const COARSE: usize = 24;
const FINE: usize = 96;

/// Every method in turn, or some chains of the exact posterior.
pub struct CompareWork {
    spec: PlaySpec,
    points: Points,
    /// Where chains may begin, and the pilot chains, once the stages before have given them.
    before: PlaySnapshot,
    unit: Unit,
    /// The exact posterior with the cells of its map; for the chains of several units.
    truth: Option<Truth>,
    seen: PlaySnapshot,
}

/// What is under way.
enum Unit {
    Map(Box<Mapping>),
    /// TAP's mean fields are found, near which chains may begin.
    Fields(Box<Mapping>),
    /// Whether a chain can move at all.
    Probe(Box<Truth>, Box<Probe>),
    Block(Box<Block>),
    Done,
}

impl CompareWork {
    /// Before its first unit, after what the stages before gave.
    pub fn new(spec: &PlaySpec, before: Option<PlaySnapshot>) -> Self {
        Self {
            points: Points::new(spec),
            spec: spec.clone(),
            before: before.unwrap_or_default(),
            unit: Unit::Done,
            truth: None,
            seen: PlaySnapshot::default(),
        }
    }

    fn block(&self, number: usize) -> Unit {
        let draws = Draws(self.spec.draws);
        let known = || self.before.blocks.iter().chain(&self.seen.blocks);
        let failed = |row: &MethodRow| row.method == Method::Sampled && row.failed.is_some();
        if self.before.rows.iter().any(failed) || known().any(|block| block.stuck) {
            return Unit::Done;
        }
        let pilots = if number < draws.pilots() { &[][..] } else { &self.before.blocks };
        let start = &self.before.start;
        Unit::Block(Box::new(Block::new(draws, number, pilots, start, (self.spec.seed, Purpose::GpChain))))
    }

    /// A chain near those mean fields, m, unless it is known to find no room.
    fn probe(&mut self, h: &[f64]) -> Unit {
        let truth = Truth::new(&self.points.problem(), std::iter::empty());
        let probe =
            truth.and_then(|truth| Some((Probe::new(&truth, h, (self.spec.seed, Purpose::GpChain))?, truth)));
        let Some((probe, truth)) = probe else { return self.probed(None) };
        Unit::Probe(Box::new(truth), Box::new(probe))
    }

    fn probed(&mut self, start: Option<Vec<f64>>) -> Unit {
        let failed = start.is_none().then(|| UNSAMPLED.to_owned());
        self.seen.rows.push(MethodRow { failed, ..row(&self.points, Method::Sampled, COLUMNS) });
        self.seen.start = start.unwrap_or_default().into();
        Unit::Done
    }

    fn sample(&mut self, mut block: Box<Block>, budget: &mut Budget) -> Unit {
        if self.truth.is_none() {
            let inputs = (0..cells(COLUMNS)).map(|i| self.points.covariances(&cell(COLUMNS, i)));
            budget.spend((cells(COLUMNS) * self.points.rows.len() * 20) as u64);
            self.truth = Truth::new(&self.points.problem(), inputs);
        }
        let Some(truth) = &mut self.truth else { return Unit::Done };
        if truth.prepare(budget) && block.advance(truth, budget) {
            self.seen.blocks.push(Rc::new(block.row()));
            return Unit::Done;
        }
        Unit::Block(block)
    }
}

impl Work for CompareWork {
    type Snapshot = PlaySnapshot;

    fn begin(&mut self, unit: usize) {
        let mapping = |method, columns| Box::new(Mapping::new(&self.spec, &self.points, method, columns));
        self.unit = match Compare::METHODS.get(unit) {
            // With flips every start will do.
            Some(Method::Sampled) if self.spec.kappa > 0.0 => self.probe(&self.points.tau.clone()),
            Some(Method::Sampled) => Unit::Fields(mapping(Method::Tap, 0)),
            Some(method) => Unit::Map(mapping(*method, COLUMNS)),
            None => self.block(unit - Compare::METHODS.len()),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        self.unit = match std::mem::replace(&mut self.unit, Unit::Done) {
            Unit::Map(mut mapping) => {
                if mapping.step(&self.points, budget) {
                    self.seen.rows.push(mapping.row);
                    Unit::Done
                } else {
                    Unit::Map(mapping)
                }
            }
            Unit::Fields(mut mapping) => {
                if mapping.step(&self.points, budget) {
                    self.probe(&mapping.fields(&self.points))
                } else {
                    Unit::Fields(mapping)
                }
            }
            Unit::Probe(truth, mut probe) => match probe.advance(&truth, budget) {
                Some(start) => self.probed(start),
                None => Unit::Probe(truth, probe),
            },
            Unit::Block(block) => self.sample(block, budget),
            Unit::Done => Unit::Done,
        };
        matches!(self.unit, Unit::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            Unit::Map(mapping) => mapping.fraction(),
            Unit::Block(block) => block.fraction(),
            _ => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            Unit::Map(mapping) => mapping.row.method.label(),
            _ => "sampling the exact posterior",
        }
        .to_owned()
    }

    fn snapshot(&self) -> PlaySnapshot {
        let mut seen = self.seen.clone();
        if let Unit::Block(block) = &self.unit {
            seen.blocks.push(Rc::new(block.row()));
        }
        seen
    }
}

/// One method's map.
pub struct MapWork {
    points: Points,
    mapping: Mapping,
    /// The last map that was whole.
    whole: Option<MethodRow>,
}

impl MapWork {
    /// Before its first step.
    pub fn new(spec: &PlaySpec) -> Self {
        let points = Points::new(spec);
        let method = if spec.method == Method::Sampled { Method::Tap } else { spec.method };
        let mapping = Mapping::new(spec, &points, method, COARSE);
        Self { points, mapping, whole: None }
    }
}

impl Work for MapWork {
    type Snapshot = PlaySnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        if !self.mapping.step(&self.points, budget) {
            return false;
        }
        let row = self.whole.insert(self.mapping.row.clone());
        if row.failed.is_some() || row.columns == FINE {
            return true;
        }
        self.mapping.redraw(FINE);
        false
    }

    fn fraction(&self) -> f64 {
        if self.whole.is_none() { 0.0 } else { 0.1 + 0.9 * self.mapping.fraction() }
    }

    fn note(&self) -> String {
        if self.whole.is_none() { "coarse map" } else { "fine map" }.to_owned()
    }

    fn shown(&self) -> bool {
        self.whole.is_some()
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.whole.iter().cloned().collect(), ..PlaySnapshot::default() }
    }
}
