//! Live companions: tasks that follow the controls of a page while they are dragged.

use std::marker::PhantomData;

use super::input_error::InputError;
use super::meta::Meta;
use super::plan::Plan;
use super::spec::Checked;
use super::status::Status;
use super::typed_task::{Prepared, TypedTask};
use super::units::Work;
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::math::Budget;

/// A task with a live companion, [`Live<Self>`](Live): a smaller run of the same specification, in a single unit.
pub trait HasLive: TypedTask {
    /// Id of the companion; [`Meta::live`] of the task names it.
    const LIVE_ID: &'static str;
    /// Title of the companion.
    const LIVE_TITLE: &'static str;

    /// Returns the solver of the companion, ready to begin its unit. `data` holds the data sets that the specification names.
    ///
    /// # Errors
    /// If the specification does not fit the data.
    fn prepare_live(
        spec: &Checked<Self::Spec>,
        data: &Store,
    ) -> Result<Prepared<Self::Snapshot>, Vec<InputError>>;
    /// Returns those figures of the task that follow the controls.
    fn live_figures(spec: &Checked<Self::Spec>, snapshot: &Self::Snapshot) -> Vec<Figure>;
}

/// The live companion of the task `T`.
pub struct Live<T>(PhantomData<fn() -> T>);

impl<T: HasLive> TypedTask for Live<T> {
    const META: Meta = Meta::companion(T::LIVE_ID, T::LIVE_TITLE);
    type Spec = T::Spec;
    type Snapshot = T::Snapshot;

    // The unit comprises several iterations, so it gets more frames than a unit with one.
    fn plan(_spec: &Checked<T::Spec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1).frames(400.0)
    }

    fn merge(parts: Vec<T::Snapshot>) -> T::Snapshot {
        T::merge(parts)
    }

    fn status(spec: &Checked<T::Spec>, snapshot: &T::Snapshot) -> Status {
        T::status(spec, snapshot)
    }

    fn figures(spec: &Checked<T::Spec>, snapshot: &T::Snapshot) -> Vec<Figure> {
        T::live_figures(spec, snapshot)
    }

    fn report(spec: &Checked<T::Spec>, snapshot: &T::Snapshot) -> serde_json::Value {
        T::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<T::Spec>,
        data: &Store,
        _before: Option<T::Snapshot>,
    ) -> Result<Prepared<T::Snapshot>, Vec<InputError>> {
        T::prepare_live(spec, data)
    }
}

/// The first units of a work as a single unit, for companions whose figures compare the results of several units. There is no
/// snapshot before the last of them is done.
pub struct AllUnits<W> {
    work: W,
    /// The unit in progress; equal to `units` at the end.
    unit: usize,
    units: usize,
}

impl<W: Work> AllUnits<W> {
    /// Combines the first `units` units of `work`.
    pub fn new(work: W, units: usize) -> Self {
        Self { work, unit: 0, units }
    }
}

impl<W: Work> Work for AllUnits<W>
where
    W::Snapshot: Default,
{
    type Snapshot = W::Snapshot;

    fn begin(&mut self, _unit: usize) {
        self.unit = 0;
        self.work.begin(0);
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if self.work.step(budget) {
            self.unit += 1;
            if self.unit < self.units {
                self.work.begin(self.unit);
            }
        }
        self.is_drawable()
    }

    fn fraction(&self) -> f64 {
        (self.unit as f64 + self.work.fraction()) / self.units as f64
    }

    fn note(&self) -> String {
        self.work.note()
    }

    fn is_drawable(&self) -> bool {
        self.unit >= self.units
    }

    fn frame(&self) -> Option<W::Snapshot> {
        Some(self.work.snapshot())
    }

    fn snapshot(&self) -> W::Snapshot {
        if self.is_drawable() { self.work.snapshot() } else { W::Snapshot::default() }
    }
}
