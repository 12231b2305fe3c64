//! The predictions of every row as a file.

use super::several::Several;
use super::{OwnSnapshot, OwnSpec, Prediction};
use crate::figure::Records;
use crate::lab::{PredictedParts, PredictedRow, prediction_records};
use crate::math::scores::ClassRow;

/// One line per row; `None` before there is a solution.
pub fn records(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Option<Records> {
    if !snapshot.classes.is_empty() {
        let all = Several::of(snapshot)?;
        return Some(prediction_records(
            spec.data.as_ref(),
            spec.escape,
            all.table,
            &all.names,
            &of_several(&all),
        ));
    }
    let main = snapshot.main.as_ref()?;
    let (table, solved) = (&main.table, main.solved.as_ref()?);
    let rows = |labels: &[f64], said: &[Prediction]| {
        let rows = said.iter().map(|said| (said.p, Some((said.mean, said.var.sqrt()))));
        PredictedRow::of_two_classes(labels, rows)
    };
    let parts = PredictedParts {
        left_out: rows(&table.labels, &solved.left_out),
        test: rows(&table.test_labels, &solved.test),
        unlabelled: rows(&[], &solved.asked),
        second: rows(&[], &solved.second),
    };
    Some(prediction_records(spec.data.as_ref(), spec.escape, table, &table.classes, &parts))
}

/// The rows of more than two classes.
fn of_several(all: &Several<'_>) -> PredictedParts {
    let known = |rows: &[ClassRow]| {
        let row = |(p, class): &ClassRow| PredictedRow { class: Some(*class), p: p.clone(), latent: None };
        rows.iter().map(row).collect()
    };
    let new = |rows: &[Vec<f64>]| {
        rows.iter().map(|p| PredictedRow { class: None, p: p.clone(), latent: None }).collect()
    };
    PredictedParts {
        left_out: known(&all.left_out),
        test: known(&all.test),
        unlabelled: new(&all.asked),
        second: new(&all.second),
    }
}
