//! A solve at a given β with fall-backs, or a search for the β of the largest log evidence.
//!
//! β climbs a ladder. With adaptive variances each solve starts from the solution at the previous β, which reaches solutions that no
//! damping reaches from zero; this is the fall-back where β is given. If a given β has no solution, the last β of the climb that has
//! one is the advice, and a solve at that β takes the same steps.

use super::Tap;
use super::adaptive::AdaptiveState;
use super::likelihood::Likelihood;
pub use super::solve_at_beta::{BetaSolution, TrainingData};
use super::solve_at_beta::{Engine, SolveAtBeta, SolveLimits, TOLERANCE, shared_problem};
use crate::math::{Budget, Ending, Residual, SmallestResidual};

/// Cavity variances λ of the examples of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variances {
    /// One for all examples, eq. (6′): valid for many uncorrelated inputs.
    Shared,
    /// One for each example; see [`super::adaptive`].
    Adaptive,
}

/// β = ∞.
const NOISE_FREE: f64 = f64::INFINITY;
/// Values of β on the ladder.
const LADDER: [f64; 25] = [
    0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0, 4.5, 5.0,
    6.0, 7.0, 8.0, 10.0, 12.0, NOISE_FREE,
];
/// Decrease of the log evidence from its largest value at which the climb ends.
const EVIDENCE_DROP: f64 = 10.0;
/// β by evidence is a multiple of 1/`BETA_RESOLUTION`.
const BETA_RESOLUTION: f64 = 100.0;
/// Smallest distance between two values of β that is bisected.
const MIN_GAP: f64 = 0.05;
/// Largest number of solves that refine β.
const MAX_REFINEMENTS: usize = 12;

/// Sweeps of a solve that converges, about.
const TYPICAL_SWEEPS: f64 = 25.0;

/// Limits of a solve from zero before the climb, and after it has failed.
const DIRECT: SolveLimits = SolveLimits { damping: 1.0, sweeps: 200 };
const SLOW: SolveLimits = SolveLimits { damping: 0.1, sweeps: 2000 };
/// Limits of the attempts at one β of the ladder, each from the solution at the previous β.
const CLIMB: [SolveLimits; 3] = [
    SolveLimits { damping: 1.0, sweeps: 80 },
    SolveLimits { damping: 0.5, sweeps: 400 },
    SolveLimits { damping: 0.15, sweeps: 1500 },
];

/// Stage of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SearchStage {
    /// At the given β, from zero.
    Direct,
    /// At β of this index on the ladder, by this attempt of [`CLIMB`].
    Climb(usize, usize),
    /// At the given β, from zero and strongly damped.
    Slow,
    /// Refinement of this number.
    Refine(usize),
    Done,
}

/// A search in progress.
#[derive(Clone, Debug)]
pub struct BetaSearch {
    solver: Tap,
    variances: Variances,
    /// K.
    hidden: usize,
    /// The given β; `None` where the log evidence chooses it.
    given: Option<f64>,
    /// True if no fall-back follows the first solve at the given β.
    is_brief: bool,
    stage: SearchStage,
    current: Option<SolveAtBeta>,
    /// Sweeps of the previous solves.
    previous_sweeps: usize,
    /// Estimated fraction done, and that at the beginning of the current solve.
    fraction: f64,
    begun_at: f64,
    /// Ending of the first solve at the given β.
    ending: Option<Ending>,
    /// The last solution on the ladder.
    last: Option<BetaSolution>,
    /// The solution at the given β, or the one of the largest log evidence so far.
    best: Option<BetaSolution>,
    /// β and log evidence of every solution, in order of β.
    path: Vec<(f64, f64)>,
    /// The smallest β above the path that has no solution, if there is one.
    unsolved: Option<f64>,
}

impl BetaSearch {
    /// Returns a search before its first sweep. `given` is β, or `None` to find the β of the largest log evidence.
    pub fn new(solver: Tap, variances: Variances, hidden: usize, given: Option<f64>) -> Self {
        Self {
            solver,
            variances,
            hidden,
            given,
            is_brief: false,
            stage: if given.is_some() { SearchStage::Direct } else { SearchStage::Climb(0, 0) },
            current: None,
            previous_sweeps: 0,
            fraction: 0.0,
            begun_at: 0.0,
            ending: None,
            last: None,
            best: None,
            path: Vec::new(),
            unsolved: None,
        }
    }

    /// Omits the fall-backs, so that a given β without a solution from zero costs little.
    #[must_use]
    pub fn brief(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// Works until the search ends or the budget is spent; returns true in the first case. `observe` is called after every sweep.
    pub fn advance(
        &mut self,
        data: &TrainingData,
        budget: &mut Budget,
        mut observe: impl FnMut(Residual),
    ) -> bool {
        while self.stage != SearchStage::Done && !budget.is_spent() {
            let mut solve = self.current.take().unwrap_or_else(|| self.begin_solve(data));
            let before = self.previous_sweeps;
            let ending = solve.run(self.solver, data, budget, |r| {
                observe(Residual { step: before + r.step, ..r });
            });
            self.fraction = self.fraction.max(self.estimated_fraction(&solve));
            let Some(ending) = ending else {
                self.current = Some(solve);
                break;
            };
            self.begun_at = self.fraction;
            self.previous_sweeps += solve.sweeps;
            let found = if ending.is_solution() { solve.finish(data) } else { None };
            self.end_solve(found, ending);
        }
        self.stage == SearchStage::Done
    }

    /// Sweeps so far, over all solves.
    pub fn sweeps(&self) -> usize {
        self.previous_sweeps + self.current.as_ref().map_or(0, |solve| solve.sweeps)
    }

    /// Returns the estimated fraction done, 0 to 1. It never decreases, and grows with every sweep of a solve that makes no progress.
    pub fn fraction(&self) -> f64 {
        if self.stage == SearchStage::Done { 1.0 } else { self.fraction }
    }

    /// Estimates the fraction done within `solve`. What was left at its beginning is divided in two ways: as if it converged, by its
    /// smallest residual, and as if it failed, by its sweeps. The larger share counts.
    fn estimated_fraction(&self, solve: &SolveAtBeta) -> f64 {
        let (smallest, left) = solve.outlook();
        let (after_success, after_failure) = self.sweeps_after();
        let (sweeps, left) = (solve.sweeps as f64, left as f64);
        let succeeding = smallest.share(TOLERANCE) * TYPICAL_SWEEPS / (TYPICAL_SWEEPS + after_success);
        let failing = sweeps / (sweeps + left + after_failure).max(1.0);
        self.begun_at + (1.0 - self.begun_at) * succeeding.max(failing)
    }

    /// Returns the expected number of sweeps after the current solve if it succeeds, and if it fails.
    fn sweeps_after(&self) -> (f64, f64) {
        let hopeless = |limits: &[SolveLimits]| -> f64 {
            limits
                .iter()
                .map(|limits| SmallestResidual::new().steps_left(limits.sweeps, limits.damping) as f64)
                .sum()
        };
        let is_adaptive = self.variances == Variances::Adaptive;
        let below = self.given.map_or(LADDER.len(), |given| LADDER.partition_point(|beta| *beta < given));
        let rungs_after = |rung: usize| {
            let rungs = below + usize::from(self.given.is_some() && is_adaptive);
            TYPICAL_SWEEPS * rungs.saturating_sub(rung + 1) as f64
        };
        let refinements = |count: usize| TYPICAL_SWEEPS * MAX_REFINEMENTS.saturating_sub(count) as f64;
        let after_climb = match (self.given, is_adaptive) {
            (Some(_), true) => hopeless(&[SLOW]),
            (Some(_), false) => 0.0,
            (None, _) => refinements(0),
        };
        match self.stage {
            SearchStage::Direct if self.is_brief => (0.0, 0.0),
            SearchStage::Direct => (0.0, rungs_after(0) + hopeless(&CLIMB) + after_climb),
            SearchStage::Climb(rung, attempt) => {
                let attempts = if is_adaptive { hopeless(&CLIMB[attempt + 1..]) } else { 0.0 };
                let refined = if self.given.is_some() { 0.0 } else { after_climb };
                (rungs_after(rung) + refined, attempts + after_climb)
            }
            SearchStage::Refine(count) => (refinements(count), refinements(count)),
            SearchStage::Slow | SearchStage::Done => (0.0, 0.0),
        }
    }

    /// Returns [`Ending::Converged`] if there is a solution, else the ending of the first solve at the given β.
    pub fn ending(&self) -> Ending {
        if self.best.is_some() { Ending::Converged } else { self.ending.unwrap_or(Ending::NoSolution) }
    }

    /// Returns the solution with its β.
    pub fn best(&self) -> Option<&BetaSolution> {
        self.best.as_ref()
    }

    /// Returns the largest β of the climb, below the given one, that has a solution, if the given one has none.
    pub fn advice(&self) -> Option<f64> {
        self.last.as_ref().filter(|_| self.best.is_none()).map(|found| found.beta)
    }

    /// Returns β and log evidence of the solutions from which β was chosen, in order of β; empty if β is given.
    pub fn path(&self) -> &[(f64, f64)] {
        if self.given.is_some() { &[] } else { &self.path }
    }

    /// Returns true if the log evidence is largest at the last β that has a solution.
    pub fn largest_at_last_solution(&self) -> bool {
        let last = self.path().last().map(|(beta, _)| *beta);
        self.unsolved.is_some() && last.is_some() && self.best.as_ref().map(|found| found.beta) == last
    }

    /// Returns β of index `rung` on the ladder; a given β is the end of the ladder.
    fn rung(&self, rung: usize) -> Option<f64> {
        let Some(given) = self.given else { return LADDER.get(rung).copied() };
        match LADDER.get(rung).filter(|beta| **beta < given) {
            Some(beta) => Some(*beta),
            // With shared variances every solve starts from zero, and the given β was solved that way already.
            None => (self.variances == Variances::Adaptive).then_some(given),
        }
    }

    fn begin_solve(&self, data: &TrainingData) -> SolveAtBeta {
        let (beta, limits, from) = match self.stage {
            SearchStage::Climb(rung, attempt) => (self.rung(rung), CLIMB[attempt], self.last.as_ref()),
            SearchStage::Slow => (self.given, SLOW, None),
            SearchStage::Refine(_) => (self.refined_beta(), CLIMB[1], self.best.as_ref()),
            SearchStage::Direct | SearchStage::Done => (self.given, DIRECT, None),
        };
        let beta = beta.unwrap_or(0.0);
        let likelihood = Likelihood::new(self.hidden, beta);
        let engine = match self.variances {
            Variances::Shared => Engine::Shared(self.solver.init(&shared_problem(data, likelihood))),
            Variances::Adaptive => Engine::Adaptive {
                state: from
                    .and_then(|found| found.adaptive_state.clone())
                    .unwrap_or_else(|| AdaptiveState::new(&data.rows, self.hidden)),
                limits,
                smallest: SmallestResidual::new(),
            },
        };
        SolveAtBeta { beta, likelihood, engine, sweeps: 0 }
    }

    /// Records the solution of a solve that ended, if it has `found` one, and chooses the next stage.
    fn end_solve(&mut self, found: Option<BetaSolution>, ending: Ending) {
        if let Some(found) = &found {
            self.record(found);
        }
        self.stage = match self.stage {
            _ if self.given.is_some() && self.best.is_some() => SearchStage::Done,
            SearchStage::Direct => {
                self.ending = Some(ending);
                // There is no ladder up to β = 0.
                let climbs = !self.is_brief && self.rung(1).is_some();
                if climbs { SearchStage::Climb(1, 0) } else { SearchStage::Done }
            }
            SearchStage::Climb(rung, _) if found.is_some() => {
                let pair = found.as_ref().zip(self.best.as_ref());
                let dropped = pair.is_some_and(|(f, best)| f.ln_evidence < best.ln_evidence - EVIDENCE_DROP);
                self.last = found;
                match self.rung(rung + 1) {
                    Some(_) if !dropped || self.given.is_some() => SearchStage::Climb(rung + 1, 0),
                    _ => self.stage_after_climb(),
                }
            }
            SearchStage::Climb(rung, attempt)
                if self.variances == Variances::Adaptive && attempt + 1 < CLIMB.len() =>
            {
                SearchStage::Climb(rung, attempt + 1)
            }
            SearchStage::Climb(rung, _) => {
                self.unsolved = self.rung(rung);
                self.stage_after_climb()
            }
            SearchStage::Refine(count)
                if count < MAX_REFINEMENTS && (found.is_some() || self.largest_at_last_solution()) =>
            {
                if found.is_none() {
                    self.unsolved = self.refined_beta();
                }
                self.refinement(count + 1)
            }
            SearchStage::Slow | SearchStage::Refine(_) | SearchStage::Done => SearchStage::Done,
        };
    }

    /// Adds a solution to the path, and makes it the best if it is.
    fn record(&mut self, found: &BetaSolution) {
        let at = self.path.partition_point(|(beta, _)| *beta < found.beta);
        self.path.insert(at, (found.beta, found.ln_evidence));
        let better = self.best.as_ref().is_none_or(|best| found.ln_evidence > best.ln_evidence);
        if self.given == Some(found.beta) || (self.given.is_none() && better) {
            self.best = Some(found.clone());
        }
    }

    fn stage_after_climb(&self) -> SearchStage {
        match (self.given, self.variances) {
            (Some(_), Variances::Adaptive) => SearchStage::Slow,
            (Some(_), Variances::Shared) => SearchStage::Done,
            (None, _) => self.refinement(0),
        }
    }

    fn refinement(&self, count: usize) -> SearchStage {
        if self.refined_beta().is_some() { SearchStage::Refine(count) } else { SearchStage::Done }
    }

    /// Returns the next β near the largest log evidence: the vertex of the parabola through it and its neighbours; next to the
    /// smallest β without a solution, the midpoint towards that. `None` when β is known to the resolution.
    fn refined_beta(&self) -> Option<f64> {
        let rounded = |beta: f64| (beta * BETA_RESOLUTION).round() / BETA_RESOLUTION;
        let midpoint = |near: f64, far: f64| {
            (far - near > MIN_GAP && far.is_finite()).then(|| rounded(0.5 * (near + far)))
        };
        let best = self.best.as_ref()?.beta;
        if self.largest_at_last_solution() {
            return midpoint(best, self.unsolved?);
        }
        let at = self.path.iter().position(|(beta, _)| *beta == best)?;
        let [(a, f_a), (b, f_b), (c, f_c)] = *self.path.get(at.checked_sub(1)?..at + 2)? else { return None };
        if c.is_infinite() {
            return None;
        }
        let (left, right) = ((b - a) * (f_b - f_c), (b - c) * (f_b - f_a));
        let vertex = rounded((b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right)).clamp(a, c));
        if vertex.is_finite() && ![a, b, c].contains(&vertex) {
            return Some(vertex);
        }
        // The vertex has been solved: bisects the wider side.
        if c - b > b - a { midpoint(b, c) } else { midpoint(a, b) }
    }
}
