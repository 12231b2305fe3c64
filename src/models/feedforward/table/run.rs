//! What the lab asks of the task: its experiment, and what is made of a snapshot.

use super::experiment::{BEFORE_FOLDS, OwnWork};
use super::report;
use super::rows::{memory, rows};
use super::{OwnData, OwnSnapshot, OwnSolution, OwnSpec, figures};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{
    self, Checked, Meta, Outcome, Plan, PredictedParts, PredictedRow, Prepared, Preset, Queue, Raw, Run,
    Status, prediction_records,
};

impl Run for OwnData {
    const META: Meta = Meta {
        id: "feedforward.data",
        title: "Your data",
        subtitle: "Trains the perceptron or committee on a table of yours, and estimates its error without a test set.",
        pair: false,
        tab: Some("Your data"),
        queue: Queue::Run,
        live: None,
        presets: &[Preset {
            label: "Example: who is ill?",
            help: "200 simulated patients, 30 % of them kept for testing: which of six numbers tell who is ill, and how well they do.",
            query: "data=example&train_fraction=0.7",
        }],
    };
    type Spec = OwnSpec;
    type Snapshot = OwnSnapshot;

    fn plan(spec: &Checked<OwnSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let columns = facts.table().map_or(1, |table| table.columns.len());
        // The student, logistic regression, and the folds of cross-validation.
        let cells = facts.rows() * columns;
        Plan::of(BEFORE_FOLDS + spec.folds)
            .times(cells as f64)
            .memory(memory(cells) + spec.memory(facts.rows()))
    }

    fn merge(parts: Vec<OwnSnapshot>) -> OwnSnapshot {
        let baseline = parts.iter().find_map(|part| part.baseline.clone());
        let folds = parts.iter().flat_map(|part| part.folds.clone()).collect();
        let solve = parts.into_iter().find(|part| part.sweeps > 0).unwrap_or_default();
        OwnSnapshot { baseline, folds, ..solve }
    }

    fn status(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Status {
        if let Some(warning) = snapshot.warning() {
            return Status { outcome: Outcome::MaxIterations, reason: Some(warning) };
        }
        let outcome = snapshot.ending.map_or(Outcome::Converged, Outcome::from);
        let failure = snapshot.failure(spec);
        match snapshot.unsolved_folds(spec).filter(|_| failure.is_none()) {
            Some(folds) => Status { outcome: Outcome::MaxIterations, reason: Some(folds) },
            None => Status { outcome, reason: failure },
        }
    }

    fn figures(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn found(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Raw {
        snapshot.found(spec)
    }

    fn records(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Option<Records> {
        let OwnSolution { table, predictions, test, unlabelled, second, .. } = snapshot.solved.as_ref()?;
        let rows =
            |labels: &[f64], p: &[f64]| PredictedRow::of_two_classes(labels, p.iter().map(|p| (*p, None)));
        let parts = PredictedParts {
            left_out: rows(&table.labels, predictions),
            test: rows(&table.test_labels, test),
            unlabelled: rows(&[], unlabelled),
            second: rows(&[], second),
        };
        Some(prediction_records(spec.data.as_ref(), spec.escape, table, &table.classes, &parts))
    }

    fn report(_spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> serde_json::Value {
        report::own(snapshot)
    }

    fn prepare(
        spec: &Checked<OwnSpec>,
        data: &Store,
        _before: Option<OwnSnapshot>,
    ) -> Result<Prepared<OwnSnapshot>, Vec<lab::InputError>> {
        let rows = rows(spec, data).map_err(|problem| vec![problem])?;
        Ok(Box::new(OwnWork::new(spec, rows)))
    }
}
