//! What a field accepts, and its values.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::pixels::Pixels;
use crate::data::DataRef;
use crate::math::decimal;

/// What a field accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Points of the plane that the user draws: x and y of each, one after the other. With `labels`, points of classes: the label
    /// follows. None at all only where that is the default.
    Points {
        /// Smallest and largest x.
        x: (f64, f64),
        /// Smallest and largest y.
        y: (f64, f64),
        /// The labels that a point may have, and how they read; none where the target is y itself.
        labels: &'static [(f64, &'static str)],
        /// How many there must be at least, and may be.
        number: (usize, usize),
    },
    /// A picture that the user draws; none at all only where that is the default.
    Pixels {
        /// Width and height in pixels.
        size: (usize, usize),
        /// Grey levels from paper to ink, 2 to 255.
        levels: u8,
        /// Whether pixels may be missing.
        missing: bool,
    },
    /// On or off.
    Flag,
    /// One of a few words: each the value and how it reads.
    Choice(&'static [(&'static str, &'static str)]),
    /// A data set: `name.csv@0123456789abcdef`, or nothing. On the command line a path.
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
    /// Of [`Kind::Points`] without labels: x and y.
    Points(Vec<[f64; 2]>),
    /// Of [`Kind::Points`] with labels: x, y and label.
    Labelled(Vec<[f64; 3]>),
    /// Of [`Kind::Pixels`].
    Pixels(Option<Pixels>),
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Choice`].
    Choice(String),
    /// Of [`Kind::Data`].
    Data(Option<DataRef>),
    /// Of [`Kind::Text`].
    Text(String),
}

impl fmt::Display for Value {
    /// The canonical text, which reads back to the same value bit for bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(n) => write!(f, "{n}"),
            Self::Real(x) => write!(f, "{x}"),
            Self::Reals(list) => write_list(f, list),
            Self::Points(points) => write_list(f, points.as_flattened()),
            Self::Labelled(points) => write_list(f, points.as_flattened()),
            Self::Pixels(Some(picture)) => write!(f, "{picture}"),
            Self::Flag(on) => write!(f, "{on}"),
            Self::Choice(word) => f.write_str(word),
            Self::Data(Some(data)) => write!(f, "{data}"),
            Self::Pixels(None) | Self::Data(None) => Ok(()),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Numbers separated by commas.
fn write_list(f: &mut fmt::Formatter<'_>, list: &[f64]) -> fmt::Result {
    list.iter().enumerate().try_for_each(|(i, x)| write!(f, "{}{x}", if i == 0 { "" } else { "," }))
}

impl Value {
    /// The value as JSON: numbers as numbers, `"inf"` for infinity.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Integer(n) => (*n).into(),
            Self::Real(x) if x.is_infinite() => "inf".into(),
            Self::Real(x) => (*x).into(),
            Self::Reals(list) => list.clone().into(),
            Self::Points(points) => points.iter().map(|point| point.to_vec()).collect(),
            Self::Labelled(points) => points.iter().map(|point| point.to_vec()).collect(),
            Self::Flag(on) => (*on).into(),
            Self::Choice(word) => word.as_str().into(),
            Self::Pixels(_) | Self::Data(_) | Self::Text(_) => self.to_string().into(),
        }
    }
}

impl Kind {
    /// Reads a text without spaces around it, of a field with that default.
    ///
    /// # Errors
    /// The nearest text that is accepted.
    pub fn read(&self, text: &str, default: &str) -> Result<Value, String> {
        match *self {
            Self::Integer { min, max, .. } => match text.parse::<u64>() {
                Ok(n) if (min..=max).contains(&n) => Ok(Value::Integer(n)),
                Ok(n) => Err(n.clamp(min, max).to_string()),
                Err(_) => match decimal(text) {
                    // 2e3, 50.4, −3: a number, but not a whole one in range.
                    Some(x) if x.fract() == 0.0 && x >= min as f64 && x <= max.min(1 << 53) as f64 => {
                        Ok(Value::Integer(x as u64))
                    }
                    Some(x) if !x.is_nan() => Err((x.round() as u64).clamp(min, max).to_string()),
                    _ => Err(default.into()),
                },
            },
            Self::Real { min, max, infinity, .. } => match read_real(text) {
                Some(x) if (min..=max).contains(&x) || (infinity && x == f64::INFINITY) => Ok(Value::Real(x)),
                Some(x) => Err(x.clamp(min, max).to_string()),
                None => Err(default.into()),
            },
            Self::Reals { min, max, most } => {
                let given: Vec<&str> = text.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
                let numbers: Vec<f64> = given.iter().filter_map(|t| read_real(t)).collect();
                let inside: Vec<f64> = numbers.iter().map(|x| x.clamp(min, max)).take(most).collect();
                let some = !inside.is_empty() || text.is_empty() && default.is_empty();
                if numbers.len() == given.len() && inside == numbers && some {
                    Ok(Value::Reals(numbers))
                } else if inside.is_empty() {
                    Err(default.into())
                } else {
                    Err(Value::Reals(inside).to_string())
                }
            }
            Self::Points { x, y, labels, number } => {
                super::plane::read(text, default, &super::plane::Points { x, y, labels, number })
            }
            Self::Pixels { size, levels, missing } => {
                let none = text.is_empty() && default.is_empty();
                let picture = Pixels::parse(text, size, levels).ok_or_else(|| default.to_owned());
                let picture = if none { None } else { Some(picture?) };
                let mut filled = picture.clone();
                if let Some(filled) = filled.as_mut().filter(|_| !missing) {
                    filled.fill_missing();
                }
                if filled == picture {
                    Ok(Value::Pixels(picture))
                } else {
                    Err(Value::Pixels(filled).to_string())
                }
            }
            Self::Flag => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Ok(Value::Flag(true)),
                "false" | "0" | "off" | "no" => Ok(Value::Flag(false)),
                _ => Err(default.into()),
            },
            Self::Choice(words) => match words.iter().find(|(word, _)| *word == text) {
                Some((word, _)) => Ok(Value::Choice((*word).to_owned())),
                None => Err(default.into()),
            },
            Self::Data => match plain(text, LONGEST_NAME) {
                plain if plain == text => Ok(Value::Data(DataRef::parse(text))),
                _ => Err(default.into()),
            },
            Self::Text { most } => match plain(text, most) {
                plain if plain == text => Ok(Value::Text(plain)),
                plain => Err(plain),
            },
        }
    }

    /// What is accepted in a field with that default, as a phrase that `Enter` can stand before.
    pub fn expected(&self, default: &str) -> String {
        match self {
            Self::Integer { min, max: u64::MAX, .. } => format!("a whole number of at least {min}"),
            Self::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Real { min, max, infinity: false, .. } => format!("a number from {min} to {max}"),
            Self::Real { min, max, infinity: true, .. } => format!("a number from {min} to {max}, or inf"),
            Self::Reals { min, max, most } => {
                let none = if default.is_empty() { "nothing, or " } else { "" };
                format!("{none}1 to {most} numbers from {min} to {max}, separated by commas")
            }
            Self::Points { labels, number: (least, most), .. } => {
                let none = if default.is_empty() { "nothing, or " } else { "" };
                let label = match labels {
                    [] => String::new(),
                    labels => {
                        let labels: Vec<String> = labels.iter().map(|(label, _)| label.to_string()).collect();
                        format!(" and label ({})", labels.join(" or "))
                    }
                };
                let each = if labels.is_empty() { "x and y" } else { "x, y" };
                format!("{none}{each}{label} of {least} to {most} points, separated by commas")
            }
            Self::Pixels { size: (columns, rows), .. } => {
                let none = if default.is_empty() { "nothing, or " } else { "" };
                format!("{none}a picture of {columns} × {rows} pixels, as a link holds it")
            }
            Self::Flag => "true or false".into(),
            Self::Choice(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Data => "nothing, or the name of a CSV file".into(),
            Self::Text { most } => format!("a line of at most {most} characters"),
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
pub fn read_real(text: &str) -> Option<f64> {
    match text {
        "inf" | "∞" | "infinity" | "Infinity" => Some(f64::INFINITY),
        _ => decimal(text).filter(|x| !x.is_nan()),
    }
}
