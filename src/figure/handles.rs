//! What of a figure the user may edit.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

/// Points or pixels of a figure that are the value of a field, so that what is drawn by hand is in the permalink like
/// everything else. Which of them it is, and what it may be, the field says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    /// Key of the field.
    pub field: String,
    /// Text of the field for what the figure shows: the starting point of an edit where the field is empty.
    pub shown: String,
    /// What other fields say where the field is in use (`set` is `own`).
    pub with: Vec<(String, String)>,
    /// Key of the field that says how many points there are.
    pub count: Option<String>,
    /// Key of the grid whose cells are the pixels.
    pub grid: String,
}

impl Handles {
    /// The value of a field, which the figure `shown` at present.
    pub fn new(field: &str, shown: &impl Display) -> Self {
        let none = (Vec::new(), None, String::new());
        Self { field: field.to_owned(), shown: shown.to_string(), with: none.0, count: none.1, grid: none.2 }
    }

    /// The same, in use only where another field says `text`.
    #[must_use]
    pub fn with(mut self, key: &str, text: impl Display) -> Self {
        self.with.push((key.to_owned(), text.to_string()));
        self
    }

    /// The same; the field `key` holds the number of points.
    #[must_use]
    pub fn count(mut self, key: &str) -> Self {
        self.count = Some(key.to_owned());
        self
    }

    /// The same; the pixels are the cells of this grid.
    #[must_use]
    pub fn grid(mut self, key: &str) -> Self {
        key.clone_into(&mut self.grid);
        self
    }
}
