//! The task `mlp.units`.

use super::spec::PRESETS;
use super::work::{UnitsWork, plan};
use super::{UnitsSnapshot, UnitsSpec, UnitsSweep, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Checked, Exercise, Goal, InputError, Meta, Plan, Prepared, Queue, Status, TypedTask};
use crate::models::mlp::fits;

impl TypedTask for UnitsSweep {
    const META: Meta = Meta {
        id: "mlp.units",
        title: "Number of hidden units",
        question: "Does a network use the hidden units it is given?",
        subtitle: "Networks of 1, 2, … hidden units fit the same points. The log evidence measures how well; ensemble \
                   learning maximises its lower bound.",
        pair: true,
        tab: Some("Hidden units"),
        queue: Queue::Run,
        live: None,
        exercises: &[
            Exercise { text: "Give it forty examples", goal: Goal::AtLeast("examples", 40.0) },
            Exercise { text: "Fix α and β", goal: Goal::Preset("Fixed α and β") },
            Exercise { text: "Remove the noise", goal: Goal::AtMost("noise", 0.02) },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = UnitsSpec;
    type Snapshot = UnitsSnapshot;

    fn plan(spec: &Checked<UnitsSpec>, _facts: Option<&Facts>) -> Plan {
        plan(spec)
    }

    fn merge(parts: Vec<UnitsSnapshot>) -> UnitsSnapshot {
        let mut all = UnitsSnapshot::default();
        for part in parts {
            all.fits.extend(part.fits);
            all.walks.extend(part.walks);
        }
        all
    }

    fn status(spec: &Checked<UnitsSpec>, snapshot: &UnitsSnapshot) -> Status {
        let best = |hidden| Self::METHODS.into_iter().filter_map(move |method| snapshot.best(method, hidden));
        fits::status((1..=spec.most).flat_map(best))
    }

    fn figures(spec: &Checked<UnitsSpec>, snapshot: &UnitsSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(spec: &Checked<UnitsSpec>, snapshot: &UnitsSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<UnitsSpec>,
        _data: &Store,
        _before: Option<UnitsSnapshot>,
    ) -> Result<Prepared<UnitsSnapshot>, Vec<InputError>> {
        Ok(Box::new(UnitsWork::new(spec)))
    }
}
