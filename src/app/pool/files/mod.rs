//! The user's files and the artefacts of runs. Each is read once in a worker, for the facts that the page shows, and sent to every
//! other worker before the first work that needs it.

mod reading;
#[cfg(test)]
mod tests;

pub(super) use reading::ChosenReading;

use super::slot::WorkerState;
use super::{Action, MAX_CRASHES, Phase, Pool, Request, TrackedRun, WorkerId};
use crate::data::{DataError, DataRef, Facts, Hash, LoadedFile, known};
use crate::lab::{InputError, Queue, Value};
use crate::protocol::Command;

/// A file, kept for new workers.
#[derive(Debug)]
pub(super) struct File {
    hash: Hash,
    /// Hash of the known file in whose place these bytes were found.
    wanted: Option<Hash>,
    bytes: Vec<u8>,
    state: FileState,
    crashes: usize,
}

/// State of a file.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "there are few files, mostly tables")]
pub enum FileState {
    /// Waiting for a worker.
    Waiting,
    /// Being read by a worker.
    Reading,
    /// Read.
    Read(Facts),
    /// Not readable, or not the wanted file.
    Rejected(DataError),
}

impl Pool {
    /// Takes a file, to be read by the first idle worker. Runs that wait for it are started. The same bytes under another name
    /// are not read again; those of a known data set are named as that set.
    pub fn load(&mut self, name: &str, given: impl Into<LoadedFile>, now: f64) -> DataRef {
        let LoadedFile { bytes, hash } = given.into();
        let own = || DataRef { name: name.into(), hash: Some(hash) };
        let named = DataRef::recognised(&bytes).unwrap_or_else(own);
        self.take(hash, None, bytes, now);
        named
    }

    /// Takes a file found in the place of the known file with these contents; other contents are rejected.
    pub fn load_known(&mut self, wanted: Hash, given: impl Into<LoadedFile>, now: f64) {
        let LoadedFile { bytes, hash } = given.into();
        self.take(hash, Some(wanted), bytes, now);
    }

    fn take(&mut self, hash: Hash, wanted: Option<Hash>, bytes: Vec<u8>, now: f64) {
        // A file that was rejected in place of a known one may be given again under its own name.
        self.files.retain(|file| file.hash != hash || !matches!(file.state, FileState::Rejected(_)));
        if self.files.iter().all(|file| file.hash != hash) {
            self.files.push(File { hash, wanted, bytes, state: FileState::Waiting, crashes: 0 });
        }
        self.dispatch();
        self.start_waiting(now);
    }

    /// Takes an artefact of a run, which later work names by its hash.
    pub(super) fn add_artefact(&mut self, queue: Queue, kind: &str, bytes: Vec<u8>, now: f64) {
        let named = DataRef::file(kind, &bytes);
        if let Some(run) = self.run_mut(queue) {
            run.add_artefact(named);
        }
        self.take(Hash::of(&bytes), None, bytes, now);
    }

    /// Returns the state of the file with that hash or those contents, or of the file found in its place.
    pub fn file(&self, hash: Hash) -> Option<&FileState> {
        self.holding(hash).map(|file| &file.state)
    }

    /// Returns the bytes of that file or artefact.
    pub fn bytes(&self, hash: Hash) -> Option<&[u8]> {
        self.holding(hash).map(|file| file.bytes.as_slice())
    }

    fn holding(&self, hash: Hash) -> Option<&File> {
        let contents = |file: &&File| matches!(&file.state, FileState::Read(facts) if facts.hash == hash);
        let exact = self.files.iter().find(|file| file.hash == hash || contents(file));
        exact.or_else(|| self.files.iter().find(|file| file.wanted == Some(hash)))
    }

    /// Returns the facts of the first file of a data set, once all its files are known.
    pub(super) fn facts(&self, named: &DataRef) -> Option<&Facts> {
        let mut facts = named.hashes().map(|hash| match self.file(hash) {
            Some(FileState::Read(facts)) => Some(facts),
            _ => None,
        });
        let first = facts.next()??;
        facts.all(|facts| facts.is_some()).then_some(first)
    }

    /// Returns the facts of the main data set, if the task takes one, once all named data sets are known.
    ///
    /// # Errors
    /// The phase of a run without them: waiting for the first missing file or for the main data set to be named, or rejected because
    /// a file could not be read.
    pub(super) fn ready(&self, request: &Request) -> Result<Option<&Facts>, Phase> {
        let Request { task, values, .. } = request;
        if values.lacks_data() {
            return Err(Phase::AwaitingData(None));
        }
        let facts = |named: &DataRef| {
            let chosen = self.chosen_facts(request).filter(|_| values.data() == Some(named));
            chosen.or_else(|| self.facts(named))
        };
        let lacks = |named: &&DataRef| !named.needs_no_file() && facts(named).is_none();
        let Some(awaited) = values.all_data().find(lacks) else {
            return Ok(values.data().and_then(facts));
        };
        let read = self.chosen_reading(values).filter(|_| values.data() == Some(awaited));
        let mut states = awaited.hashes().filter_map(|hash| read.or_else(|| self.file(hash)));
        let rejected = states.find_map(|state| match state {
            FileState::Rejected(problem) => Some(problem),
            _ => None,
        });
        Err(match rejected {
            Some(problem) => {
                let its =
                    |(_, value): &(&str, &Value)| matches!(value, Value::Data(Some(data)) if data == awaited);
                let field = values.iter().find(its).map_or(String::new(), |(key, _)| key.to_owned());
                let problem = InputError::new(&field, &awaited.name).because(problem);
                Phase::Rejected(vec![problem.labelled(task.fields())])
            }
            None => Phase::AwaitingData(Some(awaited.clone())),
        })
    }

    /// Sends waiting files to idle workers.
    pub(super) fn read_files(&mut self) {
        while let Some(place) = self.files.iter().position(|file| file.state == FileState::Waiting) {
            let Some(worker) = self.idle(None) else { return };
            let hash = self.files[place].hash;
            self.files[place].state = FileState::Reading;
            if let Some(slot) = self.slot(worker) {
                slot.state = WorkerState::Reading(hash);
            }
            self.give(worker, hash);
        }
    }

    /// Sends a file to a worker that does not have it.
    pub(super) fn give(&mut self, worker: WorkerId, hash: Hash) {
        // First, since the copy of a file is expensive.
        if self.slot(worker).is_none_or(|slot| slot.given.contains(&hash)) {
            return;
        }
        let Some(File { hash: of, bytes, .. }) = self.holding(hash) else { return };
        let (of, bytes) = (*of, bytes.clone());
        let Some(slot) = self.slot(worker) else { return };
        slot.given.push(hash);
        self.actions.push(Action::Post(worker, Command::Load { hash: of, bytes }));
    }

    /// Stores the result of reading a file.
    pub(super) fn store_reading(
        &mut self,
        worker: WorkerId,
        hash: Hash,
        read: Result<Facts, DataError>,
        now: f64,
    ) {
        if let Some(slot) = self.slot(worker).filter(|slot| slot.state == WorkerState::Reading(hash)) {
            slot.state = WorkerState::Idle;
        }
        if let Some(file) = self.files.iter_mut().find(|file| file.hash == hash) {
            file.state = match read {
                Ok(facts) if file.wanted.is_none_or(|wanted| wanted == facts.hash) => FileState::Read(facts),
                Ok(facts) => FileState::Rejected(not_known(file.wanted, facts.hash)),
                Err(problem) => FileState::Rejected(problem),
            };
        }
        self.start_waiting(now);
    }

    /// Queues a file again after its worker crashed; after two crashes the file is rejected.
    pub(super) fn retry_reading(&mut self, hash: Hash, why: &str, now: f64) {
        let Some(file) = self.files.iter_mut().find(|file| file.hash == hash) else { return };
        file.crashes += 1;
        file.state = if file.crashes < MAX_CRASHES {
            FileState::Waiting
        } else {
            let why = format!("reading it crashed {MAX_CRASHES} workers: {why}");
            FileState::Rejected(DataError::new(why))
        };
        self.start_waiting(now);
    }

    /// Starts the runs that wait for data, if their files are here.
    fn start_waiting(&mut self, now: f64) {
        let waiting = self.runs.iter().flatten().filter(|run| run.awaits_data());
        let requests: Vec<_> = waiting.map(TrackedRun::request).collect();
        for request in requests {
            self.start(request, false, now);
        }
    }
}

/// Describes why a file found in place of a known one is rejected.
fn not_known(wanted: Option<Hash>, found: Hash) -> DataError {
    let expected = wanted.and_then(known::file).map_or(String::new(), |file| {
        format!("; expected are {} ({} bytes, hash {})", file.contents, file.bytes, file.hash)
    });
    DataError::new(format!("this is another file, with hash {found}{expected}"))
}
