//! What every experiment of this model is told.

use super::solver::learning::{Options, Updates};
use super::solver::moments::Moments;
use crate::lab::{Group, TypedField, choice, integer, real};

/// Sources at most: each sample has an n×n system.
pub(super) const MOST_SOURCES: usize = 20;

/// How moments go through tanh.
pub(super) const MOMENTS: TypedField<Moments> = choice()
    .label("Moments of tanh")
    .help("How the mean and variance of tanh y follow from those of y: by the paper's Taylor series, or by three points.")
    .group(Group::Method);

crate::spec! {
    /// What learning is told.
    pub struct Method {
        /// n.
        sources: usize = integer(1, MOST_SOURCES as u64)
            .slider(1, 8)
            .label("Sources")
            .symbol("n")
            .help("Number of hidden causes of each sample.").knob(),
        /// H.
        hidden: usize = integer(1, 100)
            .slider(2, 60)
            .label("Hidden units")
            .symbol("H")
            .help("Hidden tanh units of the network. Units that are not needed are switched off.")
            .default("16"),
        /// L.
        components: usize = integer(1, 5)
            .label("Gaussians per source")
            .symbol("L")
            .help("1: Gaussian sources (nonlinear factor analysis). More: mixtures of Gaussians (nonlinear independent component analysis), after the sweeps with one.")
            .group(Group::Method).more(),
        /// How moments go through tanh.
        moments: Moments = MOMENTS.more(),
        /// How a sweep moves.
        updates: Updates = choice()
            .label("Updates")
            .help("Block: the output layer is solved, and the sources of a sample take a Gauss–Newton step. Papers: every variable by itself, damped.")
            .group(Group::Method).more(),
        /// Standard deviation of the first layer's initial weights.
        weight_sd: f64 = real((0.01, 10.0), (0.5, 5.0, 0.5))
            .label("Initial weights of the first layer, standard deviation")
            .help("Large initial weights give hidden units of different bends. The helix needs about 3.")
            .group(Group::Method)
            .default("3").more(),
        /// Sweeps with Gaussian sources.
        sweeps: usize = integer(1, 5_000)
            .slider(100, 2_000)
            .label("Sweeps")
            .help("Passes over the data with Gaussian sources. Sources move from sweep 51 on, hyperparameters from 101.")
            .group(Group::Run)
            .default("300"),
        /// Sweeps with mixtures.
        mixture_sweeps: usize = integer(0, 5_000)
            .slider(0, 2_000)
            .label("Sweeps with mixtures")
            .help("Passes after FastICA has rotated the sources and each has become a mixture.")
            .group(Group::Run)
            .default("300").more()
            => components not ["1"],
    }
}

impl Method {
    /// As the solver wants it.
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
