//! Computes a run on threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use meanfield::data::{Artefact, Store};
use meanfield::lab::{ErasedExperiment, ErasedResult, InputError, Plan, Progress, ReplayFrame, Task, Values};
use serde_json::json;

use super::print_json;

/// Shortest time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// Encoded snapshots of shards, by first unit.
pub type Snapshots = BTreeMap<usize, Vec<u8>>;

/// A task with checked settings and their data.
#[derive(Clone, Copy)]
pub struct PreparedRun<'a> {
    pub task: &'static dyn Task,
    pub values: &'a Values,
    pub data: &'a Store,
    /// Number of threads.
    pub threads: usize,
    /// True to record the frames of the replay.
    pub record: bool,
}

/// Results of units.
#[derive(Default)]
pub struct UnitResults {
    pub snapshots: Snapshots,
    /// Artefacts in the order of the units that made them.
    pub artefacts: Vec<Artefact>,
    /// Frames of the replay in the order of units and steps.
    pub frames: Vec<ReplayFrame>,
}

/// Results of a run.
pub struct Computed {
    pub result: Box<dyn ErasedResult>,
    pub units: UnitResults,
}

/// A message of a thread about its shard.
enum Message {
    /// Fraction done and what is being done.
    Progress(f64, String),
    Artefact(Artefact),
    Frame(ReplayFrame),
    /// The final snapshot.
    Done(Vec<u8>),
    /// The settings do not fit the data.
    Rejected(String),
}

/// Returns the plan of a run with `values`.
pub fn plan(task: &dyn Task, values: &Values, data: &Store) -> Plan {
    task.plan(values, values.facts(data))
}

impl PreparedRun<'_> {
    /// Returns the plan of the run.
    pub fn plan(&self) -> Plan {
        plan(self.task, self.values, self.data)
    }

    /// Merges the results of all units.
    ///
    /// # Errors
    /// If a snapshot cannot be decoded.
    pub fn merge(&self, units: UnitResults) -> Result<Computed, String> {
        let parts: Vec<&[u8]> = units.snapshots.values().map(Vec::as_slice).collect();
        Ok(Computed { result: self.task.result(self.values, &parts)?, units })
    }

    /// Returns the result at frame `number` of the replay, counted from 1.
    ///
    /// # Errors
    /// If there is no such frame.
    pub fn frame(&self, units: &UnitResults, number: usize) -> Result<Box<dyn ErasedResult>, String> {
        let count = units.frames.len();
        let frame = number.checked_sub(1).and_then(|index| units.frames.get(index));
        let frame = frame.ok_or_else(|| match count {
            0 => "--frame K: this run has no frames".to_owned(),
            _ => format!("--frame {number}: enter a whole number from 1 to {count}"),
        })?;
        let parts: Vec<_> = units.snapshots.iter().map(|(first, bytes)| (*first, 0, &bytes[..])).collect();
        let parts: Vec<&[u8]> = frame.parts(&parts).into_iter().map(|(_, _, bytes)| bytes).collect();
        self.task.result(self.values, &parts)
    }

    /// Predicts the rows of the second file by the models of a finished run, given its snapshots.
    ///
    /// # Errors
    /// If the settings do not fit the data, or a snapshot cannot be decoded.
    pub fn predict(&self, finished: &[&[u8]]) -> Result<Computed, String> {
        // Refuses what the task could not decode.
        self.task.result(self.values, finished)?;
        let mut experiment =
            self.task.predict(self.values, self.data, finished).map_err(InputError::joined)?;
        while experiment.advance() != Progress::Done {}
        let snapshots = Snapshots::from([(0, experiment.snapshot())]);
        self.merge(UnitResults { snapshots, ..UnitResults::default() })
    }

    /// Computes all units, stage by stage. Prints progress with the time since `start`, if given.
    ///
    /// # Errors
    /// If a snapshot cannot be decoded.
    pub fn run(&self, start: Option<Instant>) -> Result<Computed, String> {
        let plan = self.plan();
        let (total, mut printed) = (plan.cost(0..plan.units()), start);
        let mut all = UnitResults::default();
        for stage in plan.stages() {
            let shards: Vec<Range<usize>> =
                plan.shards(self.threads).into_iter().filter(|shard| stage.contains(&shard.start)).collect();
            let mut done = plan.cost(0..stage.start);
            let mut running: BTreeMap<usize, f64> = BTreeMap::new();
            let watch = |shard: &Range<usize>, progress: Option<(f64, String)>| {
                let cost = plan.cost(shard.clone());
                let note = if let Some((fraction, note)) = progress {
                    running.insert(shard.start, cost * fraction);
                    Some(note)
                } else {
                    running.remove(&shard.start);
                    done += cost;
                    None
                };
                if let (Some(start), Some(last)) = (start, printed)
                    && last.elapsed() >= PROGRESS_INTERVAL
                {
                    printed = Some(Instant::now());
                    print_json(&json!({
                        "event": "progress", "fraction": (done + running.values().sum::<f64>()) / total, "note": note,
                        "elapsed_ms": start.elapsed().as_secs_f64() * 1e3,
                    }));
                }
            };
            let units = self.run_stage(&all.snapshots, shards, watch)?;
            all.snapshots.extend(units.snapshots);
            all.artefacts.extend(units.artefacts);
            all.frames.extend(units.frames);
        }
        self.merge(all)
    }

    /// Computes shards of one stage, given the snapshots of the earlier stages. Calls `watch` with the progress of a shard, and
    /// with `None` when it is done.
    ///
    /// # Errors
    /// If the settings do not fit the data; `Input::read` has checked those of the command line, not those of live companions.
    pub fn run_stage(
        &self,
        earlier: &Snapshots,
        shards: Vec<Range<usize>>,
        mut watch: impl FnMut(&Range<usize>, Option<(f64, String)>),
    ) -> Result<UnitResults, String> {
        let earlier: Vec<&[u8]> = earlier.values().map(Vec::as_slice).collect();
        let queue = std::sync::Mutex::new(shards.into_iter());
        let (sender, receiver) = mpsc::channel();
        let (mut results, mut artefacts) = (UnitResults::default(), BTreeMap::<usize, Vec<Artefact>>::new());
        let mut rejected = None;
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                let (queue, earlier, sender) = (&queue, &earlier, sender.clone());
                scope.spawn(move || {
                    // A poisoned queue means that another thread panicked, which the scope reports.
                    while let Some(shard) = queue.lock().ok().and_then(|mut shards| shards.next()) {
                        // The receiver outlives all threads.
                        let send = |message| drop(sender.send((shard.clone(), message)));
                        let started = self.task.start(self.values, shard.clone(), self.data, earlier);
                        let experiment = match started {
                            Ok(experiment) => experiment,
                            Err(errors) => {
                                send(Message::Rejected(InputError::joined(errors)));
                                break;
                            }
                        };
                        self.complete_shard(experiment, &send);
                    }
                });
            }
            drop(sender);
            for (shard, message) in receiver {
                match message {
                    Message::Done(snapshot) => {
                        watch(&shard, None);
                        results.snapshots.insert(shard.start, snapshot);
                    }
                    Message::Artefact(made) => artefacts.entry(shard.start).or_default().push(made),
                    Message::Frame(frame) => results.frames.push(frame),
                    Message::Rejected(why) => rejected = Some(why),
                    Message::Progress(fraction, note) => watch(&shard, Some((fraction, note))),
                }
            }
        });
        results.artefacts = artefacts.into_values().flatten().collect();
        results.frames.sort_by_key(|frame| (frame.unit, frame.step));
        rejected.map_or(Ok(results), Err)
    }

    /// Computes a shard and sends its progress and results.
    fn complete_shard(&self, mut experiment: Box<dyn ErasedExperiment>, send: &impl Fn(Message)) {
        if self.record {
            experiment.record();
        }
        let mut last = Instant::now();
        loop {
            let progress = experiment.advance();
            experiment.take_artefacts().into_iter().for_each(|made| send(Message::Artefact(made)));
            experiment.take_frames().into_iter().for_each(|frame| send(Message::Frame(frame)));
            let Progress::Running { fraction, note, .. } = progress else { break };
            if last.elapsed() >= PROGRESS_INTERVAL {
                last = Instant::now();
                send(Message::Progress(fraction, note));
            }
        }
        send(Message::Done(experiment.snapshot()));
    }
}
