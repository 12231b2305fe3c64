//! Fields that several tasks of this model share: the method and its settings.

use super::solver::gaussian::CovarianceForm;
use super::solver::hyperprior::Hyperprior;
use super::solver::options::{InferenceMethod, Optimiser, Scheme};
use crate::figure::Hue;
use crate::lab::fields::PREDICT_AT;
use crate::lab::{Group, InputError, TypedField, choice, flag, integer, real, reals};

crate::choice! {
    /// Minimiser of the free energy.
    pub enum OptimiserChoice {
        Lbfgs = "lbfgs" "L-BFGS",
        /// Møller 1993.
        Scg = "scg" "scaled conjugate gradients (as in the paper)",
    }
}

impl OptimiserChoice {
    /// Returns the minimiser of the solver.
    pub fn optimiser(self) -> Optimiser {
        match self {
            Self::Lbfgs => Optimiser::Lbfgs,
            Self::Scg => Optimiser::Scg,
        }
    }
}

crate::choice! {
    /// Approximation of the posterior.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub enum Approximation {
        Map = "map" "MAP",
        Laplace = "laplace" "Laplace",
        Diagonal = "diagonal" "diagonal",
        /// BB98 eq. (18).
        Factor = "factor" "factors",
        Full = "full" "full covariance",
    }
}

impl Approximation {
    /// Approximations in the order of reports and figures.
    pub const ALL: [Self; 5] = [Self::Map, Self::Laplace, Self::Diagonal, Self::Factor, Self::Full];

    /// Returns its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the method of the solver; `factors` is the number of factors s of BB98 eq. (18).
    pub fn method(self, factors: usize) -> InferenceMethod {
        match self {
            Self::Map => InferenceMethod::Map,
            Self::Laplace => InferenceMethod::Laplace,
            Self::Diagonal => InferenceMethod::Ensemble(CovarianceForm::Diagonal),
            Self::Factor => InferenceMethod::Ensemble(CovarianceForm::Factor(factors)),
            Self::Full => InferenceMethod::Ensemble(CovarianceForm::Full),
        }
    }

    /// Returns `true` for the approximations of ensemble learning, which minimise −ELBO.
    pub fn is_ensemble(self) -> bool {
        !matches!(self, Self::Map | Self::Laplace)
    }

    /// Returns its colour in all figures.
    pub fn hue(self) -> Hue {
        match self {
            Self::Map => Hue::Purple,
            Self::Laplace => Hue::Vermilion,
            Self::Diagonal => Hue::Blue,
            Self::Factor => Hue::Orange,
            Self::Full => Hue::Green,
        }
    }
}

crate::choice! {
    /// Source of α and β.
    pub enum PrecisionSource {
        Estimated = "estimated" "estimated, with Gamma priors",
        Fixed = "fixed" "fixed values",
    }
}

impl PrecisionSource {
    /// Returns the hyperprior of the solver, from the parameters `priors` of the Gamma priors or from fixed `alpha` and `beta`.
    pub fn hyperprior(self, priors: &[f64], alpha: f64, beta: f64) -> Hyperprior {
        match (self, priors) {
            (Self::Estimated, &[a, b, c, d]) => Hyperprior::Gamma([a, b, c, d]),
            _ => Hyperprior::Fixed { alpha, beta },
        }
    }
}

crate::choice! {
    /// Updates of α and β under Gamma priors in ensemble learning.
    pub enum SchemeChoice {
        Joint = "joint" "jointly with the Gaussian",
        /// BB98 section 2.1.
        Alternating = "alternating" "alternating (as in the paper)",
    }
}

impl SchemeChoice {
    /// Returns the scheme of the solver.
    pub fn scheme(self) -> Scheme {
        match self {
            Self::Joint => Scheme::Collapsed,
            Self::Alternating => Scheme::Alternating,
        }
    }
}

/// True if hidden units have a bias.
pub const BIAS: TypedField<bool> = flag()
    .label("Bias of the hidden units")
    .help("Gives every hidden unit a bias.")
    .group(Group::Method)
    .default("true");

/// Number of factors s of BB98 eq. (18).
pub const FACTORS: TypedField<usize> = integer(1, 6)
    .slider(1, 4)
    .label("Covariance factors")
    .symbol("s")
    .help("Number of factors in the factor covariance, eq. (18).")
    .group(Group::Method);

/// Inputs at which the report gives predictions.
pub const PREDICT: TypedField<Vec<f64>> =
    PREDICT_AT.help("Inputs x at which the report gives the mean and variance of f.");

/// Source of α and β.
pub const HYPER: TypedField<PrecisionSource> = choice()
    .label("Precisions α and β")
    .help(
        "Estimated: ensemble learning puts Gamma priors on α and β; MAP and Laplace re-estimate them by MacKay's evidence procedure.",
    )
    .group(Group::Method);

/// Parameters a, b, c, d of the Gamma priors, BB98 eqs. (19) and (20).
pub const HYPERPRIORS: TypedField<Vec<f64>> = reals((1e-6, 1e9), 4)
    .label("Gamma priors")
    .symbol("a, b, c, d")
    .help("Shape and scale of the Gamma prior of α (a, b) and of β (c, d). Default: the values of the paper.")
    .group(Group::Method)
    .default("0.25,400,0.05,2000");

/// Updates of α and β under Gamma priors.
pub const SCHEME: TypedField<SchemeChoice> = choice()
    .label("Updates of α and β")
    .help(
        "Jointly: one minimisation, with α and β at their optimum for every Gaussian. Alternating: the Gaussian for fixed α and β, then \
         α and β, and so on. Both have the same optimum; the first needs fewer evaluations.",
    )
    .group(Group::Method);

/// Returns the error of `field` if there are not four parameters of the Gamma priors.
pub fn check_hyperpriors(priors: &[f64], field: &TypedField<Vec<f64>>) -> Option<InputError> {
    (priors.len() != 4).then(|| {
        let error = field.error(format!("{} numbers", priors.len()));
        error.expected("four numbers: a, b, c and d").nearest(field.default)
    })
}

/// Minimiser of the free energy.
pub const OPTIMISER: TypedField<OptimiserChoice> = choice()
    .label("Optimiser")
    .help("Method that minimises the free energy F. The mode is always found by L-BFGS.")
    .group(Group::Method);

/// Prior precision α.
pub const ALPHA: TypedField<f64> = real((1e-6, 1e4), (0.2, 5.0, 0.05))
    .label("Prior precision")
    .symbol("α")
    .help("Inverse variance of the Gaussian prior over the weights.")
    .group(Group::Method);

/// Noise precision β.
pub const BETA: TypedField<f64> = real((1e-3, 1e6), (20.0, 2000.0, 10.0))
    .label("Noise precision")
    .symbol("β")
    .help("Inverse variance of the Gaussian noise on the targets.")
    .group(Group::Method);

/// Number of starts of each fit.
pub const RESTARTS: TypedField<usize> = integer(1, 100)
    .slider(1, 20)
    .label("Restarts")
    .help("Number of random starts of each fit. The start with the lowest free energy is shown; the others are listed.")
    .group(Group::Run)
    .default("3");
