//! The update of the weights, damped: a variance moves to 1/(2 ∂C_p/∂θ̃), a mean takes a Newton step with that curvature.

use super::approximate_posterior::ApproximatePosterior;
use super::evaluation::DataGradient;
use super::network::{Gaussian, Gaussians};
use super::reverse_pass::MomentGradient;
use super::source_step::{adapted_rate, halved_rate};

/// Largest step of a mean. The curvature nearly vanishes where a unit is saturated, the slope does not.
const MAX_STEP: f64 = 0.5;

/// Damping rates of a group of weights; the sign is that of the last change.
#[derive(Clone, Debug, Default)]
struct GroupRates {
    mean: Vec<f64>,
    var: Vec<f64>,
}

impl GroupRates {
    /// Creates rates that all equal `rate`.
    fn new(count: usize, rate: f64) -> Self {
        Self { mean: vec![rate; count], var: vec![rate; count] }
    }

    /// Updates a group; `prior(i)` is the mean and precision of the prior of item i, `max_rate` the largest rate of a mean.
    fn step(
        &mut self,
        items: &mut Gaussians,
        gradient: &MomentGradient,
        max_rate: f64,
        prior: impl Fn(usize) -> (f64, f64),
    ) {
        for i in 0..items.len() {
            let Gaussian { mean, var } = items.get(i);
            let (centre, precision) = prior(i);
            let target = 1.0 / (2.0 * gradient.var[i] + precision);
            let rate = &mut self.var[i];
            *rate = adapted_rate(*rate, target - var, 1.0);
            let var = libm::exp(rate.abs() * libm::log(target) + (1.0 - rate.abs()) * libm::log(var));
            let change = -var * (gradient.mean[i] + precision * (mean - centre));
            let rate = &mut self.mean[i];
            *rate = adapted_rate(*rate, change, max_rate);
            let change = (rate.abs() * change).clamp(-MAX_STEP, MAX_STEP);
            items.set(i, Gaussian { mean: mean + change, var });
        }
    }
}

/// Damping rates of all weights.
#[derive(Clone, Debug, Default)]
pub struct WeightRates {
    first: GroupRates,
    first_bias: GroupRates,
    second: GroupRates,
    second_bias: GroupRates,
}

impl WeightRates {
    /// Creates rates that all equal `rate`.
    pub fn new(state: &ApproximatePosterior, rate: f64) -> Self {
        let network = &state.network;
        Self {
            first: GroupRates::new(network.first.len(), rate),
            first_bias: GroupRates::new(network.first_bias.len(), rate),
            second: GroupRates::new(network.second.len(), rate),
            second_bias: GroupRates::new(network.second_bias.len(), rate),
        }
    }

    /// Halves all rates, down to `floor`.
    pub fn halve(&mut self, floor: f64) {
        let groups = [&mut self.first, &mut self.first_bias, &mut self.second, &mut self.second_bias];
        for rate in groups.into_iter().flat_map(|group| group.mean.iter_mut().chain(&mut group.var)) {
            *rate = halved_rate(*rate, floor);
        }
    }
}

/// Updates A and a by one damped step with rates of the means up to `max_rate`; B and b as well if `gradient` has their gradients.
pub fn step(
    state: &mut ApproximatePosterior,
    gradient: &DataGradient,
    max_rate: f64,
    rates: &mut WeightRates,
) {
    let top = &state.top;
    let network = &mut state.network;
    rates.first.step(&mut network.first, &gradient.first, max_rate, |_| (0.0, 1.0));
    let family = (top.first_bias.mean.mean, top.first_bias.log_sd.precision());
    rates.first_bias.step(&mut network.first_bias, &gradient.first_bias, max_rate, |_| family);
    if gradient.second.mean.is_empty() {
        return;
    }
    let columns: Vec<f64> = state.columns.iter().map(Gaussian::precision).collect();
    let hidden = network.hidden;
    rates.second.step(&mut network.second, &gradient.second, max_rate, |i| (0.0, columns[i % hidden]));
    let family = (top.second_bias.mean.mean, top.second_bias.log_sd.precision());
    rates.second_bias.step(&mut network.second_bias, &gradient.second_bias, max_rate, |_| family);
}
