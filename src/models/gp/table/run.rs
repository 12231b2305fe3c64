//! What the lab asks of the task: its experiment, and what is made of a snapshot.

use super::experiment::OwnWork;
use super::report;
use super::rows::{MOST_ROWS, Rows};
use super::{OwnData, OwnSnapshot, OwnSpec, figures, records, status, table1};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{self, Checked, Meta, Plan, Prepared, Queue, Raw, Run, Status};

/// Square matrices of the training rows that are held at once: covariances, factor, inverse, a copy without a row, and one more.
const MATRICES: u64 = 5;
/// Solves that a fit takes from one start, roughly.
const FIT: f64 = 25.0;

impl Run for OwnData {
    const META: Meta = Meta {
        id: "gp.data",
        title: "Your data",
        subtitle: "Trains a Gaussian-process classifier on a table of yours: errors, probabilities and which columns matter.",
        pair: false,
        tab: Some("Your data"),
        queue: Queue::Run,
        live: None,
        presets: table1::PRESETS,
    };
    type Spec = OwnSpec;
    type Snapshot = OwnSnapshot;

    /// The classifier and those of the grid; with a fit, its starts and the grid, and then the classifier at the best place; beside
    /// the grid the baseline. Then the folds of cross-validation, and the rows of the file, which are left out of the classifier:
    /// those that are not learnt from have nothing to leave out. With more than two classes: one unit for each class, and nothing else.
    fn plan(spec: &Checked<OwnSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let most = facts.rows().min(MOST_ROWS) as u64;
        let memory = MATRICES * 8 * most * most;
        // Costs are counted in solves.
        let solve = (most as f64).powi(3);
        let fitted = 1.0 + FIT * spec.starts() as f64;
        if let classes @ 3.. = spec.classes(facts) {
            return Plan::default().and(classes, fitted).times(solve).memory(memory);
        }
        let grid = spec.sigma2_grid.len();
        let plan = match spec.starts() {
            0 => Plan::default().and(1, 1.0).and(grid + 1, 1.0),
            starts => Plan::default().and(starts, FIT).and(grid + 1, 1.0).then(1, 1.0),
        };
        let left_out = if spec.exact_loo { facts.rows() } else { 0 };
        let plan = match spec.folds {
            0 => plan.then(left_out, 1.0),
            folds => plan.then(folds, fitted).and(left_out, 1.0),
        };
        plan.times(solve).memory(memory)
    }

    fn merge(parts: Vec<OwnSnapshot>) -> OwnSnapshot {
        let mut all = OwnSnapshot::default();
        for part in parts {
            all.searches.extend(part.searches);
            all.main = all.main.or(part.main);
            all.scan.extend(part.scan);
            all.retrained.extend(part.retrained);
            all.baseline = all.baseline.or(part.baseline);
            all.folds.extend(part.folds);
            all.classes.extend(part.classes);
        }
        all
    }

    fn status(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Status {
        status::status(spec, snapshot)
    }

    fn figures(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn found(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Raw {
        snapshot.found(spec)
    }

    fn records(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn report(_spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> serde_json::Value {
        report::own(snapshot)
    }

    fn prepare(
        spec: &Checked<OwnSpec>,
        data: &Store,
        before: Option<OwnSnapshot>,
    ) -> Result<Prepared<OwnSnapshot>, Vec<lab::InputError>> {
        let rows = Rows::new(spec, data).map_err(|problem| vec![problem])?;
        Ok(Box::new(OwnWork::new((**spec).clone(), rows, before)))
    }
}
