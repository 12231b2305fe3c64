//! What a run says by itself: what it decided, and how far its numbers can be believed.

use super::*;
use crate::figure::DataTable;

#[test]
fn columns_that_never_change_are_left_out_and_said() {
    let constant = "b,a,c,y\n7,1,1,0\n7,2,1,1\n7,3,1,1\n";
    let (spec, left_out) = run(constant, &[]).unwrap();
    let ignored = solved(constant, &[("ignore", "b,c")]);
    let ((main, solution, _), (_, plain, _)) = (main_of(&left_out), main_of(&ignored));
    assert_eq!((main.table.constant.join(","), main.table.names.join(",")), ("b,c".into(), "a".into()));
    assert_eq!(solution, plain);
    let caption = &OwnData::figures(&spec, &left_out)[0].caption;
    assert!(caption.contains("b and c are the same in every training row and are left out"), "{caption}");
    let as_they_are = solved(constant, &[("standardise", "false")]);
    assert_eq!(main_of(&as_they_are).0.table.names.len(), 3, "a constant is an input where it is asked for");
    // Constant in the training rows is enough, and the second file need not have it.
    let parts = "b,a,part,y\n7,1,train,0\n7,2,train,1\n8,3,test,1\n";
    assert_eq!(main_of(&solved(parts, &[])).0.table.constant, ["b"]);
    assert_eq!(main_of(&second(constant, "a,y\n1,0\n", &[]).unwrap().1).1.second.len(), 1);
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
    // Equally many of both, and nothing that tells them apart.
    let rows: Vec<String> = (0..12).map(|i| format!("{},{}", (7 * i) % 12 / 2, i % 2)).collect();
    let table = format!("a,y\n{}\n", rows.join("\n"));
    let caption = |sigma2: &str| {
        let (spec, snapshot) = run(&table, &[("sigma2", sigma2)]).unwrap();
        OwnData::figures(&spec, &snapshot).remove(0).caption.clone()
    };
    assert!(caption("1000").contains("Well over half misclassified"), "{}", caption("1000"));
    let (spec, snapshot) = run(&self::table(30), &[]).unwrap();
    assert!(!OwnData::figures(&spec, &snapshot)[0].caption.contains("Well over half"));
}

#[test]
fn what_a_fit_has_seen_is_no_honest_error() {
    let text = table(30);
    let summary = |pairs: Pairs| {
        let (spec, snapshot) = run(&text, pairs).unwrap();
        OwnData::figures(&spec, &snapshot).remove(0).summary.clone()
    };
    assert!(!summary(&[]).contains("optimistic"));
    let fitted = summary(&[("fit", "loo"), ("train_fraction", "0.8")]);
    assert!(
        fitted.contains(
            "But σ², v and κ were fitted on all training rows, so this is optimistic; the test error is not."
        ),
        "{fitted}"
    );
    let all = summary(&[("fit", "evidence"), ("fit_ard", "true")]);
    assert!(
        all.ends_with(
            "But σ², v, κ and the relevances were fitted on all training rows, so this is optimistic."
        ),
        "{all}"
    );
}

#[test]
fn words_and_numbers_of_a_label_are_told_as_what_they_are() {
    let numbers = table(60);
    let words = numbers.replace(",0\n", ",well\n").replace(",1\n", ",ill\n");
    let figures = |text: &str, pairs: Pairs| {
        let (spec, snapshot) = run(text, pairs).unwrap();
        OwnData::figures(&spec, &snapshot)
    };
    let ill = figures(&words, &[]);
    assert!(
        ill[0].caption.contains("+1 is y = ill; choose the other with “Positive value”."),
        "{}",
        ill[0].caption
    );
    assert!(!figures(&words, &[("positive", "well")])[0].caption.contains("+1 is"));
    let figures = figures(&numbers, &[("train_fraction", "0.8"), ("exact_loo", "true")]);
    assert!(!figures[0].caption.contains("+1 is"), "numbers are in their order");
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

/// What a fit has found is a setting of the form, which gives the same solution without a fit; stopped, the best so far.
#[test]
fn what_a_fit_has_found_can_be_used() {
    let text = table(30);
    for ard in ["false", "true"] {
        let (spec, mut fitted) = run(&text, &[("fit", "evidence"), ("fit_ard", ard), ("v", "0.1")]).unwrap();
        let found = OwnData::found(&spec, &fitted);
        let pairs: Vec<_> = found.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
        let (used, again) = run(&text, &pairs).unwrap();
        assert_eq!(used.fit, FitBy::Nothing);
        let [(_, a, found_scores), (_, b, scores)] = [main_of(&fitted), main_of(&again)];
        assert!((found_scores.minus_g - scores.minus_g).abs() < 1e-7, "{found_scores:?} {scores:?}");
        for (p, q) in a.left_out.iter().zip(&b.left_out) {
            assert!((p.p - q.p).abs() < 1e-6, "{p:?} {q:?}");
        }
        assert!(OwnData::found(&used, &again).is_empty(), "nothing was fitted");

        fitted.main = None;
        let stopped = OwnData::found(&spec, &fitted);
        assert_eq!(stopped.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
        let value = |found: &Raw| {
            let pairs: Vec<_> = found.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
            main_of(&solved(&text, &pairs)).2.minus_g
        };
        assert!((value(&stopped) - scores.minus_g).abs() < 1e-3, "{stopped:?}");
    }
}

/// Of a place that was larger but had no solution in the end nothing is said.
#[test]
fn a_fit_is_told_by_the_value_of_its_own_settings() {
    let (spec, mut snapshot) = run(&table(30), &[("fit", "loo")]).unwrap();
    let caption = |snapshot: &OwnSnapshot| {
        let figures = OwnData::figures(&spec, snapshot);
        figures.into_iter().find(|f| f.id == "fit").unwrap().summary.clone()
    };
    let before = caption(&snapshot);
    let Attempt { sigma2, scores, .. } = snapshot.main.as_ref().unwrap().attempt;
    let value = format!("{:.2}", scores.unwrap().ln_loo.abs());
    assert!(before.contains(&value) && before.contains(&format!("σ² = {sigma2:.4}")), "{before}");
    let first = &mut snapshot.searches[0].evaluations[0];
    *first = Evaluation { value: Some(-0.5), sigma2: 7.0, ..*first };
    assert_eq!(caption(&snapshot), before);
    // Under way it is the best place so far.
    snapshot.main.as_mut().unwrap().attempt.scores = None;
    assert!(caption(&snapshot).contains("σ² = 7.0000"), "{}", caption(&snapshot));
}
