//! The experiments: each method on a grid, and the live map, coarse and then fine.

use std::ops::Range;

use super::super::kernel::Kernel;
use super::super::laplace::Laplace;
use super::super::problem::Problem;
use super::super::site::probability;
use super::super::tap::{Ending, Solution, Tap, Theory};
use super::super::truth::Truth;
#[cfg(feature = "report")]
use super::report;
use super::{Compare, LiveMap, Method, MethodRow, PlaySnapshot, PlaySpec, PointSet, VIEW, figures};
use crate::data::Store;
use crate::data::toy::{Labelled, Toy};
use crate::figure::Figure;
use crate::lab::{self, Checked, Experiment, Outcome, Progress, Run, RunError, Started, Status};
use crate::math::cholesky::Cholesky;
use crate::math::random::Stream;

/// Columns of the maps that are compared, and of the live one: first and at last. Rows go with the shape of the view.
const COLUMNS: usize = 48;
const COARSE: usize = 24;
const FINE: usize = 96;
/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;
/// Purposes of random streams.
const POINTS: u64 = 0;
const CHAIN: u64 = 1;

/// The points of a specification, with their problem.
struct Setting {
    spec: PlaySpec,
    points: Vec<Labelled>,
    rows: Vec<Vec<f64>>,
    kernel: Kernel,
    problem: Problem,
}

impl Setting {
    fn new(spec: &PlaySpec) -> Self {
        let kernel = Kernel::isotropic(spec.kernel.into(), 2, spec.sigma2);
        let mut stream = Stream::aside(spec.seed, 0, POINTS);
        let toy = match spec.set {
            PointSet::Moons | PointSet::Draw | PointSet::Own => Toy::Moons,
            PointSet::Xor => Toy::Xor,
            PointSet::Rings => Toy::Rings,
            PointSet::Mixture => Toy::Mixture,
        };
        let mut points = toy.draw(spec.examples, &mut stream);
        match spec.set {
            PointSet::Draw => relabel(&mut points, &kernel, spec, &mut stream),
            PointSet::Own => {
                points = spec
                    .points
                    .iter()
                    .map(|[x, y, label]| Labelled { at: [*x, *y], label: *label })
                    .collect();
            }
            _ => {}
        }
        let rows: Vec<Vec<f64>> = points.iter().map(|p| p.at.to_vec()).collect();
        let tau: Vec<f64> = points.iter().map(|p| p.label).collect();
        let problem = Problem::new(&rows, &tau, &kernel, spec.v, spec.kappa);
        Self { spec: spec.clone(), points, rows, kernel, problem }
    }

    fn covariances(&self, at: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| self.kernel.at(row, at)).collect()
    }

    /// p(+1) at every cell of a grid, from mean and variance of the noise-free field there.
    fn map(&self, columns: usize, predict: impl Fn(&[f64], f64) -> (f64, f64)) -> Vec<f32> {
        grid(columns)
            .map(|at| {
                let (mean, var) = predict(&self.covariances(&at), self.kernel.at(&at, &at));
                probability(mean, var + self.spec.v, self.spec.kappa) as f32
            })
            .collect()
    }

    fn row(&self, method: Method, columns: usize) -> MethodRow {
        let points = self.points.iter().map(|p| (p.at[0] as f32, p.at[1] as f32, p.label as f32));
        MethodRow {
            method,
            points: points.collect(),
            map: Vec::new(),
            columns,
            minus_g: None,
            left_out_wrong: Vec::new(),
            newton_solves: 0,
            failed: None,
        }
    }

    /// The solution of a mean-field theory, if it has one, and the Newton solves that it took.
    fn solve(&self, theory: Theory) -> (Option<Solution>, usize) {
        let (state, ending) = Tap::new(theory).solve(&self.problem);
        let good = matches!(ending, Ending::Converged | Ending::Stalled);
        let solution = state.solution(&self.problem, theory).filter(|_| good);
        (solution, state.newton_solves)
    }

    fn mean_field(&self, theory: Theory, columns: usize) -> MethodRow {
        let method = if theory == Theory::Tap { Method::Tap } else { Method::Naive };
        let mut row = self.row(method, columns);
        let (solution, newton_solves) = self.solve(theory);
        row.newton_solves = newton_solves;
        let Some(solution) = solution else {
            row.failed = Some(format!(
                "no fixed point after {newton_solves} Newton solves; more noise (v or κ) would help"
            ));
            return row;
        };
        row.map = self.map(columns, |k, own| solution.predict(k, own));
        row.minus_g = Some(solution.minus_g);
        let pairs = solution.left_out.iter().zip(&self.problem.tau);
        row.left_out_wrong = pairs.map(|(field, tau)| field * tau <= 0.0).collect();
        row
    }

    fn laplace(&self, columns: usize) -> MethodRow {
        let mut row = self.row(Method::Laplace, columns);
        if self.spec.v == 0.0 {
            row.failed = Some("Laplace's approximation needs v > 0".to_owned());
            return row;
        }
        let noise_free = Problem::new(&self.rows, &self.problem.tau, &self.kernel, 0.0, self.spec.kappa);
        match Laplace::fit(&noise_free, self.spec.v) {
            Some(fit) => {
                row.newton_solves = fit.newton_solves;
                row.minus_g = Some(fit.ln_evidence);
                row.map = self.map(columns, |k, own| fit.predict(k, own));
            }
            None => row.failed = Some("the mode was not found".to_owned()),
        }
        row
    }

    /// Where the exact posterior has no room for a chain.
    fn unsampled(&self) -> MethodRow {
        let failed =
            "hardly any field, if one at all, fits every label; more noise (v or κ) would help".to_owned();
        MethodRow { failed: Some(failed), ..self.row(Method::Sampled, COLUMNS) }
    }

    fn truth(&self) -> Option<Truth> {
        let (solution, _) = self.solve(Theory::Tap);
        let h = solution.map_or_else(|| self.problem.tau.clone(), |s| s.h);
        let inputs = grid(COLUMNS).map(|at| (self.covariances(&at), self.kernel.at(&at, &at) + self.spec.v));
        let stream = Stream::aside(self.spec.seed, 0, CHAIN);
        Truth::new(&self.problem, &h, inputs, self.spec.draws, stream)
    }
}

/// Labels from a draw of the process at the points, with its noise and flips.
fn relabel(points: &mut [Labelled], kernel: &Kernel, spec: &PlaySpec, stream: &mut Stream) {
    for point in points.iter_mut() {
        point.at =
            [VIEW.0 * 0.85 * (2.0 * stream.uniform() - 1.0), VIEW.1 * 0.85 * (2.0 * stream.uniform() - 1.0)];
    }
    let element = |i: usize, j: usize| {
        let noise = if i == j { spec.v + 1e-9 } else { 0.0 };
        kernel.at(&points[i].at, &points[j].at) + noise
    };
    let Some(factor) = Cholesky::new(points.len(), element) else { return };
    let u: Vec<f64> = points.iter().map(|_| stream.normal()).collect();
    for (i, point) in points.iter_mut().enumerate() {
        let h: f64 = (0..=i).map(|j| factor.at(i, j) * u[j]).sum();
        let flip = stream.uniform() < spec.kappa;
        point.label = if (h < 0.0) == flip { 1.0 } else { -1.0 };
    }
}

/// Centres of the cells of a grid over the view, row by row from below.
fn grid(columns: usize) -> impl Iterator<Item = [f64; 2]> {
    let rows = columns * 3 / 4;
    let at = move |i: usize, count: usize, half: f64| half * ((2 * i + 1) as f64 / count as f64 - 1.0);
    (0..rows).flat_map(move |r| (0..columns).map(move |c| [at(c, columns, VIEW.0), at(r, rows, VIEW.1)]))
}

impl Run for Compare {
    type Snapshot = PlaySnapshot;

    fn merge(parts: Vec<PlaySnapshot>) -> PlaySnapshot {
        PlaySnapshot { rows: parts.into_iter().flat_map(|part| part.rows).collect() }
    }

    fn status(_spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Status {
        status(snapshot)
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
    ) -> Result<Started<PlaySnapshot>, Vec<lab::Problem>> {
        Ok(Box::new(CompareExperiment {
            setting: Setting::new(spec),
            next: units.start,
            units,
            truth: None,
            rows: Vec::new(),
        }))
    }
}

struct CompareExperiment {
    setting: Setting,
    units: Range<usize>,
    next: usize,
    truth: Option<Truth>,
    rows: Vec<MethodRow>,
}

impl CompareExperiment {
    fn sampled_row(&self) -> Option<MethodRow> {
        let probabilities = self.truth.as_ref()?.probabilities()?;
        let map = probabilities.iter().map(|p| *p as f32).collect();
        Some(MethodRow { map, ..self.setting.row(Method::Sampled, COLUMNS) })
    }
}

impl Experiment for CompareExperiment {
    type Snapshot = PlaySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let mut note = "sampling the exact posterior";
        let mut part = 0.0;
        if let Some(truth) = &mut self.truth {
            let done = truth.advance(SLICE);
            if done || truth.stuck() {
                let row = if done { self.sampled_row() } else { Some(self.setting.unsampled()) };
                self.rows.extend(row);
                self.truth = None;
                self.next += 1;
            } else {
                part = truth.fraction();
            }
        } else if self.next < self.units.end {
            let method = Compare::METHODS[self.next];
            note = method.name();
            match method {
                Method::Tap => self.rows.push(self.setting.mean_field(Theory::Tap, COLUMNS)),
                Method::Naive => self.rows.push(self.setting.mean_field(Theory::Naive, COLUMNS)),
                Method::Laplace => self.rows.push(self.setting.laplace(COLUMNS)),
                Method::Sampled => self.truth = self.setting.truth(),
            }
            if method == Method::Sampled && self.truth.is_none() {
                self.rows.push(self.setting.unsampled());
            }
            if self.truth.is_none() {
                self.next += 1;
            }
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

    fn status(_spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Status {
        status(snapshot)
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
    ) -> Result<Started<PlaySnapshot>, Vec<lab::Problem>> {
        Ok(Box::new(MapExperiment { setting: Setting::new(spec), row: None }))
    }
}

struct MapExperiment {
    setting: Setting,
    row: Option<MethodRow>,
}

impl Experiment for MapExperiment {
    type Snapshot = PlaySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let columns = if self.row.is_none() { COARSE } else { FINE };
        self.row = Some(match self.setting.spec.method {
            Method::Naive => self.setting.mean_field(Theory::Naive, columns),
            Method::Laplace => self.setting.laplace(columns),
            Method::Tap | Method::Sampled => self.setting.mean_field(Theory::Tap, columns),
        });
        if columns == FINE {
            return Ok(Progress::Done);
        }
        Ok(Progress::Running { fraction: 0.3, note: "coarse map".to_owned() })
    }

    fn snapshot(&self) -> PlaySnapshot {
        PlaySnapshot { rows: self.row.iter().cloned().collect() }
    }
}

/// Converged, if every method has a map.
fn status(snapshot: &PlaySnapshot) -> Status {
    let reasons: Vec<String> = (snapshot.rows.iter())
        .filter_map(|row| Some(format!("{}: {}", row.method.name(), row.failed.as_ref()?)))
        .collect();
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    let outcome =
        if reasons.len() == snapshot.rows.len() { Outcome::Diverged } else { Outcome::MaxIterations };
    Status { outcome, reason: Some(reasons.join("; ")) }
}
