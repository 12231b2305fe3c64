//! What several test binaries share: small specifications and how to run them.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod assert;
pub mod golden;
#[cfg(not(target_arch = "wasm32"))]
pub mod headless;
#[cfg(not(target_arch = "wasm32"))]
pub mod needs;
pub mod oracle;
#[cfg(not(target_arch = "wasm32"))]
pub mod sonar;

use std::ops::Range;

use meanfield::data::Store;
use meanfield::lab::{Link, Progress, Raw, Values};
use meanfield::models::{MODELS, Runnable, TASKS, TaskResult};

/// The small runs of every model.
pub fn small_links() -> impl Iterator<Item = &'static str> {
    MODELS.iter().flat_map(|model| model.small_runs).copied()
}

/// The first small run of a task.
pub fn small(id: &str) -> Raw {
    let link = small_links().map(Link::parse).find(|link| link.task == id);
    link.unwrap_or_else(|| panic!("no small run of {id}")).raw
}

/// Every task with its small specification.
pub fn every_task() -> impl Iterator<Item = (&'static dyn Runnable, Raw)> {
    TASKS.iter().map(|task| (*task, small(task.meta().id)))
}

/// The data sets that they name.
pub fn store() -> Store {
    let mut store = Store::default();
    store.load(include_bytes!("../data/own.csv")).unwrap();
    store
}

/// How many units of work there are.
pub fn units(task: &dyn Runnable, values: &Values) -> usize {
    let store = store();
    task.units(values, values.data().and_then(|named| store.facts(named.content()?)))
}

/// Runs some units to their end.
pub fn finish(task: &dyn Runnable, raw: &Raw, units: Range<usize>) -> Vec<u8> {
    let mut run = task.start(raw, units, &store()).unwrap();
    while run.advance().unwrap() != Progress::Done {}
    run.snapshot().unwrap()
}

/// Runs shards and merges them.
pub fn result(
    task: &dyn Runnable,
    raw: &Raw,
    shards: impl IntoIterator<Item = Range<usize>>,
) -> Box<dyn TaskResult> {
    let parts: Vec<Vec<u8>> = shards.into_iter().map(|shard| finish(task, raw, shard)).collect();
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    task.result(&task.check(raw).unwrap(), &parts).unwrap()
}
