//! Shared by several test binaries: small specifications and how to run them.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod assert;
pub mod golden;
#[cfg(not(target_arch = "wasm32"))]
pub mod headless;
#[cfg(not(target_arch = "wasm32"))]
pub mod needs;
pub mod oracle;
#[cfg(not(target_arch = "wasm32"))]
pub mod property;
#[cfg(not(target_arch = "wasm32"))]
pub mod sonar;

use std::ops::Range;

use meanfield::data::Store;
use meanfield::lab::{ErasedResult, InputError, Link, Plan, Progress, Raw, Task};
use meanfield::models::{MODELS, TASKS};

/// Returns the small runs of every model.
pub fn small_links() -> impl Iterator<Item = &'static str> {
    MODELS.iter().flat_map(|model| model.small_runs).copied()
}

/// Returns the first small run of a task.
pub fn small(id: &str) -> Raw {
    let link = small_links().map(Link::parse).find(|link| link.task == id);
    link.unwrap_or_else(|| panic!("no small run of {id}")).raw
}

/// Returns every task with its small specification.
pub fn every_task() -> impl Iterator<Item = (&'static dyn Task, Raw)> {
    TASKS.iter().map(|task| (*task, small(task.meta().id)))
}

/// Returns the data sets of the small runs.
pub fn store() -> Store {
    let mut store = Store::default();
    store.load(include_bytes!("../data/own.csv")).unwrap();
    store
}

/// Returns the plan of a run.
pub fn plan(task: &dyn Task, raw: &Raw) -> Plan {
    let (store, values) = (store(), task.check(raw).unwrap());
    task.plan(&values, values.facts(&store))
}

/// Runs some units of one stage to their end and returns their snapshot; `before` has the parts of earlier stages.
pub fn finish(task: &dyn Task, raw: &Raw, units: Range<usize>, before: &[Vec<u8>]) -> Vec<u8> {
    let before: Vec<&[u8]> = before.iter().map(Vec::as_slice).collect();
    let mut run = task.start(&task.check(raw).unwrap(), units, &store(), &before).unwrap();
    while run.advance() != Progress::Done {}
    run.snapshot()
}

/// Returns the snapshots of shards, in their order.
pub fn parts(task: &dyn Task, raw: &Raw, shards: impl IntoIterator<Item = Range<usize>>) -> Vec<Vec<u8>> {
    let plan = plan(task, raw);
    let (mut parts, mut before, mut stage) = (Vec::new(), Vec::new(), 0);
    for shard in shards {
        if plan.stage_start(shard.start) > stage {
            stage = plan.stage_start(shard.start);
            before.clone_from(&parts);
        }
        parts.push(finish(task, raw, shard, &before));
    }
    parts
}

/// Runs shards and returns their merged result.
pub fn result(
    task: &dyn Task,
    raw: &Raw,
    shards: impl IntoIterator<Item = Range<usize>>,
) -> Box<dyn ErasedResult> {
    let parts = parts(task, raw, shards);
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    task.result(&task.check(raw).unwrap(), &parts).unwrap()
}

/// Runs all units and returns the result.
pub fn whole(task: &dyn Task, raw: &Raw) -> Box<dyn ErasedResult> {
    result(task, raw, plan(task, raw).stages())
}

/// Runs a task of one stage on a file and returns its result.
pub fn run_on(link: &str, file: &[u8]) -> Result<Box<dyn ErasedResult>, Vec<InputError>> {
    let (link, mut store) = (Link::parse(link), Store::default());
    let facts = store.load(file).unwrap().clone();
    let task = meanfield::models::task(&link.task).unwrap();
    let values = task.check(&link.raw)?;
    let units = task.plan(&values, Some(&facts)).stages().remove(0);
    let mut run = task.start(&task.check(&link.raw).unwrap(), units, &store, &[])?;
    while run.advance() != Progress::Done {}
    Ok(task.result(&values, &[&run.snapshot()]).unwrap())
}
