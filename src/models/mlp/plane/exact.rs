//! The exact posterior of two weights, on a window in which it can be seen.

use super::{ExactPosterior, PlaneSpec};
use crate::models::mlp::exact::two_weights::TwoWeightPosterior;

/// Columns of the map of the posterior.
const COLUMNS: usize = 128;
/// Rows of the map of the posterior.
const ROWS: usize = 96;
/// Shares of the mass in the regions whose contours are drawn.
const SHARES: [f64; 3] = [0.5, 0.9, 0.99];
/// Probability of the quantile of |u| that no contour reaches.
const OUTERMOST: f64 = 0.9999;
/// Smallest share of the window that the largest region has to cover, so that it can be seen.
const MIN_COVERAGE: f64 = 0.045;
/// Shares of the mass, at the smallest and at the largest u, that are left out if the region is smaller in the whole window.
const LEFT_OUT: [f64; 5] = [0.005, 0.02, 0.05, 0.1, 0.2];

/// Ranges of u and v.
type Window = [(f64, f64); 2];

/// Computes the exact posterior of `spec`, on a window in which most of its mass is visible.
pub fn exact_posterior(spec: &PlaneSpec) -> ExactPosterior {
    let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
    let posterior = TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta);
    let levels = SHARES.map(|share| posterior.level(share));
    let (window, map) = visible_window(&posterior, spec.twin, levels[SHARES.len() - 1]);
    let predicted = posterior.predictions(&spec.inputs()).into_iter().map(|(mean, var)| (mean, var.sqrt()));
    // Contours are complete, also where they leave the window: the axes may be wider than it, as they are while a point is dragged.
    let (low, high) = window[0];
    let reach = 1.1 * posterior.quantile(OUTERMOST).max(high);
    let ranges = [(if spec.twin { -reach } else { 0.0 }, low), (low, high), (high, reach)];
    let single = |(u, v): (f64, f64)| (u as f32, v as f32);
    let contours = levels.iter().flat_map(|level| {
        let nonempty = ranges.into_iter().filter(|(from, to)| from < to);
        nonempty.flat_map(|range| posterior.contour(*level, range)).collect::<Vec<_>>()
    });
    let contours = contours.map(|ends| ends.map(single));
    ExactPosterior {
        ln_z: posterior.ln_z(),
        contours: contours.collect(),
        levels: levels.iter().map(|level| *level as f32).collect(),
        map: map.iter().map(|density| *density as f32).collect(),
        columns: COLUMNS,
        window,
        predicted: predicted.collect(),
    }
}

/// Returns the window and its map, one row per v. The window is the first that the region above the density `lowest` covers well:
/// one with the origin and nearly all of the mass, else one around the mass. Under a broad prior the posterior is thin and long in
/// both directions, and more and more of its ends is left out.
fn visible_window(posterior: &TwoWeightPosterior, twin: bool, lowest: f64) -> (Window, Vec<f64>) {
    let around_mass = LEFT_OUT.iter().map(|left_out| window(posterior, twin, *left_out));
    let (mut shown, mut most) = ((Window::default(), Vec::new()), 0);
    for window in std::iter::once(whole_window(posterior, twin)).chain(around_mass) {
        let map = posterior.densities(&along(window[0], COLUMNS), &along(window[1], ROWS));
        let covered = map.iter().filter(|density| **density > lowest).count();
        if covered > most || most == 0 {
            (shown, most) = ((window, map), covered);
        }
        if covered as f64 > MIN_COVERAGE * (COLUMNS * ROWS) as f64 {
            break;
        }
    }
    shown
}

/// Returns a window with the origin and nearly all of the mass.
fn whole_window(posterior: &TwoWeightPosterior, twin: bool) -> Window {
    let max_u = 1.1 * posterior.quantile(0.99).max(1e-3);
    let (low, high) = posterior.output_weight_range((0.0, max_u));
    let (low, high) = (low.min(0.0), high.max(0.0));
    let room = 0.05 * (high - low);
    if twin { both_modes(max_u, room + high.max(-low)) } else { [(0.0, max_u), (low - room, high + room)] }
}

/// Returns a window around the mode and the mass without a share at the smallest and at the largest |u|.
fn window(posterior: &TwoWeightPosterior, twin: bool, left_out: f64) -> Window {
    let (u, v) = posterior.mode();
    let ends = (posterior.quantile(left_out).min(u), posterior.quantile(1.0 - left_out).max(u));
    let (low, high) = posterior.output_weight_range(ends);
    let [ends, (low, high)] = [ends, (low.min(v), high.max(v))].map(|(from, to)| {
        let room = 0.1 * (to - from).max(1e-3);
        (from - room, to + room)
    });
    if twin { both_modes(ends.1, high.max(-low)) } else { [(ends.0.max(0.0), ends.1), (low, high)] }
}

/// Returns the window to ±`max_u` and ±`max_v`.
fn both_modes(max_u: f64, max_v: f64) -> Window {
    [(-max_u, max_u), (-max_v, max_v)]
}

/// Returns the centres of `count` intervals of equal length.
fn along((from, to): (f64, f64), count: usize) -> Vec<f64> {
    (0..count).map(|i| from + (to - from) * (i as f64 + 0.5) / count as f64).collect()
}
