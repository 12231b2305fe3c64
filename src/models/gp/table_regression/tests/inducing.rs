//! Inducing points on a table.

use super::*;
use crate::lab::{Budget, Work};

#[test]
fn with_a_point_at_every_row_the_results_are_those_of_the_full_model() {
    let text = table(90);
    let settings = [("train_fraction", "0.6"), ("fit", "none"), ("kernel", "matern32"), ("sigma2", "0.3")];
    let (_, full) = run(&text, &settings);
    let (spec, points) = run(&text, &[&settings[..], &[("inducing", "1000")]].concat());
    let [(_, full), (model, ours)] = [&full, &points].map(|snapshot| snapshot.shown().unwrap());
    assert_eq!((model.rows, model.points), (54, Some(54)));
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} {b}");
    near(ours.ln_evidence, full.ln_evidence);
    for (ours, full) in [
        (&ours.predictions.test, &full.predictions.test),
        (&ours.predictions.left_out, &full.predictions.left_out),
    ] {
        assert_eq!(ours.len(), full.len());
        for (ours, full) in ours.iter().zip(full) {
            near(ours.mean, full.mean);
            near(ours.sd, full.sd);
        }
    }
    for (ours, full) in ours.effects.iter().zip(&full.effects) {
        assert_eq!(ours.column, full.column);
    }
    let Comparison { rows, points: number, full, inducing, difference, .. } = points.comparison.unwrap();
    assert_eq!((rows, number, full.rows, inducing.rows), (27, 27, 27, 27));
    assert!(difference < 1e-5 && (full.rmse - inducing.rmse).abs() < 1e-5, "{difference}");
    assert_eq!(ProcessRegression::status(&spec, &points).outcome, Outcome::Converged);
}

#[test]
fn a_fit_by_few_points_is_close_and_says_that_it_is_approximate() {
    let text = table(500);
    let settings = [("train_fraction", "0.6"), ("fit_ard", "true")];
    let (full_spec, exact) = run(&text, &settings);
    let (spec, snapshot) = run(&text, &[&settings[..], &[("inducing", "40"), ("folds", "2")]].concat());
    let [ours, full] = [scores(&spec, &snapshot), scores(&full_spec, &exact)];
    assert!(ours.rmse < 1.1 * full.rmse && ours.ln_density > full.ln_density - 0.1, "{ours:?} {full:?}");
    let (model, solution) = snapshot.shown().unwrap();
    assert_eq!((model.points, snapshot.search.as_ref().unwrap().is_bound), (Some(40), true));
    assert!((1e-9..0.05).contains(&solution.unexplained), "{}", solution.unexplained);
    let given = snapshot.given.as_ref().unwrap().solution.as_ref().unwrap();
    assert!(solution.ln_evidence > given.ln_evidence + 5.0);
    assert!(snapshot.folds.iter().all(|fold| fold.model.points == Some(40)), "the folds as well");
    assert_eq!(snapshot.refitted.as_ref().unwrap().points, Some(40));
    let compared = snapshot.comparison.unwrap();
    assert!(compared.bound <= compared.ln_evidence && compared.difference > 0.0, "{compared:?}");
    let caption = &ProcessRegression::figures(&spec, &snapshot)[0].caption;
    assert!(
        caption.contains("The model is approximate: 40 inducing points stand for 300 training rows"),
        "{caption}"
    );
    assert!(caption.contains("the full model differ by"), "{caption}");
    let report = ProcessRegression::report(&spec, &snapshot);
    assert_eq!(report["model"]["inducing_points"], 40);
    assert_eq!(report["comparison"]["examples"], 150);
    // Without inducing points nothing is said of them.
    assert!(!ProcessRegression::figures(&full_spec, &exact)[0].caption.contains("inducing"));
}

#[test]
fn more_than_4000_rows_have_inducing_points_by_default() {
    let (spec, store) = load(&table(4_100), &[]);
    assert!(ProcessRegression::prepare(&spec, &store, None).is_ok());
    let points = |rows| spec.inducing_points(rows).map(|inducing| inducing.count);
    assert_eq!((points(4_000), points(4_100)), (None, Some(512)));
}

/// The first figure of a large table without test rows came only with the first fold.
#[test]
fn many_rows_have_a_preliminary_result_that_is_replaced() {
    let (spec, store) = load(&table(4200), &[("inducing", "128"), ("fit", "none")]);
    let read = rows::read(&spec, &store).unwrap();
    let mut work = work::RegressionTableWork::new(&spec, read, vec![units::RegressionUnit::Given], None);
    work.begin(0);
    let mut points = Vec::new();
    loop {
        let done = work.step(&mut Budget::new(Budget::SLICE));
        let snapshot = work.snapshot();
        if let Some((model, _)) = snapshot.shown() {
            let figure = ProcessRegression::figures(&spec, &snapshot).remove(0);
            let says = (figure.caption.contains("Preliminary: 32"), figure.finding.contains("Preliminary"));
            assert_eq!(says, (model.is_preliminary, model.is_preliminary), "{}", figure.caption);
            points.push(model.points);
        }
        if done {
            break;
        }
    }
    points.dedup();
    assert_eq!(points, [Some(32), Some(128)]);
}
