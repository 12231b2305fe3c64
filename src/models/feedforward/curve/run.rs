//! The experiments: a learning curve over many runs, and the theory alone while a control is dragged.

use std::ops::Range;

#[cfg(feature = "report")]
use super::report;
use super::spec::CurveSpec;
use super::{CurveSnapshot, LearningCurve, RunRow, Solve, TheoryCurve, TheoryRow, TheorySnapshot, figures};
use crate::data::Store;
use crate::data::teacher::{Examples, Teacher};
use crate::figure::Figure;
use crate::lab::{Checked, Ending, Experiment, Outcome, Progress, Run, RunError, Started, Status};
use crate::math::random::Stream;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};
use crate::models::feedforward::theory::errors::{Errors, test_inputs};
use crate::models::feedforward::theory::interpolation::Track;
use crate::models::feedforward::theory::{self, Averages, Replica};

/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;

impl Run for LearningCurve {
    type Snapshot = CurveSnapshot;

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        let mut all = CurveSnapshot::default();
        for part in parts {
            all.theory.extend(part.theory);
            all.runs.extend(part.runs);
        }
        all
    }

    fn status(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        let solves = || snapshot.runs.iter().flat_map(|run| &run.solves);
        let (all, failed) = (solves().count(), solves().filter(|s| !s.converged).count());
        if failed == 0 {
            return Status::CONVERGED;
        }
        let hopeless: Vec<String> = (spec.alphas.iter().enumerate())
            .filter(|(i, _)| !snapshot.trusted(*i))
            .map(|(_, alpha)| alpha.to_string())
            .collect();
        // A few failures in a hundred are a nuisance; more of them want advice.
        let advice = if 50 * failed > all { spec.advice() } else { "" };
        let (outcome, which) = if hopeless.is_empty() {
            (Outcome::MaxIterations, String::new())
        } else {
            (
                Outcome::Diverged,
                format!("; most failed at α = {}, which gives no numbers", hopeless.join(", ")),
            )
        };
        let reason = format!("{failed} of {all} solves did not converge and are left out{which}{advice}");
        Status { outcome, reason: Some(reason) }
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::learning_curve(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> serde_json::Value {
        report::curve(spec, snapshot)
    }

    fn start(
        spec: &Checked<CurveSpec>,
        units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<CurveSnapshot>, Vec<crate::lab::InputError>> {
        let mut by_size: Vec<(usize, usize)> = spec.examples().enumerate().map(|(i, m)| (m, i)).collect();
        by_size.sort_unstable();
        Ok(Box::new(CurveExperiment {
            spec: (**spec).clone(),
            likelihood: Likelihood::new(spec.hidden, spec.beta),
            by_size,
            next: units.start,
            units,
            current: None,
            track: None,
            done: CurveSnapshot::default(),
        }))
    }
}

/// The units are first the theory at each α, then the runs.
struct CurveExperiment {
    spec: CurveSpec,
    likelihood: Likelihood,
    /// (m, index into `alphas`) with m growing: the training set of a run is extended, never redrawn.
    by_size: Vec<(usize, usize)>,
    units: Range<usize>,
    next: usize,
    current: Option<CurrentRun>,
    /// Of theory that is one unit.
    track: Option<Track>,
    done: CurveSnapshot,
}

/// A run under way: one teacher, one growing training set.
struct CurrentRun {
    row: RunRow,
    teacher: Teacher,
    examples: Examples,
    /// How many of `by_size` are solved.
    solved: usize,
    state: Option<State>,
    /// The solution of fewer examples, where a warm start is asked for.
    before: Option<State>,
}

impl Experiment for CurveExperiment {
    type Snapshot = CurveSnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let mut work = 0;
        while work < SLICE && self.next < self.units.end {
            if self.next < self.spec.theory_units() {
                if let Some(rows) = self.theory(self.next) {
                    self.done.theory.extend(rows);
                    self.next += 1;
                }
                // One branch takes microseconds, several take a slice and more.
                work += if self.likelihood.hidden() == 1 { SLICE / 20 } else { SLICE };
            } else {
                work += self.sweeps(SLICE - work);
            }
        }
        if self.next == self.units.end {
            return Ok(Progress::Done);
        }
        let fraction = (self.next - self.units.start) as f64 / self.units.len() as f64;
        // The run is one of this shard's: what it is about says more than its number.
        let at = self.current.as_ref().and_then(|run| Some((run, self.by_size.get(run.solved)?.1)));
        let note = match at {
            Some((run, index)) => {
                let sweeps = run.state.as_ref().map_or(0, State::total_sweeps);
                format!("α = {}, sweep {sweeps}", self.spec.alphas[index])
            }
            None => "theory".to_owned(),
        };
        Ok(Progress::Running { fraction, note })
    }

    fn snapshot(&self) -> CurveSnapshot {
        self.done.clone()
    }
}

impl CurveExperiment {
    /// Works on a unit of theory; its rows when it is done.
    fn theory(&mut self, unit: usize) -> Option<Vec<TheoryRow>> {
        // The ratio, not the nominal α: 12.5 examples are 13.
        let mut ratios = self.spec.ratios();
        let size = self.spec.finite_size();
        let row = |ratio: f64, at: &dyn Fn(f64) -> Replica| TheoryRow {
            bayes_finite: Some(at(ratio * size).bayes),
            ..TheoryRow::new(ratio, at(ratio))
        };
        if !self.spec.theory_at_once() {
            let averages = Averages::new(self.likelihood);
            let ratio = ratios.nth(unit)?;
            return Some(vec![row(ratio, &|alpha| averages.solve(alpha, 0.5))]);
        }
        let track = self.track.get_or_insert_with(|| Track::new(self.likelihood, self.spec.end() * size));
        let done = track.advance();
        done.then(|| ratios.map(|ratio| row(ratio, &|alpha| track.at(alpha))).collect())
    }

    /// Works on the current run until about `budget` multiply–adds are spent or the run is done; says how many.
    fn sweeps(&mut self, budget: usize) -> usize {
        let (spec, likelihood) = (&self.spec, self.likelihood);
        let run = self.next - spec.theory_units();
        let current = self.current.get_or_insert_with(|| CurrentRun::new(spec, run));
        let mut work = 0;
        while let Some(&(m, index)) = self.by_size.get(current.solved) {
            // Drawing a normal number costs about as much as twenty multiply–adds.
            work += 20 * spec.inputs * m.saturating_sub(current.examples.len());
            current.teacher.extend(&mut current.examples, m);
            let problem = TrainingSet::new(&current.examples, m, likelihood).believing(spec.believed());
            let tap = Tap::default();
            let before = current.before.take();
            let state = current.state.get_or_insert_with(|| match before {
                Some(before) => tap.grown(&problem, before),
                None => tap.init(&problem),
            });
            let ending = loop {
                if work >= budget {
                    return work;
                }
                work += problem.cost();
                if let Some(ending) = tap.advance(&problem, state) {
                    break ending;
                }
            };
            work += test_inputs(spec.inputs) * (40 * spec.hidden + 20 * spec.inputs);
            let mut stream = Stream::aside(spec.seed, run as u64, m as u64);
            current.row.solves[index] = if ending == Ending::Converged {
                let labels = &current.examples.labels()[..m];
                let solution = state.solution(&problem);
                Solve::of(&solution, &current.teacher, spec.matched(), labels, &likelihood, &mut stream)
            } else {
                Solve { sweeps: state.total_sweeps(), ..Solve::default() }
            };
            let solved = current.state.take();
            current.before = solved.filter(|_| spec.warm_start && ending == Ending::Converged);
            current.solved += 1;
        }
        if let Some(finished) = self.current.take() {
            self.done.runs.push(finished.row);
        }
        self.next += 1;
        work
    }
}

impl CurrentRun {
    fn new(spec: &CurveSpec, run: usize) -> Self {
        let stream = Stream::of(spec.seed, run as u64);
        Self {
            row: RunRow { run, solves: vec![Solve::default(); spec.alphas.len()] },
            teacher: Teacher::draw(spec.rule(), spec.drawn_inputs(), spec.flip_probability(), stream),
            examples: Examples::new(spec.inputs),
            solved: 0,
            state: None,
            before: None,
        }
    }
}

impl Solve {
    fn of(
        solution: &Solution,
        teacher: &Teacher,
        matched: bool,
        labels: &[f64],
        likelihood: &Likelihood,
        stream: &mut Stream,
    ) -> Self {
        let Errors { bayes, opt, r } = Errors::of(solution, teacher, matched, stream);
        Self {
            converged: true,
            bayes,
            opt,
            train_bayes: solution.training_bayes(labels),
            train_opt: solution.training_opt(labels),
            train_tilted: solution.training_tilted(labels, likelihood),
            loo_bayes: solution.moving_control_bayes(labels),
            loo_opt: solution.moving_control_opt(labels),
            q: solution.q(),
            r,
            sweeps: solution.sweeps,
        }
    }
}

impl TheoryRow {
    fn new(ratio: f64, theory: Replica) -> Self {
        Self {
            ratio,
            q: theory.q,
            bayes: theory.bayes,
            opt: theory.opt,
            training: theory.training,
            bayes_finite: None,
            bayes_large: None,
        }
    }
}

impl Run for TheoryCurve {
    type Snapshot = TheorySnapshot;

    fn merge(parts: Vec<TheorySnapshot>) -> TheorySnapshot {
        TheorySnapshot { rows: parts.into_iter().flat_map(|part| part.rows).collect() }
    }

    fn status(_spec: &Checked<CurveSpec>, _snapshot: &TheorySnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> Vec<Figure> {
        figures::theory_curve(spec, &snapshot.rows)
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> serde_json::Value {
        report::theory(snapshot)
    }

    fn start(
        spec: &Checked<CurveSpec>,
        _units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<TheorySnapshot>, Vec<crate::lab::InputError>> {
        let grid = grid(spec);
        let likelihood = Likelihood::new(spec.hidden, spec.beta);
        let large = |alpha: &f64| (spec.hidden > 1).then(|| theory::solve_large(&likelihood, *alpha).bayes);
        Ok(Box::new(TheoryExperiment {
            likelihood,
            large: grid.iter().map(large).collect(),
            grid,
            measured: spec.ratios().collect(),
            end: spec.end() * spec.finite_size(),
            finite_size: spec.finite_size(),
            track: None,
        }))
    }
}

/// The α of the drawn theory: denser where the curve bends, every measured ratio among them, and as far beyond them as
/// the finite-size correction reaches. None where there is no theory.
fn grid(spec: &CurveSpec) -> Vec<f64> {
    const POINTS: usize = 48;
    if !spec.matched() {
        return Vec::new();
    }
    let end = spec.end() * spec.finite_size();
    let even = (0..=POINTS).map(|i| end * (i as f64 / POINTS as f64).powi(2));
    let mut grid: Vec<f64> = even.chain(spec.ratios()).collect();
    grid.sort_by(f64::total_cmp);
    grid.dedup();
    grid
}

struct TheoryExperiment {
    likelihood: Likelihood,
    grid: Vec<f64>,
    /// The limit K → ∞ on the grid.
    large: Vec<Option<f64>>,
    /// The ratios at which there is a simulation, the largest α that is looked at, and N/(N−K).
    measured: Vec<f64>,
    end: f64,
    finite_size: f64,
    /// For several branches; one takes microseconds an α.
    track: Option<Track>,
}

impl Experiment for TheoryExperiment {
    type Snapshot = TheorySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        if self.likelihood.hidden() == 1 || self.grid.is_empty() {
            return Ok(Progress::Done);
        }
        let track = self.track.get_or_insert_with(|| Track::new(self.likelihood, self.end));
        if track.advance() {
            return Ok(Progress::Done);
        }
        // The first picture is already one of the whole curve.
        let fraction = if track.coarse() { track.fraction() } else { 0.0 };
        Ok(Progress::Running { fraction, note: "theory".to_owned() })
    }

    fn snapshot(&self) -> TheorySnapshot {
        let at = |alpha: f64| match &self.track {
            Some(track) => track.coarse().then(|| track.at(alpha)),
            None => (self.likelihood.hidden() == 1).then(|| theory::solve(&self.likelihood, alpha, 0.5)),
        };
        let rows = self.grid.iter().zip(&self.large).filter_map(|(&ratio, &bayes_large)| {
            // Elsewhere the curve of finite size is that of more examples, drawn at fewer.
            let finite = || Some(at(ratio * self.finite_size)?.bayes);
            Some(TheoryRow {
                bayes_finite: self.measured.contains(&ratio).then(finite).flatten(),
                bayes_large,
                ..TheoryRow::new(ratio, at(ratio)?)
            })
        });
        TheorySnapshot { rows: rows.collect() }
    }
}
