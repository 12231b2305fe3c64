//! The experiment: solve, perhaps at ever more examples; then sample.

use std::ops::Range;

#[cfg(feature = "report")]
use super::report;
use super::spec::{Exact, SingleSpec};
use super::{Growth, SingleRun, SingleSnapshot, Solved, figures};
use crate::data::Store;
use crate::data::teacher::{Examples, Teacher};
use crate::figure::Figure;
use crate::lab::{Checked, Ending, Experiment, Outcome, Progress, Run, RunError, Started, Status};
use crate::math::random::Stream;
use crate::models::feedforward::exact::chains::Chains;
use crate::models::feedforward::exact::posterior::Posterior;
use crate::models::feedforward::exact::prior_draws::{Fresh, Sampling};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::residual::{Residual, keep};
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::votes::mean_output;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};
use crate::models::feedforward::theory;
use crate::models::feedforward::theory::errors::Errors;

/// Multiply–adds in a slice: a few milliseconds anywhere.
const SLICE: usize = 4_000_000;
/// Sizes at most that a growing training set stops at.
const SIZES: usize = 120;
/// Fresh inputs at which TAP and the exact posterior are compared.
const FRESH: usize = 512;
/// Theory is drawn at every sixth size: one is worth many solves where K ≥ 3.
const THEORY_EVERY: usize = 6;
/// Purposes of random streams beside the examples' own.
const TEST: u64 = 1;
const DRAWS: u64 = 2;
const INPUTS: u64 = 3;

impl Run for SingleRun {
    type Snapshot = SingleSnapshot;

    fn merge(parts: Vec<SingleSnapshot>) -> SingleSnapshot {
        parts.into_iter().next().unwrap_or_default()
    }

    fn status(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Status {
        let outcome = snapshot.ending.map_or(Outcome::Converged, Outcome::from);
        Status { outcome, reason: snapshot.failure(spec).or_else(|| snapshot.no_exact.clone()) }
    }

    fn figures(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(spec: &Checked<SingleSpec>, snapshot: &SingleSnapshot) -> serde_json::Value {
        report::single(spec, snapshot)
    }

    fn start(
        spec: &Checked<SingleSpec>,
        _units: Range<usize>,
        _data: &Store,
    ) -> Result<Started<SingleSnapshot>, Vec<crate::lab::InputError>> {
        let spec = (**spec).clone();
        let likelihood = Likelihood::new(spec.hidden, spec.beta);
        let mut teacher = Teacher::draw(
            spec.rule(),
            spec.drawn_inputs(),
            spec.flip_probability(),
            Stream::of(spec.seed, 0),
        );
        let m = spec.examples(spec.alpha);
        let mut examples = Examples::new(spec.inputs);
        teacher.extend(&mut examples, m);
        let sizes = if spec.warm_start {
            let step = m.div_ceil(SIZES);
            (1..m).filter(|size| size % step == 0).chain([m]).collect()
        } else {
            vec![m]
        };
        let fresh = Fresh::draw(&teacher, FRESH, &mut Stream::aside(spec.seed, 0, INPUTS));
        Ok(Box::new(SingleExperiment {
            spec,
            likelihood,
            teacher,
            examples,
            fresh,
            sizes,
            solved: 0,
            state: None,
            before: None,
            sampling: None,
            sampled: false,
            seen: SingleSnapshot::default(),
        }))
    }
}

struct SingleExperiment {
    spec: SingleSpec,
    likelihood: Likelihood,
    teacher: Teacher,
    examples: Examples,
    fresh: Fresh,
    /// Sizes of the training set, growing.
    sizes: Vec<usize>,
    /// How many of them are solved.
    solved: usize,
    state: Option<State>,
    before: Option<State>,
    sampling: Option<Sampling>,
    sampled: bool,
    seen: SingleSnapshot,
}

impl Experiment for SingleExperiment {
    type Snapshot = SingleSnapshot;

    fn advance(&mut self) -> Result<Progress, RunError> {
        if let Some(&m) = self.sizes.get(self.solved) {
            self.solve(m);
            let share = if self.spec.exact == Exact::No { 1.0 } else { 0.5 };
            let fraction = share * self.solved as f64 / self.sizes.len() as f64;
            if self.solved < self.sizes.len() || self.sampling.is_some() {
                let sweep = self.state.as_ref().map_or(0, State::total_sweeps);
                return Ok(Progress::Running { fraction, note: format!("{m} examples, sweep {sweep}") });
            }
            return Ok(Progress::Done);
        }
        let Some(sampling) = &mut self.sampling else { return Ok(Progress::Done) };
        self.sampled = sampling.advance(&self.fresh, SLICE);
        if self.sampled {
            return Ok(Progress::Done);
        }
        let fraction = 0.5 + 0.5 * sampling.fraction();
        Ok(Progress::Running { fraction, note: "sampling the exact posterior".to_owned() })
    }

    fn snapshot(&self) -> SingleSnapshot {
        let mut seen = self.seen.clone();
        if let (Some(sampling), Some(solution)) = (&self.sampling, &seen.solution) {
            seen.exact = sampling.averages(&self.fresh, &solution.outputs);
            if self.sampled && seen.exact.is_none() {
                seen.no_exact = Some(sampling.failure().to_owned());
            }
        }
        seen
    }
}

impl SingleExperiment {
    /// Sweeps for a slice on the first `m` examples.
    fn solve(&mut self, m: usize) {
        let problem = TrainingSet::new(&self.examples, m, self.likelihood).believing(self.spec.believed());
        let tap = Tap::default();
        let before = self.before.take();
        let state = self.state.get_or_insert_with(|| {
            self.seen.residuals.clear();
            match before {
                Some(before) => tap.grown(&problem, before),
                None => tap.init(&problem),
            }
        });
        let mut work = 0;
        let ending = loop {
            if work >= SLICE {
                return;
            }
            work += problem.cost();
            let ending = tap.advance(&problem, state);
            if let Some((residual, damping)) = state.last() {
                keep(&mut self.seen.residuals, Residual { sweep: state.total_sweeps(), residual, damping });
            }
            if let Some(ending) = ending {
                break ending;
            }
        };
        let Some(state) = self.state.take() else { return };
        self.solved += 1;
        let last = self.solved == self.sizes.len();
        if ending == Ending::Converged {
            let solution = state.solution(&problem);
            let mut stream = Stream::aside(self.spec.seed, m as u64, TEST);
            let errors = Errors::of(&solution, &self.teacher, self.spec.matched(), &mut stream);
            let ratio = m as f64 / self.spec.inputs as f64;
            if self.spec.warm_start {
                self.seen.growth.push(Growth { ratio, q: solution.q(), r: errors.r, opt: errors.opt });
            }
            let drawn = last || self.solved % THEORY_EVERY == 1;
            let theory = (drawn && self.spec.matched()).then(|| theory::solve(&self.likelihood, ratio, 0.5));
            if let Some(theory) = theory.filter(|_| self.spec.warm_start) {
                self.seen.theory.push(Growth { ratio, q: theory.q, r: theory.q, opt: theory.opt });
            }
            // On the way the cavity figure takes the student's own q throughout: no flicker at every sixth size.
            let theory_q = theory.filter(|_| last).map(|t| t.q);
            self.seen.solution = Some(self.solved_with(&solution, errors, m, theory_q));
            if last {
                self.prepare_sampling(&solution);
            }
            self.before = Some(state);
        } else {
            // What fewer examples gave is no answer for these.
            self.seen.solution = None;
        }
        if last {
            self.seen.ending = Some(ending);
        }
    }

    fn solved_with(&self, solution: &Solution, errors: Errors, m: usize, theory_q: Option<f64>) -> Solved {
        let teacher = self.teacher.seen_weights();
        let labels = self.examples.labels()[..m].to_vec();
        let outputs = self.fresh.fields(&solution.weights).map(|fields| {
            let z: Vec<f64> =
                fields.iter().zip(&solution.lambda).map(|(f, lambda)| f / lambda.sqrt()).collect();
            0.5 * (1.0 + mean_output(&z))
        });
        Solved {
            outputs: outputs.collect(),
            weights: solution.weights.clone(),
            teacher,
            lambda: solution.lambda.clone(),
            z: solution.z.clone(),
            q: solution.q(),
            r: errors.r,
            bayes: errors.bayes,
            opt: errors.opt,
            loo_bayes: solution.moving_control_bayes(&labels),
            labels,
            sweeps: solution.sweeps,
            theory_q,
        }
    }

    fn prepare_sampling(&mut self, solution: &Solution) {
        let (spec, flips) = (&self.spec, self.likelihood.flip_probability());
        if spec.exact == Exact::No {
            return;
        }
        let posterior = Posterior::new(&self.examples, spec.hidden, flips, spec.believed());
        let stream = Stream::aside(spec.seed, 0, DRAWS);
        self.sampling = Some(if spec.exact == Exact::Chain {
            // The mean weights nearly always fit; the teacher, where it is one of the students, always does.
            let teacher = self.teacher.seen_weights();
            let refuge = [&solution.weights, &teacher].into_iter().find_map(|w| posterior.chain(w));
            Sampling::chains(posterior, Chains::new(spec.draws, refuge), stream)
        } else {
            Sampling::weighted(posterior, spec.draws, &self.fresh, stream)
        });
    }
}
