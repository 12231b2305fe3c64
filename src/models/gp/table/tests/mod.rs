//! The task on small tables.

use std::fmt::Write as _;

use super::figures::table1;
use super::rows::TableRows;
use super::*;
use crate::data::Store;
use crate::lab::labelled_table::{Baseline, ClassWeights, Kept, cross_validated};
use crate::lab::{Checked, Ending, InputError, Outcome, Raw, TypedTask, complete};
use crate::math::random::Stream;

mod captions;
mod class_weights;
mod comparison;
mod cross_validation;
mod dependence;
mod effects;
mod errors;
mod fits;
mod inducing;
mod second_file;
mod second_labels;
mod slices;

type Pairs<'a> = &'a [(&'a str, &'a str)];

/// Returns a table of `rows` rows: two relevant inputs, an irrelevant one, and a noisy label.
fn table(rows: usize) -> String {
    let mut stream = Stream::of(5, 0);
    let mut text = String::from("a,b,c,y\n");
    for _ in 0..rows {
        let [a, b, c] = [(); 3].map(|()| stream.normal());
        let up = a - b * b + 0.3 * stream.normal() > -0.5;
        writeln!(text, "{a},{b},{c},{}", u8::from(up)).unwrap();
    }
    text
}

fn store(text: &str) -> (Store, String) {
    let mut store = Store::default();
    let hash = store.load(text.as_bytes()).unwrap().hash;
    (store, format!("t.csv@{hash}"))
}

fn checked(named: &str, pairs: Pairs) -> Checked<TableSpec> {
    // Settings are tuned only where a test says so.
    let mut raw = crate::lab::raw_of([("data", named), ("fit", "none")]);
    raw.extend(pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())));
    Checked::new(&raw).unwrap()
}

fn run(text: &str, pairs: Pairs) -> Result<(Checked<TableSpec>, TableSnapshot), InputError> {
    let (store, named) = store(text);
    let spec = checked(&named, pairs);
    let snapshot = complete::<UserTable>(&spec, &store).map_err(|problems| problems[0].clone())?;
    Ok((spec, snapshot))
}

fn solved(text: &str, pairs: Pairs) -> TableSnapshot {
    let (spec, snapshot) = run(text, pairs).unwrap();
    assert_eq!(UserTable::status(&spec, &snapshot), crate::lab::Status::CONVERGED, "{pairs:?}");
    snapshot
}

fn main_of(snapshot: &TableSnapshot) -> (&Classifier, &TableSolution, SolutionScores) {
    let (main, solution) = snapshot.classifier.solved().unwrap();
    (main, solution, main.solve.scores.unwrap())
}

#[test]
fn every_method_and_kernel_learns_the_table() {
    let text = table(60);
    // Errors of TAP in leave-one-out (of 42 rows) and in the test rows (of 18); other methods may differ by a row.
    for (kernel, loo, test) in [("rbf", 4_usize, 0_usize), ("arcsine", 10, 4), ("linear", 8, 4)] {
        for method in ["tap", "naive", "laplace"] {
            let settings =
                [("kernel", kernel), ("method", method), ("sigma2", "0.5"), ("train_fraction", "0.7")];
            let snapshot = solved(&text, &settings);
            let (main, solved, scores) = main_of(&snapshot);
            let predictions = &solved.predictions;
            assert_eq!((predictions.left_out.len(), predictions.test.len()), (42, 18));
            let differences = [scores.loo_errors.abs_diff(loo), scores.test_errors.abs_diff(test)];
            assert!(differences.into_iter().all(|rows| rows <= 1), "{kernel} {method}: {scores:?}");
            assert_eq!(scores.ln_evidence.is_none(), method == "naive");
            assert!(predictions.first_file().all(|row| (0.0..=1.0).contains(&row.p) && row.var >= 0.0));
            let labelled = predictions.left_out.iter().zip(&main.table.labels);
            let errors = labelled.filter(|(row, label)| row.misses(**label)).count();
            assert_eq!(errors, scores.loo_errors);
        }
    }
}

#[test]
fn the_iterations_converge_to_the_solution_of_newtons_method() {
    let text = table(25);
    let tap = solved(&text, &[]);
    for (method, sweeps) in [("parallel", 50..5000), ("sequential", 3..30)] {
        let damping: &[_] = if method == "parallel" { &[("damping", "0.1")] } else { &[] };
        let iterated = solved(&text, &[&[("method", method)], damping].concat());
        let ((_, a, x), (main, b, y)) = (main_of(&tap), main_of(&iterated));
        assert!((x.minus_g - y.minus_g).abs() < 1e-6 && (x.ln_loo - y.ln_loo).abs() < 1e-6);
        a.x.iter().zip(&b.x).for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{a} {b}"));
        assert!(sweeps.contains(&main.solve.outer_iterations), "{}", main.solve.outer_iterations);
        assert!(main.solve.residual < 1e-8);
    }
}

/// Two nearly equal rows with different labels: the variance of one given the other is prone to rounding, and x is stationary at any
/// sufficiently large λ.
#[test]
fn the_parallel_iteration_converges_only_with_its_variances() {
    let text = "a,set,y\n1,train,0\n2,train,1\n3,test,0\n4,test,1\n";
    let settings = [
        ("kernel", "arcsine"),
        ("sigma2", "0.001"),
        ("v", "1e-6"),
        ("kappa", "0.001"),
        ("standardise", "false"),
        ("method", "parallel"),
    ];
    let (spec, snapshot) = run(text, &settings).unwrap();
    assert_eq!(UserTable::status(&spec, &snapshot).outcome, Outcome::NoResult);
    assert!(snapshot.classifier.given.unwrap().solve.residual > 1e-3);
    solved(text, &settings[..5]);
}

/// Distant rows of a linear function: their own labels carry almost no information beside the others.
#[test]
fn leave_one_out_variances_of_distant_rows_are_those_of_retraining() {
    const FAR: usize = 300;
    let mut text = String::from("s,y\n");
    for i in 0..FAR {
        let s = [0.5, -0.5][i % 2];
        writeln!(text, "{s},{}", u8::from(s > 0.0)).unwrap();
    }
    text += "10,1\n-10,0\n3,1\n-3,0\n";
    let settings = [("kernel", "linear"), ("sigma2", "1"), ("v", "1"), ("standardise", "false")];
    for method in ["tap", "naive", "laplace"] {
        let settings = [&settings[..], &[("method", method)]].concat();
        let ours = main_of(&solved(&text, &settings)).1.predictions.left_out[FAR].var;
        let retrained = solved(&text.replace("\n10,1", "\n10,"), &settings);
        let exact = main_of(&retrained).1.predictions.unlabelled[0].var + 1.0;
        assert!((ours - exact).abs() < 0.02 * exact, "{method}: {ours} instead of {exact}");
    }
}

/// With very little noise Newton's steps are lost in rounding before the mode.
#[test]
fn laplace_converges_only_at_the_mode() {
    let text = table(20);
    let settings = [("method", "laplace"), ("sigma2", "0.3"), ("kappa", "0.001")];
    for v in ["0.1", "1e-9", "1e-13", "1e-15", "1e-300"] {
        let (spec, snapshot) = run(&text, &[&settings[..], &[("v", v)]].concat()).unwrap();
        let status = UserTable::status(&spec, &snapshot);
        let attempt = &snapshot.classifier.given.as_ref().unwrap().solve;
        let converged = attempt.residual < 1e-6;
        assert_eq!(status.outcome == Outcome::Converged, converged, "v = {v}: {status:?}");
        assert!(converged || status.reason.unwrap().contains("increase v"));
        assert!(converged || v.len() > 4, "v = {v} is large enough: {attempt:?}");
    }
}

#[test]
fn leave_one_out_estimates_are_close_to_retraining() {
    let text = table(40);
    for method in ["tap", "naive", "laplace"] {
        let snapshot = solved(&text, &[("exact_loo", "true"), ("method", method), ("train_fraction", "0.8")]);
        let (_, solved, scores) = main_of(&snapshot);
        assert_eq!(snapshot.classifier.retrained.len(), 32);
        let estimates = &solved.predictions.left_out;
        let rows = snapshot.classifier.retrained.iter();
        let differences = rows.map(|r| (r.prediction.unwrap().p - estimates[r.row].p).abs());
        let largest = differences.fold(0.0, f64::max);
        // Measured: .026 for TAP, .017 and .013 for the others.
        assert!(largest < 0.03, "{method}: {largest}");
        let (rows, errors) = snapshot.classifier.retrained_errors(ClassWeights::Equal).unwrap();
        assert!(rows == 32 && errors.abs_diff(scores.loo_errors) <= 1, "{method}: {errors} {scores:?}");
    }
}

#[test]
fn the_scan_at_the_given_sigma2_is_the_classifier() {
    let text = table(30);
    let scan = solved(&text, &[("sigma2", "0.7"), ("sigma2_grid", "0.2,0.7,2")]);
    let ClassifierSnapshot { given, scan, .. } = scan.classifier;
    let given = given.unwrap().solve;
    assert_eq!(scan.iter().map(|solve| solve.hyper.sigma2).collect::<Vec<_>>(), [0.2, 0.7, 2.0]);
    assert_eq!(scan[1], given);
    assert_ne!(scan[0].scores, given.scores);
}

#[test]
fn a_fit_improves_its_objective_and_finds_the_irrelevant_column() {
    let text = table(60);
    let before = solved(&text, &[]);
    for (fit, value) in [("evidence", 0), ("loo", 1)] {
        let after = solved(&text, &[("fit", fit), ("exact_loo", "true")]);
        let score = |snapshot: &TableSnapshot| {
            let scores = main_of(snapshot).2;
            [scores.minus_g, scores.ln_loo][value]
        };
        assert!(score(&after) > score(&before), "{fit}");
        // The search of all rows comes after four starts.
        assert_eq!(after.classifier.starts.len(), 5);
        let last = after.classifier.starts[4].evaluations.iter();
        let best = last.filter_map(|e| e.value).fold(f64::NEG_INFINITY, f64::max);
        assert!((best - score(&after)).abs() < 1e-3, "{fit}: {best} {}", score(&after));
        assert!(after.classifier.best_start().is_some_and(|end| !end.failed));
        assert_eq!(after.classifier.retrained.len(), 60);
    }
    let naive = |fit| main_of(&solved(&text, &[("method", "naive"), ("fit", fit)])).2.ln_loo;
    assert!(naive("loo") > naive("none"));
    let ard = solved(&text, &[("fit", "evidence"), ("fit_ard", "true")]);
    let weights = &ard.classifier.fitted.unwrap().solution.unwrap().weights;
    assert!(weights[2] < 0.2 * weights[1], "{weights:?}");
}

/// A linear kernel's noise has no scale except relative to σ², so that a fit may make both large.
#[test]
fn fitted_settings_are_valid_and_give_the_same_solution() {
    let text = table(60);
    let fitted = solved(&text, &[("kernel", "linear"), ("fit", "evidence"), ("sigma2", "0.002"), ("v", "9")]);
    let SolveSummary { hyper: HyperparameterValues { sigma2, v, kappa }, scores, .. } =
        fitted.classifier.fitted.unwrap().solve;
    assert!(v > 10.0, "{v}");
    let [sigma2, v, kappa] = [sigma2, v, kappa].map(|x| x.to_string());
    let typed = solved(&text, &[("kernel", "linear"), ("sigma2", &sigma2), ("v", &v), ("kappa", &kappa)]);
    let [ours, theirs] = [typed.classifier.given.unwrap().solve.scores, scores].map(|s| s.unwrap().minus_g);
    assert!((ours - theirs).abs() < 1e-9, "{ours} {theirs}");
}

/// Given relevances are multiplied by the fitted σ²; fitted relevances are reported beside it.
#[test]
fn fitted_settings_with_relevances_give_the_same_solution() {
    let text = table(40);
    for fit_ard in ["false", "true"] {
        let settings = [("fit", "evidence"), ("fit_ard", fit_ard), ("ard", "4,1,0.5")];
        let (spec, fitted) = run(&text, &settings).unwrap();
        let report = UserTable::report(&spec, &fitted);
        let relevances: Vec<f64> = serde_json::from_value(report["relevances"].clone()).unwrap();
        let given = [4.0, 1.0, 0.5];
        let kept = relevances.iter().zip(given).all(|(a, given)| (a - given).abs() < 1e-12 * given);
        assert_eq!(kept, fitted.classifier.kept() != Kept::Fitted || fit_ard == "false", "{relevances:?}");
        let ard: Vec<String> = relevances.iter().map(f64::to_string).collect();
        let [sigma2, v, kappa] = ["sigma2", "v", "kappa"].map(|key| report[key].to_string());
        let typed = [("ard", ard.join(",")), ("sigma2", sigma2), ("v", v), ("kappa", kappa)];
        let typed = typed.each_ref().map(|(key, text)| (*key, text.as_str()));
        let again = solved(&text, &typed);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs();
        assert!(near(main_of(&again).2.minus_g, main_of(&fitted).2.minus_g), "{report}");
        let weights = main_of(&again).1.weights.iter().zip(&main_of(&fitted).1.weights);
        assert!(weights.into_iter().all(|(a, b)| near(*a, *b)), "{report}");
    }
}

#[test]
fn relevances_are_multiples_of_the_common_weight() {
    let text = table(20);
    let weights = |pairs: Pairs| main_of(&solved(&text, pairs)).1.weights.clone();
    assert_eq!(weights(&[("sigma2", "0.5"), ("ard", "1,2,0")]), [2.0 / 3.0, 4.0 / 3.0, 0.0]);
    assert_eq!(weights(&[("ard", "1,1,1")]), weights(&[]));
}

#[test]
fn rows_without_information_about_each_other_are_all_misclassified() {
    let far = "a,y\n0,0\n1e9,1\n2e9,0\n3e9,1\n-1e9,1\n";
    for method in ["tap", "naive", "laplace"] {
        let snapshot = solved(far, &[("standardise", "false"), ("method", method), ("exact_loo", "true")]);
        assert_eq!(
            main_of(&snapshot).2.loo_errors,
            5,
            "{method}: the sign of a rounding error is not a prediction"
        );
        assert_eq!(snapshot.classifier.retrained_errors(ClassWeights::Equal), Some((5, 5)), "{method}");
    }
}

#[test]
fn labels_without_a_solution_give_advice_and_no_scores() {
    // Exclusive or, which no linear function separates.
    let text = "a,b,y\n1,1,0\n-1,-1,0\n1,-1,1\n-1,1,1\n1.1,1,0\n-1,1.2,1\n";
    let settings = [("kernel", "linear"), ("v", "0"), ("standardise", "false")];
    let (spec, snapshot) = run(text, &settings).unwrap();
    let status = UserTable::status(&spec, &snapshot);
    assert_ne!(status.outcome, Outcome::Converged);
    assert!(status.reason.unwrap().contains("increase v or κ"));
    let main = snapshot.classifier.given.as_ref().unwrap();
    assert_eq!((&main.solution, &main.solve.scores), (&None, &None));
    let figures = UserTable::figures(&spec, &snapshot);
    assert!(figures[0].id == "residual" && !figures[0].marks[0].is_empty(), "the residuals come first");
    solved(text, &[("kernel", "linear"), ("v", "0.5")]);
}

#[test]
fn test_rows_are_those_that_the_table_names() {
    let text = "a,part,y\n1,test,0\n2,train,1\n-1,train,0\n3,test,1\n-2,train,0\n";
    let snapshot = solved(text, &[]);
    let table = &main_of(&snapshot).0.table;
    assert_eq!(
        (table.lines.as_slice(), table.test_lines.as_slice()),
        ([3, 4, 6].as_slice(), [2, 5].as_slice())
    );
    assert_eq!(
        (table.labels.as_slice(), table.test_labels.as_slice()),
        ([1.0, -1.0, -1.0].as_slice(), [-1.0, 1.0].as_slice())
    );
    assert_eq!(table.names, ["a"]);
    let (store, named) = store(text);
    let rows = TableRows::new(&checked(&named, &[]), &store).unwrap();
    // Mean −1/3 and variance 26/9 of the training rows.
    let scale = (26.0_f64 / 9.0).sqrt();
    assert!((rows.predicted[0][0] - (1.0 + 1.0 / 3.0) / scale).abs() < 1e-12);
    assert_eq!(rows.train_index, [None, Some(0), Some(1), None, Some(2)]);
}

#[test]
fn rows_without_a_label_are_predicted_only() {
    let text = table(60);
    let plain = solved(&text, &[("train_fraction", "0.8")]);
    let more = text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n-2,1,0,?\n", 1);
    let asked = solved(&more, &[("train_fraction", "0.8")]);
    let ((_, before, scores), (main, after, others)) = (main_of(&plain), main_of(&asked));
    assert_eq!((&before.x, scores), (&after.x, others));
    assert_eq!(before.predictions.test, after.predictions.test);
    let unlabelled = &after.predictions.unlabelled;
    assert_eq!((main.table.unlabelled_lines.as_slice(), unlabelled.len()), ([2, 3].as_slice(), 2));
    assert!(unlabelled[0].p > 0.7 && unlabelled[1].p < 0.3, "{unlabelled:?}");
    let (spec, snapshot) = run(&more, &[]).unwrap();
    let figures = UserTable::figures(&spec, &snapshot);
    assert!(figures[0].find("unlabelled").is_some_and(|mark| mark.len() == 2));
    assert!(figures[0].caption.contains("Of 2 rows without a label"));
}

#[test]
fn table_1_is_drawn_only_for_tables_of_the_size_of_the_sonar_data() {
    let (store, named) = store(&self::table(30));
    let spec = checked(&named, &[("v", "0"), ("kernel", "rbf")]);
    let mut table = TableRows::new(&spec, &store).unwrap().table;
    assert_eq!(table1::printed(&spec, &table), None);
    table.names = vec![String::new(); 60];
    (table.labels, table.test_labels) = (vec![1.0; 104], vec![1.0; 104]);
    assert_eq!(table1::printed(&spec, &table).unwrap().test, 0.077);
    assert_eq!(table1::printed(&checked(&named, &[("kernel", "rbf")]), &table), None, "v = 0.2");
    assert_eq!(table1::printed(&checked(&named, &[("v", "0"), ("kernel", "linear")]), &table), None);
}

/// Returns the rows of a second file, after training on a first.
fn second(text: &str, other: &str, pairs: Pairs) -> Result<(Checked<TableSpec>, TableSnapshot), InputError> {
    let (mut store, named) = store(text);
    let hash = store.load(other.as_bytes()).unwrap().hash;
    let predict = format!("new.csv@{hash}");
    let spec = checked(&named, &[pairs, &[("predict", &predict)]].concat());
    let snapshot = complete::<UserTable>(&spec, &store).map_err(|problems| problems[0].clone())?;
    Ok((spec, snapshot))
}
