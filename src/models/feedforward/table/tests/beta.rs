//! Tuning of β.

use super::*;

#[test]
fn the_given_beta_is_kept_if_the_fitted_one_is_worse_in_the_folds() {
    let text = format!("a,b,y\n{}\n", forty().join("\n"));
    for (settings, folds) in
        [(&[("fit", "evidence")][..], 5), (&[("fit", "evidence"), ("train_fraction", "0.6")], 3)]
    {
        let spec = spec(settings);
        let snapshot = run(&text, settings).unwrap();
        assert_eq!(snapshot.folds.iter().filter(|fold| fold.p.is_some()).count(), folds);
        // The same run, with folds that favour one β and then the other.
        let favouring = |kept: Kept| {
            let mut snapshot = snapshot.clone();
            let labels = &snapshot.solution.as_ref().unwrap().table.labels;
            for fold in &mut snapshot.folds {
                let p = |sure: f64| fold.rows.iter().map(|row| 0.5 + sure * labels[*row]).collect();
                let better = p(0.4);
                let worse = p(0.1);
                let [fitted, given] = if kept == Kept::Fitted { [better, worse] } else { [worse, better] };
                (fold.p, fold.before_fit) = (Some(fitted), Some(given));
            }
            snapshot
        };
        let given = favouring(Kept::Given);
        let beta = |solution: Option<&TableSolution>| solution.map(|solution| solution.beta);
        assert_eq!(beta(given.shown()), beta(given.before_fit.as_ref()));
        assert!(UserTable::found(&spec, &given).is_empty());
        let report = UserTable::report(&spec, &given);
        assert_eq!((&report["beta"], &report["held_out_comparison"]["kept"]), (&2.0.into(), &"given".into()));
        let caption = UserTable::figures(&spec, &given)[0].caption.clone();
        assert!(
            caption.contains("The given settings are kept.") && !caption.contains("largest,"),
            "{caption}"
        );
        let fitted = favouring(Kept::Fitted);
        assert_eq!(beta(fitted.shown()), beta(fitted.solution.as_ref()));
        assert!(!UserTable::found(&spec, &fitted).is_empty());
        assert_eq!(UserTable::report(&spec, &fitted)["held_out_comparison"]["kept"], "fitted");
        assert_ne!(given.shown().unwrap().beta, fitted.shown().unwrap().beta);
        // With test rows the folds compare only, and effects are measured on the test rows.
        let cross_validated = given.classified(&spec).unwrap().cross_validated;
        assert_eq!(cross_validated.is_some(), folds == 5);
        assert_eq!(given.fold_effects_before_fit.len(), if folds == 5 { 5 } else { 0 });
    }
}

#[test]
fn beta_is_tuned_by_default_after_the_results_of_the_default() {
    let auto = |text: &str, pairs: &[(&str, &str)]| {
        let settings = [&[("fit", "auto")], pairs].concat();
        let (spec, snapshot) = (spec(&settings), run(text, &settings).unwrap());
        let report = UserTable::report(&spec, &snapshot);
        let figures = UserTable::figures(&spec, &snapshot);
        (report, figures[0].finding.clone(), figures[0].caption.clone(), UserTable::found(&spec, &snapshot))
    };
    let text = format!("a,b,y\n{}\n", forty().join("\n"));
    let (report, finding, caption, found) = auto(&text, &[]);
    // The folds say that the fit does not help, and the default is kept.
    let compared = &report["held_out_comparison"];
    let [before, after, shown] =
        [&compared["given"], &compared["fitted"], &report["cross_validation_scores"]["log_loss"]["value"]]
            .map(|x| x.as_f64().unwrap());
    assert!(before < after && (before - shown).abs() < 1e-12, "{before} {after} {shown}");
    assert_eq!((&report["tuning"]["tuned"], &report["before_fit"]["beta"]), (&true.into(), &2.0.into()));
    assert_eq!(report["headline"]["rows"], "folds");
    assert!(finding.contains("in 5-fold cross-validation"), "{finding}");
    assert!(
        caption.contains(&format!(
            "Tuning by evidence has not helped: log loss {before:.3} → {after:.3} on 40 held-out rows."
        )),
        "{caption}"
    );
    assert_eq!((report["beta"].as_f64(), found.is_empty()), (Some(2.0), true));
    // The default has no solution.
    let (report, _, caption, _) = auto(&noise(300), &[]);
    assert!(caption.contains("(no solution at β = 2)") && report["before_fit"].is_null(), "{caption}");
    for (text, settings, reason) in
        [(TABLE, &[][..], "fewer than 20 rows"), (&text, &[("beta", "1")], "β is not at the default")]
    {
        let (report, _, caption, found) = auto(text, settings);
        assert!(!caption.contains("Tuned by") && caption.contains(reason), "{caption}");
        assert!(report["tuning"]["reason"].as_str().unwrap().contains(reason) && found.is_empty());
    }
    let units = |rows: usize| {
        let text = "a,y\n".to_owned() + &"1,0\n2,1\n".repeat(rows / 2);
        let facts = Store::default().load(text.as_bytes()).unwrap().clone();
        UserTable::plan(&spec(&[("fit", "auto")]), Some(&facts)).units()
    };
    assert_eq!([10, 100, 20_002].map(units), [2, 8, 2]);
}

/// Labels that are independent of the columns are noise.
#[test]
fn the_evidence_of_random_labels_is_largest_at_a_small_beta() {
    let snapshot = run(&noise(300), &[("fit", "evidence")]).unwrap();
    let solved = snapshot.solution.unwrap();
    assert!(solved.beta < 0.3, "{}", solved.beta);
    let best = snapshot.path.iter().fold(f64::NEG_INFINITY, |most, (_, value)| most.max(*value));
    assert_eq!(best, solved.ln_evidence);
}
