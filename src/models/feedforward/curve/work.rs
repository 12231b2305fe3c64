//! Work of both tasks: runs and theory of the learning curve, and the theory alone.

use std::rc::Rc;

use super::own::OwnSolve;
use super::spec::{CurveSpec, CurveVariances};
use super::{CurveSnapshot, RunRow, SolveSummary, TheoryRow, TheorySnapshot};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::{Budget, Ending, Work};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::{order, sorted};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};
use crate::models::feedforward::theory::errors::{GeneralisationErrors, test_input_count};
use crate::models::feedforward::theory::interpolation::InterpolatedTheory;
use crate::models::feedforward::theory::{self, ReplicaPoint, ReplicaTheory};

/// Work on a learning curve. Its units are first theory, then runs.
pub struct CurveWork {
    spec: CurveSpec,
    likelihood: Likelihood,
    /// (m, index into `alphas`) in order of m: the training set of a run is extended, not redrawn.
    by_size: Vec<(usize, usize)>,
    unit: CurveUnit,
    done: CurveSnapshot,
}

/// Unit in progress.
enum CurveUnit {
    /// Theory at the α of this index.
    Theory(usize),
    /// Theory at all α, by interpolation.
    InterpolatedTheory(Box<InterpolatedTheory>),
    Run(Box<CurrentRun>),
}

/// A run in progress: one teacher with one growing training set.
struct CurrentRun {
    row: RunRow,
    teacher: Teacher,
    examples: LabelledExamples,
    /// Number of sizes of `by_size` that are solved.
    solved: usize,
    state: Option<State>,
    /// State of the solution for fewer examples, for a warm start.
    smaller: Option<State>,
    /// Solve of the same size with a cavity variance for each example.
    own: Option<OwnSolve>,
}

impl CurveWork {
    /// Returns the work before its first unit.
    pub fn new(spec: &CurveSpec) -> Self {
        let sizes: Vec<usize> = spec.examples().collect();
        let keys: Vec<f64> = sizes.iter().map(|m| *m as f64).collect();
        let by_size = order(&keys).into_iter().map(|i| (sizes[i], i)).collect();
        Self {
            spec: spec.clone(),
            likelihood: Likelihood::new(spec.hidden, spec.beta),
            by_size,
            unit: CurveUnit::Theory(0),
            done: CurveSnapshot::default(),
        }
    }
}

impl Work for CurveWork {
    type Snapshot = CurveSnapshot;

    fn begin(&mut self, unit: usize) {
        let spec = &self.spec;
        self.unit = match unit.checked_sub(spec.theory_units()) {
            Some(run) => CurveUnit::Run(Box::new(CurrentRun::new(spec, run))),
            None if spec.theory_in_one_unit() => CurveUnit::InterpolatedTheory(Box::new(
                InterpolatedTheory::new(self.likelihood, spec.end() * spec.finite_size_factor()),
            )),
            None => CurveUnit::Theory(unit),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        // Theory at m/N, not at the nominal α.
        let mut ratios = self.spec.ratios();
        let factor = self.spec.finite_size_factor();
        let row = |ratio: f64, at: &dyn Fn(f64) -> ReplicaPoint| TheoryRow {
            bayes_finite: Some(at(ratio * factor).bayes),
            ..TheoryRow::new(ratio, at(ratio))
        };
        match &mut self.unit {
            CurveUnit::Theory(index) => {
                // K = 1 takes microseconds, K > 1 a slice or more.
                budget.spend(if self.likelihood.hidden() == 1 { Budget::SLICE / 20 } else { Budget::SLICE });
                let theory = ReplicaTheory::new(self.likelihood);
                let ratio = ratios.nth(*index);
                self.done.theory.extend(ratio.map(|ratio| row(ratio, &|alpha| theory.solve(alpha, 0.5))));
                true
            }
            CurveUnit::InterpolatedTheory(theory) => {
                budget.spend(Budget::SLICE);
                let done = theory.advance();
                if done {
                    self.done.theory.extend(ratios.map(|ratio| row(ratio, &|alpha| theory.at(alpha))));
                }
                done
            }
            CurveUnit::Run(run) => {
                let finished = run.step(&self.spec, self.likelihood, &self.by_size, budget);
                self.done.runs.extend(finished.then(|| Rc::new(run.row.clone())));
                finished
            }
        }
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            CurveUnit::Theory(_) => 0.0,
            CurveUnit::InterpolatedTheory(theory) => theory.fraction(),
            // The cost of a sweep is proportional to the number of examples.
            CurveUnit::Run(run) => {
                let sizes =
                    |count: usize| self.by_size[..count].iter().map(|size| size.0).sum::<usize>() as f64;
                sizes(run.solved) / sizes(self.by_size.len())
            }
        }
    }

    fn note(&self) -> String {
        // α, not the number of the run, of which every shard has another.
        let CurveUnit::Run(run) = &self.unit else { return "theory".to_owned() };
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
    /// Draws the examples of the next size and sweeps until the budget is spent or the solve ends. Returns true if the run is done.
    fn step(
        &mut self,
        spec: &CurveSpec,
        likelihood: Likelihood,
        by_size: &[(usize, usize)],
        budget: &mut Budget,
    ) -> bool {
        let Some(&(m, index)) = by_size.get(self.solved) else { return true };
        if self.own.is_some() {
            return self.step_own(spec, m, index, budget) && self.solved == by_size.len();
        }
        // A normal random number costs about twenty multiply–adds.
        budget.spend((20 * spec.inputs * m.saturating_sub(self.examples.len())) as u64);
        self.teacher.extend(&mut self.examples, m);
        let problem = TrainingSet::new(&self.examples, m, likelihood)
            .with_assumed_covariance(spec.assumed_covariance());
        let tap = Tap::default();
        let smaller = self.smaller.take();
        let state = self.state.get_or_insert_with(|| match smaller {
            Some(smaller) => tap.warm_start(&problem, smaller),
            None => tap.init(&problem),
        });
        let Some(ending) = tap.run(&problem, state, budget, |_| ()) else { return false };
        budget.spend((test_input_count(spec.inputs) * (40 * spec.hidden + 20 * spec.inputs)) as u64);
        let mut stream =
            Stream::for_purpose(spec.seed, Purpose::FeedforwardCurveTest(m), self.row.run as u64);
        self.row.solves[index] = if ending == Ending::Converged {
            let labels = &self.examples.labels()[..m];
            let solution = state.solution(&problem);
            SolveSummary::new(&solution, &self.teacher, spec.is_matched(), labels, &likelihood, &mut stream)
        } else {
            SolveSummary { sweeps: state.total_sweeps(), ..SolveSummary::default() }
        };
        let solved = self.state.take();
        self.smaller = solved.filter(|_| spec.warm_start && ending == Ending::Converged);
        if spec.variance == CurveVariances::Own {
            self.own = Some(OwnSolve::new(spec, &self.examples, m));
            return false;
        }
        self.solved += 1;
        self.solved == by_size.len()
    }

    /// Sweeps with a cavity variance for each of the `m` examples until the budget is spent or the solve ends. Returns true in the
    /// second case. The test inputs are those of the other solve.
    fn step_own(&mut self, spec: &CurveSpec, m: usize, index: usize, budget: &mut Budget) -> bool {
        if !self.own.as_mut().is_none_or(|own| own.advance(spec, &self.examples, budget)) {
            return false;
        }
        let mut stream =
            Stream::for_purpose(spec.seed, Purpose::FeedforwardCurveTest(m), self.row.run as u64);
        let own = self.own.take();
        let summary =
            own.and_then(|own| own.summary(&self.teacher, spec.is_matched(), &self.examples, &mut stream));
        self.row.solves[index].own = summary;
        self.solved += 1;
        true
    }

    fn new(spec: &CurveSpec, run: usize) -> Self {
        let stream = Stream::for_purpose(spec.seed, Purpose::FeedforwardExamples, run as u64);
        Self {
            row: RunRow { run, solves: vec![SolveSummary::default(); spec.alphas.len()] },
            teacher: Teacher::draw(spec.rule(), spec.drawn_inputs(), spec.flip_probability(), stream),
            examples: LabelledExamples::new(spec.inputs),
            solved: 0,
            state: None,
            smaller: None,
            own: None,
        }
    }
}

impl SolveSummary {
    fn new(
        solution: &Solution,
        teacher: &Teacher,
        matched: bool,
        labels: &[f64],
        likelihood: &Likelihood,
        stream: &mut Stream,
    ) -> Self {
        let GeneralisationErrors { bayes, opt, r } =
            GeneralisationErrors::of(solution, teacher, matched, stream);
        Self {
            converged: true,
            bayes,
            opt,
            train_bayes: solution.training_bayes_error(labels),
            train_opt: solution.training_opt_error(labels),
            train_tilted: solution.training_tilted_error(labels, likelihood),
            loo_bayes: solution.loo_bayes_error(labels),
            loo_opt: solution.loo_opt_error(labels),
            q: solution.q(),
            r,
            sweeps: solution.sweeps,
            own: None,
        }
    }
}

impl TheoryRow {
    fn new(ratio: f64, theory: ReplicaPoint) -> Self {
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

/// Returns the α of the drawn theory: denser where the curve bends, with every simulated m/N, up to the largest one times the
/// finite-size factor. Empty without a theory.
fn grid(spec: &CurveSpec) -> Vec<f64> {
    const POINTS: usize = 48;
    if !spec.is_matched() {
        return Vec::new();
    }
    let end = spec.end() * spec.finite_size_factor();
    let dense = (0..=POINTS).map(|i| end * (i as f64 / POINTS as f64).powi(2));
    let mut grid = sorted(&dense.chain(spec.ratios()).collect::<Vec<_>>());
    grid.dedup();
    grid
}

/// Work on the theory of a whole curve, which becomes more accurate step by step.
pub struct TheoryWork {
    likelihood: Likelihood,
    grid: Vec<f64>,
    /// Bayes error in the limit K → ∞ on the grid; `None` for K = 1.
    large: Vec<Option<f64>>,
    /// m/N of the simulations.
    simulated: Vec<f64>,
    finite_size_factor: f64,
    /// For K > 1; K = 1 takes microseconds for each α.
    interpolated: Option<InterpolatedTheory>,
}

impl TheoryWork {
    /// Returns the work before its first step.
    pub fn new(spec: &CurveSpec) -> Self {
        let grid = grid(spec);
        let likelihood = Likelihood::new(spec.hidden, spec.beta);
        let large = |alpha: &f64| (spec.hidden > 1).then(|| theory::solve_large(&likelihood, *alpha).bayes);
        let end = spec.end() * spec.finite_size_factor();
        let several = spec.hidden > 1 && !grid.is_empty();
        Self {
            likelihood,
            large: grid.iter().map(large).collect(),
            grid,
            simulated: spec.ratios().collect(),
            finite_size_factor: spec.finite_size_factor(),
            interpolated: several.then(|| InterpolatedTheory::new(likelihood, end)),
        }
    }
}

impl Work for TheoryWork {
    type Snapshot = TheorySnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(Budget::SLICE);
        self.interpolated.as_mut().is_none_or(InterpolatedTheory::advance)
    }

    fn fraction(&self) -> f64 {
        self.interpolated.as_ref().map_or(1.0, InterpolatedTheory::fraction)
    }

    fn note(&self) -> String {
        "theory".to_owned()
    }

    /// Returns true if there are enough nodes for a first curve.
    fn is_drawable(&self) -> bool {
        self.interpolated.as_ref().is_none_or(InterpolatedTheory::is_usable)
    }

    fn snapshot(&self) -> TheorySnapshot {
        let at = |alpha: f64| match &self.interpolated {
            Some(theory) => theory.is_usable().then(|| theory.at(alpha)),
            None => (self.likelihood.hidden() == 1).then(|| theory::solve(&self.likelihood, alpha, 0.5)),
        };
        let rows = self.grid.iter().zip(&self.large).filter_map(|(&ratio, &bayes_large)| {
            // At the other α the figure draws the theory of more examples at fewer.
            let finite = || Some(at(ratio * self.finite_size_factor)?.bayes);
            Some(TheoryRow {
                bayes_finite: self.simulated.contains(&ratio).then(finite).flatten(),
                bayes_large,
                ..TheoryRow::new(ratio, at(ratio)?)
            })
        });
        TheorySnapshot { rows: rows.collect() }
    }
}
