//! The solver of `gp.evidence`: the approximations at each σ², then annealed chains.

use super::{ApproximateRow, ChainRow, EvidenceComparison, EvidenceSnapshot, EvidenceSpec};
use crate::lab::{Budget, Plan, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::gp::exact::evidence::EvidenceChains;
use crate::models::gp::play::{Method, PlayPoints};
use crate::models::gp::solver::approximation::Solve;

/// Maximum number of chains of a unit of work.
const CHAINS_PER_UNIT: usize = 16;
/// Streams of the chains of one σ².
const STREAMS: u64 = 10_000;
/// Typical number of Newton solves of all approximations at one σ².
const SOLVES: f64 = 40.0;

/// Work of the comparison.
pub struct EvidenceWork {
    spec: EvidenceSpec,
    unit: EvidenceUnit,
    done: EvidenceSnapshot,
}

/// The unit in progress.
enum EvidenceUnit {
    /// All approximations at one σ²: the row so far, the index of the method, and its solve.
    Approximate(ApproximateRow, usize, Option<Box<Solve>>, PlayPoints),
    Chains(usize, Box<EvidenceChains>),
    Done,
}

/// Returns the first chain of each unit of chains at one σ².
fn firsts(spec: &EvidenceSpec) -> impl Iterator<Item = usize> + use<> {
    (0..spec.chains).step_by(CHAINS_PER_UNIT)
}

/// Returns the plan, with costs in multiply–adds: a unit of approximations for each σ², then the chains.
pub fn plan(spec: &EvidenceSpec) -> Plan {
    let (values, m) = (spec.sigma2_grid.len(), spec.examples as f64);
    // A move changes about m signs.
    let chain = spec.steps as f64 * m * m * (m + 40.0);
    let units = values * firsts(spec).count();
    Plan::default()
        .and(values, SOLVES * m * m * m)
        .and(units, chain * CHAINS_PER_UNIT.min(spec.chains.max(1)) as f64)
}

impl EvidenceWork {
    /// Returns the work before its first unit.
    pub fn new(spec: &EvidenceSpec) -> Self {
        Self { spec: spec.clone(), unit: EvidenceUnit::Done, done: EvidenceSnapshot::default() }
    }

    /// Starts the solve of a method; `None` if it cannot be used.
    fn solving(&self, points: &PlayPoints, method: Method) -> Option<Box<Solve>> {
        let hyperparameters = points.hyperparameters.clone();
        let solve = || Solve::new(&points.rows, &points.tau, hyperparameters, method.approach());
        method.allows(self.spec.v).then(|| Box::new(solve()))
    }

    /// Starts the next approximation, or ends the unit with its row.
    fn next_method(&mut self, row: ApproximateRow, method: usize, points: PlayPoints) -> EvidenceUnit {
        let Some(next) = EvidenceComparison::METHODS.get(method) else {
            self.done.rows.push(row);
            return EvidenceUnit::Done;
        };
        let solving = self.solving(&points, *next);
        EvidenceUnit::Approximate(row, method, solving, points)
    }

    fn chains(&self, unit: usize) -> EvidenceUnit {
        let per_value = firsts(&self.spec).count();
        let (index, batch) = (unit / per_value, unit % per_value);
        let first = batch * CHAINS_PER_UNIT;
        let end = (first + CHAINS_PER_UNIT).min(self.spec.chains);
        let stream = |chain: usize| {
            let unit = STREAMS * index as u64 + chain as u64;
            Stream::for_purpose(self.spec.seed, Purpose::GpAnnealing, unit)
        };
        let problem = self.spec.points_at(index).problem();
        let chains = EvidenceChains::new(&problem, self.spec.steps, (first..end).map(stream).collect());
        chains.map_or(EvidenceUnit::Done, |chains| EvidenceUnit::Chains(index, Box::new(chains)))
    }
}

/// Returns the row of chains so far.
fn chain_row(index: usize, chains: &EvidenceChains) -> ChainRow {
    ChainRow { index, ln_weights: chains.ln_weights().to_vec(), stuck: chains.is_stuck() }
}

impl Work for EvidenceWork {
    type Snapshot = EvidenceSnapshot;

    fn begin(&mut self, unit: usize) {
        self.unit = match unit.checked_sub(self.spec.sigma2_grid.len()) {
            None => {
                let row = ApproximateRow { index: unit, ln_evidence: [None; 3] };
                self.next_method(row, 0, self.spec.points_at(unit))
            }
            Some(unit) => self.chains(unit),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        self.unit = match std::mem::replace(&mut self.unit, EvidenceUnit::Done) {
            EvidenceUnit::Approximate(mut row, method, Some(mut solving), points) => {
                budget.spend(solving.cost());
                match solving.advance() {
                    None => EvidenceUnit::Approximate(row, method, Some(solving), points),
                    Some(ending) => {
                        let posterior = solving.posterior().filter(|_| ending.is_solution());
                        row.ln_evidence[method] = posterior.map(|posterior| posterior.minus_g);
                        self.next_method(row, method + 1, points)
                    }
                }
            }
            EvidenceUnit::Approximate(row, method, None, points) => self.next_method(row, method + 1, points),
            EvidenceUnit::Chains(index, mut chains) => {
                if chains.step(budget) {
                    self.done.chains.push(chain_row(index, &chains));
                    EvidenceUnit::Done
                } else {
                    EvidenceUnit::Chains(index, chains)
                }
            }
            EvidenceUnit::Done => EvidenceUnit::Done,
        };
        matches!(self.unit, EvidenceUnit::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            EvidenceUnit::Approximate(_, method, ..) => {
                *method as f64 / EvidenceComparison::METHODS.len() as f64
            }
            EvidenceUnit::Chains(_, chains) => chains.fraction(),
            EvidenceUnit::Done => 0.0,
        }
    }

    fn note(&self) -> String {
        let at = |index: usize| format!("σ² = {}", self.spec.sigma2_grid[index]);
        match &self.unit {
            EvidenceUnit::Approximate(row, ..) => format!("{}, approximations", at(row.index)),
            EvidenceUnit::Chains(index, _) => format!("{}, annealed chains", at(*index)),
            EvidenceUnit::Done => "log evidence".to_owned(),
        }
    }

    fn snapshot(&self) -> EvidenceSnapshot {
        let mut all = self.done.clone();
        if let EvidenceUnit::Chains(index, chains) = &self.unit {
            all.chains.push(chain_row(*index, chains));
        }
        all
    }
}
