//! The experiment: solve, perhaps at ever more examples; then sample.

#[cfg(feature = "report")]
use super::report;
use super::spec::{Exact, PRESETS, SingleSpec};
use super::{Growth, SingleRun, SingleSnapshot, Solved, figures};
use crate::data::teacher::{Examples, Teacher};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Budget, Checked, Ending, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status, Work,
};
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
    const META: Meta = Meta {
        id: "feedforward.run",
        title: "One run looked into",
        tab: Some("One run"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = SingleSpec;
    type Snapshot = SingleSnapshot;

    fn plan(_spec: &Checked<SingleSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

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

    fn prepare(
        spec: &Checked<SingleSpec>,
        _data: &Store,
        _before: Option<SingleSnapshot>,
    ) -> Result<Prepared<SingleSnapshot>, Vec<InputError>> {
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
        Ok(Box::new(SingleWork {
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

struct SingleWork {
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

impl Work for SingleWork {
    type Snapshot = SingleSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(&m) = self.sizes.get(self.solved) {
            self.solve(m, budget);
            return self.solved == self.sizes.len() && self.sampling.is_none();
        }
        self.sampled = match &mut self.sampling {
            Some(sampling) => sampling.advance(&self.fresh, budget),
            None => true,
        };
        self.sampled
    }

    fn fraction(&self) -> f64 {
        let share = if self.spec.exact == Exact::No { 1.0 } else { 0.5 };
        let solved = share * self.solved as f64 / self.sizes.len() as f64;
        solved + (1.0 - share) * self.sampling.as_ref().map_or(0.0, Sampling::fraction)
    }

    fn note(&self) -> String {
        let sweep = self.state.as_ref().map_or(0, State::total_sweeps);
        match self.sizes.get(self.solved) {
            Some(m) => format!("{m} examples, sweep {sweep}"),
            None => "sampling the exact posterior".to_owned(),
        }
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

impl SingleWork {
    /// Sweeps on the first `m` examples until they are solved or the budget is spent.
    fn solve(&mut self, m: usize, budget: &mut Budget) {
        let problem = TrainingSet::new(&self.examples, m, self.likelihood)
            .with_assumed_covariance(self.spec.believed());
        let tap = Tap::default();
        let before = self.before.take();
        let state = self.state.get_or_insert_with(|| {
            self.seen.residuals.clear();
            match before {
                Some(before) => tap.warm_start(&problem, before),
                None => tap.init(&problem),
            }
        });
        let ending = loop {
            budget.spend(problem.cost() as u64);
            let ending = tap.advance(&problem, state);
            if let Some((residual, damping)) = state.last() {
                keep(&mut self.seen.residuals, Residual { sweep: state.total_sweeps(), residual, damping });
            }
            if let Some(ending) = ending {
                break ending;
            }
            if budget.is_spent() {
                return;
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
