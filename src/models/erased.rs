//! Tasks whose types are erased: specifications are texts and values, snapshots are bytes. The only place of its kind.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;

use crate::data::{Artefact, Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{
    Checked, Experiment, Field, InputError, Meta, Plan, Progress, Raw, Record, Run, Shown, ShownPart, Status,
    Task, Values, decode, encode,
};

/// The tasks of a model, in the order of its pages.
pub type Tasks = &'static [&'static dyn Runnable];

/// A task without its types: settings are texts and values, snapshots are bytes. The example in the [crate's](crate) documentation
/// runs one.
pub trait Runnable: Task {
    /// Reads the snapshots of all shards, in the order of their units.
    ///
    /// # Errors
    /// If the bytes are no snapshots of this task: they come from another version.
    fn result(&self, values: &Values, parts: &[&[u8]]) -> Result<Box<dyn TaskResult>, String>;
    /// Figures of a run while it goes on, before its first part.
    ///
    /// # Errors
    /// If the values are no specification of this task.
    fn drawing(&self, values: &Values) -> Result<Box<dyn Drawing>, String>;
    /// Starts an experiment over some of the units, all of one stage; `before` are the snapshots of the stages before, in the order
    /// of their units, none in the first.
    ///
    /// # Errors
    /// Every problem found in the specification, and what of it does not fit the data set in `data`.
    fn start(
        &self,
        raw: &Raw,
        units: Range<usize>,
        data: &Store,
        before: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>>;
}

/// A run that is drawn again and again while it goes on: each snapshot is decoded once.
pub trait Drawing {
    /// Id of the task.
    fn task(&self) -> &'static str;
    /// Shows by these settings from now on, which differ from those of the run at most in what only figures follow.
    ///
    /// # Errors
    /// If they are no specification of this task.
    fn follow(&mut self, raw: &Raw) -> Result<(), String>;
    /// These are the parts now: those without bytes are known, and what is not among them is dropped.
    ///
    /// # Errors
    /// If the bytes are no snapshots of this task, or a part without bytes is not known.
    fn update(&mut self, parts: &[ShownPart]) -> Result<(), String>;
    /// What is to be seen of it.
    fn shown(&self) -> Shown;
    /// See [`Run::records`].
    fn records(&self) -> Option<Records>;
}

/// The merged snapshots of a run: status, figures and report.
pub trait TaskResult {
    /// How it ended, if it is complete.
    fn status(&self) -> Status;
    /// Its figures.
    fn figures(&self) -> Vec<Figure>;
    /// See [`Run::records`].
    fn records(&self) -> Option<Records>;
    /// See [`Run::found`].
    fn found(&self) -> Raw;
    /// Its numbers.
    fn report(&self) -> serde_json::Value;
    /// The snapshot itself, for tests that compare results bit for bit.
    fn as_any(&self) -> &dyn Any;
}

/// An [`Experiment`] without its types: snapshots are bytes.
pub trait ErasedExperiment {
    /// See [`Experiment::advance`].
    fn advance(&mut self) -> Progress;
    /// See [`Experiment::snapshot`].
    fn snapshot(&self) -> Vec<u8>;
    /// See [`Experiment::artefacts`].
    fn artefacts(&mut self) -> Vec<Artefact>;
}

/// Turns a [`Run`] into a [`Runnable`] without types. A model lists its tasks as `&Erased::<MyTask>::NEW`.
pub struct Erased<T>(PhantomData<fn() -> T>);

impl<T> Erased<T> {
    /// The only value.
    pub const NEW: Self = Self(PhantomData);
}

impl<T: Run> Task for Erased<T> {
    fn meta(&self) -> &'static Meta {
        const { &T::META }
    }

    fn fields(&self) -> &'static [Field] {
        T::Spec::fields()
    }

    fn check(&self, raw: &Raw) -> Result<Values, Vec<InputError>> {
        Checked::<T::Spec>::new(raw).map(|spec| spec.values().clone())
    }

    fn plan(&self, values: &Values, facts: Option<&Facts>) -> Result<Plan, String> {
        Ok(T::plan(&checked::<T>(values)?, facts))
    }
}

impl<T: Run> Runnable for Erased<T> {
    fn result(&self, values: &Values, parts: &[&[u8]]) -> Result<Box<dyn TaskResult>, String> {
        let snapshot = merged::<T>(parts)?;
        Ok(Box::new(Merged::<T> { spec: checked::<T>(values)?, snapshot }))
    }

    fn drawing(&self, values: &Values) -> Result<Box<dyn Drawing>, String> {
        Ok(Box::new(Decoded::<T> { spec: checked::<T>(values)?, parts: Vec::new() }))
    }

    fn start(
        &self,
        raw: &Raw,
        units: Range<usize>,
        data: &Store,
        before: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>> {
        let spec = Checked::<T::Spec>::new(raw)?;
        let before = match before {
            [] => None,
            // Both sides are of one build, so this is no input of a person.
            parts => Some(merged::<T>(parts).unwrap_or_else(|why| panic!("{why}"))),
        };
        match T::start(&spec, units, data, before) {
            Ok(experiment) => Ok(Box::new(experiment)),
            Err(errors) => Err(errors.into_iter().map(|error| error.labelled(T::Spec::fields())).collect()),
        }
    }
}

fn merged<T: Run>(parts: &[&[u8]]) -> Result<T::Snapshot, String> {
    let parts: Result<Vec<T::Snapshot>, String> = parts.iter().map(|bytes| snapshot::<T>(bytes)).collect();
    Ok(T::merge(parts?))
}

fn snapshot<T: Run>(bytes: &[u8]) -> Result<T::Snapshot, String> {
    decode(bytes).map_err(|e| format!("a worker sent something unreadable: {e}"))
}

fn checked<T: Run>(values: &Values) -> Result<Checked<T::Spec>, String> {
    Checked::<T::Spec>::new(&values.to_raw()).map_err(InputError::joined)
}

/// The decoded parts of a run, in the order of their units: first unit, stamp and snapshot.
struct Decoded<T: Run> {
    spec: Checked<T::Spec>,
    parts: Vec<(usize, u64, T::Snapshot)>,
}

impl<T: Run> Decoded<T> {
    fn merged(&self) -> T::Snapshot {
        T::merge(self.parts.iter().map(|part| part.2.clone()).collect())
    }
}

impl<T: Run> Drawing for Decoded<T> {
    fn task(&self) -> &'static str {
        T::META.id
    }
    fn follow(&mut self, raw: &Raw) -> Result<(), String> {
        if self.spec.values().to_raw() != *raw {
            self.spec = Checked::new(raw).map_err(InputError::joined)?;
        }
        Ok(())
    }
    fn update(&mut self, parts: &[ShownPart]) -> Result<(), String> {
        let mut known = std::mem::take(&mut self.parts);
        for ShownPart { first, stamp, bytes } in parts {
            let snapshot = if let Some(bytes) = bytes {
                snapshot::<T>(bytes)?
            } else {
                let place = known.iter().position(|part| (part.0, part.1) == (*first, *stamp));
                known.swap_remove(place.ok_or_else(|| format!("part {first} is not known"))?).2
            };
            self.parts.push((*first, *stamp, snapshot));
        }
        Ok(())
    }
    fn shown(&self) -> Shown {
        let snapshot = self.merged();
        Shown {
            status: T::status(&self.spec, &snapshot),
            figures: T::figures(&self.spec, &snapshot),
            found: T::found(&self.spec, &snapshot),
        }
    }
    fn records(&self) -> Option<Records> {
        T::records(&self.spec, &self.merged())
    }
}

struct Merged<T: Run> {
    spec: Checked<T::Spec>,
    snapshot: T::Snapshot,
}

impl<T: Run> TaskResult for Merged<T> {
    fn status(&self) -> Status {
        T::status(&self.spec, &self.snapshot)
    }
    fn figures(&self) -> Vec<Figure> {
        T::figures(&self.spec, &self.snapshot)
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

impl<S: serde::Serialize> ErasedExperiment for Experiment<S> {
    fn advance(&mut self) -> Progress {
        self.advance()
    }
    fn snapshot(&self) -> Vec<u8> {
        encode(&self.snapshot())
    }
    fn artefacts(&mut self) -> Vec<Artefact> {
        self.artefacts()
    }
}
