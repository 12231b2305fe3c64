//! Fields and presets of the comparison with exact values.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Spec, integer, real, reals};

/// Hidden units at most: their states are enumerated for every network.
const MOST_HIDDEN: usize = 14;
/// Visible units at most.
const MOST_VISIBLE: usize = 60;

crate::spec! {
    /// Specification of small random networks, and of one unit.
    pub struct BoundSpec {
        /// Units in each layer, the top one first.
        layers: Vec<f64> = reals((1.0, MOST_VISIBLE as f64), 5)
            .label("Layers")
            .help("Number of units in each layer, from the top layer to the visible layer. At most 14 hidden units.")
            .default("3,4,6"),
        /// Standard deviations of the weights.
        weight_sds: Vec<f64> = reals((0.0, 20.0), 20)
            .label("Weight standard deviations")
            .help("Standard deviations of the random weights. Networks are drawn for each value.")
            .default("0.1,0.3,0.6,1,1.5,2,3,4").knob(),
        /// Standard deviation of the biases.
        bias_sd: f64 = real((0.0, 10.0), (0.0, 3.0, 0.1))
            .label("Bias standard deviation")
            .help("Standard deviation of the random biases.")
            .default("0.5"),
        /// Networks of each size of the weights.
        networks: usize = integer(2, 2000)
            .slider(2, 200)
            .label("Networks per weight standard deviation")
            .help("Number of random networks for each weight standard deviation. One pattern is sampled from each network.")
            .group(Group::Run)
            .default("30"),
        /// Draws of the importance-weighted estimate.
        draws: usize = integer(2, 100_000)
            .slider(10, 2000)
            .label("Importance sampling draws")
            .help("Number of draws from the factorial distribution, used to estimate ln P.")
            .group(Group::Run)
            .default("200").more(),
        /// Mean of a unit's input.
        m: f64 = real((-50.0, 50.0), (-5.0, 5.0, 0.1))
            .label("Mean input of one unit")
            .symbol("m")
            .help("Mean of the input of the single unit whose bound (22) is tightened.")
            .group(Group::Method).more(),
        /// Variance of a unit's input.
        v: f64 = real((0.0, 1000.0), (0.0, 40.0, 0.5))
            .label("Input variance of one unit")
            .symbol("v")
            .help("Variance of the input of that unit. For m = 0 and v above 4 the iteration of the paper ends in a cycle of two values.")
            .group(Group::Method)
            .default("16"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "Gap between bound and ln P",
        help: "Three layers, weights from small to large: the gap to ln P grows.",
        query: "",
    },
    Preset {
        label: "A bound that exceeds ln P",
        help: "Four hidden and 12 visible units, moderate weights: the Gaussian approximation can overestimate ln P.",
        query: "layers=4,12&weight_sds=0.1,0.3,0.6,1&networks=60",
    },
    Preset {
        label: "Convergent iteration",
        help: "At v = 3 the iteration of the paper converges.",
        query: "v=3&networks=10",
    },
    Preset {
        label: "Cycle of two values",
        help: "At v = 16 each step of the paper's iteration loosens the bound, until it alternates between two values.",
        query: "v=16&networks=10",
    },
];

impl Spec for BoundSpec {
    fn problems(&self) -> Vec<InputError> {
        let mut layers: Vec<f64> = self.layers.iter().map(|n| n.trunc()).collect();
        if layers.len() < 2 {
            layers.insert(0, 3.0);
        }
        while layers[..layers.len() - 1].iter().sum::<f64>() > MOST_HIDDEN as f64 {
            let last = layers.len() - 1;
            // The widest layer that is hidden.
            let widest = (0..last).fold(0, |best, l| if layers[l] > layers[best] { l } else { best });
            layers[widest] -= 1.0;
        }
        if layers == self.layers {
            return Vec::new();
        }
        let text = |list: &[f64]| list.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let expected = "two or more whole numbers, with at most 14 units above the last layer";
        vec![Self::FIELDS.layers.error(text(&self.layers)).expected(expected).nearest(text(&layers))]
    }
}

impl BoundSpec {
    /// Units in each layer.
    pub fn sizes(&self) -> Vec<usize> {
        self.layers.iter().map(|n| *n as usize).collect()
    }
}
