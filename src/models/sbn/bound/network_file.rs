//! A network and a pattern from a file: a JSON object of lists of numbers.

use serde::Deserialize;

use crate::data::{DataRef, Store, check_magnitude};
use crate::models::sbn::ensemble::{DEEPEST, WIDEST};
use crate::models::sbn::network::model::{Network, Pattern};

/// What such a file holds.
pub const EXPECTED: &str = "a JSON object with layers (the numbers of units, the top layer first), J (for each layer but the last, the \
                            list of weights to the next), h (a list of biases for each layer), and optionally visible (0 or 1 for each \
                            visible unit) and observed (true or false for each)";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "as the paper and the file call them")]
struct File {
    layers: Vec<usize>,
    J: Vec<Vec<f64>>,
    h: Vec<Vec<f64>>,
    visible: Option<Vec<f64>>,
    observed: Option<Vec<bool>>,
}

/// Reads the network of a JSON file, and its pattern if the file has one.
///
/// # Errors
/// Why the file holds none.
pub fn read(store: &Store, named: &DataRef) -> Result<(Network, Option<Pattern>), String> {
    let file: File = store.json(named)?;
    let widest = usize::from(WIDEST);
    if !(2..=DEEPEST).contains(&file.layers.len()) || file.layers.iter().any(|n| !(1..=widest).contains(n)) {
        return Err(format!("layers must have 2 to {DEEPEST} numbers from 1 to {widest}"));
    }
    let network = Network { layers: file.layers, weights: file.J, biases: file.h };
    if !network.is_sound() {
        let lengths =
            |lengths: Vec<usize>| lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let weights = network.layers.windows(2).map(|pair| pair[0] * pair[1]).collect();
        return Err(format!(
            "with these layers J must have lists of {} numbers, and h lists of {}",
            lengths(weights),
            lengths(network.layers)
        ));
    }
    check_magnitude("J", network.weights.iter().flatten())?;
    check_magnitude("h", network.biases.iter().flatten())?;
    let count = network.visible();
    let Some(visible) = file.visible else {
        return match file.observed {
            Some(_) => Err("observed needs visible".into()),
            None => Ok((network, None)),
        };
    };
    let observed = file.observed.unwrap_or_else(|| vec![true; visible.len()]);
    if visible.len() != count
        || observed.len() != count
        || visible.iter().any(|state| ![0.0, 1.0].contains(state))
    {
        return Err(format!(
            "visible must have {count} numbers, each 0 or 1, and observed as many of true or false"
        ));
    }
    Ok((network, Some(Pattern { visible, observed })))
}
