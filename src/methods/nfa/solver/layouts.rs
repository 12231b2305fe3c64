//! A network's weights as the passes read them: each matrix in the order of the sum it is used in.

use super::blocks::transposed;
use super::network::Network;

/// Means, variances and squared means of a matrix.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub mean: Vec<f64>,
    pub var: Vec<f64>,
    pub square: Vec<f64>,
}

impl Layout {
    fn new(mean: &[f64], var: &[f64]) -> Self {
        Self { mean: mean.to_vec(), var: var.to_vec(), square: mean.iter().map(|w| w * w).collect() }
    }

    fn transposed(&self, columns: usize) -> Self {
        let turn = |matrix: &[f64]| transposed(matrix, columns);
        Self { mean: turn(&self.mean), var: turn(&self.var), square: turn(&self.square) }
    }
}

/// All of a network.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    pub sources: usize,
    pub hidden: usize,
    pub channels: usize,
    /// A, row by row: sums over hidden units.
    pub first: Layout,
    /// Aᵀ: sums over sources.
    pub first_t: Layout,
    /// a.
    pub first_bias: Layout,
    /// B, row by row: sums over channels.
    pub second: Layout,
    /// Bᵀ: sums over hidden units.
    pub second_t: Layout,
    /// b.
    pub second_bias: Layout,
}

impl Layouts {
    /// Of all weights.
    pub fn new(network: &Network) -> Self {
        let mut layouts = Self {
            sources: network.sources,
            hidden: network.hidden,
            channels: network.channels,
            first: Layout::new(&network.first.mean, &network.first.var),
            first_bias: Layout::new(&network.first_bias.mean, &network.first_bias.var),
            ..Self::default()
        };
        layouts.first_t = layouts.first.transposed(network.sources);
        layouts.read_second(network);
        layouts
    }

    /// Reads the second layer again.
    pub fn read_second(&mut self, network: &Network) {
        self.second = Layout::new(&network.second.mean, &network.second.var);
        self.second_t = self.second.transposed(network.hidden);
        self.second_bias = Layout::new(&network.second_bias.mean, &network.second_bias.var);
    }
}
