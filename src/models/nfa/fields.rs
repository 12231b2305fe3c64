//! Fields shared by the tasks of this model.

use super::solver::learning::{Options, UpdateRule};
use super::solver::moments::Moments;
use crate::lab::{Group, choice, integer, real};

/// Maximum number of sources; each sample has an n×n system.
const MAX_SOURCES: usize = 20;

crate::spec! {
    /// Settings of learning.
    pub struct LearningSettings {
        /// Number of sources, n.
        sources: usize = integer(1, MAX_SOURCES as u64)
            .slider(1, 8)
            .label("Sources")
            .symbol("n")
            .help("Number of sources (latent variables) per sample.").knob(),
        /// Number of hidden units, H.
        hidden: usize = integer(1, 100)
            .slider(2, 60)
            .label("Hidden units")
            .symbol("H")
            .help("Number of tanh units in the hidden layer. Superfluous units are switched off.")
            .default("16"),
        /// Number of Gaussians per source, L.
        components: usize = integer(1, 5)
            .label("Gaussians per source")
            .symbol("L")
            .help(
                "1: Gaussian sources (nonlinear factor analysis). More: mixtures of Gaussians (nonlinear independent component \
                 analysis), fitted after the sweeps with Gaussian sources.",
            )
            .group(Group::Method).more(),
        /// Approximation of the moments of tanh.
        moments: Moments = choice()
            .label("Moments of tanh")
            .help(
                "Approximation of the mean and variance of tanh y: the Taylor series of the paper or three-point Gauss–Hermite \
                 quadrature.",
            )
            .group(Group::Method).more(),
        /// Update rule of a sweep.
        updates: UpdateRule = choice()
            .label("Update rule")
            .help(
                "Block: solves for the output layer exactly and takes a Gauss–Newton step for the sources of each sample. Papers: a \
                 damped step for every variable separately.",
            )
            .group(Group::Method).more(),
        /// Standard deviation of the first layer's initial weights.
        weight_sd: f64 = real((0.01, 10.0), (0.5, 5.0, 0.5))
            .label("Initial weight standard deviation, first layer")
            .help("With larger initial weights the hidden units differ more in shape. The helix needs about 3.")
            .group(Group::Method)
            .default("3").more(),
        /// Number of sweeps with Gaussian sources.
        sweeps: usize = integer(1, 5_000)
            .slider(100, 2_000)
            .label("Sweeps")
            .help("Passes over the data with Gaussian sources. Sources are updated from sweep 51, hyperparameters from sweep 101.")
            .group(Group::Run)
            .default("300"),
        /// Number of sweeps with mixtures.
        mixture_sweeps: usize = integer(0, 5_000)
            .slider(0, 2_000)
            .label("Sweeps with mixtures")
            .help("Further passes, after FastICA has rotated the sources and a mixture is fitted to each.")
            .group(Group::Run)
            .default("300").more()
            => components not ["1"],
    }
}

impl LearningSettings {
    /// Returns the options of the solver.
    pub fn options(&self) -> Options {
        Options {
            sources: self.sources,
            hidden: self.hidden,
            components: self.components,
            sweeps: self.sweeps,
            mixture_sweeps: self.mixture_sweeps,
            moments: self.moments,
            updates: self.updates,
            weight_sd: self.weight_sd,
        }
    }
}
