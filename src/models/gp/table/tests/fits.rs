//! Fits: results before and after them, and their ends.

use super::super::searches::Search;
use super::super::status::status;
use super::*;
use crate::lab::labelled_table::NoEffects;

/// The given settings come first, and their results are kept beside those of the fit.
#[test]
fn a_fit_begins_with_the_results_of_the_given_settings() {
    let text = table(60);
    let (spec, snapshot) = run(&text, &[("fit", "evidence")]).unwrap();
    let plain = solved(&text, &[]);
    let ClassifierSnapshot { given, fitted, .. } = &snapshot.classifier;
    // Only a fit has held-out rows on which effects can be measured.
    let mut alone = plain.classifier.given;
    let reason = alone.as_mut().and_then(|given| given.solution.as_mut()?.no_effects.take());
    assert_eq!((given, reason), (&alone, Some(NoEffects::NoRows)));
    assert_ne!(given.as_ref().unwrap().solve.hyper, fitted.as_ref().unwrap().solve.hyper);
    let report = UserTable::report(&spec, &snapshot);
    let before = &report["before_fit"];
    let log_losses = [&before["log_loss"], &report["cross_validation_scores"]["log_loss"]["value"]];
    assert!(log_losses.iter().all(|value| value.is_number()), "{log_losses:?}");
    // Both are from the same folds.
    let (folds, in_folds) = run(&text, &[("folds", "5")]).unwrap();
    let in_folds = UserTable::report(&folds, &in_folds);
    assert_eq!(before["log_loss"], in_folds["cross_validation_scores"]["log_loss"]["value"]);
    assert_eq!(before["settings"]["sigma2"], 0.3);
    // Until the fit has ended, the results are those of the given settings.
    let mut first = snapshot.clone();
    (first.classifier.fitted, first.folds) = (None, Vec::new());
    let report = UserTable::report(&spec, &first);
    assert_eq!((&report["headline"]["rows"], &report["sigma2"]), (&"left_out".into(), &0.3.into()));
    assert!(report["fit_best"]["value"].is_number(), "{report}");
}

#[test]
fn default_settings_are_tuned_unless_the_table_is_small() {
    let text = table(60);
    let (spec, snapshot) = run(&text, &[("fit", "auto")]).unwrap();
    let (asked, by_evidence) = run(&text, &[("fit", "evidence")]).unwrap();
    assert_eq!(snapshot, by_evidence);
    // A search that ends at its budget is a failure only where a fit was requested.
    let mut stopped = snapshot.clone();
    stopped
        .classifier
        .starts
        .iter_mut()
        .filter_map(|start| start.end.as_mut())
        .for_each(|end| end.failed = true);
    assert_eq!(UserTable::status(&spec, &stopped), crate::lab::Status::CONVERGED);
    assert_eq!(UserTable::status(&asked, &stopped).outcome, Outcome::Partial);
    let report = UserTable::report(&spec, &snapshot);
    assert_eq!((&report["tuning"]["tuned"], &report["headline"]["rows"]), (&true.into(), &"folds".into()));
    let [before, after] =
        [&report["before_fit"]["log_loss"], &report["cross_validation_scores"]["log_loss"]["value"]]
            .map(|x| x.as_f64().unwrap());
    let first = UserTable::figures(&spec, &snapshot).remove(0);
    assert!(!first.finding.contains("Tuned"), "the finding does not grow: {}", first.finding);
    assert!(
        first.caption.contains(&format!("Tuned by evidence: log loss {before:.3} → {after:.3}.")),
        "{}",
        first.caption
    );
    assert_eq!(UserTable::found(&spec, &snapshot), UserTable::found(&asked, &by_evidence));
    for (rows, settings, reason) in [
        (19, &[][..], "fewer than 20 rows"),
        (60, &[("v", "0.1")], "not at the default"),
        (60, &[("method", "naive")], "only TAP"),
    ] {
        let (spec, snapshot) = run(&table(rows), &[&[("fit", "auto")], settings].concat()).unwrap();
        let report = UserTable::report(&spec, &snapshot);
        let caption = UserTable::figures(&spec, &snapshot).remove(0).caption;
        assert!(snapshot.classifier.fitted.is_none() && caption.contains(reason), "{caption}");
        assert!(report["tuning"]["reason"].as_str().unwrap().contains(reason), "{}", report["tuning"]);
    }
}

/// Flips leave regions without a solution from scratch, where a fit may end.
#[test]
fn a_fit_without_a_solution_keeps_the_given_settings() {
    let (spec, mut snapshot) = run(&table(40), &[("fit", "loo")]).unwrap();
    let fitted = snapshot.classifier.fitted.as_mut().unwrap();
    (fitted.solution, fitted.solve.scores, fitted.solve.ending) = (None, None, Some(Ending::NoSolution));
    let report = UserTable::report(&spec, &snapshot);
    assert_eq!(report["sigma2"], 0.3);
    assert!(report["predictions"].is_array() && report["loo_scores"]["log_loss"]["value"].is_number());
    assert_eq!(status(&spec, &snapshot, false).outcome, Outcome::Partial);
}

/// One row in fifty is of the rarer class, and a label in ten is flipped: with κ > 0 many settings have no solution.
#[test]
fn every_search_ends_within_its_budget() {
    let mut stream = Stream::of(9, 0);
    let mut text = String::from("a,b,y\n");
    for row in 0..150 {
        let [a, b] = [(); 2].map(|()| stream.normal());
        writeln!(text, "{a},{b},{}", u8::from((row % 50 == 0) != (stream.uniform() < 0.1))).unwrap();
    }
    for settings in [[("fit", "loo"), ("kappa", "0.05")], [("fit", "evidence"), ("v", "0")]] {
        let (spec, snapshot) = run(&text, &settings).unwrap();
        let searches = &snapshot.classifier.starts;
        assert_eq!(searches.len(), 5);
        for (number, search) in searches.iter().enumerate() {
            let which = if number < 4 { Search::Start(number) } else { Search::AllRows };
            assert!(search.evaluations.len() <= which.evaluations(&spec, 150), "{settings:?} {number}");
        }
        assert!(UserTable::report(&spec, &snapshot)["loo_errors"].is_number(), "{settings:?}");
    }
}

/// κ is fitted only if it gains more than a nat: flipped labels far from the boundary of a linear function.
#[test]
fn kappa_is_fitted_where_it_pays() {
    let kappa = |every: u32| {
        let mut text = String::from("a,y\n");
        for row in 1..=160_u32 {
            let a = f64::from(row) - 80.5;
            writeln!(text, "{a},{}", u8::from((a > 0.0) != row.is_multiple_of(every))).unwrap();
        }
        main_of(&solved(&text, &[("fit", "evidence"), ("kernel", "linear")])).0.solve.hyper.kappa
    };
    assert!((0.05..0.3).contains(&kappa(8)), "{}", kappa(8));
    assert_eq!(kappa(200), 0.0);
}
