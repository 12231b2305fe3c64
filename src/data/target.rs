//! The target of a data set: what is to be learnt.

use super::advice::check_misfits;
use super::default_roles::default_positive;
use super::error::{ColumnError, listed};
use super::facts::ColumnFacts;
use super::reader::any_number;
use super::table::{Column, Table};

/// Name of the negative class if it consists of several values.
pub const OTHERS: &str = "other";

/// Targets of the rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One of two or more classes.
    Classes {
        /// Names of the classes in the file. The second of two is +1.
        names: Vec<String>,
        /// Index of each row's class; `None` if unknown.
        codes: Vec<Option<u32>>,
    },
    /// One number per row; NaN if unknown.
    Numbers(Vec<f64>),
    /// No target: all columns are inputs.
    None,
}

/// The kind of target that a method learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// One of two classes; if the label has more values, the chosen one and all others.
    TwoClasses,
    /// As `TwoClasses`, or all values as classes if none is chosen.
    Classes,
    /// A number.
    Numbers,
    /// No target.
    NoTarget,
}

impl Target {
    /// Reads column `c` as the target. The columns `others` are alternatives to suggest in an error.
    ///
    /// # Errors
    /// Of the fields `label` and `positive`, if the column is not of this kind; of `na`, if a few cells of a numeric target are words.
    pub(super) fn from_column(
        table: &Table,
        c: usize,
        others: &[usize],
        positive: &str,
        kind: TargetKind,
    ) -> Result<Self, ColumnError> {
        match (kind, &table.columns[c]) {
            (TargetKind::NoTarget, _) => Ok(Self::None),
            (TargetKind::Numbers, Column::Numbers(numbers)) => Ok(Self::Numbers(numbers.clone())),
            (TargetKind::Numbers, Column::Text { .. }) => {
                check_misfits(table, &[c])?;
                let is_numeric = |c: &&usize| matches!(table.columns[**c], Column::Numbers(_));
                Err(ColumnError {
                    field: "label",
                    given: table.names[c].clone(),
                    accepted: "a column of numbers".into(),
                    nearest: others.iter().rev().find(is_numeric).map(|c| table.names[*c].clone()),
                })
            }
            (TargetKind::TwoClasses | TargetKind::Classes, _) => classes(table, c, others, positive, kind),
        }
    }

    /// Returns true if the target of a row is known.
    pub(super) fn is_known(&self, row: usize) -> bool {
        match self {
            Self::Classes { codes, .. } => codes[row].is_some(),
            Self::Numbers(numbers) => !numbers[row].is_nan(),
            Self::None => true,
        }
    }
}

/// Reads column `c` as classes. Of several values, the chosen one is set against all others; without a choice, all values are
/// classes if the kind of target allows it.
fn classes(
    table: &Table,
    c: usize,
    others: &[usize],
    positive: &str,
    kind: TargetKind,
) -> Result<Target, ColumnError> {
    let (column, name) = (&table.columns[c], &table.names[c]);
    let mut values = column.distinct(ColumnFacts::FEW);
    let is_several = (3..=ColumnFacts::FEW).contains(&values.len());
    if is_several {
        column.sort_values(&mut values);
    }
    if values.len() == 2 || is_several && !positive.is_empty() {
        return two_classes(column, name, values, positive);
    }
    let can_be_classes = is_several && column.is_of_classes(values.len());
    if can_be_classes && kind == TargetKind::Classes {
        return Ok(Target::Classes { codes: column.indices_in(&values), names: values });
    }
    let has_two = |c: &&usize| table.columns[**c].distinct(2).len() == 2;
    let instead = others.iter().rev().find(has_two).map(|c| table.names[*c].clone());
    if can_be_classes && instead.is_none() {
        return Err(ColumnError {
            field: "positive",
            given: String::new(),
            accepted: format!(
                "one of the values of “{name}”: {}. The others then form one class. Gaussian processes accept all of them",
                listed(&values, 6)
            ),
            nearest: values.pop(),
        });
    }
    let has = if values.is_empty() { "none".to_owned() } else { listed(&values, 6) };
    let numbers = if matches!(column, Column::Numbers(_)) && values.len() > ColumnFacts::FEW {
        ". Numbers are predicted on the pages “Predict” of Gaussian processes and ensemble learning"
    } else {
        ""
    };
    Err(ColumnError {
        field: "label",
        given: name.clone(),
        accepted: format!(
            "a column of two different values, or of up to {} words or whole numbers with at least two rows each on average; this \
             one has {has}{numbers}",
            ColumnFacts::FEW
        ),
        nearest: instead,
    })
}

/// Sets the positive value of a column against the others.
fn two_classes(
    column: &Column,
    name: &str,
    mut values: Vec<String>,
    positive: &str,
) -> Result<Target, ColumnError> {
    let chosen = if positive.is_empty() {
        default_positive(&values)
    } else {
        // 1.0 is the same value as 1.
        let x = any_number(positive);
        values.iter().find(|value| positive == **value || x.is_some() && any_number(value) == x)
    };
    let Some(chosen) = chosen.and_then(|chosen| values.iter().position(|value| value == chosen)) else {
        let accepted = match values.as_slice() {
            [a, b] => format!("one of the two values of “{name}”, {a} or {b}"),
            _ => format!("one of the values of “{name}”: {}", listed(&values, 6)),
        };
        return Err(ColumnError {
            field: "positive",
            given: positive.to_owned(),
            accepted,
            nearest: values.pop(),
        });
    };
    let is_positive = |code: Option<u32>| code.map(|code| u32::from(code as usize == chosen));
    let codes = column.indices_in(&values).into_iter().map(is_positive).collect();
    let other = if values.len() == 2 { values[1 - chosen].clone() } else { OTHERS.to_owned() };
    Ok(Target::Classes { codes, names: vec![other, values.swap_remove(chosen)] })
}
