//! Runs jobs in short slices and says what became of them. No web types and no clock of its own: both are
//! handed in, so that all of it can be tested natively.

use crate::data::Store;
use crate::lab::{Progress, Queue};
use crate::models::{ErasedExperiment, Tasks, find};
use crate::protocol::{Command, Event, JobId, VERSION};

/// A slice of work between two looks at the mailbox, in milliseconds.
pub const SLICE_MS: f64 = 20.0;

/// Snapshots are at least this far apart, in milliseconds: about one a frame.
const SNAPSHOT_MS: f64 = 16.0;

/// Slices for which a live picture may be awaited; then a control that moves again need not wait for it.
const PATIENCE: usize = 15;

/// The jobs of one worker.
pub struct Host {
    /// What it can run.
    tasks: Tasks,
    jobs: Vec<Job>,
    data: Store,
}

struct Job {
    id: JobId,
    experiment: Box<dyn ErasedExperiment>,
    mode: Mode,
    fraction: f64,
    note: String,
    /// Something has happened since the last snapshot.
    fresh: bool,
    /// A snapshot is on its way or being drawn.
    unacknowledged: bool,
    last_snapshot: f64,
    /// Whether it follows controls, and slices of it without anything to see.
    live: bool,
    /// See `live`.
    blank: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Running,
    Paused,
    OneStep,
}

impl Host {
    /// One that can run these tasks, with nothing to do.
    pub fn new(tasks: Tasks) -> Self {
        Self { tasks, jobs: Vec::new(), data: Store::default() }
    }

    /// The first event of a worker's life.
    pub fn ready() -> Event {
        Event::Ready { version: VERSION.to_owned() }
    }

    /// Whether any job wants a slice, or owes the page its newest snapshot.
    pub fn busy(&self) -> bool {
        self.jobs.iter().any(|job| job.mode != Mode::Paused || (job.fresh && !job.unacknowledged))
    }

    /// Obeys one command; what is to be answered at once is returned.
    ///
    /// # Panics
    /// On [`Command::Trap`], which asks for it.
    pub fn obey(&mut self, command: Command) -> Option<Event> {
        match command {
            Command::Start { job, task: id, spec, units, paused } => {
                let Some(task) = find(self.tasks, &id) else {
                    return Some(Event::Failed { job, error: format!("this worker knows no task {id}") });
                };
                match task.start(&spec, units, &self.data) {
                    Ok(experiment) => self.jobs.push(Job {
                        id: job,
                        experiment,
                        mode: if paused { Mode::Paused } else { Mode::Running },
                        fraction: 0.0,
                        note: String::new(),
                        fresh: false,
                        unacknowledged: false,
                        last_snapshot: f64::NEG_INFINITY,
                        live: task.meta().queue == Queue::Live,
                        blank: 0,
                    }),
                    Err(problems) => {
                        let error = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                        return Some(Event::Failed { job, error });
                    }
                }
                None
            }
            Command::Load { hash, bytes } => Some(match self.data.load(&bytes) {
                Ok(facts) => Event::Loaded { hash, facts: facts.clone() },
                Err(problem) => Event::DataRejected { hash, problem },
            }),
            Command::Pause(id) => self.set(id, Mode::Paused),
            Command::Resume(id) => self.set(id, Mode::Running),
            Command::Step(id) => self.set(id, Mode::OneStep),
            Command::Cancel(id) => {
                self.jobs.retain(|job| job.id != id);
                Some(Event::Cancelled(id))
            }
            Command::Ack(id) => {
                self.find(id).into_iter().for_each(|job| job.unacknowledged = false);
                None
            }
            Command::Trap => panic!("asked to trap"),
        }
    }

    /// Works for about [`SLICE_MS`] of `now` (milliseconds), the jobs in turn, and returns what is to be said.
    pub fn slice(&mut self, now: impl Fn() -> f64) -> Vec<Event> {
        let end = now() + SLICE_MS;
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
            // The first picture is for who waits: it is not held back for the second.
            if idle || now() >= end || self.jobs.iter().any(Job::unseen) {
                break;
            }
        }
        let time = now();
        self.jobs.retain_mut(|job| job.show(time, &mut events));
        events
    }

    fn find(&mut self, id: JobId) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.id == id)
    }

    /// A job that is over may still be told things by a page that does not know yet.
    fn set(&mut self, id: JobId, mode: Mode) -> Option<Event> {
        self.find(id).into_iter().for_each(|job| job.mode = mode);
        None
    }
}

impl Job {
    /// Whether there is something to see of it for the first time.
    fn unseen(&self) -> bool {
        self.fresh && self.last_snapshot == f64::NEG_INFINITY && !self.is_blank()
    }

    /// Whether a live picture is still to come: shown now, it would be none, and the next request would take its place.
    fn is_blank(&self) -> bool {
        self.live && self.fraction == 0.0 && self.blank < PATIENCE
    }

    /// One slice of the experiment; `false` when the job is over.
    fn advance(&mut self, events: &mut Vec<Event>) -> bool {
        let progress = self.experiment.advance();
        let made = self.experiment.artefacts().into_iter();
        events.extend(made.map(|made| Event::Artefact {
            job: self.id,
            bytes: made.to_bytes(),
            kind: made.kind,
        }));
        match progress {
            Ok(Progress::Running { fraction, note }) => {
                (self.fraction, self.note, self.fresh) = (fraction, note, true);
                if self.mode == Mode::OneStep {
                    self.mode = Mode::Paused;
                }
                true
            }
            Ok(Progress::Done) => {
                events.push(match self.experiment.snapshot() {
                    Ok(bytes) => Event::Finished { job: self.id, bytes },
                    Err(error) => Event::Failed { job: self.id, error: error.to_string() },
                });
                false
            }
            Err(error) => {
                events.push(Event::Failed { job: self.id, error: error.to_string() });
                false
            }
        }
    }

    /// Sends a snapshot if there is something new and the page has drawn the last one; `false` if that fails.
    fn show(&mut self, time: f64, events: &mut Vec<Event>) -> bool {
        let due = self.mode == Mode::Paused || time - self.last_snapshot >= SNAPSHOT_MS;
        if !self.fresh || self.unacknowledged || !due {
            return true;
        }
        if self.is_blank() {
            self.blank += 1;
            return true;
        }
        match self.experiment.snapshot() {
            Ok(bytes) => {
                (self.fresh, self.unacknowledged, self.last_snapshot) = (false, true, time);
                let (job, fraction, note) = (self.id, self.fraction, self.note.clone());
                events.push(Event::Snapshot { job, fraction, note, bytes });
                true
            }
            Err(error) => {
                events.push(Event::Failed { job: self.id, error: error.to_string() });
                false
            }
        }
    }
}
