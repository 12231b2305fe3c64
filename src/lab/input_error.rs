//! Input errors, with their correction.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::field::Field;
use crate::data::ColumnError;

/// An invalid input: field, given text, expected input, and nearest valid text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputError {
    /// Key of the field.
    pub field: String,
    /// Label of the field with its symbol; empty if there is no such field.
    pub label: String,
    /// Given text.
    pub given: String,
    /// Expected input or reason, in sentences.
    pub expected: String,
    /// Nearest valid text; `None` if none is known, so that the field can only be omitted.
    pub nearest: Option<String>,
}

impl InputError {
    /// Joins several errors in a line.
    pub fn joined(errors: impl AsRef<[Self]>) -> String {
        errors.as_ref().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Returns an error of the field with that key.
    pub fn new(key: &str, given: impl fmt::Display) -> Self {
        Self {
            field: key.to_owned(),
            label: String::new(),
            given: given.to_string(),
            expected: String::new(),
            nearest: None,
        }
    }

    /// Sets the expected input: a phrase such as `a whole number from 2 to 9`.
    #[must_use]
    pub fn expected(self, phrase: impl fmt::Display) -> Self {
        Self { expected: format!("Enter {phrase}."), ..self }
    }

    /// Sets the reason instead of the expected input: a clause without its full stop.
    #[must_use]
    pub fn because(self, reason: impl fmt::Display) -> Self {
        let reason = reason.to_string();
        let mut letters = reason.chars();
        let first: String = letters.next().into_iter().map(|letter| letter.to_ascii_uppercase()).collect();
        Self { expected: format!("{first}{}.", letters.as_str()), ..self }
    }

    /// Replaces the expected input with a question, such as whether to use the nearest valid text.
    #[must_use]
    pub fn asking(self, question: impl fmt::Display) -> Self {
        Self { expected: question.to_string(), ..self }
    }

    /// Sets the nearest valid text.
    #[must_use]
    pub fn nearest(self, nearest: impl fmt::Display) -> Self {
        Self { nearest: Some(nearest.to_string()), ..self }
    }

    /// Sets the label of its field, one of `fields`.
    #[must_use]
    pub fn labelled(self, fields: &[Field]) -> Self {
        match fields.iter().find(|field| field.key == self.field) {
            Some(field) => Self { label: field.name(), ..self },
            None => self,
        }
    }

    /// Returns the label of the field, or its key.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.field } else { &self.label }
    }

    /// Describes the error without the field.
    pub fn describe(&self) -> String {
        match self.given.as_str() {
            "" => self.expected.clone(),
            given => format!("“{given}” is not valid. {}", self.expected),
        }
    }
}

impl fmt::Display for InputError {
    /// Writes label, key and description, for the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.label.is_empty() {
            write!(f, "{} (", self.label)?;
        }
        f.write_str(&self.field)?;
        if !self.label.is_empty() {
            f.write_str(")")?;
        }
        write!(f, ": {}", self.describe())
    }
}

impl From<ColumnError> for InputError {
    fn from(ColumnError { field, given, accepted, nearest }: ColumnError) -> Self {
        let error = Self::new(field, given);
        match nearest {
            Some(nearest) if accepted.ends_with('?') => error.asking(accepted).nearest(nearest),
            Some(nearest) => error.expected(accepted).nearest(nearest),
            None => error.because(accepted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::typed::integer;
    use super::*;

    #[test]
    fn an_error_names_its_field_by_label_and_key() {
        let field = *integer(2, 1000).label("Inputs").symbol("N").keyed("inputs");
        let error = field.read("abc").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Inputs N (inputs): “abc” is not valid. Enter a whole number from 2 to 1000."
        );
        assert_eq!(error.name(), "Inputs N");
        let unknown = InputError::new("colour", "red").because("there is no such field");
        assert_eq!(unknown.to_string(), "colour: “red” is not valid. There is no such field.");
        assert_eq!(InputError::new("data", "").expected("a file").to_string(), "data: Enter a file.");
        let asked = InputError::new("skip", "").asking("Row 2 has 3 cells. Skip it?").nearest(true);
        assert_eq!(asked.to_string(), "skip: Row 2 has 3 cells. Skip it?");
        assert_eq!(InputError::new("inputs", 7).labelled(&[field]).label, "Inputs N");
    }
}
