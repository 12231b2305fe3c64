//! A solve at a given β with its fall-backs, or the β of the largest log evidence.
//!
//! β climbs rungs. With variances of each example's own each rung begins at the solution of the one before, which leads to solutions
//! that no damping reaches from nothing; it is the fall-back where a β is given. Where a given β has no solution, the last rung that
//! has one is the advice, and a solve at that one takes the same steps.

use super::likelihood::Likelihood;
use super::own::{Factors, Rows};
use super::solution::Solution;
use super::{State, Tap, TrainingSet};
use crate::data::teacher::LabelledExamples;
use crate::math::{Budget, Ending, Residual};

/// Whether all examples have the cavity variances λ of eq. (6').
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variances {
    /// The same for all: many uncorrelated inputs.
    Shared,
    /// Each its own.
    Own,
}

/// What is learnt from.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// In blocks, for shared variances.
    pub examples: &'a LabelledExamples,
    /// In rows, for those of each example's own.
    pub rows: Rows<'a>,
}

/// A solution at a value of β.
#[derive(Clone, Debug)]
pub struct Found {
    /// β.
    pub beta: f64,
    /// The log evidence.
    pub ln_evidence: f64,
    /// The solution.
    pub solution: Solution,
    /// Where the next rung begins.
    factors: Option<Factors>,
}

/// The values of β that are climbed.
const RUNGS: [f64; 25] = [
    0.0,
    0.25,
    0.5,
    0.75,
    1.0,
    1.25,
    1.5,
    1.75,
    2.0,
    2.25,
    2.5,
    2.75,
    3.0,
    3.25,
    3.5,
    3.75,
    4.0,
    4.5,
    5.0,
    6.0,
    7.0,
    8.0,
    10.0,
    12.0,
    f64::INFINITY,
];
/// The climb ends where the log evidence has fallen by so much.
const FALL: f64 = 10.0;
/// β by evidence has two decimals; solves at most to find them.
const DECIMALS: f64 = 100.0;
const CLOSE: f64 = 0.05;
const MOST_REFINED: usize = 12;

/// Damping of a solve with variances of each example's own, and its sweeps at most.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    damping: f64,
    sweeps: usize,
}

/// From nothing, before the climb and where it has failed.
const DIRECT: Attempt = Attempt { damping: 1.0, sweeps: 200 };
const SLOW: Attempt = Attempt { damping: 0.1, sweeps: 2000 };
/// From the rung before.
const CLIMB: [Attempt; 3] = [
    Attempt { damping: 1.0, sweeps: 80 },
    Attempt { damping: 0.5, sweeps: 400 },
    Attempt { damping: 0.15, sweeps: 1500 },
];
/// The residual at which it is done; and one that sweeps which come no nearer may leave.
const SETTLED: f64 = 1e-10;
const ROUNDING: f64 = 1e-7;
const PATIENCE: usize = 60;

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Direct,
    /// On this rung, by this attempt.
    Climb(usize, usize),
    Slow,
    Refine(usize),
    Done,
}

/// A solve.
#[derive(Clone, Debug)]
struct Trial {
    beta: f64,
    likelihood: Likelihood,
    engine: Engine,
    sweeps: usize,
}

#[derive(Clone, Debug)]
enum Engine {
    Shared(State),
    Own {
        factors: Factors,
        attempt: Attempt,
        /// The smallest residual, and the sweeps since.
        least: f64,
        stalled: usize,
    },
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Search {
    solver: Tap,
    variances: Variances,
    hidden: usize,
    /// The β that is given, if one is.
    given: Option<f64>,
    stage: Stage,
    trial: Option<Trial>,
    /// Sweeps of the trials before.
    before: usize,
    /// How the first solve at the given β ended.
    ending: Option<Ending>,
    /// The last rung with a solution.
    last: Option<Found>,
    /// The solution at the given β, or the one of the largest log evidence so far.
    best: Option<Found>,
    /// β and log evidence of every solution, by β.
    path: Vec<(f64, f64)>,
    /// The least β above the path that has no solution, if there is one.
    limit: Option<f64>,
}

impl Search {
    /// Before the first sweep; `given` is β, or none where it is to be found.
    pub fn new(solver: Tap, variances: Variances, hidden: usize, given: Option<f64>) -> Self {
        Self {
            solver,
            variances,
            hidden,
            given,
            stage: if given.is_some() { Stage::Direct } else { Stage::Climb(0, 0) },
            trial: None,
            before: 0,
            ending: None,
            last: None,
            best: None,
            path: Vec::new(),
            limit: None,
        }
    }

    /// Works until the end or until the budget is spent; whether it is the end. `observe` sees every sweep.
    pub fn advance(&mut self, data: &Data, budget: &mut Budget, mut observe: impl FnMut(Residual)) -> bool {
        while self.stage != Stage::Done && !budget.is_spent() {
            let mut trial = self.trial.take().unwrap_or_else(|| self.begin(data));
            let before = self.before;
            let Some(ending) =
                trial.run(self.solver, data, budget, |r| observe(Residual { step: before + r.step, ..r }))
            else {
                self.trial = Some(trial);
                break;
            };
            self.before += trial.sweeps;
            let found = if ending.is_solution() { trial.found(data) } else { None };
            self.go_on(found, ending);
        }
        self.stage == Stage::Done
    }

    /// Sweeps so far, over all solves.
    pub fn sweeps(&self) -> usize {
        self.before + self.trial.as_ref().map_or(0, |trial| trial.sweeps)
    }

    /// How it ended: with a solution, or as the solve at the given β did.
    pub fn ending(&self) -> Ending {
        if self.best.is_some() { Ending::Converged } else { self.ending.unwrap_or(Ending::NoSolution) }
    }

    /// The solution, and the β that it is for.
    pub fn best(&self) -> Option<&Found> {
        self.best.as_ref()
    }

    /// Where there is none: the largest β tried below the given one that has a solution.
    pub fn advice(&self) -> Option<f64> {
        self.last.as_ref().filter(|_| self.best.is_none()).map(|found| found.beta)
    }

    /// β and log evidence of the solutions that β was chosen from, by β.
    pub fn path(&self) -> &[(f64, f64)] {
        if self.given.is_some() { &[] } else { &self.path }
    }

    /// Whether the log evidence is largest at the last β that has a solution.
    pub fn at_the_edge(&self) -> bool {
        let last = self.path().last().map(|(beta, _)| *beta);
        self.limit.is_some() && last.is_some() && self.best.as_ref().map(|found| found.beta) == last
    }

    /// The β of a rung: those of the climb, and the given one at its end.
    fn rung(&self, rung: usize) -> Option<f64> {
        let Some(given) = self.given else { return RUNGS.get(rung).copied() };
        match RUNGS.get(rung).filter(|beta| **beta < given) {
            Some(beta) => Some(*beta),
            // With shared variances it was solved from nothing already, as every rung is.
            None => (self.variances == Variances::Own).then_some(given),
        }
    }

    fn begin(&self, data: &Data) -> Trial {
        let (beta, attempt, from) = match self.stage {
            Stage::Climb(rung, attempt) => (self.rung(rung), CLIMB[attempt], self.last.as_ref()),
            Stage::Slow => (self.given, SLOW, None),
            Stage::Refine(_) => (self.refined(), CLIMB[1], self.best.as_ref()),
            Stage::Direct | Stage::Done => (self.given, DIRECT, None),
        };
        let beta = beta.unwrap_or(0.0);
        let likelihood = Likelihood::new(self.hidden, beta);
        let engine = match self.variances {
            Variances::Shared => Engine::Shared(self.solver.init(&problem(data, likelihood))),
            Variances::Own => Engine::Own {
                factors: from
                    .and_then(|found| found.factors.clone())
                    .unwrap_or_else(|| Factors::new(&data.rows, self.hidden)),
                attempt,
                least: f64::INFINITY,
                stalled: 0,
            },
        };
        Trial { beta, likelihood, engine, sweeps: 0 }
    }

    /// What is next after a solve, which has `found` a solution or ended without one.
    fn go_on(&mut self, found: Option<Found>, ending: Ending) {
        if let Some(found) = &found {
            let place = self.path.partition_point(|(beta, _)| *beta < found.beta);
            self.path.insert(place, (found.beta, found.ln_evidence));
            let given = self.given == Some(found.beta);
            let better = self.best.as_ref().is_none_or(|best| found.ln_evidence > best.ln_evidence);
            if given || (self.given.is_none() && better) {
                self.best = Some(found.clone());
            }
        }
        self.stage = match self.stage {
            _ if self.given.is_some() && self.best.is_some() => Stage::Done,
            Stage::Direct => {
                self.ending = Some(ending);
                // At β = 0 there is nothing to climb from.
                if self.rung(1).is_some() { Stage::Climb(1, 0) } else { Stage::Done }
            }
            Stage::Climb(rung, _) if found.is_some() => {
                let fallen = found.as_ref().zip(self.best.as_ref());
                let fallen = fallen.is_some_and(|(f, best)| f.ln_evidence < best.ln_evidence - FALL);
                self.last = found;
                match self.rung(rung + 1) {
                    Some(_) if !fallen || self.given.is_some() => Stage::Climb(rung + 1, 0),
                    _ => self.after_the_climb(),
                }
            }
            Stage::Climb(rung, attempt) if self.variances == Variances::Own && attempt + 1 < CLIMB.len() => {
                Stage::Climb(rung, attempt + 1)
            }
            Stage::Climb(rung, _) => {
                self.limit = self.rung(rung);
                self.after_the_climb()
            }
            Stage::Refine(count) if count < MOST_REFINED && (found.is_some() || self.at_the_edge()) => {
                if found.is_none() {
                    self.limit = self.refined();
                }
                self.refine(count + 1)
            }
            Stage::Slow | Stage::Refine(_) | Stage::Done => Stage::Done,
        };
    }

    fn after_the_climb(&self) -> Stage {
        match (self.given, self.variances) {
            (Some(_), Variances::Own) => Stage::Slow,
            (Some(_), Variances::Shared) => Stage::Done,
            (None, _) => self.refine(0),
        }
    }

    fn refine(&self, count: usize) -> Stage {
        if self.refined().is_some() { Stage::Refine(count) } else { Stage::Done }
    }

    /// The next β to try around the largest log evidence: the top of the parabola through it and its neighbours, with so many
    /// decimals; at the border of those that have a solution, halfway to the one that has none. None where that is known.
    fn refined(&self) -> Option<f64> {
        let rounded = |beta: f64| (beta * DECIMALS).round() / DECIMALS;
        // Halfway between two values, as long as they are wide apart.
        let half = |near: f64, far: f64| {
            (far - near > CLOSE && far.is_finite()).then(|| rounded(0.5 * (near + far)))
        };
        let best = self.best.as_ref()?.beta;
        if self.at_the_edge() {
            return half(best, self.limit?);
        }
        let at = self.path.iter().position(|(beta, _)| *beta == best)?;
        let [(a, f_a), (b, f_b), (c, f_c)] = *self.path.get(at.checked_sub(1)?..at + 2)? else { return None };
        if c.is_infinite() {
            return None;
        }
        let (left, right) = ((b - a) * (f_b - f_c), (b - c) * (f_b - f_a));
        let top = rounded((b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right)).clamp(a, c));
        if top.is_finite() && ![a, b, c].contains(&top) {
            return Some(top);
        }
        // The top is known: the wider side.
        if c - b > b - a { half(b, c) } else { half(a, b) }
    }
}

impl Trial {
    /// Sweeps until the end or until the budget is spent; `None` in the second case.
    fn run(
        &mut self,
        solver: Tap,
        data: &Data,
        budget: &mut Budget,
        mut observe: impl FnMut(Residual),
    ) -> Option<Ending> {
        match &mut self.engine {
            Engine::Shared(state) => {
                let ending = solver.run(&problem(data, self.likelihood), state, budget, |state| {
                    if let Some((residual, damping)) = state.last() {
                        observe(Residual { step: state.total_sweeps(), residual, damping });
                    }
                });
                self.sweeps = state.total_sweeps();
                ending
            }
            Engine::Own { factors, attempt, least, stalled } => loop {
                if budget.is_spent() {
                    return None;
                }
                let residual = factors.advance(&data.rows, &self.likelihood, attempt.damping, budget)?;
                self.sweeps += 1;
                observe(Residual { step: self.sweeps, residual, damping: attempt.damping });
                (*least, *stalled) = if residual < *least { (residual, 0) } else { (*least, *stalled + 1) };
                if residual < SETTLED {
                    return Some(Ending::Converged);
                }
                if residual.is_infinite() {
                    return Some(Ending::NoSolution);
                }
                if *stalled >= PATIENCE && residual < ROUNDING {
                    return Some(Ending::Stalled);
                }
                if self.sweeps >= attempt.sweeps {
                    return Some(Ending::MaxIterations);
                }
            },
        }
    }

    fn found(self, data: &Data) -> Option<Found> {
        let (solution, factors) = match self.engine {
            Engine::Shared(state) => (state.solution(&problem(data, self.likelihood)), None),
            Engine::Own { factors, .. } => (factors.solution(&data.rows)?, Some(factors)),
        };
        let ln_evidence = solution.ln_evidence(data.rows.labels, &self.likelihood);
        ln_evidence.is_finite().then_some(Found { beta: self.beta, ln_evidence, solution, factors })
    }
}

fn problem<'a>(data: &Data<'a>, likelihood: Likelihood) -> TrainingSet<'a> {
    TrainingSet::new(data.examples, data.examples.len(), likelihood)
}
