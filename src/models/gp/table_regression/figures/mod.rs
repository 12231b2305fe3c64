//! Figures of a regression on a table.

mod predictions;
mod scores;
mod search;

use super::evaluation::Evaluation;
use super::{ProcessRegressionSnapshot, ProcessRegressionSpec};
use crate::figure::Figure;
use crate::lab::labelled_table::{dependence_figures, effects_figure};
use crate::models::gp::weights::weights_figure;

/// Returns all figures; without a solution only their axes.
pub fn all(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Vec<Figure> {
    let evaluation = Evaluation::of(spec, snapshot);
    let mut figures = vec![predictions::predictions(spec, snapshot, evaluation.as_ref())];
    let Some(table) = &snapshot.table else { return figures };
    if !table.unlabelled.is_empty() || !table.second.is_empty() {
        figures.push(predictions::new_rows(snapshot, table));
    }
    figures.push(predictions::intervals(table, evaluation.as_ref()));
    figures.push(scores::errors(spec, snapshot, table));
    figures.push(scores::calibration(snapshot, evaluation.as_ref()));
    figures.push(effects_figure(&snapshot.effects(), &format!("squared error{}", table.unit_words())));
    let shown = snapshot.shown();
    let dependence = shown.map(|(_, solution)| solution.dependence.as_slice()).unwrap_or_default();
    figures.extend(dependence_figures(dependence, &table.label));
    if spec.is_fitted() && spec.fit_ard || !spec.ard.is_empty() {
        let weights = shown.map(|(model, _)| model.values.weights.as_slice());
        figures.push(weights_figure(&table.names, weights));
    }
    if spec.is_fitted() {
        figures.push(search::search(spec, snapshot));
    }
    figures
}
