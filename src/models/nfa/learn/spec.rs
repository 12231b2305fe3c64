//! Fields and presets of learning from built-in data.

use super::chain::MAX_DIMENSION;
use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, integer, real};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fields::LearningSettings;
use crate::models::nfa::simulated::{Mixing, SimulatedData, helix, mixtures};
use crate::models::nfa::solver::posterior::JointPosterior;

crate::choice! {
    /// Built-in data set.
    pub enum BuiltInData {
        Helix = "helix" "helix: 1 source, 3 channels",
        Mixtures = "mixtures" "2 + 2 sources, 10 channels",
        PaperMixtures = "paper_mixtures" "4 + 4 sources, 20 channels",
        Saturating = "saturating" "2 + 2 sources, 10 channels, saturating",
    }
}

crate::choice! {
    /// Fits that are compared.
    pub enum ComparedFits {
        Nothing = "nothing" "nothing",
        Sources = "sources" "numbers of sources",
        Updates = "updates" "both update rules",
    }
}

crate::spec! {
    /// Specification of learning from built-in data.
    pub struct LearnSpec {
        ..method: LearningSettings {},
        /// Data set.
        data: BuiltInData = choice()
            .label("Data set")
            .help(
                "Helix: (sin πs, cos πs, s) with noise 0.05. The others: super- and sub-Gaussian sources, mixed by a random nonlinear \
                 network, with noise 0.1.",
            ),
        /// Number of samples, T.
        samples: usize = integer(20, 5_000)
            .slider(100, 2_000)
            .label("Samples")
            .symbol("T")
            .help("Number of samples (rows of the data).")
            .default("1000"),
        /// Fraction of the cells that are removed.
        missing: f64 = real((0.0, 0.9), (0.0, 0.6, 0.05))
            .label("Fraction of missing values")
            .help("Fraction of the values removed at random. The fit predicts them with error bars.").more(),
        /// Fits that are compared.
        compare: ComparedFits = choice()
            .label("Compare")
            .help(
                "Numbers of sources: fits 1 to twice the number set above; the lowest cost is best. Update rules: runs both from the \
                 same start.",
            )
            .group(Group::Run).more(),
        /// Number of fits from different initial weights.
        restarts: usize = integer(1, 16)
            .label("Restarts")
            .help(
                "Number of fits from different initial weights. The fit with the lowest cost is shown. Some starts miss the \
                 helix.",
            )
            .group(Group::Run)
            .default("3")
            .more(),
        /// Number of draws of each chain.
        hmc: usize = integer(0, 20_000)
            .slider(0, 4_000)
            .label("Monte Carlo draws per chain")
            .help(
                "Draws in each of four Hamiltonian Monte Carlo chains through the posterior of sources and weights of a small problem, \
                 the reference for the error bars; 0 runs no chains.",
            )
            .group(Group::Run)
            .default("0").more()
            => components is ["1"],
        /// Number of the true source whose estimate colours the points.
        coloured: usize = integer(1, 8)
            .label("Colours show source")
            .help("Number of the source whose estimate is shown by the colours of the points; a number above that of the last one shows the last.")
            .group(Group::Run)
            .role(Role::Display)
            .default("1").more()
            => data not ["helix"],
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new("Helix", "A curve in three dimensions and its noise, estimated from a cloud of points.", ""),
    Preset::new(
        "Four sources in ten channels",
        "Two super- and two sub-Gaussian sources, mixed by a random network: nonlinear compared with linear ICA.",
        "data=mixtures&sources=4&hidden=20&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1&restarts=1",
    ),
    Preset::new(
        "Eight sources in twenty channels",
        "The size of the published experiment, with other data. Takes longer.",
        "data=paper_mixtures&sources=8&hidden=50&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1&restarts=1",
    ),
    Preset::new(
        "Where linear ICA fails",
        "Saturating mixtures. The data set was chosen because linear ICA does as poorly on it as in the chapter.",
        "data=saturating&samples=3000&seed=14&sources=4&hidden=20&components=3&sweeps=1000&mixture_sweeps=500&weight_sd=1&restarts=6",
    )
    .about("stages"),
    Preset::new(
        "Number of sources",
        "The cost with 1 to 8 sources. The true number is 4; superfluous sources are switched off.",
        "data=mixtures&sources=4&hidden=20&compare=sources&weight_sd=1&restarts=1",
    )
    .about("sources"),
    Preset::new(
        "Two update rules",
        "Block updates and the updates of the papers, from the same start.",
        "data=mixtures&sources=4&hidden=20&compare=updates&weight_sd=1&sweeps=600&restarts=1",
    )
    .about("cost"),
    Preset::new(
        "A third of the values missing",
        "The helix is still recovered, and missing values are predicted.",
        "missing=0.33&restarts=4",
    ),
    Preset::new(
        "Error bars against Monte Carlo",
        "Sixty points of the helix. Standard deviations of the source, by the factorial posterior and by Hamiltonian Monte Carlo.",
        "samples=60&hidden=6&hmc=2000&restarts=1",
    )
    .about("error-bars"),
    Preset::new(
        "Failure with small initial weights",
        "Initial weights of standard deviation 0.1: all hidden units have similar shapes, and the curve is not recovered.",
        "weight_sd=0.1&restarts=1",
    ),
];

impl BuiltInData {
    /// Returns the number of channels, m.
    pub fn channels(self) -> usize {
        match self {
            Self::Helix => 3,
            Self::Mixtures | Self::Saturating => 10,
            Self::PaperMixtures => 20,
        }
    }

    /// Returns the number of true sources.
    pub fn true_sources(self) -> usize {
        match self {
            Self::Helix => 1,
            Self::Mixtures | Self::Saturating => 4,
            Self::PaperMixtures => 8,
        }
    }
}

impl LearnSpec {
    /// Returns the index of the true source whose estimate colours the points.
    pub fn coloured_source(&self) -> usize {
        self.coloured.min(self.data.true_sources()) - 1
    }

    /// Simulates the data.
    pub fn simulate(&self) -> SimulatedData {
        match self.data {
            BuiltInData::Helix => helix(self.samples, self.seed),
            BuiltInData::Mixtures => mixtures(self.samples, 2, Mixing::monotonic(15), 10, self.seed),
            BuiltInData::PaperMixtures => mixtures(self.samples, 4, Mixing::monotonic(30), 20, self.seed),
            BuiltInData::Saturating => mixtures(self.samples, 2, Mixing::saturating(15), 10, self.seed),
        }
    }

    /// Returns the measurements; the removed cells are NaN.
    pub fn measurements(&self, data: &SimulatedData) -> Vec<Vec<f64>> {
        let mut rows = data.rows.clone();
        let mut stream = Stream::for_purpose(self.seed, Purpose::NfaMissingCells, 0);
        if self.missing > 0.0 {
            for x in rows.iter_mut().flatten() {
                if stream.uniform() < self.missing {
                    *x = f64::NAN;
                }
            }
        }
        rows
    }
}

impl Spec for LearnSpec {
    fn problems(&self) -> Vec<InputError> {
        let channels = self.data.channels();
        if self.sources > channels {
            let error = LearningSettings::FIELDS.sources.error(self.sources);
            return vec![
                error.expected(format!("at most {channels}, the number of channels")).nearest(channels),
            ];
        }
        let dimension = JointPosterior::dimension(self.samples, self.sources, self.hidden, channels);
        if self.hmc > 0 && dimension > MAX_DIMENSION {
            let why = format!(
                "the chains take at most {MAX_DIMENSION} sources and weights, and these settings have {dimension}: use fewer samples or \
                 hidden units"
            );
            return vec![Self::FIELDS.hmc.error(self.hmc).because(why).nearest(0)];
        }
        Vec::new()
    }
}
