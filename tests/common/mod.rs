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
use meanfield::models::{Runnable, TASKS, TaskResult};

/// A specification of each task that takes a fraction of a second and still does everything.
pub const SMALL: &[&str] = &[
    "#/feedforward?inputs=60&beta=0.5&alphas=1,0.5,4&runs=30&seed=3",
    "#/feedforward?inputs=33&beta=inf&alphas=0.7,2&runs=5&seed=4",
    "#/feedforward?hidden=3&inputs=30&beta=inf&alphas=0.5,3&runs=4&seed=5",
    "#/feedforward?hidden=4&inputs=20&beta=2&alphas=2&runs=3&seed=6",
    "#/feedforward?hidden=3&inputs=12&beta=2&alphas=1,3&runs=4&rho=0.6&normalise=true&warm_start=true",
    "#/feedforward?inputs=20&beta=3&alphas=1,3&runs=6&teacher=parity&teacher_hidden=2",
    "#/feedforward.run?inputs=10&beta=1&alpha=2&draws=100",
    "#/feedforward.run?hidden=3&inputs=12&beta=inf&alpha=1&draws=5000&exact=weighted&warm_start=false",
    "#/gp?examples=14&draws=100&v=0.2",
    "#/gp?examples=11&draws=100&set=draw&kernel=arcsine&kappa=0.1&v=0.05",
    "#/gp.map?examples=12&set=rings&v=0",
    "#/feedforward.theory?beta=1.3&alphas=1,6",
    "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=yes&standardise=true&fields=true",
    "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=no&hidden=2&beta=0.7&normalise=true",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&train_fraction=0.7&exact_loo=true&sigma2_grid=0.2,1",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=no&method=naive&kernel=arcsine&kappa=0.05&ard=1,2,0.5,1,1,0",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&method=laplace&kernel=linear&standardise=false",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&fit=evidence&exact_loo=true&ignore=noise,age",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&method=paper_iteration&damping=0.3",
    "#/gp.data?data=own.csv@bf66ff99ccb91883&predict=own.csv@bf66ff99ccb91883&positive=yes&train_fraction=0.7",
];

/// The first of [`SMALL`] for a task.
pub fn small(id: &str) -> Raw {
    let link = SMALL.iter().map(|link| Link::parse(link)).find(|link| link.task == id);
    link.unwrap_or_else(|| panic!("tests/common has no small specification of {id}")).raw
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
