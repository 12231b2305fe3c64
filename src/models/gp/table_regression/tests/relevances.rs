//! Relevances beside one length scale, compared in folds.

use super::*;
use crate::figure::Figure;
use crate::lab::labelled_table::Kept;

/// Returns a table of the first benchmark of Friedman (1991), of which five of ten columns are relevant.
fn friedman(rows: usize) -> String {
    let mut stream = Stream::for_purpose(23, Purpose::Test(0), 0);
    let mut text = (0..10).fold(String::new(), |head, column| head + &format!("c{column},")) + "y\n";
    for _ in 0..rows {
        let x: Vec<f64> = (0..10).map(|_| stream.uniform()).collect();
        let curved = 10.0 * libm::sin(std::f64::consts::PI * x[0] * x[1]);
        let y = curved + 20.0 * (x[2] - 0.5) * (x[2] - 0.5) + 10.0 * x[3] + 5.0 * x[4] + stream.normal();
        for x in x {
            write!(text, "{x:.4},").unwrap();
        }
        writeln!(text, "{y:.4}").unwrap();
    }
    text
}

/// Returns a table whose target depends on no column.
fn noise(rows: usize, columns: usize) -> String {
    let mut stream = Stream::for_purpose(24, Purpose::Test(0), 0);
    let mut text = (0..columns).fold(String::new(), |head, column| head + &format!("c{column},")) + "y\n";
    for _ in 0..rows {
        for _ in 0..columns {
            write!(text, "{:.4},", stream.normal()).unwrap();
        }
        writeln!(text, "{:.4}", stream.normal()).unwrap();
    }
    text
}

fn figure(spec: &Checked<ProcessRegressionSpec>, snapshot: &ProcessRegressionSnapshot, id: &str) -> Figure {
    let figures = ProcessRegression::figures(spec, snapshot);
    figures.into_iter().find(|figure| figure.id == id).unwrap()
}

#[test]
fn relevances_are_kept_where_they_help() {
    let (spec, snapshot) = run(&friedman(90), &[("fit_ard", "true")]);
    assert_eq!(snapshot.kept(), Kept::Fitted, "{:?}", snapshot.held_out);
    let shown = snapshot.shown().unwrap().0;
    assert_eq!(Some(shown), snapshot.fitted.as_deref());
    let one = &snapshot.one_length_scale.as_ref().unwrap().values.weights;
    assert!(one.iter().all(|weight| *weight == one[0]));
    let caption = figure(&spec, &snapshot, "predictions").caption;
    assert!(caption.contains("weights help: mean log density −"), "{caption}");
    assert!(caption.contains(" on 90 held-out rows."), "{caption}");
    assert!(!figure(&spec, &snapshot, "weights").caption.contains("do not use"));
    assert_eq!(ProcessRegression::found(&spec, &snapshot)["ard"].split(',').count(), 10);
    let report = ProcessRegression::report(&spec, &snapshot);
    let (compared, kept) = (&report["held_out_comparison"], &report["cross_validation"]["ln_density"]);
    assert_eq!((&compared["kept"], &compared["rows"]), (&"fitted".into(), &90.into()));
    let density = |name: &str| compared[name].as_f64().unwrap();
    assert!(density("fitted") > density("one_length_scale") + 0.1, "{compared}");
    // The scores of the folds are those of the settings that are kept.
    assert!((kept.as_f64().unwrap() - density("fitted")).abs() < 1e-12, "{kept} {compared}");
}

/// Fitted relevances pick columns of noise that agree with the target by chance.
#[test]
fn relevances_of_noise_are_not_kept() {
    let text = noise(60, 12);
    let (spec, snapshot) = run(&text, &[("fit_ard", "true")]);
    assert_eq!(snapshot.kept(), Kept::OneLengthScale, "{:?}", snapshot.held_out);
    // The results are those of a run that fits no relevances.
    let (_, plain) = run(&text, &[]);
    let ((ours, ours_solved), (theirs, theirs_solved)) = (snapshot.shown().unwrap(), plain.shown().unwrap());
    assert_eq!((&ours.values, ours_solved), (&theirs.values, theirs_solved));
    assert_eq!(snapshot.kept_search(), plain.search.as_ref());
    for (ours, theirs) in snapshot.folds.iter().zip(&plain.folds) {
        assert_eq!(ours.solution(Kept::OneLengthScale), theirs.solution(Kept::Fitted));
    }
    assert_eq!(snapshot.effects(), plain.effects());
    assert!(!ProcessRegression::found(&spec, &snapshot).contains_key("ard"));
    let weights = figure(&spec, &snapshot, "weights");
    assert!(weights.caption.contains("do not use these weights: they do not raise"), "{}", weights.caption);
    let caption = figure(&spec, &snapshot, "predictions").caption;
    assert!(caption.contains("The results use one length scale."), "{caption}");
    let fit = figure(&spec, &snapshot, "fit");
    assert!(fit.marks.iter().any(|mark| mark.info().key == "one"), "the search of the results is shown");
    // Before the folds, one length scale is shown.
    let first = ProcessRegressionSnapshot { folds: Vec::new(), ..snapshot };
    let first = ProcessRegression::merge(vec![first]);
    assert_eq!((first.kept(), first.held_out.is_made()), (Kept::OneLengthScale, false));
}

/// With test rows, three of five folds choose, and the test rows evaluate the choice.
#[test]
fn test_rows_do_not_choose() {
    let text = friedman(120) + "0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,\n";
    let settings = [("train_fraction", "0.6"), ("fit_ard", "true"), ("inducing", "60")];
    let (spec, snapshot) = run(&text, &settings);
    let mut held: Vec<usize> = snapshot.folds.iter().flat_map(|fold| fold.held_out.clone()).collect();
    held.sort_unstable();
    held.dedup();
    assert!((40..=46).contains(&held.len()), "{} of 72 rows", held.len());
    let report = ProcessRegression::report(&spec, &snapshot);
    assert_eq!(report["evaluated"], "test");
    assert_eq!(report["held_out_comparison"]["rows"], held.len());
    assert!(report["cross_validation"].is_null(), "the folds were not requested");
    let names = format!("{:?}", figure(&spec, &snapshot, "errors").x);
    assert!(!names.contains("folds"), "{names}");
    // New rows are predicted and the full model is compared with the settings that are kept.
    let shown = snapshot.shown().unwrap().0;
    assert_eq!(snapshot.refitted.as_ref().unwrap().values, shown.values);
    assert_eq!(snapshot.comparison.unwrap().points, 36);
    // The other choice leaves the test rows to the other model.
    let mut other = snapshot.clone();
    for fold in &mut other.folds {
        let fold = std::rc::Rc::make_mut(fold);
        let one = fold.one_length_scale.as_mut().unwrap();
        std::mem::swap(one, &mut fold.model);
    }
    let other = ProcessRegression::merge(vec![other]);
    assert_ne!(other.kept(), snapshot.kept(), "{:?}", other.held_out);
    assert_ne!(other.shown().unwrap().0.values, shown.values);
}
