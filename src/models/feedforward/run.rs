//! The experiments: a learning curve over many runs, and the theory alone while a control is dragged.

use std::ops::Range;

use super::channel::Channel;
use super::errors::{Branch, bayes_error, opt_error};
use super::spec::CurveSpec;
use super::tap::{Ending, Problem, Solution, State, Tap};
use super::theory::{self, Theory};
use super::{
    CurveSnapshot, LearningCurve, RunRow, Solve, TheoryCurve, TheoryRow, TheorySnapshot, theory_grid,
};
use crate::data::Store;
use crate::data::teacher::{Examples, Teacher};
use crate::lab::{Checked, Experiment, Progress, Run, RunError, Started};
use crate::math::lanes::dot;
use crate::math::random::Stream;
use crate::math::special::angle_over_pi;

/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;

impl Run for LearningCurve {
    fn start(
        spec: &Checked<CurveSpec>,
        units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<CurveSnapshot>, Vec<crate::lab::Problem>> {
        let mut by_size: Vec<(usize, usize)> = spec.examples().enumerate().map(|(i, m)| (m, i)).collect();
        by_size.sort_unstable();
        Ok(Box::new(CurveExperiment {
            spec: (**spec).clone(),
            channel: Channel::new(spec.hidden, spec.beta),
            by_size,
            next: units.start,
            units,
            current: None,
            done: CurveSnapshot::default(),
        }))
    }
}

/// The units are first the theory at each α, then the runs.
struct CurveExperiment {
    spec: CurveSpec,
    channel: Channel,
    /// (m, index into `alphas`) with m growing: the training set of a run is extended, never redrawn.
    by_size: Vec<(usize, usize)>,
    units: Range<usize>,
    next: usize,
    current: Option<CurrentRun>,
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
}

impl Experiment for CurveExperiment {
    type Snapshot = CurveSnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        let mut work = 0;
        while work < SLICE && self.next < self.units.end {
            if self.next < self.spec.alphas.len() {
                self.done.theory.push(self.theory(self.next));
                self.next += 1;
                work += SLICE / 20;
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
    fn theory(&self, index: usize) -> TheoryRow {
        // The ratio, not the nominal α: 12.5 examples are 13.
        let ratio = self.spec.ratios().nth(index).unwrap_or_default();
        TheoryRow::new(ratio, theory::solve(&self.channel, ratio, 0.5))
    }

    /// Works on the current run until about `budget` multiply–adds are spent or the run is done; says how many.
    fn sweeps(&mut self, budget: usize) -> usize {
        let (spec, channel) = (&self.spec, self.channel);
        let run = self.next - spec.alphas.len();
        let current = self.current.get_or_insert_with(|| CurrentRun {
            row: RunRow { run, solves: vec![Solve::default(); spec.alphas.len()] },
            teacher: Teacher::draw(
                spec.hidden,
                spec.inputs,
                channel.flip_probability(),
                Stream::of(spec.seed, run as u64),
            ),
            examples: Examples::new(spec.inputs),
            solved: 0,
            state: None,
        });
        let mut work = 0;
        while let Some(&(m, index)) = self.by_size.get(current.solved) {
            // Drawing a normal number costs about as much as twenty multiply–adds.
            work += 20 * spec.inputs * m.saturating_sub(current.examples.len());
            current.teacher.extend(&mut current.examples, m);
            let problem = Problem::new(&current.examples, m, channel);
            let tap = Tap::default();
            let state = current.state.get_or_insert_with(|| tap.init(&problem));
            let ending = loop {
                if work >= budget {
                    return work;
                }
                work += problem.cost();
                if let Some(ending) = tap.advance(&problem, state) {
                    break ending;
                }
            };
            let mut fields = Stream::aside(spec.seed, run as u64, m as u64);
            let solution = state.solution(&problem);
            let labels = &current.examples.labels()[..m];
            work += 40 * TEST_INPUTS * spec.hidden;
            current.row.solves[index] = Solve::of(&solution, ending, &current.teacher, labels, &mut fields);
            current.state = None;
            current.solved += 1;
        }
        if let Some(finished) = self.current.take() {
            self.done.runs.push(finished.row);
        }
        self.next += 1;
        work
    }
}

/// Inputs drawn to measure the Bayes error of one solution: its Monte Carlo error is a tenth of the scatter from run to
/// run.
const TEST_INPUTS: usize = 2048;

impl Solve {
    fn of(
        solution: &Solution,
        ending: Ending,
        teacher: &Teacher,
        labels: &[f64],
        fields: &mut Stream,
    ) -> Self {
        let (w, w0) = (&solution.weights, teacher.weights());
        let n = w.len() / solution.lambda.len();
        let branches: Vec<Branch> = (w.chunks_exact(n).zip(w0.chunks_exact(n)).zip(&solution.lambda))
            .map(|((w, w0), lambda)| Branch {
                q: dot(w, w) / n as f64,
                r: dot(w, w0) / n as f64,
                teacher: dot(w0, w0) / n as f64,
                lambda: *lambda,
            })
            .collect();
        let angle = |b: &Branch| {
            let norms = (b.q * b.teacher).sqrt();
            angle_over_pi(if norms > 0.0 { b.r / norms } else { 0.0 })
        };
        let opt = opt_error(&branches.iter().map(angle).collect::<Vec<_>>());
        // One branch: the Bayes prediction is the machine ⟨w⟩, and its error is exact.
        let bayes = if let [_] = branches[..] { opt } else { bayes_error(&branches, TEST_INPUTS, fields) };
        Self {
            converged: ending == Ending::Converged,
            bayes,
            opt,
            train_bayes: solution.training_bayes(labels),
            train_opt: solution.training_opt(labels),
            loo_bayes: solution.moving_control_bayes(labels),
            loo_opt: solution.moving_control_opt(labels),
            q: solution.q(),
            r: branches.iter().map(|b| b.r).sum::<f64>() / branches.len() as f64,
            sweeps: solution.sweeps,
        }
    }
}

impl TheoryRow {
    fn new(ratio: f64, theory: Theory) -> Self {
        Self { ratio, q: theory.q, bayes: theory.bayes, opt: theory.opt, training: theory.training }
    }
}

impl Run for TheoryCurve {
    fn start(
        spec: &Checked<CurveSpec>,
        _units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<TheorySnapshot>, Vec<crate::lab::Problem>> {
        let grid = theory_grid(spec);
        // Every sixth point and the last one first: a curve at once, then a fine one.
        let last = grid.len() - 1;
        let (coarse, fine): (Vec<usize>, Vec<usize>) =
            (0..grid.len()).partition(|i| i % 6 == 0 || *i == last);
        Ok(Box::new(TheoryExperiment {
            channel: Channel::new(spec.hidden, spec.beta),
            coarse: coarse.len(),
            order: coarse.into_iter().chain(fine).collect(),
            grid,
            rows: Vec::new(),
        }))
    }
}

struct TheoryExperiment {
    channel: Channel,
    grid: Vec<f64>,
    /// Indices into the grid, as they are worked on.
    order: Vec<usize>,
    /// How many of them make the first picture.
    coarse: usize,
    rows: Vec<TheoryRow>,
}

impl Experiment for TheoryExperiment {
    type Snapshot = TheorySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        // One branch takes microseconds a point, several take milliseconds.
        let at_once = if self.channel.hidden() == 1 { self.coarse } else { 1 };
        for _ in 0..at_once {
            let Some(&i) = self.order.get(self.rows.len()) else { break };
            let ratio = self.grid[i];
            self.rows.push(TheoryRow::new(ratio, theory::solve(&self.channel, ratio, 0.5)));
        }
        if self.rows.len() == self.grid.len() {
            return Ok(Progress::Done);
        }
        let fraction = self.rows.len() as f64 / self.grid.len() as f64;
        Ok(Progress::Running { fraction, note: "theory".to_owned() })
    }

    fn snapshot(&self) -> TheorySnapshot {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        TheorySnapshot { rows }
    }
}
