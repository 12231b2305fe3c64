//! The JSON file of a network and its inputs.

use serde::Deserialize;

use crate::data::check_magnitude;
use crate::models::nfa::monte_carlo::NetworkInput;
use crate::models::nfa::solver::network::{Gaussians, Network};

/// Maximum number of inputs, hidden units and outputs.
const MAX_WIDTH: usize = 500;
/// Maximum number of input distributions.
const MAX_INPUTS: usize = 100;
/// Description of the format for error messages.
pub const EXPECTED: &str = "a JSON object with the means A (a list for each hidden unit), a, B (a list for each output), b and \
                            s_mean, the variances s_var, and optionally the variances Av, av, Bv and bv of the weights, 0 by default";

/// Contents of the file: means, and variances with the suffix v.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "names of the paper and of the file")]
pub struct NetworkFile {
    A: Vec<Vec<f64>>,
    Av: Option<Vec<Vec<f64>>>,
    a: Vec<f64>,
    av: Option<Vec<f64>>,
    B: Vec<Vec<f64>>,
    Bv: Option<Vec<Vec<f64>>>,
    b: Vec<f64>,
    bv: Option<Vec<f64>>,
    s_mean: OneOrMany,
    s_var: OneOrMany,
}

/// One input, or a list of inputs.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Vec<f64>),
    Several(Vec<Vec<f64>>),
}

impl OneOrMany {
    /// Returns the list of inputs.
    fn list(self) -> Vec<Vec<f64>> {
        match self {
            Self::One(row) => vec![row],
            Self::Several(rows) => rows,
        }
    }
}

/// Converts a file to its network with each of its inputs.
///
/// # Errors
/// If a list has a wrong length, a number is too large, or a variance is negative.
pub fn inputs(file: NetworkFile) -> Result<Vec<NetworkInput>, String> {
    let (hidden, channels) = (file.a.len(), file.b.len());
    let (means, vars) = (file.s_mean.list(), file.s_var.list());
    let sources = means.first().map_or(0, Vec::len);
    for (name, count, max) in [
        ("a", hidden, MAX_WIDTH),
        ("b", channels, MAX_WIDTH),
        ("an input of s_mean", sources, MAX_WIDTH),
        ("s_mean", means.len(), MAX_INPUTS),
    ] {
        if !(1..=max).contains(&count) {
            return Err(format!("{name} has {count} entries; 1 to {max} are accepted"));
        }
    }
    let network = Network {
        sources,
        hidden,
        channels,
        first: matrix("A", file.A, "Av", file.Av, (hidden, sources))?,
        first_bias: matrix("a", vec![file.a], "av", file.av.map(|row| vec![row]), (1, hidden))?,
        second: matrix("B", file.B, "Bv", file.Bv, (channels, hidden))?,
        second_bias: matrix("b", vec![file.b], "bv", file.bv.map(|row| vec![row]), (1, channels))?,
    };
    let shape = (means.len(), sources);
    let inputs = matrix("s_mean", means, "s_var", Some(vars), shape)?;
    let rows = inputs.mean.chunks_exact(sources).zip(inputs.var.chunks_exact(sources));
    let inputs =
        rows.map(|(mean, var)| NetworkInput { network: network.clone(), mean: mean.into(), var: var.into() });
    Ok(inputs.collect())
}

/// Combines means and variances of the shape (rows, columns); variances default to 0.
fn matrix(
    name: &str,
    mean: Vec<Vec<f64>>,
    var_name: &str,
    var: Option<Vec<Vec<f64>>>,
    (rows, columns): (usize, usize),
) -> Result<Gaussians, String> {
    let flat = |name: &str, list: Vec<Vec<f64>>| {
        check_magnitude(name, list.iter().flatten())?;
        if list.len() == rows && list.iter().all(|row| row.len() == columns) {
            return Ok(list.concat());
        }
        let rows = if rows == 1 { String::new() } else { format!("{rows} lists of ") };
        Err(format!("{name} must have {rows}{columns} numbers"))
    };
    let mean = flat(name, mean)?;
    let var = var.map_or_else(|| Ok(vec![0.0; mean.len()]), |var| flat(var_name, var))?;
    match var.iter().find(|var| **var < 0.0) {
        Some(var) => Err(format!("{var_name} has the negative variance {var}")),
        None => Ok(Gaussians { mean, var }),
    }
}
