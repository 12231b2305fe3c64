//! The report of the moments lab.

use serde_json::{Value, json};

use super::{InputMoments, MomentsSnapshot};

/// Returns the moments of both rules with all intermediate values, the Monte Carlo estimates and the grid. The values of a single
/// input are lists, those of several inputs lists of lists.
pub fn moments(snapshot: &MomentsSnapshot) -> Value {
    let each = |of: &dyn Fn(&InputMoments) -> Value| match &snapshot.inputs[..] {
        [passed] => of(passed),
        all => all.iter().map(of).collect(),
    };
    let rule = |rule: usize| {
        json!({
            "y_mean": each(&|p| json!(p.rules[rule].y_mean)), "y_var": each(&|p| json!(p.rules[rule].y_var)),
            "y_star": each(&|p| json!(p.rules[rule].y_star)),
            "g_mean": each(&|p| json!(p.rules[rule].g_mean)), "g_var": each(&|p| json!(p.rules[rule].g_var)),
            "g_star": each(&|p| json!(p.rules[rule].g_star)),
            "f_mean": each(&|p| json!(p.rules[rule].f_mean)), "f_var": each(&|p| json!(p.rules[rule].f_var)),
            "f_var_without_interference": each(&|p| json!(p.f_var_independent[rule])),
            "jacobian": each(&|p| json!(p.rules[rule].jacobian)),
        })
    };
    json!({
        "taylor": rule(0), "gauss_hermite": rule(1),
        "monte_carlo": {
            "draws": snapshot.inputs.iter().map(|p| p.monte_carlo.draws).min(),
            "f_mean": each(&|p| json!(p.monte_carlo.mean)), "f_var": each(&|p| json!(p.monte_carlo.var)),
            "f_mean_se": each(&|p| json!(p.monte_carlo.mean_se)), "f_var_se": each(&|p| json!(p.monte_carlo.var_se)),
        },
        "grid": snapshot.grid,
    })
}
