//! What every experiment of this model is told: covariance function and noise. The fields are shared by the experiments'
//! forms, which take whatever a fit can come to.

use crate::lab::{Field, Group, Kind, Values};

use super::fit;
use super::solver::kernel;

/// Covariance functions, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum KernelKind {
    Rbf,
    Arcsine,
    Linear,
}

impl KernelKind {
    /// The choice made in [`KERNEL`].
    pub(super) fn read(values: &Values) -> Self {
        match values.choice("kernel") {
            "arcsine" => Self::Arcsine,
            "linear" => Self::Linear,
            _ => Self::Rbf,
        }
    }
}

impl From<KernelKind> for kernel::Kind {
    fn from(kind: KernelKind) -> Self {
        match kind {
            KernelKind::Rbf => Self::Rbf,
            KernelKind::Arcsine => Self::Arcsine,
            KernelKind::Linear => Self::Linear,
        }
    }
}

/// The choice of a covariance function.
pub(super) const KERNEL: Field = Field {
    key: "kernel",
    label: "Covariance function",
    symbol: "K",
    help: "RBF: near points are alike. Arcsine: a network of infinitely many hidden units, blind at the origin.",
    group: Group::Method,
    kind: Kind::Choice(&[("rbf", "RBF, eq. (2)"), ("arcsine", "arcsine, eq. (1)"), ("linear", "linear")]),
    default: "rbf",
};

/// σ².
pub(super) const SIGMA2: Field = Field {
    key: "sigma2",
    label: "Length scale",
    symbol: "σ²",
    help: "Inputs are weighted by 1/(σ²N): small σ² follows every point, large σ² smooths.",
    group: Group::Method,
    kind: Kind::Real { min: fit::SIGMA2.0, max: fit::SIGMA2.1, slider: (0.02, 3.0, 0.02), infinity: false },
    default: "0.3",
};

/// κ.
pub(super) const KAPPA: Field = Field {
    key: "kappa",
    label: "Flipped labels",
    symbol: "κ",
    help: "Probability that a label is simply wrong, wherever its point lies.",
    group: Group::Method,
    kind: Kind::Real { min: 0.0, max: fit::KAPPA.1, slider: (0.0, 0.4, 0.01), infinity: false },
    default: "0",
};

/// v.
pub(super) const NOISE: Field = Field {
    key: "v",
    label: "Noise of the field",
    symbol: "v",
    help: "Variance of noise on the field: near the decision line labels may go either way.",
    group: Group::Method,
    kind: Kind::Real { min: 0.0, max: fit::V.1, slider: (0.0, 2.0, 0.02), infinity: false },
    default: "0.2",
};
