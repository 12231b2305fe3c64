//! The command line: lists of tasks and settings, completion, exit status, and remarks in the result.

use std::process::Command;

use meanfield::lab::{Field, Role};
use meanfield::models::TASKS;
use serde_json::Value;

use crate::common::headless::{headless, headless_with, write};

/// Returns the output of `headless` with these arguments, and its exit status.
fn output(arguments: &[&str]) -> (String, i32) {
    let ran = Command::new(env!("CARGO_BIN_EXE_headless")).args(arguments).output().unwrap();
    (String::from_utf8(ran.stdout).unwrap(), ran.status.code().unwrap())
}

#[test]
fn every_task_and_setting_is_listed() {
    let (list, status) = output(&["--list"]);
    assert_eq!(status, 0);
    let named: Vec<&str> =
        list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert_eq!(named, TASKS.iter().map(|task| task.meta().id).collect::<Vec<_>>());
    for task in TASKS.iter() {
        let id = task.meta().id;
        let (help, status) = output(&["--help", id]);
        assert_eq!(status, 0, "{id}");
        for field in task.fields() {
            assert!(
                help.lines().any(|line| line.split_whitespace().next() == Some(field.key)),
                "{id} {}",
                field.key
            );
        }
        // A long word, such as the link of a preset, cannot be broken.
        let long = help.lines().filter(|line| line.chars().count() > 100 && line.trim().contains(' '));
        assert_eq!(long.filter(|line| !line.contains("default:")).count(), 0, "{help}");
    }
}

#[test]
fn lists_are_json_on_request() {
    let (list, _) = output(&["--list", "--json"]);
    let tasks: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(tasks.len(), TASKS.iter().count());
    let (one, status) = output(&["--help", "gp.data", "--json"]);
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!((status, one["task"].as_str()), (0, Some("gp.data")));
    assert!(tasks.contains(&one) && one["fields"]["sigma2"]["default"].is_string());
    assert_eq!(output(&["#/gp", "--json"]).1, 2, "a run prints JSON anyway");
}

#[test]
fn help_for_an_unknown_task_names_the_known_ones() {
    let ran = Command::new(env!("CARGO_BIN_EXE_headless")).args(["--help", "gp.dta"]).output().unwrap();
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(error.contains("gp.dta") && TASKS.iter().all(|task| error.contains(task.meta().id)), "{error}");
}

#[test]
fn words_are_completed_from_options_tasks_settings_and_values() {
    let complete = |previous: &str, word: &str| -> Vec<String> {
        let (found, status) = output(&["--complete", previous, word]);
        assert_eq!(status, 0);
        found.lines().map(str::to_owned).collect()
    };
    assert_eq!(complete("headless", "--save"), ["--save", "--save-run"]);
    assert_eq!(complete("headless", "#/gp.e"), ["#/gp.evidence?"]);
    assert_eq!(complete("headless", "#/gp.data?fit=lo"), ["#/gp.data?fit=loo"]);
    assert_eq!(complete("headless", "#/gp.data?fit=loo&stand"), ["#/gp.data?fit=loo&standardise="]);
    assert_eq!(
        complete("headless", "#/gp.data?standardise="),
        ["true", "false"].map(|value| format!("#/gp.data?standardise={value}"))
    );
    let ids = TASKS.iter().map(|task| task.meta().id).filter(|id| id.starts_with("nfa"));
    assert_eq!(complete("--help", "nfa"), ids.collect::<Vec<_>>());
    assert!(complete("--csv", "").is_empty(), "a file");
    assert!(complete("headless", "#/none?").is_empty());
}

/// Each shell has a script; the one for bash completes a quoted permalink.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_a_quoted_link() {
    for shell in ["bash", "zsh", "fish"] {
        let (script, status) = output(&["--completions", shell]);
        assert!(status == 0 && script.contains("headless --complete"), "{shell}");
    }
    assert_eq!(output(&["--completions", "tcsh"]).1, 1);
    let script = r#"PATH="$(dirname "$1"):$PATH"
        eval "$(headless --completions bash)"
        COMP_WORDS=(headless "'#/gp.e") COMP_CWORD=1
        _headless
        printf '%s\n' "${COMPREPLY[@]}""#;
    let headless = env!("CARGO_BIN_EXE_headless");
    let ran = Command::new("bash").args(["-c", script, "bash", headless]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "#/gp.evidence?\n", "{:?}", ran.stderr);
}

#[test]
fn a_run_without_a_result_has_exit_status_1() {
    let path = write("no_solution.csv", "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n");
    let links = [
        "feedforward.data?beta=inf",
        "gp.data?v=0&kappa=0",
        "feedforward.run?beta=inf&inputs=20&teacher=parity&alpha=4",
    ];
    for link in links {
        let data = if link.contains(".data") { format!("&data={}", path.display()) } else { String::new() };
        let (line, status) = headless(&format!("#/{link}{data}"));
        let outcome = line["status"].as_str();
        assert_eq!(
            (line["event"].as_str(), outcome, status),
            (Some("finished"), Some("no_result"), 1),
            "{line}"
        );
    }
}

#[test]
fn the_result_has_the_remarks_of_the_page() {
    let path =
        write("remarked.csv", "id,a,b,y\n7,1,-999,no\n8,2,1,yes\n9,3,2,no\n10,4,1.5,yes\n11,2,1,yes,2\n");
    let link = format!("#/gp.data?data={}&skip_malformed=true", path.display());
    let (line, status) = headless_with(&[&link]);
    assert_eq!(status, 0, "{line}");
    let reading = &line["reading"];
    let has = |list: &Value, word: &str| list.to_string().contains(word);
    assert!(has(&reading["remarks"], "row 6 has 5") && has(&reading["repairs"], "-999"), "{reading}");
    let figures = line["figures"].as_array().unwrap();
    let first = &figures[0];
    assert_eq!(first["id"], "predictions");
    assert!(
        has(&first["finding"], "in leave-one-out") && has(&first["caption"], "1 row whose number"),
        "{first}"
    );
}

#[test]
fn rows_to_predict_are_refused_by_a_task_that_predicts_none() {
    for task in TASKS.iter() {
        if Field::with_role(task.fields(), Role::SecondData).is_none() {
            let id = task.meta().id;
            let (rejected, status) = output(&[&format!("#/{id}"), "--predict", "rows.csv"]);
            assert!(
                status == 2 && rejected.contains("\"model\"") && rejected.contains("mlp.data"),
                "{id}: {rejected}"
            );
        }
    }
}
