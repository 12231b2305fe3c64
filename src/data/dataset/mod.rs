//! A table as a data set: inputs, target, and the role of each row.

mod missing;
mod second;
mod standardise;
#[cfg(test)]
mod tests;

use super::carried::CarriedColumns;
use super::column_choices::{ColumnChoices, ColumnIndices};
use super::error::ColumnError;
use super::groups;
use super::inputs::{self, CodedInput};
use super::scaling::Scaling;
use super::split::{RowRole, draw_roles, row_roles};
use super::table::Table;
use super::target::{Target, TargetKind};
use crate::math::random::Stream;

/// A data set of m rows with N inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// Inputs, m×N, row by row.
    pub inputs: Vec<f64>,
    /// Names of the inputs, N, in the order of the file.
    pub names: Vec<String>,
    /// Sources of the inputs, N.
    pub coding: Vec<CodedInput>,
    /// Names of inputs that were removed because they are constant over the training rows.
    pub constant: Vec<String>,
    /// Targets of the rows.
    pub target: Target,
    /// Name of the target's column; empty without a target.
    pub label: String,
    /// Role of each row, m.
    pub roles: Vec<RowRole>,
    /// Line number of each row in its file, m, from 1.
    pub lines: Vec<usize>,
    /// Columns that files of predictions repeat.
    pub carried: CarriedColumns,
    /// Group of each row of the first file. Rows of a group are all training rows or all test rows, and are in the same fold.
    pub groups: Vec<usize>,
    /// Name of the column that separates training from test rows.
    pub split: Option<String>,
    /// Scales of inputs and target, if they were standardised.
    pub scaling: Option<Scaling>,
    /// Number of rows that were skipped because of a missing input.
    pub skipped: usize,
    /// Number of missing cells that were replaced by a mean.
    pub imputed: usize,
    /// Means of the inputs over the training rows, N; empty unless missing inputs are imputed.
    pub(super) means: Vec<f64>,
    /// Number of rows that were skipped because of another number of cells.
    pub malformed: usize,
}

impl Dataset {
    /// Reads a table as a data set. Rows with an unknown target are to be predicted. All others are training rows, unless a column
    /// separates them.
    ///
    /// # Errors
    /// If the choice for `data`, `label`, `positive`, `ignore`, `id`, `group`, `split`, `missing` or `skip_malformed` does not
    /// suit the table.
    pub fn from_table(
        table: &Table,
        choices: ColumnChoices<'_>,
        kind: TargetKind,
    ) -> Result<Self, ColumnError> {
        table.check_doubts()?;
        table.check_malformed(choices.skip_malformed)?;
        let columns = ColumnIndices::new(table, choices, kind)?;
        let target = columns.label.map_or(Ok(Target::None), |c| {
            Target::from_column(table, c, &columns.inputs, choices.positive, kind)
                .map_err(|error| suggest_split_as_label(error, table, &columns, choices))
        })?;
        let coding = inputs::code_columns(table, &columns.inputs, &columns.ignored)?;
        let split = match columns.split {
            Some(c) => row_roles(table, c, choices)?,
            None => vec![RowRole::Train; table.rows()],
        };
        let role = |(row, role)| if target.is_known(row) { role } else { RowRole::Unlabelled };
        let roles = split.into_iter().enumerate().map(role).collect();
        let name = |c: usize| table.names[c].clone();
        let mut set = Self {
            inputs: inputs::values(table, &coding)?,
            names: coding.iter().map(CodedInput::name).collect(),
            coding,
            constant: Vec::new(),
            roles,
            target,
            label: columns.label.map_or(String::new(), name),
            lines: table.lines.clone(),
            carried: CarriedColumns::of(table, choices.id, choices.originals),
            groups: Vec::new(),
            split: columns.split.map(name),
            scaling: None,
            skipped: 0,
            imputed: 0,
            means: Vec::new(),
            malformed: table.malformed.len(),
        };
        let keys = (!choices.group.is_empty()).then(|| table.texts(choices.group));
        set.groups = groups::of_rows(keys.as_deref(), &set.inputs, set.width());
        set.check_merged(table, choices.missing)?;
        set.treat_missing(choices.missing)?;
        Ok(set)
    }

    /// Draws the training rows at random, unless a column separates them: a `fraction` of the rows with a known target, in
    /// proportion to the classes, and at least one row per class. Other rows become test rows, up to a maximum. Groups are drawn as a
    /// whole; the class of a group is that of its first row.
    pub fn draw_split(&mut self, fraction: f64, stream: Stream) {
        if self.split.is_none() {
            let known: Vec<usize> = self.of(RowRole::Train).collect();
            let groups: Vec<usize> = known.iter().map(|row| self.groups[*row]).collect();
            let (firsts, group) = groups::numbered(&groups);
            let classes: Vec<usize> = firsts.iter().map(|i| self.class(known[*i]).unwrap_or(0)).collect();
            let roles = draw_roles(&classes, fraction, stream);
            known.into_iter().zip(group).for_each(|(row, group)| self.roles[row] = roles[group]);
        }
    }

    /// Returns the number of inputs N.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of rows m.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// Returns the inputs of a row, N.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.inputs[i * self.width()..(i + 1) * self.width()]
    }

    /// Returns the indices of the rows with this role.
    pub fn of(&self, role: RowRole) -> impl Iterator<Item = usize> {
        self.roles.iter().enumerate().filter(move |(_, r)| **r == role).map(|(i, _)| i)
    }

    /// Returns the carried columns of the rows with these roles, role by role.
    pub fn carried_by(&self, roles: &[RowRole]) -> CarriedColumns {
        self.carried.of_rows(&roles.iter().flat_map(|role| self.of(*role)).collect::<Vec<_>>())
    }

    /// Returns the names of the classes; none if the target is not a class.
    pub fn classes(&self) -> &[String] {
        match &self.target {
            Target::Classes { names, .. } => names,
            Target::Numbers(_) | Target::None => &[],
        }
    }

    /// Returns the index of a row's class; `None` if unknown.
    pub fn class(&self, i: usize) -> Option<usize> {
        match &self.target {
            Target::Classes { codes, .. } => codes[i].map(|code| code as usize),
            Target::Numbers(_) | Target::None => None,
        }
    }

    /// Returns the label of a row with two classes: ±1, or 0 if unknown.
    pub fn sign(&self, i: usize) -> f64 {
        self.class(i).map_or(0.0, |class| if class == 0 { -1.0 } else { 1.0 })
    }
}

/// Suggests the split column as the label if it follows an unsuitable default label and was itself found by its words.
fn suggest_split_as_label(
    error: ColumnError,
    table: &Table,
    columns: &ColumnIndices<'_>,
    choices: ColumnChoices<'_>,
) -> ColumnError {
    let is_default = choices.split.is_empty() && choices.label.is_empty();
    match columns.split.filter(|c| is_default && Some(*c) > columns.label) {
        Some(c) if error.field == "label" => {
            let name = &table.names[c];
            let accepted = format!(
                "{}. “{name}” was taken as the train/test column because of its words: if it is the label, choose it",
                error.accepted
            );
            ColumnError { accepted, nearest: Some(name.clone()), ..error }
        }
        _ => error,
    }
}
