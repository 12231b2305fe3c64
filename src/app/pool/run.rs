//! One run in the pool: its waiting shards, its parts and its phase.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use serde_bytes::ByteBuf;

use super::WorkerId;
use super::predictions::FinishedModels;
use crate::data::{DataRef, Facts, Hash};
use crate::lab::{InputError, PartBytes, Plan, Queue, ReplayFrame, Task, Values};
use crate::protocol::JobId;

/// A task with its settings.
#[derive(Clone)]
pub struct Request {
    /// The task.
    pub task: &'static dyn Task,
    /// Its checked specification.
    pub values: Values,
    /// True to record frames for a replay.
    pub record: bool,
}

/// Phase of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for this data set, or for one to be named.
    AwaitingData(Option<DataRef>),
    /// In progress.
    Running,
    /// Paused by the user.
    Paused,
    /// Finished: every unit is done.
    Finished,
    /// Ended by the user; finished shards are kept.
    Stopped,
    /// Invalid settings, by themselves or for the data.
    Rejected(Vec<InputError>),
    /// Ended by a failure.
    Failed(String),
}

/// The run in progress, or the last one.
pub struct TrackedRun {
    /// The task.
    pub task: &'static dyn Task,
    /// Its specification.
    pub values: Values,
    /// Its phase.
    pub phase: Phase,
    /// Failures that were recovered from, such as a crashed worker.
    pub incidents: Vec<String>,
    /// Present activity, in a few words.
    pub note: String,
    /// Number of the run, unique on this page.
    pub number: u64,
    /// Number that increases with every new result.
    pub revision: u64,
    /// Artefacts so far, the newest last.
    pub artefacts: Vec<DataRef>,
    pub(super) waiting: VecDeque<Range<usize>>,
    pub(super) unacknowledged: Vec<(WorkerId, JobId)>,
    pub(super) plan: Plan,
    /// True if frames are recorded.
    pub(super) recorded: bool,
    /// Largest number of workers.
    pub(super) workers: usize,
    /// Parts in the order of their units.
    parts: Vec<Part>,
    /// Frames in the order of their units and steps.
    frames: Vec<ReplayFrame>,
    /// First unit of each shard whose worker crashed.
    crashes: Vec<usize>,
    /// True if a part comes from another run.
    pub(super) restored: bool,
    /// Models of a finished run that predict the rows of the second file, if there are any.
    pub(super) models: Option<Rc<FinishedModels>>,
    worked_ms: f64,
    running_since: Option<f64>,
}

/// State of one shard.
struct Part {
    shard: Range<usize>,
    /// Its newest snapshot, once it has one.
    bytes: Option<Vec<u8>>,
    fraction: f64,
    finished: bool,
    /// Revision of the run at the last change.
    stamp: u64,
}

/// Largest memory of all workers of a run, in bytes.
const MEMORY: u64 = 1_500_000_000;

/// Returns the wanted number of workers and the number whose memory fits.
pub(super) fn workers_for(task: &dyn Task, plan: &Plan, compute: usize) -> (usize, usize) {
    let wanted = if task.meta().queue == Queue::Live { 1 } else { compute };
    let fit = (MEMORY / plan.memory_per_worker().max(1)).max(1);
    (wanted, wanted.min(usize::try_from(fit).unwrap_or(usize::MAX)))
}

impl Phase {
    /// Returns true if the run is in progress or paused.
    pub fn is_active(&self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// Returns the invalid fields of a rejected run.
    pub fn problems(&self) -> &[InputError] {
        if let Self::Rejected(problems) = self { problems } else { &[] }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.task.meta().id, self.values)
    }
}

impl fmt::Debug for TrackedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.task.meta().id, self.phase)
    }
}

impl TrackedRun {
    /// Returns the settings with which the run is shown: those `chosen` in the form, if they differ at most in settings for display.
    pub fn values_shown<'a>(&'a self, chosen: Option<&'a Values>) -> &'a Values {
        chosen.filter(|chosen| chosen.run_as(&self.values, self.task.fields())).unwrap_or(&self.values)
    }

    /// Creates a run with the facts of its main data set, or in the phase that it has without them.
    pub(super) fn new(
        Request { task, values, record }: Request,
        ready: Result<Option<&Facts>, Phase>,
        compute: usize,
        number: u64,
        paused: bool,
        now: f64,
    ) -> Self {
        let (phase, plan) = match ready.map(|facts| task.plan(&values, facts)) {
            Err(phase) => (phase, Plan::default()),
            Ok(plan) if plan.units() == 0 => (Phase::Finished, plan),
            Ok(plan) => (if paused { Phase::Paused } else { Phase::Running }, plan),
        };
        let (wanted, workers) = workers_for(task, &plan, compute);
        let mut incidents = Vec::new();
        if workers < wanted.min(plan.units()) {
            let size = plan.memory_per_worker() / 1_000_000;
            incidents.push(format!(
                "{workers} of {wanted} workers are used: each needs about {size} MB of memory."
            ));
        }
        Self {
            task,
            values,
            running_since: (phase == Phase::Running).then_some(now),
            phase,
            incidents,
            note: String::new(),
            number,
            revision: 0,
            artefacts: Vec::new(),
            waiting: plan.shards(workers).into(),
            unacknowledged: Vec::new(),
            plan,
            recorded: record,
            workers,
            parts: Vec::new(),
            frames: Vec::new(),
            crashes: Vec::new(),
            restored: false,
            models: None,
            worked_ms: 0.0,
        }
    }

    /// Returns the hashes of the data sets that it names.
    pub(super) fn data(&self) -> impl Iterator<Item = Hash> {
        self.values.all_data().flat_map(DataRef::hashes)
    }

    /// Adds an artefact.
    pub(super) fn add_artefact(&mut self, named: DataRef) {
        self.artefacts.retain(|known| *known != named);
        self.artefacts.push(named);
    }

    pub(super) fn awaits_data(&self) -> bool {
        matches!(self.phase, Phase::AwaitingData(_))
    }

    /// Returns the request of the run.
    pub(super) fn request(&self) -> Request {
        Request { task: self.task, values: self.values.clone(), record: self.recorded }
    }

    /// Returns true if the run has no units.
    pub fn is_empty(&self) -> bool {
        self.plan.units() == 0
    }

    /// Returns the fraction of the expected work done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        if self.phase == Phase::Finished {
            return 1.0;
        }
        let done: f64 =
            self.parts.iter().map(|part| self.plan.cost(part.shard.clone()) * part.fraction).sum();
        let whole = self.plan.cost(0..self.plan.units());
        if whole > 0.0 { (done / whole).min(1.0) } else { 0.0 }
    }

    /// Returns the milliseconds worked, without pauses.
    pub fn elapsed_ms(&self, now: f64) -> f64 {
        self.worked_ms + self.running_since.map_or(0.0, |since| now - since)
    }

    /// Returns true if enough is done to estimate the remaining time.
    fn is_fair(&self, now: f64) -> bool {
        let fraction = self.fraction();
        fraction > 0.02 || fraction > 0.0 && self.elapsed_ms(now) > 500.0
    }

    /// Returns the remaining milliseconds, if they can be estimated.
    pub fn left_ms(&self, now: f64) -> Option<f64> {
        let fraction = self.fraction();
        self.is_fair(now).then(|| self.elapsed_ms(now) * (1.0 - fraction) / fraction)
    }

    /// Returns the memory of its workers together, in bytes, and their number.
    pub fn memory(&self) -> (u64, usize) {
        let workers = self.workers.min(self.plan.units());
        (self.plan.memory_per_worker() * workers as u64, workers)
    }

    /// Returns the milliseconds of one worker per unit of expected work, if they can be estimated.
    pub(super) fn pace(&self, now: f64) -> Option<f64> {
        let done = self.fraction() * self.plan.cost(0..self.plan.units());
        let spent = self.elapsed_ms(now) * self.memory().1 as f64;
        (!self.restored && self.is_fair(now)).then(|| spent / done)
    }

    /// Returns the newest snapshot of each shard that has one, in the order of their units.
    pub fn snapshots(&self) -> Vec<PartBytes<'_>> {
        fn snapshot(part: &Part) -> Option<PartBytes<'_>> {
            Some((part.shard.start, part.stamp, part.bytes.as_deref()?))
        }
        self.parts.iter().filter_map(snapshot).collect()
    }

    /// Discards all results.
    pub fn discard_results(&mut self) {
        (self.parts, self.frames) = (Vec::new(), Vec::new());
    }

    /// Returns the frames for a replay, in order; none before the run is finished.
    pub fn frames(&self) -> &[ReplayFrame] {
        if self.phase == Phase::Finished { &self.frames } else { &[] }
    }

    /// Adds a frame.
    pub(super) fn add_frame(&mut self, frame: ReplayFrame) {
        let order = |frame: &ReplayFrame| (frame.unit, frame.step);
        match self.frames.binary_search_by_key(&order(&frame), order) {
            Ok(place) => self.frames[place] = frame,
            Err(place) => self.frames.insert(place, frame),
        }
    }

    /// Takes the next shard; those of a stage wait until the stages before it are done.
    pub(super) fn next_shard(&mut self) -> Option<Range<usize>> {
        let stage = self.plan.stage_start(self.waiting.front()?.start);
        (self.done_before(stage) == stage).then(|| self.waiting.pop_front()).flatten()
    }

    /// Returns the snapshots of the stages before that of `shard`, in the order of their units.
    pub(super) fn earlier_snapshots(&self, shard: &Range<usize>) -> Vec<ByteBuf> {
        let stage = self.plan.stage_start(shard.start);
        let earlier = self.parts.iter().filter(|part| part.shard.end <= stage);
        earlier.filter_map(|part| Some(ByteBuf::from(part.bytes.clone()?))).collect()
    }

    /// Returns the number of finished units before `unit`.
    fn done_before(&self, unit: usize) -> usize {
        let earlier = self.parts.iter().filter(|part| part.finished && part.shard.end <= unit);
        earlier.map(|part| part.shard.len()).sum()
    }

    /// Updates the progress of a shard, with a snapshot if there is something to draw.
    pub(super) fn update_shard(
        &mut self,
        shard: Range<usize>,
        fraction: f64,
        note: String,
        bytes: Option<Vec<u8>>,
    ) {
        self.revision += 1;
        self.insert_part(Part { shard, bytes, fraction, finished: false, stamp: self.revision });
        self.note = note;
    }

    /// Adds the snapshot of a finished shard.
    pub(super) fn finish_shard(&mut self, shard: Range<usize>, bytes: Vec<u8>) {
        self.revision += 1;
        self.insert_part(Part {
            shard,
            bytes: Some(bytes),
            fraction: 1.0,
            finished: true,
            stamp: self.revision,
        });
    }

    /// Returns the finished shards with their snapshots.
    pub(super) fn finished_shards(&self) -> Vec<(Range<usize>, ByteBuf)> {
        let done = |part: &Part| {
            let bytes = part.bytes.as_ref().filter(|_| part.finished)?;
            Some((part.shard.clone(), ByteBuf::from(bytes.clone())))
        };
        self.parts.iter().filter_map(done).collect()
    }

    /// Takes over the shards and frames of an equal run that took `elapsed_ms`; ranges outside this run are ignored.
    pub(super) fn restore(
        &mut self,
        shards: Vec<(Range<usize>, ByteBuf)>,
        frames: Vec<ReplayFrame>,
        elapsed_ms: f64,
    ) {
        let units = self.plan.units();
        let mut has = vec![false; units];
        for (shard, bytes) in shards {
            let here = !shard.is_empty() && shard.end <= units;
            if here && !has[shard.clone()].contains(&true) {
                has[shard.clone()].fill(true);
                self.finish_shard(shard, bytes.into_vec());
            }
        }
        frames
            .into_iter()
            .filter(|frame| has.get(frame.unit) == Some(&true))
            .for_each(|frame| self.add_frame(frame));
        let queue = std::mem::take(&mut self.waiting);
        for shard in queue {
            // The remaining ranges.
            for unit in shard.clone().filter(|unit| !has[*unit]) {
                match self.waiting.back_mut() {
                    Some(last) if last.end == unit && unit > shard.start => last.end += 1,
                    _ => self.waiting.push_back(unit..unit + 1),
                }
            }
        }
        (self.restored, self.worked_ms) = (true, elapsed_ms);
    }

    /// Inserts a part in the order of its units, or replaces the part of the same shard.
    fn insert_part(&mut self, part: Part) {
        match self.parts.binary_search_by_key(&part.shard.start, |p| p.shard.start) {
            Ok(place) => self.parts[place] = part,
            Err(place) => self.parts.insert(place, part),
        }
    }

    /// Returns true if every unit is finished.
    pub(super) fn is_complete(&self) -> bool {
        self.done_before(self.plan.units()) == self.plan.units()
    }

    /// Queues a shard again after its worker crashed; returns the number of its crashes.
    pub(super) fn requeue_crashed(&mut self, shard: Range<usize>, why: &str) -> usize {
        self.parts.retain(|part| part.shard != shard);
        self.frames.retain(|frame| !shard.contains(&frame.unit));
        self.incidents.push(format!("A worker crashed ({why}); its work was queued again."));
        self.revision += 1;
        self.crashes.push(shard.start);
        let crashes = self.crashes.iter().filter(|start| **start == shard.start).count();
        self.waiting.push_front(shard);
        crashes
    }

    pub(super) fn set_paused(&mut self, paused: bool, now: f64) {
        self.worked_ms = self.elapsed_ms(now);
        self.running_since = (!paused).then_some(now);
        self.phase = if paused { Phase::Paused } else { Phase::Running };
        self.revision += 1;
    }

    pub(super) fn end(&mut self, phase: Phase, now: f64) {
        self.worked_ms = self.elapsed_ms(now);
        self.running_since = None;
        self.phase = phase;
        self.waiting.clear();
        self.revision += 1;
    }
}
