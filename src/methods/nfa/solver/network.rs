//! The network and the factorial Gaussian posterior of its weights.

/// Independent Gaussians: their means and variances side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaussians {
    /// Means.
    pub mean: Vec<f64>,
    /// Variances, positive.
    pub var: Vec<f64>,
}

impl Gaussians {
    /// `count` of them, each with mean 0 and the variance `var`.
    pub fn new(count: usize, var: f64) -> Self {
        Self { mean: vec![0.0; count], var: vec![var; count] }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.mean.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// One of them.
    pub fn get(&self, i: usize) -> Gaussian {
        Gaussian { mean: self.mean[i], var: self.var[i] }
    }

    /// Replaces one of them.
    pub fn set(&mut self, i: usize, to: Gaussian) {
        (self.mean[i], self.var[i]) = (to.mean, to.var);
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = Gaussian> + Clone {
        self.mean.iter().zip(&self.var).map(|(mean, var)| Gaussian { mean: *mean, var: *var })
    }
}

/// A Gaussian.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gaussian {
    /// Mean.
    pub mean: f64,
    /// Variance; 0 of a constant.
    pub var: f64,
}

impl Gaussian {
    /// A number that is known.
    pub const fn constant(mean: f64) -> Self {
        Self { mean, var: 0.0 }
    }

    /// As a log standard deviation v: E e^{−2v}, the expected precision.
    pub fn precision(self) -> f64 {
        libm::exp(2.0 * (self.var - self.mean))
    }
}

/// f(s) = B tanh(A s + a) + b with n sources, H hidden units and m channels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// n.
    pub sources: usize,
    /// H.
    pub hidden: usize,
    /// m.
    pub channels: usize,
    /// A, H×n row by row.
    pub first: Gaussians,
    /// a, H.
    pub first_bias: Gaussians,
    /// B, m×H row by row.
    pub second: Gaussians,
    /// b, m.
    pub second_bias: Gaussians,
}

impl Network {
    /// All means 0, all variances `var`.
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
