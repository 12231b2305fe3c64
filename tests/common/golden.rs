//! The small runs in `tests/golden/small_runs.txt`, which native and WebAssembly builds reproduce. A run is three
//! lines: its link, its amount of work, and hashes of all its numbers and of its snapshot. Changed work with the same numbers
//! is a slower or faster solver; a changed snapshot with the same numbers is another format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use meanfield::data::Hash;
use meanfield::lab::{Link, model_of};
use meanfield::models::{catalog, task};
use serde_json::Value;

use super::{parts, plan, small_links};

/// Keys of a report that count work and are not results.
const WORK: [&str; 10] = [
    "chains",
    "draws",
    "failed",
    "fit_trace",
    "iterations",
    "iterations_median",
    "newton_solves",
    "outer_iterations",
    "sweeps",
    "unconverged",
];

/// Computes every small run and returns three lines for each.
pub fn small_runs() -> String {
    let mut text = String::new();
    for link in small_links() {
        let Link { task: id, raw } = Link::parse(link);
        let revision = catalog().model(model_of(&id)).unwrap().revision();
        let task = task(&id).unwrap();
        let values = task.check(&raw).unwrap();
        let parts = parts(task, &raw, plan(task, &raw).stages());
        let report =
            task.result(&values, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap().report();
        let snapshot = parts.concat();
        let mut numbers = BTreeMap::new();
        flatten(&report, String::new(), &mut numbers);
        let numbers = numbers.iter().fold(String::new(), |mut text, (path, value)| {
            let _ = writeln!(text, "{path} = {value}");
            text
        });
        let mut work = BTreeMap::new();
        count(&report, &mut work);
        let work: Vec<_> = work.iter().map(|(key, counts)| format!("{key} {}", counts.join(","))).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{link}\n  work: {}\n  numbers {} of revision {revision}, snapshot {} of {} bytes",
            if work.is_empty() { "not counted".to_owned() } else { work.join(" · ") },
            Hash::of(numbers.as_bytes()),
            Hash::of(&snapshot),
            snapshot.len()
        );
    }
    text
}

/// Collects every leaf of a report by its path, in an order independent of the map type.
fn flatten(value: &Value, path: String, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| flatten(value, format!("{path}.{key}"), into));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| flatten(value, format!("{path}.{i:06}"), into));
        }
        // Words about numbers that the report has as well.
        Value::String(_) if path.ends_with(".headline") => {}
        leaf => drop(into.insert(path, leaf.to_string())),
    }
}

/// Collects the counts of work in a report by key, in the order of its lists.
fn count(value: &Value, into: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Object(map) => {
            let map: BTreeMap<_, _> = map.iter().collect();
            for (key, value) in map {
                match value {
                    Value::Null => {}
                    Value::Array(list) if WORK.contains(&key.as_str()) => {
                        into.entry(key.clone()).or_default().push(list.len().to_string());
                    }
                    leaf if WORK.contains(&key.as_str()) => {
                        into.entry(key.clone()).or_default().push(leaf.to_string());
                    }
                    inner => count(inner, into),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| count(value, into)),
        _ => {}
    }
}

/// Returns the lines of each run, by its link.
fn runs(text: &str) -> BTreeMap<String, Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let run = |run: &[&str]| (run[0].to_owned(), run[1..].iter().map(|l| l.trim().to_owned()).collect());
    lines.chunks(3).map(run).collect()
}

/// Returns the runs whose numbers have changed without a new revision of their model's results.
pub fn unannounced(ours: &str, golden: &str) -> Vec<String> {
    // The hash of the numbers, and their revision.
    let numbers = |lines: &[String]| {
        let [hash, revision] = lines[1].split_once(',')?.0.split_once(" of ").map(<[&str; 2]>::from)?;
        Some([hash, revision].map(str::to_owned))
    };
    let golden = runs(golden);
    let same = |new: &[String], old: &[String]| {
        let ([new, now], [old, then]) = (numbers(new)?, numbers(old)?);
        Some(new != old && now == then)
    };
    let changed =
        |link: &str, new: &[String]| same(new, golden.get(link)?).unwrap_or(false).then(|| link.to_owned());
    runs(ours).iter().filter_map(|(link, new)| changed(link, new)).collect()
}

/// Describes the differences of two such texts, run by run; empty if they are equal.
pub fn difference(ours: &str, golden: &str) -> String {
    let (ours, golden) = (runs(ours), runs(golden));
    let mut text = String::new();
    for link in ours.keys().chain(golden.keys().filter(|link| !ours.contains_key(*link))) {
        let (new, old) = (ours.get(link), golden.get(link));
        if new == old {
            continue;
        }
        let _ = writeln!(text, "{link}");
        for (sign, lines) in [("-", old), ("+", new)] {
            for line in lines.into_iter().flatten() {
                if !(new.is_some_and(|l| l.contains(line)) && old.is_some_and(|l| l.contains(line))) {
                    let _ = writeln!(text, "  {sign} {line}");
                }
            }
        }
    }
    text
}
