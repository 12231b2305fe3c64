//! The learning curve: TAP solutions over many runs and replica theory, and that theory alone.

mod figures;
mod own;
mod report;
mod spec;
mod task;
#[cfg(test)]
mod tests;
mod texts;
mod work;

pub use spec::CurveSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::math::stats::{Mean, mean, means};

/// The learning curve: TAP solutions over many runs, and replica theory.
pub struct LearningCurve;

/// Replica theory alone on a fine grid of α, the live companion of [`LearningCurve`].
pub struct TheoryCurve;

/// Partial results of a learning curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveSnapshot {
    /// Theory at the α computed so far.
    pub theory: Vec<TheoryRow>,
    /// Finished runs.
    pub runs: Vec<Rc<RunRow>>,
}

/// Partial results of the theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheorySnapshot {
    /// Rows in order of α.
    pub rows: Vec<TheoryRow>,
}

/// Replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheoryRow {
    /// m/N.
    pub ratio: f64,
    /// Overlap q = R.
    pub q: f64,
    /// Error of the Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Training error; only for K = 1.
    pub training: Option<f64>,
    /// `bayes` at m/(N−K) instead of m/N, a correction for finite N: radial directions carry no information.
    pub bayes_finite: Option<f64>,
    /// `bayes` in the limit K → ∞; only where K > 1.
    pub bayes_large: Option<f64>,
}

/// One teacher with its growing training set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Number of the run.
    pub run: usize,
    /// One solve for each α, in the order of the specification.
    pub solves: Vec<SolveSummary>,
}

/// Errors and overlaps of one TAP solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolveSummary {
    /// True if the solve converged; otherwise only `sweeps` is meaningful.
    pub converged: bool,
    /// Error of the Bayes prediction, OW96 eq. (9), against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Training error of the Bayes prediction.
    pub train_bayes: f64,
    /// Training error of the committee with weights ⟨w⟩.
    pub train_opt: f64,
    /// Training error of the tilted distributions (cavity distribution times the factor of the example).
    pub train_tilted: f64,
    /// Leave-one-out estimate of the Bayes error on noisy labels, from the cavity fields.
    pub loo_bayes: f64,
    /// Leave-one-out estimate for the committee with weights ⟨w⟩.
    pub loo_opt: f64,
    /// ⟨w⟩ᵀC⟨w⟩/N.
    pub q: f64,
    /// ⟨w⟩ᵀC w₀/N with the teacher w₀.
    pub r: f64,
    /// Sweeps, over all schedules.
    pub sweeps: usize,
    /// The same training set with a cavity variance for each example; `None` if that was not asked for or has no solution.
    pub own: Option<OwnSummary>,
}

/// Errors of a solution with a cavity variance for each example.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnSummary {
    /// Error of its Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Its leave-one-out estimate of that error on noisy labels.
    pub loo_bayes: f64,
}

/// Means over the converged solves at one α; see [`SolveSummary`].
#[derive(Clone, Copy)]
struct CurveMeans {
    bayes: Mean,
    opt: Mean,
    train_bayes: Mean,
    train_opt: Mean,
    train_tilted: Mean,
    loo_bayes: Mean,
    loo_opt: Mean,
    q: Mean,
    r: Mean,
    /// With a cavity variance for each example; without values unless asked for.
    own_bayes: Mean,
    own_loo: Mean,
}

impl CurveSnapshot {
    /// Iterates over the solves at the α of index `i`, one per finished run.
    fn solves(&self, i: usize) -> impl Iterator<Item = &SolveSummary> + Clone {
        self.runs.iter().filter_map(move |run| run.solves.get(i))
    }

    /// Returns true if most solves at the α of index `i` converged; otherwise those that did are a biased sample.
    fn mostly_converged(&self, i: usize) -> bool {
        2 * self.solves(i).filter(|s| s.converged).count() > self.solves(i).count()
    }

    /// Returns the means over the converged solves at the α of index `i`; NaN if most solves failed. [`means`] takes two passes over
    /// the runs for all of them, since there may be ten thousand.
    fn means(&self, i: usize) -> CurveMeans {
        let included = self.mostly_converged(i);
        let solves = self.solves(i).filter(|s| included && s.converged);
        let [bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r] =
            means(solves.clone().map(|s| {
                [s.bayes, s.opt, s.train_bayes, s.train_opt, s.train_tilted, s.loo_bayes, s.loo_opt, s.q, s.r]
            }));
        let [own_bayes, own_loo] = means(solves.filter_map(|s| s.own).map(|own| [own.bayes, own.loo_bayes]));
        CurveMeans {
            bayes,
            opt,
            train_bayes,
            train_opt,
            train_tilted,
            loo_bayes,
            loo_opt,
            q,
            r,
            own_bayes,
            own_loo,
        }
    }

    /// Returns the means of two paired differences at the α of index `i`: leave-one-out less the test error on noisy labels, and the
    /// error of ⟨w⟩ less that of the Bayes prediction. Both numbers of a pair share teacher and training set, so that the standard
    /// error of their difference is not that of either.
    fn paired(&self, spec: &CurveSpec, i: usize) -> [Mean; 2] {
        let included = self.mostly_converged(i);
        let solves = self.solves(i).filter(|s| included && s.converged);
        means(solves.map(|s| [s.loo_bayes - spec.noisy(s.bayes), s.opt - s.bayes]))
    }

    /// Returns the mean of leave-one-out less the test error on noisy labels, both with a cavity variance for each example.
    fn own_bias(&self, spec: &CurveSpec, i: usize) -> Mean {
        mean(self.solves(i).filter_map(|s| s.own).map(|own| own.loo_bayes - spec.noisy(own.bayes)))
    }
}
