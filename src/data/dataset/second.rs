//! Rows of a second table, to be predicted.

use super::{Dataset, RowRole, Target};
use crate::error::ColumnError;
use crate::inputs;
use crate::missing::{MissingPolicy, complete_rows, fill, retain, retain_rows};
use crate::table::Table;
use crate::target::OTHERS;

/// Returns the class among `names` of each row of another table, by its column `label`; `None` where it is unknown.
fn classes(table: &Table, label: &str, names: &[String]) -> Vec<Option<u32>> {
    let Some(c) = table.column_index(label) else { return vec![None; table.rows()] };
    let has_others = names.first().is_some_and(|name| name == OTHERS);
    let codes = table.columns[c].indices_in(names).into_iter().enumerate();
    // With a chosen positive value, all other values are one class.
    let code = |(row, code): (usize, Option<u32>)| match code {
        None if has_others && table.columns[c].is_known(row) => Some(0),
        code => code,
    };
    codes.map(code).collect()
}

impl Dataset {
    /// Appends the rows of another table. Their inputs are found by name and scaled like the others, and so are their classes, if the table
    /// has them; a numeric target is unknown.
    ///
    /// # Errors
    /// Returns an error of the field `data` if the table lacks a column or a cell is missing or not valid.
    pub fn append(&mut self, table: &Table, missing: MissingPolicy) -> Result<(), ColumnError> {
        let mut inputs = inputs::values(table, &self.coding)?;
        let width = self.width();
        let mut lines = table.lines.clone();
        let mut kept = vec![true; table.rows()];
        match missing {
            MissingPolicy::Refuse => {
                if let Some(i) = inputs.iter().position(|x| x.is_nan()) {
                    let (line, name) = (table.lines[i / width], &self.coding[i % width].column);
                    return Err(ColumnError {
                        field: "missing",
                        given: String::new(),
                        accepted: format!(
                            "Row {line}, column “{name}” is missing in the rows to predict. Impute missing inputs?"
                        ),
                        nearest: Some("impute".into()),
                    });
                }
            }
            MissingPolicy::Skip => {
                kept = complete_rows(&inputs, width);
                self.skipped += kept.iter().filter(|complete| !**complete).count();
                retain_rows(&mut inputs, width, &kept);
                retain(&mut lines, &kept);
            }
            MissingPolicy::Impute => self.imputed += fill(&mut inputs, &self.means, &self.coding),
        }
        if let Some(scaling) = &self.scaling {
            scaling.standardise_rows(&mut inputs);
        }
        self.inputs.extend(inputs);
        self.lines.extend(lines);
        self.carried.append(table, &kept);
        let rows = self.lines.len();
        self.roles.resize(rows, RowRole::Second);
        match &mut self.target {
            Target::Classes { codes, names } => {
                let mut second = classes(table, &self.label, names);
                retain(&mut second, &kept);
                codes.extend(second);
            }
            Target::Numbers(numbers) => numbers.resize(rows, f64::NAN),
            Target::None => {}
        }
        Ok(())
    }
}
