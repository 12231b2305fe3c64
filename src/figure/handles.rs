//! Points of a figure that a person may edit.

use serde::{Deserialize, Serialize};

/// Points that may be moved, added, relabelled and taken away. They are the numbers of a field, so that what was drawn by hand
/// is in the permalink like everything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Handles {
    /// Key of the field that holds them: x, y and, where there are `labels`, the label of each.
    pub field: String,
    /// What other fields say with it (`set` is `own`).
    pub with: Vec<(String, String)>,
    /// Key of the field that says how many they are.
    pub count: Option<String>,
    /// The labels that a point may have, with their names; none where points have no label.
    pub labels: Vec<(f64, String)>,
    /// As they are now: x, y and label.
    pub points: Vec<[f64; 3]>,
    /// How many there must be, and may be.
    pub number: (usize, usize),
}
