//! The experiment on small tables, from a specification to what is seen.

use super::experiment::probability;
use super::rows::needs;
use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{self, Checked, Outcome, Raw, Run};
use crate::math::lanes::exp;
use crate::models::feedforward::tap::likelihood::Likelihood;

const TABLE: &str = "a,b,c,d,y\n1,0.5,-2,1,0\n0.3,-1,0.2,1,1\n-1,0,1,0.5,1\n2,1,0,-1,0\n0.1,0.2,0.7,-0.4,1\n";

fn run(text: &str, pairs: &[(&str, &str)]) -> Result<OwnSnapshot, Vec<lab::InputError>> {
    let mut store = Store::default();
    let hash = store.load(text.as_bytes()).unwrap().hash;
    let data = ("data", format!("t.csv@{hash}"));
    let pairs = pairs.iter().map(|(key, text)| (*key, (*text).to_owned())).chain([data]);
    let raw: Raw = pairs.map(|(key, text)| (key.to_owned(), text)).collect();
    let spec = Checked::<OwnSpec>::new(&raw).unwrap();
    let snapshot = lab::complete::<OwnData>(&spec, &store)?;
    assert_eq!(
        snapshot.ending == Some(Ending::Converged),
        OwnData::status(&spec, &snapshot) == lab::Status::CONVERGED || snapshot.at_the_edge
    );
    Ok(snapshot)
}

/// 40 rows that a plane tells apart, but for some.
fn forty() -> Vec<String> {
    let row = |i: i32| {
        let [a, b] = [(i * 7) % 11 - 5, (i * 5) % 13 - 6];
        format!("{a},{b},{}", i32::from(a + b + (i * 3) % 7 - 3 > 0))
    };
    (0..40).map(row).collect()
}

#[test]
fn a_fold_is_predicted_by_a_student_of_the_others() {
    let rows = forty();
    let text = format!("a,b,y\n{}\n", rows.join("\n"));
    for fit in ["none", "evidence"] {
        let settings = [("fit", fit), ("standardise", "false"), ("folds", "4")];
        let cross = run(&text, &settings).unwrap();
        assert_eq!(cross.folds.len(), 4);
        let p = cross.cross_validated().unwrap();
        assert!(p.len() == 40 && p.iter().all(|p| p.is_finite()));
        for fold in &cross.folds {
            // The same rows kept aside by a column.
            let part = |i: usize| if fold.rows.contains(&i) { "test" } else { "train" };
            let split: Vec<String> =
                rows.iter().enumerate().map(|(i, row)| format!("{},{row}", part(i))).collect();
            let text = format!("part,a,b,y\n{}\n", split.join("\n"));
            let alone = run(&text, &settings[..2]).unwrap().solved.unwrap();
            assert_eq!(
                (fold.predictions.as_ref(), fold.beta),
                (Some(&alone.test), Some(alone.beta)),
                "{fit}"
            );
        }
    }
    let spec = Checked::<OwnSpec>::new(&crate::lab::raw_of([("folds", "4")])).unwrap();
    let snapshot = run(&text, &[("folds", "4")]).unwrap();
    let scores = OwnData::figures(&spec, &snapshot).into_iter().find(|figure| figure.id == "scores").unwrap();
    assert!(scores.x.names.iter().any(|name| name == "perceptron, 4 folds"), "{:?}", scores.x.names);
    assert_eq!(
        Checked::<OwnSpec>::new(&crate::lab::raw_of([("folds", "1")])).unwrap_err()[0].nearest.as_deref(),
        Some("2")
    );
}

#[test]
fn branches_share_the_columns_equally() {
    let problems = run(TABLE, &[("hidden", "3")]).unwrap_err();
    assert_eq!((problems[0].field.as_str(), problems[0].nearest.as_deref()), ("hidden", Some("2")));
    let solved = run(TABLE, &[("hidden", "2")]).unwrap().solved.unwrap();
    assert_eq!((solved.weights.len(), solved.sd.len(), solved.lambda.len()), (4, 4, 5 * 2));
    let solved = run(TABLE, &[("hidden", "2"), ("variance", "shared")]).unwrap().solved.unwrap();
    assert_eq!((solved.weights.len(), solved.sd.len(), solved.lambda.len()), (4, 4, 2));
}

#[test]
fn what_does_not_fit_names_its_field() {
    let field = |text: &str, pairs: &[(&str, &str)]| run(text, pairs).unwrap_err()[0].field.clone();
    assert_eq!(field(TABLE, &[("label", "z")]), "label");
    assert_eq!(field(TABLE, &[("positive", "2")]), "positive");
    assert_eq!(field("a,k,y\n1,2024-01-30,0\n2,2024-01-31,1\n", &[]), "ignore");
    assert_eq!(field("a,b,y\n7,1,0\n7,1,1\n7,1,1\n", &[]), "data", "nothing ever changes");
    let spec = Checked::<OwnSpec>::new(&Raw::new()).unwrap();
    let refused = OwnData::prepare(&spec, &Store::default(), None).err().unwrap();
    assert_eq!(refused[0].field, "data");
}

#[test]
fn the_sphere_and_the_standard_are_what_they_say() {
    let weights = |pairs: &[(&str, &str)]| run(TABLE, pairs).unwrap().solved.unwrap().weights;
    let plain = weights(&[("standardise", "false"), ("normalise", "true")]);
    let scaled = TABLE.replace("1,0.5,-2,1,0", "10,5,-20,10,0");
    let as_it_is = [("standardise", "false"), ("normalise", "true")];
    let rescaled = run(&scaled, &as_it_is).unwrap().solved.unwrap().weights;
    plain.iter().zip(rescaled).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} {b}"));
    let shifted = TABLE.replace("a,b,c,d,y\n1,", "a,b,c,d,y\n1.0,");
    assert_eq!(run(&shifted, &[]).unwrap().solved.unwrap().weights, weights(&[]));
    assert_ne!(weights(&[("standardise", "false")]), weights(&[]));
}

#[test]
fn a_constant_column_says_nothing() {
    let text = TABLE.replace("d,y", "d,year,y").replace(",0\n", ",1996,0\n").replace(",1\n", ",1996,1\n");
    let [with, without] = [&text, TABLE].map(|text| run(text, &[]).unwrap().solved.unwrap());
    assert_eq!(with.table.constant, ["year"]);
    assert_eq!((&with.weights, &with.predictions), (&without.weights, &without.predictions));
    let spec = Checked::<OwnSpec>::new(&Raw::new()).unwrap();
    let figure = OwnData::figures(&spec, &run(&text, &[]).unwrap()).remove(0);
    let Some(Mark::Bars(weights)) = figure.find("weight") else { panic!("{figure:?}") };
    let last = weights.bars.last().unwrap();
    assert_eq!((figure.x.name(last.at), last.value), (Some("year"), 0.0), "it is in the table of weights");
}

/// That figure of a run with the usual settings.
fn figure(snapshot: &OwnSnapshot, id: &str) -> crate::figure::Figure {
    let spec = Checked::<OwnSpec>::new(&Raw::new()).unwrap();
    OwnData::figures(&spec, snapshot).into_iter().find(|figure| figure.id == id).unwrap()
}

#[test]
fn probabilities_of_few_rows_are_not_judged() {
    let figure = figure(&run(TABLE, &[]).unwrap(), "reliability");
    assert_eq!(figure.summary, "In leave-one-out, no bin has 5 rows, the minimum for a comparison.");
    let rows = figure
        .find("left_out")
        .unwrap()
        .data()
        .map(|bin| bin.label.split(' ').next().unwrap().parse::<usize>());
    assert_eq!(rows.sum::<Result<usize, _>>(), Ok(5));
}

#[test]
fn fields_of_nothing_decide_nothing() {
    for (hidden, beta) in [(1, 0.3), (1, 1.0), (1, 2.0), (3, 2.0), (3, 5.0)] {
        let likelihood = Likelihood::new(hidden, beta);
        let odds = (1.0 - likelihood.flip_probability()) * exp(likelihood.ln_f(&vec![0.0; hidden], 1.0));
        assert_eq!(probability(odds), 0.5, "K = {hidden}, β = {beta}: {odds}");
    }
    let spec = Checked::<OwnSpec>::new(&Raw::new()).unwrap();
    let text = "a,y\n1,yes\n2,no\n4,no\n";
    let mut snapshot = run(text, &[("beta", "0")]).unwrap();
    assert_eq!(snapshot.solved.as_ref().unwrap().predictions, [0.5; 3]);
    let left_out = OwnData::figures(&spec, &snapshot).remove(1);
    assert!(left_out.find("wrong").is_some_and(crate::figure::Mark::is_empty));
    let confusion = |snapshot: &OwnSnapshot| figure(snapshot, "confusion").summary.clone();
    let said = "correct are 0 of 1 with y = yes and 0 of 2 with y = no; undecided: 3.";
    assert!(confusion(&snapshot).ends_with(said), "{}", confusion(&snapshot));
    snapshot.solved.as_mut().unwrap().predictions[0] = 0.6;
    let said = "correct are 1 of 1 with y = yes and 0 of 2 with y = no; undecided: 2.";
    assert!(confusion(&snapshot).ends_with(said), "{}", confusion(&snapshot));
}

#[test]
fn a_column_of_train_and_test_is_neither_label_nor_input() {
    let parts = ["train", "test", "train", "train", "test"];
    let table = |place: fn(&str, &str) -> String| {
        let lines = TABLE.lines().zip(["split"].iter().chain(&parts));
        lines.map(|(line, part)| place(line, part)).collect::<Vec<_>>().join("\n")
    };
    let last = table(|line, part| format!("{line},{part}"));
    let first = table(|line, part| format!("{part},{line}"));
    let head = TABLE.lines().next().unwrap();
    let training = TABLE.lines().skip(1).zip(parts).filter(|(_, part)| *part == "train");
    let lines: Vec<&str> = std::iter::once(head).chain(training.map(|(line, _)| line)).collect();
    let plain = run(&lines.join("\n"), &[]).unwrap().solved.unwrap();
    for text in [&last, &first] {
        let solved = run(text, &[]).unwrap().solved.unwrap();
        assert_eq!((solved.table.label.as_str(), solved.table.split.as_deref()), ("y", Some("split")));
        assert_eq!((&solved.table.names, &solved.predictions), (&plain.table.names, &plain.predictions));
        assert_eq!((solved.table.test_lines.as_slice(), solved.test.len()), (&[3, 6][..], 2));
    }
    let learnt = run(&last, &[("label", "split")]).unwrap().solved.unwrap();
    assert_eq!((learnt.table.label.as_str(), learnt.table.split), ("split", None), "where it is asked for");
}

/// One branch: Φ of the field over its deviation, and the noise of the label.
#[test]
fn a_row_without_a_label_is_predicted_by_mean_and_variance_of_its_field() {
    let text = format!("{TABLE}0.5,-1,0.3,2,\n");
    let settings = [("standardise", "false"), ("normalise", "true"), ("beta", "1.5"), ("variance", "shared")];
    let solved = run(&text, &settings).unwrap().solved.unwrap();
    assert_eq!(solved.table.unlabelled_lines, [7]);
    let row = [0.5, -1.0, 0.3, 2.0];
    let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let dot: f64 = row.iter().zip(&solved.weights).map(|(s, w)| s / length * w).sum();
    let flip = 1.0 / (1.0 + 1.5_f64.exp());
    let expected = flip + (1.0 - 2.0 * flip) * crate::math::special::phi(dot / solved.lambda[0].sqrt());
    assert!((solved.unlabelled[0] - expected).abs() < 1e-12, "{} {expected}", solved.unlabelled[0]);
    let only = run(TABLE, &settings).unwrap().solved.unwrap();
    assert_eq!(solved.predictions, only.predictions, "nothing is learnt from it");
}

/// Two columns that have nothing to do with a label of equal classes.
#[test]
fn well_over_half_wrong_is_no_reverse_law() {
    let rows = ["1,1", "-1,1", "1,-1", "-1,-1"].into_iter().cycle().take(40).enumerate();
    let rows: Vec<String> = rows.map(|(i, row)| format!("{row},{}\n", (i / 4) % 2)).collect();
    let text = format!("a,b,y\n{}", rows.concat());
    let spec = Checked::<OwnSpec>::new(&Raw::new()).unwrap();
    let warned = |text: &str, pairs: &[(&str, &str)]| {
        let snapshot = run(text, pairs).unwrap();
        let errors = snapshot.solved.as_ref().unwrap().loo_errors;
        (errors, OwnData::figures(&spec, &snapshot)[1].caption.contains("Well over half misclassified"))
    };
    assert_eq!(warned(&text, &[("variance", "shared")]), (40.0, true));
    assert_eq!(warned(&text, &[("beta", "0.25")]), (40.0, true));
    assert!(!warned(TABLE, &[]).1);
    // Labels that are noise are none of a β that takes them for sure.
    assert!(run(&text, &[("beta", "2")]).unwrap().solved.is_none());
}

#[test]
fn a_solve_that_fails_is_diverged_or_not_by_its_numbers_and_not_by_its_noise() {
    let outcome = |residual: f64, beta: &str| {
        let spec = Checked::<OwnSpec>::new(&Raw::from([("beta".to_owned(), beta.to_owned())])).unwrap();
        let ending = if residual.is_finite() { Ending::MaxIterations } else { Ending::NonFinite };
        OwnData::status(&spec, &OwnSnapshot { ending: Some(ending), ..OwnSnapshot::default() }).outcome
    };
    for beta in ["2", "inf"] {
        assert_eq!(outcome(f64::INFINITY, beta), lab::Outcome::Diverged);
        assert_eq!(outcome(1.0, beta), lab::Outcome::MaxIterations);
    }
    // A column of large numbers, which nothing damps.
    let text = "a,b,y\n5000,1,0\n5001,-1,1\n4999,0.5,1\n5002,0,0\n5000,2,1\n4998,-2,0\n";
    let shared = [("standardise", "false"), ("variance", "shared")];
    let snapshot = run(text, &shared).unwrap();
    assert!(snapshot.ending.is_some_and(|ending| Outcome::from(ending) == Outcome::Diverged));
    let spec = Checked::<OwnSpec>::new(&shared.map(|(key, text)| (key.into(), text.into())).into()).unwrap();
    let why = OwnData::status(&spec, &snapshot).reason.unwrap();
    assert!(why.ends_with("standardise the columns, or fit β"), "{why}");
    assert!(run(text, &[shared[0], shared[1], ("fit", "evidence")]).unwrap().solved.is_some());
    assert!(run(text, &[shared[1]]).unwrap().solved.is_some());
    assert!(run(text, &[shared[0]]).unwrap().solved.is_some(), "with variances of their own");
}

#[test]
fn predictions_agree_with_the_count_of_errors_and_keep_to_the_noise() {
    for hidden in ["1", "2", "4"] {
        let solved = run(TABLE, &[("hidden", hidden), ("beta", "1")]).unwrap().solved.unwrap();
        let wrong =
            solved.predictions.iter().zip(&solved.table.labels).filter(|(p, y)| (*p - 0.5) * *y < 0.0);
        assert_eq!(wrong.count() as f64, solved.loo_errors);
        let flip = 1.0 / (1.0 + 1.0_f64.exp());
        assert!(solved.predictions.iter().all(|p| (flip..=1.0 - flip).contains(p)));
    }
    let undecided = run(TABLE, &[("beta", "0")]).unwrap().solved.unwrap();
    assert_eq!((undecided.loo_errors, undecided.train_errors), (2.5, 2.5), "ties count half");
}

#[test]
fn labels_that_cannot_be_fitted_without_noise_give_no_numbers() {
    // Two rows alike with different labels.
    let text = "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n";
    let snapshot = run(text, &[("beta", "inf")]).unwrap();
    assert_eq!((snapshot.ending.map(Outcome::from), &snapshot.solved), (Some(Outcome::Diverged), &None));
    assert_eq!(snapshot.residuals.last().map(|r| r.step), Some(snapshot.sweeps));
    let spec = Checked::<OwnSpec>::new(&Raw::from([("beta".to_owned(), "inf".to_owned())])).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    assert_eq!(figures[0].id, "residual");
    assert!(figures[0].find("residual").is_some_and(|mark| mark.len() > 100));
    assert!(figures.iter().all(|f| f.caption.contains("choose a finite β")));
    assert!(run(text, &[("beta", "2")]).unwrap().solved.is_some());
}

/// As many numbers as memory has room for, with advice that works.
#[test]
fn rows_are_limited_by_memory() {
    let most = 20_000_000;
    for columns in [2, 50] {
        let limit = needs(columns).training.unwrap().0;
        assert!(limit * columns <= most && (limit + 1) * columns > most, "{columns}: {limit}");
    }
    let bytes = |rows: usize, variance: &str| {
        let text = "a,y\n".to_owned() + &"1,0\n2,1\n".repeat(rows / 2);
        let facts = Store::default().load(text.as_bytes()).unwrap().clone();
        let raw = Raw::from([("variance".to_owned(), variance.to_owned())]);
        OwnData::plan(&Checked::new(&raw).unwrap(), Some(&facts)).bytes()
    };
    assert_eq!([4, 100].map(|rows| bytes(rows, "shared")), [3 * 8 * 8, 3 * 8 * 200]);
    assert_eq!([4, 100].map(|rows| bytes(rows, "auto")), [(6 + 24) * 8 * 4, (6 + 24) * 8 * 100]);
}

/// What a failure advises has a solution: the β that it names, and one that is fitted.
#[test]
fn advice_leads_to_a_solution_when_it_is_followed() {
    let text = "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n";
    for (beta, variance) in [("inf", "own"), ("12", "own"), ("inf", "shared")] {
        let settings = [("beta", beta), ("variance", variance)];
        let snapshot = run(text, &settings).unwrap();
        let advised = snapshot.advice.unwrap();
        assert!(
            snapshot.solved.is_none() && advised > 0.0 && advised < 12.5,
            "{beta}, {variance}: {advised}"
        );
        let raw = Raw::from(settings.map(|(key, text)| (key.to_owned(), text.to_owned())));
        let why = OwnData::status(&Checked::<OwnSpec>::new(&raw).unwrap(), &snapshot).reason.unwrap();
        assert!(why.contains(&advised.to_string()) && why.contains("or fit β"), "{why}");
        let followed = run(text, &[("beta", &advised.to_string()), ("variance", variance)]).unwrap();
        assert_eq!(followed.solved.map(|solved| solved.beta), Some(advised), "{beta}, {variance}");
        let spec = Checked::<OwnSpec>::new(&raw).unwrap();
        let found = OwnData::found(&spec, &snapshot);
        assert_eq!((found["beta"].clone(), found["fit"].as_str()), (advised.to_string(), "none"));
        let fit = [("fit", "evidence"), ("variance", variance)];
        let fitted = run(text, &fit).unwrap();
        let raw = Raw::from(fit.map(|(key, text)| (key.to_owned(), text.to_owned())));
        let found = OwnData::found(&Checked::new(&raw).unwrap(), &fitted);
        assert_eq!(found["beta"].parse(), Ok(fitted.solved.unwrap().beta));
    }
}

/// Labels that say nothing of the columns are noise, and there is nothing to be sure of.
#[test]
fn the_evidence_finds_labels_that_say_nothing() {
    let mut stream = crate::math::random::Stream::of(3, 0);
    let rows = (0..300).map(|_| format!("{},{},{}\n", stream.normal(), stream.normal(), stream.sign()));
    let text = format!("a,b,y\n{}", rows.collect::<Vec<_>>().concat());
    let snapshot = run(&text, &[("fit", "evidence")]).unwrap();
    let solved = snapshot.solved.unwrap();
    assert!(solved.beta < 0.3, "{}", solved.beta);
    let best = snapshot.path.iter().fold(f64::NEG_INFINITY, |most, (_, value)| most.max(*value));
    assert_eq!(best, solved.ln_evidence);
}

#[test]
fn many_columns_share_a_variance_unless_they_are_asked_not_to() {
    let wide = |columns: usize| {
        let mut stream = crate::math::random::Stream::of(9, 0);
        let header: Vec<String> = (0..columns).map(|i| format!("x{i}")).collect();
        let rows = (0..6).map(|i| {
            let cells: Vec<String> = (0..columns).map(|_| format!("{:.3}", stream.normal())).collect();
            format!("{},{}", cells.join(","), i % 2)
        });
        format!("{},y\n{}\n", header.join(","), rows.collect::<Vec<_>>().join("\n"))
    };
    let own = |columns: usize, pairs: &[(&str, &str)]| {
        run(&wide(columns), pairs).map(|snapshot| snapshot.solved.unwrap().own)
    };
    assert_eq!(
        [own(200, &[]), own(202, &[]), own(202, &[("hidden", "2")])].map(Result::unwrap),
        [true, false, true]
    );
    assert!(own(202, &[("variance", "own")]).unwrap() && !own(4, &[("variance", "shared")]).unwrap());
    let problem = own(501, &[("variance", "own")]).unwrap_err().remove(0);
    assert_eq!((problem.field.as_str(), problem.nearest.as_deref()), ("variance", Some("auto")));
    assert!(!own(501, &[("variance", "auto")]).unwrap());
}
