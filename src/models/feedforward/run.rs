//! The experiments: a learning curve over many runs, and the theory alone while a control is dragged.

use std::ops::Range;

use super::channel::Channel;
use super::spec::CurveSpec;
use super::tap::{Ending, Problem, State, Tap};
use super::theory::{self, Theory};
use super::{
    CurveSnapshot, LearningCurve, RunRow, Solve, TheoryCurve, TheoryRow, TheorySnapshot, theory_grid,
};
use crate::data::teacher::{Examples, Teacher};
use crate::lab::{Checked, Experiment, Progress, Run, RunError};
use crate::math::lanes::dot;
use crate::math::random::Stream;
use crate::math::special::angle_over_pi;

/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;

impl Run for LearningCurve {
    fn start(
        spec: &Checked<CurveSpec>,
        units: Range<usize>,
    ) -> Box<dyn Experiment<Snapshot = CurveSnapshot>> {
        let mut by_size: Vec<(usize, usize)> = spec.examples().enumerate().map(|(i, m)| (m, i)).collect();
        by_size.sort_unstable();
        Box::new(CurveExperiment {
            spec: (**spec).clone(),
            channel: Channel::new(spec.beta),
            by_size,
            next: units.start,
            units,
            current: None,
            done: CurveSnapshot::default(),
        })
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
        let note = match self.next.checked_sub(self.spec.alphas.len()) {
            Some(run) => format!("run {}", run + 1),
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
            current.row.solves[index] =
                Solve::of(&problem, state, ending, &current.teacher, &current.examples);
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

impl Solve {
    fn of(problem: &Problem, state: &State, ending: Ending, teacher: &Teacher, examples: &Examples) -> Self {
        let solution = state.solution(problem);
        let (w, w0) = (&solution.weights, teacher.weights());
        let labels = &examples.labels()[..solution.z.len()];
        let norms = (dot(w, w) * dot(w0, w0)).sqrt();
        let cosine = if norms > 0.0 { dot(w, w0) / norms } else { 0.0 };
        Self {
            converged: ending == Ending::Converged,
            clean: angle_over_pi(cosine),
            training: solution.training_error(labels),
            moving_control: solution.moving_control(labels),
            q: solution.q(),
            r: dot(w, w0) / w.len() as f64,
            sweeps: solution.sweeps,
        }
    }
}

impl TheoryRow {
    fn new(ratio: f64, theory: Theory) -> Self {
        Self { ratio, q: theory.q, clean: theory.clean, training: theory.training }
    }
}

impl Run for TheoryCurve {
    fn start(
        spec: &Checked<CurveSpec>,
        _units: Range<usize>,
    ) -> Box<dyn Experiment<Snapshot = TheorySnapshot>> {
        Box::new(TheoryExperiment {
            channel: Channel::new(spec.beta),
            grid: theory_grid(spec),
            rows: Vec::new(),
            fine: false,
        })
    }
}

/// First every eighth point of the grid, then all.
struct TheoryExperiment {
    channel: Channel,
    grid: Vec<f64>,
    rows: Vec<TheoryRow>,
    fine: bool,
}

impl Experiment for TheoryExperiment {
    type Snapshot = TheorySnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        const COARSE: usize = 8;
        let last = self.grid.len() - 1;
        let fine = self.fine;
        let wanted = self.grid.iter().enumerate().filter(|(i, _)| fine || i % COARSE == 0 || *i == last);
        self.rows = wanted
            .map(|(_, &alpha)| TheoryRow::new(alpha, theory::solve(&self.channel, alpha, 0.5)))
            .collect();
        if self.fine {
            return Ok(Progress::Done);
        }
        self.fine = true;
        Ok(Progress::Running { fraction: 0.2, note: "theory".to_owned() })
    }

    fn snapshot(&self) -> TheorySnapshot {
        TheorySnapshot { rows: self.rows.clone() }
    }
}
