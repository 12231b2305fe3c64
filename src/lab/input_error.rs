//! What is wrong with an input, and how to correct it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::field::Field;
use crate::data::ColumnError;

/// An input that is not valid: which field, what was given, what is expected, and the nearest valid text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputError {
    /// Key of the field.
    pub field: String,
    /// Its label with its symbol; empty where there is no such field.
    pub label: String,
    /// What was given, as text.
    pub given: String,
    /// What to do about it, in whole sentences.
    pub expected: String,
    /// The nearest valid text; `None` where no text of this field is known to be valid, so that it can only be left out.
    pub nearest: Option<String>,
}

impl InputError {
    /// Several in a line.
    pub fn joined(errors: impl AsRef<[Self]>) -> String {
        errors.as_ref().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// Of the field of that key.
    pub fn new(key: &str, given: impl fmt::Display) -> Self {
        Self {
            field: key.to_owned(),
            label: String::new(),
            given: given.to_string(),
            expected: String::new(),
            nearest: None,
        }
    }

    /// What to enter: a phrase such as `a whole number from 2 to 9`.
    #[must_use]
    pub fn expected(self, phrase: impl fmt::Display) -> Self {
        Self { expected: format!("Enter {phrase}."), ..self }
    }

    /// Why it is not valid, where that says more than what to enter: a clause without its full stop.
    #[must_use]
    pub fn because(self, why: impl fmt::Display) -> Self {
        let why = why.to_string();
        let mut letters = why.chars();
        let first: String = letters.next().into_iter().map(|letter| letter.to_ascii_uppercase()).collect();
        Self { expected: format!("{first}{}.", letters.as_str()), ..self }
    }

    /// The nearest valid text.
    #[must_use]
    pub fn nearest(self, nearest: impl fmt::Display) -> Self {
        Self { nearest: Some(nearest.to_string()), ..self }
    }

    /// With the label that its field has among `fields`.
    #[must_use]
    pub fn labelled(self, fields: &[Field]) -> Self {
        match fields.iter().find(|field| field.key == self.field) {
            Some(field) => Self { label: field.name(), ..self },
            None => self,
        }
    }

    /// What the page calls the field.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.field } else { &self.label }
    }

    /// What is wrong, without the field's name.
    pub fn complaint(&self) -> String {
        match self.given.as_str() {
            "" => self.expected.clone(),
            given => format!("“{given}” is not valid. {}", self.expected),
        }
    }
}

impl fmt::Display for InputError {
    /// With label and key, for the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.label.is_empty() {
            write!(f, "{} (", self.label)?;
        }
        f.write_str(&self.field)?;
        if !self.label.is_empty() {
            f.write_str(")")?;
        }
        write!(f, ": {}", self.complaint())
    }
}

impl From<ColumnError> for InputError {
    fn from(ColumnError { field, given, accepted, nearest }: ColumnError) -> Self {
        let error = Self::new(field, given);
        match nearest {
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
    fn an_error_names_its_field_as_the_reader_knows_it() {
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
        assert_eq!(InputError::new("inputs", 7).labelled(&[field]).label, "Inputs N");
    }
}
