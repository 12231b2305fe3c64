//! The `result` of `headless`.

use serde_json::{Value, json};

use super::{LearnSnapshot, LearnSpec, Row, Score};
use crate::models::nfa::fit::Fitted;
use crate::models::nfa::solver::cost::Parts;

/// The fit that is shown, and one row for each unit.
pub fn learnt(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Value {
    let Some(shown) = snapshot.shown(spec) else { return json!({ "fits": [] }) };
    let mut report = fitted(&shown.fitted);
    let scores = shown.scores.as_ref();
    report["unit"] = json!(shown.unit);
    report["true_noise_sd"] = json!(spec.problem().noise);
    report["snr_db"] = json!({
        "linear_ica": scores.map(|s| s.linear_ica.db),
        "nfa": scores.map(|s| s.nfa.db),
        "nfa_ica": scores.map(|s| s.nfa_ica.db),
        "mixtures": scores.and_then(|s| s.mixtures.as_ref()).map(|score| score.db),
    });
    report["gain_db"] = json!(scores.map(|s| s.last().db - s.linear_ica.db));
    report["source_snr_db"] = json!(scores.map(|s| &s.last().each));
    report["rank_correlation"] = json!(rank_correlation(spec, shown));
    report["observation_snr_db"] = json!({
        "pca": scores.map(|s| s.observation_pca),
        "nfa": scores.map(|s| s.observation_nfa),
    });
    let fits = snapshot.rows.iter().map(|row| {
        let (variant, restart) = spec.unit(row.unit);
        let db = |pick: fn(&super::Scores) -> &Score| row.scores.as_ref().map(|s| pick(s).db);
        json!({
            "sources": variant.sources, "updates": variant.updates.word(), "restart": restart,
            "cost": row.fitted.final_cost(), "sweeps": row.fitted.cost.len(), "taken_back": row.fitted.taken_back,
            "noise_sd": row.fitted.noise, "mean_noise_sd": row.fitted.mean_noise(),
            "kl_per_source": row.fitted.per_source, "unused_hidden": row.fitted.unused(),
            "snr_db": db(super::Scores::last), "linear_ica_db": db(|s| &s.linear_ica),
        })
    });
    report["fits"] = fits.collect();
    let best = snapshot.rows.iter().min_by(|a, b| a.fitted.final_cost().total_cmp(&b.fitted.final_cost()));
    if let Some(sampled) = snapshot.sampled() {
        report["hmc"] = sampled.report();
        report["hmc"]["sd_ratio"] = json!(super::figures::median_ratio(&snapshot.error_bars(spec)));
    }
    report["best_sources"] = json!(best.map(|row| spec.unit(row.unit).0.sources));
    report
}

/// The numbers that every fit reports.
pub fn fitted(fitted: &Fitted) -> Value {
    let part = |pick: fn(&Parts) -> f64| fitted.cost.iter().map(pick).collect::<Vec<_>>();
    let phases = fitted.phases.iter().map(|(sweep, phase)| json!({ "from": sweep, "phase": phase }));
    json!({
        "final_cost": fitted.final_cost(),
        "cost": part(Parts::total),
        "cost_parts": {
            "data": part(|c| c.data), "sources": part(|c| c.sources),
            "weights": part(|c| c.weights), "hyper": part(|c| c.hyper),
        },
        "phase": phases.collect::<Vec<_>>(),
        "taken_back": fitted.taken_back,
        "noise_sd": fitted.noise,
        "mean_noise_sd": fitted.mean_noise(),
        "kl_per_source": fitted.per_source,
        "kl_per_hidden": fitted.per_hidden,
        "unused_hidden": fitted.unused(),
    })
}

/// Of the one source there is with the one that was found.
fn rank_correlation(spec: &LearnSpec, row: &Row) -> Option<f64> {
    if spec.data.true_sources() > 1 || row.fitted.sources > 1 {
        return None;
    }
    let known: Vec<f64> = spec.problem().sources.iter().map(|s| s[0]).collect();
    let found: Vec<f64> = row.fitted.means.iter().map(|s| f64::from(*s)).collect();
    (known.len() == found.len())
        .then(|| crate::models::nfa::solver::score::rank_correlation(&known, &found).abs())
}
