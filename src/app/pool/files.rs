//! The files a person has given: read once in a worker for what the page shows of them, and handed to every other
//! worker before the first work that needs them.

#[cfg(all(test, feature = "solver"))]
mod tests;

use super::slot::State;
use super::{Action, CRASHES, Phase, Pool, RunState, WorkerId};
use crate::data::{DataProblem, DataRef, Facts, Hash};
use crate::lab::Values;
use crate::protocol::Command;

/// A file, kept so that a new worker can be given it again.
#[derive(Debug)]
pub(super) struct File {
    named: DataRef,
    hash: Hash,
    bytes: Vec<u8>,
    stage: Stage,
    crashes: usize,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// Waiting for a worker.
    Waiting,
    /// A worker is reading it.
    Reading,
    /// It is a table.
    Known(Facts),
    /// It is none.
    Rejected(DataProblem),
}

impl Pool {
    /// Takes a file, to be read by the first worker that is free. Runs that wait for it start by themselves.
    pub fn load(&mut self, name: &str, bytes: Vec<u8>, now: f64) -> DataRef {
        let hash = Hash::of(&bytes);
        let named = DataRef { name: name.to_owned(), hash: Some(hash) };
        if self.file(hash).is_none() {
            let file = File { named: named.clone(), hash, bytes, stage: Stage::Waiting, crashes: 0 };
            self.files.push(file);
        }
        self.dispatch();
        self.start_waiting(now);
        named
    }

    /// Files that a worker was reading wait for another.
    pub(super) fn read_again(&mut self) {
        for file in self.files.iter_mut().filter(|file| file.stage == Stage::Reading) {
            file.stage = Stage::Waiting;
        }
    }

    /// What is known of the file with that hash, if it was given.
    pub fn file(&self, hash: Hash) -> Option<&Stage> {
        self.files.iter().find(|file| file.hash == hash).map(|file| &file.stage)
    }

    /// The facts of the data set that is named, once they are known.
    pub(super) fn facts(&self, named: Option<&DataRef>) -> Option<&Facts> {
        match self.file(named?.hash?)? {
            Stage::Known(facts) => Some(facts),
            _ => None,
        }
    }

    /// The facts of the main data set, where the task takes one, once all that are named are known.
    ///
    /// # Errors
    /// How a run stands without them: it waits for the first that is not known, or for the main one to be named; or it has
    /// failed, as one of them is no table.
    pub(super) fn ready(&self, values: &Values) -> Result<Option<&Facts>, Phase> {
        if values.takes_data() && values.data().is_none() {
            return Err(Phase::AwaitingData(None));
        }
        let Some(awaited) = values.all_data().find(|named| self.facts(Some(named)).is_none()) else {
            return Ok(self.facts(values.data()));
        };
        Err(match awaited.hash.and_then(|hash| self.file(hash)) {
            Some(Stage::Rejected(problem)) => {
                Phase::Failed(format!("{} is no table: {problem}.", awaited.name))
            }
            _ => Phase::AwaitingData(Some(awaited.clone())),
        })
    }

    /// Gives waiting files to idle workers.
    pub(super) fn read_files(&mut self) {
        while let Some(place) = self.files.iter().position(|file| file.stage == Stage::Waiting) {
            let Some(worker) = self.idle(None) else { return };
            let hash = self.files[place].hash;
            self.files[place].stage = Stage::Reading;
            if let Some(slot) = self.slot(worker) {
                slot.state = State::Reading(hash);
            }
            self.give(worker, hash);
        }
    }

    /// Hands a file to a worker that has not had it.
    pub(super) fn give(&mut self, worker: WorkerId, hash: Hash) {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == worker) else { return };
        let Some(file) = self.files.iter().find(|file| file.hash == hash) else { return };
        if !slot.given.contains(&hash) {
            slot.given.push(hash);
            let (name, bytes) = (file.named.name.clone(), file.bytes.clone());
            self.actions.push(Action::Post(worker, Command::Load { hash, name, bytes }));
        }
    }

    /// A worker has read a file.
    pub(super) fn has_read(
        &mut self,
        worker: WorkerId,
        hash: Hash,
        read: Result<Facts, DataProblem>,
        now: f64,
    ) {
        if let Some(slot) = self.slot(worker).filter(|slot| slot.state == State::Reading(hash)) {
            slot.state = State::Idle;
        }
        if let Some(file) = self.files.iter_mut().find(|file| file.hash == hash) {
            file.stage = read.map_or_else(Stage::Rejected, Stage::Known);
        }
        self.start_waiting(now);
    }

    /// A worker has died over a file.
    pub(super) fn died_reading(&mut self, hash: Hash, why: &str) {
        let Some(file) = self.files.iter_mut().find(|file| file.hash == hash) else { return };
        file.crashes += 1;
        file.stage = if file.crashes < CRASHES {
            Stage::Waiting
        } else {
            let why = format!("reading it crashed the worker twice: {why}");
            Stage::Rejected(DataProblem { row: 1, column: None, why })
        };
    }

    /// Begins the runs anew that wait for data: those start that have all, and the others wait for what is still missing.
    fn start_waiting(&mut self, now: f64) {
        let waiting = self.runs.iter().flatten().filter(|run| run.awaits_data());
        let requests: Vec<_> = waiting.map(RunState::request).collect();
        for request in requests {
            self.start(request, false, now);
        }
    }
}
