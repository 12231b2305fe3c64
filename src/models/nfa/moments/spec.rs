//! Fields and presets of the moments lab.

use super::network_file::{EXPECTED, inputs};
use crate::data::{DataRef, Store};
use crate::lab::fields::SEED;
use crate::lab::network_file::{self, NONE};
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, data, flag, integer, real};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::monte_carlo::NetworkInput;
use crate::models::nfa::solver::network::Network;

crate::choice! {
    /// Built-in network.
    pub enum BuiltInNetwork {
        Neuron = "neuron" "one hidden unit",
        Small = "small" "1 input, 3 hidden units, 1 output",
        Wide = "wide" "3 inputs, 10 hidden units, 4 outputs",
    }
}

crate::spec! {
    /// Specification of the moments lab.
    pub struct MomentsSpec {
        /// Built-in network.
        shape: BuiltInNetwork = choice().label("Network").help("f(s) = B tanh(A s + a) + b. Weights of the larger networks are random.")
            => network is [NONE],
        /// Mean of every input.
        mean: f64 = real((-10.0, 10.0), (-3.0, 3.0, 0.05))
            .label("Input mean")
            .symbol("s̄")
            .help("Mean of every input.")
            .default("0.5")
            => network is [NONE],
        /// Variance of every input.
        variance: f64 = real((1e-6, 100.0), (0.01, 4.0, 0.01))
            .label("Input variance")
            .symbol("s̃")
            .help("Variance of every input.")
            .default("0.5").knob()
            => network is [NONE],
        /// Variance of every weight.
        weight_var: f64 = real((0.0, 10.0), (0.0, 0.5, 0.005))
            .label("Weight variance")
            .help("Posterior variance of every weight and bias.")
            .default("0.01")
            => network is [NONE],
        /// The user's network, with its inputs.
        network: Option<DataRef> = data(Role::Setting)
            .label("Network from a file")
            .help(
                "A JSON file of a network and its inputs: {\"A\": [[1, -0.5], [0.3, 1.2]], \"a\": [0, 0.1], \"B\": [[1, -0.7]], \"b\": [0], \
                 \"s_mean\": [0.6, -0.3], \"s_var\": [0.1, 0.04]}, and optionally the variances Av, av, Bv and bv of the weights. s_mean and \
                 s_var can be lists of several inputs; the figures show the first.",
            )
            .default(NONE).more(),
        /// True if the covariance between hidden units is included.
        interference: bool = flag()
            .label("Covariance between hidden units")
            .help(
                "Includes the covariance that hidden units have because they share inputs, eqs. (28) and (29). Off: the hidden units \
                 are treated as independent.",
            )
            .group(Group::Method)
            .default("true").more(),
        /// Number of Monte Carlo draws.
        draws: usize = integer(1_000, 10_000_000)
            .slider(10_000, 1_000_000)
            .label("Monte Carlo draws")
            .help("Number of draws of the input and of all weights for each input variance.")
            .group(Group::Run)
            .default("100000").more(),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "One hidden unit",
        "Both rules beside the histogram of the output of one tanh unit with uncertain weights.",
        "",
    ),
    Preset::new(
        "Failure of the Taylor series",
        "A broad input distribution: the variance exceeds what is possible for tanh.",
        "mean=0&variance=4",
    ),
    Preset::new(
        "Covariance between hidden units",
        "A 3–10–4 network: the variance with and without eq. (29).",
        "shape=wide&variance=0.02&weight_var=0.001&interference=false",
    ),
    Preset::new("A 1–3–1 network", "One input, three hidden units, one output.", "shape=small&variance=0.2"),
];

impl MomentsSpec {
    /// Returns the network of the file with each of its inputs, or else the built-in network.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn inputs(&self, store: &Store) -> Result<Vec<NetworkInput>, Vec<InputError>> {
        let (named, field) = (self.network.as_ref(), &Self::FIELDS.network);
        let read = network_file::read(store, named, field, EXPECTED, inputs)?;
        Ok(read.unwrap_or_else(|| vec![self.built_in()]))
    }

    /// Returns the built-in network with its input.
    fn built_in(&self) -> NetworkInput {
        let (n, hidden, channels) = match self.shape {
            BuiltInNetwork::Neuron => (1, 1, 1),
            BuiltInNetwork::Small => (1, 3, 1),
            BuiltInNetwork::Wide => (3, 10, 4),
        };
        let mut network = Network::new(n, hidden, channels, self.weight_var);
        let mut stream = Stream::for_purpose(self.seed, Purpose::NfaNetwork, 0);
        let groups =
            [&mut network.first, &mut network.first_bias, &mut network.second, &mut network.second_bias];
        for weight in groups.into_iter().flat_map(|group| &mut group.mean) {
            *weight = stream.normal();
        }
        if self.shape == BuiltInNetwork::Neuron {
            // A single unit: y = s, with weights of 1.
            (network.first.mean, network.second.mean) = (vec![1.0], vec![1.0]);
            (network.first_bias.mean, network.second_bias.mean) = (vec![0.0], vec![0.0]);
        }
        NetworkInput { network, mean: vec![self.mean; n], var: vec![self.variance; n] }
    }
}

impl Spec for MomentsSpec {}
