//! Fields that several tasks of this model share: how it is fitted.

use super::solver::coordinates::Form;
use super::solver::fit::{Method, Optimiser};
use crate::lab::{Group, TypedField, choice, integer, real};

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
