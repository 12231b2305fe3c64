//! From texts to a checked specification. Only a [`Checked`] one can be run: parse, don't validate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[cfg(feature = "solver")]
use super::field::Field;
use super::field::{InputError, Value};
use crate::data::DataRef;

/// A specification as texts by key, as a form, a permalink or a file gives it; what is missing has its default.
pub type Raw = BTreeMap<String, String>;

/// What a task can be told.
#[cfg(feature = "solver")]
pub trait Spec: Clone + 'static {
    /// Its inputs, in the order of the form.
    fn fields() -> &'static [Field];
    /// Reads values that [`Checked::new`] has found good one by one.
    fn read(values: &Values) -> Self;
    /// What is wrong with fields taken together.
    fn problems(&self) -> Vec<InputError> {
        Vec::new()
    }
}

/// A value for every field of a task, each acceptable by itself, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Values(Vec<(String, Value)>);

/// A specification that makes sense, with the values it was read from.
#[cfg(feature = "solver")]
#[derive(Clone, Debug)]
pub struct Checked<S> {
    spec: S,
    values: Values,
}

#[cfg(feature = "solver")]
impl<S> std::ops::Deref for Checked<S> {
    type Target = S;
    fn deref(&self) -> &S {
        &self.spec
    }
}

#[cfg(feature = "solver")]
impl<S: Spec> Checked<S> {
    /// Checks texts against the fields of `S`, one by one and then together.
    ///
    /// # Errors
    /// Every problem found.
    pub fn new(raw: &Raw) -> Result<Self, Vec<InputError>> {
        let values = check_values(S::fields(), raw)?;
        let spec = S::read(&values);
        let problems = spec.problems();
        if problems.is_empty() { Ok(Self { spec, values }) } else { Err(problems) }
    }

    /// All values, defaults filled in.
    pub fn values(&self) -> &Values {
        &self.values
    }
}

/// Checks each text against its field; unknown keys are problems too.
///
/// # Errors
/// Every problem found.
#[cfg(feature = "solver")]
fn check_values(fields: &[Field], raw: &Raw) -> Result<Values, Vec<InputError>> {
    let mut problems = Vec::new();
    let mut values = Vec::new();
    for field in fields {
        match field.read(raw.get(field.key).map_or(field.default, String::as_str)) {
            Ok(value) => values.push((field.key.to_owned(), value)),
            Err(problem) => problems.push(problem),
        }
    }
    for (key, text) in raw.iter().filter(|(key, _)| fields.iter().all(|f| f.key != *key)) {
        let known: Vec<&str> = fields.iter().map(|f| f.key).collect();
        problems.push(InputError {
            field: key.clone(),
            given: text.clone(),
            accepted: format!("there is no such field, only {}", known.join(", ")),
            nearest: None,
        });
    }
    if problems.is_empty() { Ok(Values(values)) } else { Err(problems) }
}

/// The texts whose keys are to be kept. (Taking out of a tree is much code for the page; a new one is little.)
pub fn only(raw: Raw, keep: impl Fn(&str) -> bool) -> Raw {
    let mut kept = Raw::new();
    for (key, text) in raw {
        if keep(&key) {
            kept.insert(key, text);
        }
    }
    kept
}

/// The nearest specification that `check` accepts, and what had to be changed for it.
pub fn mend(raw: &Raw, check: impl Fn(&Raw) -> Result<(), Vec<InputError>>) -> (Raw, Vec<InputError>) {
    let mut raw = raw.clone();
    let mut changed = Vec::new();
    // Mending a field can only uncover a problem between fields, so two rounds settle what can be settled;
    // a third guards against a check whose advice it does not take itself.
    for _ in 0..3 {
        let Err(problems) = check(&raw) else { return (raw, changed) };
        for problem in problems {
            match &problem.nearest {
                Some(nearest) => drop(raw.insert(problem.field.clone(), nearest.clone())),
                None => raw = only(raw, |key| key != problem.field),
            }
            changed.push(problem);
        }
    }
    // The defaults always make sense.
    (if check(&raw).is_ok() { raw } else { Raw::new() }, changed)
}

impl Values {
    fn get(&self, key: &str) -> &Value {
        match self.0.iter().find(|(k, _)| k == key) {
            Some((_, value)) => value,
            None => unreachable!("a specification reads its own fields only, and `{key}` is none of them"),
        }
    }

    /// The whole number of a field of [`super::Kind::Integer`].
    pub fn integer(&self, key: &str) -> u64 {
        match self.get(key) {
            Value::Integer(n) => *n,
            other => unreachable!("`{key}` is {other:?}, not a whole number"),
        }
    }

    /// The number of a field of [`super::Kind::Real`].
    pub fn real(&self, key: &str) -> f64 {
        match self.get(key) {
            Value::Real(x) => *x,
            other => unreachable!("`{key}` is {other:?}, not a number"),
        }
    }

    /// The numbers of a field of [`super::Kind::Reals`].
    pub fn reals(&self, key: &str) -> Vec<f64> {
        match self.get(key) {
            Value::Reals(list) => list.clone(),
            other => unreachable!("`{key}` is {other:?}, not a list"),
        }
    }

    /// Whether a field of [`super::Kind::Flag`] is on.
    pub fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Value::Flag(on) => *on,
            other => unreachable!("`{key}` is {other:?}, neither on nor off"),
        }
    }

    /// The word of a field of [`super::Kind::Choice`].
    pub fn choice(&self, key: &str) -> &str {
        match self.get(key) {
            Value::Choice(word) => word,
            other => unreachable!("`{key}` is {other:?}, not one of its words"),
        }
    }

    /// The text of a field of [`super::Kind::Text`].
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Value::Text(text) => text,
            other => unreachable!("`{key}` is {other:?}, not a text"),
        }
    }

    /// The data set that a field of [`super::Kind::Data`] names, if it names one.
    pub fn file(&self, key: &str) -> Option<&DataRef> {
        match self.get(key) {
            Value::Data(data) => data.as_ref(),
            other => unreachable!("`{key}` is {other:?}, not a data set"),
        }
    }

    /// What each field of [`super::Kind::Data`] says.
    fn files(&self) -> impl Iterator<Item = Option<&DataRef>> {
        self.0.iter().filter_map(|(_, value)| match value {
            Value::Data(data) => Some(data.as_ref()),
            _ => None,
        })
    }

    /// The main data set, if it is named: that of the first field that takes one.
    pub fn data(&self) -> Option<&DataRef> {
        self.files().next()?
    }

    /// All data sets that are named, the main one first.
    pub fn all_data(&self) -> impl Iterator<Item = &DataRef> {
        self.files().flatten()
    }

    /// Whether the task takes a data set, named or not.
    pub fn takes_data(&self) -> bool {
        self.files().next().is_some()
    }

    /// Key and value of every field.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The canonical texts.
    pub fn to_raw(&self) -> Raw {
        let mut raw = Raw::new();
        self.iter().for_each(|(key, value)| drop(raw.insert(key.to_owned(), value.to_string())));
        raw
    }

    /// All keys with typed values, as `headless` prints them.
    #[cfg(feature = "report")]
    pub fn to_json(&self) -> serde_json::Value {
        self.iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::{Group, Kind};
    use super::*;

    #[derive(Clone, Debug)]
    struct Pair {
        inputs: u64,
        hidden: u64,
    }

    static FIELDS: [Field; 2] = [
        Field {
            key: "inputs",
            label: "",
            symbol: "N",
            help: "",
            group: Group::Problem,
            kind: Kind::Integer { min: 1, max: 100, slider: None },
            default: "60",
        },
        Field {
            key: "hidden",
            label: "",
            symbol: "K",
            help: "",
            group: Group::Problem,
            kind: Kind::Integer { min: 1, max: 10, slider: None },
            default: "3",
        },
    ];

    impl Spec for Pair {
        fn fields() -> &'static [Field] {
            &FIELDS
        }
        fn read(v: &Values) -> Self {
            Self { inputs: v.integer("inputs"), hidden: v.integer("hidden") }
        }
        fn problems(&self) -> Vec<InputError> {
            if self.inputs.is_multiple_of(self.hidden) {
                return Vec::new();
            }
            vec![InputError {
                field: "inputs".into(),
                given: self.inputs.to_string(),
                accepted: format!("a multiple of hidden = {}", self.hidden),
                nearest: Some((self.inputs / self.hidden * self.hidden).max(self.hidden).to_string()),
            }]
        }
    }

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
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
        assert_eq!(
            (both.data().unwrap().name.as_str(), both.file("more")),
            ("a.csv", DataRef::parse("b.csv").as_ref())
        );
        assert_eq!(names(&both), ["a.csv", "b.csv"]);
        let second = values("", "b.csv");
        assert_eq!((second.data(), second.takes_data()), (None, true), "the second is not the main one");
        assert_eq!(names(&second), ["b.csv"]);
        assert!(!Values(vec![("n".into(), Value::Integer(1))]).takes_data());
    }

    #[test]
    fn defaults_are_filled_in() {
        let spec = Checked::<Pair>::new(&raw(&[("hidden", "5")])).unwrap();
        assert_eq!((spec.inputs, spec.hidden), (60, 5));
        assert_eq!(spec.values().to_raw(), raw(&[("hidden", "5"), ("inputs", "60")]));
    }

    #[test]
    fn every_problem_is_named_at_once() {
        let problems =
            Checked::<Pair>::new(&raw(&[("hidden", "0"), ("inputs", "x"), ("colour", "red")])).unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|p| p.field.as_str()).collect();
        assert_eq!(fields, ["inputs", "hidden", "colour"]);
    }

    #[test]
    fn mending_takes_the_nearest_and_says_so() {
        let check = |raw: &Raw| Checked::<Pair>::new(raw).map(|_| ());
        let (mended, changed) = mend(&raw(&[("hidden", "77"), ("inputs", "66"), ("colour", "red")]), check);
        assert_eq!(mended, raw(&[("hidden", "10"), ("inputs", "60")]));
        assert_eq!(changed.len(), 3);
        assert!(check(&mended).is_ok());
    }
}
