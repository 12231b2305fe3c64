//! The cost C = E_q[ln q − ln p] in nats and its parts. −C is a lower bound on ln p(X), up to the error of the moments.

use serde::{Deserialize, Serialize};

use super::approximate_posterior::{ApproximatePosterior, FLAT_SD, Family};
use super::blocks::lane_mask;
use super::network::{Gaussian, Gaussians};
use super::observations::Observations;
use crate::math::lanes::{Lanes, sum};

/// ½ ln 2π.
pub const HALF_LN_2PI: f64 = 0.918_938_533_204_672_7;

/// Parts of the cost, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CostParts {
    /// Expected negative log likelihood of the data.
    pub data: f64,
    /// Kullback–Leibler divergence of the sources.
    pub sources: f64,
    /// Kullback–Leibler divergence of A, a, B and b.
    pub weights: f64,
    /// Kullback–Leibler divergence of the hyperparameters: noise, scales and all levels above.
    pub hyper: f64,
}

impl CostParts {
    /// Returns C.
    pub fn total(&self) -> f64 {
        self.data + self.sources + self.weights + self.hyper
    }
}

/// Returns E ln q of a Gaussian with variance `var`.
pub fn entropy_term(var: f64) -> f64 {
    -HALF_LN_2PI - 0.5 * (1.0 + libm::log(var))
}

/// Returns E[−ln N(x | m, e^{2v})].
pub fn prior_term(x: Gaussian, mean: Gaussian, log_sd: Gaussian) -> f64 {
    let deviation = x.mean - mean.mean;
    HALF_LN_2PI + log_sd.mean + 0.5 * (deviation * deviation + x.var + mean.var) * log_sd.precision()
}

/// Returns the cost of the independent parameters of one family.
fn family_cost(items: &Gaussians, family: &Family) -> f64 {
    items.iter().map(|x| entropy_term(x.var) + prior_term(x, family.mean, family.log_sd)).sum()
}

/// Returns the cost of a parameter with a flat prior.
fn top_cost(x: Gaussian) -> f64 {
    entropy_term(x.var) + prior_term(x, Gaussian::constant(0.0), Gaussian::constant(libm::log(FLAT_SD)))
}

/// Returns the cost of the mean and the log standard deviation of a family.
fn family_top(family: &Family) -> f64 {
    top_cost(family.mean) + top_cost(family.log_sd)
}

/// Returns e^{c_l} / Σ e^{c_l′}.
pub fn softmax(logits: &[f64]) -> Vec<f64> {
    let largest = logits.iter().fold(f64::NEG_INFINITY, |largest, c| largest.max(*c));
    let powers: Vec<f64> = logits.iter().map(|c| libm::exp(c - largest)).collect();
    let total: f64 = powers.iter().sum();
    powers.into_iter().map(|p| p / total).collect()
}

/// Returns E[−ln P(M = l)] of each component, to second order in each logit.
pub fn component_terms(logits: &Gaussians) -> Vec<f64> {
    let largest = logits.mean.iter().fold(f64::NEG_INFINITY, |largest, c| largest.max(*c));
    let ln_sum = largest + libm::log(logits.mean.iter().map(|c| libm::exp(c - largest)).sum::<f64>());
    let bend: f64 = softmax(&logits.mean).iter().zip(&logits.var).map(|(k, var)| k * (1.0 - k) * var).sum();
    logits.mean.iter().map(|c| ln_sum - c + 0.5 * bend).collect()
}

/// Returns −E ln p of the data, given the residuals Σ (x−f̄)² + f̃ of each channel.
pub fn data_cost(observations: &Observations, noise: &Gaussians, residuals: &[f64]) -> f64 {
    let channels = noise.iter().zip(residuals).enumerate();
    let cost = channels.map(|(k, (v, residual))| {
        observations.count(k) as f64 * (HALF_LN_2PI + v.mean) + 0.5 * residual * v.precision()
    });
    cost.sum()
}

/// Returns the cost of each source, summed over samples; n.
pub fn source_costs(state: &ApproximatePosterior) -> Vec<f64> {
    let (n, components) = (state.network.sources, state.components());
    (0..n).map(|i| source_cost(state, i, components)).collect()
}

/// Returns the logits of source i.
pub fn logits_of(state: &ApproximatePosterior, i: usize) -> Gaussians {
    let range = i * state.components()..(i + 1) * state.components();
    Gaussians { mean: state.logits.mean[range.clone()].to_vec(), var: state.logits.var[range].to_vec() }
}

/// Returns the cost of source i, summed over samples.
fn source_cost(state: &ApproximatePosterior, i: usize, components: usize) -> f64 {
    let sources = &state.sources;
    let choices = if components > 1 { component_terms(&logits_of(state, i)) } else { vec![0.0] };
    let blocks = sources.mean.lanes().len() / sources.mean.width().max(1);
    let mut total = Lanes::default();
    for b in 0..blocks {
        let mask = lane_mask(b, sources.samples);
        for (l, choice) in choices.iter().enumerate() {
            let r = i * components + l;
            let (centre, scale) = (state.centres.get(r), state.scales.get(r));
            // The ½ ln 2π of q and p cancel.
            let fixed = scale.mean - 0.5 + choice;
            let half = 0.5 * scale.precision();
            let (mean, var) = (&sources.mean.block(b)[r], &sources.var.block(b)[r]);
            let (ln_var, share) = (&sources.ln_var.block(b)[r], &sources.share.block(b)[r]);
            for lane in 0..mask.len() {
                let deviation = mean[lane] - centre.mean;
                let gaussian =
                    fixed - 0.5 * ln_var[lane] + half * (deviation * deviation + var[lane] + centre.var);
                let ln_share = if components > 1 && share[lane] > 0.0 { libm::log(share[lane]) } else { 0.0 };
                total[lane] += mask[lane] * share[lane] * (gaussian + ln_share);
            }
        }
    }
    sum(total)
}

/// Returns the cost of the weights of each hidden unit, its row of A, its bias and its column of B; H.
pub fn hidden_costs(state: &ApproximatePosterior) -> Vec<f64> {
    let network = &state.network;
    let (n, hidden) = (network.sources, network.hidden);
    let unit = |j: usize| {
        let row = (0..n).map(|i| first_cost(network.first.get(j * n + i)));
        let bias = network.first_bias.get(j);
        let family = &state.top.first_bias;
        let column = (0..network.channels).map(|k| {
            let weight = network.second.get(k * hidden + j);
            entropy_term(weight.var) + prior_term(weight, Gaussian::constant(0.0), state.columns.get(j))
        });
        row.sum::<f64>()
            + entropy_term(bias.var)
            + prior_term(bias, family.mean, family.log_sd)
            + column.sum::<f64>()
    };
    (0..hidden).map(unit).collect()
}

/// Returns the cost of an element of A.
fn first_cost(weight: Gaussian) -> f64 {
    entropy_term(weight.var) + prior_term(weight, Gaussian::constant(0.0), Gaussian::constant(0.0))
}

/// Returns all parts of the cost, given the residuals Σ (x−f̄)² + f̃ of each channel.
pub fn cost_parts(state: &ApproximatePosterior, observations: &Observations, residuals: &[f64]) -> CostParts {
    let top = &state.top;
    let mut hyper = family_cost(&state.noise, &top.noise)
        + family_cost(&state.scales, &top.scales)
        + family_cost(&state.columns, &top.columns);
    for family in [&top.first_bias, &top.second_bias, &top.noise, &top.scales, &top.columns] {
        hyper += family_top(family);
    }
    if state.components() > 1 {
        let narrow = |log_sd: Gaussian| Family { mean: Gaussian::constant(0.0), log_sd };
        hyper += family_cost(&state.centres, &narrow(top.centres)) + top_cost(top.centres);
        hyper += family_cost(&state.logits, &narrow(top.logits)) + top_cost(top.logits);
    }
    CostParts {
        data: data_cost(observations, &state.noise, residuals),
        sources: source_costs(state).iter().sum(),
        weights: hidden_costs(state).iter().sum::<f64>()
            + family_cost(&state.network.second_bias, &top.second_bias),
        hyper,
    }
}
