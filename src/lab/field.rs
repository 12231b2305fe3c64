//! One input of a task: its key, its words and what it accepts. Forms, permalinks, JSON specifications and
//! their checks are all made from these.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kept::kept;
use crate::data::{DataRef, Misfit};

/// One input of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The name shared by the form, the permalink and the command line.
    pub key: &'static str,
    /// The visible label.
    pub label: &'static str,
    /// The paper's letter, or empty.
    pub symbol: &'static str,
    /// One sentence: what it does, and its unit where it has one.
    pub help: &'static str,
    /// Where in the form it stands.
    pub group: Group,
    /// What it accepts.
    pub kind: Kind,
    /// Its value when nothing is said, as text.
    pub default: &'static str,
}

/// The three groups of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    /// What is to be learnt.
    Problem,
    /// How.
    Method,
    /// How often, and from which seed.
    Run,
}

/// What a field accepts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    /// A whole number; the slider covers a part of what can be typed.
    Integer {
        /// Smallest accepted.
        min: u64,
        /// Largest accepted.
        max: u64,
        /// Ends of the slider; without one there is only the number box.
        slider: Option<(u64, u64)>,
    },
    /// A number; `inf` only where `infinity` says so.
    Real {
        /// Smallest accepted.
        min: f64,
        /// Largest accepted (∞ apart).
        max: f64,
        /// Ends and step of the slider.
        slider: (f64, f64, f64),
        /// Whether `inf` is accepted.
        infinity: bool,
    },
    /// Numbers separated by commas; none at all only where that is the default.
    Reals {
        /// Smallest accepted.
        min: f64,
        /// Largest accepted.
        max: f64,
        /// How many at the most.
        most: usize,
    },
    /// On or off.
    Flag,
    /// One of a few words: each the value and how it reads.
    Choice(#[serde(borrow, deserialize_with = "kept")] &'static [(&'static str, &'static str)]),
    /// A person's own data set: `name.csv@0123456789abcdef`, or nothing. On the command line a path.
    Data,
    /// A line of text, such as the name of a column.
    Text {
        /// How many characters at the most.
        most: usize,
    },
}

/// A checked value of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Of [`Kind::Integer`].
    Integer(u64),
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Reals`].
    Reals(Vec<f64>),
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Choice`].
    Choice(String),
    /// Of [`Kind::Data`].
    Data(Option<DataRef>),
    /// Of [`Kind::Text`].
    Text(String),
}

/// Input that makes no sense: which field, what was given, what is accepted, and the nearest that would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputError {
    /// Key of the field.
    pub field: String,
    /// What was given, as text.
    pub given: String,
    /// What is accepted, in words.
    pub accepted: String,
    /// The nearest accepted text; `None` where the field itself is unknown and can only be dropped.
    pub nearest: Option<String>,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = if self.nearest.is_some() { "accepted is " } else { "" };
        write!(f, "{} = “{}”: {accepted}{}", self.field, self.given, self.accepted)
    }
}

impl From<Misfit> for InputError {
    fn from(Misfit { field, given, accepted, nearest }: Misfit) -> Self {
        Self { field: field.into(), given, accepted, nearest }
    }
}

impl fmt::Display for Value {
    /// The canonical text, which reads back to the same value bit for bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(n) => write!(f, "{n}"),
            Self::Real(x) => write!(f, "{x}"),
            Self::Reals(list) => {
                for (i, x) in list.iter().enumerate() {
                    write!(f, "{}{x}", if i == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            Self::Flag(on) => write!(f, "{on}"),
            Self::Choice(word) => f.write_str(word),
            Self::Data(Some(data)) => write!(f, "{data}"),
            Self::Data(None) => Ok(()),
            Self::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(feature = "report")]
impl Value {
    /// The value as JSON: numbers as numbers, `"inf"` for infinity.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Integer(n) => (*n).into(),
            Self::Real(x) if x.is_infinite() => "inf".into(),
            Self::Real(x) => (*x).into(),
            Self::Reals(list) => list.clone().into(),
            Self::Flag(on) => (*on).into(),
            Self::Choice(word) => word.as_str().into(),
            Self::Data(_) | Self::Text(_) => self.to_string().into(),
        }
    }
}

impl Field {
    /// Reads the text of this field.
    ///
    /// # Errors
    /// What is accepted and the nearest accepted text, where `text` is not.
    pub fn read(&self, text: &str) -> Result<Value, InputError> {
        let text = text.trim();
        let refuse = |nearest: String| {
            Err(InputError {
                field: self.key.into(),
                given: text.into(),
                accepted: self.accepted(),
                nearest: Some(nearest),
            })
        };
        match &self.kind {
            &Kind::Integer { min, max, .. } => match text.parse::<u64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(Value::Integer(n)),
                Ok(n) => refuse(n.clamp(min, max).to_string()),
                Err(_) => match text.parse::<f64>() {
                    // 2e3, 50.4, −3: a number, but not a whole one in range.
                    Ok(x) if x.fract() == 0.0 && x >= min as f64 && x <= max.min(1 << 53) as f64 => {
                        Ok(Value::Integer(x as u64))
                    }
                    Ok(x) if !x.is_nan() => refuse((x.round() as u64).clamp(min, max).to_string()),
                    _ => refuse(self.default.into()),
                },
            },
            &Kind::Real { min, max, infinity, .. } => match real(text) {
                Some(x) if (min..=max).contains(&x) || (infinity && x == f64::INFINITY) => Ok(Value::Real(x)),
                Some(x) => refuse(x.clamp(min, max).to_string()),
                None => refuse(self.default.into()),
            },
            &Kind::Reals { min, max, most } => {
                let given: Vec<&str> = text.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
                let numbers: Vec<f64> = given.iter().filter_map(|t| real(t)).collect();
                let inside: Vec<f64> = numbers.iter().map(|x| x.clamp(min, max)).take(most).collect();
                let some = !inside.is_empty() || text.is_empty() && self.default.is_empty();
                if numbers.len() == given.len() && inside == numbers && some {
                    Ok(Value::Reals(numbers))
                } else if inside.is_empty() {
                    refuse(self.default.into())
                } else {
                    refuse(Value::Reals(inside).to_string())
                }
            }
            Kind::Flag => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Ok(Value::Flag(true)),
                "false" | "0" | "off" | "no" => Ok(Value::Flag(false)),
                _ => refuse(self.default.into()),
            },
            Kind::Choice(words) => match words.iter().find(|(word, _)| *word == text) {
                Some((word, _)) => Ok(Value::Choice((*word).to_owned())),
                None => refuse(self.default.into()),
            },
            Kind::Data => match plain(text, LONGEST_NAME) {
                plain if plain == text => Ok(Value::Data(DataRef::parse(text))),
                _ => refuse(self.default.into()),
            },
            &Kind::Text { most } => match plain(text, most) {
                plain if plain == text => Ok(Value::Text(plain)),
                plain => refuse(plain),
            },
        }
    }

    /// What this field accepts, in words.
    pub fn accepted(&self) -> String {
        match &self.kind {
            Kind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Real { min, max, infinity: false, .. } => format!("a number from {min} to {max}"),
            Kind::Real { min, max, infinity: true, .. } => format!("a number from {min} to {max}, or inf"),
            Kind::Reals { min, max, most } => {
                let none = if self.default.is_empty() { "nothing, or " } else { "" };
                format!("{none}1 to {most} numbers from {min} to {max}, separated by commas")
            }
            Kind::Flag => "true or false; or on or off, yes or no, 1 or 0".into(),
            Kind::Choice(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                format!("one of {}", words.join(", "))
            }
            Kind::Data => "nothing, or a CSV file, written name.csv@hash".into(),
            Kind::Text { most } => format!("a line of at most {most} characters"),
        }
    }
}

/// Longest name of a file with its hash, in characters.
const LONGEST_NAME: usize = 300;

/// The first `most` characters that can stand in a line.
fn plain(text: &str, most: usize) -> String {
    let line: String = text.chars().filter(|c| !c.is_control()).take(most).collect();
    line.trim().to_owned()
}

/// A number, with the spellings of infinity that people use; a NaN is no number.
fn real(text: &str) -> Option<f64> {
    match text {
        "inf" | "∞" | "infinity" | "Infinity" => Some(f64::INFINITY),
        _ => text.parse().ok().filter(|x: &f64| !x.is_nan()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: Kind, default: &'static str) -> Field {
        Field { key: "k", label: "", symbol: "", help: "", group: Group::Run, kind, default }
    }

    fn nearest(f: &Field, text: &str) -> String {
        f.read(text).unwrap_err().nearest.unwrap()
    }

    #[test]
    fn whole_numbers() {
        let f = field(Kind::Integer { min: 2, max: 100, slider: None }, "50");
        assert_eq!(f.read(" 7 "), Ok(Value::Integer(7)));
        assert_eq!(f.read("5e1"), Ok(Value::Integer(50)));
        for (given, near) in [("1", "2"), ("-4", "2"), ("1e9", "100"), ("3.6", "4"), ("x", "50"), ("", "50")]
        {
            assert_eq!(nearest(&f, given), near, "{given}");
        }
        assert!(f.read("1").unwrap_err().to_string().contains("2 to 100"));
    }

    #[test]
    fn a_seed_keeps_all_its_bits() {
        let f = field(Kind::Integer { min: 0, max: u64::MAX, slider: None }, "1");
        assert_eq!(f.read("18446744073709551615"), Ok(Value::Integer(u64::MAX)));
    }

    #[test]
    fn numbers_and_infinity() {
        let kind = |infinity| Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 10.0, 0.1), infinity };
        assert_eq!(field(kind(true), "0.5").read("inf"), Ok(Value::Real(f64::INFINITY)));
        assert_eq!(nearest(&field(kind(false), "0.5"), "inf"), "50");
        assert_eq!(nearest(&field(kind(true), "0.5"), "-1"), "0");
        assert_eq!(nearest(&field(kind(true), "0.5"), "NaN"), "0.5");
    }

    #[test]
    fn lists() {
        let f = field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "1,2");
        assert_eq!(f.read("0.5, 1 ,2"), Ok(Value::Reals(vec![0.5, 1.0, 2.0])));
        assert_eq!(nearest(&f, "1,2,3,4"), "1,2,3");
        assert_eq!(nearest(&f, "1,x,20"), "1,10");
        assert_eq!(nearest(&f, ",,"), "1,2");
        let f = field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "");
        assert_eq!(f.read(" "), Ok(Value::Reals(Vec::new())));
        assert_eq!(nearest(&f, "x"), "");
        assert!(f.accepted().starts_with("nothing, or 1 to 3 numbers"));
    }

    #[test]
    fn flags_in_any_spelling() {
        let f = field(Kind::Flag, "false");
        for (text, on) in
            [("TRUE", true), ("Yes", true), ("on", true), ("1", true), ("False", false), ("OFF", false)]
        {
            assert_eq!(f.read(text), Ok(Value::Flag(on)), "{text}");
        }
        assert_eq!(nearest(&f, "maybe"), "false");
        assert!(f.accepted().contains("yes or no"));
    }

    #[test]
    fn data_and_texts() {
        let f = field(Kind::Data, "");
        assert_eq!(f.read(" "), Ok(Value::Data(None)));
        for text in ["sonar.csv@0123456789abcdef", "my data.csv"] {
            assert_eq!(f.read(text).unwrap().to_string(), text);
        }
        assert_eq!(nearest(&f, &"x".repeat(999)), "");
        let f = field(Kind::Text { most: 5 }, "");
        assert_eq!(f.read("größe"), Ok(Value::Text("größe".into())));
        assert_eq!(nearest(&f, "a\nb and more"), "ab an");
    }

    #[test]
    fn the_nearest_is_always_accepted() {
        let kinds = [
            field(Kind::Integer { min: 2, max: 100, slider: None }, "50"),
            field(Kind::Real { min: 0.0, max: 5.0, slider: (0.0, 1.0, 0.1), infinity: true }, "0.5"),
            field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "1,2"),
            field(Kind::Flag, "false"),
            field(Kind::Choice(&[("a", "A"), ("b", "B")]), "a"),
            field(Kind::Data, ""),
            field(Kind::Text { most: 3 }, ""),
        ];
        for f in &kinds {
            let texts = ["", "-1", "1e300", "-inf", "inf", "nan", "a,b", "1,2,3,4,5", "maybe", "0.05", "7.5"];
            for text in texts.into_iter().chain(["a\u{7}b", "a\tb", "ab c"]) {
                if let Err(problem) = f.read(text) {
                    let nearest = problem.nearest.unwrap();
                    assert!(f.read(&nearest).is_ok(), "{:?}: {text} -> {nearest}", f.kind);
                }
            }
        }
    }
}
