//! What the moments lab can be told.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Spec, TypedField, choice, flag, integer, real, reals};
use crate::math::random::Stream;
use crate::models::nfa::solver::network::{Gaussians, Network};

/// Inputs, hidden units and outputs at most.
const SIDE: usize = 50;
/// Purpose of a random stream.
const WEIGHTS: u64 = 1;

crate::choice! {
    /// Which network.
    pub enum Net {
        Neuron = "neuron" "one hidden unit",
        Small = "small" "1–3–1",
        Wide = "wide" "3–10–4",
        Own = "own" "your own",
    }
}

const fn matrix(label: &'static str, help: &'static str) -> TypedField<Vec<f64>> {
    reals((-1e6, 1e6), SIDE * SIDE).label(label).help(help)
}

const fn list(label: &'static str, help: &'static str) -> TypedField<Vec<f64>> {
    reals((-1e6, 1e6), SIDE).label(label).help(help)
}

crate::spec! {
    /// Specification of the moments lab.
    pub struct MomentsSpec {
        /// Which network.
        network: Net = choice().label("Network").help("f(s) = B tanh(A s + a) + b, from one hidden unit to a small network. Weights are drawn from the seed."),
        /// Mean of every input.
        mean: f64 = real((-10.0, 10.0), (-3.0, 3.0, 0.05))
            .label("Input mean")
            .symbol("s̄")
            .help("Mean of every input.")
            .default("0.5")
            => network not [Net::Own.word()],
        /// Variance of every input.
        variance: f64 = real((1e-6, 100.0), (0.01, 4.0, 0.01))
            .label("Input variance")
            .symbol("s̃")
            .help("Variance of every input.")
            .default("0.5")
            => network not [Net::Own.word()],
        /// Variance of every weight.
        weight_var: f64 = real((0.0, 10.0), (0.0, 0.5, 0.005))
            .label("Variance of the weights")
            .help("Posterior variance of every weight and bias.")
            .default("0.01")
            => network not [Net::Own.word()],
        /// A, H×n row by row.
        first: Vec<f64> = matrix("A, means", "H rows of n numbers.") => network is [Net::Own.word()],
        /// Variances of A.
        first_var: Vec<f64> = matrix("A, variances", "As many as A has numbers.") => network is [Net::Own.word()],
        /// a, H.
        first_bias: Vec<f64> = list("a, means", "One number for each hidden unit, at most 50.") => network is [Net::Own.word()],
        /// Variances of a.
        first_bias_var: Vec<f64> = list("a, variances", "H numbers.") => network is [Net::Own.word()],
        /// B, m×H row by row.
        second: Vec<f64> = matrix("B, means", "m rows of H numbers.") => network is [Net::Own.word()],
        /// Variances of B.
        second_var: Vec<f64> = matrix("B, variances", "As many as B has numbers.") => network is [Net::Own.word()],
        /// b, m.
        second_bias: Vec<f64> = list("b, means", "One number for each output, at most 50.") => network is [Net::Own.word()],
        /// Variances of b.
        second_bias_var: Vec<f64> = list("b, variances", "m numbers.") => network is [Net::Own.word()],
        /// Means of the inputs, n.
        inputs: Vec<f64> = list("Inputs, means", "One number for each input, at most 50.") => network is [Net::Own.word()],
        /// Variances of the inputs, n.
        inputs_var: Vec<f64> = list("Inputs, variances", "n numbers.") => network is [Net::Own.word()],
        /// Whether paths interfere.
        interference: bool = flag()
            .label("Interference of paths")
            .help("Every input reaches an output on several paths, eqs. (28) and (29). Off: hidden units are taken for independent.")
            .group(Group::Method)
            .default("true"),
        /// Draws of the Monte Carlo.
        draws: usize = integer(1_000, 10_000_000)
            .slider(10_000, 1_000_000)
            .label("Draws")
            .help("Draws of the input and of all weights, at each input variance.")
            .group(Group::Run)
            .default("100000"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset { label: "One hidden unit", help: "Both rules beside the histogram of tanh y.", query: "" },
    Preset {
        label: "Where Taylor's series fails",
        help: "An input as broad as the bend of tanh: mean and variance exceed what tanh allows.",
        query: "mean=0&variance=4",
    },
    Preset {
        label: "Paths that interfere",
        help: "A 3–10–4 network: the variance with and without eq. (29).",
        query: "network=wide&variance=0.02&weight_var=0.001&interference=false",
    },
    Preset {
        label: "A 1–3–1 network", help: "Three bends in a row.", query: "network=small&variance=0.2"
    },
];

/// A network, and its inputs' means and variances.
pub struct Inputs {
    /// All weights.
    pub network: Network,
    /// s̄, n.
    pub mean: Vec<f64>,
    /// s̃, n.
    pub var: Vec<f64>,
}

impl MomentsSpec {
    /// The network that is named.
    pub fn inputs(&self) -> Inputs {
        let (n, hidden, channels) = match self.network {
            Net::Neuron => (1, 1, 1),
            Net::Small => (1, 3, 1),
            Net::Wide => (3, 10, 4),
            Net::Own => return self.own(),
        };
        let mut network = Network::new(n, hidden, channels, self.weight_var);
        let mut stream = Stream::aside(self.seed, 0, WEIGHTS);
        let groups =
            [&mut network.first, &mut network.first_bias, &mut network.second, &mut network.second_bias];
        for weight in groups.into_iter().flat_map(|group| &mut group.mean) {
            *weight = stream.normal();
        }
        if self.network == Net::Neuron {
            // Of the unit itself: y = s with weights of 1.
            (network.first.mean, network.second.mean) = (vec![1.0], vec![1.0]);
            (network.first_bias.mean, network.second_bias.mean) = (vec![0.0], vec![0.0]);
        }
        Inputs { network, mean: vec![self.mean; n], var: vec![self.variance; n] }
    }

    fn own(&self) -> Inputs {
        let of = |mean: &[f64], var: &[f64]| Gaussians { mean: mean.to_vec(), var: var.to_vec() };
        let network = Network {
            sources: self.inputs.len(),
            hidden: self.first_bias.len(),
            channels: self.second_bias.len(),
            first: of(&self.first, &self.first_var),
            first_bias: of(&self.first_bias, &self.first_bias_var),
            second: of(&self.second, &self.second_var),
            second_bias: of(&self.second_bias, &self.second_bias_var),
        };
        Inputs { network, mean: self.inputs.clone(), var: self.inputs_var.clone() }
    }
}

impl Spec for MomentsSpec {
    fn problems(&self) -> Vec<InputError> {
        if self.network != Net::Own {
            return Vec::new();
        }
        let (n, hidden, channels) = (self.inputs.len(), self.first_bias.len(), self.second_bias.len());
        if n == 0 || hidden == 0 || channels == 0 {
            let why = "a network of your own needs inputs, a and b at least";
            return vec![Self::FIELDS.network.error(self.network).because(why).nearest(Net::Neuron)];
        }
        let fields = &Self::FIELDS;
        let lists = [
            (&fields.first, &self.first, hidden * n, false),
            (&fields.first_var, &self.first_var, hidden * n, true),
            (&fields.first_bias_var, &self.first_bias_var, hidden, true),
            (&fields.second, &self.second, channels * hidden, false),
            (&fields.second_var, &self.second_var, channels * hidden, true),
            (&fields.second_bias_var, &self.second_bias_var, channels, true),
            (&fields.inputs_var, &self.inputs_var, n, true),
        ];
        lists
            .into_iter()
            .filter(|(_, list, count, positive)| {
                list.len() != *count || *positive && list.iter().any(|x| *x < 0.0)
            })
            .map(|(field, list, count, positive)| {
                let what = if positive { "numbers of at least 0" } else { "numbers" };
                let whole = (0..count).map(|i| {
                    let x = list.get(i).copied().unwrap_or(0.0);
                    if positive { x.max(0.0) } else { x }.to_string()
                });
                let nearest = whole.collect::<Vec<_>>().join(",");
                field
                    .error(format!("{} numbers", list.len()))
                    .expected(format!("{count} {what}"))
                    .nearest(nearest)
            })
            .collect()
    }
}
