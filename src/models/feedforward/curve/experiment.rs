//! The experiments: a learning curve over many runs, and the theory alone while a control is dragged.

use std::rc::Rc;

use super::spec::CurveSpec;
use super::{CurveSnapshot, RunRow, Solve, TheoryRow, TheorySnapshot};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::{Budget, Ending, Work};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::{order, sorted};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};
use crate::models::feedforward::theory::errors::{Errors, test_inputs};
use crate::models::feedforward::theory::interpolation::Track;
use crate::models::feedforward::theory::{self, Averages, Replica};

/// The units are first the theory at each α, then the runs.
pub struct CurveWork {
    spec: CurveSpec,
    likelihood: Likelihood,
    /// (m, index into `alphas`) with m growing: the training set of a run is extended, never redrawn.
    by_size: Vec<(usize, usize)>,
    unit: UnitOfWork,
    done: CurveSnapshot,
}

/// What is worked on.
enum UnitOfWork {
    /// Theory at this one of the ratios, at once.
    Ratio(usize),
    /// Theory at all of them, from few overlaps.
    Track(Box<Track>),
    Run(Box<CurrentRun>),
}

/// A run under way: one teacher, one growing training set.
struct CurrentRun {
    row: RunRow,
    teacher: Teacher,
    examples: LabelledExamples,
    /// How many of `by_size` are solved.
    solved: usize,
    state: Option<State>,
    /// The solution of fewer examples, where a warm start is asked for.
    before: Option<State>,
}

impl CurveWork {
    /// Before its first unit.
    pub fn new(spec: &CurveSpec) -> Self {
        let sizes: Vec<usize> = spec.examples().collect();
        let keys: Vec<f64> = sizes.iter().map(|m| *m as f64).collect();
        let by_size = order(&keys).into_iter().map(|i| (sizes[i], i)).collect();
        Self {
            spec: spec.clone(),
            likelihood: Likelihood::new(spec.hidden, spec.beta),
            by_size,
            unit: UnitOfWork::Ratio(0),
            done: CurveSnapshot::default(),
        }
    }
}

impl Work for CurveWork {
    type Snapshot = CurveSnapshot;

    fn begin(&mut self, unit: usize) {
        let spec = &self.spec;
        self.unit = match unit.checked_sub(spec.theory_units()) {
            Some(run) => UnitOfWork::Run(Box::new(CurrentRun::new(spec, run))),
            None if spec.theory_at_once() => {
                UnitOfWork::Track(Box::new(Track::new(self.likelihood, spec.end() * spec.finite_size())))
            }
            None => UnitOfWork::Ratio(unit),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        // The ratio, not the nominal α: 12.5 examples are 13.
        let mut ratios = self.spec.ratios();
        let size = self.spec.finite_size();
        let row = |ratio: f64, at: &dyn Fn(f64) -> Replica| TheoryRow {
            bayes_finite: Some(at(ratio * size).bayes),
            ..TheoryRow::new(ratio, at(ratio))
        };
        match &mut self.unit {
            UnitOfWork::Ratio(index) => {
                // One branch takes microseconds, several take a slice and more.
                budget.spend(if self.likelihood.hidden() == 1 { Budget::SLICE / 20 } else { Budget::SLICE });
                let averages = Averages::new(self.likelihood);
                let ratio = ratios.nth(*index);
                self.done.theory.extend(ratio.map(|ratio| row(ratio, &|alpha| averages.solve(alpha, 0.5))));
                true
            }
            UnitOfWork::Track(track) => {
                budget.spend(Budget::SLICE);
                let done = track.advance();
                if done {
                    self.done.theory.extend(ratios.map(|ratio| row(ratio, &|alpha| track.at(alpha))));
                }
                done
            }
            UnitOfWork::Run(run) => {
                let finished = run.step(&self.spec, self.likelihood, &self.by_size, budget);
                self.done.runs.extend(finished.then(|| Rc::new(run.row.clone())));
                finished
            }
        }
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            UnitOfWork::Ratio(_) => 0.0,
            UnitOfWork::Track(track) => track.fraction(),
            // A sweep costs as much as there are examples.
            UnitOfWork::Run(run) => {
                let sizes =
                    |count: usize| self.by_size[..count].iter().map(|size| size.0).sum::<usize>() as f64;
                sizes(run.solved) / sizes(self.by_size.len())
            }
        }
    }

    fn note(&self) -> String {
        // The run is one of this shard's: what it is about says more than its number.
        let UnitOfWork::Run(run) = &self.unit else { return "theory".to_owned() };
        let sweeps = run.state.as_ref().map_or(0, State::total_sweeps);
        match self.by_size.get(run.solved) {
            Some((_, index)) => format!("α = {}, sweep {sweeps}", self.spec.alphas[*index]),
            None => format!("run {}", run.row.run + 1),
        }
    }

    fn snapshot(&self) -> CurveSnapshot {
        self.done.clone()
    }
}

impl CurrentRun {
    /// Draws the examples of the next size, or sweeps once; `true` when the run is done.
    fn step(
        &mut self,
        spec: &CurveSpec,
        likelihood: Likelihood,
        by_size: &[(usize, usize)],
        budget: &mut Budget,
    ) -> bool {
        let Some(&(m, index)) = by_size.get(self.solved) else { return true };
        // Drawing a normal number costs about as much as twenty multiply–adds.
        budget.spend((20 * spec.inputs * m.saturating_sub(self.examples.len())) as u64);
        self.teacher.extend(&mut self.examples, m);
        let problem =
            TrainingSet::new(&self.examples, m, likelihood).with_assumed_covariance(spec.believed());
        let tap = Tap::default();
        let before = self.before.take();
        let state = self.state.get_or_insert_with(|| match before {
            Some(before) => tap.warm_start(&problem, before),
            None => tap.init(&problem),
        });
        let Some(ending) = tap.run(&problem, state, budget, |_| ()) else { return false };
        budget.spend((test_inputs(spec.inputs) * (40 * spec.hidden + 20 * spec.inputs)) as u64);
        let mut stream =
            Stream::for_purpose(spec.seed, Purpose::FeedforwardCurveTest(m), self.row.run as u64);
        self.row.solves[index] = if ending == Ending::Converged {
            let labels = &self.examples.labels()[..m];
            let solution = state.solution(&problem);
            Solve::of(&solution, &self.teacher, spec.matched(), labels, &likelihood, &mut stream)
        } else {
            Solve { sweeps: state.total_sweeps(), ..Solve::default() }
        };
        let solved = self.state.take();
        self.before = solved.filter(|_| spec.warm_start && ending == Ending::Converged);
        self.solved += 1;
        self.solved == by_size.len()
    }

    fn new(spec: &CurveSpec, run: usize) -> Self {
        let stream = Stream::for_purpose(spec.seed, Purpose::FeedforwardExamples, run as u64);
        Self {
            row: RunRow { run, solves: vec![Solve::default(); spec.alphas.len()] },
            teacher: Teacher::draw(spec.rule(), spec.drawn_inputs(), spec.flip_probability(), stream),
            examples: LabelledExamples::new(spec.inputs),
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

/// The α of the drawn theory: denser where the curve bends, every measured ratio among them, and as far beyond them as
/// the finite-size correction reaches. None where there is no theory.
fn grid(spec: &CurveSpec) -> Vec<f64> {
    const POINTS: usize = 48;
    if !spec.matched() {
        return Vec::new();
    }
    let end = spec.end() * spec.finite_size();
    let even = (0..=POINTS).map(|i| end * (i as f64 / POINTS as f64).powi(2));
    let mut grid = sorted(&even.chain(spec.ratios()).collect::<Vec<_>>());
    grid.dedup();
    grid
}

/// Theory along the curve, first coarse.
pub struct TheoryWork {
    likelihood: Likelihood,
    grid: Vec<f64>,
    /// The limit K → ∞ on the grid.
    large: Vec<Option<f64>>,
    /// The ratios at which there is a simulation, and N/(N−K).
    measured: Vec<f64>,
    finite_size: f64,
    /// For several branches; one takes microseconds an α.
    track: Option<Track>,
}

impl TheoryWork {
    /// Before its first step.
    pub fn new(spec: &CurveSpec) -> Self {
        let grid = grid(spec);
        let likelihood = Likelihood::new(spec.hidden, spec.beta);
        let large = |alpha: &f64| (spec.hidden > 1).then(|| theory::solve_large(&likelihood, *alpha).bayes);
        let end = spec.end() * spec.finite_size();
        let several = spec.hidden > 1 && !grid.is_empty();
        Self {
            likelihood,
            large: grid.iter().map(large).collect(),
            grid,
            measured: spec.ratios().collect(),
            finite_size: spec.finite_size(),
            track: several.then(|| Track::new(likelihood, end)),
        }
    }
}

impl Work for TheoryWork {
    type Snapshot = TheorySnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(Budget::SLICE);
        self.track.as_mut().is_none_or(Track::advance)
    }

    fn fraction(&self) -> f64 {
        self.track.as_ref().map_or(1.0, Track::fraction)
    }

    fn note(&self) -> String {
        "theory".to_owned()
    }

    /// The first picture is already one of the whole curve.
    fn shown(&self) -> bool {
        self.track.as_ref().is_none_or(Track::coarse)
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
