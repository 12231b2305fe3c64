//! The experiment on small tables, from its specification to its snapshot.

use std::fmt::Write as _;

use super::rows::Rows;
use super::*;
use crate::data::Store;
use crate::lab::{Checked, InputError, Outcome, Raw, Run, complete};
use crate::math::random::Stream;

mod pieces;
mod refused;
mod words;
mod worth;

type Pairs<'a> = &'a [(&'a str, &'a str)];

/// A table of `rows` rows: two inputs that matter, one that does not, and a label with some noise.
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

fn checked(named: &str, pairs: Pairs) -> Checked<OwnSpec> {
    let mut raw = Raw::from([("data".to_owned(), named.to_owned())]);
    raw.extend(pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())));
    Checked::new(&raw).unwrap()
}

fn run(text: &str, pairs: Pairs) -> Result<(Checked<OwnSpec>, OwnSnapshot), InputError> {
    let (store, named) = store(text);
    let spec = checked(&named, pairs);
    let snapshot = complete::<OwnData>(&spec, &store).map_err(|problems| problems[0].clone())?;
    Ok((spec, snapshot))
}

fn solved(text: &str, pairs: Pairs) -> OwnSnapshot {
    let (spec, snapshot) = run(text, pairs).unwrap();
    assert_eq!(OwnData::status(&spec, &snapshot), crate::lab::Status::CONVERGED, "{pairs:?}");
    snapshot
}

fn main_of(snapshot: &OwnSnapshot) -> (&Main, &Solved, Scores) {
    let main = snapshot.main.as_ref().unwrap();
    (main, main.solved.as_ref().unwrap(), main.attempt.scores.unwrap())
}

#[test]
fn every_method_and_kernel_learns_the_table() {
    let text = table(60);
    for kernel in ["rbf", "arcsine", "linear"] {
        for method in ["tap", "naive", "laplace"] {
            let settings =
                [("kernel", kernel), ("method", method), ("sigma2", "0.5"), ("train_fraction", "0.7")];
            let snapshot = solved(&text, &settings);
            let (main, solved, scores) = main_of(&snapshot);
            assert_eq!((solved.left_out.len(), solved.test.len()), (42, 18));
            assert!(scores.loo_errors < 18 && scores.test_errors < 9, "{kernel} {method}: {scores:?}");
            assert_eq!(scores.ln_evidence.is_none(), method == "naive");
            assert!(
                solved
                    .left_out
                    .iter()
                    .chain(&solved.test)
                    .all(|p| (0.0..=1.0).contains(&p.p) && p.var >= 0.0)
            );
            let wrong =
                solved.left_out.iter().zip(&main.table.labels).filter(|(p, tau)| p.misses(**tau)).count();
            assert_eq!(wrong, scores.loo_errors);
        }
    }
}

#[test]
fn the_iterations_come_to_the_same_solution() {
    let text = table(25);
    let tap = solved(&text, &[]);
    for (method, sweeps) in [("parallel", 50..5000), ("sequential", 3..30)] {
        let damping: &[_] = if method == "parallel" { &[("damping", "0.1")] } else { &[] };
        let iterated = solved(&text, &[&[("method", method)], damping].concat());
        let ((_, a, x), (main, b, y)) = (main_of(&tap), main_of(&iterated));
        assert!((x.minus_g - y.minus_g).abs() < 1e-6 && (x.ln_loo - y.ln_loo).abs() < 1e-6);
        a.x.iter().zip(&b.x).for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{a} {b}"));
        assert!(sweeps.contains(&main.attempt.outer_iterations), "{}", main.attempt.outer_iterations);
        assert!(main.attempt.residual < 1e-8);
    }
}

/// Two rows of one place with both labels: the variance that one leaves to the other is lost in rounding unless care is taken,
/// and x stands still at any λ that is large enough.
#[test]
fn the_parallel_iteration_is_not_settled_before_its_variances_are() {
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
    assert_eq!(OwnData::status(&spec, &snapshot).outcome, Outcome::MaxIterations);
    assert!(snapshot.main.unwrap().attempt.residual > 1e-3);
    solved(text, &settings[..5]);
}

/// Far rows of a straight line: what they say of themselves is next to nothing beside what the others do.
#[test]
fn variances_left_out_are_those_of_training_anew_however_sure_a_row_is() {
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
        let ours = main_of(&solved(&text, &settings)).1.left_out[FAR].var;
        let anew = solved(&text.replace("\n10,1", "\n10,"), &settings);
        let exact = main_of(&anew).1.asked[0].var + 1.0;
        assert!((ours - exact).abs() < 0.02 * exact, "{method}: {ours} instead of {exact}");
    }
}

/// So little noise that Newton's steps are lost in rounding on the way to the mode.
#[test]
fn laplace_is_not_settled_away_from_the_mode() {
    let text = table(20);
    let settings = [("method", "laplace"), ("sigma2", "0.3"), ("kappa", "0.001")];
    for v in ["0.1", "1e-9", "1e-13", "1e-15", "1e-300"] {
        let (spec, snapshot) = run(&text, &[&settings[..], &[("v", v)]].concat()).unwrap();
        let status = OwnData::status(&spec, &snapshot);
        let attempt = &snapshot.main.as_ref().unwrap().attempt;
        let settled = attempt.residual < 1e-6;
        assert_eq!(status.outcome == Outcome::Converged, settled, "v = {v}: {status:?}");
        assert!(settled || status.reason.unwrap().contains("increase v"));
        assert!(settled || v.len() > 4, "v = {v} is easy: {attempt:?}");
    }
}

#[test]
fn rows_left_out_by_the_theory_are_nearly_those_left_out_by_training_anew() {
    let text = table(40);
    for method in ["tap", "naive", "laplace"] {
        let snapshot = solved(&text, &[("exact_loo", "true"), ("method", method), ("train_fraction", "0.8")]);
        let (_, solved, scores) = main_of(&snapshot);
        assert_eq!(snapshot.retrained.len(), 32);
        let far =
            snapshot.retrained.iter().map(|r| (r.prediction.unwrap().p - solved.left_out[r.row].p).abs());
        assert!(far.fold(0.0, f64::max) < 0.12, "{method}");
        let (known, wrong) = snapshot.exact_errors().unwrap();
        assert!(known == 32 && wrong.abs_diff(scores.loo_errors) <= 1, "{method}: {wrong} {scores:?}");
    }
}

#[test]
fn a_place_of_the_scan_is_the_classifier_there() {
    let text = table(30);
    let scan = solved(&text, &[("sigma2", "0.7"), ("sigma2_grid", "0.2,0.7,2")]);
    let here = &scan.main.as_ref().unwrap().attempt;
    assert_eq!(scan.scan.iter().map(|a| a.sigma2).collect::<Vec<_>>(), [0.2, 0.7, 2.0]);
    assert_eq!(&scan.scan[1], here);
    assert_ne!(scan.scan[0].scores, here.scores);
}

#[test]
fn a_fit_improves_what_it_is_asked_to_and_finds_the_column_that_says_nothing() {
    let text = table(60);
    let before = solved(&text, &[]);
    for (fit, value) in [("evidence", 0), ("loo", 1)] {
        let after = solved(&text, &[("fit", fit), ("exact_loo", "true")]);
        let score = |snapshot: &OwnSnapshot| {
            let scores = main_of(snapshot).2;
            [scores.minus_g, scores.ln_loo][value]
        };
        assert!(score(&after) > score(&before), "{fit}");
        let best = after.evaluations().filter_map(|(_, e)| e.value).fold(f64::NEG_INFINITY, f64::max);
        assert!((best - score(&after)).abs() < 1e-3, "{fit}: {best} {}", score(&after));
        assert!(after.searches.len() == 4 && after.best_search().is_some_and(|end| !end.failed));
        assert_eq!(after.retrained.len(), 60, "by the unit that knows what was fitted");
    }
    let naive = |fit| main_of(&solved(&text, &[("method", "naive"), ("fit", fit)])).2.ln_loo;
    assert!(naive("loo") > naive("none"));
    let ard = solved(&text, &[("fit", "evidence"), ("fit_ard", "true")]);
    let weights = &main_of(&ard).1.weights;
    assert!(weights[2] < 0.2 * weights[1], "{weights:?}");
}

/// A linear kernel's noise has no size but beside σ²: a fit may come to much of both.
#[test]
fn what_a_fit_comes_to_can_be_typed() {
    let text = table(60);
    let fitted = solved(&text, &[("kernel", "linear"), ("fit", "evidence"), ("sigma2", "0.002"), ("v", "9")]);
    let Attempt { sigma2, v, kappa, scores, .. } = fitted.main.unwrap().attempt;
    assert!(v > 10.0, "{v}");
    let [sigma2, v, kappa] = [sigma2, v, kappa].map(|x| x.to_string());
    let typed = solved(&text, &[("kernel", "linear"), ("sigma2", &sigma2), ("v", &v), ("kappa", &kappa)]);
    let [ours, theirs] = [typed.main.unwrap().attempt.scores, scores].map(|s| s.unwrap().minus_g);
    assert!((ours - theirs).abs() < 1e-9, "{ours} {theirs}");
}

/// σ² is the form's, beside the relevances that were given; fitted, both of them are reported.
#[test]
fn what_a_fit_with_relevances_comes_to_can_be_typed() {
    let text = table(40);
    for fit_ard in ["false", "true"] {
        let fitted = solved(&text, &[("fit", "evidence"), ("fit_ard", fit_ard), ("ard", "4,1,0.5")]);
        let report = report::own(&fitted);
        let relevances: Vec<f64> = serde_json::from_value(report["relevances"].clone()).unwrap();
        let given = [4.0, 1.0, 0.5];
        let kept = relevances.iter().zip(given).all(|(a, given)| (a - given).abs() < 1e-12 * given);
        assert_eq!(kept, fit_ard == "false", "{relevances:?}");
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
fn rows_that_say_nothing_about_each_other_are_all_mistakes() {
    let far = "a,y\n0,0\n1e9,1\n2e9,0\n3e9,1\n-1e9,1\n";
    for method in ["tap", "naive", "laplace"] {
        let snapshot = solved(far, &[("standardise", "false"), ("method", method), ("exact_loo", "true")]);
        assert_eq!(main_of(&snapshot).2.loo_errors, 5, "{method}: the sign of a rounding is no prediction");
        assert_eq!(snapshot.exact_errors(), Some((5, 5)), "{method}");
    }
}

#[test]
fn labels_out_of_reach_give_advice_and_no_numbers() {
    // Exclusive or, which no straight line has.
    let text = "a,b,y\n1,1,0\n-1,-1,0\n1,-1,1\n-1,1,1\n1.1,1,0\n-1,1.2,1\n";
    let settings = [("kernel", "linear"), ("v", "0"), ("standardise", "false")];
    let (spec, snapshot) = run(text, &settings).unwrap();
    let status = OwnData::status(&spec, &snapshot);
    assert_ne!(status.outcome, Outcome::Converged);
    assert!(status.reason.unwrap().contains("increase v or κ"));
    let main = snapshot.main.as_ref().unwrap();
    assert_eq!((&main.solved, &main.attempt.scores), (&None, &None));
    let figures = OwnData::figures(&spec, &snapshot);
    assert!(figures[0].id == "residual" && !figures[0].marks[0].is_empty(), "it is seen first");
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
    let rows = Rows::new(&checked(&named, &[]), &store).unwrap();
    // Mean −1/3 and variance 26/9 of the training rows.
    let scale = (26.0_f64 / 9.0).sqrt();
    assert!((rows.test[0][0] - (1.0 + 1.0 / 3.0) / scale).abs() < 1e-12);
    assert_eq!(rows.place, [None, Some(0), Some(1), None, Some(2)]);
}

#[test]
fn rows_without_a_label_are_predicted_and_not_learnt() {
    let text = table(60);
    let plain = solved(&text, &[("train_fraction", "0.8")]);
    let more = text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n-2,1,0,?\n", 1);
    let asked = solved(&more, &[("train_fraction", "0.8")]);
    let ((_, before, scores), (main, after, others)) = (main_of(&plain), main_of(&asked));
    assert_eq!((&before.x, &before.test, scores), (&after.x, &after.test, others));
    assert_eq!((main.table.unlabelled_lines.as_slice(), after.asked.len()), ([2, 3].as_slice(), 2));
    assert!(after.asked[0].p > 0.7 && after.asked[1].p < 0.3, "{:?}", after.asked);
    let (spec, snapshot) = run(&more, &[]).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    assert!(figures[0].find("unlabelled").is_some_and(|mark| mark.len() == 2));
    assert!(figures[0].caption.contains("Of 2 rows without a label"));
}

/// Rows of a second file, after training on a first.
fn second(text: &str, other: &str, pairs: Pairs) -> Result<(Checked<OwnSpec>, OwnSnapshot), InputError> {
    let (mut store, named) = store(text);
    let hash = store.load(other.as_bytes()).unwrap().hash;
    let predict = format!("new.csv@{hash}");
    let spec = checked(&named, &[pairs, &[("predict", &predict)]].concat());
    let snapshot = complete::<OwnData>(&spec, &store).map_err(|problems| problems[0].clone())?;
    Ok((spec, snapshot))
}

#[test]
fn a_second_file_is_predicted_as_if_its_rows_were_in_the_first() {
    let text = table(30);
    let settings = [("train_fraction", "0.8"), ("exact_loo", "true"), ("sigma2_grid", "0.3,1")];
    let plain = solved(&text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n-2,1,0,?\n", 1), &settings);
    let (spec, snapshot) = second(&text, "who,c,a,y,b\nx,0,0.5,1,0.1\ny,0,-2,,1\n", &settings).unwrap();
    let ((_, before, scores), (main, after, others)) = (main_of(&plain), main_of(&snapshot));
    assert_eq!(
        (&before.x, &before.test, &before.asked, scores),
        (&after.x, &after.test, &after.second, others)
    );
    assert_eq!((&plain.scan, plain.retrained.len()), (&snapshot.scan, snapshot.retrained.len()));
    assert!(after.asked.is_empty() && main.table.second_lines == [2, 3]);
    let figures = OwnData::figures(&spec, &snapshot);
    let figure = figures.iter().find(|f| f.id == "predicted").unwrap();
    assert!(
        figure.caption.starts_with("Of 2 rows of new.csv 1 are predicted y = 1 and 1 y = 0."),
        "{}",
        figure.caption
    );
    assert_eq!(["p", "field"].map(|key| figure.find(key).unwrap().len()), [2, 2]);
    assert!(figures.iter().all(|f| f.id != "predictions" || !f.caption.contains("new.csv")));
    // One row, and with rows of its own file asked about as well.
    let more = text.replacen("a,b,c,y\n", "a,b,c,y\n0.5,0.1,0,\n", 1);
    let (_, snapshot) = second(&more, "a,b,c\n-2,1,0\n", &settings).unwrap();
    let (_, both, _) = main_of(&snapshot);
    assert_eq!((&both.asked[..], &both.second[..]), (&before.asked[..1], &before.asked[1..]));
}

#[test]
fn what_a_second_file_lacks_is_said_of_it() {
    let text = table(12);
    let problem = |other: &str| second(&text, other, &[]).unwrap_err();
    let lacking = problem("a,c,y\n1,2,0\n");
    assert_eq!(lacking.field, "predict");
    assert!(lacking.given.starts_with("new.csv@") && lacking.expected.contains("column “b”"), "{lacking}");
    assert!(problem("a,b,c\n1,2,3\n1,,3\n").expected.starts_with("Row 3, column “b” is missing"));
    assert!(problem("a,b,c\n1,2,3\n1,2,red\n").expected.starts_with("Row 3, column “c” is “red”"));
    let (store, named) = store(&text);
    let spec = checked(&named, &[("predict", "gone.csv")]);
    assert_eq!(OwnData::prepare(&spec, &store, None).err().unwrap()[0].field, "predict");
}

#[test]
fn the_paper_is_drawn_only_over_what_may_be_its_data() {
    let (store, named) = store(&table(30));
    let spec = checked(&named, &[("v", "0"), ("kernel", "rbf")]);
    let mut described = Rows::new(&spec, &store).unwrap().table;
    assert_eq!(table1::printed(&spec, &described), None);
    described.names = vec![String::new(); 60];
    (described.labels, described.test_labels) = (vec![1.0; 104], vec![1.0; 104]);
    assert_eq!(table1::printed(&spec, &described).unwrap().test, 0.077);
    assert_eq!(table1::printed(&checked(&named, &[("kernel", "rbf")]), &described), None, "v = 0.2");
    assert_eq!(table1::printed(&checked(&named, &[("v", "0"), ("kernel", "linear")]), &described), None);
}
