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
    /// Number of different solutions of a training set.
    pub different: Mean,
    /// Fraction of the starts of a training set that led to a solution.
    pub solved: Mean,
    /// Smallest eigenvalue over the solutions of a training set.
    pub smallest: Mean,
    /// Margin of the de Almeida–Thouless condition, averaged over the solutions of a training set.
    pub margin: Mean,
    /// Replica theory; `None` where there is none for the teacher, or no solution.
    pub theory: Option<ReplicaStability>,
}

impl SetRow {
    /// Returns the number of starts that led to a solution.
    pub fn solved(&self) -> usize {
        self.solutions.iter().map(|solution| solution.starts).sum()
    }
}

impl SolutionsSnapshot {
    /// Returns the results at each α at which there are any, in increasing order.
    pub fn summaries(&self, spec: &SolutionsSpec) -> Vec<AlphaSummary> {
        let at = |index: usize| {
            let rows = || self.rows.iter().filter(move |row| row.index == index && row.starts > 0);
            let solved = || rows().filter(|row| !row.solutions.is_empty());
            let least = |row: &SetRow| row.solutions.iter().fold(f64::INFINITY, |l, s| l.min(s.smallest));
            let margin = |row: &SetRow| mean(row.solutions.iter().map(|solution| solution.margin)).mean;
            rows().next()?;
            Some(AlphaSummary {
                alpha: spec.ratio(index),
                different: mean(rows().map(|row| row.solutions.len() as f64)),
                solved: mean(rows().map(|row| row.solved() as f64 / row.starts as f64)),
                smallest: mean(solved().map(least)),
                margin: mean(solved().map(margin)),
                theory: self.theory.iter().find(|(at, _)| *at == index).map(|(_, theory)| *theory),
            })
        };
        let mut all: Vec<AlphaSummary> = (0..spec.alphas.len()).filter_map(at).collect();
        all.sort_by(|a, b| a.alpha.total_cmp(&b.alpha));
        all
    }
}
