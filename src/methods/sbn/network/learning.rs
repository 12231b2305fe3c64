//! Learning by the on-line rules (10) and (11): the equations are solved for a pattern, and its means are what the weights are
//! moved towards.

use super::inference::{Options, Solved, State};
use super::model::Network;
use super::packed::Packed;
use crate::math::lanes::{SimdKernel, dispatch_simd, each};
use crate::math::random::Stream;
use crate::math::single::{Singles, zip};

/// A network at the start of learning: weights N(0, sd²), hidden biases 0, and visible biases that give each unit its frequency
/// among `count` patterns, `ones` of them 1, with half a pattern of each kind added: the paper's first pass.
pub fn initial(layers: &[usize], ones: &[usize], count: usize, sd: f64, stream: &mut Stream) -> Network {
    let mut network = Network::zero(layers);
    for weight in network.weights.iter_mut().flatten() {
        *weight = sd * stream.normal();
    }
    let last = layers.len() - 1;
    for (h, ones) in network.biases[last].iter_mut().zip(ones) {
        *h = libm::log((*ones as f64 + 0.5) / ((count - ones) as f64 + 0.5));
    }
    network
}

impl Packed {
    /// Solves the equations for the pattern that `state` has [taken](State::clamp), and moves weights and biases by eqs. (10) and
    /// (11) with the learning rate `rate`.
    pub fn learn(&mut self, state: &mut State, rate: f32, options: Options) -> Solved {
        let solved = state.solve(self, options);
        dispatch_simd(Rule { network: self, state, rate });
        solved
    }
}

struct Rule<'a> {
    network: &'a mut Packed,
    state: &'a State,
    rate: f32,
}

impl SimdKernel for Rule<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { network, state, rate } = self;
        for (l, layer) in state.layers.iter().enumerate() {
            // What multiplies the means above.
            let errors: Vec<Singles> =
                layer.blocks.iter().map(|b| each(|i| rate * (b.known[i] * (b.mu[i] - b.xi[i])))).collect();
            for (h, error) in network.biases[l].iter_mut().zip(&errors) {
                *h = zip(*h, *error, |h, e| h + e);
            }
            let Some(above) = l.checked_sub(1) else { continue };
            // What multiplies the weights times the variances above.
            let decays: Vec<Singles> = layer
                .blocks
                .iter()
                .map(|b| each(|i| rate * (b.known[i] * (b.xi[i] * (1.0 - b.xi[i])))))
                .collect();
            for (k, column) in network.columns[above].chunks_exact_mut(layer.blocks.len()).enumerate() {
                let mu = state.layers[above].mu(k);
                let variance = mu * (1.0 - mu);
                for ((j, error), decay) in column.iter_mut().zip(&errors).zip(&decays) {
                    *j = each(|i| j[i] + (error[i] * mu - j[i] * (decay[i] * variance)));
                }
            }
        }
    }
}
