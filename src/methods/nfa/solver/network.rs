//! The network, and the factorial Gaussian posterior of its weights.

use serde::{Deserialize, Serialize};

/// Independent Gaussian variables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gaussians {
    /// Means.
    pub mean: Vec<f64>,
    /// Variances, positive.
    pub var: Vec<f64>,
}

impl Gaussians {
    /// Creates `count` Gaussians with mean 0 and variance `var`.
    pub fn new(count: usize, var: f64) -> Self {
        Self { mean: vec![0.0; count], var: vec![var; count] }
    }

    /// Returns their number.
    pub fn len(&self) -> usize {
        self.mean.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// Returns Gaussian i.
    pub fn get(&self, i: usize) -> Gaussian {
        Gaussian { mean: self.mean[i], var: self.var[i] }
    }

    /// Sets Gaussian i.
    pub fn set(&mut self, i: usize, to: Gaussian) {
        (self.mean[i], self.var[i]) = (to.mean, to.var);
    }

    /// Iterates over the Gaussians in order.
    pub fn iter(&self) -> impl Iterator<Item = Gaussian> + Clone {
        self.mean.iter().zip(&self.var).map(|(mean, var)| Gaussian { mean: *mean, var: *var })
    }
}

/// A Gaussian variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gaussian {
    /// Mean.
    pub mean: f64,
    /// Variance; 0 for a constant.
    pub var: f64,
}

impl Gaussian {
    /// Returns a variable that is known to be `mean`.
    pub const fn constant(mean: f64) -> Self {
        Self { mean, var: 0.0 }
    }

    /// Returns the expected precision E e^{−2v} if the variable is a log standard deviation v.
    pub fn precision(self) -> f64 {
        libm::exp(2.0 * (self.var - self.mean))
    }
}

/// The network f(s) = B tanh(A s + a) + b with n sources, H hidden units and m channels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// Number of sources, n.
    pub sources: usize,
    /// Number of hidden units, H.
    pub hidden: usize,
    /// Number of channels, m.
    pub channels: usize,
    /// A, H×n, row by row.
    pub first: Gaussians,
    /// a, H.
    pub first_bias: Gaussians,
    /// B, m×H, row by row.
    pub second: Gaussians,
    /// b, m.
    pub second_bias: Gaussians,
}

impl Network {
    /// Creates a network whose weights have mean 0 and variance `var`.
    pub fn new(sources: usize, hidden: usize, channels: usize, var: f64) -> Self {
        Self {
            sources,
            hidden,
            channels,
            first: Gaussians::new(hidden * sources, var),
            first_bias: Gaussians::new(hidden, var),
            second: Gaussians::new(channels * hidden, var),
            second_bias: Gaussians::new(channels, var),
        }
    }
}
