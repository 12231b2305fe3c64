//! Editable parts of a figure.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

/// Points or pixels of a figure that are the value of a field, so that a drawing is part of the permalink. The kind of the field
/// says which of the two they are and which values are valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    /// Key of the field.
    pub field: String,
    /// Text of the field for the current figure: the starting point of an edit if the field is empty.
    pub shown: String,
    /// Keys and texts of other fields for which the field has an effect.
    pub with: Vec<(String, String)>,
    /// Key of the field with the number of points.
    pub count: Option<String>,
    /// Key of the grid whose cells are the pixels.
    pub grid: String,
    /// Indices of the panels in which the points are edited; empty in a figure without panels.
    pub panels: Vec<usize>,
}

impl Handles {
    /// Returns the handles of a field whose value is `shown`.
    pub fn new(field: &str, shown: &impl Display) -> Self {
        let (field, shown) = (field.to_owned(), shown.to_string());
        Self { field, shown, with: Vec::new(), count: None, grid: String::new(), panels: Vec::new() }
    }

    /// Adds another field that is set to `text` by an edit.
    #[must_use]
    pub fn with(mut self, key: &str, text: impl Display) -> Self {
        self.with.push((key.to_owned(), text.to_string()));
        self
    }

    /// Sets the field with the number of points.
    #[must_use]
    pub fn count(mut self, key: &str) -> Self {
        self.count = Some(key.to_owned());
        self
    }

    /// Sets the grid whose cells are the pixels.
    #[must_use]
    pub fn grid(mut self, key: &str) -> Self {
        key.clone_into(&mut self.grid);
        self
    }

    /// Sets the panels in which the points are edited.
    #[must_use]
    pub fn on(mut self, panels: impl IntoIterator<Item = usize>) -> Self {
        self.panels = panels.into_iter().collect();
        self
    }

    /// Returns true if the points are edited in a panel.
    pub fn in_panel(&self, panel: usize) -> bool {
        self.panels.is_empty() || self.panels.contains(&panel)
    }
}
