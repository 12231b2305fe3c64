//! Report of the sweep over hidden units.

use serde_json::{Value, json};

use super::{UnitsFit, UnitsSnapshot, UnitsSpec, UnitsSweep};
use crate::models::mlp::fits::FitRow;

/// Returns, for each number of hidden units, the log evidence and the best start of every fit.
pub fn report(spec: &UnitsSpec, snapshot: &UnitsSnapshot) -> Value {
    let row = |hidden: usize| {
        let evidence = snapshot.ln_evidence(hidden);
        let walks = snapshot.walks.iter().filter(|row| row.hidden == hidden);
        let fits = UnitsSweep::METHODS.into_iter().filter_map(|method| snapshot.best(method, hidden));
        json!({
            "hidden": hidden,
            "ln_evidence": evidence.map(|z| z.ln_mean), "ln_evidence_se": evidence.map(|z| z.se),
            "ess": evidence.map(|z| z.ess), "dominated": evidence.map(|z| z.is_dominated()), "walks": walks.map(|row| row.ln_weights.len()).sum::<usize>(),
            "all_constant": snapshot.all_constant(hidden), "fits": fits.map(fit).collect::<Vec<_>>(),
        })
    };
    json!({
        "rows": (1..=spec.most).map(row).collect::<Vec<_>>(),
        "ln_evidence_of_constant": spec.ln_evidence_of_constant(),
    })
}

fn fit(row: &FitRow<UnitsFit>) -> Value {
    json!({
        "covariance": row.method.word(), "bound": -row.negative_elbo, "alpha": row.alpha, "beta": row.beta,
        "units_off": row.details.off, "constant": row.details.is_constant(), "train_mse": row.details.train_mse,
        "restart": row.restart, "evaluations": row.evaluations,
    })
}
