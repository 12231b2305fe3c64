//! Tasks without their types: settings are [`Values`], snapshots are bytes. Page, workers and command line use tasks only in this
//! form; [`Erased`](super::Erased) makes them of typed ones.

use std::any::Any;
use std::ops::Range;

use super::bytes::PartBytes;
use super::field::Field;
use super::input_error::InputError;
use super::meta::Meta;
use super::plan::Plan;
use super::replay::ReplayFrame;
use super::status::Status;
use super::units::Progress;
use super::values::{Raw, Values};
use crate::data::{Artefact, Facts, Store};
use crate::figure::{Figure, Records};

/// A task that can be run. The documentation of the crate `meanfield` has an example.
pub trait Task: Sync {
    /// Returns the names of the task.
    fn meta(&self) -> &'static Meta;
    /// Returns its settings, in the order of the form.
    fn fields(&self) -> &'static [Field];
    /// Checks a specification and fills in defaults.
    ///
    /// # Errors
    /// Every invalid field.
    fn check(&self, raw: &Raw) -> Result<Values, Vec<InputError>>;
    /// Divides the work of a checked specification; `facts` are those of the data set that it names.
    fn plan(&self, values: &Values, facts: Option<&Facts>) -> Plan;
    /// Starts an experiment over some units, all of one stage. `before` are the snapshots of the earlier stages in the order of their
    /// units; empty in the first stage.
    ///
    /// # Errors
    /// Every setting that does not fit the data set in `data`.
    ///
    /// # Panics
    /// If `before` are not snapshots of this task, written by this build.
    fn start(
        &self,
        values: &Values,
        units: Range<usize>,
        data: &Store,
        before: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>>;
    /// Returns true if a run with `values` predicts the rows of a second file by the models of a `finished` run, without a fit.
    fn predicts_by(&self, values: &Values, finished: &Values) -> bool;
    /// Starts the predictions of a run that [`Self::predicts_by`] the models of a finished one, whose snapshots are `finished` in the order
    /// of their units. They are one unit of work, whose last snapshot is that of the whole run.
    ///
    /// # Errors
    /// Every setting that does not fit the data sets in `data`.
    ///
    /// # Panics
    /// If the task keeps no models, or `finished` are not snapshots of this task, written by this build.
    fn predict(
        &self,
        values: &Values,
        data: &Store,
        finished: &[&[u8]],
    ) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>>;
    /// Returns a decoder for the snapshots of one run.
    fn decoder(&self) -> Box<dyn Decoder>;
    /// Decodes and merges the snapshots of all shards, in the order of their units.
    ///
    /// # Errors
    /// If the bytes are not snapshots of this task: another version wrote them.
    fn result(&self, values: &Values, parts: &[&[u8]]) -> Result<Box<dyn ErasedResult>, String> {
        let parts: Vec<PartBytes> = (0..).zip(parts).map(|(first, bytes)| (first, 0, *bytes)).collect();
        let mut decoder = self.decoder();
        decoder.update(&parts)?;
        Ok(decoder.result(values))
    }
}

/// Decodes the snapshots of a run while it goes on, each of them once.
pub trait Decoder {
    /// Replaces the parts with these, in the order of their units. Parts with a known stamp are not decoded again.
    ///
    /// # Errors
    /// If the bytes are not snapshots of this task.
    fn update(&mut self, parts: &[PartBytes]) -> Result<(), String>;
    /// Merges the parts, as the result of a run with these settings.
    fn result(&self, values: &Values) -> Box<dyn ErasedResult>;
}

/// The merged snapshots of a run with its settings.
pub trait ErasedResult {
    /// Returns how the run ended, if it is complete. See [`TypedTask::status`](super::TypedTask::status).
    fn status(&self) -> Status;
    /// Returns the figures. See [`TypedTask::figures`](super::TypedTask::figures).
    fn figures(&self) -> Vec<Figure>;
    /// Returns one record for each row of a table. See [`TypedTask::records`](super::TypedTask::records).
    fn records(&self) -> Option<Records>;
    /// Returns the settings that the run found. See [`TypedTask::found`](super::TypedTask::found).
    fn found(&self) -> Raw;
    /// Returns the numbers of the result as JSON. See [`TypedTask::report`](super::TypedTask::report).
    fn report(&self) -> serde_json::Value;
    /// Returns the snapshot itself, for tests that compare results bit for bit.
    fn as_any(&self) -> &dyn Any;
}

/// An [`Experiment`](super::Experiment) without its types: snapshots are bytes.
pub trait ErasedExperiment {
    /// Does the next slice of work. See [`Experiment::advance`](super::Experiment::advance).
    fn advance(&mut self) -> Progress;
    /// Encodes a snapshot. See [`Experiment::snapshot`](super::Experiment::snapshot).
    fn snapshot(&self) -> Vec<u8>;
    /// Takes the artefacts made since the last call. See [`Experiment::take_artefacts`](super::Experiment::take_artefacts).
    fn take_artefacts(&mut self) -> Vec<Artefact>;
    /// Records frames from now on. See [`Experiment::record`](super::Experiment::record).
    fn record(&mut self);
    /// Takes the frames recorded since the last call. See [`Experiment::take_frames`](super::Experiment::take_frames).
    fn take_frames(&mut self) -> Vec<ReplayFrame>;
}
