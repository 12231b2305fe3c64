//! Runs as files, with their data and results.

use std::ops::Range;

use meanfield::data::{Artefact, Store};
use meanfield::lab::{SavedRun, Task, Values};
use meanfield::protocol::VERSION;
use serde_bytes::ByteBuf;

use super::compute::{Computed, PreparedRun, UnitResults, plan};

/// Reads a saved run; `None` if the file does not exist or is not a saved run.
///
/// # Errors
/// If the file is a saved run that cannot be read.
pub fn read(path: &str) -> Result<Option<SavedRun>, String> {
    let Ok(file) = std::fs::read(path) else { return Ok(None) };
    SavedRun::read(&file).transpose().map_err(|error| format!("{path}: {error}"))
}

/// Returns the number of units of a saved run, if it has the results of consecutive ones from the first.
fn finished_units(saved: &SavedRun) -> Option<usize> {
    let follows = |next, shard: &Range<usize>| shard.start == next && !shard.is_empty();
    saved.shards.iter().try_fold(0, |next, (shard, _)| follows(next, shard).then_some(shard.end))
}

/// Returns true if a run with `values` predicts the rows of a second file by the models of a saved run, without a fit.
pub fn predicts(saved: &SavedRun, task: &dyn Task, values: &Values, data: &Store) -> bool {
    let Ok(of_saved) = task.check(&saved.spec) else { return false };
    let is_finished = || finished_units(saved) == Some(plan(task, &of_saved, data).units());
    saved.version == VERSION && task.predicts_by(values, &of_saved) && is_finished()
}

/// Returns the results of a saved run, or its predictions of the rows of another second file; `None` if a new run is needed because settings or version differ or units are missing.
///
/// # Errors
/// If a snapshot cannot be decoded.
pub fn restore(saved: SavedRun, prepared: &PreparedRun) -> Result<Option<Computed>, String> {
    if saved.version != VERSION {
        eprintln!("The run was saved by version {}; this is {VERSION}. It is computed again.", saved.version);
        return Ok(None);
    }
    if predicts(&saved, prepared.task, prepared.values, prepared.data) {
        let snapshots: Vec<&[u8]> = saved.shards.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        return prepared.predict(&snapshots).map(Some);
    }
    if saved.spec != prepared.values.to_raw() || finished_units(&saved) != Some(prepared.plan().units()) {
        return Ok(None);
    }
    let artefacts = saved.made().iter().filter_map(|file| Artefact::read(file).ok()).collect();
    let snapshots = saved.shards.into_iter().map(|(shard, bytes)| (shard.start, bytes.into_vec())).collect();
    prepared.merge(UnitResults { snapshots, artefacts, frames: saved.frames }).map(Some)
}

/// Encodes a run with the files that it was given.
pub fn to_bytes(
    prepared: &PreparedRun,
    computed: &Computed,
    files: Vec<Vec<u8>>,
    elapsed_ms: f64,
) -> Vec<u8> {
    let UnitResults { snapshots, artefacts, frames } = &computed.units;
    let ends = snapshots.keys().skip(1).copied().chain([prepared.plan().units()]);
    let shards = snapshots.iter().zip(ends).map(|((from, bytes), to)| (*from..to, bytes.clone().into()));
    let made = artefacts.iter().map(Artefact::to_bytes);
    SavedRun {
        version: VERSION.to_owned(),
        task: prepared.task.meta().id.to_owned(),
        spec: prepared.values.to_raw(),
        found: computed.result.found(),
        files_made: made.len(),
        files: files.into_iter().chain(made).map(ByteBuf::from).collect(),
        shards: shards.collect(),
        frames: frames.clone(),
        elapsed_ms: elapsed_ms as u32,
    }
    .to_bytes()
}
