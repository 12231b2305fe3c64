//! Effects of the columns on the log loss of held-out rows.

use super::*;
use crate::lab::labelled_table::ColumnEffect;

/// Returns the effects of the columns a and b, which are relevant, and c, which is not, in units of their standard errors.
fn clarity(effects: &[ColumnEffect]) -> Vec<f64> {
    assert_eq!(effects.iter().map(|effect| effect.column.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    effects.iter().map(|effect| effect.increase / effect.se.unwrap()).collect()
}

fn caption_of(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> String {
    let figures = UserTable::figures(spec, snapshot);
    figures.into_iter().find(|figure| figure.id == "scores").unwrap().caption
}

/// Returns a table of three classes that depend on a, and not on b.
fn three_classes(rows: usize) -> String {
    let mut stream = Stream::of(7, 0);
    let mut text = String::from("a,b,kind\n");
    for _ in 0..rows {
        let [a, b] = [(); 2].map(|()| stream.normal());
        let at = a + 0.3 * stream.normal();
        let kind = if at < -0.5 {
            "low"
        } else if at < 0.5 {
            "mid"
        } else {
            "top"
        };
        writeln!(text, "{a},{b},{kind}").unwrap();
    }
    text
}

#[test]
fn columns_have_effects_on_the_log_loss_of_several_classes() {
    let text = three_classes(120);
    for settings in [&[("train_fraction", "0.6"), ("v", "0.1")][..], &[("v", "0.1"), ("folds", "3")]] {
        let (spec, snapshot) = run(&text, settings).unwrap();
        let effects = snapshot.effects();
        let clear = |at: usize| effects[at].increase / effects[at].se.unwrap();
        assert!(effects.len() == 2 && clear(0) > 4.0 && clear(1) < 3.0, "{effects:?}");
        let report = UserTable::report(&spec, &snapshot);
        assert_eq!(
            (&report["effects"][0]["column"], effects[0].rows),
            (&"a".into(), if settings[0].0 == "v" { 120 } else { 48 })
        );
        // Permuting a column that decides makes the log loss about as large as that of the frequencies, or larger.
        assert!((0.5..4.0).contains(&effects[0].increase), "{effects:?}");
        // The curves of all classes sum to 1, and the middle class is the most probable one in the middle.
        let curves: Vec<_> = snapshot.dependence.iter().map(|class| &class[0]).collect();
        assert_eq!((curves.len(), curves[0].column.as_str(), curves[0].points.len()), (3, "a", 11));
        for at in 0..11 {
            let sum: f64 = curves.iter().map(|curve| curve.points[at].mean).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
        let most = [0, 5, 10].map(|at| {
            (0..3).max_by(|a, b| curves[*a].points[at].mean.total_cmp(&curves[*b].points[at].mean)).unwrap()
        });
        let names = ["low", "mid", "top"];
        let of_class = |k: usize| snapshot.classes[k].classifier.shown().unwrap().table.classes[1].as_str();
        assert_eq!(most.map(of_class), names);
        let figures = UserTable::figures(&spec, &snapshot);
        let figure = figures.iter().find(|figure| figure.id == "dependence-1").unwrap();
        assert_eq!(figure.marks.len(), 6);
        assert!(figures.iter().any(|figure| figure.id == "effects" && !figure.marks.is_empty()));
    }
    let (spec, snapshot) = run(&text, &[("v", "0.1")]).unwrap();
    assert!(snapshot.effects().is_empty() && caption_of(&spec, &snapshot).contains("no held-out rows"));
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
    let caption = caption_of(&spec, &snapshot);
    assert!(caption.contains("There are no held-out rows to measure effects on."), "{caption}");
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
