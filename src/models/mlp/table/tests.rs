//! Tests of the regression on a table, from text to figures.

use std::fmt::Write as _;

use super::*;
use crate::data::{DataRef, Store};
use crate::lab::labelled_table::DependencePoint;
use crate::lab::labelled_table::numeric::PredictedTarget;
use crate::lab::{Checked, Raw, TypedTask, complete};
use crate::math::random::{Purpose, Stream};

/// Targets 100 (f + noise) of a smooth f with noise of standard deviation .1; the last row has no target.
fn table() -> String {
    let mut text = "a,b,same,price\n".to_owned();
    let mut state = 7_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    for _ in 0..120 {
        let (a, b) = (4.0 * uniform() - 2.0, 2.0 * uniform());
        let noise: f64 = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let t = 100.0 * (libm::sin(1.5 * a) + 0.3 * b + 0.1 * noise);
        writeln!(text, "{a:.4},{b:.4},1,{t:.3}").unwrap();
    }
    text.push_str("0.5,1.0,1,\n");
    text
}

fn run(pairs: &[(&str, &str)]) -> (Checked<TableSpec>, TableSnapshot) {
    run_on(&table(), pairs)
}

fn run_on(text: &str, pairs: &[(&str, &str)]) -> (Checked<TableSpec>, TableSnapshot) {
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let name = DataRef::file("prices.csv", text.as_bytes()).to_string();
    let mut raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    raw.insert("data".into(), name);
    let spec = Checked::new(&raw).unwrap();
    let snapshot = complete::<NetworkRegression>(&spec, &store).unwrap();
    (spec, snapshot)
}

#[test]
fn a_smooth_function_and_its_noise_are_estimated() {
    let (spec, snapshot) = run(&[("restarts", "2"), ("hidden", "3")]);
    let table = snapshot.table.as_ref().unwrap();
    assert_eq!((table.trained + table.tests.len(), table.unlabelled.len()), (120, 1));
    assert_eq!(table.constant, ["same"]);
    let full = snapshot.best(0, Approximation::Full).unwrap();
    let scores = full.details.scores.unwrap();
    // The noise is 10 and the standard deviation of the targets about 75, in units of the table.
    assert!(scores.mse < 0.06, "{scores:?}");
    assert!((0.8..=1.0).contains(&scores.coverage[2]), "{scores:?}");
    assert!(scores.ln_density > -4.6, "{scores:?}");
    let PredictedTarget { mean, sd } = *full.details.predicted.last().unwrap();
    let expected = 100.0 * (libm::sin(0.75) + 0.3);
    assert!(
        (mean - expected).abs() < 15.0 && (6.0..20.0).contains(&sd),
        "{mean} ± {sd} instead of {expected}"
    );
    let figures = NetworkRegression::figures(&spec, &snapshot);
    assert_eq!(
        figures.iter().map(|f| f.id.as_str()).collect::<Vec<_>>(),
        ["predictions", "errors", "calibration", "effects", "dependence-1", "dependence-2", "asked"]
    );
    // The function is nonlinear, and the inputs are informative.
    let rmse = |which: fn(&TargetBaselines) -> Option<TestScores>| {
        snapshot.baseline(which, |scores| scores.rmse).mean
    };
    let (linear, mean) = (rmse(|all| all.linear), rmse(|all| all.mean));
    assert!(
        (6.0..15.0).contains(&scores.rmse) && scores.rmse < 0.5 * linear && linear < mean,
        "{linear} {mean}"
    );
    assert_eq!(table.tests.len(), 36);
    let best = snapshot.lowest_bound().unwrap();
    let r2 = best.details.scores.unwrap().r2.unwrap();
    assert!(r2 > 0.9 && figures[0].caption.contains(&format!("(R² {r2:.2})")), "{}", figures[0].caption);
    let report = NetworkRegression::report(&spec, &snapshot);
    assert_eq!(report["fits"][best.method.index()]["test_r2"], r2);
}

#[test]
fn a_linear_function_is_predicted_for_a_second_file() {
    let mut text = "who,a,y\n".to_owned();
    for i in 0..80 {
        let off = f64::from((i * 37) % 11) - 5.0;
        writeln!(text, "p{i},{i},{}", 3.0 * f64::from(i) + 4.0 * off).unwrap();
    }
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let second = "y,a,who\n0,10,new\n";
    store.load(second.as_bytes()).unwrap();
    let raw = [
        ("data", DataRef::file("line.csv", text.as_bytes()).to_string()),
        ("predict", DataRef::file("new.csv", second.as_bytes()).to_string()),
        ("id", "who".to_owned()),
        ("hidden", "2".to_owned()),
        ("restarts", "2".to_owned()),
    ];
    let spec = Checked::new(&crate::lab::raw_of(raw)).unwrap();
    let snapshot = complete::<NetworkRegression>(&spec, &store).unwrap();
    let linear = snapshot.baseline(|all| all.linear, |scores| scores.rmse).mean;
    // The noise has standard deviation 12.6.
    assert!((9.0..17.0).contains(&linear), "{linear}");
    let file = NetworkRegression::records(&spec, &snapshot).unwrap().csv;
    let last: Vec<&str> = file.lines().last().unwrap().split(',').collect();
    assert_eq!(last[..4], ["2", "new", "second file", ""]);
    assert!((last[4].parse::<f64>().unwrap() - 30.0).abs() < 15.0, "{last:?}");
}

#[test]
fn the_file_of_predictions_has_one_line_per_row() {
    let (spec, snapshot) = run(&[("restarts", "1"), ("hidden", "2")]);
    let (table, file) =
        (snapshot.table.as_ref().unwrap(), NetworkRegression::records(&spec, &snapshot).unwrap());
    assert_eq!(file.file, "prices-predictions.csv");
    let lines: Vec<Vec<&str>> = file.csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..5], ["line", "part", "price", "predictive mean", "predictive sd"]);
    assert_eq!(lines[0][5..], ["lower 95 %", "upper 95 %"]);
    assert_eq!(lines.len(), 1 + table.tests.len() + 1);
    for (line, row) in lines[1..].iter().zip(&table.tests) {
        assert_eq!((line[0].parse(), line[1], line[2].parse()), (Ok(row.line), "test row", Ok(row.target)));
    }
    let PredictedTarget { mean, sd } = snapshot.new_rows(spec.splits).unwrap().0[0];
    assert_eq!(lines.last().unwrap()[..5], ["122", "no target", "", &mean.to_string(), &sd.to_string()]);
}

#[test]
fn both_schemes_reach_the_same_optimum_and_fixed_precisions_stay() {
    let common = [("restarts", "1"), ("hidden", "2")];
    let of = |more: &[(&str, &str)]| run(&[&common[..], more].concat()).1;
    let [joint, alternating] = ["joint", "alternating"].map(|scheme| of(&[("scheme", scheme)]));
    // The bound of factors has several optima, up to .2 nats apart.
    for method in [Approximation::Diagonal, Approximation::Full] {
        let [a, b] = [&joint, &alternating].map(|snapshot| snapshot.best(0, method).unwrap());
        assert!(
            (a.negative_elbo - b.negative_elbo).abs() < 0.01,
            "{} and {}",
            a.negative_elbo,
            b.negative_elbo
        );
        assert!(
            (a.beta / b.beta - 1.0).abs() < 0.01 && b.evaluations > a.evaluations,
            "{} and {}",
            a.beta,
            b.beta
        );
    }
    let fixed = of(&[("hyper", "fixed"), ("alpha", "0.7"), ("beta", "30"), ("bias", "false")]);
    assert!(fixed.fits.iter().all(|row| (row.alpha, row.beta) == (0.7, 30.0)));
    let mse = |snapshot: &TableSnapshot| snapshot.best(0, Approximation::Full).unwrap().details.train_mse;
    assert!(mse(&fixed) > mse(&joint), "without a bias f is odd");
}

#[test]
fn scores_are_averaged_over_splits() {
    let (_, snapshot) =
        run(&[("restarts", "1"), ("hidden", "2"), ("splits", "3"), ("train_fraction", "0.5")]);
    let over = snapshot.over_splits(Approximation::Diagonal, |scores| scores.mse);
    assert!(over.count == 3 && over.se > 0.0);
    // Three halves: the variance s²/3 of independent splits is (1/3 + 1) s² for splits that share rows.
    let each = (0..3).map(|split| snapshot.best(split, Approximation::Diagonal).unwrap());
    let naive =
        mean(each.map(|row| row.details.scores.as_ref().unwrap().mse).collect::<Vec<_>>().into_iter());
    assert_eq!(over.mean, naive.mean);
    assert!((over.se / naive.se - 2.0).abs() < 0.05, "{} {}", over.se, naive.se);
    assert!(snapshot.best(1, Approximation::Map).unwrap().details.predicted.is_empty());
}

#[test]
fn too_many_weights_are_an_error_with_a_nearest_value() {
    let row = |i: usize| (0..60).map(|j| ((i * j + i) % 17).to_string()).collect::<Vec<_>>().join(",");
    let text = (0..30).map(row).collect::<Vec<_>>().join("\n");
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let name = DataRef::file("wide.csv", text.as_bytes()).to_string();
    let raw: Raw = [("data".to_owned(), name), ("hidden".to_owned(), "20".to_owned())].into();
    let spec = Checked::<TableSpec>::new(&raw).unwrap();
    let error = NetworkRegression::prepare(&spec, &store, None).err().unwrap().remove(0);
    assert_eq!((error.field.as_str(), error.nearest.as_deref()), ("hidden", Some("6")));
}

#[test]
fn new_rows_are_predicted_by_a_fit_to_all_labelled_rows() {
    let (spec, snapshot) = run(&[("restarts", "2"), ("hidden", "2"), ("splits", "2")]);
    let table = snapshot.table.as_ref().unwrap();
    assert_eq!((table.trained, table.tests.len()), (84, 36));
    let (predicted, learnt) = snapshot.new_rows(spec.splits).unwrap();
    assert_eq!((predicted.len(), learnt), (1, 120));
    let report = NetworkRegression::report(&spec, &snapshot);
    assert_eq!(report["new_rows"]["examples"], 120);
    // The same optimum as without test rows, for the same method, from another start.
    let (all, alone) = run(&[("restarts", "2"), ("hidden", "2"), ("train_fraction", "1")]);
    let method = snapshot.lowest_bound().unwrap().method;
    let from_random = alone.best(0, method).unwrap();
    let [warm, cold] = [predicted[0], from_random.details.predicted[0]];
    assert!((warm.mean - cold.mean).abs() < 0.02 * cold.sd, "{warm:?} {cold:?}");
    let repeated = snapshot.best(2, method).unwrap();
    assert!((repeated.negative_elbo - from_random.negative_elbo).abs() < 0.01);
    assert!(repeated.details.effects.is_empty(), "there are no test rows");
    assert_eq!(alone.fits.len(), 2 * Approximation::ALL.len(), "{all:?} needs no other fit");
    let csv = NetworkRegression::records(&spec, &snapshot).unwrap().csv;
    assert_eq!(csv.lines().count(), 1 + 36 + 1);
    assert!(csv.lines().last().unwrap().contains(&predicted[0].mean.to_string()));
    let figures = NetworkRegression::figures(&spec, &snapshot);
    let asked = figures.last().unwrap();
    assert!(asked.id == "asked" && asked.caption.contains("all 120 rows"), "{}", asked.caption);
}

#[test]
fn the_columns_of_the_function_have_an_effect_on_test_rows() {
    let (spec, snapshot) = run(&[("restarts", "1"), ("hidden", "3"), ("train_fraction", "0.5")]);
    let effects = &snapshot.lowest_bound().unwrap().details.effects;
    let names: Vec<&str> = effects.iter().map(|effect| effect.column.as_str()).collect();
    assert_eq!(names, ["a", "b"], "a constant column has no effect");
    // Permuting a column increases the squared error by twice the variance of its term, about .5 and .03 of the target's .53.
    let [a, b] = [0, 1].map(|i| (effects[i].increase, effects[i].se.unwrap()));
    assert!((1.2..2.6).contains(&a.0) && a.1 < 0.5, "{a:?}");
    assert!((0.02..0.25).contains(&b.0) && b.1 < 0.05, "{b:?}");
    let report = NetworkRegression::report(&spec, &snapshot);
    assert_eq!(report["effects"][0]["column"], "a");
    let figure =
        NetworkRegression::figures(&spec, &snapshot).into_iter().find(|f| f.id == "effects").unwrap();
    assert_eq!(figure.x.names, ["a", "b"]);
    // The dependence on b is linear, 100 · 0.3 b; that on a is a sine.
    let curves = &snapshot.lowest_bound().unwrap().details.dependence;
    assert_eq!((curves[0].column.as_str(), curves[1].column.as_str(), curves.len()), ("a", "b", 2));
    let (first, last) = (curves[1].points[0], *curves[1].points.last().unwrap());
    let sd = |p: DependencePoint| 0.25 * (p.upper - p.lower);
    let (rise, sd) = (last.mean - first.mean, sd(first).max(sd(last)));
    assert!(
        (rise - 30.0 * (last.value - first.value)).abs() < 15.0 && (0.5..10.0).contains(&sd),
        "{curves:?}"
    );
    let sine = |p: &&DependencePoint| (p.mean - (100.0 * libm::sin(1.5 * p.value) + 30.0)).abs() < 25.0;
    assert_eq!(curves[0].points.iter().filter(sine).count(), curves[0].points.len(), "{curves:?}");
    let (_, untested) = run(&[("restarts", "1"), ("hidden", "1"), ("train_fraction", "1")]);
    assert!(untested.lowest_bound().unwrap().details.effects.is_empty());
}

/// Regression: a table with more than 20,000 training rows was refused.
#[test]
fn a_large_table_is_accepted() {
    let mut text = "a,y\n".to_owned();
    (0..30_000).for_each(|i| writeln!(text, "{},{}", i % 101, (i % 101) * 2 + i % 3).unwrap());
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let name = DataRef::file("long.csv", text.as_bytes()).to_string();
    let raw: Raw = [("data".to_owned(), name), ("train_fraction".to_owned(), "1".to_owned())].into();
    let spec = Checked::<TableSpec>::new(&raw).unwrap();
    assert!(NetworkRegression::prepare(&spec, &store, None).is_ok());
}

/// Returns [`table`] with six more columns that have nothing to do with its target.
fn table_with_noise() -> String {
    let mut stream = Stream::for_purpose(36, Purpose::Test(1), 0);
    let mut noise =
        |line: &str| (0..6).fold(line.to_owned(), |line, _| format!("{:.3},{line}", stream.normal()));
    let table = table();
    let mut lines = table.lines();
    let mut text = format!("n1,n2,n3,n4,n5,n6,{}\n", lines.next().unwrap());
    lines.for_each(|line| writeln!(text, "{}", noise(line)).unwrap());
    text
}

#[test]
fn relevances_of_noise_are_small_and_the_test_error_is_no_larger() {
    let settings = [("restarts", "1"), ("hidden", "3"), ("splits", "3")];
    let text = table_with_noise();
    let (_, shared) = run_on(&text, &settings);
    let (spec, relevant) = run_on(&text, &[&settings[..], &[("fit_ard", "true")]].concat());
    let row = relevant.lowest_bound().unwrap();
    let relevances = &row.details.relevances;
    let names = &relevant.table.as_ref().unwrap().names;
    assert_eq!(names[6..], ["a", "b"]);
    let noise = relevances[..6].iter().copied().fold(0.0, f64::max);
    // The function depends on column a more strongly than on b.
    assert!(noise < 0.01 * relevances[6] && noise < relevances[7], "{relevances:?}");
    for method in [Approximation::Diagonal, Approximation::Full] {
        let mse = |of: &TableSnapshot| of.over_splits(method, |scores| scores.mse).mean;
        assert!(mse(&relevant) <= mse(&shared), "{method:?}: {} {}", mse(&relevant), mse(&shared));
    }
    let figures = NetworkRegression::figures(&spec, &relevant);
    let figure = figures.iter().find(|figure| figure.id == "weights").unwrap();
    assert!(figure.summary.contains("the largest: a, b, n"), "{}", figure.summary);
    let report = NetworkRegression::report(&spec, &relevant);
    assert_eq!(report["fits"][row.method.index()]["relevances"], serde_json::json!(relevances));
    assert!(shared.lowest_bound().unwrap().details.relevances.is_empty());
}

#[test]
fn fixed_precisions_have_no_relevances() {
    let settings = [("restarts", "1"), ("hidden", "2"), ("hyper", "fixed"), ("fit_ard", "true")];
    let (spec, snapshot) = run(&settings);
    assert!(snapshot.lowest_bound().unwrap().details.relevances.is_empty());
    assert!(NetworkRegression::figures(&spec, &snapshot).iter().all(|figure| figure.id != "weights"));
}
