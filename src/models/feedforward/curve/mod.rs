//! The learning curve: TAP solutions over many runs beside replica theory, and that theory alone.

mod experiment;
mod figures;
mod report;
mod run;
mod spec;

pub use spec::CurveSpec;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::math::stats::{Mean, means};

/// The learning curve: TAP solutions over many runs beside replica theory.
pub struct LearningCurve;

/// Replica theory alone, on a fine grid of α: the curve that follows the sliders.
pub struct TheoryCurve;

/// What a worker sends of a learning curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveSnapshot {
    /// Theory at the α done so far.
    pub theory: Vec<TheoryRow>,
    /// The finished runs.
    pub runs: Vec<Rc<RunRow>>,
}

/// What a worker sends of the theory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheorySnapshot {
    /// In order of α.
    pub rows: Vec<TheoryRow>,
}

/// Replica theory at one α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheoryRow {
    /// m/N.
    pub ratio: f64,
    /// Overlap.
    pub q: f64,
    /// Error of the Bayes prediction against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher.
    pub opt: f64,
    /// Training error; known for one branch.
    pub training: Option<f64>,
    /// `bayes` for N inputs instead of ∞: radial directions carry no information, which leaves m/(N−K) examples
    /// for each weight that matters.
    pub bayes_finite: Option<f64>,
    /// `bayes` in the limit K → ∞; only where K > 1.
    pub bayes_large: Option<f64>,
}

/// One teacher with its growing training set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Which run.
    pub run: usize,
    /// One an α, in the order of the specification.
    pub solves: Vec<Solve>,
}

/// One TAP solution, looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solve {
    /// Whether the equations were solved; if not, the numbers are not used.
    pub converged: bool,
    /// Error of the Bayes prediction, eq. (9), against the noiseless teacher.
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩ against the noiseless teacher, exact from its branches' angles.
    pub opt: f64,
    /// Training error of the Bayes prediction.
    pub train_bayes: f64,
    /// Training error of the committee with weights ⟨w⟩.
    pub train_opt: f64,
    /// Training error of the tilted posterior, each example's own factor included.
    pub train_tilted: f64,
    /// Leave-one-out estimate of the Bayes error on noisy labels, from the cavity fields.
    pub loo_bayes: f64,
    /// The same for the committee with weights ⟨w⟩.
    pub loo_opt: f64,
    /// ⟨w⟩ᵀC⟨w⟩/N.
    pub q: f64,
    /// ⟨w⟩ᵀC w₀/N with the teacher w₀.
    pub r: f64,
    /// Sweeps, over all attempts.
    pub sweeps: usize,
}

/// Means over the solves at one α: see [`Solve`].
#[derive(Clone, Copy)]
struct Means {
    bayes: Mean,
    opt: Mean,
    train_bayes: Mean,
    train_opt: Mean,
    train_tilted: Mean,
    loo_bayes: Mean,
    loo_opt: Mean,
    q: Mean,
    r: Mean,
}

impl CurveSnapshot {
    /// The solves at the α of index `i`, one a finished run.
    fn solves(&self, i: usize) -> impl Iterator<Item = &Solve> + Clone {
        self.runs.iter().filter_map(move |run| run.solves.get(i))
    }

    /// Whether most solves at the α of index `i` converged. The few that do where most fail are no fair sample.
    fn trusted(&self, i: usize) -> bool {
        2 * self.solves(i).filter(|s| s.converged).count() > self.solves(i).count()
    }

    /// Means over the converged solves at the α of index `i`; of nothing where most failed. All of them from two walks over the
    /// runs, of which there may be ten thousand: what is drawn while they come in asks once.
    fn means(&self, i: usize) -> Means {
        let trusted = self.trusted(i);
        let solves = self.solves(i).filter(|s| trusted && s.converged);
        let [bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r] =
            means(solves.map(|s| {
                [s.bayes, s.opt, s.train_bayes, s.train_opt, s.train_tilted, s.loo_bayes, s.loo_opt, s.q, s.r]
            }));
        Means { bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r }
    }
}
