//! A run on threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use meanfield::data::Store;
use meanfield::lab::{Plan, Progress, Values};
use meanfield::models::{Runnable, TaskResult};
use serde_json::json;

use super::say;

/// At most this often a line of progress.
const PROGRESS: Duration = Duration::from_millis(250);

/// How the run is divided.
///
/// # Errors
/// If the values are no specification of the task.
pub fn plan_of(task: &dyn Runnable, values: &Values, data: &Store) -> Result<Plan, String> {
    task.plan(values, values.data().and_then(|named| data.facts(named.content()?)))
}

/// Every shard on one of `jobs` threads, stage by stage, merged in the order of the units.
pub fn compute(
    task: &'static dyn Runnable,
    values: &Values,
    data: &Store,
    jobs: usize,
    start: Instant,
) -> Result<Box<dyn TaskResult>, String> {
    let plan = plan_of(task, values, data)?;
    let (whole, mut said) = (plan.cost(0..plan.units()), start);
    let mut parts: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for stage in plan.stages() {
        let before = std::mem::take(&mut parts);
        let shards: Vec<Range<usize>> =
            plan.shards(jobs).into_iter().filter(|shard| stage.contains(&shard.start)).collect();
        let mut done = plan.cost(0..stage.start);
        let mut running: BTreeMap<usize, f64> = BTreeMap::new();
        parts = stage_of(task, &values.to_raw(), data, &before, shards, jobs, |shard, progress| {
            let cost = plan.cost(shard.clone());
            let note = if let Some((fraction, note)) = progress {
                running.insert(shard.start, cost * fraction);
                Some(note)
            } else {
                running.remove(&shard.start);
                done += cost;
                None
            };
            if said.elapsed() >= PROGRESS {
                said = Instant::now();
                let fraction = (done + running.values().sum::<f64>()) / whole;
                let elapsed = start.elapsed().as_secs_f64() * 1e3;
                say(
                    &json!({ "event": "progress", "fraction": fraction, "note": note, "elapsed_ms": elapsed }),
                );
            }
        });
        parts.extend(before);
    }
    let parts: Vec<&[u8]> = parts.values().map(Vec::as_slice).collect();
    task.result(values, &parts)
}

/// The shards of one stage on `jobs` threads, and their snapshots by first unit; `watch` is told how far each shard is and what
/// it is doing, or nothing once it is done.
pub fn stage_of(
    task: &'static dyn Runnable,
    raw: &meanfield::lab::Raw,
    data: &Store,
    before: &BTreeMap<usize, Vec<u8>>,
    shards: Vec<Range<usize>>,
    jobs: usize,
    mut watch: impl FnMut(&Range<usize>, Option<(f64, String)>),
) -> BTreeMap<usize, Vec<u8>> {
    let before: Vec<&[u8]> = before.values().map(Vec::as_slice).collect();
    let queue = std::sync::Mutex::new(shards.into_iter());
    let (sender, receiver) = mpsc::channel();
    let mut parts = BTreeMap::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, before, sender) = (&queue, &before, sender.clone());
            scope.spawn(move || {
                // A poisoned queue means that another thread panicked; the scope reports that.
                while let Some(shard) = queue.lock().ok().and_then(|mut q| q.next()) {
                    // What does not fit the data was found out before.
                    let mut experiment = match task.start(raw, shard.clone(), data, before) {
                        Ok(experiment) => experiment,
                        Err(problems) => unreachable!("{problems:?}"),
                    };
                    let mut last = Instant::now();
                    while let Progress::Running { fraction, note, .. } = experiment.advance() {
                        if last.elapsed() >= PROGRESS {
                            last = Instant::now();
                            // Who no longer listens is found out at the end.
                            let _ = sender.send((shard.clone(), Err((fraction, note))));
                        }
                    }
                    if sender.send((shard, Ok(experiment.snapshot()))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (shard, message) in receiver {
            match message {
                Ok(part) => {
                    watch(&shard, None);
                    parts.insert(shard.start, part);
                }
                Err(progress) => watch(&shard, Some(progress)),
            }
        }
    });
    parts
}
