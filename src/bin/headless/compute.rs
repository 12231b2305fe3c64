//! A run on threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use meanfield::data::{Artefact, Store};
use meanfield::lab::{Plan, Progress, Task, TaskResult, Values};
use serde_json::json;

use super::say;

/// At most this often a line of progress.
const PROGRESS: Duration = Duration::from_millis(250);

/// Returns how the run is divided.
pub fn plan_of(task: &dyn Task, values: &Values, data: &Store) -> Plan {
    task.plan(values, values.data().and_then(|named| data.facts(named.content()?)))
}

/// What a run gives.
pub struct Computed {
    pub result: Box<dyn TaskResult>,
    /// What it has made for other work to take, in the order of its units.
    pub made: Vec<Artefact>,
    /// Snapshots of all shards by first unit.
    pub parts: BTreeMap<usize, Vec<u8>>,
}

impl Computed {
    /// Puts the parts of all units together.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn of(
        task: &'static dyn Task,
        values: &Values,
        parts: BTreeMap<usize, Vec<u8>>,
        made: Vec<Artefact>,
    ) -> Result<Self, String> {
        let all: Vec<&[u8]> = parts.values().map(Vec::as_slice).collect();
        Ok(Self { result: task.result(values, &all)?, made, parts })
    }
}

/// What a thread tells of its shard.
enum Told {
    Progress(f64, String),
    Made(Artefact),
    Done(Vec<u8>),
}

/// Snapshots of shards by first unit, and what these shards have made.
type Parts = (BTreeMap<usize, Vec<u8>>, Vec<Artefact>);

/// Every shard on one of `jobs` threads, stage by stage, merged in the order of the units. Its progress is printed, with the time
/// since `start`, where there is one.
pub fn compute(
    task: &'static dyn Task,
    values: &Values,
    data: &Store,
    jobs: usize,
    start: Option<Instant>,
) -> Result<Computed, String> {
    let plan = plan_of(task, values, data);
    let (whole, mut said) = (plan.cost(0..plan.units()), start);
    let (mut parts, mut made): Parts = Parts::default();
    for stage in plan.stages() {
        let before = std::mem::take(&mut parts);
        let shards: Vec<Range<usize>> =
            plan.shards(jobs).into_iter().filter(|shard| stage.contains(&shard.start)).collect();
        let mut done = plan.cost(0..stage.start);
        let mut running: BTreeMap<usize, f64> = BTreeMap::new();
        let (done_here, made_here) = stage_of(
            task,
            values,
            data,
            &before,
            shards,
            jobs,
            |shard, progress| {
                let cost = plan.cost(shard.clone());
                let note = if let Some((fraction, note)) = progress {
                    running.insert(shard.start, cost * fraction);
                    Some(note)
                } else {
                    running.remove(&shard.start);
                    done += cost;
                    None
                };
                if let (Some(start), Some(last)) = (start, said)
                    && last.elapsed() >= PROGRESS
                {
                    said = Some(Instant::now());
                    let fraction = (done + running.values().sum::<f64>()) / whole;
                    let elapsed = start.elapsed().as_secs_f64() * 1e3;
                    say(
                        &json!({ "event": "progress", "fraction": fraction, "note": note, "elapsed_ms": elapsed }),
                    );
                }
            },
        );
        parts = done_here;
        parts.extend(before);
        made.extend(made_here);
    }
    Computed::of(task, values, parts, made)
}

/// The shards of one stage on `jobs` threads, their snapshots by first unit and what they have made; `watch` is told how far each shard is and what
/// it is doing, or nothing once it is done.
pub fn stage_of(
    task: &'static dyn Task,
    values: &Values,
    data: &Store,
    before: &BTreeMap<usize, Vec<u8>>,
    shards: Vec<Range<usize>>,
    jobs: usize,
    mut watch: impl FnMut(&Range<usize>, Option<(f64, String)>),
) -> Parts {
    let before: Vec<&[u8]> = before.values().map(Vec::as_slice).collect();
    let queue = std::sync::Mutex::new(shards.into_iter());
    let (sender, receiver) = mpsc::channel();
    let (mut parts, mut made) = (BTreeMap::new(), BTreeMap::<usize, Vec<Artefact>>::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, before, sender) = (&queue, &before, sender.clone());
            scope.spawn(move || {
                // A poisoned queue means that another thread panicked; the scope reports that.
                while let Some(shard) = queue.lock().ok().and_then(|mut q| q.next()) {
                    // What does not fit the data was found out before.
                    let mut experiment = match task.start(values, shard.clone(), data, before) {
                        Ok(experiment) => experiment,
                        Err(problems) => unreachable!("{problems:?}"),
                    };
                    let mut last = Instant::now();
                    // Who no longer listens is found out at the end.
                    let tell = |told| sender.send((shard.clone(), told));
                    loop {
                        let progress = experiment.advance();
                        for artefact in experiment.artefacts() {
                            let _ = tell(Told::Made(artefact));
                        }
                        let Progress::Running { fraction, note, .. } = progress else { break };
                        if last.elapsed() >= PROGRESS {
                            last = Instant::now();
                            let _ = tell(Told::Progress(fraction, note));
                        }
                    }
                    if tell(Told::Done(experiment.snapshot())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (shard, told) in receiver {
            match told {
                Told::Done(part) => {
                    watch(&shard, None);
                    parts.insert(shard.start, part);
                }
                Told::Made(artefact) => made.entry(shard.start).or_default().push(artefact),
                Told::Progress(fraction, note) => watch(&shard, Some((fraction, note))),
            }
        }
    });
    (parts, made.into_values().flatten().collect())
}
