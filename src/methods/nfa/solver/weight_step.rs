//! The step of the weights: a variance goes to 1/(2 ∂C_p/∂θ̃), a mean takes Newton's step with that curvature, both damped.

use super::evaluation::Gradient;
use super::network::{Gaussian, Gaussians};
use super::reverse_pass::Slopes;
use super::source_step::{adapted, halved};
use super::state::State;

/// The longest step of a mean: where a unit is saturated there is a slope, but hardly any curvature.
const LONGEST: f64 = 0.5;

/// Damping of a group of weights; the sign is that of the last change.
#[derive(Clone, Debug, Default)]
struct Group {
    mean: Vec<f64>,
    var: Vec<f64>,
}

impl Group {
    fn new(count: usize, rate: f64) -> Self {
        Self { mean: vec![rate; count], var: vec![rate; count] }
    }

    /// `prior(i)` is the mean and the precision of the prior of item i, `fastest` the largest rate of a mean.
    fn step(
        &mut self,
        items: &mut Gaussians,
        slopes: &Slopes,
        fastest: f64,
        prior: impl Fn(usize) -> (f64, f64),
    ) {
        for i in 0..items.len() {
            let Gaussian { mean, var } = items.get(i);
            let (centre, precision) = prior(i);
            let target = 1.0 / (2.0 * slopes.var[i] + precision);
            let rate = &mut self.var[i];
            *rate = adapted(*rate, target - var, 1.0);
            let var = libm::exp(rate.abs() * libm::log(target) + (1.0 - rate.abs()) * libm::log(var));
            let change = -var * (slopes.mean[i] + precision * (mean - centre));
            let rate = &mut self.mean[i];
            *rate = adapted(*rate, change, fastest);
            let change = (rate.abs() * change).clamp(-LONGEST, LONGEST);
            items.set(i, Gaussian { mean: mean + change, var });
        }
    }
}

/// Damping of all weights.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    first: Group,
    first_bias: Group,
    second: Group,
    second_bias: Group,
}

impl Rates {
    /// All `rate`.
    pub fn new(state: &State, rate: f64) -> Self {
        let network = &state.network;
        Self {
            first: Group::new(network.first.len(), rate),
            first_bias: Group::new(network.first_bias.len(), rate),
            second: Group::new(network.second.len(), rate),
            second_bias: Group::new(network.second_bias.len(), rate),
        }
    }

    /// Halves all.
    pub fn halve(&mut self, floor: f64) {
        let groups = [&mut self.first, &mut self.first_bias, &mut self.second, &mut self.second_bias];
        for rate in groups.into_iter().flat_map(|group| group.mean.iter_mut().chain(&mut group.var)) {
            *rate = halved(*rate, floor);
        }
    }
}

/// Moves A and a by one damped step, the means at a rate of `fastest` at most; B and b as well where their gradients are given.
pub fn step(state: &mut State, gradient: &Gradient, fastest: f64, rates: &mut Rates) {
    let top = &state.top;
    let network = &mut state.network;
    rates.first.step(&mut network.first, &gradient.first, fastest, |_| (0.0, 1.0));
    let family = (top.first_bias.mean.mean, top.first_bias.log_sd.precision());
    rates.first_bias.step(&mut network.first_bias, &gradient.first_bias, fastest, |_| family);
    if gradient.second.mean.is_empty() {
        return;
    }
    let columns: Vec<f64> = state.columns.iter().map(Gaussian::precision).collect();
    let hidden = network.hidden;
    rates.second.step(&mut network.second, &gradient.second, fastest, |i| (0.0, columns[i % hidden]));
    let family = (top.second_bias.mean.mean, top.second_bias.log_sd.precision());
    rates.second_bias.step(&mut network.second_bias, &gradient.second_bias, fastest, |_| family);
}
