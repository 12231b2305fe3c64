//! The `result` of `headless`.

use serde_json::{Value, json};

use super::MomentsSnapshot;
use crate::models::nfa::solver::moments::Propagated;

/// Both rules with every intermediate number, and Monte Carlo beside them.
pub fn moments(snapshot: &MomentsSnapshot) -> Value {
    let rule = |place: usize| {
        let rule: Option<&Propagated> = snapshot.rules.as_ref().map(|rules| &rules[place]);
        json!({
            "y_mean": rule.map(|r| &r.y_mean), "y_var": rule.map(|r| &r.y_var), "y_star": rule.map(|r| &r.y_star),
            "g_mean": rule.map(|r| &r.g_mean), "g_var": rule.map(|r| &r.g_var), "g_star": rule.map(|r| &r.g_star),
            "f_mean": rule.map(|r| &r.f_mean), "f_var": rule.map(|r| &r.f_var),
            "f_var_without_interference": snapshot.without[place], "jacobian": rule.map(|r| &r.jacobian),
        })
    };
    let sampled = &snapshot.sampled;
    let grid = snapshot.grid.iter().map(|place| {
        json!({
            "factor": place.factor, "y_var": place.y_var,
            "monte_carlo_mean": place.sampled[0], "monte_carlo_var": place.sampled[1], "monte_carlo_var_se": place.sampled[2],
            "taylor_mean": place.taylor[0], "taylor_ratio": place.taylor[1] / place.sampled[1],
            "taylor_ratio_without": place.taylor[2] / place.sampled[1],
            "gauss_hermite_mean": place.gauss_hermite[0],
            "gauss_hermite_ratio": place.gauss_hermite[1] / place.sampled[1],
        })
    });
    json!({
        "taylor": rule(0), "gauss_hermite": rule(1),
        "monte_carlo": {
            "draws": sampled.draws, "f_mean": sampled.mean, "f_var": sampled.var,
            "f_mean_se": sampled.mean_se, "f_var_se": sampled.var_se,
        },
        "grid": grid.collect::<Vec<_>>(),
    })
}
