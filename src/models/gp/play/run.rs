//! The experiments: each method on a grid, and the live map, coarse and then fine.

use super::points::{Points, cell, cells};
#[cfg(feature = "report")]
use super::report;
use super::{Compare, LiveMap, Method, MethodRow, PlaySnapshot, PlaySpec, figures, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Budget, Checked, Ending, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status, Work,
};
use crate::math::random::Stream;
use crate::models::gp::exact::Truth;
use crate::models::gp::solver::approximation::{Approach, Posterior, Solving};
use crate::models::gp::solver::tap::{MeanField, Tap};

/// Columns of the maps that are compared, and of the live one: first and at last.
const COLUMNS: usize = 48;
const COARSE: usize = 24;
const FINE: usize = 96;
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

    /// A step of the solve, or a cell of the map; `true` when the row is as it will be.
    fn step(&mut self, points: &Points, budget: &mut Budget) -> bool {
        let m = points.rows.len();
        if self.row.failed.is_some() {
            return true;
        }
        if let Some(posterior) = &self.posterior {
            let Some(at) = self.next() else { return true };
            let said = self.solving.predict(posterior, points.rows.iter(), &at);
            self.row.map.push(said.p as f32);
            budget.spend((m * (m / 2 + 20)) as u64);
        } else {
            budget.spend(self.solving.cost() as u64);
            if let Some(ending) = self.solving.advance() {
                self.solved(points, ending);
            }
        }
        false
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
    const META: Meta = Meta {
        id: "gp",
        title: "Points in the plane",
        tab: Some("Playground"),
        queue: Queue::Run,
        live: Some("gp.map"),
        presets: PRESETS,
    };
    type Spec = PlaySpec;
    type Snapshot = PlaySnapshot;

    fn plan(_spec: &Checked<PlaySpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(Compare::METHODS.len())
    }

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

    fn prepare(
        spec: &Checked<PlaySpec>,
        _data: &Store,
        _before: Option<PlaySnapshot>,
    ) -> Result<Prepared<PlaySnapshot>, Vec<InputError>> {
        Ok(Box::new(CompareWork {
            points: Points::new(spec),
            spec: (**spec).clone(),
            method: Method::Tap,
            mapping: None,
            truth: None,
            fields: None,
            rows: Vec::new(),
        }))
    }
}

struct CompareWork {
    spec: PlaySpec,
    points: Points,
    method: Method,
    mapping: Option<Mapping>,
    truth: Option<Truth>,
    /// TAP's mean fields, near which a chain may begin; the labels where there is no solution.
    fields: Option<Vec<f64>>,
    rows: Vec<MethodRow>,
}

impl CompareWork {
    /// A step of the sampler; `true` when its row is there.
    fn sample(&mut self, budget: &mut Budget) -> bool {
        let Some(h) = &self.fields else {
            self.map(budget);
            return false;
        };
        let Some(truth) = &mut self.truth else {
            let inputs = (0..cells(COLUMNS)).map(|i| self.points.covariances(&cell(COLUMNS, i)));
            let stream = Stream::aside(self.spec.seed, 0, CHAIN);
            self.truth = Truth::new(&self.points.problem(), h, inputs, self.spec.draws, stream);
            if self.truth.is_none() {
                self.rows.push(self.unsampled());
            }
            return self.truth.is_none();
        };
        let done = truth.advance(budget);
        if !done && !truth.stuck() {
            return false;
        }
        let row = if done { self.sampled_row() } else { Some(self.unsampled()) };
        self.truth = None;
        self.rows.extend(row);
        true
    }

    /// The exact posterior needs no more of TAP than its fields.
    fn map(&mut self, budget: &mut Budget) -> bool {
        let (method, columns) =
            if self.method == Method::Sampled { (Method::Tap, 0) } else { (self.method, COLUMNS) };
        let mut mapping =
            self.mapping.take().unwrap_or_else(|| Mapping::new(&self.spec, &self.points, method, columns));
        if !mapping.step(&self.points, budget) {
            self.mapping = Some(mapping);
            return false;
        }
        if method == Method::Tap {
            self.fields = Some(mapping.posterior.map_or_else(|| self.points.tau.clone(), |p| p.h));
        }
        if columns > 0 {
            self.rows.push(mapping.row);
        }
        true
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

impl Work for CompareWork {
    type Snapshot = PlaySnapshot;

    fn begin(&mut self, unit: usize) {
        self.method = Compare::METHODS[unit];
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if self.method == Method::Sampled { self.sample(budget) } else { self.map(budget) }
    }

    fn fraction(&self) -> f64 {
        match (&self.truth, &self.mapping) {
            (Some(truth), _) => truth.fraction(),
            (_, Some(mapping)) => mapping.fraction(),
            _ => 0.0,
        }
    }

    fn note(&self) -> String {
        match self.method {
            Method::Sampled => "sampling the exact posterior",
            method => method.reads(),
        }
        .to_owned()
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.rows.iter().cloned().chain(self.sampled_row()).collect() }
    }
}

impl Run for LiveMap {
    const META: Meta = Meta {
        id: "gp.map",
        title: "A map of the plane",
        tab: None,
        queue: Queue::Live,
        live: None,
        presets: &[],
    };
    type Spec = PlaySpec;
    type Snapshot = PlaySnapshot;

    fn plan(_spec: &Checked<PlaySpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

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

    fn prepare(
        spec: &Checked<PlaySpec>,
        _data: &Store,
        _before: Option<PlaySnapshot>,
    ) -> Result<Prepared<PlaySnapshot>, Vec<InputError>> {
        let points = Points::new(spec);
        let method = if spec.method == Method::Sampled { Method::Tap } else { spec.method };
        let mapping = Mapping::new(spec, &points, method, COARSE);
        Ok(Box::new(MapWork { points, mapping, whole: None }))
    }
}

struct MapWork {
    points: Points,
    mapping: Mapping,
    /// The last map that was whole.
    whole: Option<MethodRow>,
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
        PlaySnapshot { rows: self.whole.iter().cloned().collect() }
    }
}

/// Converged, if every method that applies has a map.
fn status(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Status {
    let rows = || snapshot.rows.iter().filter(|row| row.method.applies(spec));
    let failed = |row: &MethodRow| Some(format!("{}: {}", row.method.reads(), row.failed.as_ref()?));
    let reasons: Vec<String> = rows().filter_map(failed).collect();
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    let outcome = if reasons.len() == rows().count() { Outcome::Diverged } else { Outcome::MaxIterations };
    Status { outcome, reason: Some(reasons.join("; ")) }
}
