//! A layered sigmoid belief network, SJ98 eqs. (1) and (2).

use serde::{Deserialize, Serialize};

use crate::math::random::Stream;

/// The network: layers from the top, which has no parents, to the bottom, whose units are visible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// Units in each layer, the top one first; at least two layers.
    pub layers: Vec<usize>,
    /// J: for each layer but the last, the weights to the next, `J[l][i·layers[l] + j]` from unit j to unit i.
    pub weights: Vec<Vec<f64>>,
    /// h: biases of each layer.
    pub biases: Vec<Vec<f64>>,
}

/// States of the visible units.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// 0 or 1 each; of a missing unit, anything.
    pub visible: Vec<f64>,
    /// Whether each is known. One that is not is no part of the network: summed over, it contributes a factor 1.
    pub observed: Vec<bool>,
}

impl Pattern {
    /// All of them known.
    pub fn complete(visible: Vec<f64>) -> Self {
        let observed = vec![true; visible.len()];
        Self { visible, observed }
    }
}

/// The logistic function σ(x) = 1/(1 + e⁻ˣ).
pub fn sigmoid(x: f64) -> f64 {
    if x < 0.0 {
        let e = libm::exp(x);
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + libm::exp(-x))
    }
}

/// ln(1 + eˣ).
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// The entropy of a unit that is 1 with probability `mu`, in nats.
pub fn entropy(mu: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * libm::log(p) } else { 0.0 };
    term(mu) + term(1.0 - mu)
}

impl Network {
    /// One with all weights and biases 0.
    ///
    /// # Panics
    /// With fewer than two layers, or an empty one.
    pub fn zero(layers: &[usize]) -> Self {
        assert!(layers.len() > 1 && layers.iter().all(|n| *n > 0), "a network has two layers or more");
        Self {
            layers: layers.to_vec(),
            weights: layers.windows(2).map(|pair| vec![0.0; pair[0] * pair[1]]).collect(),
            biases: layers.iter().map(|n| vec![0.0; *n]).collect(),
        }
    }

    /// Whether the lists have the lengths that `layers` says, and all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let lengths = |lists: &[Vec<f64>], expected: Vec<usize>| {
            lists.iter().map(Vec::len).eq(expected) && lists.iter().flatten().all(|x| x.is_finite())
        };
        self.layers.len() > 1
            && self.layers.iter().all(|n| *n > 0)
            && lengths(&self.weights, self.layers.windows(2).map(|pair| pair[0] * pair[1]).collect())
            && lengths(&self.biases, self.layers.clone())
    }

    /// Weights and biases together.
    pub fn parameters(&self) -> usize {
        self.weights.iter().chain(&self.biases).map(Vec::len).sum()
    }

    /// Units that are not visible.
    pub fn hidden(&self) -> usize {
        self.layers[..self.layers.len() - 1].iter().sum()
    }

    /// Number of visible units.
    pub fn visible(&self) -> usize {
        self.layers[self.layers.len() - 1]
    }

    /// The sums of inputs z of layer `l` ≥ 1 when the layer above has the states or means `above`, eq. (14).
    pub fn inputs(&self, l: usize, above: &[f64]) -> Vec<f64> {
        let rows = self.weights[l - 1].chunks_exact(self.layers[l - 1]);
        let sum = |(row, h): (&[f64], &f64)| h + row.iter().zip(above).map(|(j, s)| j * s).sum::<f64>();
        rows.zip(&self.biases[l]).map(sum).collect()
    }

    /// ln P of states of all units, eq. (16); visible units that are not observed are left out.
    pub fn ln_joint(&self, states: &[Vec<f64>], observed: &[bool]) -> f64 {
        let last = self.layers.len() - 1;
        let mut sum = 0.0;
        for l in 0..=last {
            let z = if l == 0 { self.biases[0].clone() } else { self.inputs(l, &states[l - 1]) };
            let known = |i: usize| l < last || observed[i];
            let terms = z.iter().zip(&states[l]).enumerate().filter(|(i, _)| known(*i));
            sum += terms.map(|(_, (z, s))| s * z - softplus(*z)).sum::<f64>();
        }
        sum
    }

    /// States of all units, drawn from the top down, and the probability with which each visible one was drawn to be 1. Units of
    /// hidden layers that `clamped` holds at a state are not drawn.
    pub fn sample(
        &self,
        clamped: impl Fn(usize, usize) -> Option<f64>,
        stream: &mut Stream,
    ) -> (Vec<Vec<f64>>, Vec<f64>) {
        let (mut states, mut probabilities) = (Vec::<Vec<f64>>::new(), Vec::new());
        for l in 0..self.layers.len() {
            let z = if l == 0 { self.biases[0].clone() } else { self.inputs(l, &states[l - 1]) };
            probabilities = z.into_iter().map(sigmoid).collect();
            let drawn = probabilities.iter().enumerate().map(|(i, p)| {
                // Drawn in any case, so that what is clamped does not change what others get.
                let state = if stream.uniform() < *p { 1.0 } else { 0.0 };
                clamped(l, i).unwrap_or(state)
            });
            states.push(drawn.collect());
        }
        (states, probabilities)
    }
}
