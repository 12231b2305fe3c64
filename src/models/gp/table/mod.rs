//! One's own data: a Gaussian process that classifies the rows of a table, with a leave-one-out prediction of
//! each.

mod experiment;
mod figures;
mod fitting;
mod folds;
mod records;
mod report;
mod rows;
mod run;
mod several;
mod spec;
mod status;
mod table1;
#[cfg(test)]
mod tests;
mod units;
mod within;

pub use crate::models::gp::solver::prediction::Prediction;
pub use several::AgainstOthers;
pub use spec::{FitBy, OwnSpec};

use serde::{Deserialize, Serialize};

use crate::data::TableSummary;
use crate::lab::{Baseline, Ending, Raw, Residuals, raw_of};

/// A Gaussian-process classifier on the user's table.
pub struct OwnData;

crate::choice! {
    /// How the posterior is approximated.
    pub enum Method {
        /// By the double loop.
        Tap = "tap" "TAP",
        Naive = "naive" "naive mean field",
        Laplace = "laplace" "Laplace",
        /// TAP, all examples at once and damped.
        Parallel = "parallel" "TAP by a parallel iteration",
        /// TAP, one example after the other.
        Sequential = "sequential" "TAP by a sequential iteration",
    }
}

/// What a worker sends of it: the solution, and rows of the fit, of the scan and of retraining, in the order of the units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnSnapshot {
    /// One for each start of the fit.
    pub searches: Vec<Search>,
    /// The classifier with the settings that are given, or fitted.
    pub main: Option<Main>,
    /// One for each value of σ² in the grid.
    pub scan: Vec<Attempt>,
    /// One a training row that was left out by training anew.
    pub retrained: Vec<Retrained>,
    /// What it is compared with.
    pub baseline: Option<Baseline>,
    /// One a fold of cross-validation.
    pub folds: Vec<Fold>,
    /// One for each class, where there are more than two; then nothing else is set.
    pub classes: Vec<AgainstOthers>,
}

/// The classifier, as far as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Main {
    /// The rows that it learns from and predicts.
    pub table: TableSummary,
    /// How far from a solution it was after each step.
    pub residuals: Residuals,
    /// The last solve.
    pub attempt: Attempt,
    /// What it says, where there is a solution.
    pub solved: Option<Solved>,
}

/// The search of a fit from one start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// From which start, from 0.
    pub start: usize,
    /// Every evaluation, in their order.
    pub evaluations: Vec<Evaluation>,
    /// How it ended; `None` while it goes on.
    pub end: Option<SearchEnd>,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchEnd {
    /// In words.
    pub words: String,
    /// Whether it found nothing that can be relied on.
    pub failed: bool,
    /// Where, unless it never began.
    pub place: Option<Place>,
}

/// Where a search ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// What the fit makes large; −∞ where there is no solution when begun from nothing.
    pub value: f64,
    /// σ², v, κ and the weights of the inputs, N.
    pub sigma2: f64,
    /// See `sigma2`.
    pub v: f64,
    /// See `sigma2`.
    pub kappa: f64,
    /// See `sigma2`.
    pub weights: Vec<f64>,
}

/// One value of what a fit makes large.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Log evidence, or log probability of the labels left out; `None` where there was no solution.
    pub value: Option<f64>,
    /// σ², v and κ there.
    pub sigma2: f64,
    /// See `sigma2`.
    pub v: f64,
    /// See `sigma2`.
    pub kappa: f64,
}

/// One solve and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// With which settings.
    pub sigma2: f64,
    /// See `sigma2`.
    pub kappa: f64,
    /// See `sigma2`.
    pub v: f64,
    /// How it ended; `None` while it goes on.
    pub ending: Option<Ending>,
    /// Updates of λ, or sweeps of an iteration.
    pub outer_iterations: usize,
    /// Newton solves.
    pub newton_solves: usize,
    /// How far from a solution it ended.
    pub residual: f64,
    /// What the solution is worth, where there is one.
    pub scores: Option<Scores>,
}

/// What a solution is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// −G of eq. (10) or (11), or Laplace's log evidence.
    pub minus_g: f64,
    /// The log evidence, where that is one: not in the naive theory.
    pub ln_evidence: Option<f64>,
    /// Σ ln p(label | others), by the fields of rows left out.
    pub ln_loo: f64,
    /// Rows whose label the others would get wrong.
    pub loo_errors: usize,
    /// Training rows that are got wrong after all were learnt.
    pub train_errors: usize,
    /// Test rows that are got wrong.
    pub test_errors: usize,
}

/// What a solution says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solved {
    /// Weights `w_i` of the inputs, N.
    pub weights: Vec<f64>,
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Of each training row had it not been seen, m.
    pub left_out: Vec<Prediction>,
    /// Of each test row, in their order.
    pub test: Vec<Prediction>,
    /// Of each row without a label.
    pub asked: Vec<Prediction>,
    /// Of each row of the second file.
    pub second: Vec<Prediction>,
}

/// A training row that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retrained {
    /// Index among the training rows.
    pub row: usize,
    /// What the others say; `None` where they had no solution.
    pub prediction: Option<Prediction>,
}

/// A fold of cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// Indices among the training rows of those held out.
    pub rows: Vec<usize>,
    /// What the others say of them; `None` where they had no solution.
    pub predictions: Option<Vec<Prediction>>,
    /// The settings, fitted to the others where settings are fitted.
    pub sigma2: f64,
    /// See `sigma2`.
    pub v: f64,
    /// See `sigma2`.
    pub kappa: f64,
}

impl Method {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tap | Self::Parallel | Self::Sequential => "TAP",
            Self::Naive => "naive mean field",
            Self::Laplace => "Laplace's approximation",
        }
    }

    /// The same at the beginning of a sentence.
    fn title(self) -> String {
        let name = self.name();
        name[..1].to_ascii_uppercase() + &name[1..]
    }
}

impl OwnSnapshot {
    /// The best of the searches that have ended.
    fn best_search(&self) -> Option<&SearchEnd> {
        let value = |end: &SearchEnd| end.place.as_ref().map_or(f64::NEG_INFINITY, |place| place.value);
        let ends = self.searches.iter().filter_map(|search| search.end.as_ref());
        ends.reduce(|a, b| if value(b) > value(a) { b } else { a })
    }

    /// The fitted settings, or the best found so far, as settings of a run without a fit.
    fn found(&self, spec: &OwnSpec) -> Raw {
        let fields = &OwnSpec::FIELDS;
        let Some((place, weights)) = self.reached(spec) else { return Raw::new() };
        let Evaluation { sigma2, v, kappa, .. } = place;
        let mut found = raw_of([
            (fields.fit.key, FitBy::Nothing.word().to_owned()),
            (fields.sigma2.key, sigma2.to_string()),
            (fields.v.key, v.to_string()),
            (fields.kappa.key, kappa.to_string()),
        ]);
        if spec.fit_ard {
            let relevance = |w: &f64| (w * sigma2 * weights.len() as f64).to_string();
            let relevances: Vec<String> = weights.iter().map(relevance).collect();
            found.insert(fields.ard.key.to_owned(), relevances.join(","));
        }
        found
    }

    /// What the fit has come to, and the weights of the inputs there: the solution, or the best place so far. Where relevances
    /// are fitted that is where a start has ended: the weights of each evaluation are not kept.
    fn reached(&self, spec: &OwnSpec) -> Option<(Evaluation, &[f64])> {
        if spec.fit == FitBy::Nothing {
            return None;
        }
        if let Some(Main {
            attempt: Attempt { sigma2, v, kappa, scores: Some(scores), .. },
            solved: Some(solved),
            ..
        }) = &self.main
        {
            let value = Some(if spec.fit == FitBy::Evidence { scores.minus_g } else { scores.ln_loo });
            return Some((Evaluation { value, sigma2: *sigma2, v: *v, kappa: *kappa }, &solved.weights));
        }
        if spec.fit_ard {
            let Place { value, sigma2, v, kappa, weights } = self.best_search()?.place.as_ref()?;
            let place = Evaluation { value: Some(*value), sigma2: *sigma2, v: *v, kappa: *kappa };
            return value.is_finite().then_some((place, weights));
        }
        let value = |e: &Evaluation| e.value.unwrap_or(f64::NEG_INFINITY);
        let all = self.evaluations().map(|(_, evaluation)| evaluation).filter(|e| e.value.is_some());
        all.max_by(|a, b| value(a).total_cmp(&value(b))).map(|best| (best, &[][..]))
    }

    /// Every evaluation of the fit, with its start.
    fn evaluations(&self) -> impl Iterator<Item = (usize, Evaluation)> {
        self.searches.iter().flat_map(|search| search.evaluations.iter().map(|e| (search.start, *e)))
    }

    /// Of each training row the probability of +1 by cross-validation, NaN where there is none; nothing before any fold is done.
    pub fn cross_validated(&self) -> Option<Vec<f64>> {
        let mut p = vec![f64::NAN; self.main.as_ref()?.table.labels.len()];
        for fold in &self.folds {
            let predictions = fold.predictions.iter().flatten();
            fold.rows.iter().zip(predictions).for_each(|(row, said)| p[*row] = said.p);
        }
        p.iter().any(|p| p.is_finite()).then_some(p)
    }

    /// Training rows and errors of retraining so far; `None` if there was none.
    pub fn exact_errors(&self) -> Option<(usize, usize)> {
        let labels = &self.main.as_ref()?.table.labels;
        let known = || self.retrained.iter().filter_map(|r| Some((r.prediction?, labels.get(r.row)?)));
        let wrong = known().filter(|(prediction, tau)| prediction.misses(**tau)).count();
        Some((known().count(), wrong)).filter(|(known, _)| *known > 0)
    }
}
