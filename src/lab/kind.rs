//! Kinds of fields and their values.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::pixels::Pixels;
use crate::data::DataRef;
use crate::math::decimal;

/// Kind of a field: the values that it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number.
    Integer {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// Ends of the slider, which may cover a part of the range; `None` for a number box only.
        slider: Option<(u64, u64)>,
    },
    /// A number.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest finite value.
        max: f64,
        /// Low end, high end and step of the slider.
        slider: (f64, f64, f64),
        /// True if `inf` is accepted.
        infinity: bool,
    },
    /// Numbers separated by commas; may be empty only if that is the default.
    Reals {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Largest number of values.
        most: usize,
    },
    /// Points drawn by the user: x, y and, if there are labels, the label of each. May be empty only if that is the default.
    Points {
        /// Smallest and largest x.
        x: (f64, f64),
        /// Smallest and largest y.
        y: (f64, f64),
        /// Labels of points and their names; empty if y is the target.
        labels: &'static [(f64, &'static str)],
        /// Smallest and largest number of points.
        number: (usize, usize),
    },
    /// An image drawn by the user; may be empty only if that is the default.
    Pixels {
        /// Width and height in pixels.
        size: (usize, usize),
        /// Number of grey levels from paper to ink, 2 to 255.
        levels: u8,
        /// True if pixels may be missing.
        missing: bool,
    },
    /// A switch.
    Flag,
    /// One of a few words, given with their labels.
    Choice(&'static [(&'static str, &'static str)]),
    /// A data set, `name.csv@0123456789abcdef`, or nothing. On the command line, a path.
    Data,
    /// A line of text, such as the name of a column.
    Text {
        /// Largest number of characters.
        most: usize,
    },
}

impl Kind {
    /// Returns true if values are drawn or dragged in a figure and have no control of their own in the form.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Self::Points { .. } | Self::Pixels { .. })
    }
}

/// A valid value of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Value of [`Kind::Integer`].
    Integer(u64),
    /// Value of [`Kind::Real`].
    Real(f64),
    /// Value of [`Kind::Reals`].
    Reals(Vec<f64>),
    /// Value of [`Kind::Points`] without labels: x and y of each point.
    Points(Vec<[f64; 2]>),
    /// Value of [`Kind::Points`] with labels: x, y and label of each point.
    Labelled(Vec<[f64; 3]>),
    /// Value of [`Kind::Pixels`].
    Pixels(Option<Pixels>),
    /// Value of [`Kind::Flag`].
    Flag(bool),
    /// Value of [`Kind::Choice`]: the word.
    Choice(String),
    /// Value of [`Kind::Data`].
    Data(Option<DataRef>),
    /// Value of [`Kind::Text`].
    Text(String),
}

impl fmt::Display for Value {
    /// Writes the canonical text, from which the same value is read bit for bit.
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

/// Writes numbers separated by commas.
fn write_list(f: &mut fmt::Formatter<'_>, list: &[f64]) -> fmt::Result {
    list.iter().enumerate().try_for_each(|(i, x)| write!(f, "{}{x}", if i == 0 { "" } else { "," }))
}

impl Value {
    /// Converts to JSON: numbers as numbers, infinity as `"inf"`.
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
    /// Reads a trimmed text of a field with the given default.
    ///
    /// # Errors
    /// The nearest valid text.
    pub fn read(&self, text: &str, default: &str) -> Result<Value, String> {
        match *self {
            Self::Integer { min, max, .. } => read_integer(text, default, min, max),
            Self::Real { min, max, infinity, .. } => match read_real(text) {
                Some(x) if (min..=max).contains(&x) || (infinity && x == f64::INFINITY) => Ok(Value::Real(x)),
                // A decimal comma is not accepted, since commas separate numbers elsewhere.
                given => match given.or_else(|| read_real(&text.replacen(',', ".", 1))) {
                    Some(x) => Err(x.clamp(min, max).to_string()),
                    None => Err(default.into()),
                },
            },
            Self::Reals { min, max, most } => read_reals(text, default, (min, max), most),
            Self::Points { x, y, labels, number } => read_points(text, default, (x, y), labels, number),
            Self::Pixels { size, levels, missing } => read_pixels(text, default, size, levels, missing),
            Self::Flag => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" | "yes" => Ok(Value::Flag(true)),
                "false" | "0" | "off" | "no" => Ok(Value::Flag(false)),
                _ => Err(default.into()),
            },
            Self::Choice(words) => match words.iter().find(|(word, _)| *word == text) {
                Some((word, _)) => Ok(Value::Choice((*word).to_owned())),
                None => Err(default.into()),
            },
            Self::Data => match plain(text, MAX_NAME) {
                plain if plain == text => Ok(Value::Data(DataRef::parse(text))),
                _ => Err(default.into()),
            },
            Self::Text { most } => match plain(text, most) {
                plain if plain == text => Ok(Value::Text(plain)),
                plain => Err(plain),
            },
        }
    }

    /// Describes the valid texts of a field with the given default, as a phrase after `Enter`.
    pub fn expected(&self, default: &str) -> String {
        let optional = if default.is_empty() { "nothing, or " } else { "" };
        match self {
            Self::Integer { min, max: u64::MAX, .. } => format!("a whole number of at least {min}"),
            Self::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Real { min, max, infinity: false, .. } => format!("a number from {min} to {max}"),
            Self::Real { min, max, infinity: true, .. } => format!("a number from {min} to {max}, or inf"),
            Self::Reals { min, max, most } => {
                format!("{optional}1 to {most} numbers from {min} to {max}, separated by commas")
            }
            Self::Points { labels: [], number: (least, most), .. } => {
                format!("{optional}x and y of {least} to {most} points, separated by commas")
            }
            Self::Points { labels, number: (least, most), .. } => {
                let labels: Vec<String> = labels.iter().map(|(label, _)| label.to_string()).collect();
                let labels = labels.join(" or ");
                format!(
                    "{optional}x, y and label ({labels}) of {least} to {most} points, separated by commas"
                )
            }
            Self::Pixels { size: (columns, rows), .. } => {
                format!("{optional}a picture of {columns} × {rows} pixels, as in a link")
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

fn read_integer(text: &str, default: &str, min: u64, max: u64) -> Result<Value, String> {
    if let Ok(n) = text.parse::<u64>() {
        return if (min..=max).contains(&n) {
            Ok(Value::Integer(n))
        } else {
            Err(n.clamp(min, max).to_string())
        };
    }
    match decimal(text) {
        // Another notation such as 2e3. A fraction or a negative number is not valid.
        Some(x) if x.fract() == 0.0 && x >= min as f64 && x <= max.min(1 << 53) as f64 => {
            Ok(Value::Integer(x as u64))
        }
        Some(x) if !x.is_nan() => Err((x.round() as u64).clamp(min, max).to_string()),
        _ => Err(default.into()),
    }
}

/// Splits a list at commas. Returns its numbers, and true if all its entries are numbers.
fn read_list(text: &str) -> (Vec<f64>, bool) {
    let entries = || text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let numbers: Vec<f64> = entries().filter_map(read_real).collect();
    let complete = numbers.len() == entries().count();
    (numbers, complete)
}

fn read_reals(text: &str, default: &str, (min, max): (f64, f64), most: usize) -> Result<Value, String> {
    let (numbers, complete) = read_list(text);
    let nearest: Vec<f64> = numbers.iter().map(|x| x.clamp(min, max)).take(most).collect();
    let optional = text.is_empty() && default.is_empty();
    if complete && nearest == numbers && (optional || !nearest.is_empty()) {
        Ok(Value::Reals(numbers))
    } else if nearest.is_empty() {
        Err(default.into())
    } else {
        Err(Value::Reals(nearest).to_string())
    }
}

/// Reads x, y and, if there are labels, the label of each point. The nearest points are inside the ranges, have the nearest label,
/// and are at most `number.1`.
fn read_points(
    text: &str,
    default: &str,
    (x, y): ((f64, f64), (f64, f64)),
    labels: &[(f64, &str)],
    number: (usize, usize),
) -> Result<Value, String> {
    let nearest_label = |given: f64| {
        let nearer = |a: f64, b: f64| if (b - given).abs() < (a - given).abs() { b } else { a };
        labels.iter().map(|(label, _)| *label).reduce(nearer).unwrap_or_default()
    };
    let nearest_point = |point: &[f64]| {
        let label = point.get(2).map_or(0.0, |given| nearest_label(*given));
        [point[0].clamp(x.0, x.1), point[1].clamp(y.0, y.1), label]
    };
    let width = if labels.is_empty() { 2 } else { 3 };
    let (numbers, complete) = read_list(text);
    let nearest: Vec<[f64; 3]> = numbers.chunks_exact(width).map(nearest_point).take(number.1).collect();
    let optional = text.is_empty() && default.is_empty();
    if nearest.len() < number.0 && !optional {
        return Err(default.to_owned());
    }
    let valid = complete && nearest.iter().flat_map(|point| &point[..width]).eq(&numbers);
    let value = if labels.is_empty() {
        Value::Points(nearest.iter().map(|point| [point[0], point[1]]).collect())
    } else {
        Value::Labelled(nearest)
    };
    if valid { Ok(value) } else { Err(value.to_string()) }
}

fn read_pixels(
    text: &str,
    default: &str,
    size: (usize, usize),
    levels: u8,
    may_miss: bool,
) -> Result<Value, String> {
    if text.is_empty() && default.is_empty() {
        return Ok(Value::Pixels(None));
    }
    let picture = Pixels::parse(text, size, levels).ok_or_else(|| default.to_owned())?;
    let mut filled = picture.clone();
    if !may_miss {
        filled.fill_missing();
    }
    if filled == picture { Ok(Value::Pixels(Some(picture))) } else { Err(filled.to_string()) }
}

/// Largest number of characters of a file name with its hash.
const MAX_NAME: usize = 300;

/// Returns at most `most` characters without control characters, trimmed.
fn plain(text: &str, most: usize) -> String {
    let line: String = text.chars().filter(|c| !c.is_control()).take(most).collect();
    line.trim().to_owned()
}

/// Reads a number or a spelling of infinity, but not NaN.
pub fn read_real(text: &str) -> Option<f64> {
    match text {
        "inf" | "∞" | "infinity" | "Infinity" => Some(f64::INFINITY),
        _ => decimal(text).filter(|x| !x.is_nan()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_or_replaced_by_the_nearest() {
        const LABELS: &[(f64, &str)] = &[(1.0, "+1"), (-1.0, "−1")];
        let kind = |labels| Kind::Points { x: (-2.0, 2.0), y: (0.0, 5.0), labels, number: (2, 3) };
        let read = |text: &str| kind(LABELS).read(text, "");
        assert_eq!(read(""), Ok(Value::Labelled(Vec::new())));
        let two = "0,1,1,-2,5,-1";
        assert_eq!(read(two), Ok(Value::Labelled(vec![[0.0, 1.0, 1.0], [-2.0, 5.0, -1.0]])));
        assert_eq!(read(two).unwrap().to_string(), two);
        for wrong in ["0,1,1,-3,7,-0.5", "0,1,1,-2,5,-1,2", "0,1,1,-2,5,-1,2,3", "0,1,1,-2,5,-1,x"] {
            assert_eq!(read(wrong), Err(two.to_owned()), "{wrong}");
        }
        let four = [two, two].join(",");
        assert_eq!(read(&four), Err(format!("{two},0,1,1")));
        assert_eq!(read("0,1,1"), Err(String::new()), "one point is too few");
        assert_eq!(kind(&[]).read("1,2,3,4", ""), Err("1,2,2,4".to_owned()));
        assert_eq!(kind(&[]).read("1,2,2,4", ""), Ok(Value::Points(vec![[1.0, 2.0], [2.0, 4.0]])));
        assert_eq!(kind(&[]).read("", "1,2,2,4"), Err("1,2,2,4".to_owned()), "the default is not empty");
    }
}
