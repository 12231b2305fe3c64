//! A network in `f32` with its weights column by column: the weights to the children of a unit are contiguous, in blocks of eight.
//!
//! The last block of a layer is padded with units that have no weights, no bias and a mean of ½. Padding is never updated and has
//! no effect on other units.

use super::model::Network;
use crate::math::lanes::LANES;
use crate::math::single::Singles;

/// A [`Network`] in the layout of the fast solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Number of units in each layer, the top layer first.
    pub(super) layers: Vec<usize>,
    /// Weights from each layer but the last to the next: column k has the weights of unit k, in `blocks(layers[l + 1])` blocks.
    pub(super) columns: Vec<Vec<Singles>>,
    /// Biases of each layer.
    pub(super) biases: Vec<Vec<Singles>>,
}

/// Returns the number of blocks for `n` units.
pub(super) fn blocks(n: usize) -> usize {
    n.div_ceil(LANES)
}

impl Packed {
    /// Packs a network, rounded to `f32`.
    pub fn new(network: &Network) -> Self {
        let columns = network.weights.iter().enumerate().map(|(l, weights)| {
            let (parents, children) = (network.layers[l], network.layers[l + 1]);
            let mut columns = vec![[0.0; LANES]; parents * blocks(children)];
            for (at, weight) in weights.iter().enumerate() {
                let (i, k) = (at / parents, at % parents);
                columns[k * blocks(children) + i / LANES][i % LANES] = *weight as f32;
            }
            columns
        });
        let biases = network.biases.iter().map(|biases| {
            let mut padded = vec![[0.0; LANES]; blocks(biases.len())];
            for (i, h) in biases.iter().enumerate() {
                padded[i / LANES][i % LANES] = *h as f32;
            }
            padded
        });
        Self { layers: network.layers.clone(), columns: columns.collect(), biases: biases.collect() }
    }

    /// Returns the network.
    pub fn network(&self) -> Network {
        let mut network = Network::zero(&self.layers);
        for (l, columns) in self.columns.iter().enumerate() {
            let (parents, children) = (self.layers[l], self.layers[l + 1]);
            for (at, weight) in network.weights[l].iter_mut().enumerate() {
                let (i, k) = (at / parents, at % parents);
                *weight = f64::from(columns[k * blocks(children) + i / LANES][i % LANES]);
            }
        }
        for (biases, padded) in network.biases.iter_mut().zip(&self.biases) {
            for (h, padded) in biases.iter_mut().zip(padded.as_flattened()) {
                *h = f64::from(*padded);
            }
        }
        network
    }

    /// Returns the number of weights and biases.
    pub fn parameters(&self) -> usize {
        let weights: usize = self.layers.windows(2).map(|pair| pair[0] * pair[1]).sum();
        weights + self.layers.iter().sum::<usize>()
    }
}
