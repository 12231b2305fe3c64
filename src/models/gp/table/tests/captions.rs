//! Captions: defaults that were chosen, and the limits of the results.

use super::*;
use crate::figure::DataTable;

#[test]
fn constant_columns_are_left_out_and_named() {
    let constant = "b,a,c,y\n7,1,1,0\n7,2,1,1\n7,3,1,1\n";
    let (spec, left_out) = run(constant, &[]).unwrap();
    let ignored = solved(constant, &[("ignore", "b,c")]);
    let ((main, solution, _), (_, plain, _)) = (main_of(&left_out), main_of(&ignored));
    assert_eq!((main.table.constant.join(","), main.table.names.join(",")), ("b,c".into(), "a".into()));
    assert_eq!(solution, plain);
    let caption = &UserTable::figures(&spec, &left_out)[0].caption;
    assert!(caption.contains("b and c are the same in every training row and are left out"), "{caption}");
    let as_they_are = solved(constant, &[("standardise", "false")]);
    assert_eq!(
        main_of(&as_they_are).0.table.names.len(),
        3,
        "without standardisation a constant is an input"
    );
    // A column that is constant in the training rows only; the second file need not have it.
    let parts = "b,a,part,y\n7,1,train,0\n7,2,train,1\n8,3,test,1\n";
    assert_eq!(main_of(&solved(parts, &[])).0.table.constant, ["b"]);
    assert_eq!(main_of(&second(constant, "a,y\n1,0\n", &[]).unwrap().1).1.predictions.second.len(), 1);
    let problem = run(constant, &[("ard", "1,2,3")]).unwrap_err();
    assert!(
        problem.expected.ends_with("1 input columns a; those that never change are left out: b, c."),
        "{problem}"
    );
    assert_eq!(problem.nearest.as_deref(), Some("1"));
    solved(constant, &[("ard", "2")]);
    let nothing = run("a,y\n1,0\n1,1\n", &[]).unwrap_err();
    assert_eq!((nothing.field.as_str(), nothing.given.as_str()), ("data", "a"));
}

#[test]
fn a_leave_one_out_error_well_over_half_is_explained() {
    // Balanced labels that are independent of the column.
    let rows: Vec<String> = (0..12).map(|i| format!("{},{}", (7 * i) % 12 / 2, i % 2)).collect();
    let table = format!("a,y\n{}\n", rows.join("\n"));
    let caption = |sigma2: &str| {
        let (spec, snapshot) = run(&table, &[("sigma2", sigma2)]).unwrap();
        UserTable::figures(&spec, &snapshot).remove(0).caption.clone()
    };
    assert!(caption("1000").contains("Well over half misclassified"), "{}", caption("1000"));
    let (spec, snapshot) = run(&self::table(30), &[]).unwrap();
    assert!(!UserTable::figures(&spec, &snapshot)[0].caption.contains("Well over half"));
}

#[test]
fn a_leave_one_out_error_after_a_fit_is_called_optimistic() {
    let text = table(30);
    let summary = |pairs: Pairs| {
        let (spec, snapshot) = run(&text, pairs).unwrap();
        UserTable::figures(&spec, &snapshot).remove(0).summary.clone()
    };
    let settings: [Pairs; 3] = [&[], &[("fit", "loo"), ("train_fraction", "0.8")], &[("fit", "evidence")]];
    let summaries = settings.map(summary);
    let contain = |text: &str| summaries.each_ref().map(|summary| summary.contains(text));
    assert_eq!(contain("optimistic"), [false, true, true], "{summaries:?}");
    assert_eq!(contain("the test error is not"), [false, true, false], "{summaries:?}");
}

#[test]
fn the_default_positive_value_is_named_if_the_labels_are_words() {
    let numbers = table(60);
    let words = numbers.replace(",0\n", ",well\n").replace(",1\n", ",ill\n");
    let figures = |text: &str, pairs: Pairs| {
        let (spec, snapshot) = run(text, pairs).unwrap();
        UserTable::figures(&spec, &snapshot)
    };
    let ill = figures(&words, &[]);
    assert!(
        ill[0].caption.contains("+1 is y = ill; choose the other with “Positive value”."),
        "{}",
        ill[0].caption
    );
    assert!(!figures(&words, &[("positive", "well")])[0].caption.contains("+1 is"));
    let figures = figures(&numbers, &[("train_fraction", "0.8"), ("exact_loo", "true")]);
    assert!(!figures[0].caption.contains("+1 is"), "the larger number is +1");
    let confusion = figures.iter().find(|f| f.id == "confusion").unwrap();
    assert!(confusion.summary.contains(" with y = 1 and "), "{}", confusion.summary);
    let table = DataTable::of(confusion);
    let column = |row: usize| table.rows[row][0].as_deref();
    assert_eq!((table.rows.len(), column(0), column(1)), (2, Some("1"), Some("0")));
    assert_eq!(table.columns[..3], ["true y", "Test rows, predicted y 1", "Test rows, predicted y 0"]);
    let count = |cells: std::ops::Range<usize>| -> usize {
        table
            .rows
            .iter()
            .flat_map(|row| &row[cells.clone()])
            .map(|n| n.as_ref().unwrap().parse::<usize>().unwrap())
            .sum()
    };
    assert_eq!((count(1..3), count(3..5), count(5..7)), (12, 48, 48), "test, training and retrained rows");
    let reliability = figures.iter().find(|f| f.id == "reliability").unwrap();
    assert!(reliability.summary.contains("within two standard errors"), "{}", reliability.summary);
    assert!(reliability.summary.contains("bins with at least 5 rows"), "{}", reliability.summary);
}

/// Fitted settings give the same solution without a fit; those of a stopped fit are the best so far.
#[test]
fn found_settings_give_the_solution_of_the_fit() {
    // In the second table a column is so relevant that fitted relevances are kept.
    for (ard, text) in [("false", table(30)), ("true", comparison::one_relevant(100, 4, true))] {
        let (spec, mut fitted) = run(&text, &[("fit", "evidence"), ("fit_ard", ard), ("v", "0.1")]).unwrap();
        let found = UserTable::found(&spec, &fitted);
        let pairs: Vec<_> = found.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        let (used, again) = run(&text, &pairs).unwrap();
        assert_eq!(used.fit, FitBy::Nothing);
        let [(_, a, found_scores), (_, b, scores)] = [main_of(&fitted), main_of(&again)];
        assert!((found_scores.minus_g - scores.minus_g).abs() < 1e-7, "{found_scores:?} {scores:?}");
        for (p, q) in a.predictions.left_out.iter().zip(&b.predictions.left_out) {
            assert!((p.p - q.p).abs() < 1e-6, "{p:?} {q:?}");
        }
        assert!(UserTable::found(&used, &again).is_empty(), "nothing was fitted");

        fitted.classifier.fitted = None;
        let stopped = UserTable::found(&spec, &fitted);
        assert_eq!(stopped.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
        let value = |found: &Raw| {
            let pairs: Vec<_> = found.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
            main_of(&solved(&text, &pairs)).2.minus_g
        };
        assert!((value(&stopped) - scores.minus_g).abs() < 1e-3, "{stopped:?}");
    }
}

/// An evaluation with a larger objective, but without a solution in the end, is not reported.
#[test]
fn the_caption_of_a_fit_has_the_objective_at_its_settings() {
    let (spec, mut snapshot) = run(&table(30), &[("fit", "loo")]).unwrap();
    let caption = |snapshot: &TableSnapshot| {
        let figures = UserTable::figures(&spec, snapshot);
        figures.into_iter().find(|f| f.id == "fit").unwrap().summary.clone()
    };
    let before = caption(&snapshot);
    let SolveSummary { hyper: HyperparameterValues { sigma2, .. }, scores, .. } =
        snapshot.classifier.fitted.as_ref().unwrap().solve;
    let value = format!("{:.2}", scores.unwrap().ln_loo.abs());
    assert!(before.contains(&value) && before.contains(&format!("σ² = {sigma2:.4}")), "{before}");
    let first = &mut snapshot.classifier.starts[0].evaluations[0];
    *first =
        SearchEvaluation { value: Some(-0.5), hyper: HyperparameterValues { sigma2: 7.0, ..first.hyper } };
    assert_eq!(caption(&snapshot), before);
    // While the fit is running it is the best evaluation so far.
    snapshot.classifier.fitted.as_mut().unwrap().solve.scores = None;
    assert!(caption(&snapshot).contains("σ² = 7.0000"), "{}", caption(&snapshot));
}
