//! Effects of the columns on the log loss of held-out rows.

use super::*;
use crate::lab::labelled_table::ColumnEffect;

/// Returns the effects of the columns a and b, which are relevant, and c, which is not, in units of their standard errors.
fn clarity(effects: &[ColumnEffect]) -> Vec<f64> {
    assert_eq!(effects.iter().map(|effect| effect.column.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    effects.iter().map(|effect| effect.increase / effect.se.unwrap()).collect()
}

#[test]
fn relevant_columns_have_an_effect_on_test_rows() {
    let (spec, snapshot) = run(&table(200), &[("train_fraction", "0.5"), ("v", "0.1")]).unwrap();
    let effects = snapshot.effects();
    let clear = clarity(&effects);
    assert!(clear[0] > 4.0 && clear[1] > 3.0 && clear[2] < 3.0, "{effects:?}");
    assert!(effects.iter().all(|effect| effect.rows == 100));
    assert!(snapshot.fold_effects.is_empty());
    let figure =
        UserTable::figures(&spec, &snapshot).into_iter().find(|figure| figure.id == "effects").unwrap();
    assert_eq!(figure.x.names[0], "a");
    let report = UserTable::report(&spec, &snapshot);
    assert_eq!(report["effects"][0]["column"], "a");
    // The loss of the rows as they are is that of the scores.
    let loss = report["test_scores"]["log_loss"]["value"].as_f64().unwrap();
    assert!(loss < effects[0].increase + loss && report["effects"][2]["increase"].as_f64().unwrap() < 0.05);
}

#[test]
fn without_test_rows_the_effects_are_measured_in_folds() {
    let (spec, snapshot) = run(&table(120), &[("fit", "evidence")]).unwrap();
    assert!(main_of(&snapshot).1.effects.is_empty() && snapshot.fold_effects.len() == 5);
    let effects = snapshot.effects();
    let clear = clarity(&effects);
    assert!(clear[0] > 4.0 && clear[1] > 3.0 && clear[2] < 3.0, "{effects:?}");
    assert!(effects.iter().all(|effect| effect.rows == 120));
    assert!(UserTable::figures(&spec, &snapshot).iter().any(|figure| figure.id == "effects"));
    // With neither test rows nor folds there is no row to measure them on.
    let (spec, snapshot) = run(&table(60), &[("v", "0.1")]).unwrap();
    assert!(snapshot.effects().is_empty());
    assert!(UserTable::figures(&spec, &snapshot).iter().all(|figure| figure.id != "effects"));
}

/// Relevances that the folds do not favour have no part in the effects.
#[test]
fn the_effects_are_those_of_the_settings_that_are_kept() {
    let text = comparison::one_relevant(60, 12, false);
    let settings = [("fit", "evidence"), ("fit_ard", "true"), ("v", "0.1")];
    let (_, snapshot) = run(&text, &settings).unwrap();
    assert_ne!(snapshot.classifier.kept(), Kept::Fitted);
    let fold = &snapshot.fold_effects[0];
    assert!(fold.given != fold.fitted && fold.one_length_scale != fold.fitted);
    let effects = snapshot.effects();
    let clear = effects.iter().filter(|effect| effect.increase > 3.0 * effect.se.unwrap()).count();
    assert!(effects.len() == 12 && clear <= 1, "{effects:?}");
}
