//! Work of the task: solves for a growing training set, theory, and samplers of the exact posterior.

use std::rc::Rc;

use super::spec::{Exact, SingleSpec};
use super::{GrowthPoint, SingleSnapshot, SolutionSummary};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::{Budget, Ending, Residual, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::feedforward::exact::chains::{self, ChainTarget, PosteriorChain};
use crate::models::feedforward::exact::posterior::WeightPosterior;
use crate::models::feedforward::exact::prior_draws::{self, WeightedSums};
use crate::models::feedforward::exact::test_inputs::TestInputs;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::solution::Solution;
use crate::models::feedforward::tap::votes::mean_output;
use crate::models::feedforward::tap::{State, Tap, TrainingSet};
use crate::models::feedforward::theory;
use crate::models::feedforward::theory::errors::GeneralisationErrors;

/// Largest number of sizes at which a growing training set is solved.
const MAX_SIZES: usize = 120;
/// Number of test inputs at which TAP and the exact posterior are compared.
const TEST_INPUTS: usize = 512;
/// Theory is computed at every sixth size, since for K ≥ 3 it takes as long as many solves.
const THEORY_EVERY: usize = 6;

/// Returns the sizes at which the training set is solved, ascending.
pub fn sizes(spec: &SingleSpec) -> Vec<usize> {
    let m = spec.examples(spec.alpha);
    if !spec.warm_start {
        return vec![m];
    }
    let step = m.div_ceil(MAX_SIZES);
    (1..m).filter(|size| size % step == 0).chain([m]).collect()
}

/// Returns the sizes at which theory is computed, always with the last; empty without a theory.
pub fn theory_sizes(spec: &SingleSpec) -> Vec<usize> {
    if !spec.is_matched() {
        return Vec::new();
    }
    let sizes = sizes(spec);
    let last = sizes.len() - 1;
    let drawn = sizes.iter().enumerate().filter(|(i, _)| *i == last || i % THEORY_EVERY == 0);
    drawn.map(|(_, size)| *size).collect()
}

/// Work on a single run.
pub struct SingleWork {
    spec: SingleSpec,
    likelihood: Likelihood,
    teacher: Teacher,
    examples: LabelledExamples,
    /// Exact posterior and test inputs.
    target: ChainTarget,
    sizes: Vec<usize>,
    /// Number of sizes that are solved.
    solved: usize,
    state: Option<State>,
    /// State of the solution at the previous size.
    smaller: Option<State>,
    /// Results of the previous stages.
    previous: SingleSnapshot,
    unit: SingleUnit,
    results: SingleSnapshot,
}

/// Unit in progress.
enum SingleUnit {
    Solve,
    /// Theory at this size.
    Theory(usize),
    /// A chain; true if it is a fallback chain.
    Chain(Box<PosteriorChain>, bool),
    /// A block of weighted draws, with its number of draws.
    Block(Box<WeightedSums>, usize, Box<Stream>),
    Done,
}

impl SingleWork {
    /// Returns the work before its first unit, given the results of the previous stages.
    pub fn new(spec: &SingleSpec, previous: Option<SingleSnapshot>) -> Self {
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
        let test_inputs = TestInputs::draw(
            &teacher,
            TEST_INPUTS,
            &mut Stream::for_purpose(spec.seed, Purpose::FeedforwardFreshInputs, 0),
        );
        let posterior = WeightPosterior::new(
            &examples,
            spec.hidden,
            likelihood.flip_probability(),
            spec.assumed_covariance(),
        );
        Self {
            sizes: sizes(&spec),
            likelihood,
            teacher,
            examples,
            target: ChainTarget { posterior, test_inputs },
            solved: 0,
            state: None,
            smaller: None,
            previous: previous.unwrap_or_default(),
            unit: SingleUnit::Done,
            results: SingleSnapshot::default(),
            spec,
        }
    }

    /// Returns sampler number `index`: a chain from the prior, after those a fallback chain, or a block of weighted draws.
    fn sampler(&self, index: usize) -> SingleUnit {
        let (seed, draws) = (self.spec.seed, self.spec.draws);
        let Some(solution) = &self.previous.solution else { return SingleUnit::Done };
        if self.spec.exact == Exact::Weighted {
            let blocks = prior_draws::blocks(draws);
            let first = |index: usize| draws * index / blocks;
            let block = WeightedSums::new(&self.target.posterior, &self.target.test_inputs);
            let stream = Stream::for_purpose(seed, Purpose::FeedforwardPosterior, index as u64);
            return SingleUnit::Block(Box::new(block), first(index + 1) - first(index), Box::new(stream));
        }
        let chain = |index: usize, start: Option<Vec<f64>>, purpose| {
            let stream = Stream::for_purpose(seed, purpose, index as u64);
            let chain = PosteriorChain::new(&self.target, draws, index, start.as_deref(), stream);
            SingleUnit::Chain(Box::new(chain), start.is_some())
        };
        let Some(fallback) = index.checked_sub(chains::count(draws)) else {
            return chain(index, None, Purpose::FeedforwardPosterior);
        };
        if !chains::too_few_reached(&self.previous.chains) {
            return SingleUnit::Done;
        }
        // ⟨w⟩ nearly always fits all labels; a matched teacher always does.
        let teacher = self.teacher.coloured_weights();
        let start = [&solution.weights, &teacher].into_iter().find_map(|w| self.target.posterior.chain(w));
        start.map_or(SingleUnit::Done, |start| {
            chain(fallback, Some(start.weights()), Purpose::FeedforwardWarmChains)
        })
    }

    /// Solves for the first `m` examples until the solve ends or the budget is spent.
    fn solve(&mut self, m: usize, budget: &mut Budget) {
        let problem = TrainingSet::new(&self.examples, m, self.likelihood)
            .with_assumed_covariance(self.spec.assumed_covariance());
        let tap = Tap::default();
        let smaller = self.smaller.take();
        let state = self.state.get_or_insert_with(|| {
            self.results.residuals.clear();
            match smaller {
                Some(smaller) => tap.warm_start(&problem, smaller),
                None => tap.init(&problem),
            }
        });
        let ending = tap.run(&problem, state, budget, |state| {
            if let Some((residual, damping)) = state.last() {
                self.results.residuals.push(Residual { step: state.total_sweeps(), residual, damping });
            }
        });
        let Some(ending) = ending else { return };
        let Some(state) = self.state.take() else { return };
        self.solved += 1;
        let last = self.solved == self.sizes.len();
        if ending == Ending::Converged {
            let solution = state.solution(&problem);
            let mut stream = Stream::for_purpose(self.spec.seed, Purpose::FeedforwardGrowthTest, m as u64);
            let errors =
                GeneralisationErrors::of(&solution, &self.teacher, self.spec.is_matched(), &mut stream);
            if self.spec.warm_start {
                let alpha = self.spec.ratio(m);
                self.results.growth.push(GrowthPoint {
                    alpha,
                    q: solution.q(),
                    r: errors.r,
                    opt: errors.opt,
                });
            }
            self.results.solution = Some(self.summary(&solution, errors, m));
            self.smaller = Some(state);
        } else {
            // The solution for fewer examples is not one for these.
            self.results.solution = None;
        }
        if last {
            self.results.ending = Some(ending);
        }
    }

    /// Returns the summary of a solution for `m` examples.
    fn summary(&self, solution: &Solution, errors: GeneralisationErrors, m: usize) -> SolutionSummary {
        let teacher = self.teacher.coloured_weights();
        let labels = self.examples.labels()[..m].to_vec();
        let outputs = self.target.test_inputs.fields(&solution.weights).map(|fields| {
            let z: Vec<f64> =
                fields.iter().zip(&solution.lambda).map(|(f, lambda)| f / lambda.sqrt()).collect();
            0.5 * (1.0 + mean_output(&z))
        });
        SolutionSummary {
            outputs: outputs.collect(),
            truth: self.target.test_inputs.truth().to_vec(),
            weights: solution.weights.clone(),
            teacher,
            lambda: solution.lambda.clone(),
            z: solution.z.clone(),
            q: solution.q(),
            r: errors.r,
            bayes: errors.bayes,
            opt: errors.opt,
            loo_bayes: solution.loo_bayes_error(&labels),
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
            None => SingleUnit::Solve,
            Some(index) => match theory.get(index) {
                Some(size) => SingleUnit::Theory(*size),
                None => self.sampler(index - theory.len()),
            },
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        self.unit = match std::mem::replace(&mut self.unit, SingleUnit::Done) {
            SingleUnit::Solve => {
                if let Some(&m) = self.sizes.get(self.solved) {
                    self.solve(m, budget);
                }
                if self.solved == self.sizes.len() { SingleUnit::Done } else { SingleUnit::Solve }
            }
            SingleUnit::Theory(m) => {
                // K = 1 takes microseconds, K > 1 a slice or more.
                budget.spend(if self.spec.hidden == 1 { Budget::SLICE / 20 } else { Budget::SLICE });
                let alpha = self.spec.ratio(m);
                let theory = theory::solve(&self.likelihood, alpha, 0.5);
                self.results.theory.push(GrowthPoint { alpha, q: theory.q, r: theory.q, opt: theory.opt });
                SingleUnit::Done
            }
            SingleUnit::Chain(mut chain, fallback) => match chain.advance(&self.target, budget) {
                None => SingleUnit::Chain(chain, fallback),
                Some(row) => {
                    let rows =
                        if fallback { &mut self.results.fallback_chains } else { &mut self.results.chains };
                    rows.push(Rc::new(row));
                    SingleUnit::Done
                }
            },
            SingleUnit::Block(mut block, draws, mut stream) => {
                while block.draws < draws && !budget.is_spent() {
                    let ChainTarget { posterior, test_inputs } = &self.target;
                    budget.spend(block.draw(posterior, test_inputs, &mut stream) as u64);
                }
                if block.draws == draws {
                    self.results.blocks.push(Rc::new(*block));
                    SingleUnit::Done
                } else {
                    SingleUnit::Block(block, draws, stream)
                }
            }
            SingleUnit::Done => SingleUnit::Done,
        };
        matches!(self.unit, SingleUnit::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            SingleUnit::Solve => self.solved as f64 / self.sizes.len() as f64,
            SingleUnit::Chain(chain, _) => chain.fraction(),
            SingleUnit::Block(block, draws, _) => block.draws as f64 / *draws as f64,
            SingleUnit::Theory(_) | SingleUnit::Done => 0.0,
        }
    }

    fn note(&self) -> String {
        match (&self.unit, &self.results.solution, self.sizes.get(self.solved)) {
            // The number of the solution that is shown, not of the one in progress.
            (SingleUnit::Solve, Some(solution), _) => format!("{} examples", solution.labels.len()),
            (SingleUnit::Solve, None, Some(m)) => {
                let sweep = self.state.as_ref().map_or(0, State::total_sweeps);
                format!("{m} examples, sweep {sweep}")
            }
            (SingleUnit::Theory(_), ..) => "theory".to_owned(),
            _ => "sampling the exact posterior".to_owned(),
        }
    }

    fn snapshot(&self) -> SingleSnapshot {
        let mut results = self.results.clone();
        if let SingleUnit::Block(block, ..) = &self.unit {
            results.blocks.push(Rc::new((**block).clone()));
        }
        results
    }
}
