//! The main table as it is read with the choices of the form. A worker reads it again whenever they change.

use super::{File, FileState};
use crate::app::pool::{Action, MAX_CRASHES, Pool, Request, WorkerId};
use crate::data::{DataError, DataRef, Facts, Hash, ReadingChoices};
use crate::lab::Values;
use crate::lab::fields::ReadingSettings;
use crate::protocol::Command;

/// A table that is read with choices.
#[derive(Debug)]
pub(in crate::app::pool) struct ChosenReading {
    hash: Hash,
    choices: ReadingChoices,
    state: FileState,
    /// The worker that reads it.
    worker: Option<WorkerId>,
    crashes: usize,
}

/// Returns the choices among checked settings; `None` if all are left to detection.
fn choices_in(values: &Values) -> Option<ReadingChoices> {
    ReadingSettings::choices_in(values).filter(|choices| !choices.is_default())
}

impl Pool {
    /// Returns the state of the main table as these settings read it; `None` without choices, or if it has not been requested.
    pub fn chosen_reading(&self, values: &Values) -> Option<&FileState> {
        let (hash, choices) = (values.data()?.content()?, choices_in(values)?);
        self.reading
            .as_ref()
            .filter(|reading| reading.hash == hash && reading.choices == choices)
            .map(|reading| &reading.state)
    }

    /// Requests the main table as these settings read it, unless it has been requested.
    pub fn request_reading(&mut self, values: &Values) {
        let Some(hash) = values.data().and_then(DataRef::content) else { return };
        let Some(choices) = choices_in(values).filter(|_| self.chosen_reading(values).is_none()) else {
            return;
        };
        self.reading =
            Some(ChosenReading { hash, choices, state: FileState::Waiting, worker: None, crashes: 0 });
        self.dispatch();
    }

    /// Returns the facts of the main table as the settings read it, if it has been read.
    pub(super) fn chosen_facts(&self, Request { values, .. }: &Request) -> Option<&Facts> {
        match self.chosen_reading(values)? {
            FileState::Read(facts) => Some(facts),
            _ => None,
        }
    }

    /// Gives the requested reading to an idle worker, once the file itself has been read.
    pub(in crate::app::pool) fn send_chosen_reading(&mut self) {
        let Some(ChosenReading { hash, choices, state: FileState::Waiting, .. }) = &self.reading else {
            return;
        };
        let (hash, choices) = (*hash, choices.clone());
        let is_read = |file: &File| !matches!(file.state, FileState::Waiting | FileState::Reading);
        if !self.holding(hash).is_some_and(is_read) {
            return;
        }
        let Some(worker) = self.idle(None) else { return };
        self.give(worker, hash);
        self.actions.push(Action::Post(worker, Command::Read { hash, choices }));
        if let Some(reading) = &mut self.reading {
            (reading.state, reading.worker) = (FileState::Reading, Some(worker));
        }
    }

    /// Stores the result of a reading with choices.
    pub(in crate::app::pool) fn store_chosen_reading(
        &mut self,
        hash: Hash,
        choices: &ReadingChoices,
        read: Result<Facts, DataError>,
        now: f64,
    ) {
        let awaited = |reading: &&mut ChosenReading| reading.hash == hash && reading.choices == *choices;
        if let Some(reading) = self.reading.as_mut().filter(awaited) {
            reading.state = read.map_or_else(FileState::Rejected, FileState::Read);
            reading.worker = None;
        }
        self.start_waiting(now);
    }

    /// Queues the reading of a crashed worker again, or rejects it after [`MAX_CRASHES`]. Returns true if the worker was reading.
    pub(in crate::app::pool) fn retry_chosen_reading(
        &mut self,
        worker: WorkerId,
        why: &str,
        now: f64,
    ) -> bool {
        let Some(reading) = self.reading.as_mut().filter(|reading| reading.worker == Some(worker)) else {
            return false;
        };
        reading.crashes += 1;
        reading.worker = None;
        reading.state = if reading.crashes < MAX_CRASHES {
            FileState::Waiting
        } else {
            FileState::Rejected(DataError::new(format!("reading it crashed {MAX_CRASHES} workers: {why}")))
        };
        // A run that waits for the table is rejected with it.
        self.start_waiting(now);
        true
    }
}
