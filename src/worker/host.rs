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

/// Slices for which a live picture is awaited; a control that moves again after that does not wait for it.
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
    /// Whether there is something to draw.
    shown: bool,
    /// Something has happened since the page was last told.
    fresh: bool,
    /// A snapshot is on its way or being drawn.
    unacknowledged: bool,
    last_told: f64,
    /// How many more slices of a job that follows controls may pass before the page is told that there is nothing to draw yet.
    patience: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Running,
    Paused,
    OneStep,
}

impl Host {
    /// A host that can run these tasks, with no job yet.
    pub fn new(tasks: Tasks) -> Self {
        Self { tasks, jobs: Vec::new(), data: Store::default() }
    }

    /// The first event that a worker sends.
    pub fn ready() -> Event {
        Event::Ready { version: VERSION.to_owned() }
    }

    /// Whether any job wants a slice, or owes the page its newest snapshot.
    pub fn busy(&self) -> bool {
        self.jobs.iter().any(|job| job.mode != Mode::Paused || (job.fresh && !job.unacknowledged))
    }

    /// Carries out one command; what is to be answered at once is returned.
    pub fn handle(&mut self, command: Command) -> Option<Event> {
        match command {
            Command::Start { job, task: id, spec, units, before, paused } => {
                let Some(task) = find(self.tasks, &id) else {
                    return Some(Event::Failed { job, error: format!("this worker knows no task {id}") });
                };
                let before: Vec<&[u8]> = before.iter().map(|part| part.as_slice()).collect();
                match task.start(&spec, units, &self.data, &before) {
                    Ok(experiment) => self.jobs.push(Job {
                        id: job,
                        experiment,
                        mode: if paused { Mode::Paused } else { Mode::Running },
                        fraction: 0.0,
                        note: String::new(),
                        shown: false,
                        fresh: false,
                        unacknowledged: false,
                        last_told: f64::NEG_INFINITY,
                        patience: if task.meta().queue == Queue::Live { PATIENCE } else { 0 },
                    }),
                    Err(problems) => return Some(Event::Rejected { job, problems }),
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
        }
    }

    /// Works for about [`SLICE_MS`] of `now` (milliseconds), the jobs in turn, and returns the events to send.
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
            // Somebody waits for the first picture: it is not held back for the second.
            if idle || now() >= end || self.jobs.iter().any(Job::unseen) {
                break;
            }
        }
        let time = now();
        self.jobs.iter_mut().for_each(|job| job.tell(time, &mut events));
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
    /// Whether there is something to draw for the first time.
    fn unseen(&self) -> bool {
        self.fresh && self.shown && self.last_told == f64::NEG_INFINITY
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
            Progress::Running { fraction, note, shown } => {
                (self.fraction, self.note, self.shown, self.fresh) = (fraction, note, shown, true);
                if self.mode == Mode::OneStep {
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

    /// Tells the page how far it is, if that is news: with a snapshot once there is something to draw and the last one is drawn.
    fn tell(&mut self, time: f64, events: &mut Vec<Event>) {
        let due = self.mode == Mode::Paused || time - self.last_told >= SNAPSHOT_MS;
        if !self.fresh || self.unacknowledged || !due {
            return;
        }
        if !self.shown && self.patience > 0 {
            self.patience -= 1;
            return;
        }
        (self.fresh, self.unacknowledged, self.last_told) = (false, self.shown, time);
        let (job, fraction, note) = (self.id, self.fraction, self.note.clone());
        events.push(if self.shown {
            Event::Snapshot { job, fraction, note, bytes: self.experiment.snapshot() }
        } else {
            Event::Working { job, fraction, note }
        });
    }
}
