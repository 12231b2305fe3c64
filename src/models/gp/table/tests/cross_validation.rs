//! Cross-validation and logistic regression.

use super::*;

#[test]
fn a_fold_is_predicted_by_a_classifier_of_the_other_folds() {
    let text = table(40);
    let settings = [("sigma2", "0.5"), ("v", "0.1"), ("folds", "4"), ("standardise", "false")];
    let all = solved(&text, &settings);
    assert_eq!(all.folds.len(), 4);
    let mut held: Vec<usize> = all.folds.iter().flat_map(|fold| fold.rows.clone()).collect();
    held.sort_unstable();
    assert_eq!(held, (0..40).collect::<Vec<_>>(), "each row is held out once");
    let first = &all.folds[0];
    // The same rows held out by a column.
    let (head, rows) = text.split_once('\n').unwrap();
    let mut named = format!("{head},part\n");
    for (i, row) in rows.lines().enumerate() {
        let part = if first.rows.contains(&i) { "test" } else { "train" };
        writeln!(named, "{row},{part}").unwrap();
    }
    let apart = [("sigma2", "0.5"), ("v", "0.1"), ("label", "y"), ("standardise", "false")];
    let apart = solved(&named, &apart);
    let test: Vec<f64> = main_of(&apart).1.predictions.test.iter().map(|row| row.p).collect();
    assert_eq!(Some(&test), first.p.as_ref());
    assert_eq!(cross_validated(&all.folds, Kept::Fitted, 40).unwrap()[first.rows[0]], test[0]);
}

#[test]
fn settings_are_fitted_again_in_every_fold() {
    let snapshot = solved(&table(30), &[("fit", "evidence"), ("folds", "2"), ("v", "0.1")]);
    let main = &snapshot.classifier.fitted.as_ref().unwrap().solve;
    assert_eq!(snapshot.folds.len(), 2);
    for fold in &snapshot.folds {
        assert!(fold.p.is_some());
        assert_ne!(fold.hyper.sigma2, main.hyper.sigma2, "other rows have other settings");
    }
}

#[test]
fn logistic_regression_predicts_the_test_rows_or_else_the_training_rows() {
    let text = table(60);
    let alone = solved(&text, &[("sigma2", "0.5")]);
    let Some(Baseline::TenFold(p)) = &alone.classifier.baseline else {
        panic!("{:?}", alone.classifier.baseline)
    };
    assert_eq!(p.len(), 60);
    let labels = &alone.classifier.given.as_ref().unwrap().table.labels;
    let wrong = p.iter().zip(labels).filter(|(p, label)| (**p - 0.5) * **label < 0.0).count();
    assert!((1..25).contains(&wrong), "{wrong}: the label is no linear function of the inputs");
    let tested = solved(&text, &[("sigma2", "0.5"), ("train_fraction", "0.5")]);
    assert!(matches!(&tested.classifier.baseline, Some(Baseline::Test(p)) if p.len() == 30));
    let figures = UserTable::figures(&checked("t.csv", &[]), &tested);
    let scores = figures.iter().find(|figure| figure.id == "scores").unwrap();
    assert_eq!(scores.x.names[0], "TAP, test rows");
    assert!(scores.x.names.iter().any(|name| name == "logistic, test rows"));
}

/// Fitted relevances pick noise columns that agree with the labels by chance.
#[test]
fn noise_is_no_better_than_chance_after_a_fit() {
    let mut stream = Stream::of(5, 0);
    let mut text = (0..12).fold(String::new(), |head, column| head + &format!("c{column},")) + "y\n";
    for row in 0..40 {
        (0..12).for_each(|_| write!(text, "{:.3},", stream.normal()).unwrap());
        writeln!(text, "{}", row % 2).unwrap();
    }
    let fitted = [("fit", "evidence"), ("fit_ard", "true"), ("v", "0.1")];
    let (spec, snapshot) = run(&text, &fitted).unwrap();
    let headline = &UserTable::report(&spec, &snapshot)["headline"];
    assert_eq!((&headline["rows"], &headline["count"]), (&"folds".into(), &40.into()));
    assert_eq!(headline["better_than_chance"], false, "{headline}");
    assert_eq!(headline["majority_error"], 0.5);
    assert!(headline["logistic_error"].as_f64().unwrap() > 0.3, "{headline}");
    let figures = UserTable::figures(&spec, &snapshot);
    let of = |id: &str| figures.iter().find(|figure| figure.id == id).unwrap();
    assert!(of("scores").x.names.iter().all(|name| !name.contains("leave-one-out")));
    for id in ["roc", "reliability"] {
        assert!(of(id).find("folds").is_some() && of(id).find("left_out").is_none(), "{id}");
    }
    assert!(figures[0].finding.contains("no better than chance"), "{}", figures[0].finding);
    // Test rows take the place of folds.
    let tested = [fitted[0], fitted[2], ("train_fraction", "0.5")];
    let (spec, snapshot) = run(&text, &tested).unwrap();
    assert_eq!(snapshot.folds.len(), 3, "three of five folds compare the settings");
    let figures = UserTable::figures(&spec, &snapshot);
    let scores = figures.iter().find(|figure| figure.id == "scores").unwrap();
    assert!(scores.x.names.iter().all(|name| !name.contains("folds")), "{:?}", scores.x.names);
    assert_eq!(UserTable::report(&spec, &snapshot)["headline"]["rows"], "test");
}

#[test]
fn a_skipped_row_is_not_left_out() {
    let text = table(20).replacen('\n', "\n,1,1,0\n", 1);
    let snapshot = solved(&text, &[("missing", "skip"), ("exact_loo", "true"), ("v", "0.1")]);
    assert_eq!(snapshot.classifier.retrained_errors(ClassWeights::Equal).unwrap().0, 20);
}
