//! Both tasks: plan, merge, status, figures and report.

use super::points::cells;
use super::spec::PRESETS;
use super::work::{COLUMNS, ComparisonWork, MapWork};
use super::{MapComparison, MethodRow, PlaySnapshot, PlaySpec, figures, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::claim::{Criterion, Quantity, ValueUnit};
use crate::lab::{
    Challenge, Checked, Exercise, Goal, HasLive, InputError, Meta, Outcome, Plan, Prepared, Queue,
    Requirement, Status, TypedTask,
};
use crate::models::gp::exact::Draws;

/// Typical number of Newton solves of a method.
const SOLVES: f64 = 10.0;

/// Few points, far from Gaussian: TAP must differ visibly from the exact posterior.
const CHALLENGE: Challenge = Challenge {
    text: "Make TAP wrong by 10 percentage points with at most ten points.",
    requirements: &[
        Requirement {
            name: "TAP is wrong by",
            value: Quantity::At("/methods/0/largest_difference"),
            accepts: Criterion::AtLeast(0.1),
            decimals: 3,
            unit: ValueUnit::POINTS,
        },
        Requirement {
            name: "points:",
            value: Quantity::At("/methods/0/examples"),
            accepts: Criterion::AtMost(10.0),
            decimals: 0,
            unit: ValueUnit::NONE,
        },
    ],
};

impl TypedTask for MapComparison {
    const META: Meta = Meta {
        id: "gp",
        title: "Points in the plane",
        question: "How sure should a classifier be between its examples?",
        subtitle: "The map shows the probability of the orange class, +1. TAP (Thouless–Anderson–Palmer) works with averages, corrected for feedback, and is fast.",
        pair: false,
        tab: Some("Playground"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        exercises: &[
            Exercise { text: "Drag or add a point", goal: Goal::Changed(&["points"]) },
            Exercise { text: "Lower σ² to 0.1", goal: Goal::AtMost("sigma2", 0.1) },
            Exercise { text: "See where approximations differ", goal: Goal::Preset("Naive against TAP") },
        ],
        challenge: Some(&CHALLENGE),
        presets: PRESETS,
    };
    type Spec = PlaySpec;
    type Snapshot = PlaySnapshot;

    /// Returns three stages: the methods, of which the last finds a start of chains; pilot chains; all other chains.
    fn plan(spec: &Checked<PlaySpec>, _facts: Option<&Facts>) -> Plan {
        let draws = Draws(spec.draws);
        let m = spec.count() as f64;
        let cells = cells(COLUMNS) as f64;
        let solve = SOLVES * m * m * m;
        let map = cells * m * (0.5 * m + 20.0);
        // A move changes about m signs, and its predictive probability is computed in each cell.
        let moves = 1.25 * draws.length(0) as f64;
        let block = moves * (m * m * (m + 40.0) + cells * (m + 60.0));
        Plan::default()
            .and(MapComparison::METHODS.len() - 1, solve + map)
            .frames((MapComparison::METHODS.len() - 1) as f64)
            .and(1, solve)
            .frames(0.0)
            .then(draws.pilots(), block)
            .frames(5.0)
            .then(draws.blocks() - draws.pilots(), block)
            .frames(15.0)
    }

    fn merge(parts: Vec<PlaySnapshot>) -> PlaySnapshot {
        let mut all = PlaySnapshot::default();
        for part in parts {
            all.rows.extend(part.rows);
            all.blocks.extend(part.blocks);
            if !part.start.is_empty() {
                all.start = part.start;
            }
        }
        all
    }

    fn status(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Status {
        status(spec, snapshot)
    }

    fn figures(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Vec<Figure> {
        figures::compare(spec, snapshot)
    }

    fn report(_spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> serde_json::Value {
        report::methods(snapshot)
    }

    fn prepare(
        spec: &Checked<PlaySpec>,
        _data: &Store,
        before: Option<PlaySnapshot>,
    ) -> Result<Prepared<PlaySnapshot>, Vec<InputError>> {
        Ok(Box::new(ComparisonWork::new(spec, before)))
    }
}

impl HasLive for MapComparison {
    const LIVE_ID: &'static str = "gp.map";
    const LIVE_TITLE: &'static str = "A map of the plane";

    fn prepare_live(
        spec: &Checked<PlaySpec>,
        _data: &Store,
    ) -> Result<Prepared<PlaySnapshot>, Vec<InputError>> {
        Ok(Box::new(MapWork::new(spec)))
    }

    fn live_figures(spec: &Checked<PlaySpec>, snapshot: &PlaySnapshot) -> Vec<Figure> {
        figures::live(spec, snapshot)
    }
}

/// Returns `Converged` if every method that applies has a map.
fn status(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Status {
    let methods = snapshot.methods();
    let rows = || methods.iter().filter(|row| row.method.allows(spec.v));
    let failed = |row: &MethodRow| Some(format!("{}: {}", row.method.label(), row.failed.as_ref()?));
    let reasons: Vec<String> = rows().filter_map(failed).collect();
    if reasons.is_empty() {
        return Status::CONVERGED;
    }
    let outcome = if reasons.len() == rows().count() { Outcome::NoResult } else { Outcome::Partial };
    Status { outcome, reason: Some(reasons.join("; ")) }
}
