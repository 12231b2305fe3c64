//! The user's table, classified by a Gaussian process on the command line: compared with the exact small cases of
//! `tests/data/gp.json`; errors of unsuitable tables.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::assert::{ORACLE, all_near};
use crate::common::headless::{headless_with, write};
use crate::common::oracle::{self, numbers};

/// Returns the points of the reference as a table whose last rows are to be predicted; their labels are arbitrary. Tests run in
/// parallel: each has its own file.
fn tiny(reference: &Value, name: &str) -> PathBuf {
    let mut text = String::from("part;s1;s2;tau\n");
    let rows = reference["X"].as_array().unwrap().iter().zip(numbers(&reference["tau"]));
    let tests = reference["X_test"].as_array().unwrap().iter().map(|row| (row, 1.0));
    for ((row, tau), part) in rows.map(|r| (r, "train")).chain(tests.map(|r| (r, "test"))) {
        let s = numbers(row);
        writeln!(text, "{part};{};{};{tau}", s[0], s[1]).unwrap();
    }
    write(name, &text)
}

#[test]
fn the_exact_small_cases_as_csv() {
    let reference = oracle::gp();
    let reference = &reference["tiny"];
    let path = tiny(reference, "tiny_gp.csv");
    for config in reference["configs"].as_array().unwrap() {
        let kernel = config["kernel"].as_str().unwrap().replace("arcsin", "arcsine");
        let settings = format!(
            "data={}&standardise=false&exact_loo=true&kernel={kernel}&sigma2={}&v={}&kappa={}",
            path.display(),
            config["sigma2"],
            config["v"],
            config["kappa"]
        );
        for method in ["tap", "naive"] {
            let theirs = &config[method];
            let what = |key: &str| format!("{} {method} {key}", config["name"]);
            let (line, status) = headless_with(&[&format!("#/gp?{settings}&method={method}")]);
            assert_eq!((line["status"].as_str(), status), (Some("converged"), 0), "{line}");
            assert_eq!(line["model"], "gp.data");
            let result = &line["result"];
            all_near(&numbers(&result["x"]), &numbers(&theirs["x"]), ORACLE, &what("x"));
            all_near(&numbers(&result["gamma"]), &numbers(&theirs["gamma"]), ORACLE, &what("gamma"));
            let said = result["predictions"].as_array().unwrap();
            for key in ["mean", "var", "p"] {
                let ours: Vec<f64> = said.iter().map(|row| row[key].as_f64().unwrap()).collect();
                all_near(&ours, &numbers(&theirs[format!("test_{key}")]), ORACLE, &what(key));
            }
            assert_eq!(result["exact_loo_errors"], theirs["loo_errors_exact"], "{}", what("exact"));
            let fields: Vec<f64> = (result["exact_loo_predictions"].as_array().unwrap().iter())
                .map(|row| row["mean"].as_f64().unwrap())
                .collect();
            if method == "tap" {
                all_near(&numbers(&result["lambda"]), &numbers(&theirs["lambda_"]), ORACLE, &what("lambda"));
                all_near(
                    &[result["ln_evidence"].as_f64().unwrap()],
                    &[theirs["ln_evidence"].as_f64().unwrap()],
                    ORACLE,
                    "ln Z",
                );
                assert_eq!(result["train_errors"], theirs["train_errors"], "{}", what("train_errors"));
                assert_eq!(result["loo_errors"], theirs["loo_errors_cavity"], "{}", what("loo_errors"));
                all_near(&fields, &numbers(&theirs["exact_loo_fields"]), ORACLE, &what("exact_loo_fields"));
            } else {
                assert!(result["ln_evidence"].is_null(), "−G of the naive theory is no evidence");
                assert_eq!(
                    result["loo_errors"],
                    theirs["loo_errors_linear_response"],
                    "{}",
                    what("loo_errors")
                );
            }
        }
    }
}

#[test]
fn the_result_has_the_documented_keys() {
    let reference = oracle::gp();
    let path = tiny(&reference["tiny"], "keys_gp.csv");
    let link = format!("#/gp?data={}&sigma2_grid=0.1,0.5,1&fit=evidence&exact_loo=true", path.display());
    let (line, _) = headless_with(&[&link]);
    let result = &line["result"];
    let scalar = [
        "ln_evidence",
        "test_errors",
        "test_examples",
        "loo_errors",
        "train_errors",
        "outer_iterations",
        "newton_solves",
        "residual",
        "sigma2",
        "kappa",
        "v",
    ];
    for key in scalar.into_iter().chain(["exact_loo_errors"]) {
        assert!(result[key].is_number(), "{key}: {}", result[key]);
    }
    for key in ["x", "lambda", "gamma", "predictions"] {
        assert!(result[key].is_array(), "{key}");
    }
    let grid = result["grid"].as_array().unwrap();
    assert_eq!(grid.iter().map(|row| row["sigma2"].as_f64().unwrap()).collect::<Vec<_>>(), [0.1, 0.5, 1.0]);
    assert!(grid.iter().all(|row| scalar.iter().all(|key| row[key].is_number())));
    assert_eq!(result["test_examples"], 3);
    assert!(!result["fit_trace"].as_array().unwrap().is_empty());
}

#[test]
fn a_second_file_is_predicted_as_the_same_rows_of_one_file() {
    let reference = oracle::gp();
    let whole = tiny(&reference["tiny"], "whole_gp.csv");
    let text = fs::read_to_string(&whole).unwrap();
    let (mut train, mut test) = (String::new(), String::from("id,s2,s1\n"));
    for (i, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split(';').collect();
        if cells[0] == "test" {
            writeln!(test, "n{i},{},{}", cells[2], cells[1]).unwrap();
        } else {
            writeln!(train, "{};{};{}", cells[1], cells[2], cells[3]).unwrap();
        }
    }
    let (train, test) = (write("train_gp.csv", &train), write("new_gp.csv", &test));
    for settings in ["", "&method=laplace&kernel=arcsine&exact_loo=true", "&standardise=false&fit=evidence"] {
        let one = headless_with(&[&format!("#/gp?data={}{settings}", whole.display())]).0;
        let link = format!("#/gp?data={}&predict={}{settings}", train.display(), test.display());
        let (two, status) = headless_with(&[&link]);
        assert_eq!(status, 0, "{two}");
        assert!(two["spec"]["predict"].as_str().unwrap().starts_with("new_gp.csv@"));
        let (test, new) = (&one["result"]["predictions"], &two["result"]["predicted"]);
        assert_eq!(test.as_array().unwrap().len(), new.as_array().unwrap().len());
        for (i, (test, new)) in test.as_array().unwrap().iter().zip(new.as_array().unwrap()).enumerate() {
            for key in ["mean", "var", "p"] {
                assert_eq!(test[key], new[key], "{settings}");
            }
            assert_eq!(new["line"], i + 2);
        }
        assert_eq!(one["result"]["x"], two["result"]["x"]);
    }
    let (line, status) =
        headless_with(&[&format!("#/gp?data={}&predict=nowhere.csv@0123456789abcdef", train.display())]);
    assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("predict"), 2), "{line}");
    let lacking = write("lacking_gp.csv", "s1,tau\n1,0\n");
    let (line, _) = headless_with(&[&format!("#/gp?data={}&predict={}", train.display(), lacking.display())]);
    assert!(line["problems"][0]["expected"].as_str().unwrap().contains("“s2”"), "{line}");
}

/// Unsuitable tables are refused as by every classifier (`tables.rs`); these are settings of this model.
#[test]
fn errors_name_the_field() {
    let path = write("gp_good.csv", "a,b,y\n1,2,0\n1,3,1\n");
    // Column a is constant.
    for (query, field) in [("&ard=1,2", "ard"), ("&ignore=a&method=laplace&v=0", "v")] {
        let (line, status) = headless_with(&[&format!("#/gp?data={}{query}", path.display())]);
        assert_eq!((line["problems"][0]["field"].as_str(), status), (Some(field), 2), "{line}");
    }
}
