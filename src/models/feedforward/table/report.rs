//! The `result` of `headless`.

use serde_json::{Value, json};

use super::figures::error_counts;
use super::{CavityVariances, TableSnapshot, TableSpec};
use crate::lab::labelled_table::{ClassWeights, ClassifiedTable, Headline, report_effects, report_folds};

/// Returns weights, errors and predictions; null without a solution.
pub fn report(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let classified = snapshot.classified(spec);
    let mut report = ClassifiedTable::report(classified.as_ref());
    let solution = snapshot.shown();
    let counts = solution.zip(classified.as_ref()).map(|(solution, all)| error_counts(solution, all));
    let shift = classified.as_ref().map_or_else(|| ClassWeights::Equal.shift(&[]), ClassifiedTable::shift);
    report["weights"] = json!(solution.map(|s| &s.weights));
    report["weight_sd"] = json!(solution.map(|s| &s.weight_sd));
    let variances = |per_row| if per_row { CavityVariances::PerRow } else { CavityVariances::Shared };
    report["variance"] = json!(solution.map(|s| variances(s.per_row).word()));
    report["beta"] = json!(solution.map(|s| beta(s.beta)));
    report["ln_evidence"] = json!(solution.map(|s| s.ln_evidence));
    report["ln_loo"] = json!(solution.map(|s| s.ln_loo));
    report["effects"] = report_effects(&snapshot.effects());
    report["lambda"] = json!(solution.map(|s| &s.lambda));
    report["loo_errors"] = json!(counts.map(|[_, left_out]| left_out));
    // Training rows are counted by their fields, for which the classes have the frequencies of the table.
    let trained = solution.filter(|_| !spec.class_weights.is_balanced());
    report["train_errors"] = json!(trained.map(|s| s.train_errors));
    report["train_errors_tilted"] = json!(trained.map(|s| s.train_errors_tilted));
    let tested = counts.filter(|_| solution.is_some_and(|s| !s.p.test.is_empty()));
    report["test_errors"] = json!(tested.map(|[tests, _]| tests));
    let shifted = |p: &Vec<f64>| p.iter().map(|p| shift.of_event(*p)).collect::<Vec<_>>();
    report["loo_predictions"] = json!(solution.map(|s| shifted(&s.p.left_out)));
    report["iterations"] = json!(snapshot.sweeps);
    let lines = solution.map(|s| s.table.lines.as_slice());
    report["folds"] = report_folds(
        &snapshot.folds,
        snapshot.kept(),
        lines,
        &shift,
        |found| json!({ "beta": found.map(beta) }),
    );
    if !snapshot.path.is_empty() {
        let row = |(at, ln_evidence): &(f64, f64)| json!({ "beta": beta(*at), "ln_evidence": ln_evidence });
        report["fit_trace"] = snapshot.path.iter().map(row).collect();
    }
    if let Some((given, before)) = snapshot.before_fit.as_ref().zip(snapshot.classified_before_fit(spec)) {
        let headline = before.headline();
        report["before_fit"] = json!({
            "headline": headline.as_ref().map(Headline::report),
            "log_loss": headline.as_ref().map(Headline::log_loss),
            "beta": beta(given.beta),
        });
    }
    let comparison = snapshot.comparison();
    if comparison.is_made() {
        report["held_out_comparison"] = comparison.report();
    }
    if let Some(advised) = snapshot.advised_beta {
        report["advised_beta"] = beta(advised);
    }
    if let Some(fields) = solution.and_then(|s| s.fields.as_ref()) {
        report["g"] = json!(fields.g);
        report["z"] = json!(fields.z);
        report["ln_f"] = json!(fields.ln_f);
    }
    report
}

/// Returns β as JSON, which has no infinity.
fn beta(beta: f64) -> Value {
    if beta.is_infinite() { json!("inf") } else { json!(beta) }
}
