//! Numbers computed by other programs, in `tests/data`.

use serde_json::Value;

/// Returns `tests/data/feedforward.json`.
pub fn feedforward() -> Value {
    serde_json::from_str(include_str!("../data/feedforward.json")).unwrap()
}

/// Returns `tests/data/gp.json`.
pub fn gp() -> Value {
    serde_json::from_str(include_str!("../data/gp.json")).unwrap()
}

/// Returns `tests/data/nfa.json`.
pub fn nfa() -> Value {
    serde_json::from_str(include_str!("../data/nfa.json")).unwrap()
}

/// Returns `tests/data/sbn.json`.
pub fn sbn() -> Value {
    serde_json::from_str(include_str!("../data/sbn.json")).unwrap()
}

/// Returns `tests/data/mlp.json`.
pub fn mlp() -> Value {
    serde_json::from_str(include_str!("../data/mlp.json")).unwrap()
}

/// Returns a number, which may be the word “inf”: JSON has no infinity.
pub fn number(v: &Value) -> f64 {
    if v == "inf" { f64::INFINITY } else { v.as_f64().unwrap() }
}

/// Returns all numbers of nested lists, in order.
pub fn numbers(v: &Value) -> Vec<f64> {
    match v {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => vec![number(v)],
    }
}

/// Returns the rows of a list of lists.
pub fn rows(v: &Value) -> Vec<Vec<f64>> {
    v.as_array().unwrap().iter().map(numbers).collect()
}
