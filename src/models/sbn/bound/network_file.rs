//! The JSON file of a network and a pattern.

use serde::Deserialize;

use crate::data::check_magnitude;
use crate::models::sbn::ensemble::{MAX_LAYERS, MAX_UNITS};
use crate::models::sbn::network::model::{Network, Pattern};

/// Description of the format for error messages.
pub const EXPECTED: &str = "a JSON object with layers (the numbers of units, the top layer first), J (for each layer but the last, the \
                            list of weights to the next), h (a list of biases for each layer), and optionally visible (0 or 1 for each \
                            visible unit) and observed (true or false for each)";

/// Contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "names of the paper and of the file")]
pub struct NetworkFile {
    layers: Vec<usize>,
    J: Vec<Vec<f64>>,
    h: Vec<Vec<f64>>,
    visible: Option<Vec<f64>>,
    observed: Option<Vec<bool>>,
}

/// Converts a file to its network, with its pattern if it has one.
///
/// # Errors
/// If a list has a wrong length, a number is too large, or a state is neither 0 nor 1.
pub fn network(file: NetworkFile) -> Result<(Network, Option<Pattern>), String> {
    let max_units = usize::from(MAX_UNITS);
    if !(2..=MAX_LAYERS).contains(&file.layers.len())
        || file.layers.iter().any(|n| !(1..=max_units).contains(n))
    {
        return Err(format!("layers must have 2 to {MAX_LAYERS} numbers from 1 to {max_units}"));
    }
    let network = Network { layers: file.layers, weights: file.J, biases: file.h };
    if !network.is_valid() {
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
