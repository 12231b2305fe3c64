//! Tests of the regression on a table, from text to figures.

use std::fmt::Write as _;

use super::*;
use crate::data::{DataRef, Store};
use crate::lab::labelled_table::numeric::TestScores;
use crate::lab::{Checked, Outcome, Raw, TypedTask, complete, raw_of};
use crate::math::random::{Purpose, Stream};

mod inducing;
mod relevances;

/// Returns a table with targets 100 (f + noise) of a smooth f of two columns, with noise of standard deviation .1, a column that is not
/// used and one that never changes; the last row has no target.
fn table(rows: usize) -> String {
    let mut stream = Stream::for_purpose(21, Purpose::Test(0), 0);
    let mut text = "who,a,b,none,same,price\n".to_owned();
    for i in 0..rows {
        let [a, b, none] = [4.0, 2.0, 1.0].map(|range| range * stream.uniform());
        let t = 100.0 * (libm::sin(1.5 * (a - 2.0)) + 0.3 * b + 0.1 * stream.normal()) + 1000.0;
        writeln!(text, "p{i},{a:.4},{b:.4},{none:.4},1,{t:.3}").unwrap();
    }
    text + "new,2.5,1.0,0.5,1,\n"
}

fn load(text: &str, pairs: &[(&'static str, &str)]) -> (Checked<ProcessRegressionSpec>, Store) {
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let mut raw: Raw = raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
    raw.insert("data".into(), DataRef::file("prices.csv", text.as_bytes()).to_string());
    if text.starts_with("who") {
        raw.insert("id".into(), "who".into());
    }
    (Checked::new(&raw).unwrap(), store)
}

fn run(
    text: &str,
    pairs: &[(&'static str, &str)],
) -> (Checked<ProcessRegressionSpec>, ProcessRegressionSnapshot) {
    let (spec, store) = load(text, pairs);
    let snapshot = complete::<ProcessRegression>(&spec, &store).unwrap();
    (spec, snapshot)
}

fn scores(spec: &ProcessRegressionSpec, snapshot: &ProcessRegressionSnapshot) -> TestScores {
    evaluation::Evaluation::of(spec, snapshot).unwrap().scores
}

#[test]
fn a_smooth_function_and_its_noise_are_found_by_the_evidence() {
    let (spec, snapshot) = run(&table(150), &[("train_fraction", "0.6"), ("fit_ard", "true")]);
    let table = snapshot.table.as_ref().unwrap();
    assert_eq!((table.trained, table.tests.len(), table.unlabelled.len()), (90, 60, 1));
    assert_eq!(
        (&table.names[..], &table.constant[..]),
        (&["a", "b", "none"].map(String::from)[..], &["same".to_owned()][..])
    );
    let scores = scores(&spec, &snapshot);
    // The noise is 10 and the standard deviation of the targets about 75, in units of the table.
    assert!((8.0..13.0).contains(&scores.rmse) && scores.r2.unwrap() > 0.95, "{scores:?}");
    assert!((0.85..=1.0).contains(&scores.coverage[2]), "{scores:?}");
    assert!((scores.ln_density + 3.8).abs() < 0.3, "{scores:?}");
    let se = scores.rmse_se.unwrap();
    assert!((0.3..2.0).contains(&se), "{se}");
    let baselines = snapshot.baselines.unwrap();
    let (linear, mean) = (baselines.linear.unwrap(), baselines.mean.unwrap());
    assert!(scores.rmse < 0.5 * linear.rmse && linear.rmse < mean.rmse, "{linear:?} {mean:?}");
    // The noise in the units of the table, and the relevances.
    let (model, solution) = snapshot.shown().unwrap();
    let given = snapshot.given.as_ref().unwrap().solution.as_ref().unwrap();
    assert!(solution.ln_evidence > given.ln_evidence + 5.0);
    let relevances = model.values.relevances();
    assert!(relevances[0] > 1.0 && relevances[2] < 0.1, "{relevances:?}");
    assert!((relevances.iter().sum::<f64>() - 3.0).abs() < 1e-12);
    // Leave-one-out agrees with the test rows.
    let left_out = evaluation::Evaluation::left_out(table, solution).unwrap().scores;
    assert!((left_out.rmse / scores.rmse - 1.0).abs() < 0.3, "{left_out:?}");
    let predicted = snapshot.predictions().unwrap();
    assert_eq!(predicted.1, 150, "rows without a target are predicted from all others");
    let PredictedTarget { mean, sd } = predicted.0.unlabelled[0];
    let expected = 100.0 * (libm::sin(0.75) + 0.3) + 1000.0;
    assert!((mean - expected).abs() < 15.0 && (8.0..16.0).contains(&sd), "{mean} ± {sd}, not {expected}");
    assert_eq!(ProcessRegression::status(&spec, &snapshot).outcome, Outcome::Converged);
}

#[test]
fn figures_file_and_report_follow_the_rows() {
    let second = "b,a,none,who,same,price\n1,2,0,next,1,0\n";
    let text = table(60);
    let (spec, mut store) = load(
        &text,
        &[
            ("train_fraction", "0.5"),
            ("fit_ard", "true"),
            ("predict", &DataRef::file("s.csv", second.as_bytes()).to_string()),
        ],
    );
    store.load(second.as_bytes()).unwrap();
    let snapshot = complete::<ProcessRegression>(&spec, &store).unwrap();
    let figures = ProcessRegression::figures(&spec, &snapshot);
    let ids: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    assert_eq!(ids[..6], ["predictions", "asked", "intervals", "errors", "calibration", "effects"]);
    assert_eq!(ids[6..], ["dependence-1", "dependence-2", "dependence-3", "weights", "fit"]);
    let finding = &figures[0].finding;
    assert!(
        finding.starts_with("The typical error of price on 30 test rows is ")
            && finding.contains("; linear regression: "),
        "{finding}"
    );
    for part in [
        "mean of the training rows: ",
        " of the bars contain the true value (95 % expected).",
        "Before the fit: root mean squared error",
    ] {
        assert!(figures[0].caption.contains(part), "{}", figures[0].caption);
    }
    let file = ProcessRegression::records(&spec, &snapshot).unwrap();
    assert_eq!(file.file, "prices-predictions.csv");
    let lines: Vec<Vec<&str>> = file.csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..5], ["line", "who", "part", "price", "predictive mean"]);
    assert_eq!(lines.len(), 1 + 30 + 30 + 1 + 1);
    let original: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    for line in &lines[1..62] {
        // The ID is that of the line in the table.
        let number: usize = line[0].parse().unwrap();
        let row = &original[number - 1];
        assert_eq!(line[1], row[0]);
        let same = |a: &str, b: &str| (a.parse::<f64>().unwrap() - b.parse::<f64>().unwrap()).abs() < 1e-6;
        assert!(line[3].is_empty() && row[5].is_empty() || same(line[3], row[5]), "{line:?} {row:?}");
    }
    assert_eq!(lines[61][..4], ["62", "new", "no target", ""]);
    assert_eq!(lines[62][..4], ["2", "next", "second file", ""]);
    let report = ProcessRegression::report(&spec, &snapshot);
    assert_eq!((&report["evaluated"], &report["new_rows"]["examples"]), (&"test".into(), &60.into()));
    let mean: f64 = lines[62][4].parse().unwrap();
    assert_eq!(report["new_rows"]["second"][0]["mean"].as_f64(), Some(mean));
    assert_eq!(report["effects"][0]["column"], "a");
}

/// Returns the inverse and the determinant of a matrix by Gauss–Jordan elimination with pivots.
fn inverse_and_determinant(mut a: Vec<Vec<f64>>) -> (Vec<Vec<f64>>, f64) {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    let mut determinant = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        if pivot != k {
            a.swap(k, pivot);
            determinant = -determinant;
        }
        let head = a[k].clone();
        determinant *= head[k];
        for (i, row) in a.iter_mut().enumerate() {
            let factor = if i == k { 1.0 - 1.0 / head[k] } else { row[k] / head[k] };
            row.iter_mut().zip(&head).for_each(|(x, h)| *x -= factor * h);
        }
    }
    (a.into_iter().map(|row| row[n..].to_vec()).collect(), determinant)
}

/// With two columns and no fit, the whole run by dense formulas.
#[test]
fn a_run_equals_a_dense_computation() {
    let row = |i: usize| [((i * 7) % 11) as f64 - 5.0, ((i * 5) % 13) as f64 / 4.0];
    let target = |i: usize| 3.0 * libm::sin(row(i)[0] / 2.0) + row(i)[1] + ((i * 3) % 5) as f64 / 10.0;
    let m = 24;
    let mut text = "x,y,t,part\n".to_owned();
    for i in 0..m + 4 {
        let part = if i < m { "train" } else { "test" };
        writeln!(text, "{},{},{},{part}", row(i)[0], row(i)[1], target(i)).unwrap();
    }
    let pairs = [
        ("fit", "none"),
        ("label", "t"),
        ("standardise", "false"),
        ("sigma2", "0.8"),
        ("ard", "1.5,0.5"),
        ("amplitude", "1.2"),
        ("noise", "0.25"),
    ];
    let (spec, snapshot) = run(&text, &pairs);
    let (_, solution) = snapshot.shown().unwrap();
    let targets: Vec<f64> = (0..m).map(target).collect();
    let mean = targets.iter().sum::<f64>() / m as f64;
    let size = (targets.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / m as f64).sqrt();
    let w = [1.5 / 1.6, 0.5 / 1.6];
    let prior = |i: usize, j: usize| {
        let (a, b) = (row(i), row(j));
        let square = (0..2).map(|n| w[n] * (a[n] - b[n]) * (a[n] - b[n])).sum::<f64>();
        1.44 * libm::exp(-0.5 * square)
    };
    let c = |i: usize, j: usize| prior(i, j) + if i == j { 0.0625 } else { 0.0 };
    let (inverse, determinant) =
        inverse_and_determinant((0..m).map(|i| (0..m).map(|j| c(i, j)).collect()).collect());
    let t: Vec<f64> = targets.iter().map(|t| (t - mean) / size).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let times = |b: &[f64]| inverse.iter().map(|row| dot(row, b)).collect::<Vec<f64>>();
    let alpha = times(&t);
    let near =
        |ours: f64, exact: f64| assert!((ours - exact).abs() < 1e-10 * (1.0 + exact.abs()), "{ours} {exact}");
    let tau = std::f64::consts::TAU;
    near(solution.ln_evidence, -0.5 * (dot(&t, &alpha) + determinant.ln() + m as f64 * tau.ln()));
    let check = |ours: &PredictedTarget, f: f64, var: f64| {
        near(ours.mean, mean + size * f);
        near(ours.sd, size * var.sqrt());
    };
    for (at, ours) in (m..).zip(&solution.predictions.test) {
        let k: Vec<f64> = (0..m).map(|i| prior(i, at)).collect();
        check(ours, dot(&k, &alpha), prior(at, at) - dot(&k, &times(&k)) + 0.0625);
    }
    for (i, ours) in solution.predictions.left_out.iter().enumerate() {
        check(ours, t[i] - alpha[i] / inverse[i][i], 1.0 / inverse[i][i]);
    }
    assert_eq!(solution.predictions.test.len(), 4);
    let found = scores(&spec, &snapshot);
    let errors: Vec<f64> = (m..).zip(&solution.predictions.test).map(|(i, at)| target(i) - at.mean).collect();
    near(found.mae, errors.iter().map(|e| e.abs()).sum::<f64>() / 4.0);
    assert!(snapshot.folds.is_empty() && snapshot.fitted.is_none());
}

#[test]
fn without_test_rows_the_folds_evaluate_the_fit() {
    let (spec, snapshot) = run(&table(60), &[]);
    let found = evaluation::Evaluation::of(&spec, &snapshot).unwrap();
    assert_eq!((found.name().as_str(), found.scores.rows), ("rows in 5-fold cross-validation", 60));
    let lines: Vec<usize> = found.targets.iter().map(|row| row.line).collect();
    assert_eq!(lines, (2..62).collect::<Vec<_>>(), "each training row once, in order");
    assert!((8.0..20.0).contains(&found.scores.rmse), "{:?}", found.scores);
    assert_eq!(snapshot.baselines.unwrap().mean.unwrap().rows, 60);
    assert_eq!(snapshot.effects()[0].rows, 60, "the effects are those of the folds");
    assert!(snapshot.refitted.is_none());
    // Without a fit and groups leave-one-out is not optimistic, and there are no folds.
    let (spec, snapshot) = run(&table(40), &[("fit", "none")]);
    let found = evaluation::Evaluation::of(&spec, &snapshot).unwrap();
    assert_eq!((found.name().as_str(), snapshot.folds.len()), ("training rows (leave-one-out)", 0));
}

#[test]
fn rows_of_a_group_are_held_out_together() {
    let mut text = "a,patient,y\n".to_owned();
    let mut stream = Stream::for_purpose(22, Purpose::Test(0), 0);
    for patient in 0..15 {
        let (a, y) = (stream.normal(), stream.normal());
        for row in 0..3 {
            let near = 0.01 * f64::from(row);
            writeln!(text, "{},p{patient},{}", a + near, y + near).unwrap();
        }
    }
    let (spec, snapshot) =
        run(&text, &[("group", "patient"), ("fit", "none"), ("sigma2", "0.01"), ("noise", "0.1")]);
    let found = scores(&spec, &snapshot);
    let (_, solution) = snapshot.shown().unwrap();
    let left_out =
        evaluation::Evaluation::left_out(snapshot.table.as_ref().unwrap(), solution).unwrap().scores;
    assert!(left_out.rmse < 0.2 && found.rmse > 0.7, "{left_out:?} {found:?}");
    for fold in &snapshot.folds {
        assert!(
            fold.held_out.chunks(3).all(|rows| rows.iter().all(|row| row / 3 == rows[0] / 3)),
            "{fold:?}"
        );
    }
}

#[test]
fn found_settings_give_the_model_that_was_fitted() {
    let text = table(60);
    for ard in ["false", "true"] {
        let (spec, snapshot) = run(&text, &[("train_fraction", "0.7"), ("fit_ard", ard)]);
        let mut found = ProcessRegression::found(&spec, &snapshot);
        found.extend(
            [("train_fraction", "0.7"), ("id", "who")].map(|(key, text)| (key.to_owned(), text.to_owned())),
        );
        found.insert("data".into(), DataRef::file("prices.csv", text.as_bytes()).to_string());
        let spec = Checked::<ProcessRegressionSpec>::new(&found).unwrap();
        let mut store = Store::default();
        store.load(text.as_bytes()).unwrap();
        let again = complete::<ProcessRegression>(&spec, &store).unwrap();
        let [fitted, given] = [&snapshot, &again].map(|snapshot| snapshot.shown().unwrap().1);
        assert!(
            (fitted.ln_evidence - given.ln_evidence).abs() < 1e-8,
            "{} {}",
            fitted.ln_evidence,
            given.ln_evidence
        );
        let [fitted, given] = [&snapshot, &again].map(|snapshot| snapshot.predictions().unwrap().0);
        for (a, b) in
            fitted.test.iter().chain(&fitted.unlabelled).zip(given.test.iter().chain(&given.unlabelled))
        {
            assert!((a.mean - b.mean).abs() < 1e-6 && (a.sd - b.sd).abs() < 1e-6, "{a:?} {b:?}");
        }
    }
}

#[test]
fn unsuitable_settings_and_tables_are_refused_with_advice() {
    let refused = |text: &str, pairs: &[(&'static str, &str)]| {
        let (spec, store) = load(text, pairs);
        ProcessRegression::prepare(&spec, &store, None).err().unwrap().remove(0)
    };
    let relevances = refused(&table(20), &[("ard", "1,2")]);
    assert_eq!((relevances.field.as_str(), relevances.nearest.as_deref()), ("ard", Some("1,1,1")));
    let words = refused("a,y\n1,yes\n2,no\n3,yes\n4,no\n", &[]);
    assert_eq!(words.field, "label", "{words:?}");
    let zero = raw_of([("ard", "0,1".to_owned())]);
    let error = Checked::<ProcessRegressionSpec>::new(&zero).err().unwrap().remove(0);
    assert_eq!(error.nearest.as_deref(), Some("0.001,1"));
}

#[test]
fn noise_that_is_lost_in_rounding_gives_no_result_but_advice() {
    let settings = [("fit", "none"), ("noise", "0.001"), ("amplitude", "1000"), ("sigma2", "1000")];
    let (spec, snapshot) = run(&table(150), &settings);
    assert!(snapshot.shown().is_none());
    let status = ProcessRegression::status(&spec, &snapshot);
    assert_eq!(status.outcome, Outcome::NoResult);
    assert!(status.reason.unwrap().contains("increase the noise"));
    assert!(ProcessRegression::figures(&spec, &snapshot)[0].marks.is_empty());
    // A fit that starts there finds a model.
    let (spec, snapshot) = run(&table(150), &settings[1..]);
    assert_ne!(ProcessRegression::status(&spec, &snapshot).outcome, Outcome::NoResult);
    assert!(scores(&spec, &snapshot).r2.unwrap() > 0.9);
}
