//! The weights of a network in the memory order in which the passes read them.

use super::blocks::transposed;
use super::network::Network;

/// Means, variances and squared means of a weight matrix.
#[derive(Clone, Debug, Default)]
pub struct MatrixLayout {
    /// Means.
    pub mean: Vec<f64>,
    /// Variances.
    pub var: Vec<f64>,
    /// Squared means.
    pub square: Vec<f64>,
}

impl MatrixLayout {
    /// Copies means and variances.
    fn new(mean: &[f64], var: &[f64]) -> Self {
        Self { mean: mean.to_vec(), var: var.to_vec(), square: mean.iter().map(|w| w * w).collect() }
    }

    /// Transposes a matrix with `columns` columns.
    fn transposed(&self, columns: usize) -> Self {
        Self {
            mean: transposed(&self.mean, columns),
            var: transposed(&self.var, columns),
            square: transposed(&self.square, columns),
        }
    }
}

/// All weights of a network.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// Number of sources, n.
    pub sources: usize,
    /// Number of hidden units, H.
    pub hidden: usize,
    /// Number of channels, m.
    pub channels: usize,
    /// A, row by row: for sums over hidden units.
    pub first: MatrixLayout,
    /// Aᵀ: for sums over sources.
    pub first_t: MatrixLayout,
    /// a.
    pub first_bias: MatrixLayout,
    /// B, row by row: for sums over channels.
    pub second: MatrixLayout,
    /// Bᵀ: for sums over hidden units.
    pub second_t: MatrixLayout,
    /// b.
    pub second_bias: MatrixLayout,
}

impl Layouts {
    /// Copies all weights of a network.
    pub fn new(network: &Network) -> Self {
        let mut layouts = Self {
            sources: network.sources,
            hidden: network.hidden,
            channels: network.channels,
            first: MatrixLayout::new(&network.first.mean, &network.first.var),
            first_bias: MatrixLayout::new(&network.first_bias.mean, &network.first_bias.var),
            ..Self::default()
        };
        layouts.first_t = layouts.first.transposed(network.sources);
        layouts.read_second(network);
        layouts
    }

    /// Copies the second layer again.
    pub fn read_second(&mut self, network: &Network) {
        self.second = MatrixLayout::new(&network.second.mean, &network.second.var);
        self.second_t = self.second.transposed(network.hidden);
        self.second_bias = MatrixLayout::new(&network.second_bias.mean, &network.second_bias.var);
    }
}
