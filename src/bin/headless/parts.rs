//! Runs shared among machines: each computes some units and writes a part. The merged parts give the same result, bit for bit, as
//! one machine.

use std::collections::BTreeMap;
use std::ops::Range;

use meanfield::data::Artefact;
use meanfield::lab::{Raw, decode, encode};
use meanfield::protocol::VERSION;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::compute::{Computed, PreparedRun, Snapshots, UnitResults};
use super::{print_json, write};

/// Options for a run shared among machines.
#[derive(Default)]
pub struct ShareOptions {
    /// True to print the stages of the plan.
    pub plan: bool,
    /// Units to compute.
    pub units: Option<Range<usize>>,
    /// File for the results of these units.
    pub part: Option<String>,
    /// Parts of the earlier stages.
    pub after: Vec<String>,
    /// Parts of all units.
    pub merge: Vec<String>,
}

impl ShareOptions {
    /// Returns true if the run is not completed on this machine.
    pub fn is_partial(&self) -> bool {
        self.plan || self.units.is_some() || self.part.is_some() || !self.after.is_empty()
    }
}

/// Kind and version of a part's file.
const KIND: &str = "meanfield.part";
const FORMAT: u32 = 1;

/// Results of some units.
#[derive(Serialize, Deserialize)]
struct PartFile {
    version: String,
    task: String,
    /// The complete specification, with the hashes of the data that it names.
    spec: Raw,
    /// Ranges of units and their snapshots.
    shards: Vec<(Range<usize>, Vec<u8>)>,
}

/// Parses `A..B`.
pub fn parse_units(text: &str) -> Result<Range<usize>, &'static str> {
    let expected = "enter A..B: the first unit, counted from 0, and one past the last, as in 0..50";
    let (from, to) = text.split_once("..").ok_or(expected)?;
    let number = |text: &str| text.parse().map_err(|_| expected);
    let range = number(from)?..number(to)?;
    if range.is_empty() { Err(expected) } else { Ok(range) }
}

/// Prints the plan, or computes some units and writes them to a file.
///
/// # Errors
/// If the units do not belong to one stage, or a file cannot be used.
pub fn share(options: &ShareOptions, prepared: &PreparedRun) -> Result<(), String> {
    let plan = prepared.plan();
    let stages = plan.stages();
    let words = |units: &Range<usize>| format!("{}..{}", units.start, units.end);
    if options.plan {
        let stage = |stage: &Range<usize>| json!({ "units": words(stage), "cost": plan.cost(stage.clone()) });
        let stages: Vec<_> = stages.iter().map(stage).collect();
        print_json(&json!({ "event": "plan", "units": plan.units(), "stages": stages }));
        return Ok(());
    }
    let (Some(units), Some(file)) = (&options.units, &options.part) else {
        return Err("--units A..B needs --part FILE and vice versa; --after FILE… needs both".to_owned());
    };
    let Some(stage) = stages.iter().find(|stage| stage.contains(&units.start) && units.end <= stage.end)
    else {
        let ranges: Vec<String> = stages.iter().map(words).collect();
        return Err(format!("--units: enter a range within one stage; the stages are {}", ranges.join(", ")));
    };
    let earlier = collect(&options.after, prepared, 0..stage.start)?;
    let size = units.len().div_ceil(prepared.threads.max(1));
    let shards = units.clone().step_by(size).map(|from| from..units.end.min(from + size)).collect();
    let snapshots = prepared.run_stage(&earlier, shards, |_, _| {})?.snapshots;
    let ends = snapshots.keys().skip(1).copied().chain([units.end]).collect::<Vec<_>>();
    let shards = snapshots.into_iter().zip(ends).map(|((from, bytes), to)| (from..to, bytes)).collect();
    let (task, spec) = (prepared.task.meta().id.to_owned(), prepared.values.to_raw());
    let part = PartFile { version: VERSION.to_owned(), task, spec, shards };
    let artefact = Artefact { kind: KIND.to_owned(), format: FORMAT, bytes: encode(&part) };
    write(file, artefact.to_bytes())?;
    print_json(&json!({ "event": "part", "units": words(units), "file": file }));
    Ok(())
}

/// Merges the parts of all units.
///
/// # Errors
/// If a file cannot be read or belongs to another run, or units are missing or duplicated.
pub fn merge(files: &[String], prepared: &PreparedRun) -> Result<Computed, String> {
    let snapshots = collect(files, prepared, 0..prepared.plan().units())?;
    prepared.merge(UnitResults { snapshots, ..UnitResults::default() })
}

/// Reads the snapshots of exactly these units.
fn collect(files: &[String], prepared: &PreparedRun, units: Range<usize>) -> Result<Snapshots, String> {
    let mut found: BTreeMap<usize, (Range<usize>, Vec<u8>)> = BTreeMap::new();
    for file in files {
        for (range, bytes) in read(file, prepared)?.shards {
            if let Some((other, _)) = found.insert(range.start, (range, bytes)) {
                return Err(format!("unit {} is duplicated, the second time in {file}", other.start));
            }
        }
    }
    let mut next = units.start;
    for (range, _) in found.values() {
        if range.start != next {
            let (from, to) = (next.min(range.start), next.max(range.start));
            let problem = if range.start > next { "missing" } else { "duplicated" };
            return Err(format!("units {from}..{to} are {problem}"));
        }
        next = range.end;
    }
    if next < units.end {
        return Err(format!("units {next}..{} are missing", units.end));
    }
    if next > units.end {
        return Err(format!("only units {}..{} are needed here", units.start, units.end));
    }
    Ok(found.into_iter().map(|(from, (_, bytes))| (from, bytes)).collect())
}

/// Reads a part of the run.
fn read(file: &str, prepared: &PreparedRun) -> Result<PartFile, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let artefact =
        Artefact::read(&bytes).map_err(|error| format!("{file} is not a part of a run: {error}"))?;
    let known = artefact.kind == KIND && artefact.format == FORMAT;
    let part = known.then(|| decode::<PartFile>(&artefact.bytes).ok()).flatten();
    let part = part.ok_or_else(|| format!("{file} is not a part of a run"))?;
    if part.version != VERSION {
        return Err(format!("{file} was written by version {}; this is {VERSION}", part.version));
    }
    if (part.task.as_str(), &part.spec) != (prepared.task.meta().id, &prepared.values.to_raw()) {
        return Err(format!("{file} belongs to a run with other settings or data"));
    }
    Ok(part)
}
