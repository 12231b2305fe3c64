//! A run shared among processes, as a scheduler would: units by range, parts as files, and all of them put together.

use std::path::PathBuf;

use serde_json::Value;

use crate::common::headless::{headless, headless_with};

fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

/// Computes units of `link` and returns the file of what they give.
fn part(link: &str, units: &str, after: &[String], name: &str) -> String {
    let file = file(&format!("{name}-{}.part", units.replace("..", "-")));
    let mut arguments = vec![link, "--units", units, "--part", &file];
    if !after.is_empty() {
        arguments.push("--after");
        arguments.extend(after.iter().map(String::as_str));
    }
    let (line, status) = headless_with(&arguments);
    assert_eq!((status, &line["event"]), (0, &Value::from("part")), "{line}");
    file
}

fn merged(link: &str, files: &[String]) -> (Value, i32) {
    let mut arguments = vec![link, "--merge"];
    arguments.extend(files.iter().map(String::as_str));
    headless_with(&arguments)
}

#[test]
fn processes_that_share_a_run_give_the_bits_of_one() {
    let link = "#/feedforward?inputs=15&alphas=0.5,1,2&runs=6&seed=3";
    let (plan, _) = headless_with(&[link, "--plan"]);
    let units = plan["units"].as_u64().unwrap();
    assert_eq!(plan["stages"].as_array().unwrap().len(), 1, "{plan}");
    // Out of order, in unequal ranges, on another number of threads.
    let files = [format!("5..{units}"), "0..1".to_owned(), "1..5".to_owned()];
    let files = files.map(|units| part(link, &units, &[], "curve"));
    let (together, status) = merged(link, &files);
    let (alone, _) = headless(link);
    assert_eq!((status, &together["result"]), (0, &alone["result"]));
    assert_ne!(together["result"], Value::Null);
    let error = |files: &[String], link: &str| {
        let (line, status) = merged(link, files);
        assert_eq!((status, &line["event"]), (1, &Value::from("failed")));
        line["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(error(&files[..2], link), "units 1..5 are missing");
    let twice = [files.to_vec(), files[1..2].to_vec()].concat();
    assert!(error(&twice, link).starts_with("unit 0 is duplicated"));
    assert!(error(&files, "#/feedforward?inputs=15").ends_with("other settings or data"));
    // A file with one other bit is no part.
    let mut bytes = std::fs::read(&files[2]).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&files[2], bytes).unwrap();
    assert!(error(&files, link).ends_with("is not a part of a run: damaged or incomplete"));
}

#[test]
fn a_later_stage_takes_the_parts_of_those_before() {
    let link = "#/gp.data?data=example&train_fraction=0.2&fit=evidence&folds=2";
    let (plan, _) = headless_with(&[link, "--plan"]);
    let stages: Vec<&str> =
        plan["stages"].as_array().unwrap().iter().map(|stage| stage["units"].as_str().unwrap()).collect();
    assert_eq!(stages.len(), 4, "{plan}");
    let (line, status) = headless_with(&[link, "--units", "0..100", "--part", &file("none.part")]);
    assert_eq!(status, 1);
    assert!(line["error"].as_str().unwrap().contains(stages[0]), "{line}");
    let mut files: Vec<String> = Vec::new();
    for stage in &stages {
        let next = part(link, stage, &files, "fit");
        files.push(next);
    }
    let (together, status) = merged(link, &files);
    let (alone, _) = headless(link);
    assert_eq!((status, &together["result"]), (0, &alone["result"]));
    assert_eq!(together["result"]["folds"].as_array().unwrap().len(), 2);
}
