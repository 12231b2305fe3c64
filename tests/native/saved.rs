//! Runs as files: written by one process, read by another, without the data and without computing again; and the page to print.

use std::fs;
use std::path::{Path, PathBuf};

use meanfield::lab::SavedRun;
use serde_json::Value;

use crate::common::headless::{headless_with, write};

fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned()
}

/// Saves a run on a table of its own, whose file is gone afterwards.
fn saved(name: &str, query: &str) -> (String, Value) {
    let table = write(&format!("{name}-train.csv"), include_str!("../../assets/data/example.csv"));
    let run = file(&format!("{name}.run.bin"));
    let link = format!("#/{name}?data={}&{query}", table.to_string_lossy().replace('/', "%2F"));
    let (line, status) = headless_with(&[&link, "--save-run", &run]);
    assert_eq!((status, &line["event"]), (0, &Value::from("finished")), "{line}");
    fs::remove_file(table).unwrap();
    (run, line)
}

/// Returns a few rows of the example without their label.
fn new_rows(name: &str) -> String {
    let rows = include_str!("../../assets/data/example.csv").lines().take(9);
    let inputs: Vec<&str> = rows.map(|row| row.rsplit_once(',').unwrap().0).collect();
    let inputs = inputs.join("\n");
    write(&format!("{name}-new.csv"), &inputs).to_string_lossy().into_owned()
}

/// Returns the numbers in the last rows of a file of predictions.
fn numbers(path: &str, rows: usize) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let cells = lines[lines.len() - rows..].iter().flat_map(|line| line.split(','));
    cells.filter_map(|cell| cell.parse().ok()).collect()
}

/// Asserts that a saved run is refused, with and without new rows, once its results are cut.
fn assert_refused_if_cut(name: &str, run: &str, new: &str) {
    let mut saved = SavedRun::read(&fs::read(run).unwrap()).unwrap().unwrap();
    for (_, bytes) in &mut saved.shards {
        let half = bytes.len() / 2;
        bytes.truncate(half);
    }
    let cut = file(&format!("{name}-cut.run.bin"));
    fs::write(&cut, saved.to_bytes()).unwrap();
    for arguments in [vec![cut.as_str()], vec![&cut, "--predict", new]] {
        let (line, status) = headless_with(&arguments);
        assert_ne!(status, 0, "{line}");
        assert!(line.to_string().contains(&format!("a snapshot of {name} cannot be read")), "{line}");
    }
}

/// Asserts that a saved run with a second file predicts it again with the same results.
fn assert_answered_again(name: &str, run: &str, new: &str, line: &Value) {
    let with_second = file(&format!("{name}-second.run.bin"));
    assert_eq!(headless_with(&[run, "--predict", new, "--save-run", &with_second]).1, 0, "{name}");
    let (again, status) = headless_with(&[&with_second, "--predict", new]);
    assert_eq!((status, &again["result"], &again["spec"]), (0, &line["result"], &line["spec"]), "{name}");
}

#[test]
fn a_saved_run_is_its_result_and_predicts_new_rows() {
    let tasks = [
        ("gp.data", "fit=evidence&train_fraction=0.5"),
        ("feedforward.data", "train_fraction=0.5"),
        ("mlp.data", "label=pulse&ignore=diagnosis&hidden=2&restarts=2"),
        ("gp.regression", "label=pulse&ignore=diagnosis&train_fraction=0.5&fit_ard=true"),
        ("nfa.data", "ignore=diagnosis&sources=1&hidden=4&sweeps=120"),
    ];
    for (name, query) in tasks {
        let (run, computed) = saved(name, query);
        let (read, status) = headless_with(&[&run]);
        assert_eq!((status, &read["result"]), (0, &computed["result"]), "{name}");
        assert!(Path::new(&run).is_file());
        let (new, out) = (new_rows(name), file(&format!("{name}-new.out.csv")));
        let (line, status) = headless_with(&[&run, "--predict", &new, "--csv", &out]);
        assert_eq!(status, 0, "{name}: {line}");
        assert_refused_if_cut(name, &run, &new);
        assert_answered_again(name, &run, &new, &line);
        // The same as a run from the beginning that predicts them too.
        let table = write(&format!("{name}-again.csv"), include_str!("../../assets/data/example.csv"));
        let [table, new] = [&table.to_string_lossy(), new.as_str()].map(|path| path.replace('/', "%2F"));
        let (link, direct) =
            (format!("#/{name}?data={table}&predict={new}&{query}"), file(&format!("{name}-direct.csv")));
        let figure = if name == "nfa.data" { "loadings" } else { "predictions" };
        assert_eq!(headless_with(&[&link, "--csv", &direct, "--figure", figure]).1, 0);
        let (found, expected) = (numbers(&out, 8), numbers(&direct, 8));
        assert!(found.len() >= 16, "{name}: {found:?}");
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn artefacts_of_a_run_are_saved_and_parts_are_merged() {
    let link = "#/feedforward?inputs=15&alphas=0.5,1&runs=6&seed=3";
    let [part, run] = ["saved.part", "merged.run.bin"].map(file);
    let units = headless_with(&[link, "--plan"]).0["units"].to_string();
    assert_eq!(headless_with(&[link, "--units", &format!("0..{units}"), "--part", &part]).1, 0);
    let (merged, status) = headless_with(&[link, "--save-run", &run, "--merge", &part]);
    assert_eq!(status, 0, "{merged}");
    assert_eq!(headless_with(&[&run]).0["result"], merged["result"]);
    let (network, bin) = (file("trained.run.bin"), file("trained.bin"));
    let link = "#/sbn?per_digit=12&epochs=1&rates=0.02&digits=2";
    let (line, status) = headless_with(&[link, "--save-run", &network]);
    assert_eq!(status, 0, "{line}");
    let (line, status) = headless_with(&[&network, "--save", &bin]);
    assert_eq!((status, Path::new(&bin).is_file()), (0, true), "{line}");
}

#[test]
fn a_report_is_one_page() {
    let page = file("report.html");
    let (line, status) = headless_with(&["#/gp.data?data=example&train_fraction=0.3", "--report", &page]);
    assert_eq!(status, 0, "{line}");
    let html = fs::read_to_string(page).unwrap();
    assert!(
        html.matches("<svg ").count() >= 4
            && html.contains("test rows are misclassified")
            && html.contains("data=example")
    );
    assert!(html.contains("Read as: 200 rows × 7 columns, separator “,”"), "how the table was read");
}

#[test]
fn invalid_commands_are_refused() {
    let damaged = write("damaged.run.bin", "\0mflart\u{1}nothing").to_string_lossy().into_owned();
    let (line, status) = headless_with(&[&damaged]);
    assert_eq!((status, &line["event"]), (2, &Value::from("rejected")));
    assert!(line.to_string().contains("damaged"), "{line}");
    let (line, status) = headless_with(&["#/feedforward", "--predict", "x.csv"]);
    assert_eq!(status, 2);
    assert!(line.to_string().contains("gp.data"), "{line}");
}
