//! Report of the comparison of log evidences.

use serde_json::{Value, json};

use super::{EvidenceComparison, EvidencePoint, EvidenceSnapshot, EvidenceSpec, largest, largest_error};

/// Returns the log evidence of each σ² by every method, and the σ² at which each is largest.
pub fn report(spec: &EvidenceSpec, snapshot: &EvidenceSnapshot) -> Value {
    let points = snapshot.points(spec);
    let best = |place: usize| largest(&points, |point| point.approximate[place]).map(|point| point.sigma2);
    let sampled = |point: &EvidencePoint| Some(point.sampled?.ln_mean);
    let at_best = largest(&points, sampled);
    let mut maxima = json!({ "sampled": at_best.map(|point| point.sigma2) });
    let mut errors = json!({ "se": at_best.and_then(|point| Some(point.sampled?.se)) });
    let mut largest_errors = json!({});
    for (place, method) in EvidenceComparison::METHODS.into_iter().enumerate() {
        largest_errors[method.word()] = json!(largest_error(&points, place).map(|largest| {
            json!({ "sigma2": largest.sigma2, "value": largest.error.value, "se": largest.error.se })
        }));
        maxima[method.word()] = json!(best(place));
        errors[method.word()] = json!(at_best.and_then(|point| point.error(place)));
    }
    json!({
        "rows": points.iter().map(row).collect::<Vec<_>>(),
        "maxima": maxima, "errors_at_maximum": errors, "largest_errors": largest_errors,
    })
}

fn row(point: &EvidencePoint) -> Value {
    let sampled = point.sampled;
    let mut row = json!({
        "sigma2": point.sigma2, "ln_evidence": sampled.map(|z| z.ln_mean),
        "ln_evidence_se": sampled.map(|z| z.se), "ess": sampled.map(|z| z.ess), "dominated": sampled.map(|z| z.is_dominated()),
    });
    for (place, method) in EvidenceComparison::METHODS.into_iter().enumerate() {
        row[method.word()] = json!(point.approximate[place]);
        row[format!("{}_error", method.word())] = json!(point.error(place));
    }
    row
}
