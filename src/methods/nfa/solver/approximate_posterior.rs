//! The approximate posterior of the network, the sources and all hyperparameters.

use serde::{Deserialize, Serialize};

use super::network::{Gaussian, Gaussians, Network};
use super::sources::Sources;

/// Standard deviation of the flat priors at the top of the hierarchy.
pub const FLAT_SD: f64 = 100.0;

/// Hyperparameters of a family of parameters N(m, e^{2v}); both have flat priors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Family {
    /// Mean m.
    pub mean: Gaussian,
    /// Log standard deviation v.
    pub log_sd: Gaussian,
}

/// Hyperparameters at the top of the hierarchy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopHyperparameters {
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
    /// v_ms of m_s,il ~ N(0, e^{2v_ms}); mixtures only.
    pub centres: Gaussian,
    /// v_c of c_il ~ N(0, e^{2v_c}); mixtures only.
    pub logits: Gaussian,
}

/// The approximate posterior.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ApproximatePosterior {
    /// Weights A, a, B, b.
    pub network: Network,
    /// Sources s and their mixture components M; not saved.
    #[serde(skip)]
    pub sources: Sources,
    /// Log standard deviations v_n of the noise, m.
    pub noise: Gaussians,
    /// Log standard deviations v_B of the columns of B, H.
    pub columns: Gaussians,
    /// Log standard deviations v_s of the components of the sources, n×L.
    pub scales: Gaussians,
    /// Means m_s of the components, n×L; fixed at 0 for Gaussian sources.
    pub centres: Gaussians,
    /// Logits c of the shares of the components, n×L; unused for Gaussian sources.
    pub logits: Gaussians,
    /// TopHyperparameters-level hyperparameters.
    pub top: TopHyperparameters,
}

impl ApproximatePosterior {
    /// Creates an initial state with noise of standard deviation `noise_sd` and priors of unit variance.
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
            top: TopHyperparameters {
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

    /// Returns the state without the sources of its samples.
    #[must_use]
    pub fn without_sources(&self) -> Self {
        Self { sources: Sources::default(), ..self.clone() }
    }

    /// Returns the number of components of the prior of a source, L, which does not need the sources.
    pub fn prior_components(&self) -> usize {
        self.scales.len() / self.network.sources.max(1)
    }

    /// Returns the number of components per source, L.
    pub fn components(&self) -> usize {
        self.sources.components
    }
}
