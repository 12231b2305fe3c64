//! What the predictions are worth: scores beside those of a baseline, the ROC curve, and how often each class is recognised.

use super::{class, empty, solved};
use crate::figure::{Axis, Figure};
use crate::lab::{Confusion, Judged, LOGISTIC, confusion_figure, roc_figure, scores_figure};
use crate::models::gp::table::{Main, OwnSnapshot, OwnSpec, Prediction, Solved};

/// The classifier's predictions: of test rows, of training rows left out by the theory, and of those in cross-validation.
fn judged(spec: &OwnSpec, snapshot: &OwnSnapshot, main: &Main, solved: &Solved) -> Vec<Judged> {
    let name = spec.method.title();
    let (labels, table) = (&main.table.labels, &main.table);
    let of = |key, what: String, p: &mut dyn Iterator<Item = f64>, labels: &[f64]| {
        Judged::new(key, format!("{name}, {what}"), p, labels)
    };
    let p = |said: &Prediction| said.p;
    let mut judged = Vec::new();
    if !solved.test.is_empty() {
        judged.push(of("test", "test rows".into(), &mut solved.test.iter().map(p), &table.test_labels));
    }
    judged.push(of("left_out", "leave-one-out".into(), &mut solved.left_out.iter().map(p), labels));
    if let Some(cross) = snapshot.cross_validated() {
        let what = format!("{} folds", spec.folds);
        judged.push(of("folds", what, &mut cross.into_iter(), labels));
    }
    judged
}

/// Error, Brier score and log loss, beside those of logistic regression and of the frequencies of the classes.
pub fn scores(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let base = scores_base();
    let Some((main, solved)) = solved(snapshot) else { return base };
    let mut all = judged(spec, snapshot, main, solved);
    all.extend(Judged::baselines(&main.table, snapshot.baseline.as_ref()));
    scores_figure(base, &all.iter().map(Judged::scored).collect::<Vec<_>>())
}

pub(super) fn scores_base() -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.0, 1.0));
    empty("scores", "Scores and baselines", axis("predictor"), axis("score, smaller is better"))
}

/// ROC curves, beside that of logistic regression.
pub fn roc(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let unit = (0.0, 1.0);
    let base = empty(
        "roc",
        "ROC curve",
        Axis::linear("false-positive rate", unit),
        Axis::linear("true-positive rate", unit),
    );
    let Some((main, solved)) = solved(snapshot) else { return base };
    let mut all = judged(spec, snapshot, main, solved);
    // The frequencies of the classes rank no row above another.
    let baselines = Judged::baselines(&main.table, snapshot.baseline.as_ref());
    all.extend(baselines.into_iter().filter(|judged| judged.key == LOGISTIC));
    roc_figure(base, &class(main, 1.0), &all, spec.threshold)
}

/// The confusion matrices of training rows left out, of test rows, and of rows left out by retraining, at the threshold.
pub fn confusion(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Figure {
    let base = confusion_base();
    let Some((main, solved)) = solved(snapshot) else { return base };
    let table = &main.table;
    let counts = |rows: &mut dyn Iterator<Item = (f64, f64)>| Confusion::at(spec.threshold, rows);
    let said = |said: &[Prediction], labels: &[f64]| {
        counts(&mut labels.iter().copied().zip(said.iter().map(|said| said.p)))
    };
    let mut sources = vec![("left_out", "Leave-one-out", said(&solved.left_out, &table.labels))];
    if !solved.test.is_empty() {
        sources.insert(0, ("test", "Test rows", said(&solved.test, &table.test_labels)));
    }
    if snapshot.exact_errors().is_some() {
        let known = snapshot.retrained.iter();
        let mut known = known.filter_map(|r| Some((*table.labels.get(r.row)?, r.prediction.as_ref()?.p)));
        sources.push(("exact", "Exact leave-one-out", counts(&mut known)));
    }
    let [minus, plus] = table.classes.clone();
    confusion_figure(base, &table.label, &[plus, minus], &sources)
}

pub(super) fn confusion_base() -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.5, 2.5));
    empty("confusion", "Confusion matrix", axis("predicted class"), axis("true class"))
}
