//! Cross-validation, and what the classifier is compared with.

use super::*;
use crate::lab::Baseline;

#[test]
fn a_fold_is_what_training_without_its_rows_comes_to() {
    let text = table(40);
    let settings = [("sigma2", "0.5"), ("v", "0.1"), ("folds", "4"), ("standardise", "false")];
    let all = solved(&text, &settings);
    assert_eq!(all.folds.len(), 4);
    let mut held: Vec<usize> = all.folds.iter().flat_map(|fold| fold.rows.clone()).collect();
    held.sort_unstable();
    assert_eq!(held, (0..40).collect::<Vec<_>>(), "every row is held out once");
    let first = &all.folds[0];
    // The same rows kept apart by a column of their own.
    let (head, rows) = text.split_once('\n').unwrap();
    let mut named = format!("{head},part\n");
    for (i, row) in rows.lines().enumerate() {
        let part = if first.rows.contains(&i) { "test" } else { "train" };
        writeln!(named, "{row},{part}").unwrap();
    }
    let apart = [("sigma2", "0.5"), ("v", "0.1"), ("label", "y"), ("standardise", "false")];
    let apart = solved(&named, &apart);
    assert_eq!(Some(&main_of(&apart).1.test), first.predictions.as_ref());
    let p = all.cross_validated().unwrap();
    assert_eq!(p[first.rows[0]], first.predictions.as_ref().unwrap()[0].p);
}

#[test]
fn settings_are_fitted_anew_in_every_fold() {
    let snapshot = solved(&table(30), &[("fit", "evidence"), ("folds", "2"), ("v", "0.1")]);
    let main = &snapshot.main.as_ref().unwrap().attempt;
    assert_eq!(snapshot.folds.len(), 2);
    for fold in &snapshot.folds {
        assert!(fold.predictions.is_some());
        assert_ne!(fold.sigma2, main.sigma2, "other rows, other settings");
    }
}

#[test]
fn logistic_regression_predicts_the_rows_that_count() {
    let text = table(60);
    let alone = solved(&text, &[("sigma2", "0.5")]);
    let Some(Baseline::TenFold(p)) = &alone.baseline else { panic!("{:?}", alone.baseline) };
    assert_eq!(p.len(), 60);
    let labels = &alone.main.as_ref().unwrap().table.labels;
    let wrong = p.iter().zip(labels).filter(|(p, label)| (**p - 0.5) * **label < 0.0).count();
    assert!((1..25).contains(&wrong), "{wrong}: the label is no linear function of the inputs");
    let tested = solved(&text, &[("sigma2", "0.5"), ("train_fraction", "0.5")]);
    assert!(matches!(&tested.baseline, Some(Baseline::Test(p)) if p.len() == 30));
    let figures = OwnData::figures(&checked("t.csv", &[]), &tested);
    let scores = figures.iter().find(|figure| figure.id == "scores").unwrap();
    assert_eq!(scores.x.names[0], "TAP, test rows");
    assert!(scores.x.names.iter().any(|name| name == "logistic, test rows"));
}

#[test]
fn a_row_that_was_skipped_has_nothing_to_leave_out() {
    let text = table(20).replacen('\n', "\n,1,1,0\n", 1);
    let snapshot = solved(&text, &[("missing", "skip"), ("exact_loo", "true"), ("v", "0.1")]);
    assert_eq!(snapshot.exact_errors().unwrap().0, 20);
}
