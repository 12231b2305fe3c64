//! One run as the page sees it: what is queued, what has come in, and how it stands.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use serde_bytes::ByteBuf;

use super::WorkerId;
use crate::data::{DataRef, Facts, Hash};
use crate::lab::{InputError, PartBytes, Plan, Queue, Task, Values};
use crate::protocol::JobId;

/// What is to be run.
#[derive(Clone)]
pub struct Request {
    /// The task.
    pub task: &'static dyn Task,
    /// Its checked specification.
    pub values: Values,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// This data set is not here, or none is named where there has to be one: it starts when that comes.
    AwaitingData(Option<DataRef>),
    /// Workers are at it.
    Running,
    /// Held by the user.
    Paused,
    /// Every unit is done.
    Finished,
    /// Ended by the user; what was finished is kept.
    Stopped,
    /// What was asked for is invalid, by itself or for the data: the fields that are wrong.
    Rejected(Vec<InputError>),
    /// Something broke.
    Failed(String),
}

/// A run that is going on, or the last one.
pub struct TrackedRun {
    /// The task.
    pub task: &'static dyn Task,
    /// Its specification.
    pub values: Values,
    /// How it stands.
    pub phase: Phase,
    /// What went wrong and was put right (a worker that died), for the page to say.
    pub incidents: Vec<String>,
    /// What the last snapshot said it was doing.
    pub note: String,
    /// Its number on this page, which no other run has.
    pub number: u64,
    /// Changes whenever there is something new to see.
    pub revision: u64,
    /// What it has made so far, for other work to take; the newest last.
    pub artefacts: Vec<DataRef>,
    pub(super) queue: VecDeque<Range<usize>>,
    pub(super) unacknowledged: Vec<(WorkerId, JobId)>,
    plan: Plan,
    /// How many workers it may have.
    pub(super) workers: usize,
    /// In the order of their units.
    parts: Vec<Part>,
    /// First unit of every shard whose worker died.
    crashes: Vec<usize>,
    /// Some of it was computed before, and perhaps elsewhere.
    restored: bool,
    worked_ms: f64,
    running_since: Option<f64>,
}

/// What is known of one shard.
struct Part {
    shard: Range<usize>,
    /// Its newest snapshot, once it has one.
    bytes: Option<Vec<u8>>,
    fraction: f64,
    finished: bool,
    /// The run's revision when this came in.
    stamp: u64,
}

/// Bytes that the workers of a run may need together.
const MEMORY: u64 = 1_500_000_000;

/// How many workers a run would have, and how many of them it has: so many that their memory is enough.
pub(super) fn workers_for(task: &dyn Task, plan: &Plan, compute: usize) -> (usize, usize) {
    let wanted = if task.meta().queue == Queue::Live { 1 } else { compute };
    let fit = (MEMORY / plan.bytes().max(1)).max(1);
    (wanted, wanted.min(usize::try_from(fit).unwrap_or(usize::MAX)))
}

impl Phase {
    /// Whether the run can still go on.
    pub fn active(&self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// The fields that are wrong, if it is rejected.
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
    /// A run with the facts of its main data set, or as it stands without them.
    pub(super) fn new(
        Request { task, values }: Request,
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
            let size = plan.bytes() / 1_000_000;
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
            queue: plan.shards(workers).into(),
            unacknowledged: Vec::new(),
            plan,
            workers,
            parts: Vec::new(),
            crashes: Vec::new(),
            restored: false,
            worked_ms: 0.0,
        }
    }

    /// Hashes of the data sets it names.
    pub(super) fn data(&self) -> impl Iterator<Item = Hash> {
        self.values.all_data().flat_map(DataRef::hashes)
    }

    /// It has made something.
    pub(super) fn made(&mut self, named: DataRef) {
        self.artefacts.retain(|known| *known != named);
        self.artefacts.push(named);
    }

    pub(super) fn awaits_data(&self) -> bool {
        matches!(self.phase, Phase::AwaitingData(_))
    }

    /// What was asked for.
    pub(super) fn request(&self) -> Request {
        Request { task: self.task, values: self.values.clone() }
    }

    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.plan.units() == 0
    }

    /// Fraction of the expected work done, 0 to 1.
    pub fn fraction(&self) -> f64 {
        if self.phase == Phase::Finished {
            return 1.0;
        }
        let done: f64 =
            self.parts.iter().map(|part| self.plan.cost(part.shard.clone()) * part.fraction).sum();
        let whole = self.plan.cost(0..self.plan.units());
        if whole > 0.0 { (done / whole).min(1.0) } else { 0.0 }
    }

    /// Milliseconds worked, pauses left out.
    pub fn elapsed_ms(&self, now: f64) -> f64 {
        self.worked_ms + self.running_since.map_or(0.0, |since| now - since)
    }

    /// Whether enough is done to say what the rest will take.
    fn is_fair(&self, now: f64) -> bool {
        let fraction = self.fraction();
        fraction > 0.02 || fraction > 0.0 && self.elapsed_ms(now) > 500.0
    }

    /// Milliseconds still to go, if that can be said.
    pub fn left_ms(&self, now: f64) -> Option<f64> {
        let fraction = self.fraction();
        self.is_fair(now).then(|| self.elapsed_ms(now) * (1.0 - fraction) / fraction)
    }

    /// Bytes that its workers need together, and how many they are.
    pub fn memory(&self) -> (u64, usize) {
        let workers = self.workers.min(self.plan.units());
        (self.plan.bytes() * workers as u64, workers)
    }

    /// Milliseconds of one worker that a unit of expected work has taken, if enough is done to say.
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

    /// The next shard that can be worked on: those of a stage wait until all before it are done.
    pub(super) fn next_shard(&mut self) -> Option<Range<usize>> {
        let stage = self.plan.stage_of(self.queue.front()?.start);
        (self.done_before(stage) == stage).then(|| self.queue.pop_front()).flatten()
    }

    /// What the stages before that of `shard` gave, in the order of their units.
    pub(super) fn before(&self, shard: &Range<usize>) -> Vec<ByteBuf> {
        let stage = self.plan.stage_of(shard.start);
        let earlier = self.parts.iter().filter(|part| part.shard.end <= stage);
        earlier.filter_map(|part| Some(ByteBuf::from(part.bytes.clone()?))).collect()
    }

    /// How many units before that one are done.
    fn done_before(&self, unit: usize) -> usize {
        let earlier = self.parts.iter().filter(|part| part.finished && part.shard.end <= unit);
        earlier.map(|part| part.shard.len()).sum()
    }

    /// A shard is so far; with the bytes of a snapshot, if there is something to draw.
    pub(super) fn progress(
        &mut self,
        shard: Range<usize>,
        fraction: f64,
        note: String,
        bytes: Option<Vec<u8>>,
    ) {
        self.revision += 1;
        self.put(Part { shard, bytes, fraction, finished: false, stamp: self.revision });
        self.note = note;
    }

    pub(super) fn shard_done(&mut self, shard: Range<usize>, bytes: Vec<u8>) {
        self.revision += 1;
        self.put(Part { shard, bytes: Some(bytes), fraction: 1.0, finished: true, stamp: self.revision });
    }

    /// Ranges of units that are done, and what they gave.
    pub(super) fn done(&self) -> Vec<(Range<usize>, ByteBuf)> {
        let done = |part: &Part| {
            let bytes = part.bytes.as_ref().filter(|_| part.finished)?;
            Some((part.shard.clone(), ByteBuf::from(bytes.clone())))
        };
        self.parts.iter().filter_map(done).collect()
    }

    /// Takes for done what was done by an equal run that took `elapsed_ms`; ranges that are none of this run's are left out.
    pub(super) fn restore(&mut self, shards: Vec<(Range<usize>, ByteBuf)>, elapsed_ms: f64) {
        let units = self.plan.units();
        let mut has = vec![false; units];
        for (shard, bytes) in shards {
            let here = !shard.is_empty() && shard.end <= units;
            if here && !has[shard.clone()].contains(&true) {
                has[shard.clone()].fill(true);
                self.shard_done(shard, bytes.into_vec());
            }
        }
        let queue = std::mem::take(&mut self.queue);
        for shard in queue {
            // Stretches of what is still to be done.
            for unit in shard.clone().filter(|unit| !has[*unit]) {
                match self.queue.back_mut() {
                    Some(last) if last.end == unit && unit > shard.start => last.end += 1,
                    _ => self.queue.push_back(unit..unit + 1),
                }
            }
        }
        (self.restored, self.worked_ms) = (true, elapsed_ms);
    }

    fn put(&mut self, part: Part) {
        match self.parts.binary_search_by_key(&part.shard.start, |p| p.shard.start) {
            Ok(place) => self.parts[place] = part,
            Err(place) => self.parts.insert(place, part),
        }
    }

    pub(super) fn complete(&self) -> bool {
        self.done_before(self.plan.units()) == self.plan.units()
    }

    /// Puts a shard back whose worker died; says how often that happened to it.
    pub(super) fn crashed(&mut self, shard: Range<usize>, why: &str) -> usize {
        self.parts.retain(|part| part.shard != shard);
        self.incidents.push(format!("A worker stopped ({why}); its work is being done again by a new one."));
        self.revision += 1;
        self.crashes.push(shard.start);
        let crashes = self.crashes.iter().filter(|start| **start == shard.start).count();
        self.queue.push_front(shard);
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
        self.queue.clear();
        self.revision += 1;
    }
}
