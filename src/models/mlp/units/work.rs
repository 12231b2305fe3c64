//! The solver of `mlp.units`: starts of fits, then walks from the prior to the posterior.

use super::{UnitsFit, UnitsSnapshot, UnitsSpec, UnitsSweep, WalkRow};
use crate::lab::{Plan, Work};
use crate::math::Budget;
use crate::math::random::{Purpose, Stream};
use crate::models::mlp::curve::{CurveWork, costs};
use crate::models::mlp::exact::evidence::EvidenceWalks;
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::solver::options::InferenceMethod;

/// Maximum number of walks of a unit of work, which share a pilot.
const WALKS_PER_UNIT: usize = 20;
/// Streams of the walks of one number of hidden units; the last is that of the pilot.
const STREAMS: u64 = 10_000;

/// A unit of work.
#[derive(Clone, Copy)]
enum SweepUnit {
    /// Number of hidden units, method and index of the start; the one after the last restart is at weights of zero.
    Fit(usize, Approximation, usize),
    /// Number of hidden units, and indices of the first walk and the one after the last.
    Walks(usize, usize, usize),
}

/// Solver for units of one specification.
pub struct UnitsWork {
    spec: UnitsSpec,
    units: Vec<SweepUnit>,
    /// The unit in progress; its fit or its walks.
    unit: Option<SweepUnit>,
    fit: Option<CurveWork>,
    walks: Option<EvidenceWalks>,
    done: UnitsSnapshot,
}

/// Returns all units of work: the fits of all networks, then their walks. Ensemble learning has one more start, at weights of zero,
/// which finds the constant function if random weights do not.
fn units(spec: &UnitsSpec) -> Vec<SweepUnit> {
    let networks = || 1..=spec.most;
    let starts = |hidden| {
        let of = move |method: Approximation| {
            let starts = spec.restarts + usize::from(method.is_ensemble());
            (0..starts).map(move |index| SweepUnit::Fit(hidden, method, index))
        };
        UnitsSweep::METHODS.into_iter().flat_map(of)
    };
    let walks = |hidden| {
        let firsts = (0..spec.walks).step_by(WALKS_PER_UNIT);
        firsts.map(move |first| SweepUnit::Walks(hidden, first, (first + WALKS_PER_UNIT).min(spec.walks)))
    };
    networks().flat_map(starts).chain(networks().flat_map(walks)).collect()
}

/// Returns the plan, with costs in multiply–adds.
pub fn plan(spec: &UnitsSpec) -> Plan {
    let cost = |unit: SweepUnit| match unit {
        SweepUnit::Fit(hidden, method, _) => {
            let (fits, _) = costs(&spec.curve(hidden), spec.examples);
            fits[method.index()]
        }
        SweepUnit::Walks(hidden, first, end) => {
            let curve = spec.curve(hidden);
            let each = curve.problem(&curve.examples()).problem.cost(InferenceMethod::Map) as f64;
            EvidenceWalks::evaluations(spec.rungs, end - first) * each
        }
    };
    units(spec).into_iter().fold(Plan::default(), |plan, unit| plan.and(1, cost(unit)))
}

impl UnitsWork {
    /// Creates a solver before its first unit.
    pub fn new(spec: &UnitsSpec) -> Self {
        Self {
            spec: spec.clone(),
            units: units(spec),
            unit: None,
            fit: None,
            walks: None,
            done: UnitsSnapshot::default(),
        }
    }

    fn begin_walks(&self, hidden: usize, walks: std::ops::Range<usize>) -> EvidenceWalks {
        let curve = self.spec.curve(hidden);
        let problem = curve.problem(&curve.examples()).problem;
        let stream = |walk: u64| {
            let unit = STREAMS * hidden as u64 + walk;
            Stream::for_purpose(self.spec.seed, Purpose::MlpAnnealing, unit)
        };
        let streams = walks.map(|walk| stream(walk as u64)).collect();
        EvidenceWalks::new(&problem, self.spec.rungs, stream(STREAMS - 1), streams)
    }

    /// Stores the result of a finished fit.
    fn store_fit(&mut self, hidden: usize) {
        let fits = self.fit.take().map(|work| work.snapshot().fits).unwrap_or_default();
        self.done.fits.extend(fits.into_iter().map(|row| {
            let details = UnitsFit {
                hidden,
                off: row.details.units_off(hidden),
                train_mse: row.details.train_mse,
                means: UnitsSpec::drawn(&row.details.predicted).map(|(mean, _)| *mean as f32).collect(),
            };
            row.with_details(details)
        }));
    }

    /// Returns the walks of the unit in progress.
    fn walk_row(&self) -> Option<WalkRow> {
        let (Some(SweepUnit::Walks(hidden, ..)), Some(walks)) = (self.unit, &self.walks) else { return None };
        Some(WalkRow { hidden, ln_weights: walks.ln_weights().to_vec() })
    }
}

impl Work for UnitsWork {
    type Snapshot = UnitsSnapshot;

    fn begin(&mut self, unit: usize) {
        self.unit = self.units.get(unit).copied();
        match self.unit {
            Some(SweepUnit::Fit(hidden, method, index)) => {
                let restarts = self.spec.restarts;
                let mut work = CurveWork::new(&self.spec.curve(hidden), restarts, Vec::new());
                if index < restarts {
                    work.begin(method.index() * restarts + index);
                } else {
                    work.begin_at_zero(method);
                }
                self.fit = Some(work);
            }
            Some(SweepUnit::Walks(hidden, first, end)) => {
                self.walks = Some(self.begin_walks(hidden, first..end));
            }
            None => {}
        }
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        match self.unit {
            Some(SweepUnit::Fit(hidden, ..)) => {
                let done = self.fit.as_mut().is_none_or(|fit| fit.step(budget));
                if done {
                    self.store_fit(hidden);
                }
                done
            }
            Some(SweepUnit::Walks(..)) => {
                let done = self.walks.as_mut().is_none_or(|walks| walks.step(budget));
                if done {
                    let row = self.walk_row();
                    self.done.walks.extend(row);
                    self.walks = None;
                }
                done
            }
            None => true,
        }
    }

    fn fraction(&self) -> f64 {
        let fit = self.fit.as_ref().map(Work::fraction);
        fit.or_else(|| self.walks.as_ref().map(EvidenceWalks::fraction)).unwrap_or(0.0)
    }

    fn note(&self) -> String {
        match self.unit {
            Some(SweepUnit::Fit(hidden, method, _)) => format!("{hidden} hidden units: {}", method.label()),
            Some(SweepUnit::Walks(hidden, ..)) => format!("{hidden} hidden units: log evidence"),
            None => "log evidence".to_owned(),
        }
    }

    fn snapshot(&self) -> UnitsSnapshot {
        let mut all = self.done.clone();
        all.walks.extend(self.walk_row());
        all
    }
}
