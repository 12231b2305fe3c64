//! Labels of several classes: one classifier per class, and their combined probabilities.

use std::fmt::Write as _;

use serde_json::Value;

use crate::common::assert::all_near;
use crate::common::headless::{headless, headless_with, write};
use crate::common::oracle::numbers;

const CLASSES: [&str; 3] = ["ash", "birch", "elm"];

/// Returns three classes by the angle in the plane, with a row without a label; each third row is for the test.
fn table(name: &str, unlabelled: &str) -> String {
    let mut text = String::from("a,b,part,tree\n");
    for i in 0..45 {
        let angle = f64::from(i * 37 % 45) / 45.0 * std::f64::consts::TAU;
        let class = if i == 7 { unlabelled } else { CLASSES[(angle / 2.1) as usize] };
        let part = if i % 3 == 0 { "test" } else { "train" };
        writeln!(text, "{:.3},{:.3},{part},{class}", angle.cos(), angle.sin()).unwrap();
    }
    write(name, &text).display().to_string()
}

#[test]
fn each_one_vs_rest_problem_equals_that_class_chosen_as_positive() {
    let data = table("trees.csv", "");
    let second = write("more_trees.csv", "a,b\n-0.5,0.9\n1,0.1\n");
    let link = format!("#/gp.data?data={data}&predict={}&v=0.05&fit=none", second.display());
    let (line, status) = headless(&link);
    assert_eq!((line["status"].as_str(), status), (Some("converged"), 0), "{line}");
    let result = &line["result"];
    let names: Vec<&str> =
        result["classes"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    assert_eq!(names, CLASSES);
    let mut p: Vec<Vec<f64>> = Vec::new();
    for class in CLASSES {
        let (mut alone, _) = headless(&format!("{link}&positive={class}"));
        assert_eq!(alone["result"]["positive"], class);
        // The effects of the columns are those on the loss of two classes.
        let effects = alone["result"].as_object_mut().unwrap().remove("effects").unwrap();
        assert_eq!(effects.as_array().map(Vec::len), Some(2));
        let dependence = alone["result"].as_object_mut().unwrap().remove("dependence").unwrap();
        assert_eq!(dependence.as_array().map(Vec::len), Some(2));
        assert_eq!(result["one_against_others"][class], alone["result"], "{class}");
        p.push(
            alone["result"]["predictions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|r| r["p"].as_f64().unwrap())
                .collect(),
        );
    }
    let rows = result["predictions"].as_array().unwrap();
    let mut wrong = 0;
    for (i, row) in rows.iter().enumerate() {
        let all: f64 = p.iter().map(|p| p[i]).sum();
        let expected: Vec<f64> = p.iter().map(|p| p[i] / all).collect();
        all_near(&numbers(&row["p"]), &expected, 1e-14, "normalised");
        let most = (0..3).max_by(|a, b| expected[*a].total_cmp(&expected[*b])).unwrap();
        assert_eq!(row["predicted"], CLASSES[most]);
        wrong += usize::from(row["class"] != CLASSES[most]);
    }
    assert_eq!((rows.len(), result["examples"].as_u64()), (15, Some(29)));
    assert_eq!(result["test_errors"], wrong);
    assert!(wrong <= 3, "{wrong} of 15");
    let log_loss = |key: &str| result["scores"][key]["log_loss"]["value"].as_f64().unwrap();
    assert!(log_loss("test") < 0.5 * log_loss("frequencies") && log_loss("left_out").is_finite(), "{result}");
    assert!(log_loss("logistic") < log_loss("frequencies"));
    let called = |key: &str| -> Vec<&str> {
        result[key].as_array().unwrap().iter().map(|row| row["predicted"].as_str().unwrap()).collect()
    };
    assert_eq!((called("unlabelled").len(), called("predicted")), (1, vec!["ash", "ash"]));
}

#[test]
fn a_missing_value_code_is_not_a_class() {
    let data = table("coded_trees.csv", "gone");
    let classes = |settings: &str| {
        let (line, _) = headless(&format!("#/gp.data?data={data}&v=0.05{settings}"));
        assert_eq!(line["status"], "converged", "{line}");
        line["result"]["classes"].clone()
    };
    assert_eq!(classes("&na=gone").as_array().unwrap().len(), 3);
    // Then two classes are left, as in a table of two classes.
    let (line, _) = headless(&format!("#/gp.data?data={data}&v=0.05&na=gone,elm"));
    assert_eq!(
        (line["status"].as_str(), line["result"]["positive"].as_str()),
        (Some("converged"), Some("birch"))
    );
    // A class with a single row has no training row when that is left out.
    assert!(classes("").as_array().unwrap().contains(&Value::from("gone")));
}

#[test]
fn each_class_is_a_unit_with_its_own_fit() {
    let data = table("fitted_trees.csv", "");
    let link = format!("#/gp.data?data={data}&fit=evidence");
    let (plan, _) = headless_with(&[&link, "--plan"]);
    assert_eq!(
        plan["units"], 7,
        "three classes with the given settings, three fits, and the dependence on the columns: {plan}"
    );
    let (line, _) = headless(&link);
    for class in ["ash", "birch", "elm"] {
        let trace = &line["result"]["one_against_others"][class]["fit_trace"];
        assert!(trace.as_array().is_some_and(|trace| !trace.is_empty()), "{class}: {trace}");
    }
}

#[test]
fn several_classes_are_evaluated_in_folds_after_a_fit() {
    let data = table("judged_trees.csv", "");
    let link = format!("#/gp.data?data={data}&ignore=part&fit=evidence&v=0.05");
    let (line, _) = headless(&link);
    let headline = &line["result"]["headline"];
    assert_eq!((&headline["rows"], &headline["count"]), (&"folds".into(), &44.into()), "{line}");
    assert!(headline["errors"].as_f64().unwrap() < 10.0, "{headline}");
    assert!(headline["majority_error"].as_f64().unwrap() > 0.6, "{headline}");
    assert!(headline["logistic_error"].is_number() && headline["better_than_chance"] == true, "{headline}");
    let rows = |class: &str| {
        let folds = line["result"]["one_against_others"][class]["folds"].as_array().unwrap();
        folds.iter().map(|fold| fold["rows"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(rows("ash").len(), 5);
    assert_eq!(rows("ash"), rows("elm"), "the same rows for each class");
    let (tested, _) = headless(&link.replace("&ignore=part", ""));
    assert_eq!(tested["result"]["headline"]["rows"], "test");
    let ash = &tested["result"]["one_against_others"]["ash"];
    assert_eq!(ash["folds"].as_array().unwrap().len(), 3, "three folds compare given and fitted settings");
    assert!(ash["cross_validation_scores"].is_null(), "{ash}");
}

#[test]
fn settings_for_two_classes_are_refused_for_several() {
    let data = table("refused_trees.csv", "");
    let refused = |task: &str, settings: &str| {
        let (line, status) = headless(&format!("#/{task}?data={data}&{settings}"));
        assert_eq!((line["event"].as_str(), status), (Some("rejected"), 2), "{line}");
        let set = &line["problems"][0];
        (set["field"].as_str().unwrap().to_owned(), set["nearest"].as_str().map(str::to_owned))
    };
    let nearest = |field: &str, nearest: &str| (field.to_owned(), Some(nearest.to_owned()));
    assert_eq!(refused("gp.data", "exact_loo=true"), nearest("exact_loo", "false"));
    assert_eq!(refused("gp.data", "sigma2_grid=1,2"), nearest("sigma2_grid", ""));
    assert_eq!(refused("gp.data", "positive=oak"), nearest("positive", "elm"));
    assert_eq!(refused("gp.data", "label=a").0, "label");
    assert_eq!(refused("feedforward.data", ""), nearest("positive", "elm"));
    let (line, _) = headless(&format!("#/feedforward.data?data={data}&positive=elm"));
    assert_eq!(
        (line["event"].as_str(), line["result"]["positive"].as_str()),
        (Some("finished"), Some("elm"))
    );
}
