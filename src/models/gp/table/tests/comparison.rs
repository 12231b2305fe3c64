//! Given and fitted settings, compared in folds.

use super::*;

/// Returns a table with a label that depends on the first of `columns` columns, or on none, with `rows` rows.
pub fn one_relevant(rows: usize, columns: usize, is_relevant: bool) -> String {
    let mut stream = Stream::of(3, 0);
    let mut text = (0..columns).fold(String::new(), |head, column| head + &format!("c{column},")) + "y\n";
    for row in 0..rows {
        let inputs: Vec<f64> = (0..columns).map(|_| stream.normal()).collect();
        for x in &inputs {
            write!(text, "{x:.4},").unwrap();
        }
        let up = if is_relevant { inputs[0] * inputs[0] + 0.2 * stream.normal() > 0.5 } else { row % 2 == 0 };
        writeln!(text, "{}", u8::from(up)).unwrap();
    }
    text
}

const RELEVANCES: [(&str, &str); 3] = [("fit", "evidence"), ("fit_ard", "true"), ("v", "0.1")];

/// With seven columns of noise one length scale cannot follow the relevant one.
#[test]
fn relevances_are_kept_where_they_help() {
    let (spec, snapshot) = run(&one_relevant(100, 8, true), &RELEVANCES).unwrap();
    let ClassifierSnapshot { fitted, one_length_scale, comparison, .. } = &snapshot.classifier;
    assert_eq!(comparison.kept, Kept::Fitted, "{comparison:?}");
    assert_eq!(snapshot.classifier.shown(), fitted.as_ref());
    let one = &one_length_scale.as_ref().unwrap().solution.as_ref().unwrap().weights;
    assert!(one.iter().all(|weight| *weight == one[0]));
    let first = UserTable::figures(&spec, &snapshot).remove(0);
    assert!(first.caption.contains("Column weights help: log loss"), "{}", first.caption);
    assert!(first.caption.contains("the weight of each column were tuned"), "{}", first.caption);
    let found = UserTable::found(&spec, &snapshot);
    assert_eq!(found["ard"].split(',').count(), 8);
    let report = UserTable::report(&spec, &snapshot);
    let losses = &report["held_out_comparison"];
    assert_eq!(losses["kept"], "fitted");
    assert!(losses["fitted"].as_f64() < losses["one_length_scale"].as_f64(), "{losses}");
    // Folds are predicted with the settings that are kept.
    let value = report["cross_validation_scores"]["log_loss"]["value"].as_f64().unwrap();
    assert!((value - losses["fitted"].as_f64().unwrap()).abs() < 1e-12);
}

/// Fitted relevances pick columns of noise that agree with the labels by chance.
#[test]
fn relevances_of_noise_are_not_kept() {
    let (spec, snapshot) = run(&one_relevant(60, 12, false), &RELEVANCES).unwrap();
    let comparison = &snapshot.classifier.comparison;
    assert_ne!(comparison.kept, Kept::Fitted, "{comparison:?}");
    let shown = snapshot.classifier.solved().unwrap().1;
    assert!(shown.weights.iter().all(|weight| *weight == shown.weights[0]), "one weight for all columns");
    assert!(!UserTable::found(&spec, &snapshot).contains_key("ard"));
    let figures = UserTable::figures(&spec, &snapshot);
    assert!(!figures[0].caption.contains("the weight of each column were tuned"), "{}", figures[0].caption);
    let weights = figures.iter().find(|figure| figure.id == "weights").unwrap();
    assert!(weights.caption.contains("do not use these weights"), "{}", weights.caption);
    // Before the folds, one length scale is shown.
    let mut first = snapshot.clone();
    first.folds = Vec::new();
    first = UserTable::merge(vec![first]);
    assert_eq!(first.classifier.kept(), Kept::OneLengthScale);
}

/// With test rows, three of five folds choose, and the test rows evaluate the choice.
#[test]
fn test_rows_do_not_choose() {
    let text = one_relevant(100, 6, true);
    let (spec, snapshot) = run(&text, &[&RELEVANCES[..], &[("train_fraction", "0.6")]].concat()).unwrap();
    let mut held: Vec<usize> = snapshot.folds.iter().flat_map(|fold| fold.rows.clone()).collect();
    held.sort_unstable();
    held.dedup();
    let count = held.len();
    assert!((33..=39).contains(&count), "{count} of 60 rows");
    let report = UserTable::report(&spec, &snapshot);
    assert_eq!(report["headline"]["rows"], "test");
    assert_eq!(report["held_out_comparison"]["rows"], count);
    assert!(report["cross_validation_scores"].is_null());
}

/// The given σ² is that of the generator; a search that ends elsewhere makes the predictions worse.
#[test]
fn the_given_settings_are_kept_where_tuning_does_not_help() {
    let (spec, tuned) = run(&table(60), &[("fit", "evidence")]).unwrap();
    assert_eq!(tuned.classifier.comparison.kept, Kept::Fitted);
    // The same folds with the predictions exchanged.
    let mut worse = tuned.clone();
    for fold in &mut worse.folds {
        std::mem::swap(&mut fold.p, &mut fold.before_fit);
    }
    let worse = UserTable::merge(vec![worse]);
    assert_eq!(worse.classifier.shown(), tuned.classifier.given.as_ref());
    let figure = UserTable::figures(&spec, &worse).remove(0);
    assert!(figure.caption.contains("Tuning by evidence has not helped: log loss"), "{}", figure.caption);
    assert!(figure.caption.contains("The given settings are kept."), "{}", figure.caption);
    assert!(!figure.caption.contains("optimistic"), "{}", figure.caption);
    assert_eq!(
        UserTable::found(&spec, &worse),
        Raw::new(),
        "there are no better settings to enter in the form"
    );
    let report = UserTable::report(&spec, &worse);
    assert_eq!((&report["sigma2"], &report["held_out_comparison"]["kept"]), (&0.3.into(), &"given".into()));
    let value = report["cross_validation_scores"]["log_loss"]["value"].as_f64().unwrap();
    assert_eq!(Some(value), report["before_fit"]["log_loss"].as_f64());
}

/// Each class has a comparison of its own.
#[test]
fn classes_are_compared_one_by_one() {
    let mut stream = Stream::of(4, 0);
    let mut text = String::from("a,b,c,d,y\n");
    for _ in 0..90 {
        let [a, b, c, d] = [(); 4].map(|()| stream.normal());
        let class = if a > 0.4 {
            "right"
        } else if b * b > 0.6 {
            "outer"
        } else {
            "inner"
        };
        writeln!(text, "{a:.4},{b:.4},{c:.4},{d:.4},{class}").unwrap();
    }
    let (spec, snapshot) = run(&text, &RELEVANCES).unwrap();
    assert_eq!(snapshot.classes.len(), 3);
    for class in &snapshot.classes {
        assert!(class.classifier.comparison.is_made() && class.classifier.one_length_scale.is_some());
        assert_eq!(class.folds.len(), 5);
    }
    let report = UserTable::report(&spec, &snapshot);
    let caption = &UserTable::figures(&spec, &snapshot)[0].caption;
    let simpler =
        snapshot.classes.iter().filter(|class| class.classifier.kept() == Kept::OneLengthScale).count();
    assert_eq!(caption.contains("column weights bring no clear improvement"), simpler > 0, "{caption}");
    let each = report["one_against_others"].as_object().unwrap();
    assert!(each.values().all(|class| class["held_out_comparison"]["one_length_scale"].is_number()));
}
