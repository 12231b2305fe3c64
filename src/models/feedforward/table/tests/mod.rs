//! The task on small tables.

use super::rows::{needs, read_rows};
use super::student::probability;
use super::work::TableWork;
use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{self, Checked, Outcome, TypedTask, Work as _};
use crate::models::feedforward::tap::likelihood::Likelihood;

mod beta;
mod solving;

const TABLE: &str = "a,b,c,d,y\n1,0.5,-2,1,0\n0.3,-1,0.2,1,1\n-1,0,1,0.5,1\n2,1,0,-1,0\n0.1,0.2,0.7,-0.4,1\n";

fn check(pairs: &[(&str, &str)]) -> Result<Checked<TableSpec>, Vec<lab::InputError>> {
    // β is tuned only where a test says so.
    let pairs = [&[("fit", "none")], pairs].concat();
    Checked::new(&pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect())
}

fn spec(pairs: &[(&str, &str)]) -> Checked<TableSpec> {
    check(pairs).unwrap()
}

fn run(text: &str, pairs: &[(&str, &str)]) -> Result<TableSnapshot, Vec<lab::InputError>> {
    let mut store = Store::default();
    let hash = store.load(text.as_bytes()).unwrap().hash;
    let spec = spec(&[pairs, &[("data", &format!("t.csv@{hash}"))]].concat());
    let snapshot = lab::complete::<UserTable>(&spec, &store)?;
    assert_eq!(
        snapshot.ending == Some(Ending::Converged),
        UserTable::status(&spec, &snapshot) == lab::Status::CONVERGED || snapshot.at_largest_beta
    );
    Ok(snapshot)
}

/// Returns a table of `rows` rows whose labels are independent of the columns.
fn noise(rows: usize) -> String {
    let mut stream = crate::math::random::Stream::of(3, 0);
    let rows = (0..rows).map(|_| format!("{},{},{}\n", stream.normal(), stream.normal(), stream.sign()));
    format!("a,b,y\n{}", rows.collect::<Vec<_>>().concat())
}

/// Returns 40 rows, most of them separated by a plane.
fn forty() -> Vec<String> {
    let row = |i: i32| {
        let [a, b] = [(i * 7) % 11 - 5, (i * 5) % 13 - 6];
        format!("{a},{b},{}", i32::from(a + b + (i * 3) % 7 - 3 > 0))
    };
    (0..40).map(row).collect()
}

#[test]
fn a_fold_is_predicted_by_a_student_of_the_other_folds() {
    let rows = forty();
    let text = format!("a,b,y\n{}\n", rows.join("\n"));
    for fit in ["none", "evidence"] {
        let settings = [("fit", fit), ("standardise", "false"), ("folds", "4")];
        let cross = run(&text, &settings).unwrap();
        assert_eq!(cross.folds.len(), 4);
        let p = cross_validated(&cross.folds, crate::lab::labelled_table::Kept::Fitted, 40).unwrap();
        assert!(p.len() == 40 && p.iter().all(|p| p.is_finite()));
        for fold in &cross.folds {
            // The same rows held out by a column.
            let part = |i: usize| if fold.rows.contains(&i) { "test" } else { "train" };
            let split: Vec<String> =
                rows.iter().enumerate().map(|(i, row)| format!("{},{row}", part(i))).collect();
            let text = format!("part,a,b,y\n{}\n", split.join("\n"));
            let alone = run(&text, &settings[..2]).unwrap().solution.unwrap();
            assert_eq!((fold.p.as_ref(), fold.hyper), (Some(&alone.p.test), Some(alone.beta)), "{fit}");
        }
    }
    let spec = spec(&[("folds", "4")]);
    let snapshot = run(&text, &[("folds", "4")]).unwrap();
    let scores =
        UserTable::figures(&spec, &snapshot).into_iter().find(|figure| figure.id == "scores").unwrap();
    assert!(scores.x.names.iter().any(|name| name == "perceptron, 4 folds"), "{:?}", scores.x.names);
    assert_eq!(check(&[("folds", "1")]).unwrap_err()[0].nearest.as_deref(), Some("2"));
}

#[test]
fn branches_share_the_columns_equally() {
    let problems = run(TABLE, &[("hidden", "3")]).unwrap_err();
    assert_eq!((problems[0].field.as_str(), problems[0].nearest.as_deref()), ("hidden", Some("2")));
    let solved = run(TABLE, &[("hidden", "2")]).unwrap().solution.unwrap();
    assert_eq!((solved.weights.len(), solved.weight_sd.len(), solved.lambda.len()), (4, 4, 5 * 2));
    let solved = run(TABLE, &[("hidden", "2"), ("variance", "shared")]).unwrap().solution.unwrap();
    assert_eq!((solved.weights.len(), solved.weight_sd.len(), solved.lambda.len()), (4, 4, 2));
}

#[test]
fn an_error_names_its_field() {
    let field = |text: &str, pairs: &[(&str, &str)]| run(text, pairs).unwrap_err()[0].field.clone();
    assert_eq!(field(TABLE, &[("label", "z")]), "label");
    assert_eq!(field(TABLE, &[("positive", "2")]), "positive");
    assert_eq!(field("a,k,y\n1,2024-01-30,0\n2,2024-01-31,1\n", &[]), "ignore");
    assert_eq!(field("a,b,y\n7,1,0\n7,1,1\n7,1,1\n", &[]), "data", "all columns are constant");
    let spec = spec(&[]);
    let refused = UserTable::prepare(&spec, &Store::default(), None).err().unwrap();
    assert_eq!(refused[0].field, "data");
}

#[test]
fn scaling_onto_the_sphere_and_standardising_remove_scales_and_shifts() {
    let weights = |pairs: &[(&str, &str)]| run(TABLE, pairs).unwrap().solution.unwrap().weights;
    let plain = weights(&[("standardise", "false"), ("normalise", "true")]);
    let scaled = TABLE.replace("1,0.5,-2,1,0", "10,5,-20,10,0");
    let on_sphere = [("standardise", "false"), ("normalise", "true")];
    let rescaled = run(&scaled, &on_sphere).unwrap().solution.unwrap().weights;
    plain.iter().zip(rescaled).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} {b}"));
    let shifted = TABLE.replace("a,b,c,d,y\n1,", "a,b,c,d,y\n1.0,");
    assert_eq!(run(&shifted, &[]).unwrap().solution.unwrap().weights, weights(&[]));
    assert_ne!(weights(&[("standardise", "false")]), weights(&[]));
}

#[test]
fn a_constant_column_is_left_out_and_has_weight_0() {
    let text = TABLE.replace("d,y", "d,year,y").replace(",0\n", ",1996,0\n").replace(",1\n", ",1996,1\n");
    let [with, without] = [&text, TABLE].map(|text| run(text, &[]).unwrap().solution.unwrap());
    assert_eq!(with.table.constant, ["year"]);
    assert_eq!((&with.weights, &with.p), (&without.weights, &without.p));
    let spec = spec(&[]);
    let figure = UserTable::figures(&spec, &run(&text, &[]).unwrap()).remove(0);
    let Some(Mark::Bars(weights)) = figure.find("weight") else { panic!("{figure:?}") };
    let last = weights.bars.last().unwrap();
    assert_eq!((figure.x.name(last.at), last.value), (Some("year"), 0.0), "it is in the figure of weights");
}

/// Returns the figure `id` of a run with the default settings.
fn figure(snapshot: &TableSnapshot, id: &str) -> crate::figure::Figure {
    let spec = spec(&[]);
    UserTable::figures(&spec, snapshot).into_iter().find(|figure| figure.id == id).unwrap()
}

#[test]
fn calibration_is_not_assessed_with_few_rows() {
    let figure = figure(&run(TABLE, &[]).unwrap(), "reliability");
    assert!(figure.summary.contains("no bin has 5 rows"), "{}", figure.summary);
    let rows = figure
        .find("left_out")
        .unwrap()
        .data()
        .map(|bin| bin.label.split(' ').next().unwrap().parse::<usize>());
    assert_eq!(rows.sum::<Result<usize, _>>(), Ok(5));
}

#[test]
fn fields_of_0_are_undecided() {
    for (hidden, beta) in [(1, 0.3), (1, 1.0), (1, 2.0), (3, 2.0), (3, 5.0)] {
        let p = probability(&Likelihood::new(hidden, beta), &vec![0.0; hidden]);
        assert_eq!(p, 0.5, "K = {hidden}, β = {beta}");
    }
    let spec = spec(&[]);
    let text = "a,y\n1,yes\n2,no\n4,no\n";
    let mut snapshot = run(text, &[("beta", "0")]).unwrap();
    assert_eq!(snapshot.solution.as_ref().unwrap().p.left_out, [0.5; 3]);
    let left_out = UserTable::figures(&spec, &snapshot).remove(1);
    assert!(left_out.find("wrong").is_some_and(crate::figure::Mark::is_empty));
    let confusion = |snapshot: &TableSnapshot| figure(snapshot, "confusion").summary.clone();
    let counts = "correct are 0 of 1 with y = yes and 0 of 2 with y = no; undecided: 3.";
    assert!(confusion(&snapshot).ends_with(counts), "{}", confusion(&snapshot));
    snapshot.solution.as_mut().unwrap().p.left_out[0] = 0.6;
    let counts = "correct are 1 of 1 with y = yes and 0 of 2 with y = no; undecided: 2.";
    assert!(confusion(&snapshot).ends_with(counts), "{}", confusion(&snapshot));
}

#[test]
fn a_train_test_column_is_neither_label_nor_input() {
    let parts = ["train", "test", "train", "train", "test"];
    let table = |join: fn(&str, &str) -> String| {
        let lines = TABLE.lines().zip(["split"].iter().chain(&parts));
        lines.map(|(line, part)| join(line, part)).collect::<Vec<_>>().join("\n")
    };
    let last = table(|line, part| format!("{line},{part}"));
    let first = table(|line, part| format!("{part},{line}"));
    let head = TABLE.lines().next().unwrap();
    let training = TABLE.lines().skip(1).zip(parts).filter(|(_, part)| *part == "train");
    let lines: Vec<&str> = std::iter::once(head).chain(training.map(|(line, _)| line)).collect();
    let plain = run(&lines.join("\n"), &[]).unwrap().solution.unwrap();
    for text in [&last, &first] {
        let solved = run(text, &[]).unwrap().solution.unwrap();
        assert_eq!((solved.table.label.as_str(), solved.table.split.as_deref()), ("y", Some("split")));
        assert_eq!((&solved.table.names, &solved.p.left_out), (&plain.table.names, &plain.p.left_out));
        assert_eq!((solved.table.test_lines.as_slice(), solved.p.test.len()), (&[3, 6][..], 2));
    }
    let learnt = run(&last, &[("label", "split")]).unwrap().solution.unwrap();
    assert_eq!(
        (learnt.table.label.as_str(), learnt.table.split),
        ("split", None),
        "it is chosen as the label"
    );
}

/// With one branch: Φ of the field over its standard deviation, mixed with the label noise.
#[test]
fn a_row_without_a_label_is_predicted_from_mean_and_variance_of_its_field() {
    let text = format!("{TABLE}0.5,-1,0.3,2,\n");
    let settings = [("standardise", "false"), ("normalise", "true"), ("beta", "1.5"), ("variance", "shared")];
    let solved = run(&text, &settings).unwrap().solution.unwrap();
    assert_eq!(solved.table.unlabelled_lines, [7]);
    let row = [0.5, -1.0, 0.3, 2.0];
    let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let dot: f64 = row.iter().zip(&solved.weights).map(|(s, w)| s / length * w).sum();
    let flip = 1.0 / (1.0 + 1.5_f64.exp());
    let expected = flip + (1.0 - 2.0 * flip) * crate::math::special::phi(dot / solved.lambda[0].sqrt());
    assert!((solved.p.unlabelled[0] - expected).abs() < 1e-12, "{} {expected}", solved.p.unlabelled[0]);
    let only = run(TABLE, &settings).unwrap().solution.unwrap();
    assert_eq!(solved.p.left_out, only.p.left_out, "it is not a training row");
}

/// Two columns that are independent of a balanced label.
#[test]
fn well_over_half_misclassified_is_explained() {
    let rows = ["1,1", "-1,1", "1,-1", "-1,-1"].into_iter().cycle().take(40).enumerate();
    let rows: Vec<String> = rows.map(|(i, row)| format!("{row},{}\n", (i / 4) % 2)).collect();
    let text = format!("a,b,y\n{}", rows.concat());
    let spec = spec(&[]);
    let warned = |text: &str, pairs: &[(&str, &str)]| {
        let snapshot = run(text, pairs).unwrap();
        let errors = snapshot.solution.as_ref().unwrap().loo_errors;
        (errors, UserTable::figures(&spec, &snapshot)[1].caption.contains("Well over half misclassified"))
    };
    assert_eq!(warned(&text, &[("variance", "shared")]), (40.0, true));
    assert_eq!(warned(&text, &[("beta", "0.25")]), (40.0, true));
    assert!(!warned(TABLE, &[]).1);
    // At a large β labels that are noise have no solution.
    assert!(run(&text, &[("beta", "2")]).unwrap().solution.is_none());
}

#[test]
fn predictions_agree_with_the_error_count_and_stay_within_the_label_noise() {
    for hidden in ["1", "2", "4"] {
        let solved = run(TABLE, &[("hidden", hidden), ("beta", "1")]).unwrap().solution.unwrap();
        let wrong = solved.p.left_out.iter().zip(&solved.table.labels).filter(|(p, y)| (*p - 0.5) * *y < 0.0);
        assert_eq!(wrong.count() as f64, solved.loo_errors);
        let flip = 1.0 / (1.0 + 1.0_f64.exp());
        assert!(solved.p.left_out.iter().all(|p| (flip..=1.0 - flip).contains(p)));
    }
    let undecided = run(TABLE, &[("beta", "0")]).unwrap().solution.unwrap();
    assert_eq!((undecided.loo_errors, undecided.train_errors), (2.5, 2.5), "ties count half");
}

#[test]
fn many_columns_share_a_cavity_variance_by_default() {
    let wide = |columns: usize| {
        let mut stream = crate::math::random::Stream::of(9, 0);
        let header: Vec<String> = (0..columns).map(|i| format!("x{i}")).collect();
        let rows = (0..6).map(|i| {
            let cells: Vec<String> = (0..columns).map(|_| format!("{:.3}", stream.normal())).collect();
            format!("{},{}", cells.join(","), i % 2)
        });
        format!("{},y\n{}\n", header.join(","), rows.collect::<Vec<_>>().join("\n"))
    };
    let per_row = |columns: usize, pairs: &[(&str, &str)]| {
        run(&wide(columns), pairs).map(|snapshot| snapshot.solution.unwrap().per_row)
    };
    assert_eq!(
        [per_row(200, &[]), per_row(202, &[]), per_row(202, &[("hidden", "2")])].map(Result::unwrap),
        [true, false, true]
    );
    assert!(per_row(202, &[("variance", "own")]).unwrap() && !per_row(4, &[("variance", "shared")]).unwrap());
    let problem = per_row(501, &[("variance", "own")]).unwrap_err().remove(0);
    assert_eq!((problem.field.as_str(), problem.nearest.as_deref()), ("variance", Some("auto")));
    assert!(!per_row(501, &[("variance", "auto")]).unwrap());
}

#[test]
fn the_columns_of_the_plane_have_an_effect_and_another_has_none() {
    let rows: Vec<String> =
        forty().iter().enumerate().map(|(i, row)| format!("{},{row}", (i * 11) % 7)).collect();
    let text = format!("other,a,b,y\n{}\n", rows.join("\n"));
    for settings in [&[("fit", "evidence")][..], &[("train_fraction", "0.5")]] {
        let snapshot = run(&text, settings).unwrap();
        let effects = snapshot.effects();
        let [other, a, b] = [0, 1, 2].map(|i| (effects[i].increase, effects[i].se.unwrap()));
        assert!(a.0 > 2.0 * a.1 && b.0 > 2.0 * b.1 && other.0 < 0.5 * a.0.min(b.0), "{effects:?}");
        let figures = UserTable::figures(&spec(settings), &snapshot);
        let figure = figures.iter().find(|figure| figure.id == "effects").unwrap();
        assert_eq!(figure.x.names[2], "other");
        assert_eq!(report::report(&spec(settings), &snapshot)["effects"][2]["column"], "other");
    }
}
