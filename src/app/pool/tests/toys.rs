//! Tests of the pool with tasks of known work: remaining time, stages, memory, and runs without units.

use super::PoolHarness;
use crate::app::pool::{Phase, Request};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Budget, Catalog, Checked, Erased, InputError, Meta, Model, Plan, Prepared, Queue, Raw, Status, Task,
    TypedTask, Work,
};
use crate::models::feedforward::curve::CurveSpec;

const SKEWED: usize = 0;
const STAGED: usize = 1;
const LARGE: usize = 2;
const EMPTY: usize = 3;

static TOYS: &[&dyn Task] = &[
    &Erased::<Toy<SKEWED>>::NEW,
    &Erased::<Toy<STAGED>>::NEW,
    &Erased::<Toy<LARGE>>::NEW,
    &Erased::<Toy<EMPTY>>::NEW,
];
static CATALOG: Catalog = Catalog(&[&Model::of_tasks("toy", TOYS)]);

struct Toy<const KIND: usize>;

/// A task in which a unit takes as many slices as its cost. Its result is its number and the sum over the earlier stages.
struct ToyWork {
    plan: Plan,
    unit: u64,
    left: f64,
    before: u64,
    done: Vec<(u64, u64)>,
}

impl<const KIND: usize> TypedTask for Toy<KIND> {
    const META: Meta = Meta {
        id: ["toy.skewed", "toy.staged", "toy.large", "toy.empty"][KIND],
        title: "Toy",
        queue: Queue::Run,
        ..Meta::companion("", "")
    };
    type Spec = CurveSpec;
    type Snapshot = Vec<(u64, u64)>;

    fn plan(_spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        match KIND {
            SKEWED => Plan::of(8).and(1, 992.0),
            STAGED => Plan::of(5).then(30, 1.0).then(1, 2.0),
            LARGE => Plan::of(40).memory(600_000_000),
            _ => Plan::default(),
        }
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        before: Option<Self::Snapshot>,
    ) -> Result<Prepared<Self::Snapshot>, Vec<InputError>> {
        let before = before.map_or(0, |before| before.iter().map(|(unit, _)| unit + 1).sum());
        Ok(Box::new(ToyWork { plan: Self::plan(spec, None), unit: 0, left: 0.0, before, done: Vec::new() }))
    }

    fn merge(parts: Vec<Self::Snapshot>) -> Self::Snapshot {
        parts.concat()
    }

    fn status(_spec: &Checked<CurveSpec>, _snapshot: &Self::Snapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(_spec: &Checked<CurveSpec>, _snapshot: &Self::Snapshot) -> Vec<Figure> {
        Vec::new()
    }

    fn report(_spec: &Checked<CurveSpec>, snapshot: &Self::Snapshot) -> serde_json::Value {
        serde_json::json!(snapshot)
    }
}

impl Work for ToyWork {
    type Snapshot = Vec<(u64, u64)>;

    fn begin(&mut self, unit: usize) {
        (self.unit, self.left) = (unit as u64, self.plan.cost(unit..unit + 1));
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(Budget::SLICE);
        self.left -= 1.0;
        if self.left <= 0.0 {
            self.done.push((self.unit, self.before));
        }
        self.left <= 0.0
    }

    fn fraction(&self) -> f64 {
        let unit = self.unit as usize;
        1.0 - self.left / self.plan.cost(unit..unit + 1)
    }

    fn note(&self) -> String {
        format!("unit {}", self.unit)
    }

    fn snapshot(&self) -> Vec<(u64, u64)> {
        self.done.clone()
    }
}

fn started(kind: usize, cores: usize) -> PoolHarness {
    let mut harness = PoolHarness::of(cores, CATALOG);
    let task: &'static dyn Task = TOYS[kind];
    let values = task.check(&Raw::new()).unwrap();
    harness.pool.start(Request { task, values, record: true }, false, harness.now);
    harness.carry_out();
    harness
}

/// Eight units of one slice each, and one of 992.
#[test]
fn time_left_is_that_of_the_work_and_not_of_the_units() {
    let mut harness = started(SKEWED, 1);
    let mut told = 0;
    for _ in 0..950 {
        harness.turn();
        harness.pool.drawn();
        harness.carry_out();
        // The progress that the page shows is up to 17 turns old: snapshots are 16 ms apart.
        if let Some(left) = harness.run().left_ms(harness.now).filter(|_| harness.now > 200.0) {
            let really = 1000.0 - harness.now;
            assert!((left - really).abs() < 0.2 * really + 20.0, "{left} left at {}", harness.now);
            told += 1;
        }
    }
    assert!(told > 600, "time left was told {told} times");
}

#[test]
fn units_of_a_later_stage_get_all_that_the_earlier_ones_gave() {
    let reports = [1, 3, 8].map(|cores| {
        let mut harness = started(STAGED, cores);
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished);
        harness.report()
    });
    assert!(reports.iter().all(|report| *report == reports[0]));
    let rows = reports[0].as_array().unwrap();
    // 1 + … + 5, and then 1 + … + 35.
    let expected = |unit: usize| {
        if unit < 5 {
            0
        } else if unit < 35 {
            15
        } else {
            630
        }
    };
    assert_eq!(rows.len(), 36);
    for (unit, row) in rows.iter().enumerate() {
        assert_eq!(*row, serde_json::json!([unit, expected(unit)]));
    }
}

#[test]
fn no_more_workers_than_fit_the_memory() {
    let mut harness = started(LARGE, 8);
    assert_eq!(harness.busy(), 2);
    let incidents = harness.run().incidents.clone();
    assert!(
        incidents.len() == 1 && incidents[0].contains("2 of 8") && incidents[0].contains("600 MB"),
        "{incidents:?}"
    );
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished);
}

#[test]
fn nothing_to_do_is_an_end() {
    let harness = started(EMPTY, 2);
    let run = harness.run();
    assert_eq!((run.phase.clone(), run.is_empty(), run.fraction()), (Phase::Finished, true, 1.0));
    assert!(run.snapshots().is_empty());
}
