//! Everything that is learnt: the approximate posterior of the network, the sources and all hyperparameters.

use super::network::{Gaussian, Gaussians, Network};
use super::sources::Sources;

/// The width of the flat priors at the top of the hierarchy, as a standard deviation.
pub const FLAT_SD: f64 = 100.0;

/// A family of parameters: N(mean, e^{2·log_sd}), both with flat priors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Family {
    /// m.
    pub mean: Gaussian,
    /// v.
    pub log_sd: Gaussian,
}

/// The top of the hierarchy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Top {
    /// a_j ~ N(m_a, e^{2v_a}).
    pub first_bias: Family,
    /// b_k ~ N(m_b, e^{2v_b}).
    pub second_bias: Family,
    /// v_n,k ~ N(m_vn, e^{2v_vn}).
    pub noise: Family,
    /// v_s,il ~ N(m_vs, e^{2v_vs}).
    pub scales: Family,
    /// v_B,j ~ N(m_vB, e^{2v_vB}).
    pub columns: Family,
    /// v_ms of m_s,il ~ N(0, e^{2v_ms}); of mixtures only.
    pub centres: Gaussian,
    /// v_c of c_il ~ N(0, e^{2v_c}); of mixtures only.
    pub logits: Gaussian,
}

/// The approximate posterior.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// A, a, B, b.
    pub network: Network,
    /// s and M.
    pub sources: Sources,
    /// v_n, m: log standard deviations of the noise.
    pub noise: Gaussians,
    /// v_B, H: those of the columns of B.
    pub columns: Gaussians,
    /// v_s, n×L: those of the sources' components.
    pub scales: Gaussians,
    /// m_s, n×L: their means; known to be 0 of a Gaussian.
    pub centres: Gaussians,
    /// c, n×L: the logits of their shares; without effect for a Gaussian.
    pub logits: Gaussians,
    /// The rest.
    pub top: Top,
}

impl State {
    /// A network of small uncertain weights, noise of standard deviation `noise_sd`, and priors of unit width.
    pub fn new(network: Network, sources: Sources, noise_sd: f64) -> Self {
        let (channels, hidden, n) = (network.channels, network.hidden, network.sources);
        let samples = sources.samples.max(1) as f64;
        let family =
            Family { mean: Gaussian { mean: 0.0, var: 1e-3 }, log_sd: Gaussian { mean: 0.0, var: 1e-3 } };
        Self {
            noise: Gaussians {
                mean: vec![libm::log(noise_sd); channels],
                var: vec![0.5 / samples; channels],
            },
            columns: Gaussians::new(hidden, 1e-3),
            scales: Gaussians::new(n, 0.5 / samples),
            centres: Gaussians::new(n, 0.0),
            logits: Gaussians::new(n, 0.0),
            network,
            sources,
            top: Top {
                first_bias: family,
                second_bias: family,
                noise: family,
                scales: family,
                columns: family,
                centres: family.log_sd,
                logits: family.log_sd,
            },
        }
    }

    /// L.
    pub fn components(&self) -> usize {
        self.sources.components
    }
}
