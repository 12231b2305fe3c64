//! What the comparison with the truth can be told.

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
            .help("Units in each layer, the top one first and the visible one last; at most 14 hidden units.")
            .default("3,4,6"),
        /// Standard deviations of the weights.
        weight_sds: Vec<f64> = reals((0.0, 20.0), 20)
            .label("Sizes of the weights")
            .help("Standard deviations of the weights: at each of them networks are drawn.")
            .default("0.1,0.3,0.6,1,1.5,2,3,4").knob(),
        /// Standard deviation of the biases.
        bias_sd: f64 = real((0.0, 10.0), (0.0, 3.0, 0.1))
            .label("Size of the biases")
            .help("Standard deviation of the biases.")
            .default("0.5"),
        /// Networks of each size of the weights.
        networks: usize = integer(2, 2000)
            .slider(2, 200)
            .label("Networks")
            .help("Networks drawn at each size of the weights; a pattern is drawn from each.")
            .group(Group::Run)
            .default("30"),
        /// Draws of the importance-weighted estimate.
        draws: usize = integer(2, 100_000)
            .slider(10, 2000)
            .label("Importance draws")
            .help("Draws from the factorial distribution for the estimate of ln P.")
            .group(Group::Run)
            .default("200").more(),
        /// Mean of a unit's input.
        m: f64 = real((-50.0, 50.0), (-5.0, 5.0, 0.1))
            .label("Mean of one input")
            .symbol("m")
            .help("Mean of the input of the one unit whose bound (22) is tightened.")
            .group(Group::Method).more(),
        /// Variance of a unit's input.
        v: f64 = real((0.0, 1000.0), (0.0, 40.0, 0.5))
            .label("Variance of one input")
            .symbol("v")
            .help("Its variance. Above about 4 the iteration of the paper goes to a cycle of two.")
            .group(Group::Method)
            .default("16"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "How loose is the bound?",
        help: "Three layers with weights from small to large: the gap to ln P grows.",
        query: "",
    },
    Preset {
        label: "A bound that exceeds ln P",
        help: "Many units above one layer with moderate weights: the Gaussian approximation errs to the other side.",
        query: "layers=4,12&weight_sds=0.1,0.3,0.6,1&networks=60",
    },
    Preset {
        label: "The iteration that tightens",
        help: "At v = 3 the iteration of the paper converges.",
        query: "v=3&networks=10",
    },
    Preset {
        label: "The cycle of two",
        help: "At v = 16 each step of the paper's iteration loosens the bound, until it jumps between two values.",
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
        let expected = "whole numbers, two or more, with at most 14 units above the last layer";
        vec![Self::FIELDS.layers.error(text(&self.layers)).expected(expected).nearest(text(&layers))]
    }
}

impl BoundSpec {
    /// Units in each layer.
    pub fn sizes(&self) -> Vec<usize> {
        self.layers.iter().map(|n| *n as usize).collect()
    }
}
