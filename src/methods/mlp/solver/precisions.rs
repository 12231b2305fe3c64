//! The precisions α of the prior and β of the noise: one α for all weights, as in BB98, or one for each input (automatic relevance
//! determination: MacKay 1995; Neal 1996).

use std::f64::consts::TAU;

use super::network::NetworkShape;

/// Groups of weights that have a prior precision α of their own. All groups have the same number of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorGroups {
    /// All weights are one group.
    Shared,
    /// The weights of each input are a group, the bias among the inputs, and the output weights are the last one.
    PerInput,
}

impl PriorGroups {
    /// Returns the number of groups G.
    pub fn count(self, shape: NetworkShape) -> usize {
        match self {
            Self::Shared => 1,
            Self::PerInput => shape.inputs + 1,
        }
    }

    /// Returns the group of a weight.
    pub fn of(self, shape: NetworkShape, weight: usize) -> usize {
        match self {
            Self::Shared => 0,
            Self::PerInput if weight < shape.outputs() => weight % shape.inputs,
            Self::PerInput => shape.inputs,
        }
    }

    /// Returns the sum of `value` over the weights of each group, G.
    pub fn sums(self, shape: NetworkShape, value: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.count(shape)];
        (0..shape.weights()).for_each(|weight| sums[self.of(shape, weight)] += value(weight));
        sums
    }
}

/// Precisions of the prior and of the noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Precisions {
    /// α of each group, G.
    pub alphas: Vec<f64>,
    /// Noise precision β.
    pub beta: f64,
}

impl Precisions {
    /// Returns precisions with the same `alpha` in each of `groups` groups.
    pub fn shared(groups: usize, alpha: f64, beta: f64) -> Self {
        Self { alphas: vec![alpha; groups], beta }
    }

    /// Returns α; the geometric mean over several groups.
    pub fn alpha(&self) -> f64 {
        match self.alphas.as_slice() {
            [alpha] => *alpha,
            alphas => libm::exp(alphas.iter().map(|a| libm::log(*a)).sum::<f64>() / alphas.len() as f64),
        }
    }

    /// Returns the largest relative change from `before`.
    pub fn change_from(&self, before: &Self) -> f64 {
        let pairs = self.alphas.iter().zip(&before.alphas).chain([(&self.beta, &before.beta)]);
        pairs.map(|(now, before)| (now / before - 1.0).abs()).fold(0.0, f64::max)
    }

    /// Returns the energy β `error` + ½ Σ α `square` over the groups, BB98 eq. (5).
    pub fn energy(&self, error: f64, squares: &[f64]) -> f64 {
        let weights = self.alphas.iter().zip(squares).map(|(alpha, square)| 0.5 * alpha * square);
        self.beta * error + weights.sum::<f64>()
    }

    /// Returns the bound for a Gaussian over `k` weights, with averages <`E_D`> of `n` examples and <|w|²> of each group and with ln|C|, at
    /// these precisions.
    pub fn bound(
        &self,
        k: usize,
        n: usize,
        mean_error: f64,
        mean_squares: &[f64],
        ln_det: f64,
    ) -> VariationalBound {
        let free_energy = self.energy(mean_error, mean_squares) - entropy(k, ln_det);
        let each = (k / self.alphas.len().max(1)) as f64;
        let prior: f64 = self.alphas.iter().map(|alpha| 0.5 * each * libm::log(alpha / TAU)).sum();
        let negative_elbo = free_energy - 0.5 * n as f64 * libm::log(self.beta / TAU) - prior;
        VariationalBound { precisions: self.clone(), free_energy, negative_elbo }
    }
}

/// Bound on the log evidence for a Gaussian Q(w), and its precisions.
#[derive(Clone, Debug, PartialEq)]
pub struct VariationalBound {
    /// α and β, or their means r s under R(α) and u v under S(β) of BB98 eq. (29).
    pub precisions: Precisions,
    /// Free energy F = β<E_D> + (α/2)<|w|²> − ½ ln|C| − (k/2)(1 + ln 2π) at these α and β: BB98 eq. (8) without ln Z. With several groups,
    /// (α/2)<|w|²> is the sum over them.
    pub free_energy: f64,
    /// Negative lower bound on ln p(D): F − (N/2) ln(β/2π) − (k/2) ln(α/2π) for fixed α and β; under Gamma priors, BB98 eq. (25)
    /// with R(α) and S(β) at their optimum.
    pub negative_elbo: f64,
}

/// Returns the entropy of a Gaussian over `k` weights with ln|C|.
pub(super) fn entropy(k: usize, ln_det: f64) -> f64 {
    0.5 * ln_det + 0.5 * k as f64 * (1.0 + libm::log(TAU))
}
