//! Runs jobs in short slices and reports their progress. It has no web types, and the clock is an argument, so that all of it is
//! tested natively.

use serde_bytes::ByteBuf;

use crate::data::Store;
use crate::lab::{Catalog, ErasedExperiment, InputError, Progress, Queue, Task};
use crate::protocol::{Command, Event, JobId, VERSION};

/// Duration of a turn: the slices of work between two reads of the messages, in milliseconds.
pub const TURN_MS: f64 = 20.0;

/// Least time between two snapshots, in milliseconds: about one a frame.
const SNAPSHOT_MS: f64 = 16.0;

/// Number of slices for which a live picture is awaited; a control that moves after that does not wait for it.
const PATIENCE: usize = 15;

/// The jobs of one worker.
pub struct Host {
    catalog: Catalog,
    jobs: Vec<Job>,
    data: Store,
}

struct Job {
    id: JobId,
    experiment: Box<dyn ErasedExperiment>,
    mode: Mode,
    fraction: f64,
    note: String,
    /// True if there is something to draw.
    drawable: bool,
    /// True if the last event is older than the last slice.
    fresh: bool,
    /// True if a snapshot is on its way or being drawn.
    unacknowledged: bool,
    last_event: f64,
    /// Slices of a live job that may still pass before an event without a picture.
    patience: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Running,
    Paused,
    OneSlice,
}

impl Host {
    /// Returns a host for the tasks of `catalog`, without jobs.
    pub fn new(catalog: Catalog) -> Self {
        Self { catalog, jobs: Vec::new(), data: Store::default() }
    }

    /// Returns the first event that a worker sends.
    pub fn ready() -> Event {
        Event::Ready { version: VERSION.to_owned() }
    }

    /// Returns true if a job needs a slice or has a snapshot to send.
    pub fn is_busy(&self) -> bool {
        self.jobs.iter().any(|job| job.mode != Mode::Paused || (job.fresh && !job.unacknowledged))
    }

    /// Carries out one command and returns the immediate answer, if there is one.
    pub fn handle(&mut self, command: Command) -> Option<Event> {
        match command {
            Command::Start { job, task, values, units, before, paused, record } => {
                self.start(job, &task, paused, |task, data| {
                    let mut started = task.start(&values, units, data, &slices(&before));
                    if record && let Ok(experiment) = &mut started {
                        experiment.record();
                    }
                    started
                })
            }
            Command::Predict { job, task, values, finished, paused } => {
                self.start(job, &task, paused, |task, data| task.predict(&values, data, &slices(&finished)))
            }
            Command::Load { hash, bytes } => Some(match self.data.load(&bytes) {
                Ok(facts) => Event::Loaded { hash, facts: facts.clone() },
                Err(problem) => Event::DataRejected { hash, problem },
            }),
            Command::Read { hash, choices } => {
                let facts = self.data.facts_as(hash, &choices)?;
                Some(Event::Read { hash, choices, facts })
            }
            Command::Pause(id) => self.set(id, Mode::Paused),
            Command::Resume(id) => self.set(id, Mode::Running),
            Command::Slice(id) => self.set(id, Mode::OneSlice),
            Command::Cancel(id) => {
                self.jobs.retain(|job| job.id != id);
                Some(Event::Cancelled(id))
            }
            Command::Ack(id) => {
                self.find(id).into_iter().for_each(|job| job.unacknowledged = false);
                None
            }
        }
    }

    /// Adds the job that `begin` returns for a task; returns the event of its failure.
    fn start(
        &mut self,
        job: JobId,
        id: &str,
        paused: bool,
        begin: impl FnOnce(&dyn Task, &Store) -> Result<Box<dyn ErasedExperiment>, Vec<InputError>>,
    ) -> Option<Event> {
        let Some(task) = self.catalog.task(id) else {
            return Some(Event::Failed { job, error: format!("there is no task {id}") });
        };
        match begin(task, &self.data) {
            Ok(experiment) => {
                let mode = if paused { Mode::Paused } else { Mode::Running };
                let patience = if task.meta().queue == Queue::Live { PATIENCE } else { 0 };
                self.jobs.push(Job::new(job, experiment, mode, patience));
                None
            }
            Err(problems) => Some(Event::Rejected { job, problems }),
        }
    }

    /// Works for about [`TURN_MS`] of `now` (milliseconds), the jobs in turn, and returns the events to send.
    pub fn turn(&mut self, now: impl Fn() -> f64) -> Vec<Event> {
        let end = now() + TURN_MS;
        let mut events = Vec::new();
        loop {
            let mut idle = true;
            self.jobs.retain_mut(|job| {
                if job.mode == Mode::Paused {
                    return true;
                }
                idle = false;
                job.advance(&mut events)
            });
            // The first picture is sent at once.
            if idle || now() >= end || self.jobs.iter().any(Job::is_unseen) {
                break;
            }
        }
        let time = now();
        self.jobs.iter_mut().for_each(|job| job.report(time, &mut events));
        events
    }

    fn find(&mut self, id: JobId) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.id == id)
    }

    /// Sets the mode of a job, if it still exists: the page may not know yet that it has ended.
    fn set(&mut self, id: JobId, mode: Mode) -> Option<Event> {
        self.find(id).into_iter().for_each(|job| job.mode = mode);
        None
    }
}

/// Returns the bytes of snapshots.
fn slices(snapshots: &[ByteBuf]) -> Vec<&[u8]> {
    snapshots.iter().map(|snapshot| snapshot.as_slice()).collect()
}

impl Job {
    fn new(id: JobId, experiment: Box<dyn ErasedExperiment>, mode: Mode, patience: usize) -> Self {
        Self {
            id,
            experiment,
            mode,
            fraction: 0.0,
            note: String::new(),
            drawable: false,
            fresh: false,
            unacknowledged: false,
            last_event: f64::NEG_INFINITY,
            patience,
        }
    }

    /// Returns true if there is something to draw for the first time.
    fn is_unseen(&self) -> bool {
        self.fresh && self.drawable && self.last_event == f64::NEG_INFINITY
    }

    /// Does one slice of the experiment; returns false when the job is over.
    fn advance(&mut self, events: &mut Vec<Event>) -> bool {
        let progress = self.experiment.advance();
        let made = self.experiment.take_artefacts().into_iter();
        events.extend(made.map(|made| Event::Artefact {
            job: self.id,
            bytes: made.to_bytes(),
            kind: made.kind,
        }));
        let frames = self.experiment.take_frames().into_iter();
        events.extend(frames.map(|frame| Event::Frame { job: self.id, frame }));
        match progress {
            Progress::Running { fraction, note, shown } => {
                (self.fraction, self.note, self.drawable, self.fresh) = (fraction, note, shown, true);
                if self.mode == Mode::OneSlice {
                    self.mode = Mode::Paused;
                }
                true
            }
            Progress::Done => {
                events.push(Event::Finished { job: self.id, bytes: self.experiment.snapshot() });
                false
            }
        }
    }

    /// Adds an event about new progress, with a snapshot once there is something to draw and the page has drawn the last one.
    fn report(&mut self, time: f64, events: &mut Vec<Event>) {
        let due = self.mode == Mode::Paused || time - self.last_event >= SNAPSHOT_MS;
        if !self.fresh || self.unacknowledged || !due {
            return;
        }
        if !self.drawable && self.patience > 0 {
            self.patience -= 1;
            return;
        }
        (self.fresh, self.unacknowledged, self.last_event) = (false, self.drawable, time);
        let (job, fraction, note) = (self.id, self.fraction, self.note.clone());
        events.push(if self.drawable {
            Event::Snapshot { job, fraction, note, bytes: self.experiment.snapshot() }
        } else {
            Event::Working { job, fraction, note }
        });
    }
}
