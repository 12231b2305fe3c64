//! Runs as files: written with their data and results, read back without being computed again.

use std::collections::BTreeMap;
use std::ops::Range;

use meanfield::data::{Artefact, Store};
use meanfield::lab::{Raw, SavedRun, Task, Values};
use meanfield::protocol::VERSION;
use serde_bytes::ByteBuf;

use super::compute::{Computed, plan_of};

/// A run that was saved, if there is one in the file of that name.
///
/// # Errors
/// If there is, and it cannot be read.
pub fn read(path: &str) -> Result<Option<SavedRun>, String> {
    let Ok(file) = std::fs::read(path) else { return Ok(None) };
    SavedRun::read(&file).transpose().map_err(|problem| format!("{path}: {problem}"))
}

/// What a saved run gave; `None` where it has to be computed: with other settings, by another version, or as some units are
/// missing.
///
/// # Errors
/// If its snapshots cannot be read.
pub fn restore(
    saved: SavedRun,
    task: &'static dyn Task,
    values: &Values,
    data: &Store,
) -> Result<Option<Computed>, String> {
    if saved.version != VERSION {
        eprintln!("The run was saved by version {}; this is {VERSION}. It is computed again.", saved.version);
        return Ok(None);
    }
    let units = plan_of(task, values, data).units();
    let follows = |next, shard: &Range<usize>| shard.start == next && !shard.is_empty();
    let whole = saved.shards.iter().try_fold(0, |next, (shard, _)| follows(next, shard).then_some(shard.end));
    if saved.spec != values.to_raw() || whole != Some(units) {
        return Ok(None);
    }
    let made = saved.made().iter().filter_map(|file| Artefact::read(file).ok()).collect();
    let parts: BTreeMap<usize, Vec<u8>> =
        saved.shards.into_iter().map(|(shard, bytes)| (shard.start, bytes.into_vec())).collect();
    Computed::of(task, values, parts, made).map(Some)
}

/// A run as a file: `found` are the settings that it found, `files` those that it was given.
pub fn to_bytes(
    task: &dyn Task,
    values: &Values,
    found: Raw,
    files: Vec<Vec<u8>>,
    computed: &Computed,
    units: usize,
    elapsed_ms: f64,
) -> Vec<u8> {
    let ends = computed.parts.keys().skip(1).copied().chain([units]);
    let shards = computed.parts.iter().zip(ends).map(|((from, bytes), to)| (*from..to, bytes.clone().into()));
    let made = computed.made.iter().map(Artefact::to_bytes);
    SavedRun {
        version: VERSION.to_owned(),
        task: task.meta().id.to_owned(),
        spec: values.to_raw(),
        found,
        files_made: made.len(),
        files: files.into_iter().chain(made).map(ByteBuf::from).collect(),
        shards: shards.collect(),
        elapsed_ms: elapsed_ms as u32,
    }
    .to_bytes()
}
