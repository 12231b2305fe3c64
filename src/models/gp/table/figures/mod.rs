//! Figures: predictions by row, their scores, and how the solution was found.

mod exact;
mod multiclass;
mod predictions;
mod search;
pub(super) mod table1;

use super::dependence::BAND;
use super::{ClassifierSnapshot, TableSnapshot, TableSpec};
use crate::figure::{Figure, Hue};
use crate::lab::labelled_table::{
    ClassifiedTable, NO_SOLUTION_YET, dependence_figures, effects_figure, explain_no_effects,
};
use crate::models::gp::weights::weights_figure;

/// Colour of class +1, as in the playground.
const PLUS: Hue = Hue::Orange;
/// Colour of class −1.
const MINUS: Hue = Hue::Blue;

/// Returns the figures that the settings request; without a solution only their axes.
pub fn figures(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let mut figures = if snapshot.classes.is_empty() {
        two_classes(spec, snapshot)
    } else {
        multiclass::figures(spec, snapshot)
    };
    if let Some(missing) = snapshot.no_effects() {
        explain_no_effects(&mut figures, missing);
    }
    if let Some((first, not_tuned)) = figures.first_mut().zip(snapshot.not_tuned()) {
        first.caption += " ";
        first.caption += &not_tuned;
    }
    figures
}

/// Returns the figures of two classes.
fn two_classes(spec: &TableSpec, snapshot: &TableSnapshot) -> Vec<Figure> {
    let classifier = &snapshot.classifier;
    let classified = classifier.classified(spec, &snapshot.folds);
    let mut figures = vec![predictions::predictions(spec, classifier, &snapshot.folds, classified.as_ref())];
    if let Some(second) = &spec.predict {
        figures.push(predictions::second_file(&second.name, classified.as_ref()));
    }
    if let Some((main, printed)) =
        classifier.shown().and_then(|main| Some((main, table1::printed(spec, &main.table)?)))
    {
        figures.push(table1::table1(classifier, main, printed));
    }
    figures.extend(ClassifiedTable::figures(classified.as_ref()));
    figures.extend(effects(spec, snapshot));
    if let Some((main, curves)) = classifier.shown().zip(snapshot.dependence.first()) {
        let probability = format!("probability of {} = {}", main.table.label, main.table.classes[1]);
        figures.extend(unchanged(spec, dependence_figures(curves, &probability, BAND)));
    }
    if spec.exact_loo {
        let mut exact = exact::exact(classifier);
        exact.caption += spec.class_weights.on_unchanged();
        figures.push(exact);
    }
    if spec.fit_ard && spec.is_tuned() || !spec.ard.is_empty() {
        figures.push(relevances(classifier));
    }
    if !spec.sigma2_grid.is_empty() {
        let mut errors = search::errors(spec, classifier);
        errors.caption += spec.class_weights.on_unchanged();
        figures.extend([search::evidence(spec, classifier), errors]);
    }
    if spec.is_tuned() {
        figures.push(search::fit(spec, classifier));
    }
    figures.push(search::residuals(spec, classifier));
    if classifier.shown().is_some_and(|main| main.solve.ending.is_some() && main.solution.is_none()) {
        // After a failure the residuals come first, without the figures of the missing solution.
        figures.rotate_right(1);
        figures.retain(|figure| figure.caption != NO_SOLUTION_YET);
    }
    figures
}

/// Returns the figure of the effects, once they are measured.
fn effects(spec: &TableSpec, snapshot: &TableSnapshot) -> Option<Figure> {
    let effects = snapshot.effects();
    let figure = (!effects.is_empty()).then(|| effects_figure(&effects, "log loss in nats", None))?;
    unchanged(spec, vec![figure]).pop()
}

/// Returns figures that do not depend on class weights, with a remark on them.
fn unchanged(spec: &TableSpec, mut figures: Vec<Figure>) -> Vec<Figure> {
    for figure in &mut figures {
        figure.caption += spec.class_weights.on_unchanged();
    }
    figures
}

/// Returns the figure of the relevances: the fitted ones, even if others are kept.
fn relevances(classifier: &ClassifierSnapshot) -> Figure {
    let fitted = classifier.fitted.as_ref().and_then(|fitted| Some((fitted, fitted.solution.as_ref()?)));
    let solved = fitted.or_else(|| classifier.solved());
    let names = solved.map_or(&[][..], |(main, _)| &main.table.names);
    let mut figure = weights_figure(names, solved.map(|(_, solution)| solution.weights.as_slice()));
    if fitted.is_some() {
        figure.caption += &classifier.comparison.on_unused_relevances();
    }
    figure
}

/// Returns `8 of 104 (7.7 %)`.
fn share(part: usize, all: usize) -> String {
    format!("{part} of {all} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
}
