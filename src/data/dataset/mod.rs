//! A table as examples: inputs, what is to be learnt of them, and which rows are learnt from.

use serde::{Deserialize, Serialize};

use super::inputs::CodedInput;
use super::missing::{MissingPolicy, complete, fill, retain, retain_rows};
use super::scaling::Scaling;
use super::{ColumnError, Table};

/// Examples, one per row.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// m×N, one example a row.
    pub inputs: Vec<f64>,
    /// Names of the N inputs, in the order of the file.
    pub names: Vec<String>,
    /// What each of them is made of.
    pub coding: Vec<CodedInput>,
    /// Names of columns that are the same in every training row and were left out for that.
    pub constant: Vec<String>,
    /// What is to be learnt.
    pub target: Target,
    /// Name of the target's column; empty without one.
    pub label: String,
    /// What each row is for.
    pub parts: Vec<RowRole>,
    /// Where each row stands in its file, as a text editor counts lines.
    pub lines: Vec<usize>,
    /// The column that identifies rows, and what stands in it, if there is one.
    pub ids: Option<RowIds>,
    /// The column that says which rows are learnt from, if one does.
    pub split: Option<String>,
    /// How inputs, and a numeric target, were standardised, if they were.
    pub scaling: Option<Scaling>,
    /// Rows that were left out, since an input is missing.
    pub skipped: usize,
    /// Cells that were missing and have the mean of the training rows.
    pub imputed: usize,
    /// These means, one an input; none where nothing is imputed.
    pub(super) means: Vec<f64>,
    /// Rows that were left out, since they have another number of cells than the first.
    pub malformed: usize,
}

/// What identifies rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowIds {
    /// Name of the column.
    pub name: String,
    /// Its cells, one per row; empty where one is missing.
    pub cells: Vec<String>,
}

/// What is to be learnt: classes, numbers, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One of two classes or more.
    Classes {
        /// What they are called in the file. Of two the second is +1.
        names: Vec<String>,
        /// Which of them each row has; `None` where that is not known.
        codes: Vec<Option<u32>>,
    },
    /// A number a row; NaN where it is not known.
    Numbers(Vec<f64>),
    /// Nothing: all columns are inputs.
    None,
}

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowRole {
    /// It is learnt from.
    Train,
    /// Its target is known and kept aside.
    Test,
    /// The same, but for choosing settings by: neither learnt from nor predicted.
    Validation,
    /// Its target is not known: it is predicted.
    Unlabelled,
    /// It is predicted, and from the second file.
    Second,
    /// Neither: there are more rows than are needed for a test.
    Unused,
}

/// Which columns a person has chosen for what; empty where nothing is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnChoices<'a> {
    /// The target; by default the last column.
    pub label: &'a str,
    /// Which of two classes is +1; by default the last of `Column::distinct`.
    pub positive: &'a str,
    /// Columns that are no inputs, separated by commas.
    pub ignore: &'a str,
    /// A column that is no input and identifies rows.
    pub id: &'a str,
    /// What tells training from test rows; by default the only column of such words.
    pub split: &'a str,
    /// What is done about missing inputs.
    pub missing: MissingPolicy,
    /// Texts that mean a missing value, besides the usual ones, separated by commas.
    pub codes: &'a str,
    /// Whether rows with another number of cells than the first are left out, and not refused.
    pub skip_malformed: bool,
}

/// What a method can learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// One of two classes; of more, the one that is chosen as +1 and all others.
    TwoClasses,
    /// The same, or all of more classes where none is chosen.
    Classes,
    /// A number.
    Numbers,
    /// Nothing.
    NoTarget,
}

impl Dataset {
    /// Number of inputs N.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Number of rows m.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// Inputs of one row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.inputs[i * self.width()..(i + 1) * self.width()]
    }

    /// Indices of the rows that are for that.
    pub fn of(&self, part: RowRole) -> impl Iterator<Item = usize> {
        self.parts.iter().enumerate().filter(move |(_, p)| **p == part).map(|(i, _)| i)
    }

    /// What identifies the rows of these parts, one part after the other; `None` where no column does.
    pub fn ids_of(&self, parts: &[RowRole]) -> Option<RowIds> {
        let RowIds { name, cells } = self.ids.as_ref()?;
        let cells = parts.iter().flat_map(|part| self.of(*part)).map(|i| cells[i].clone()).collect();
        Some(RowIds { name: name.clone(), cells })
    }

    /// Names of the classes, in their order; none where the target is none of classes.
    pub fn classes(&self) -> &[String] {
        match &self.target {
            Target::Classes { names, .. } => names,
            Target::Numbers(_) | Target::None => &[],
        }
    }

    /// Which of the classes a row has; `None` where that is not known.
    pub fn class(&self, i: usize) -> Option<usize> {
        match &self.target {
            Target::Classes { codes, .. } => codes[i].map(|code| code as usize),
            Target::Numbers(_) | Target::None => None,
        }
    }

    /// The label of a row where there are two classes: ±1, or 0 where it is not known.
    pub fn sign(&self, i: usize) -> f64 {
        self.class(i).map_or(0.0, |class| if class == 0 { -1.0 } else { 1.0 })
    }

    /// Puts the rows of another table under these, to be predicted.
    ///
    /// # Errors
    /// Of the field `data`, which column it lacks, or which of its cells cannot be read.
    pub fn append(&mut self, table: &Table, missing: MissingPolicy) -> Result<(), ColumnError> {
        let mut inputs = table.cells(&self.coding)?;
        let width = self.width();
        let mut lines = table.lines.clone();
        let mut ids = self.ids.as_ref().map(|ids| table.texts(&ids.name));
        match missing {
            MissingPolicy::Refuse => {
                if let Some(place) = inputs.iter().position(|x| x.is_nan()) {
                    let (line, name) = (table.lines[place / width], &self.coding[place % width].column);
                    return Err(ColumnError {
                        field: "data",
                        given: String::new(),
                        accepted: format!(
                            "row {line}, column “{name}” is missing; fill it, or choose what to do about missing values"
                        ),
                        nearest: None,
                    });
                }
            }
            MissingPolicy::Skip => {
                let complete = complete(&inputs, width);
                self.skipped += complete.iter().filter(|complete| !**complete).count();
                retain_rows(&mut inputs, width, &complete);
                retain(&mut lines, &complete);
                if let Some(ids) = &mut ids {
                    retain(ids, &complete);
                }
            }
            MissingPolicy::Impute => self.imputed += fill(&mut inputs, &self.means, &self.coding),
        }
        if let Some(scaling) = &self.scaling {
            scaling.standardise_rows(&mut inputs);
        }
        self.inputs.extend(inputs);
        self.lines.extend(lines);
        if let Some(known) = &mut self.ids {
            known.cells.extend(ids.into_iter().flatten());
        }
        let rows = self.lines.len();
        self.parts.resize(rows, RowRole::Second);
        match &mut self.target {
            Target::Classes { codes, .. } => codes.resize(rows, None),
            Target::Numbers(numbers) => numbers.resize(rows, f64::NAN),
            Target::None => {}
        }
        Ok(())
    }

    /// Leaves out the inputs that are the same in every training row; without them they have no unit to be measured in, and
    /// nothing to say.
    ///
    /// # Errors
    /// If none is left.
    pub fn leave_out_constants(&mut self) -> Result<(), ColumnError> {
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let changes = |j: &usize| {
            let mut column = train.iter().map(|i| self.row(*i)[*j]);
            let first = column.next();
            column.any(|x| Some(x) != first)
        };
        let (kept, constant): (Vec<usize>, Vec<usize>) = (0..self.width()).partition(changes);
        let names = |places: &[usize]| places.iter().map(|j| self.names[*j].clone()).collect::<Vec<_>>();
        let coding = kept.iter().map(|j| self.coding[*j].clone()).collect();
        let means = kept.iter().filter_map(|j| self.means.get(*j).copied()).collect();
        let (names, constant) = (names(&kept), names(&constant));
        if kept.is_empty() {
            return Err(ColumnError {
                field: "data",
                given: constant.join(","),
                accepted: "an input column that changes from one training row to another is needed".into(),
                nearest: None,
            });
        }
        if !constant.is_empty() {
            let width = self.width();
            self.inputs =
                self.inputs.chunks_exact(width).flat_map(|row| kept.iter().map(|j| row[*j])).collect();
            self.names = names;
            self.coding = coding;
            self.means = means;
            self.constant = constant;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
