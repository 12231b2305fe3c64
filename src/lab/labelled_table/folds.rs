//! Cross-validation of the training rows. `mlp.data` repeats random splits instead.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{FoldLosses, Kept, PriorShift};
use crate::data::folds::stratified;
use crate::math::scores::log_loss;

/// One fold of cross-validation, with the hyperparameters `H` of the fit to the other folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold<H> {
    /// Held-out rows, as indices among the training rows.
    pub rows: Vec<usize>,
    /// Their probabilities of +1; `None` if the fit has no solution.
    pub p: Option<Vec<f64>>,
    /// Hyperparameters of the fit.
    pub hyper: H,
    /// Probabilities of +1 at the given settings, if settings are fitted and the given ones have a solution.
    pub before_fit: Option<Vec<f64>>,
    /// Probabilities of +1 at fitted settings with one length scale, if relevances are fitted.
    pub one_length_scale: Option<Vec<f64>>,
}

impl<H> Fold<H> {
    /// Returns the probabilities of +1 at these settings.
    pub fn of(&self, kept: Kept) -> Option<&Vec<f64>> {
        match kept {
            Kept::Given => self.before_fit.as_ref(),
            Kept::OneLengthScale => self.one_length_scale.as_ref(),
            Kept::Fitted => self.p.as_ref(),
        }
    }

    /// Returns the log losses of the held-out rows; `labels` are those of all training rows, ±1.
    pub fn losses(&self, labels: &[f64]) -> FoldLosses {
        [Kept::Given, Kept::OneLengthScale, Kept::Fitted].map(|kept| {
            let rows = self.rows.iter().zip(self.of(kept)?);
            Some(rows.map(|(row, p)| log_loss(*p, labels[*row] > 0.0)).collect())
        })
    }
}

/// Default number of folds if leave-one-out is too optimistic.
const DEFAULT_FOLDS: usize = 5;

/// Returns the requested number of folds or, if that is 0 and leave-one-out is too optimistic, the default.
pub fn planned_folds(requested: usize, is_optimistic: bool) -> usize {
    if requested == 0 && is_optimistic { DEFAULT_FOLDS } else { requested }
}

/// Returns the training rows, in ascending order, that fold number `fold` of `folds` holds out. `labels` are ±1 or class numbers;
/// rows of a group are held out together.
pub fn held_out_rows(labels: &[f64], groups: &[usize], folds: usize, seed: u64, fold: usize) -> Vec<usize> {
    let fold_of = stratified(labels, groups, folds, seed);
    (0..fold_of.len()).filter(|row| fold_of[*row] == fold).collect()
}

/// Returns the cross-validated probability of +1 of each of `rows` training rows at these settings, NaN where there is none; `None` if no
/// fold has a solution.
pub fn cross_validated<H>(folds: &[Fold<H>], kept: Kept, rows: usize) -> Option<Vec<f64>> {
    let mut p = vec![f64::NAN; rows];
    for fold in folds {
        let predicted = fold.of(kept).into_iter().flatten();
        fold.rows.iter().zip(predicted).for_each(|(row, predicted)| p[*row] = *predicted);
    }
    p.iter().any(|p| p.is_finite()).then_some(p)
}

/// Returns the report of the folds: the lines of their rows in the file (`None`: null), the settings that are kept with the probabilities
/// at them, after the `shift` by class weights, and the entries of `hyper` if the fitted settings are kept.
pub fn report_folds<H>(
    folds: &[Fold<H>],
    kept: Kept,
    lines: Option<&[usize]>,
    shift: &PriorShift,
    hyper: impl Fn(&H) -> Value,
) -> Value {
    let fold = |fold: &Fold<H>| {
        let mut report = if kept == Kept::Fitted { hyper(&fold.hyper) } else { json!({}) };
        report["settings"] = json!(kept.word());
        report["rows"] =
            json!(lines.map(|lines| fold.rows.iter().map(|row| lines[*row]).collect::<Vec<_>>()));
        let shifted = |p: &Vec<f64>| p.iter().map(|p| shift.of_event(*p)).collect::<Vec<_>>();
        report["p"] = json!(fold.of(kept).map(shifted));
        report
    };
    folds.iter().map(fold).collect()
}
