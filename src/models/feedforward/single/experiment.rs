//! The experiment: solve, perhaps at ever more examples, beside theory; then sample.

use std::rc::Rc;

use super::spec::{Exact, SingleSpec};
use super::{Growth, SingleSnapshot, Solved};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::{Budget, Ending, Residual, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::feedforward::exact::chains::{self, Target, Walk};
use crate::models::feedforward::exact::fresh::Fresh;
use crate::models::feedforward::exact::posterior::Posterior;
use crate::models::feedforward::exact::prior_draws::{self, BlockRow};
use crate::models::feedforward::tap::likelihood::Likelihood;
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

/// Sizes at which the training set is solved, growing.
pub fn sizes(spec: &SingleSpec) -> Vec<usize> {
    let m = spec.examples(spec.alpha);
    if !spec.warm_start {
        return vec![m];
    }
    let step = m.div_ceil(SIZES);
    (1..m).filter(|size| size % step == 0).chain([m]).collect()
}

/// Those at which there is theory; the last is always among them.
pub fn theory_sizes(spec: &SingleSpec) -> Vec<usize> {
    if !spec.matched() {
        return Vec::new();
    }
    let sizes = sizes(spec);
    let last = sizes.len() - 1;
    let drawn = sizes.iter().enumerate().filter(|(i, _)| *i == last || i % THEORY_EVERY == 0);
    drawn.map(|(_, size)| *size).collect()
}

/// Under way.
pub struct SingleWork {
    spec: SingleSpec,
    likelihood: Likelihood,
    teacher: Teacher,
    examples: LabelledExamples,
    /// The exact posterior and fresh inputs.
    target: Target,
    sizes: Vec<usize>,
    /// How many of them are solved.
    solved: usize,
    state: Option<State>,
    /// The solution of the size before.
    smaller: Option<State>,
    /// What the stages before gave.
    before: SingleSnapshot,
    unit: Unit,
    seen: SingleSnapshot,
}

/// What is under way.
enum Unit {
    Solve,
    /// Theory at this size.
    Theory(usize),
    /// A chain, and whether it began at weights that the labels allow.
    Chain(Box<Walk>, bool),
    /// Weighted draws, and how many there are to be.
    Block(Box<BlockRow>, usize, Box<Stream>),
    Done,
}

impl SingleWork {
    /// Before its first unit, after what the stages before gave.
    pub fn new(spec: &SingleSpec, before: Option<SingleSnapshot>) -> Self {
        let spec = spec.clone();
        let likelihood = Likelihood::new(spec.hidden, spec.beta);
        let mut teacher = Teacher::draw(
            spec.rule(),
            spec.drawn_inputs(),
            spec.flip_probability(),
            Stream::for_purpose(spec.seed, Purpose::FeedforwardExamples, 0),
        );
        let mut examples = LabelledExamples::new(spec.inputs);
        teacher.extend(&mut examples, spec.examples(spec.alpha));
        let fresh = Fresh::draw(
            &teacher,
            FRESH,
            &mut Stream::for_purpose(spec.seed, Purpose::FeedforwardFreshInputs, 0),
        );
        let posterior =
            Posterior::new(&examples, spec.hidden, likelihood.flip_probability(), spec.believed());
        Self {
            sizes: sizes(&spec),
            likelihood,
            teacher,
            examples,
            target: Target { posterior, fresh },
            solved: 0,
            state: None,
            smaller: None,
            before: before.unwrap_or_default(),
            unit: Unit::Done,
            seen: SingleSnapshot::default(),
            spec,
        }
    }

    /// Sampler number `index`: chains from the prior, then those that begin anew, or blocks of weighted draws.
    fn sampler(&self, index: usize) -> Unit {
        let (seed, draws) = (self.spec.seed, self.spec.draws);
        let Some(solution) = &self.before.solution else { return Unit::Done };
        if self.spec.exact == Exact::Weighted {
            let blocks = prior_draws::blocks(draws);
            let ends = |index: usize| draws * index / blocks;
            let block = BlockRow::new(&self.target.posterior, &self.target.fresh);
            let stream = Stream::for_purpose(seed, Purpose::FeedforwardPosterior, index as u64);
            return Unit::Block(Box::new(block), ends(index + 1) - ends(index), Box::new(stream));
        }
        let chain = |index: usize, start: Option<Vec<f64>>, purpose| {
            let stream = Stream::for_purpose(seed, purpose, index as u64);
            let walk = Walk::new(&self.target, draws, index, start.as_deref(), stream);
            Unit::Chain(Box::new(walk), start.is_some())
        };
        let Some(again) = index.checked_sub(chains::count(draws)) else {
            return chain(index, None, Purpose::FeedforwardPosterior);
        };
        if !chains::few(&self.before.chains) {
            return Unit::Done;
        }
        // The mean weights nearly always fit; the teacher, where it is one of the students, always does.
        let teacher = self.teacher.coloured_weights();
        let start = [&solution.weights, &teacher].into_iter().find_map(|w| self.target.posterior.chain(w));
        start.map_or(Unit::Done, |start| chain(again, Some(start.weights()), Purpose::FeedforwardWarmChains))
    }

    /// Sweeps on the first `m` examples until they are solved or the budget is spent.
    fn solve(&mut self, m: usize, budget: &mut Budget) {
        let problem = TrainingSet::new(&self.examples, m, self.likelihood)
            .with_assumed_covariance(self.spec.believed());
        let tap = Tap::default();
        let smaller = self.smaller.take();
        let state = self.state.get_or_insert_with(|| {
            self.seen.residuals.clear();
            match smaller {
                Some(smaller) => tap.warm_start(&problem, smaller),
                None => tap.init(&problem),
            }
        });
        let ending = tap.run(&problem, state, budget, |state| {
            if let Some((residual, damping)) = state.last() {
                self.seen.residuals.push(Residual { step: state.total_sweeps(), residual, damping });
            }
        });
        let Some(ending) = ending else { return };
        let Some(state) = self.state.take() else { return };
        self.solved += 1;
        let last = self.solved == self.sizes.len();
        if ending == Ending::Converged {
            let solution = state.solution(&problem);
            let mut stream = Stream::for_purpose(self.spec.seed, Purpose::FeedforwardGrowthTest, m as u64);
            let errors = Errors::of(&solution, &self.teacher, self.spec.matched(), &mut stream);
            let ratio = self.spec.ratio(m);
            if self.spec.warm_start {
                self.seen.growth.push(Growth { ratio, q: solution.q(), r: errors.r, opt: errors.opt });
            }
            self.seen.solution = Some(self.solved_with(&solution, errors, m));
            self.smaller = Some(state);
        } else {
            // What fewer examples gave is no answer for these.
            self.seen.solution = None;
        }
        if last {
            self.seen.ending = Some(ending);
        }
    }

    fn solved_with(&self, solution: &Solution, errors: Errors, m: usize) -> Solved {
        let teacher = self.teacher.coloured_weights();
        let labels = self.examples.labels()[..m].to_vec();
        let outputs = self.target.fresh.fields(&solution.weights).map(|fields| {
            let z: Vec<f64> =
                fields.iter().zip(&solution.lambda).map(|(f, lambda)| f / lambda.sqrt()).collect();
            0.5 * (1.0 + mean_output(&z))
        });
        Solved {
            outputs: outputs.collect(),
            truth: self.target.fresh.truth().to_vec(),
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
        }
    }
}

impl Work for SingleWork {
    type Snapshot = SingleSnapshot;

    fn begin(&mut self, unit: usize) {
        let theory = theory_sizes(&self.spec);
        self.unit = match unit.checked_sub(1) {
            None => Unit::Solve,
            Some(index) => match theory.get(index) {
                Some(size) => Unit::Theory(*size),
                None => self.sampler(index - theory.len()),
            },
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        self.unit = match std::mem::replace(&mut self.unit, Unit::Done) {
            Unit::Solve => {
                if let Some(&m) = self.sizes.get(self.solved) {
                    self.solve(m, budget);
                }
                if self.solved == self.sizes.len() { Unit::Done } else { Unit::Solve }
            }
            Unit::Theory(m) => {
                // One branch takes microseconds, several take a slice and more.
                budget.spend(if self.spec.hidden == 1 { Budget::SLICE / 20 } else { Budget::SLICE });
                let ratio = self.spec.ratio(m);
                let theory = theory::solve(&self.likelihood, ratio, 0.5);
                self.seen.theory.push(Growth { ratio, q: theory.q, r: theory.q, opt: theory.opt });
                Unit::Done
            }
            Unit::Chain(mut chain, again) => match chain.advance(&self.target, budget) {
                None => Unit::Chain(chain, again),
                Some(row) => {
                    let rows = if again { &mut self.seen.fallback_chains } else { &mut self.seen.chains };
                    rows.push(Rc::new(row));
                    Unit::Done
                }
            },
            Unit::Block(mut block, draws, mut stream) => {
                while block.draws < draws && !budget.is_spent() {
                    let Target { posterior, fresh } = &self.target;
                    budget.spend(block.draw(posterior, fresh, &mut stream) as u64);
                }
                if block.draws == draws {
                    self.seen.blocks.push(Rc::new(*block));
                    Unit::Done
                } else {
                    Unit::Block(block, draws, stream)
                }
            }
            Unit::Done => Unit::Done,
        };
        matches!(self.unit, Unit::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            Unit::Solve => self.solved as f64 / self.sizes.len() as f64,
            Unit::Chain(chain, _) => chain.fraction(),
            Unit::Block(block, draws, _) => block.draws as f64 / *draws as f64,
            Unit::Theory(_) | Unit::Done => 0.0,
        }
    }

    fn note(&self) -> String {
        let sweep = self.state.as_ref().map_or(0, State::total_sweeps);
        match (&self.unit, self.sizes.get(self.solved)) {
            (Unit::Solve, Some(m)) => format!("{m} examples, sweep {sweep}"),
            (Unit::Theory(_), _) => "theory".to_owned(),
            _ => "sampling the exact posterior".to_owned(),
        }
    }

    fn snapshot(&self) -> SingleSnapshot {
        let mut seen = self.seen.clone();
        if let Unit::Block(block, ..) = &self.unit {
            seen.blocks.push(Rc::new((**block).clone()));
        }
        seen
    }
}
