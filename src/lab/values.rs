//! Checked values of a specification by key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::field::{Field, Role};
use super::kind::Value;
use super::typed::TypedField;
use crate::data::{DataRef, Facts, Store};

/// A specification as texts by key, as a form, a permalink or a file gives it; what is missing has its default.
pub type Raw = BTreeMap<String, String>;

/// Collects pairs of key and text.
pub fn raw_of(texts: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Raw {
    texts.into_iter().map(|(key, text)| (key.into(), text.into())).collect()
}

/// A value for every field of a task, each valid by itself, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Values(Vec<(String, Value)>);

impl Values {
    /// Collects values with their keys.
    pub(super) fn new(values: Vec<(String, Value)>) -> Self {
        Self(values)
    }

    /// Returns the value of a field.
    ///
    /// # Panics
    /// If these are the values of a specification without such a field.
    pub fn get<T>(&self, field: &TypedField<T>) -> T {
        let value = self.value(field.key).and_then(|value| field.member(value));
        // `spec!` makes the fields and what reads them from one declaration, whose kind agrees with its type.
        value.unwrap_or_else(|| unreachable!("`{}` is no field of this specification", field.key))
    }

    /// Returns the facts of the main data set, if it is in `store`.
    pub fn facts<'a>(&self, store: &'a Store) -> Option<&'a Facts> {
        self.data().and_then(|named| store.facts(named.content()?))
    }

    /// Returns the value with this key, if there is one.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Returns the data set of each field of [`super::Kind::Data`].
    fn files(&self) -> impl Iterator<Item = Option<&DataRef>> {
        self.0.iter().filter_map(|(_, value)| match value {
            Value::Data(data) => Some(data.as_ref()),
            _ => None,
        })
    }

    /// Returns the main data set, if it is named: that of the first data field.
    pub fn data(&self) -> Option<&DataRef> {
        self.files().next()?
    }

    /// Returns all named data sets, the main one first.
    pub fn all_data(&self) -> impl Iterator<Item = &DataRef> {
        self.files().flatten()
    }

    /// Returns true if the task takes a data set, named or not.
    pub fn takes_data(&self) -> bool {
        self.files().next().is_some()
    }

    /// Returns true if the task takes a data set and none is named.
    pub fn lacks_data(&self) -> bool {
        self.takes_data() && self.data().is_none()
    }

    /// Returns key and value of each field.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Returns true if a run with these values equals one with `other`: they differ at most in `fields` that only the live companion
    /// or the figures follow.
    pub fn run_as(&self, other: &Self, fields: &[Field]) -> bool {
        self.differ_only(other, fields, |_| false)
    }

    /// Returns true if a run with these values equals one with `other` except that it predicts another second file: they differ in this
    /// file, which is named, and otherwise at most as in [`Self::run_as`].
    pub fn predicts_as(&self, other: &Self, fields: &[Field]) -> bool {
        let second = self.second_file(fields);
        second.is_some()
            && second != other.second_file(fields)
            && self.differ_only(other, fields, |field| field.role == Role::SecondData)
    }

    /// Returns the second file that is named, if there is one.
    pub fn second_file(&self, fields: &[Field]) -> Option<&DataRef> {
        match self.value(Field::with_role(fields, Role::SecondData)?.key)? {
            Value::Data(named) => named.as_ref(),
            _ => None,
        }
    }

    /// Returns true if these values differ from `other` at most in `fields` that do not affect a run, and those that `may` differ.
    fn differ_only(&self, other: &Self, fields: &[Field], may: impl Fn(&Field) -> bool) -> bool {
        let apart = |f: &Field| f.is_artefact() || matches!(f.role, Role::Companion | Role::Display);
        let may_differ = |key: &str| fields.iter().any(|f| f.key == key && (apart(f) || may(f)));
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(a, b)| a == b || a.0 == b.0 && may_differ(&a.0))
    }

    /// Returns the canonical texts.
    pub fn to_raw(&self) -> Raw {
        raw_of(self.iter().map(|(key, value)| (key, value.to_string())))
    }

    /// Returns all keys with typed values, as `headless` prints them.
    pub fn to_json(&self) -> serde_json::Value {
        self.iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_companion_or_the_figures_follow_makes_no_other_run() {
        let field = |key, role| Field { role, ..Field::new(key, crate::Kind::Flag, "false") };
        let values =
            |drawn, n| Values(vec![("drawn".into(), Value::Flag(drawn)), ("n".into(), Value::Flag(n))]);
        for role in [Role::Companion, Role::Display, Role::Artefact("x")] {
            let fields = [field("drawn", role), field("n", Role::Setting)];
            assert!(values(true, false).run_as(&values(false, false), &fields));
            assert!(!values(true, false).run_as(&values(true, true), &fields));
        }
    }

    #[test]
    fn a_run_predicts_as_another_that_differs_in_the_second_file() {
        let fields = [
            Field { role: Role::SecondData, ..Field::new("predict", crate::Kind::Data, "") },
            Field { role: Role::Display, ..Field::new("drawn", crate::Kind::Flag, "false") },
            Field::new("n", crate::Kind::Flag, "false"),
        ];
        let values = |second, drawn, n| {
            let second = Value::Data(DataRef::parse(second));
            let flags = [("drawn".into(), Value::Flag(drawn)), ("n".into(), Value::Flag(n))];
            Values([("predict".into(), second)].into_iter().chain(flags).collect())
        };
        let finished = values("", false, false);
        assert!(values("a.csv", false, false).predicts_as(&finished, &fields));
        assert!(values("a.csv", true, false).predicts_as(&values("b.csv", false, false), &fields));
        assert!(!values("a.csv", false, true).predicts_as(&finished, &fields), "another model");
        assert!(!values("a.csv", false, false).predicts_as(&values("a.csv", false, false), &fields));
        assert!(!finished.predicts_as(&values("a.csv", false, false), &fields), "no second file");
        assert!(!values("a.csv", false, false).predicts_as(&finished, &fields[1..]), "no such field");
    }

    #[test]
    fn the_main_data_set_is_that_of_the_first_field() {
        let data = |text| Value::Data(DataRef::parse(text));
        let values = |main, second| {
            Values(vec![
                ("data".into(), data(main)),
                ("n".into(), Value::Integer(1)),
                ("more".into(), data(second)),
            ])
        };
        let names = |values: &Values| values.all_data().map(|data| data.name.clone()).collect::<Vec<_>>();
        let both = values("a.csv", "b.csv");
        assert_eq!(both.data().unwrap().name.as_str(), "a.csv");
        assert_eq!(names(&both), ["a.csv", "b.csv"]);
        let second = values("", "b.csv");
        assert_eq!(second.data(), None, "the second is not the main one");
        assert!(second.takes_data() && second.lacks_data());
        assert_eq!(names(&second), ["b.csv"]);
        assert!(!Values(vec![("n".into(), Value::Integer(1))]).takes_data());
    }
}
