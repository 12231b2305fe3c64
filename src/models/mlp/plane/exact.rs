//! The exact posterior of two weights, on a window in which it can be seen.

use super::{ExactPosterior, PlaneSpec};
use crate::math::random::{Purpose, Stream};
use crate::models::mlp::exact::density::TwoWeightDensity;
use crate::models::mlp::exact::two_weights::TwoWeightPosterior;

/// Probabilities of the regions that are drawn.
pub const SHARES: [f64; 3] = [0.5, 0.9, 0.99];
/// Number of draws that are shown of each distribution.
pub const DRAWS: usize = 20;
/// Unit of the random stream of the draws from the exact posterior.
const EXACT_UNIT: u64 = 0;
/// Columns of a window in which the region is measured.
const COLUMNS: usize = 128;
/// Probability of the quantile of |u| that no region reaches.
const OUTERMOST: f64 = 0.9999;
/// Smallest share of the window that the largest region has to cover, so that it can be seen.
const MIN_COVERAGE: f64 = 0.045;
/// Shares of the mass, at the smallest and at the largest u, that are left out if the region is smaller in the whole window.
const LEFT_OUT: [f64; 5] = [0.005, 0.02, 0.05, 0.1, 0.2];

/// Room around the region of 90 % of the mass, and around the mass, relative to their sizes.
const CORE_ROOM: f64 = 0.2;
const ROOM: f64 = 0.1;

/// Ranges of u and v.
pub type Window = [(f64, f64); 2];

/// Computes the exact posterior of `spec`, and a window in which most of its mass is visible.
pub fn exact_posterior(spec: &PlaneSpec) -> ExactPosterior {
    let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
    let posterior = TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta);
    let levels = SHARES.map(|share| posterior.level(share));
    let ln_level = libm::log(levels[SHARES.len() - 1]);
    let window = visible_window(&posterior, spec.twin, levels[1], ln_level);
    let predicted = posterior.predictions(&spec.inputs()).into_iter().map(|(mean, var)| (mean, var.sqrt()));
    // Regions are complete, also where they leave the window: the axes may be wider than it.
    let (low, high) = window[0];
    let reach = 1.1 * posterior.quantile(OUTERMOST).max(high);
    let ranges = [(if spec.twin { -reach } else { 0.0 }, low), (low, high), (high, reach)];
    let regions = levels.map(|level| {
        let nonempty = ranges.into_iter().filter(|(from, to)| from < to);
        let region = nonempty.flat_map(|range| posterior.region(level, range));
        region.map(|(u, lower, upper)| [u as f32, lower as f32, upper as f32]).collect()
    });
    let mut stream = Stream::for_purpose(spec.seed, Purpose::MlpDraws, EXACT_UNIT);
    let draws = (0..DRAWS).map(|_| {
        let ((u, v), sign) = (posterior.draw(&mut stream), stream.sign());
        let sign = if spec.twin { sign } else { 1.0 };
        ((sign * u) as f32, (sign * v) as f32)
    });
    ExactPosterior {
        ln_z: posterior.ln_z(),
        ln_level,
        regions: regions.into(),
        draws: draws.collect(),
        window,
        predicted: predicted.collect(),
    }
}

/// Returns the first window that the region above the density exp(`ln_level`) covers well: one around the region above the density
/// `core`, else one around the mass. Under a broad prior the posterior is thin and long in both directions, and more and more of its
/// ends is left out.
fn visible_window(posterior: &TwoWeightPosterior, twin: bool, core: f64, ln_level: f64) -> Window {
    let around_mass = LEFT_OUT.iter().map(|left_out| window(posterior, twin, *left_out));
    let (mut shown, mut most) = (Window::default(), 0.0);
    for window in std::iter::once(core_window(posterior, twin, core)).chain(around_mass) {
        let covered = coverage(posterior.density(), ln_level, window);
        if covered > most || most == 0.0 {
            (shown, most) = (window, covered);
        }
        if covered > MIN_COVERAGE {
            break;
        }
    }
    shown
}

/// Returns the share of a window in which the density exceeds exp(`ln_level`).
pub fn coverage(density: &TwoWeightDensity, ln_level: f64, [us, (low, high)]: Window) -> f64 {
    let covered = along(us, COLUMNS).map(|u| {
        let (from, to) = density.interval(u, ln_level);
        (to.min(high) - from.max(low)).max(0.0)
    });
    covered.sum::<f64>() / (COLUMNS as f64 * (high - low))
}

/// Returns a window around the region above a density.
fn core_window(posterior: &TwoWeightPosterior, twin: bool, core: f64) -> Window {
    let region = posterior.region(core, (0.0, posterior.quantile(OUTERMOST).max(1e-3)));
    let (mut u, mut v) = ((f64::INFINITY, f64::NEG_INFINITY), (f64::INFINITY, f64::NEG_INFINITY));
    for (at, lower, upper) in region {
        u = (u.0.min(at), u.1.max(at));
        v = (v.0.min(lower), v.1.max(upper));
    }
    if !(u.0 < u.1 && v.0 < v.1) {
        return window(posterior, twin, LEFT_OUT[0]);
    }
    let [u, v] = [with_room(u, CORE_ROOM), with_room(v, CORE_ROOM)];
    if twin { both_modes(u.1, v.1.max(-v.0)) } else { [(u.0.max(0.0), u.1), v] }
}

/// Returns a window around the mode and the mass without a share at the smallest and at the largest |u|.
fn window(posterior: &TwoWeightPosterior, twin: bool, left_out: f64) -> Window {
    let (u, v) = posterior.mode();
    let ends = (posterior.quantile(left_out).min(u), posterior.quantile(1.0 - left_out).max(u));
    let (low, high) = posterior.output_weight_range(ends);
    let [ends, (low, high)] = [ends, (low.min(v), high.max(v))].map(|range| with_room(range, ROOM));
    if twin { both_modes(ends.1, high.max(-low)) } else { [(ends.0.max(0.0), ends.1), (low, high)] }
}

/// Returns a range with room at both ends, relative to its size.
fn with_room((from, to): (f64, f64), room: f64) -> (f64, f64) {
    let room = room * (to - from).max(1e-3);
    (from - room, to + room)
}

/// Returns the window to ±`max_u` and ±`max_v`.
fn both_modes(max_u: f64, max_v: f64) -> Window {
    [(-max_u, max_u), (-max_v, max_v)]
}

/// Returns the centres of `count` intervals of equal length.
fn along((from, to): (f64, f64), count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| from + (to - from) * (i as f64 + 0.5) / count as f64)
}
