//! Runs as files, with their data and results.

use std::ops::Range;

use meanfield::data::Artefact;
use meanfield::lab::SavedRun;
use meanfield::protocol::VERSION;
use serde_bytes::ByteBuf;

use super::compute::{Computed, PreparedRun, UnitResults};

/// Reads a saved run; `None` if the file does not exist or is not a saved run.
///
/// # Errors
/// If the file is a saved run that cannot be read.
pub fn read(path: &str) -> Result<Option<SavedRun>, String> {
    let Ok(file) = std::fs::read(path) else { return Ok(None) };
    SavedRun::read(&file).transpose().map_err(|error| format!("{path}: {error}"))
}

/// Returns the results of a saved run; `None` if it must be computed: it has other settings or another version, or lacks units.
///
/// # Errors
/// If a snapshot cannot be decoded.
pub fn restore(saved: SavedRun, prepared: &PreparedRun) -> Result<Option<Computed>, String> {
    if saved.version != VERSION {
        eprintln!("The run was saved by version {}; this is {VERSION}. It is computed again.", saved.version);
        return Ok(None);
    }
    let follows = |next, shard: &Range<usize>| shard.start == next && !shard.is_empty();
    let units = saved.shards.iter().try_fold(0, |next, (shard, _)| follows(next, shard).then_some(shard.end));
    if saved.spec != prepared.values.to_raw() || units != Some(prepared.plan().units()) {
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
