//! Fields and presets of the task `sbn.bound`.

use super::network_file::{EXPECTED, network};
use crate::data::{DataRef, Store};
use crate::lab::fields::SEED;
use crate::lab::network_file::{self, NONE};
use crate::lab::{Group, InputError, Preset, Role, Spec, data, integer, real, reals};
use crate::models::sbn::ensemble::MAX_UNITS;
use crate::models::sbn::network::model::{Network, Pattern};

/// Maximum number of hidden units; their states are enumerated for every network.
const MAX_HIDDEN: usize = 14;
/// Maximum number of visible units.
const MAX_VISIBLE: usize = 60;

crate::spec! {
    /// Specification of small random networks or of a network from a file, and of one unit.
    pub struct BoundSpec {
        /// Number of units in each layer, the top layer first.
        layers: Vec<f64> = reals((1.0, MAX_VISIBLE as f64), 5)
            .label("Layers")
            .help("Number of units in each layer, from the top layer to the visible layer. At most 14 hidden units.")
            .default("3,4,6")
            => network is [NONE],
        /// Standard deviations of the weights.
        weight_sds: Vec<f64> = reals((0.0, 20.0), 20)
            .label("Weight standard deviations")
            .help("Standard deviations of the random weights. Networks are drawn for each value.")
            .default("0.1,0.3,0.6,1,1.5,2,3,4").knob()
            => network is [NONE],
        /// Standard deviation of the biases.
        bias_sd: f64 = real((0.0, 10.0), (0.0, 3.0, 0.1))
            .label("Bias standard deviation")
            .help("Standard deviation of the random biases.")
            .default("0.5")
            => network is [NONE],
        /// Number of networks for each weight standard deviation.
        networks: usize = integer(2, 2000)
            .slider(2, 200)
            .label("Networks per weight standard deviation")
            .help("Number of random networks for each weight standard deviation. One pattern is sampled from each network.")
            .group(Group::Run)
            .default("30")
            => network is [NONE],
        /// The user's network.
        network: Option<DataRef> = data(Role::Setting)
            .label("Network from a file")
            .help(
                "A JSON file: layers, the numbers of units from the top; J, for each layer but the last the weights to the next one, \
                 J[l][i·layers[l] + k] from unit k to unit i; h, the biases of each layer; and optionally visible and observed, the \
                 states of the visible units and whether each is known.",
            )
            .default(NONE).more(),
        /// States of its visible units.
        visible: Vec<f64> = reals((-1.0, 1.0), MAX_UNITS as usize)
            .label("Visible units")
            .symbol("V")
            .help("State of each visible unit: 1, 0, or −1 for a missing one. Default: the states in the file.")
            => network not [NONE],
        /// Number of draws of the importance sampling estimate.
        draws: usize = integer(2, 100_000)
            .slider(10, 2000)
            .label("Importance sampling draws")
            .help("Number of draws from the factorial distribution, used to estimate ln P.")
            .group(Group::Run)
            .default("200").more(),
        /// Mean m of the input of the single unit.
        m: f64 = real((-50.0, 50.0), (-5.0, 5.0, 0.1))
            .label("Mean input of one unit")
            .symbol("m")
            .help("Mean of the input of the single unit whose bound (22) is tightened.")
            .group(Group::Method).more(),
        /// Variance v of the input of the single unit.
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
    Preset::new(
        "Gap between bound and ln P",
        "Three layers, weights from small to large: the bound falls below the exact probability.",
        "",
    ),
    Preset::new(
        "A bound that exceeds ln P",
        "Four hidden and 12 visible units, moderate weights: the Gaussian approximation can overestimate ln P.",
        "layers=4,12&weight_sds=0.1,0.3,0.6,1&networks=60",
    ),
    Preset::new("Convergent iteration", "At v = 3 the iteration of the paper converges.", "v=3&networks=10")
    .about("tightening"),
    Preset::new(
        "Cycle of two values",
        "At v = 16 each step of the paper's iteration loosens the bound, until it alternates between two values.",
        "v=16&networks=10",
    )
    .about("tightening"),
];

impl Spec for BoundSpec {
    fn problems(&self) -> Vec<InputError> {
        let mut layers: Vec<f64> = self.layers.iter().map(|n| n.trunc()).collect();
        if layers.len() < 2 {
            layers.insert(0, 3.0);
        }
        while layers[..layers.len() - 1].iter().sum::<f64>() > MAX_HIDDEN as f64 {
            let last = layers.len() - 1;
            // The widest hidden layer.
            let widest = (0..last).fold(0, |best, l| if layers[l] > layers[best] { l } else { best });
            layers[widest] -= 1.0;
        }
        let mut errors = Vec::new();
        let text = |list: &[f64]| list.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        if layers != self.layers {
            let expected = "two or more whole numbers, with at most 14 units above the last layer";
            let error = Self::FIELDS.layers.error(text(&self.layers)).expected(expected);
            errors.push(error.nearest(text(&layers)));
        }
        let states: Vec<f64> = self.visible.iter().map(|x| x.round()).collect();
        if states != self.visible {
            let error = Self::FIELDS.visible.error(text(&self.visible)).expected("1, 0 or −1 for each unit");
            errors.push(error.nearest(text(&states)));
        }
        errors
    }
}

impl BoundSpec {
    /// Returns true if the network is read from a file.
    pub fn reads_file(&self) -> bool {
        self.network.as_ref().is_some_and(|named| !named.needs_no_file())
    }

    /// Returns the network of the file and the pattern of its visible units; `None` if no file is named.
    ///
    /// # Errors
    /// If the file is invalid, or there is not one state for each visible unit.
    pub fn network_from_file(&self, store: &Store) -> Result<Option<(Network, Pattern)>, Vec<InputError>> {
        let (named, fields) = (self.network.as_ref(), Self::FIELDS);
        let read = network_file::read(store, named, &fields.network, EXPECTED, network)?;
        let Some((network, pattern)) = read else { return Ok(None) };
        let count = network.visible();
        let given = (!self.visible.is_empty()).then(|| Pattern {
            visible: self.visible.iter().map(|state| state.max(0.0)).collect(),
            observed: self.visible.iter().map(|state| *state >= 0.0).collect(),
        });
        let has = |pattern: &Pattern| pattern.visible.len() == count;
        match given.or(pattern) {
            Some(pattern) if has(&pattern) => Ok(Some((network, pattern))),
            _ => {
                let given = self.visible.iter().map(f64::to_string).collect::<Vec<_>>();
                let mut nearest = given.clone();
                nearest.resize(count, "0".into());
                let expected = format!("{count} numbers, one for each visible unit");
                Err(vec![fields.visible.error(given.join(",")).expected(expected).nearest(nearest.join(","))])
            }
        }
    }

    /// Returns the number of units in each layer.
    pub fn sizes(&self) -> Vec<usize> {
        self.layers.iter().map(|n| *n as usize).collect()
    }
}
