//! The `result` of `headless`.

use serde_json::{Value, json};

use super::{MomentsSnapshot, Passed};

/// Both rules with every intermediate number, and Monte Carlo beside them: of one input as lists, of several as lists of lists.
pub fn moments(snapshot: &MomentsSnapshot) -> Value {
    let each = |of: &dyn Fn(&Passed) -> Value| match &snapshot.inputs[..] {
        [passed] => of(passed),
        all => all.iter().map(of).collect(),
    };
    let rule = |place: usize| {
        json!({
            "y_mean": each(&|p| json!(p.rules[place].y_mean)), "y_var": each(&|p| json!(p.rules[place].y_var)),
            "y_star": each(&|p| json!(p.rules[place].y_star)),
            "g_mean": each(&|p| json!(p.rules[place].g_mean)), "g_var": each(&|p| json!(p.rules[place].g_var)),
            "g_star": each(&|p| json!(p.rules[place].g_star)),
            "f_mean": each(&|p| json!(p.rules[place].f_mean)), "f_var": each(&|p| json!(p.rules[place].f_var)),
            "f_var_without_interference": each(&|p| json!(p.without[place])),
            "jacobian": each(&|p| json!(p.rules[place].jacobian)),
        })
    };
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
            "draws": snapshot.inputs.iter().map(|p| p.sampled.draws).min(),
            "f_mean": each(&|p| json!(p.sampled.mean)), "f_var": each(&|p| json!(p.sampled.var)),
            "f_mean_se": each(&|p| json!(p.sampled.mean_se)), "f_var_se": each(&|p| json!(p.sampled.var_se)),
        },
        "grid": grid.collect::<Vec<_>>(),
    })
}
