//! The experiments: each method on a grid, and the live map, coarse and then fine.

use std::ops::Range;

use super::points::{Points, cell, cells};
#[cfg(feature = "report")]
use super::report;
use super::{Compare, LiveMap, Method, MethodRow, PlaySnapshot, PlaySpec, figures};
use crate::data::Store;
use crate::figure::Figure;
use crate::lab::{self, Checked, Ending, Experiment, Outcome, Progress, Run, RunError, Started, Status};
use crate::math::random::Stream;
use crate::models::gp::exact::Truth;
use crate::models::gp::solver::approximation::{Approach, Posterior, Solving};
use crate::models::gp::solver::tap::{MeanField, Tap};

/// Columns of the maps that are compared, and of the live one: first and at last.
const COLUMNS: usize = 48;
const COARSE: usize = 24;
const FINE: usize = 96;
/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;
/// Newton solves at most: nobody waits longer for a map.
const MOST_SOLVES: usize = 300;
/// Purpose of a random stream.
const CHAIN: u64 = 1;

/// A method's solve, and then its map, cell by cell.
struct Mapping {
    solving: Solving,
    posterior: Option<Posterior>,
    row: MethodRow,
}

impl Mapping {
    /// Before its first step.
    fn new(spec: &PlaySpec, points: &Points, method: Method, columns: usize) -> Self {
        let theory = if method == Method::Naive { MeanField::Naive } else { MeanField::Tap };
        let tap = Tap { most_steps: MOST_SOLVES, ..Tap::new(theory) };
        let approach = if method == Method::Laplace { Approach::Laplace } else { Approach::MeanField(tap) };
        let mut row = row(points, method, columns);
        if !method.applies(spec) {
            row.failed = Some("it does not apply here, for it needs v > 0".to_owned());
        }
        let solving = Solving::new(&points.rows, &points.tau, points.setting.clone(), approach);
        Self { solving, posterior: None, row }
    }

    /// A slice of work; `true` when the row is as it will be.
    fn advance(&mut self, points: &Points) -> bool {
        let m = points.rows.len();
        let mut work = 0;
        while work < SLICE && self.row.failed.is_none() {
            if let Some(posterior) = &self.posterior {
                let Some(at) = self.next() else { return true };
                let said = self.solving.predict(posterior, points.rows.iter(), &at);
                self.row.map.push(said.p as f32);
                work += m * (m / 2 + 20);
            } else {
                work += self.solving.cost();
                if let Some(ending) = self.solving.advance() {
                    self.solved(points, ending);
                }
            }
        }
        self.row.failed.is_some()
    }

    /// The next cell.
    fn next(&self) -> Option<[f64; 2]> {
        let (index, columns) = (self.row.map.len(), self.row.columns);
        (index < cells(columns)).then(|| cell(columns, index))
    }

    fn solved(&mut self, points: &Points, ending: Ending) {
        self.posterior = self.solving.posterior().filter(|_| ending.is_solution());
        let solves = self.solving.effort().newton_solves;
        self.row.newton_solves = solves;
        let Some(posterior) = &self.posterior else {
            self.row.failed = Some(match self.row.method {
                Method::Laplace => "the mode was not found".to_owned(),
                _ => {
                    format!(
                        "no fixed point after {solves} Newton solves; other values of v, κ or σ² may have one"
                    )
                }
            });
            return;
        };
        self.row.minus_g = Some(posterior.minus_g);
        let pairs = posterior.left_out.iter().zip(&points.tau);
        self.row.left_out_wrong = pairs.map(|(said, tau)| said.misses(*tau)).collect();
    }

    /// Another map by the same solution.
    fn redraw(&mut self, columns: usize) {
        (self.row.columns, self.row.map) = (columns, Vec::new());
    }

    /// Share of the map that there is.
    fn fraction(&self) -> f64 {
        self.row.map.len() as f64 / cells(self.row.columns).max(1) as f64
    }
}

/// What is known before a method begins.
fn row(points: &Points, method: Method, columns: usize) -> MethodRow {
    let pairs = points.rows.iter().zip(&points.tau);
    MethodRow {
        method,
        points: pairs.map(|(at, tau)| (at[0] as f32, at[1] as f32, *tau as f32)).collect(),
        map: Vec::new(),
        se: Vec::new(),
        chains: None,
        columns,
        minus_g: None,
        left_out_wrong: Vec::new(),
        newton_solves: 0,
        failed: None,
    }
}

impl Run for Compare {
    type Snapshot = PlaySnapshot;

    fn merge(parts: Vec<PlaySnapshot>) -> PlaySnapshot {
        PlaySnapshot { rows: parts.into_iter().flat_map(|part| part.rows).collect() }
    }

    fn status(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Status {
        status(spec, snapshot)
    }

    fn figures(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Vec<Figure> {
        figures::compare(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> serde_json::Value {
        report::methods(snapshot)
    }

    fn start(
        spec: &Checked<PlaySpec>,
        units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<PlaySnapshot>, Vec<lab::InputError>> {
        Ok(Box::new(CompareExperiment {
            points: Points::new(spec),
            spec: (**spec).clone(),
            next: units.start,
            units,
            mapping: None,
            truth: None,
            fields: None,
            rows: Vec::new(),
        }))
    }
}

struct CompareExperiment {
    spec: PlaySpec,
    points: Points,
    units: Range<usize>,
    next: usize,
    mapping: Option<Mapping>,
    truth: Option<Truth>,
    /// TAP's mean fields, near which a chain may begin; the labels where there is no solution.
    fields: Option<Vec<f64>>,
    rows: Vec<MethodRow>,
}

impl CompareExperiment {
    /// A slice of a unit; how much of it is done.
    fn step(&mut self, method: Method) -> f64 {
        match (&mut self.truth, &self.fields) {
            (Some(truth), _) => {
                let done = truth.advance(SLICE);
                if !done && !truth.stuck() {
                    return truth.fraction();
                }
                let row = if done { self.sampled_row() } else { Some(self.unsampled()) };
                self.truth = None;
                self.finish(row);
            }
            (None, Some(h)) if method == Method::Sampled => {
                let inputs = (0..cells(COLUMNS)).map(|i| self.points.covariances(&cell(COLUMNS, i)));
                let stream = Stream::aside(self.spec.seed, 0, CHAIN);
                self.truth = Truth::new(&self.points.problem(), h, inputs, self.spec.draws, stream);
                if self.truth.is_none() {
                    self.finish(Some(self.unsampled()));
                }
            }
            _ => return self.map(method),
        }
        0.0
    }

    /// The exact posterior needs no more of TAP than its fields.
    fn map(&mut self, method: Method) -> f64 {
        let (method, columns) = if method == Method::Sampled { (Method::Tap, 0) } else { (method, COLUMNS) };
        let mut mapping =
            self.mapping.take().unwrap_or_else(|| Mapping::new(&self.spec, &self.points, method, columns));
        if !mapping.advance(&self.points) {
            let fraction = mapping.fraction();
            self.mapping = Some(mapping);
            return fraction;
        }
        if method == Method::Tap {
            self.fields = Some(mapping.posterior.map_or_else(|| self.points.tau.clone(), |p| p.h));
        }
        if columns > 0 {
            self.finish(Some(mapping.row));
        }
        0.0
    }

    fn finish(&mut self, row: Option<MethodRow>) {
        self.rows.extend(row);
        self.next += 1;
    }

    fn sampled_row(&self) -> Option<MethodRow> {
        let truth = self.truth.as_ref()?;
        let map = truth.probabilities()?.iter().map(|p| *p as f32).collect();
        let se = truth.standard_errors().iter().map(|se| *se as f32).collect();
        Some(MethodRow { map, se, chains: truth.chains(), ..row(&self.points, Method::Sampled, COLUMNS) })
    }

    /// Where the exact posterior has no room for a chain.
    fn unsampled(&self) -> MethodRow {
        let failed =
            "hardly any field, if one at all, fits every label; more noise (v or κ) would help".to_owned();
        MethodRow { failed: Some(failed), ..row(&self.points, Method::Sampled, COLUMNS) }
    }
}

impl Experiment for CompareExperiment {
    type Snapshot = PlaySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let (mut part, mut note) = (0.0, "");
        if self.next < self.units.end {
            let method = Compare::METHODS[self.next];
            note = if method == Method::Sampled { "sampling the exact posterior" } else { method.name() };
            part = self.step(method);
        }
        if self.next == self.units.end {
            return Ok(Progress::Done);
        }
        let done = (self.next - self.units.start) as f64 + part;
        Ok(Progress::Running { fraction: done / self.units.len() as f64, note: note.to_owned() })
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.rows.iter().cloned().chain(self.sampled_row()).collect() }
    }
}

impl Run for LiveMap {
    type Snapshot = PlaySnapshot;

    fn merge(parts: Vec<PlaySnapshot>) -> PlaySnapshot {
        Compare::merge(parts)
    }

    fn status(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Status {
        status(spec, snapshot)
    }

    fn figures(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> serde_json::Value {
        report::methods(snapshot)
    }

    fn start(
        spec: &Checked<PlaySpec>,
        _units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<PlaySnapshot>, Vec<lab::InputError>> {
        let points = Points::new(spec);
        let method = if spec.method == Method::Sampled { Method::Tap } else { spec.method };
        let mapping = Mapping::new(spec, &points, method, COARSE);
        Ok(Box::new(MapExperiment { points, mapping, shown: None }))
    }
}

struct MapExperiment {
    points: Points,
    mapping: Mapping,
    /// The last map that was whole.
    shown: Option<MethodRow>,
}

impl Experiment for MapExperiment {
    type Snapshot = PlaySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        if self.mapping.advance(&self.points) {
            let row = self.shown.insert(self.mapping.row.clone());
            if row.failed.is_some() || row.columns == FINE {
                return Ok(Progress::Done);
            }
            self.mapping.redraw(FINE);
        }
        let (fraction, note) = match self.shown {
            None => (0.0, "coarse map"),
            Some(_) => (0.1 + 0.9 * self.mapping.fraction(), "fine map"),
        };
        Ok(Progress::Running { fraction, note: note.to_owned() })
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.shown.iter().cloned().collect() }
    }
}

/// Converged, if every method that applies has a map.
fn status(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Status {
    let rows = || snapshot.rows.iter().filter(|row| row.method.applies(spec));
    let failed = |row: &MethodRow| Some(format!("{}: {}", row.method.name(), row.failed.as_ref()?));
    let reasons: Vec<String> = rows().filter_map(failed).collect();
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    let outcome = if reasons.len() == rows().count() { Outcome::Diverged } else { Outcome::MaxIterations };
    Status { outcome, reason: Some(reasons.join("; ")) }
}
