//! The task `mlp.curve` and its live companion.

use super::work::{CurveWork, costs};
use super::{Curve1d, CurveSnapshot, CurveSpec, CurveTrainingSet, figures, report, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    AllUnits, Checked, Exercise, Goal, HasLive, InputError, Meta, Plan, Prepared, Queue, Status, TypedTask,
};
use crate::models::mlp::fields::Approximation;
use crate::models::mlp::fits;

impl TypedTask for Curve1d {
    const META: Meta = Meta {
        id: "mlp.curve",
        title: "Regression in one dimension",
        question: "How sure is a network where it has no data?",
        subtitle: "Mean ± 2 sd of a small network by ensemble learning (variational inference) and by Monte Carlo (slow, exact in the limit), and the mean by Laplace’s method.",
        pair: false,
        tab: Some("Curve"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        exercises: &[
            Exercise { text: "Drag a point upwards", goal: Goal::Changed(&["points"]) },
            Exercise { text: "Open a gap in the data", goal: Goal::Preset("A gap in the middle") },
            Exercise { text: "See where it fails", goal: Goal::Preset("Too many units") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = CurveSpec;
    type Snapshot = CurveSnapshot;

    fn plan(spec: &Checked<CurveSpec>, facts: Option<&Facts>) -> Plan {
        // The size of a table is unknown until it is read.
        let examples = match spec.set {
            CurveTrainingSet::Own => spec.points.len(),
            CurveTrainingSet::Table => facts.map_or(1, Facts::rows),
            _ => spec.examples,
        };
        let (fits, (chains, draws)) = costs(spec, examples);
        let plan =
            fits.into_iter().fold(Plan::default(), |plan, cost| plan.and(spec.restarts, cost).frames(20.0));
        plan.and(chains, draws).frames(4.0)
    }

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        let mut all = CurveSnapshot::default();
        for part in parts {
            if all.table.is_empty() {
                all.table = part.table;
            }
            all.fits.extend(part.fits);
            all.chains.extend(part.chains);
        }
        all
    }

    fn status(_spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        fits::status(snapshot.best_fits())
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        let table = spec.rows_of_table(data).map_err(|error| vec![error])?;
        Ok(Box::new(CurveWork::new(spec, spec.restarts, table)))
    }
}

impl HasLive for Curve1d {
    const LIVE_ID: &'static str = "mlp.bands";
    const LIVE_TITLE: &'static str = "Fits to points";

    fn prepare_live(
        spec: &Checked<CurveSpec>,
        data: &Store,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        let table = spec.rows_of_table(data).map_err(|error| vec![error])?;
        Ok(Box::new(AllUnits::new(CurveWork::new(spec, 1, table), Approximation::ALL.len())))
    }

    fn live_figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }
}
