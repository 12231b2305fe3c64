//! Fields that several tasks of this model share: how it is fitted.

use super::solver::coordinates::Form;
use super::solver::fit::{Method, Optimiser, Scheme};
use super::solver::hyper::Hyper;
use crate::lab::{Group, InputError, Role, TypedField, choice, flag, integer, real, reals};

crate::choice! {
    /// How the free energy is minimised.
    pub enum Search {
        Lbfgs = "lbfgs" "L-BFGS",
        /// Møller 1993.
        Scg = "scg" "scaled conjugate gradients (as in the paper)",
    }
}

impl Search {
    /// What the solver calls it.
    pub fn optimiser(self) -> Optimiser {
        match self {
            Self::Lbfgs => Optimiser::Lbfgs,
            Self::Scg => Optimiser::Scg,
        }
    }
}

crate::choice! {
    /// What is fitted to the posterior.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub enum Approximation {
        Map = "map" "MAP",
        Laplace = "laplace" "Laplace",
        Diagonal = "diagonal" "diagonal",
        /// Eq. (18).
        Factor = "factor" "factors",
        Full = "full" "full covariance",
    }
}

impl Approximation {
    /// What the solver calls it, with so many factors.
    pub fn method(self, factors: usize) -> Method {
        match self {
            Self::Map => Method::Map,
            Self::Laplace => Method::Laplace,
            Self::Diagonal => Method::Ensemble(Form::Diagonal),
            Self::Factor => Method::Ensemble(Form::Factor(factors)),
            Self::Full => Method::Ensemble(Form::Full),
        }
    }

    /// Its colour, the same in all figures.
    pub fn hue(self) -> crate::figure::Hue {
        use crate::figure::Hue;
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
    /// Where α and β come from.
    pub enum Hyperparameters {
        Estimated = "estimated" "estimated, with Gamma priors",
        Fixed = "fixed" "fixed values",
    }
}

impl Hyperparameters {
    /// What the solver is told: the four numbers of the Gamma priors, or α and β.
    pub fn of(self, priors: &[f64], alpha: f64, beta: f64) -> Hyper {
        match (self, priors) {
            (Self::Estimated, &[a, b, c, d]) => Hyper::Gamma([a, b, c, d]),
            _ => Hyper::Fixed { alpha, beta },
        }
    }
}

crate::choice! {
    /// How α and β with Gamma priors are found in ensemble learning.
    pub enum Updating {
        Joint = "joint" "jointly with the Gaussian",
        /// Eqs. (19) to (29).
        Alternating = "alternating" "alternating (as in the paper)",
    }
}

impl Updating {
    /// What the solver calls it.
    pub fn scheme(self) -> Scheme {
        match self {
            Self::Joint => Scheme::Collapsed,
            Self::Alternating => Scheme::Alternating,
        }
    }
}

/// Whether units have a bias.
pub const BIAS: TypedField<bool> = flag()
    .label("Bias of the hidden units")
    .help("Gives every hidden unit a bias.")
    .group(Group::Method)
    .default("true");

/// Factors of eq. (18).
pub const FACTORS: TypedField<usize> = integer(1, 6)
    .slider(1, 4)
    .label("Covariance factors")
    .symbol("s")
    .help("Number of factors in the factor covariance, eq. (18).")
    .group(Group::Method);

/// Inputs at which predictions are reported.
pub const PREDICT: TypedField<Vec<f64>> = reals((-1e3, 1e3), 200)
    .label("Predict at")
    .help("Inputs x at which the report gives the mean and variance of f.")
    .group(Group::Run)
    .role(Role::Report);

/// Where α and β come from.
pub const HYPER: TypedField<Hyperparameters> = choice()
    .label("Precisions α and β")
    .help(
        "Estimated: ensemble learning puts Gamma priors on α and β; MAP and Laplace re-estimate them by MacKay's evidence procedure.",
    )
    .group(Group::Method);

/// a, b, c, d of eqs. (19) and (20).
pub const HYPERPRIORS: TypedField<Vec<f64>> = reals((1e-6, 1e9), 4)
    .label("Gamma priors")
    .symbol("a, b, c, d")
    .help("Shape and scale of the Gamma prior of α (a, b) and of β (c, d). Default: the values of the paper.")
    .group(Group::Method)
    .default("0.25,400,0.05,2000");

/// How α and β with Gamma priors are found.
pub const SCHEME: TypedField<Updating> = choice()
    .label("Updates of α and β")
    .help(
        "Jointly: one minimisation, with α and β at their optimum for every Gaussian. Alternating: the Gaussian for fixed α and β, then \
         α and β, and so on. Both have the same optimum; the first needs fewer evaluations.",
    )
    .group(Group::Method);

/// What is wrong with the numbers of the Gamma priors, if there are not four.
pub fn four(priors: &[f64], field: &TypedField<Vec<f64>>) -> Option<InputError> {
    (priors.len() != 4).then(|| {
        let error = field.error(format!("{} numbers", priors.len()));
        error.expected("four numbers: a, b, c and d").nearest(field.default)
    })
}

/// The optimiser.
pub const SEARCH: TypedField<Search> = choice()
    .label("Optimiser")
    .help("Method that minimises the free energy F. The mode is always found by L-BFGS.")
    .group(Group::Method);

/// α.
pub const ALPHA: TypedField<f64> = real((1e-6, 1e4), (0.2, 5.0, 0.05))
    .label("Prior precision")
    .symbol("α")
    .help("Inverse variance of the Gaussian prior over the weights.")
    .group(Group::Method);

/// β.
pub const BETA: TypedField<f64> = real((1e-3, 1e6), (20.0, 2000.0, 10.0))
    .label("Noise precision")
    .symbol("β")
    .help("Inverse variance of the Gaussian noise on the targets.")
    .group(Group::Method);

/// Starts of each fit.
pub const RESTARTS: TypedField<usize> = integer(1, 100)
    .slider(1, 20)
    .label("Restarts")
    .help("Number of random starts of each fit. The start with the lowest free energy is shown; the others are listed.")
    .group(Group::Run)
    .default("3");
