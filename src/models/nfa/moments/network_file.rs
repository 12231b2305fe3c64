//! A network and its inputs from a file: a JSON object of lists of numbers.

use serde::Deserialize;

use crate::data::{DataRef, Store, check_magnitude};
use crate::models::nfa::monte_carlo::Inputs;
use crate::models::nfa::solver::network::{Gaussians, Network};

/// Inputs, hidden units and outputs at most.
const WIDEST: usize = 500;
/// Inputs whose moments are asked for, at most.
const MOST: usize = 100;
/// What such a file holds.
pub const EXPECTED: &str = "a JSON object with the means A (a list for each hidden unit), a, B (a list for each output), b and \
                            s_mean, the variances s_var, and optionally the variances Av, av, Bv and bv of the weights, 0 by default";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "as the paper and the file call them")]
struct File {
    A: Vec<Vec<f64>>,
    Av: Option<Vec<Vec<f64>>>,
    a: Vec<f64>,
    av: Option<Vec<f64>>,
    B: Vec<Vec<f64>>,
    Bv: Option<Vec<Vec<f64>>>,
    b: Vec<f64>,
    bv: Option<Vec<f64>>,
    s_mean: Rows,
    s_var: Rows,
}

/// One input, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Rows {
    One(Vec<f64>),
    Several(Vec<Vec<f64>>),
}

impl Rows {
    fn list(self) -> Vec<Vec<f64>> {
        match self {
            Self::One(row) => vec![row],
            Self::Several(rows) => rows,
        }
    }
}

/// The network with each of the inputs of the file that is named.
///
/// # Errors
/// Why the file holds none.
pub fn read(store: &Store, named: &DataRef) -> Result<Vec<Inputs>, String> {
    let file: File = store.json(named)?;
    let (hidden, channels) = (file.a.len(), file.b.len());
    let (means, vars) = (file.s_mean.list(), file.s_var.list());
    let sources = means.first().map_or(0, Vec::len);
    for (name, count, most) in [
        ("a", hidden, WIDEST),
        ("b", channels, WIDEST),
        ("an input of s_mean", sources, WIDEST),
        ("s_mean", means.len(), MOST),
    ] {
        if !(1..=most).contains(&count) {
            return Err(format!("{name} has {count} entries; 1 to {most} are accepted"));
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
        rows.map(|(mean, var)| Inputs { network: network.clone(), mean: mean.into(), var: var.into() });
    Ok(inputs.collect())
}

/// Means and variances of the same shape: rows and columns.
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
