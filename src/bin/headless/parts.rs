//! A run shared among machines: each computes some of the units and writes a part; the parts are put together to the same
//! result, bit for bit, as on one machine.

use std::collections::BTreeMap;
use std::ops::Range;

use meanfield::data::{Artefact, Store};
use meanfield::lab::{Plan, Raw, Task, Values, decode, encode};
use meanfield::protocol::VERSION;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::compute::{Computed, plan_of, stage_of};
use super::say;

/// What of a run is asked for.
#[derive(Default)]
pub struct Share {
    /// The stages of its plan.
    pub plan: bool,
    /// Some of its units.
    pub units: Option<Range<usize>>,
    /// The file for what they give.
    pub part: Option<String>,
    /// Files of the stages before.
    pub after: Vec<String>,
    /// Files of all units.
    pub merge: Vec<String>,
}

impl Share {
    /// Whether the run is not to be completed here.
    pub fn is_partial(&self) -> bool {
        self.plan || self.units.is_some() || self.part.is_some() || !self.after.is_empty()
    }
}

/// What a file of some units' results says it is, and its version.
const KIND: &str = "meanfield.part";
const FORMAT: u32 = 1;

/// What is in such a file.
#[derive(Serialize, Deserialize)]
struct Part {
    version: String,
    task: String,
    /// The whole specification, with the hashes of the data that it names.
    spec: Raw,
    /// Ranges of units and their snapshots.
    shards: Vec<(Range<usize>, Vec<u8>)>,
}

/// `A..B`.
pub fn units(text: &str) -> Result<Range<usize>, &'static str> {
    let expected = "enter A..B: the first unit, counted from 0, and the one after the last, as in 0..50";
    let (from, to) = text.split_once("..").ok_or(expected)?;
    let number = |text: &str| text.parse().map_err(|_| expected);
    let range = number(from)?..number(to)?;
    if range.is_empty() { Err(expected) } else { Ok(range) }
}

/// Does what `asked` is, and leaves the run incomplete.
///
/// # Errors
/// If units do not belong to one stage of the run, or a file cannot be used.
pub fn share(
    asked: &Share,
    task: &'static dyn Task,
    values: &Values,
    data: &Store,
    jobs: usize,
) -> Result<(), String> {
    let plan = plan_of(task, values, data);
    if asked.plan {
        let stage = |stage: Range<usize>| json!({ "units": format!("{}..{}", stage.start, stage.end), "cost": plan.cost(stage) });
        let stages: Vec<_> = plan.stages().into_iter().map(stage).collect();
        say(&json!({ "event": "plan", "units": plan.units(), "stages": stages }));
        return Ok(());
    }
    let (Some(units), Some(file)) = (&asked.units, &asked.part) else {
        return Err("--units A..B and --part FILE belong together; --after FILE… is for them".to_owned());
    };
    let stages = plan.stages();
    let stage = stages.iter().find(|stage| stage.contains(&units.start) && units.end <= stage.end);
    let Some(stage) = stage else {
        let ranges: Vec<String> = stages.iter().map(|s| format!("{}..{}", s.start, s.end)).collect();
        return Err(format!(
            "--units: a range within one stage is needed; the stages are {}",
            ranges.join(", ")
        ));
    };
    let before = collect(&asked.after, task, values, 0..stage.start)?;
    let each = units.len().div_ceil(jobs.max(1));
    let shards = units.clone().step_by(each).map(|from| from..units.end.min(from + each)).collect();
    let (done, _) = stage_of(task, values, data, &before, shards, jobs, |_, _| {});
    let ends = done.keys().skip(1).copied().chain([units.end]).collect::<Vec<_>>();
    let shards = done.into_iter().zip(ends).map(|((from, bytes), to)| (from..to, bytes)).collect();
    let part =
        Part { version: VERSION.to_owned(), task: task.meta().id.to_owned(), spec: values.to_raw(), shards };
    let made = Artefact { kind: KIND.to_owned(), format: FORMAT, bytes: encode(&part) };
    std::fs::write(file, made.to_bytes()).map_err(|why| format!("{file}: {why}"))?;
    say(&json!({ "event": "part", "units": format!("{}..{}", units.start, units.end), "file": file }));
    Ok(())
}

/// The result of all parts in these files.
///
/// # Errors
/// If a file cannot be read, belongs to another run, or units are missing or there twice.
pub fn merge(
    files: &[String],
    task: &'static dyn Task,
    values: &Values,
    data: &Store,
) -> Result<Computed, String> {
    let plan: Plan = plan_of(task, values, data);
    let parts = collect(files, task, values, 0..plan.units())?;
    Computed::of(task, values, parts, Vec::new())
}

/// The snapshots of just these units, by first unit.
fn collect(
    files: &[String],
    task: &dyn Task,
    values: &Values,
    units: Range<usize>,
) -> Result<BTreeMap<usize, Vec<u8>>, String> {
    let mut found: BTreeMap<usize, (Range<usize>, Vec<u8>)> = BTreeMap::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|why| format!("{file}: {why}"))?;
        let made = Artefact::read(&bytes).map_err(|why| format!("{file} is not a part of a run: {why}"))?;
        let read = (made.kind == KIND && made.format == FORMAT).then(|| decode::<Part>(&made.bytes).ok());
        let part = read.flatten().ok_or_else(|| format!("{file} is not a part of a run"))?;
        if part.version != VERSION {
            return Err(format!("{file} was written by version {}; this is {VERSION}", part.version));
        }
        if (part.task.as_str(), &part.spec) != (task.meta().id, &values.to_raw()) {
            return Err(format!("{file} belongs to a run with other settings or data"));
        }
        for (range, bytes) in part.shards {
            if let Some((other, _)) = found.insert(range.start, (range.clone(), bytes)) {
                return Err(format!("unit {} is there twice, the second time in {file}", other.start));
            }
        }
    }
    let mut next = units.start;
    for (range, _) in found.values() {
        if range.start != next {
            let (from, to) = (next.min(range.start), next.max(range.start));
            let what = if range.start > next { "missing" } else { "there twice" };
            return Err(format!("units {from}..{to} are {what}"));
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
