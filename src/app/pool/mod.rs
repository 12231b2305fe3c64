//! The pool of workers as a pure state machine: events and the clock go in, actions come out. `page/workers.rs`
//! carries them out; the tests simulate the workers.

mod earlier;
mod endings;
mod expected;
mod files;
mod predictions;
mod run;
mod saved;
mod slot;
#[cfg(test)]
pub(super) mod tests;

use std::ops::Range;

pub use expected::Expected;
pub use files::FileState;
pub use run::{Phase, Request, TrackedRun};
use slot::{Slot, WorkerState, busy};

use crate::data::Hash;
use crate::lab::{Queue, SavedRun};
use crate::protocol::{Command, Event, JobId, VERSION};

/// Id of a worker; a replacement gets a new one.
pub type WorkerId = u32;

/// Longest time to answer a stop before a worker is terminated, in milliseconds.
pub const STOP_MS: f64 = 40.0;
/// Longest time until a worker is ready, in milliseconds.
pub const START_MS: f64 = 60_000.0;
/// Number of crashes of workers on a shard or a file after which it is given up.
const MAX_CRASHES: usize = 2;

/// Action for the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Start a worker.
    Spawn(WorkerId),
    /// Send a command to it.
    Post(WorkerId, Command),
    /// Terminate it.
    Terminate(WorkerId),
}

/// All workers with their work.
#[derive(Debug)]
pub struct Pool {
    /// Largest number of workers of a long run; one more is kept ready.
    compute: usize,
    slots: Vec<Slot>,
    next_worker: WorkerId,
    next_job: JobId,
    next_run: u64,
    /// The last run of each queue.
    runs: [Option<TrackedRun>; 2],
    /// Finished runs of previously visited pages, newest first.
    earlier: Vec<TrackedRun>,
    /// Newest request of the live queue.
    pending: Option<Request>,
    files: Vec<files::File>,
    /// The main table as it is read with the choices of the form.
    reading: Option<files::ChosenReading>,
    /// A saved run, used by the next request with its settings.
    saved: Option<SavedRun>,
    failed_starts: u32,
    broken: Option<String>,
    /// Panic message of the worker that crashed last since the run began.
    crash: Option<String>,
    actions: Vec<Action>,
}

impl Pool {
    /// Returns a pool for a machine with `cores`. Its first worker starts at once, the others with [`Self::start_all_workers`].
    pub fn new(cores: usize, now: f64) -> Self {
        let mut pool = Self {
            compute: cores.clamp(1, 8),
            slots: Vec::new(),
            next_worker: 0,
            next_job: 0,
            next_run: 0,
            runs: [None, None],
            earlier: Vec::new(),
            pending: None,
            files: Vec::new(),
            reading: None,
            saved: None,
            failed_starts: 0,
            broken: None,
            crash: None,
            actions: Vec::new(),
        };
        pool.spawn(now);
        pool
    }

    /// Starts the workers that are missing.
    pub fn start_all_workers(&mut self, now: f64) {
        (self.slots.len()..=self.compute).for_each(|_| self.spawn(now));
    }

    /// Takes the actions since the last call.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Returns the run of a queue: the current or the last one.
    pub fn run(&self, queue: Queue) -> Option<&TrackedRun> {
        self.runs[queue as usize].as_ref()
    }

    fn run_mut(&mut self, queue: Queue) -> Option<&mut TrackedRun> {
        self.runs[queue as usize].as_mut()
    }

    fn slot(&mut self, worker: WorkerId) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.id == worker)
    }

    /// Returns an idle worker, preferably one that has the files of `run`.
    fn idle(&self, run: Option<&TrackedRun>) -> Option<WorkerId> {
        let lacks =
            |slot: &&Slot| run.map_or(0, |run| run.data().filter(|hash| !slot.given.contains(hash)).count());
        let idle = self.slots.iter().filter(|slot| slot.state == WorkerState::Idle);
        idle.min_by_key(lacks).map(|slot| slot.id)
    }

    /// Returns true while a worker is starting or stopping, so that [`Self::tick`] must be called.
    pub fn is_waiting(&self) -> bool {
        self.slots
            .iter()
            .any(|slot| matches!(slot.state, WorkerState::Starting(_) | WorkerState::Stopping { .. }))
    }

    /// Returns true if a run is in progress and none of [`Queue::Live`].
    pub fn is_only_running(&self) -> bool {
        let running = |queue| self.run(queue).is_some_and(|run| run.phase == Phase::Running);
        running(Queue::Run) && !running(Queue::Live)
    }

    /// Starts a run in place of the last one of its queue. On [`Queue::Live`] a run is replaced only after its first picture, so
    /// that the figure follows a drag; only the newest request is kept until then.
    pub fn start(&mut self, request: Request, paused: bool, now: f64) {
        let queue = request.task.meta().queue;
        if queue == Queue::Live && self.live_awaits_picture() {
            self.pending = Some(request);
            return;
        }
        self.release(queue, now);
        self.crash.take_if(|_| queue == Queue::Run);
        self.request_reading(&request.values);
        self.keep_earlier(&request, now);
        if let Some(run) = self.take_earlier(&request) {
            self.runs[queue as usize] = Some(run);
            return self.dispatch();
        }
        let models = self.models_for(&request);
        let ready = self.ready(&request);
        let mut run = TrackedRun::new(request, ready, self.compute, self.next_run, paused, now);
        self.next_run += 1;
        self.restore(&mut run, now);
        if let Some(models) = models {
            run.predict_by(models);
        }
        if let Some(why) = &self.broken {
            run.end(Phase::Failed(why.clone()), now);
        }
        self.runs[queue as usize] = Some(run);
        self.dispatch();
    }

    /// Pauses the run after the current slices.
    pub fn pause(&mut self, now: f64) {
        self.set_paused(true, now);
    }

    /// Resumes a paused run.
    pub fn resume(&mut self, now: f64) {
        self.set_paused(false, now);
    }

    /// Advances a paused run by one slice of one worker.
    pub fn step(&mut self) {
        let idle = self.idle(self.run(Queue::Run));
        let busy = busy(&self.slots, Queue::Run).next();
        let Some(run) = self.run_mut(Queue::Run).filter(|run| run.phase == Phase::Paused) else { return };
        let (worker, job) = if let Some(found) = busy {
            found
        } else {
            let Some(worker) = idle else { return };
            let Some(shard) = run.next_shard() else { return };
            (worker, self.assign(worker, Queue::Run, shard, true))
        };
        self.actions.push(Action::Post(worker, Command::Slice(job)));
    }

    /// Ends the run of a queue at once; finished shards are kept, others are dropped.
    pub fn stop(&mut self, queue: Queue, now: f64) {
        self.release(queue, now);
        if queue == Queue::Live {
            self.pending = None;
        }
        if let Some(run) = self.run_mut(queue).filter(|run| run.phase.is_active()) {
            run.end(Phase::Stopped, now);
        }
    }

    /// Acknowledges the drawn snapshots, so that workers send new ones.
    pub fn drawn(&mut self) {
        for run in self.runs.iter_mut().flatten() {
            for (worker, job) in run.unacknowledged.drain(..) {
                self.actions.push(Action::Post(worker, Command::Ack(job)));
            }
        }
    }

    /// Handles an event of a worker.
    pub fn event(&mut self, worker: WorkerId, event: Event, now: f64) {
        // Messages of a terminated worker are ignored.
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == worker) else { return };
        match event {
            Event::Ready { version } if version == VERSION => {
                slot.state = WorkerState::Idle;
                self.failed_starts = 0;
            }
            Event::Ready { version } => {
                let why = format!(
                    "this page is version {VERSION}, but its worker is {version}: reload the page to get both from one build"
                );
                self.give_up(&why, now);
            }
            Event::Loaded { hash, facts } => self.store_reading(worker, hash, Ok(facts), now),
            Event::DataRejected { hash, problem } => self.store_reading(worker, hash, Err(problem), now),
            Event::Read { hash, choices, facts } => self.store_chosen_reading(hash, &choices, facts, now),
            Event::Trapped(words) => slot.panic_message = Some(words),
            Event::Cancelled(job) => {
                if matches!(slot.state, WorkerState::Stopping { job: stopping, .. } if stopping == job) {
                    slot.state = WorkerState::Idle;
                }
            }
            Event::Snapshot { job, fraction, note, bytes } => {
                self.update_progress(worker, job, fraction, note, Some(bytes));
            }
            Event::Frame { job, frame } => {
                if let Some((queue, _)) = slot.working_on(job)
                    && let Some(run) = self.run_mut(queue)
                {
                    run.add_frame(frame);
                }
            }
            Event::Working { job, fraction, note } => self.update_progress(worker, job, fraction, note, None),
            Event::Artefact { job, kind, bytes } => {
                if let Some((queue, _)) = slot.working_on(job) {
                    self.add_artefact(queue, &kind, bytes, now);
                }
            }
            Event::Finished { job, bytes } => {
                if let Some((queue, shard)) = slot.end_job(job) {
                    self.finish_shard(queue, shard, bytes, now);
                }
            }
            Event::Rejected { job, problems } => {
                if let Some((queue, _)) = slot.end_job(job) {
                    self.give_up_run(queue, Phase::Rejected(problems), now);
                }
            }
            Event::Failed { job, error } => {
                if let Some((queue, _)) = slot.end_job(job) {
                    self.give_up_run(queue, Phase::Failed(error), now);
                }
            }
        }
        self.start_pending(now);
        self.dispatch();
    }

    /// Updates the progress of a job, with a snapshot if there is something to draw.
    fn update_progress(
        &mut self,
        worker: WorkerId,
        job: JobId,
        fraction: f64,
        note: String,
        snapshot: Option<Vec<u8>>,
    ) {
        let Some((queue, shard)) = self.slot(worker).and_then(|slot| slot.working_on(job)) else { return };
        let Some(run) = self.run_mut(queue) else { return };
        if snapshot.is_some() {
            run.unacknowledged.push((worker, job));
        }
        run.update_shard(shard, fraction, note, snapshot);
    }

    fn live_awaits_picture(&self) -> bool {
        self.run(Queue::Live).is_some_and(|run| run.phase == Phase::Running && run.revision == 0)
    }

    /// Starts the newest live request once the one before it has a picture.
    fn start_pending(&mut self, now: f64) {
        if !self.live_awaits_picture()
            && let Some(request) = self.pending.take()
        {
            self.start(request, false, now);
        }
    }

    fn spawn(&mut self, now: f64) {
        if self.broken.is_none() {
            self.slots.push(Slot {
                id: self.next_worker,
                state: WorkerState::Starting(now),
                panic_message: None,
                given: Vec::new(),
            });
            self.actions.push(Action::Spawn(self.next_worker));
            self.next_worker += 1;
        }
    }

    /// Gives work to idle workers, the live queue first.
    fn dispatch(&mut self) {
        self.read_files();
        self.send_chosen_reading();
        for queue in [Queue::Live, Queue::Run] {
            while busy(&self.slots, queue).count() < self.run(queue).map_or(0, |run| run.workers) {
                let Some(worker) = self.idle(self.run(queue)) else { break };
                let running = self.run_mut(queue).filter(|run| run.phase == Phase::Running);
                let Some(run) = running else { break };
                let Some(shard) = run.next_shard() else { break };
                self.assign(worker, queue, shard, false);
            }
        }
    }

    fn assign(&mut self, worker: WorkerId, queue: Queue, shard: Range<usize>, paused: bool) -> JobId {
        let job = self.next_job;
        self.next_job += 1;
        let needed: Vec<Hash> = self.run(queue).map(|run| run.data().collect()).unwrap_or_default();
        for hash in needed {
            self.give(worker, hash);
        }
        if let (Some(slot), Some(run)) =
            (self.slots.iter_mut().find(|slot| slot.id == worker), &self.runs[queue as usize])
        {
            slot.state = WorkerState::Busy { job, queue, shard: shard.clone() };
            let (task, values) = (run.task.meta().id.to_owned(), run.values.clone());
            let command = if let Some(models) = &run.models {
                Command::Predict { job, task, values, finished: models.snapshots.clone(), paused }
            } else {
                let before = run.earlier_snapshots(&shard);
                Command::Start { job, task, values, units: shard, before, paused, record: run.recorded }
            };
            self.actions.push(Action::Post(worker, command));
        }
        job
    }

    fn set_paused(&mut self, paused: bool, now: f64) {
        let Some(run) = self.run_mut(Queue::Run).filter(|run| run.phase.is_active()) else { return };
        run.set_paused(paused, now);
        for (worker, job) in busy(&self.slots, Queue::Run) {
            let command = if paused { Command::Pause(job) } else { Command::Resume(job) };
            self.actions.push(Action::Post(worker, command));
        }
        self.dispatch();
    }

    /// Cancels the jobs of a queue.
    fn release(&mut self, queue: Queue, now: f64) {
        let working: Vec<_> = busy(&self.slots, queue).collect();
        for (worker, job) in working {
            if let Some(slot) = self.slot(worker) {
                slot.state = WorkerState::Stopping { job, deadline: now + STOP_MS };
                self.actions.push(Action::Post(worker, Command::Cancel(job)));
            }
        }
    }
}
