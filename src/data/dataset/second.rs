//! Rows of a second table, to be predicted.

use super::{Dataset, RowRole, Target};
use crate::error::ColumnError;
use crate::inputs;
use crate::missing::{MissingPolicy, complete_rows, fill, retain, retain_rows};
use crate::table::Table;

impl Dataset {
    /// Appends the rows of another table, with unknown targets. Their inputs are found by name and scaled like the others.
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
            Target::Classes { codes, .. } => codes.resize(rows, None),
            Target::Numbers(numbers) => numbers.resize(rows, f64::NAN),
            Target::None => {}
        }
        Ok(())
    }
}
