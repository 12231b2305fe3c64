//! The number of different TAP solutions from random starts and the stability of each, for a teacher unlike the learner.

mod figures;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{SolutionsSpec, SolutionsTeacher};

use serde::{Deserialize, Serialize};

use crate::math::stats::{Mean, mean};
use crate::models::feedforward::theory::stability::ReplicaStability;

/// The task: solutions of a perceptron against α.
pub struct SolutionCount;

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolutionsSnapshot {
    /// One row for each training set of which a start has ended.
    pub rows: Vec<SetRow>,
    /// Replica theory at each α, with its index; none where there is none for the teacher, or no solution.
    pub theory: Vec<(usize, ReplicaStability)>,
}

/// Solutions of one training set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetRow {
    /// Index of α in the specification.
    pub index: usize,
    /// Number of starts that have ended.
    pub starts: usize,
    /// Different solutions.
    pub solutions: Vec<FoundSolution>,
}

/// A solution of the TAP equations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundSolution {
    /// Number of starts that led to it.
    pub starts: usize,
    /// Overlap q of ⟨w⟩ with itself.
    pub q: f64,
    /// Log evidence.
    pub ln_evidence: f64,
    /// Smallest eigenvalue of the Hessian.
    pub smallest: f64,
    /// Margin of the de Almeida–Thouless condition.
    pub margin: f64,
}

/// Results at one α.
#[derive(Clone, Copy, Debug)]
pub struct AlphaSummary {
    /// m/N.
    pub alpha: f64,
    /// Number of training sets of which a start has ended.
    pub sets: usize,
    /// Number of training sets with each outcome, in the order of [`SetOutcome::ALL`].
    pub outcomes: [usize; 4],
    /// Number of different solutions of a training set.
    pub different: Mean,
    /// The same over the training sets of which a start has found one.
    pub where_found: Mean,
    /// Fraction of the starts of a training set that led to a solution.
    pub solved: Mean,
    /// Smallest eigenvalue over the solutions of a training set.
    pub smallest: Mean,
    /// Margin of the de Almeida–Thouless condition, averaged over the solutions of a training set.
    pub margin: Mean,
    /// Replica theory; `None` where there is none for the teacher, or no solution.
    pub theory: Option<ReplicaStability>,
}

/// Outcome of the starts of one training set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOutcome {
    /// Every start finds the same solution.
    Every,
    /// Some starts find one, and all of these the same.
    Some,
    /// Starts find different solutions.
    Several,
    /// No start finds one.
    Nowhere,
}

impl SetOutcome {
    /// All outcomes, from the lowest bar to the highest.
    pub const ALL: [Self; 4] = [Self::Every, Self::Some, Self::Several, Self::Nowhere];

    /// Returns the stable name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Every => "every",
            Self::Some => "some",
            Self::Several => "several",
            Self::Nowhere => "none",
        }
    }

    /// Returns the name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Every => "one solution, from every start",
            Self::Some => "one solution, from some starts",
            Self::Several => "several solutions",
            Self::Nowhere => "no start converges",
        }
    }
}

impl AlphaSummary {
    /// Returns the share of the training sets with this outcome; NaN without training sets.
    pub fn share(&self, outcome: SetOutcome) -> f64 {
        self.outcomes[outcome as usize] as f64 / self.sets as f64
    }

    /// Returns the numbers of training sets up to this outcome, without it and with it.
    pub fn stacked(&self, outcome: SetOutcome) -> [usize; 2] {
        let end = outcome as usize;
        [end, end + 1].map(|end| self.outcomes[..end].iter().sum())
    }
}

impl SetRow {
    /// Returns the outcome of the starts that have ended.
    pub fn outcome(&self) -> SetOutcome {
        match self.solutions.len() {
            0 => SetOutcome::Nowhere,
            1 if self.solved() == self.starts => SetOutcome::Every,
            1 => SetOutcome::Some,
            _ => SetOutcome::Several,
        }
    }

    /// Returns the number of starts that led to a solution.
    pub fn solved(&self) -> usize {
        self.solutions.iter().map(|solution| solution.starts).sum()
    }
}

impl SolutionsSnapshot {
    /// Returns true if all starts have ended.
    pub fn is_complete(&self, spec: &SolutionsSpec) -> bool {
        let ended: usize = self.rows.iter().map(|row| row.starts).sum();
        ended == spec.alphas.len() * spec.sets * spec.starts
    }

    /// Returns the results at each α at which there is a training set or a theory, in increasing order.
    pub fn summaries(&self, spec: &SolutionsSpec) -> Vec<AlphaSummary> {
        let at = |index: usize| {
            let rows = || self.rows.iter().filter(move |row| row.index == index && row.starts > 0);
            let solved = || rows().filter(|row| !row.solutions.is_empty());
            let least = |row: &SetRow| row.solutions.iter().fold(f64::INFINITY, |l, s| l.min(s.smallest));
            let margin = |row: &SetRow| mean(row.solutions.iter().map(|solution| solution.margin)).mean;
            let theory = self.theory.iter().find(|(at, _)| *at == index).map(|(_, theory)| *theory);
            let sets = rows().count();
            if sets == 0 && theory.is_none() {
                return None;
            }
            let count = |outcome: SetOutcome| rows().filter(|row| row.outcome() == outcome).count();
            Some(AlphaSummary {
                alpha: spec.ratio(index),
                sets,
                outcomes: SetOutcome::ALL.map(count),
                different: mean(rows().map(|row| row.solutions.len() as f64)),
                where_found: mean(solved().map(|row| row.solutions.len() as f64)),
                solved: mean(rows().map(|row| row.solved() as f64 / row.starts as f64)),
                smallest: mean(solved().map(least)),
                margin: mean(solved().map(margin)),
                theory,
            })
        };
        let mut all: Vec<AlphaSummary> = (0..spec.alphas.len()).filter_map(at).collect();
        all.sort_by(|a, b| a.alpha.total_cmp(&b.alpha));
        all
    }
}
