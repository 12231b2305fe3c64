//! A layered sigmoid belief network, SJ98 eqs. (1) and (2).

use serde::{Deserialize, Serialize};

use crate::math::random::Stream;
use crate::math::special::{sigmoid, softplus};

/// A network: layers from the top, which has no parents, to the bottom, whose units are visible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// Number of units in each layer, the top layer first; at least two layers.
    pub layers: Vec<usize>,
    /// Weights J: for each layer but the last the weights to the next, `J[l][i·layers[l] + j]` from unit j to unit i.
    pub weights: Vec<Vec<f64>>,
    /// Biases h of each layer.
    pub biases: Vec<Vec<f64>>,
}

/// States of the visible units.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// State of each unit, 0 or 1; arbitrary for a missing unit.
    pub visible: Vec<f64>,
    /// True for each observed unit. A missing unit is summed over and contributes a factor 1.
    pub observed: Vec<bool>,
}

impl Pattern {
    /// Creates a pattern without missing units.
    pub fn complete(visible: Vec<f64>) -> Self {
        let observed = vec![true; visible.len()];
        Self { visible, observed }
    }
}

/// Returns the entropy of a unit that is 1 with probability `mu`, in nats.
pub fn entropy(mu: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * libm::log(p) } else { 0.0 };
    term(mu) + term(1.0 - mu)
}

impl Network {
    /// Creates a network with all weights and biases 0.
    ///
    /// # Panics
    /// If there are fewer than two layers, or a layer is empty.
    pub fn zero(layers: &[usize]) -> Self {
        assert!(layers.len() > 1 && layers.iter().all(|n| *n > 0), "a network has two layers or more");
        Self {
            layers: layers.to_vec(),
            weights: layers.windows(2).map(|pair| vec![0.0; pair[0] * pair[1]]).collect(),
            biases: layers.iter().map(|n| vec![0.0; *n]).collect(),
        }
    }

    /// Returns true if the lists have the lengths given by `layers` and all numbers are finite.
    pub fn is_valid(&self) -> bool {
        let lengths = |lists: &[Vec<f64>], expected: Vec<usize>| {
            lists.iter().map(Vec::len).eq(expected) && lists.iter().flatten().all(|x| x.is_finite())
        };
        self.layers.len() > 1
            && self.layers.iter().all(|n| *n > 0)
            && lengths(&self.weights, self.layers.windows(2).map(|pair| pair[0] * pair[1]).collect())
            && lengths(&self.biases, self.layers.clone())
    }

    /// Returns the number of weights and biases.
    pub fn parameters(&self) -> usize {
        self.weights.iter().chain(&self.biases).map(Vec::len).sum()
    }

    /// Returns the number of hidden units.
    pub fn hidden(&self) -> usize {
        self.layers[..self.layers.len() - 1].iter().sum()
    }

    /// Returns the number of visible units.
    pub fn visible(&self) -> usize {
        self.layers[self.layers.len() - 1]
    }

    /// Returns the inputs z of layer `l` ≥ 1 for the states or means `above` of the layer above, eq. (14).
    pub fn inputs(&self, l: usize, above: &[f64]) -> Vec<f64> {
        let rows = self.weights[l - 1].chunks_exact(self.layers[l - 1]);
        let sum = |(row, h): (&[f64], &f64)| h + row.iter().zip(above).map(|(j, s)| j * s).sum::<f64>();
        rows.zip(&self.biases[l]).map(sum).collect()
    }

    /// Returns ln P of the states of all units, eq. (16), without missing visible units.
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

    /// Draws an ancestral sample: the states of all units, and the probability of each visible unit to be 1 given the layer above.
    ///
    /// `clamped(layer, unit)` is the state of a unit that is not drawn.
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
                // A number is drawn for clamped units too, so that the other units do not depend on the clamping.
                let state = if stream.uniform() < *p { 1.0 } else { 0.0 };
                clamped(l, i).unwrap_or(state)
            });
            states.push(drawn.collect());
        }
        (states, probabilities)
    }
}
