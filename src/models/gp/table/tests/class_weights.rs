//! Class weights.

use serde_json::Value;

use super::*;

/// Returns a table in which one row in ten is of class 1, with overlapping classes: a ∼ N(±1, 1).
fn imbalanced(rows: usize) -> String {
    let mut stream = Stream::of(11, 0);
    let mut text = String::from("a,y\n");
    for row in 0..rows {
        let rare = row.is_multiple_of(10);
        let a = stream.normal() + if rare { 1.0 } else { -1.0 };
        writeln!(text, "{a},{}", u8::from(rare)).unwrap();
    }
    text
}

/// Returns the report and the figures of a run with these settings, and with them and balanced class weights.
fn both(text: &str, settings: Pairs) -> [(Value, Vec<crate::figure::Figure>); 2] {
    ["equal", "balanced"].map(|weights| {
        let (spec, snapshot) = run(text, &[settings, &[("class_weights", weights)]].concat()).unwrap();
        (UserTable::report(&spec, &snapshot), UserTable::figures(&spec, &snapshot))
    })
}

/// A class weight is a change of the odds by the frequencies of the classes: 9 to 1.
#[test]
fn balanced_predictions_find_the_rare_class() {
    let settings = [("v", "0.1"), ("sigma2", "2"), ("folds", "4"), ("exact_loo", "true")];
    let [(equal, _), (balanced, figures)] = both(&imbalanced(200), &settings);
    let odds = |row: &Value| {
        let p = row["p"].as_f64().unwrap();
        p / (1.0 - p)
    };
    for rows in ["loo_predictions", "exact_loo_predictions"] {
        let [before, after] = [&equal, &balanced].map(|report| report[rows].as_array().unwrap());
        for (before, after) in before.iter().zip(after) {
            assert!((odds(after) / odds(before) - 9.0).abs() < 1e-6, "{rows}: {before} {after}");
            assert_eq!(before["mean"], after["mean"]);
        }
    }
    // Recall of the rare class rises at the cost of the frequent one, and the balanced error falls; the fit is the same.
    let rates = |report: &Value| {
        let rows = report["loo_predictions"].as_array().unwrap();
        let misses = |row: usize| {
            f64::from(u8::from((rows[row]["p"].as_f64().unwrap() > 0.5) != row.is_multiple_of(10)))
        };
        let of =
            |rare: bool| (0..200_usize).filter(|row| row.is_multiple_of(10) == rare).map(misses).sum::<f64>();
        [of(true) / 20.0, of(false) / 180.0]
    };
    let ([missed, alarms], [missed_before, alarms_before]) = (rates(&balanced), rates(&equal));
    assert!(missed < missed_before - 0.2 && alarms > alarms_before, "{missed} {missed_before} {alarms}");
    let error = balanced["headline"]["balanced_error"].as_f64().unwrap();
    assert!(
        (error - f64::midpoint(missed, alarms)).abs() < 1e-12
            && error < f64::midpoint(missed_before, alarms_before)
    );
    let errors = balanced["loo_errors"].as_f64().unwrap();
    assert!((errors - (20.0 * missed + 180.0 * alarms)).abs() < 1e-9, "{errors}");
    assert_eq!(balanced["ln_evidence"], equal["ln_evidence"]);
    assert_eq!(balanced["loo_scores"]["auc"]["value"], equal["loo_scores"]["auc"]["value"]);
    // Baselines are for the same population.
    assert_eq!(
        (&equal["headline"]["majority_error"], &balanced["headline"]["majority_error"]),
        (&0.1.into(), &0.5.into())
    );
    let frequencies = balanced["baselines"]["frequencies"]["log_loss"]["value"].as_f64().unwrap();
    assert!((frequencies - core::f64::consts::LN_2).abs() < 1e-12);
    let logistic = |report: &Value| report["headline"]["logistic_error"].as_f64().unwrap();
    assert!(logistic(&balanced) > logistic(&equal), "the rare class counts as much as the other");
    assert!(figures[0].finding.contains("Balanced error (mean over 2 classes)"), "{}", figures[0].finding);
    assert!(figures[0].caption.contains("Class weights are balanced"), "{}", figures[0].caption);
}

/// The frequencies of bins are those of the rows of the table: reliability is that of the unchanged probabilities.
#[test]
fn reliability_does_not_depend_on_class_weights() {
    let [(_, equal), (_, balanced)] = both(&imbalanced(100), &[("v", "0.1"), ("sigma2", "2")]);
    let dots = |figures: &[crate::figure::Figure]| -> Vec<(f64, f64)> {
        let figure = figures.iter().find(|figure| figure.id == "reliability").unwrap();
        figure.find("left_out").unwrap().data().map(|datum| (datum.x, datum.y)).collect()
    };
    let (equal, balanced) = (dots(&equal), dots(&balanced));
    assert_eq!(equal.len(), balanced.len());
    for (a, b) in equal.iter().zip(&balanced) {
        assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-12, "{a:?} {b:?}");
    }
}

#[test]
fn several_classes_are_balanced_together() {
    let mut stream = Stream::of(12, 0);
    let mut text = String::from("a,y\n");
    for row in 0..120 {
        let (name, centre) = match row % 12 {
            0 => ("rare", 1.0),
            1..4 => ("some", 0.0),
            _ => ("most", -1.0),
        };
        writeln!(text, "{},{name}", centre + 0.7 * stream.normal()).unwrap();
    }
    let [(equal, _), (balanced, figures)] = both(&text, &[("v", "0.1"), ("sigma2", "1")]);
    let classes: Vec<&str> =
        equal["classes"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let share = |class: usize| match classes[class] {
        "rare" => 1.0,
        "some" => 3.0,
        _ => 8.0,
    };
    let p = |report: &Value, row: usize| -> Vec<f64> {
        let row = &report["loo_predictions"][row]["p"];
        row.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect()
    };
    for row in 0..120 {
        let (before, after) = (p(&equal, row), p(&balanced, row));
        let sum: f64 = before.iter().enumerate().map(|(k, p)| p / share(k)).sum();
        for k in 0..3 {
            assert!((after[k] - before[k] / share(k) / sum).abs() < 1e-12, "{before:?} {after:?}");
        }
    }
    let error = balanced["scores"]["left_out"]["error"]["value"].as_f64().unwrap();
    assert!((error - balanced["headline"]["balanced_error"].as_f64().unwrap()).abs() < 1e-12);
    assert!((balanced["headline"]["majority_error"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert!(figures[0].finding.contains("Balanced error (mean over 3 classes)"), "{}", figures[0].finding);
}
