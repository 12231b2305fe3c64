//! On-line learning: the mean field equations are solved for a pattern, then weights and biases are updated by SJ98 eqs. (10) and
//! (11).

use super::inference::{SolveResult, State, StoppingRule};
use super::model::Network;
use super::packed::Packed;
use crate::math::lanes::{SimdKernel, dispatch_simd, each};
use crate::math::random::Stream;
use crate::math::single::{Singles, zip};

/// Returns an initial network: weights N(0, sd²), hidden biases 0, and visible biases at the log odds of each unit.
///
/// Unit i is 1 in `ones[i]` of `count` patterns; half a pattern of each kind is added. This is the first pass of the paper.
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
    /// Solves the mean field equations for the pattern [set](State::clamp) in `state`, and updates weights and biases by SJ98
    /// eqs. (10) and (11) with the learning rate `rate`.
    pub fn learn(&mut self, state: &mut State, rate: f32, rule: StoppingRule) -> SolveResult {
        let solved = state.solve(self, rule);
        dispatch_simd(LearningKernel { network: self, state, rate });
        solved
    }
}

/// The update of weights and biases.
struct LearningKernel<'a> {
    network: &'a mut Packed,
    state: &'a State,
    rate: f32,
}

impl SimdKernel for LearningKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { network, state, rate } = self;
        for (l, layer) in state.layers.iter().enumerate() {
            // η(μ_i − ξ_i), the factors of the means above.
            let errors: Vec<Singles> =
                layer.blocks.iter().map(|b| each(|i| rate * (b.known[i] * (b.mu[i] - b.xi[i])))).collect();
            // SJ98 eq. (11).
            for (h, error) in network.biases[l].iter_mut().zip(&errors) {
                *h = zip(*h, *error, |h, e| h + e);
            }
            let Some(above) = l.checked_sub(1) else { continue };
            // ηξ_i(1 − ξ_i), the factors of the weights times the variances above.
            let decays: Vec<Singles> = layer
                .blocks
                .iter()
                .map(|b| each(|i| rate * (b.known[i] * (b.xi[i] * (1.0 - b.xi[i])))))
                .collect();
            for (k, column) in network.columns[above].chunks_exact_mut(layer.blocks.len()).enumerate() {
                let mu = state.layers[above].mu(k);
                let variance = mu * (1.0 - mu);
                for ((j, error), decay) in column.iter_mut().zip(&errors).zip(&decays) {
                    // SJ98 eq. (10).
                    *j = each(|i| j[i] + (error[i] * mu - j[i] * (decay[i] * variance)));
                }
            }
        }
    }
}
