//! The solver of `feedforward.solutions`: the equations of one training set, from one random start after the other.

use super::{FoundSolution, SetRow, SolutionsSnapshot, SolutionsSpec};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::stability::Stability;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};

/// Streams of the starts of one training set.
const STREAMS: u64 = 10_000;
/// Largest overlap q of a start.
const MAX_OVERLAP: f64 = 0.9;
/// Distance |w − w′|/√N of weights beyond which two solutions are different.
const DIFFERENT: f64 = 0.01;

/// Work of the count.
pub struct SolutionsWork {
    spec: SolutionsSpec,
    set: Option<SetWork>,
    done: SolutionsSnapshot,
}

/// A training set in progress.
struct SetWork {
    examples: LabelledExamples,
    stream: Stream,
    state: Option<State>,
    /// Weights of the different solutions.
    weights: Vec<Vec<f64>>,
    row: SetRow,
}

impl SolutionsWork {
    /// Returns the work before its first unit.
    pub fn new(spec: &SolutionsSpec) -> Self {
        Self { spec: spec.clone(), set: None, done: SolutionsSnapshot::default() }
    }
}

impl SetWork {
    /// Draws training set number `set` at the α of this index. The sets of one number are nested.
    fn new(spec: &SolutionsSpec, index: usize, set: usize) -> Self {
        let setting = spec.setting();
        let mut teacher = Teacher::draw(
            setting.rule(),
            setting.drawn_inputs(),
            setting.flip_probability(),
            Stream::for_purpose(spec.seed, Purpose::FeedforwardExamples, set as u64),
        );
        let mut examples = LabelledExamples::new(spec.inputs);
        teacher.extend(&mut examples, spec.examples(index));
        let unit = STREAMS * set as u64 + index as u64;
        Self {
            examples,
            stream: Stream::for_purpose(spec.seed, Purpose::FeedforwardStarts, unit),
            state: None,
            weights: Vec::new(),
            row: SetRow { index, starts: 0, solutions: Vec::new() },
        }
    }

    /// Returns random weights of a uniform overlap q.
    fn draw_start(&mut self) -> Vec<f64> {
        let q = MAX_OVERLAP * self.stream.uniform();
        let w: Vec<f64> = (0..self.examples.inputs()).map(|_| self.stream.normal()).collect();
        let square: f64 = w.iter().map(|w| w * w).sum();
        let scale = (q * w.len() as f64 / square).sqrt();
        w.into_iter().map(|w| scale * w).collect()
    }

    /// Makes sweeps until the budget is spent; returns true when all starts have ended.
    fn step(&mut self, spec: &SolutionsSpec, budget: &mut Budget) -> bool {
        let (tap, likelihood) = (Tap::default(), spec.likelihood());
        let state = self.state.take();
        let start = if state.is_none() { self.draw_start() } else { Vec::new() };
        let problem = TrainingSet::new(&self.examples, self.examples.len(), likelihood);
        let mut state = state.unwrap_or_else(|| tap.start_at(&problem, start));
        let Some(ending) = tap.run(&problem, &mut state, budget, |_| {}) else {
            self.state = Some(state);
            return false;
        };
        let solution = ending.is_solution().then(|| state.solution(&problem));
        self.row.starts += 1;
        if let Some(solution) = solution {
            budget.spend((30 * spec.inputs.pow(3)) as u64);
            self.record(spec, &solution);
        }
        self.row.starts == spec.starts
    }

    /// Counts a solution, which may have been found before.
    fn record(&mut self, spec: &SolutionsSpec, solution: &Solution) {
        let limit = DIFFERENT * DIFFERENT * spec.inputs as f64;
        let distance =
            |w: &Vec<f64>| -> f64 { w.iter().zip(&solution.weights).map(|(a, b)| (a - b) * (a - b)).sum() };
        if let Some(same) = self.weights.iter().position(|w| distance(w) < limit) {
            self.row.solutions[same].starts += 1;
            return;
        }
        let likelihood = spec.likelihood();
        let Stability { smallest, margin } = Stability::new(solution, &self.examples, &likelihood);
        self.weights.push(solution.weights.clone());
        self.row.solutions.push(FoundSolution {
            starts: 1,
            q: solution.q(),
            ln_evidence: solution.ln_evidence(self.examples.labels(), &likelihood),
            smallest,
            margin,
        });
    }
}

impl Work for SolutionsWork {
    type Snapshot = SolutionsSnapshot;

    fn begin(&mut self, unit: usize) {
        let (index, set) = (unit / self.spec.sets, unit % self.spec.sets);
        // Once, and before the first solution, which it predicts: it takes too long for every figure of a run in progress.
        if unit == 0 {
            let theory = |index| self.spec.theory(index).map(|theory| (index, theory));
            self.done.theory.extend((0..self.spec.alphas.len()).filter_map(theory));
        }
        self.set = Some(SetWork::new(&self.spec, index, set));
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = self.set.as_mut().is_none_or(|set| set.step(&self.spec, budget));
        if done {
            self.done.rows.extend(self.set.take().map(|set| set.row));
        }
        done
    }

    fn fraction(&self) -> f64 {
        self.set.as_ref().map_or(0.0, |set| set.row.starts as f64 / self.spec.starts as f64)
    }

    fn note(&self) -> String {
        let note =
            |set: &SetWork| format!("α = {}, start {}", self.spec.alphas[set.row.index], set.row.starts + 1);
        self.set.as_ref().map_or("solutions".to_owned(), note)
    }

    fn snapshot(&self) -> SolutionsSnapshot {
        let mut all = self.done.clone();
        all.rows.extend(self.set.as_ref().map(|set| set.row.clone()));
        all
    }
}
