//! Updates of the hyperparameters: each is set to the minimum of the cost given all others.

use super::approximate_posterior::{ApproximatePosterior, FLAT_SD, Family};
use super::blocks::lane_mask;
use super::cost::softmax;
use super::network::{Gaussian, Gaussians};
use super::observations::Observations;
use crate::math::lanes::{Lanes, sum};

/// Newton steps for a log standard deviation.
const LOG_SD_STEPS: usize = 15;
/// Newton steps for the logits of a mixture.
const LOGIT_STEPS: usize = 3;
/// Precision of the flat priors.
const FLAT: f64 = 1.0 / (FLAT_SD * FLAT_SD);

/// Returns the posterior of the mean m of `count` items N(m, e^{2v}) with expected precision `precision` and sum `sum`; `prior`
/// is the mean and precision of the prior of m.
pub fn fit_mean(sum: f64, count: f64, precision: f64, prior: (f64, f64)) -> Gaussian {
    let var = 1.0 / (count * precision + prior.1);
    Gaussian { mean: var * (precision * sum + prior.0 * prior.1), var }
}

/// Returns the posterior of the log standard deviation v of `count` items with Σ[(θ̄−m̄)² + θ̃ + m̃] = `square`.
///
/// It is the minimum of N v̄ + ½ S e^{2ṽ−2v̄} + ½ p[(v̄−μ)² + ṽ] − ½ ln ṽ, found by Newton's method from `start`; `prior` is (μ,
/// p).
pub fn fit_log_sd(start: Gaussian, count: f64, square: f64, prior: (f64, f64)) -> Gaussian {
    let mut v = start;
    for _ in 0..LOG_SD_STEPS {
        v.var = 1.0 / (2.0 * square * v.precision() + prior.1);
        let pull = square * v.precision();
        let slope = count - pull + prior.1 * (v.mean - prior.0);
        v.mean -= (slope / (2.0 * pull.max(0.5 * count) + prior.1)).clamp(-1.0, 1.0);
    }
    v.var = 1.0 / (2.0 * square * v.precision() + prior.1);
    v
}

/// Returns the mean and precision (μ, p) of the prior of the members of a family.
fn prior_of(family: &Family) -> (f64, f64) {
    (family.mean.mean, family.log_sd.precision())
}

/// Returns Σ (θ̄−m̄)² + θ̃ + m̃.
fn square(items: impl Iterator<Item = Gaussian>, mean: Gaussian) -> f64 {
    items.map(|x| (x.mean - mean.mean) * (x.mean - mean.mean) + x.var + mean.var).sum()
}

/// Updates the mean and the log standard deviation of a family.
fn fit_family(family: &mut Family, items: &Gaussians) {
    let count = items.len() as f64;
    let sum = items.mean.iter().sum();
    family.mean = fit_mean(sum, count, family.log_sd.precision(), (0.0, FLAT));
    family.log_sd = fit_log_sd(family.log_sd, count, square(items.iter(), family.mean), (0.0, FLAT));
}

/// Updates all hyperparameters, from the noise upwards; `residuals` as in [`super::evaluation::DataGradient`].
pub fn update(state: &mut ApproximatePosterior, observations: &Observations, residuals: &[f64]) {
    let prior = prior_of(&state.top.noise);
    for (k, residual) in residuals.iter().enumerate() {
        let v = fit_log_sd(state.noise.get(k), observations.count(k) as f64, *residual, prior);
        state.noise.set(k, v);
    }
    let (hidden, channels) = (state.network.hidden, state.network.channels);
    let prior = prior_of(&state.top.columns);
    for j in 0..hidden {
        let column = (0..channels).map(|k| state.network.second.get(k * hidden + j));
        let square = square(column, Gaussian::constant(0.0));
        let v = fit_log_sd(state.columns.get(j), channels as f64, square, prior);
        state.columns.set(j, v);
    }
    update_sources(state);
    let ApproximatePosterior { network, noise, columns, scales, centres, logits, top, sources } = state;
    fit_family(&mut top.first_bias, &network.first_bias);
    fit_family(&mut top.second_bias, &network.second_bias);
    fit_family(&mut top.noise, noise);
    fit_family(&mut top.columns, columns);
    fit_family(&mut top.scales, scales);
    if sources.components > 1 {
        let narrow = |start: Gaussian, items: &Gaussians| {
            fit_log_sd(start, items.len() as f64, square(items.iter(), Gaussian::constant(0.0)), (0.0, FLAT))
        };
        top.centres = narrow(top.centres, centres);
        top.logits = narrow(top.logits, logits);
    }
}

/// Updates the scales of the sources and, for mixtures, their centres and logits.
pub fn update_sources(state: &mut ApproximatePosterior) {
    let components = state.components();
    for i in 0..state.network.sources {
        let range = i * components..(i + 1) * components;
        let sums: Vec<ComponentSums> = range.clone().map(|r| ComponentSums::new(state, r)).collect();
        if components > 1 {
            update_logits(state, i, &sums);
            let centre = (0.0, state.top.centres.precision());
            for (r, sums) in range.clone().zip(&sums) {
                let precision = state.scales.get(r).precision();
                state.centres.set(r, fit_mean(sums.first, sums.count, precision, centre));
            }
        }
        let prior = prior_of(&state.top.scales);
        for (r, sums) in range.zip(&sums) {
            let v = fit_log_sd(state.scales.get(r), sums.count, sums.square(state.centres.get(r)), prior);
            state.scales.set(r, v);
        }
    }
}

/// Updates the logits of source i by Newton's method.
fn update_logits(state: &mut ApproximatePosterior, i: usize, sums: &[ComponentSums]) {
    let (components, samples) = (sums.len(), state.sources.samples as f64);
    let precision = state.top.logits.precision();
    for _ in 0..LOGIT_STEPS {
        let shares = softmax(&state.logits.mean[i * components..][..components]);
        for (l, (share, sums)) in shares.iter().zip(sums).enumerate() {
            let c = state.logits.get(i * components + l);
            let var = 1.0 / (samples * share * (1.0 - share) + precision);
            let mean = c.mean - var * (samples * share - sums.count + precision * c.mean);
            state.logits.set(i * components + l, Gaussian { mean, var });
        }
    }
}

/// Sums over samples for one component of a source, weighted by its share ṡ.
struct ComponentSums {
    /// Σ ṡ.
    count: f64,
    /// Σ ṡ s̄.
    first: f64,
    /// Σ ṡ (s̄² + s̃).
    second: f64,
}

impl ComponentSums {
    /// Computes the sums for component r = i·L + l.
    fn new(state: &ApproximatePosterior, r: usize) -> Self {
        let sources = &state.sources;
        let [mut count, mut first, mut second] = [Lanes::default(); 3];
        for b in 0..sources.mean.lanes().len() / sources.mean.width().max(1) {
            let mask = lane_mask(b, sources.samples);
            let (mean, var) = (&sources.mean.block(b)[r], &sources.var.block(b)[r]);
            let share = &sources.share.block(b)[r];
            for l in 0..mask.len() {
                let share = mask[l] * share[l];
                count[l] += share;
                first[l] += share * mean[l];
                second[l] += share * (mean[l] * mean[l] + var[l]);
            }
        }
        Self { count: sum(count), first: sum(first), second: sum(second) }
    }

    /// Returns Σ ṡ [(s̄−m̄)² + s̃ + m̃].
    fn square(&self, centre: Gaussian) -> f64 {
        self.second - 2.0 * centre.mean * self.first + self.count * (centre.mean * centre.mean + centre.var)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_sd_with_a_flat_prior_has_a_closed_form() {
        let v = fit_log_sd(Gaussian { mean: 1.0, var: 1.0 }, 50.0, 12.5, (0.0, 0.0));
        assert!((v.var - 0.01).abs() < 1e-12);
        assert!((v.mean - (0.5 * (0.25_f64).ln() + 0.01)).abs() < 1e-12);
    }
}
