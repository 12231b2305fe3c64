//! Inducing points on a table.

use super::*;

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
