//! Figures of a regression on a table.

mod predictions;
mod scores;
mod search;

use super::evaluation::Evaluation;
use super::{ProcessRegressionSnapshot, ProcessRegressionSpec};
use crate::figure::Figure;
use crate::lab::labelled_table::numeric::NumericSummary;
use crate::lab::labelled_table::{NoEffects, TWO_DEVIATIONS, dependence_figures, effects_figure};
use crate::models::gp::weights::weights_figure;

/// Returns the figure of the weights: the fitted ones, even if others are kept.
fn weights(snapshot: &ProcessRegressionSnapshot, table: &NumericSummary) -> Figure {
    let fitted = snapshot.fitted.as_deref().filter(|fitted| fitted.solution.is_some());
    let model = fitted.or_else(|| snapshot.shown().map(|(model, _)| model));
    let mut figure = weights_figure(&table.names, model.map(|model| model.values.weights.as_slice()));
    figure.caption += &snapshot.held_out.on_unused_relevances();
    figure
}

/// Returns all figures; without a solution only their axes.
pub fn all(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> Vec<Figure> {
    let evaluation = Evaluation::of(spec, snapshot);
    let mut figures = vec![predictions::predictions(snapshot, evaluation.as_ref())];
    let Some(table) = &snapshot.table else { return figures };
    if !table.unlabelled.is_empty() || !table.second.is_empty() {
        figures.push(predictions::new_rows(snapshot, table));
    }
    figures.push(predictions::intervals(table, evaluation.as_ref()));
    figures.push(scores::errors(spec, snapshot, table));
    figures.push(scores::calibration(snapshot, evaluation.as_ref()));
    let held_out = table.tests.len() + spec.planned_folds();
    let missing = NoEffects::of(held_out, table.names.len());
    let loss = format!("squared error{}", table.unit_words());
    figures.push(effects_figure(&snapshot.effects(), &loss, missing));
    let shown = snapshot.shown();
    let dependence = shown.map(|(_, solution)| solution.dependence.as_slice()).unwrap_or_default();
    let predicted = format!("predicted {}", table.label);
    figures.extend(dependence_figures(dependence, &predicted, TWO_DEVIATIONS));
    if spec.is_fitted() && spec.fit_ard || !spec.ard.is_empty() {
        figures.push(weights(snapshot, table));
    }
    if spec.is_fitted() {
        figures.push(search::search(spec, snapshot));
    }
    figures
}
