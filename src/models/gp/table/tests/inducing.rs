//! Inducing points on a table.

use super::super::work::TableWork;
use super::*;
use crate::lab::{Budget, Work};

#[test]
fn with_a_point_at_every_row_the_results_are_those_of_tap() {
    let text = table(60);
    let settings = [("kernel", "matern32"), ("train_fraction", "0.7")];
    let full = solved(&text, &settings);
    let points = solved(&text, &[&settings[..], &[("inducing", "1000")]].concat());
    let ((_, full, exact), (main, ours, scores)) = (main_of(&full), main_of(&points));
    assert_eq!((ours.points, full.points), (Some(42), None));
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-4, "{a} {b}");
    near(scores.minus_g, exact.minus_g);
    near(scores.ln_loo, exact.ln_loo);
    assert_eq!((scores.loo_errors, scores.test_errors), (exact.loo_errors, exact.test_errors));
    ours.x.iter().zip(&full.x).for_each(|(a, b)| near(*a, *b));
    for (a, b) in ours.predictions.first_file().zip(full.predictions.first_file()) {
        near(a.p, b.p);
        near(a.mean, b.mean);
    }
    let Comparison { rows, tests, full, inducing, difference, .. } = main.comparison.unwrap();
    assert_eq!((rows, tests), (21, 21));
    assert!((full - inducing).abs() < 1e-4 && difference < 1e-4, "{full} {inducing} {difference}");
}

#[test]
fn few_points_are_close_to_tap_in_every_unit() {
    let text = table(400);
    let settings = [("train_fraction", "0.6"), ("fit", "evidence"), ("folds", "2"), ("sigma2_grid", "0.5,2")];
    let full = solved(&text, &settings);
    let (spec, snapshot) = run(&text, &[&settings[..], &[("inducing", "30")]].concat()).unwrap();
    let ((.., exact), (main, ours, scores)) = (main_of(&full), main_of(&snapshot));
    assert_eq!(ours.points, Some(30));
    assert!(scores.test_errors <= exact.test_errors + 3, "{scores:?} {exact:?}");
    assert!((scores.ln_loo / exact.ln_loo - 1.0).abs() < 0.1, "{scores:?} {exact:?}");
    assert!(snapshot.classifier.scan.iter().all(|solve| solve.scores.is_some()));
    assert!(snapshot.folds.iter().all(|fold| fold.p.is_some() && fold.before_fit.is_some()));
    let given = snapshot.classifier.given.as_ref().unwrap();
    assert!(given.comparison.is_none() && main.comparison.unwrap().difference > 0.0, "of the fitted model");
    let caption = &UserTable::figures(&spec, &snapshot)[0].caption;
    assert!(caption.contains("30 inducing points stand for 240 training rows"), "{caption}");
    assert!(caption.contains("the full model differ by"), "{caption}");
    let report = UserTable::report(&spec, &snapshot);
    assert_eq!((&report["inducing_points"], &report["comparison"]["rows"]), (&30.into(), &120.into()));
}

#[test]
fn several_classes_have_inducing_points_too() {
    let mut text = String::from("a,b,y\n");
    let mut stream = Stream::of(7, 0);
    for i in 0..120 {
        let class = i % 3;
        let [a, b] = [(); 2].map(|()| 0.4 * stream.normal());
        writeln!(text, "{},{},{}", a + class as f64, b - class as f64, ["x", "y", "z"][class]).unwrap();
    }
    let (spec, snapshot) = run(&text, &[("inducing", "12"), ("train_fraction", "0.5")]).unwrap();
    assert_eq!(UserTable::status(&spec, &snapshot).outcome, Outcome::Converged);
    for class in &snapshot.classes {
        let (main, solution) = class.classifier.solved().unwrap();
        assert_eq!((solution.points, main.comparison.is_some()), (Some(12), true));
    }
    let errors = UserTable::report(&spec, &snapshot)["test_errors"].as_u64().unwrap();
    assert!(errors <= 6, "{errors}");
}

#[test]
fn other_methods_and_retraining_are_refused_with_advice() {
    let problem = |pairs: Pairs| run(&table(40), pairs).unwrap_err();
    let method = problem(&[("inducing", "10"), ("method", "laplace")]);
    assert_eq!((method.field.as_str(), method.nearest.as_deref()), ("method", Some("tap")));
    let retraining = problem(&[("inducing", "10"), ("exact_loo", "true")]);
    assert_eq!((retraining.field.as_str(), retraining.nearest.as_deref()), ("exact_loo", Some("false")));
}

/// The first figure of a large table came only after the solve with all points.
#[test]
fn many_rows_have_a_preliminary_result_that_is_replaced() {
    let (store, named) = store(&table(4100));
    let spec = checked(&named, &[("fit", "none"), ("inducing", "128")]);
    let rows = TableRows::new(&spec, &store).unwrap();
    let mut work = TableWork::new((*spec).clone(), 2, rows, None);
    work.begin(0);
    let (mut spent, mut first) = (0, None);
    loop {
        let mut budget = Budget::new(Budget::SLICE);
        let done = work.step(&mut budget);
        spent += Budget::SLICE - budget.left();
        let snapshot = UserTable::merge(vec![work.snapshot()]);
        let given = snapshot.classifier.given.as_ref().unwrap();
        if let Some(solution) = &given.solution {
            let (points, is_preliminary) = (solution.points.unwrap(), given.is_preliminary());
            assert_eq!(is_preliminary, points == 32);
            let figure = UserTable::figures(&spec, &snapshot).remove(0);
            let says = (
                figure.caption.contains("Preliminary: 32 inducing points"),
                figure.finding.contains("Preliminary"),
            );
            assert_eq!(says, (is_preliminary, is_preliminary), "{} {}", figure.finding, figure.caption);
            first.get_or_insert((spent, points, given.solve.scores.unwrap()));
        }
        if done {
            break;
        }
    }
    let snapshot = work.snapshot();
    let (_, solution, scores) = main_of(&snapshot);
    let (before, points, preliminary) = first.unwrap();
    assert_eq!((points, solution.points), (32, Some(128)));
    assert!(3 * before < spent, "{before} of {spent} multiply–adds");
    assert!(preliminary.ln_loo < scores.ln_loo && preliminary.loo_errors < 2 * scores.loo_errors);
}
