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

/// Returns the settings of a saved run of this version if it is finished.
fn of_finished(saved: &SavedRun, task: &dyn Task, data: &Store) -> Option<Values> {
    let of_saved = task.check(&saved.spec).ok().filter(|_| saved.version == VERSION)?;
    let is_finished = finished_units(saved) == Some(plan(task, &of_saved, data).units());
    is_finished.then_some(of_saved)
}

/// Returns true if a run with `values` predicts the rows of a second file by the models of a saved run, without a fit.
fn predicts(saved: &SavedRun, task: &dyn Task, values: &Values, data: &Store) -> bool {
    of_finished(saved, task, data).is_some_and(|of_saved| task.predicts_by(values, &of_saved))
}

/// Returns true if a saved run has the results of a run with `values`, of which only the display may differ.
fn has(saved: &SavedRun, task: &dyn Task, values: &Values, data: &Store) -> bool {
    of_finished(saved, task, data).is_some_and(|of_saved| values.run_as(&of_saved, task.fields()))
}

/// Returns true if a run with `values` needs no fit: its results, or the models that predict its second file, are those of a saved run.
pub fn answers(saved: &SavedRun, task: &dyn Task, values: &Values, data: &Store) -> bool {
    has(saved, task, values, data) || predicts(saved, task, values, data)
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
    if !has(&saved, prepared.task, prepared.values, prepared.data) {
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
