//! How often each class is recognised.

use super::empty;
use crate::figure::{Axis, Figure};
use crate::lab::{Confusion, confusion_figure};
use crate::models::gp::table::{OwnSnapshot, Prediction};

/// The confusion matrices of training rows left out, of test rows, and of rows left out by retraining.
pub fn confusion(snapshot: &OwnSnapshot) -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.5, 2.5));
    let base = empty("confusion", "Confusion matrix", axis("predicted class"), axis("true class"));
    let solved = snapshot.main.as_ref().and_then(|main| Some((main, main.solved.as_ref()?)));
    let Some((main, solved)) = solved else { return base };
    let table = &main.table;
    let mut sources = vec![("left_out", "Leave-one-out", counts(table.labels.iter().zip(&solved.left_out)))];
    if !solved.test.is_empty() {
        sources.insert(0, ("test", "Test rows", counts(table.test_labels.iter().zip(&solved.test))));
    }
    if snapshot.exact_errors().is_some() {
        let known = snapshot.retrained.iter();
        let known = known.filter_map(|r| Some((table.labels.get(r.row)?, r.prediction.as_ref()?)));
        sources.push(("exact", "Exact leave-one-out", counts(known)));
    }
    let [minus, plus] = table.classes.clone();
    confusion_figure(base, &table.label, &[plus, minus], &sources)
}

fn counts<'a>(rows: impl Iterator<Item = (&'a f64, &'a Prediction)>) -> Confusion {
    Confusion::of_signs(rows.map(|(label, said)| (*label, said.mean)))
}
