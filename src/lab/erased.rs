//! Turns typed tasks into tasks without types. This is the only file in which types are erased.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Serialize;

use super::bytes::{PartBytes, decode, encode};
use super::field::Field;
use super::input_error::InputError;
use super::meta::{Meta, figure_of};
use super::plan::Plan;
use super::replay::ReplayFrame;
use super::spec::{Checked, Record};
use super::status::Status;
use super::task::{Decoder, ErasedExperiment, ErasedResult, Task};
use super::typed_task::TypedTask;
use super::units::{Experiment, Progress};
use super::values::{Raw, Values};
use crate::data::{Artefact, Facts, Store};
use crate::figure::{Figure, Records};

/// Turns a [`TypedTask`] into a [`Task`]. A model lists its tasks as `&Erased::<MyTask>::NEW`.
pub struct Erased<T>(PhantomData<fn() -> T>);

impl<T> Erased<T> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<T: TypedTask> Task for Erased<T> {
    fn meta(&self) -> &'static Meta {
        const { &T::META }
    }

    fn fields(&self) -> &'static [Field] {
        T::Spec::fields()
    }

    fn check(&self, raw: &Raw) -> Result<Values, Vec<InputError>> {
        Checked::<T::Spec>::new(raw).map(|spec| spec.values().clone())
    }

    fn plan(&self, values: &Values, facts: Option<&Facts>) -> Plan {
        T::plan(&Checked::of_values(values), facts)
    }

    fn start(
        &self,
        values: &Values,
        units: Range<usize>,
        data: &Store,
        before: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>> {
        let before = (!before.is_empty()).then(|| merged::<T>(before));
        erase::<T>(T::start(&Checked::of_values(values), units, data, before))
    }

    fn predicts_by(&self, values: &Values, finished: &Values) -> bool {
        values.predicts_as(finished, self.fields()) && T::predictor(&Checked::of_values(values)).is_some()
    }

    fn predict(
        &self,
        values: &Values,
        data: &Store,
        finished: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>> {
        let spec = Checked::of_values(values);
        let predictor =
            T::predictor(&spec).unwrap_or_else(|| panic!("the models of {} are not kept", T::META.id));
        let work = predictor(&spec, data, merged::<T>(finished));
        erase::<T>(work.map(|work| Experiment::new(work, Plan::of(1), 0..1)))
    }

    fn decoder(&self) -> Box<dyn Decoder> {
        Box::new(Parts::<T>(Vec::new()))
    }
}

fn snapshot<T: TypedTask>(bytes: &[u8]) -> Result<T::Snapshot, String> {
    decode(bytes).map_err(|why| format!("a snapshot of {} cannot be read: {why}", T::META.id))
}

/// Decodes and merges snapshots written by this build.
fn merged<T: TypedTask>(parts: &[&[u8]]) -> T::Snapshot {
    T::merge(parts.iter().map(|bytes| snapshot::<T>(bytes).unwrap_or_else(|why| panic!("{why}"))).collect())
}

/// Erases the type of an experiment, or labels the errors with the names of their fields.
fn erase<T: TypedTask>(
    started: Result<Experiment<T::Snapshot>, Vec<InputError>>,
) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>> {
    match started {
        Ok(experiment) => Ok(Box::new(experiment)),
        Err(errors) => Err(errors.into_iter().map(|error| error.labelled(T::Spec::fields())).collect()),
    }
}

/// The decoded parts of a run in the order of their units: first unit, stamp and snapshot.
struct Parts<T: TypedTask>(Vec<(usize, u64, T::Snapshot)>);

impl<T: TypedTask> Decoder for Parts<T> {
    fn update(&mut self, parts: &[PartBytes]) -> Result<(), String> {
        let mut known = std::mem::take(&mut self.0);
        for &(first, stamp, bytes) in parts {
            let snapshot = match known.iter().position(|part| (part.0, part.1) == (first, stamp)) {
                Some(i) => known.swap_remove(i).2,
                None => snapshot::<T>(bytes)?,
            };
            self.0.push((first, stamp, snapshot));
        }
        Ok(())
    }

    fn result(&self, values: &Values) -> Box<dyn ErasedResult> {
        let snapshot = T::merge(self.0.iter().map(|part| part.2.clone()).collect());
        Box::new(Merged::<T> { spec: Checked::of_values(values), snapshot })
    }
}

struct Merged<T: TypedTask> {
    spec: Checked<T::Spec>,
    snapshot: T::Snapshot,
}

impl<T: TypedTask> ErasedResult for Merged<T> {
    fn status(&self) -> Status {
        T::status(&self.spec, &self.snapshot)
    }
    fn figures(&self) -> Vec<Figure> {
        let mut figures = T::figures(&self.spec, &self.snapshot);
        let about = figure_of(T::META.presets, T::Spec::fields(), self.spec.values());
        // A pair of figures that are read together stays at the top.
        let first = if T::META.pair { 2 } else { 0 };
        let place = about.and_then(|id| figures.iter().skip(first).position(|figure| figure.id == id));
        if let Some(place) = place {
            figures[first..=first + place].rotate_right(1);
        }
        figures
    }
    fn records(&self) -> Option<Records> {
        T::records(&self.spec, &self.snapshot)
    }
    fn found(&self) -> Raw {
        T::found(&self.spec, &self.snapshot)
    }
    fn report(&self) -> serde_json::Value {
        T::report(&self.spec, &self.snapshot)
    }
    fn as_any(&self) -> &dyn Any {
        &self.snapshot
    }
}

impl<S: Serialize> ErasedExperiment for Experiment<S> {
    fn advance(&mut self) -> Progress {
        self.advance()
    }
    fn snapshot(&self) -> Vec<u8> {
        encode(&self.snapshot())
    }
    fn take_artefacts(&mut self) -> Vec<Artefact> {
        self.take_artefacts()
    }
    fn record(&mut self) {
        self.record();
    }
    fn take_frames(&mut self) -> Vec<ReplayFrame> {
        self.take_frames()
    }
}
