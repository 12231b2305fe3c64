//! The report of the task `nfa`.

use serde_json::{Value, json};

use super::recovery::rank_correlation;
use super::{LearnSnapshot, LearnSpec, RecoveryScores, SourceRecovery};

/// Returns the report of the fit that is shown, and an entry for each fit.
pub fn report(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Value {
    let Some(shown) = snapshot.shown(spec) else { return json!({ "fits": [] }) };
    let data = spec.simulate();
    let mut report = shown.fitted.report();
    let scores = shown.scores.as_ref();
    report["unit"] = json!(shown.unit);
    report["true_noise_sd"] = json!(data.noise);
    report["snr_db"] = json!({
        "linear_ica": scores.map(|s| s.linear_ica.db),
        "nfa": scores.map(|s| s.nfa.db),
        "nfa_ica": scores.map(|s| s.nfa_ica.db),
        "mixtures": scores.and_then(|s| s.mixtures.as_ref()).map(|score| score.db),
    });
    report["gain_db"] = json!(scores.map(|s| s.final_score().db - s.linear_ica.db));
    report["source_snr_db"] = json!(scores.map(|s| &s.final_score().each));
    report["rank_correlation"] = json!(rank_correlation(spec, &data, shown));
    report["observation_snr_db"] = json!({
        "pca": scores.map(|s| s.observation_pca),
        "nfa": scores.map(|s| s.observation_nfa),
    });
    let fits = snapshot.rows.iter().map(|row| {
        let (variant, restart) = spec.unit(row.unit);
        let db = |pick: fn(&RecoveryScores) -> &SourceRecovery| row.scores.as_ref().map(|s| pick(s).db);
        json!({
            "sources": variant.sources, "updates": variant.updates.word(), "restart": restart,
            "cost": row.fitted.final_cost(), "sweeps": row.fitted.cost.len(), "taken_back": row.fitted.rejected,
            "noise_sd": row.fitted.noise, "mean_noise_sd": row.fitted.mean_noise(),
            "kl_per_source": row.fitted.per_source, "unused_hidden": row.fitted.unused(),
            "snr_db": db(RecoveryScores::final_score), "linear_ica_db": db(|s| &s.linear_ica),
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
