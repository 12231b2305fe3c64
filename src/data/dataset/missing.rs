//! Treatment of missing inputs in a data set.

use super::{Dataset, RowRole, Target};
use crate::error::ColumnError;
use crate::missing::{MissingPolicy, complete_rows, fill, retain, retain_rows};
use crate::name_list::join_names;
use crate::table::Table;

impl Dataset {
    /// Asks about columns whose cells seem to be merged, if missing inputs are refused.
    ///
    /// # Errors
    /// Of the field `fill_down`, with these columns.
    pub(super) fn check_merged(&self, table: &Table, missing: MissingPolicy) -> Result<(), ColumnError> {
        let is_input = |name: &&String| self.coding.iter().any(|input| input.column == **name);
        let merged: Vec<&str> = table.merged.iter().filter(is_input).map(String::as_str).collect();
        let Some(name) = merged.first().filter(|_| missing == MissingPolicy::Refuse) else { return Ok(()) };
        Err(ColumnError {
            field: "fill_down",
            given: String::new(),
            accepted: format!(
                "Most cells of column “{name}” are empty under a word, as where cells were merged. Fill them down?"
            ),
            nearest: Some(join_names(merged)),
        })
    }

    /// Refuses or skips rows with missing inputs. Imputation is done later by [`Self::impute`].
    ///
    /// # Errors
    /// Of the field `missing`, with the first missing cell, if such rows are refused; of the field `data`, if no row is left.
    pub(super) fn treat_missing(&mut self, missing: MissingPolicy) -> Result<(), ColumnError> {
        let complete = complete_rows(&self.inputs, self.width());
        let incomplete = complete.iter().filter(|complete| !**complete).count();
        let Some(row) = complete.iter().position(|complete| !complete) else { return Ok(()) };
        match missing {
            MissingPolicy::Impute => Ok(()),
            MissingPolicy::Refuse => {
                let input = self.row(row).iter().position(|x| x.is_nan()).unwrap_or_default();
                let (line, name) = (self.lines[row], &self.coding[input].column);
                // Skipping a row loses its other inputs as well.
                let loses_others =
                    (0..self.rows()).any(|i| !complete[i] && self.row(i).iter().any(|x| !x.is_nan()));
                let rows =
                    if incomplete == 1 { "1 row has".into() } else { format!("{incomplete} rows have") };
                Err(ColumnError {
                    field: "missing",
                    given: String::new(),
                    accepted: format!(
                        "skip or impute: {rows} missing inputs, the first in row {line}, column “{name}”"
                    ),
                    nearest: Some(if loses_others { "impute" } else { "skip" }.into()),
                })
            }
            MissingPolicy::Skip => {
                self.skipped += incomplete;
                self.retain(&complete);
                if self.rows() == 0 {
                    return Err(ColumnError::of_table(
                        "a row without missing inputs is needed; every row has one",
                    ));
                }
                Ok(())
            }
        }
    }

    /// Retains the marked rows.
    fn retain(&mut self, kept: &[bool]) {
        let width = self.width();
        retain_rows(&mut self.inputs, width, kept);
        retain(&mut self.lines, kept);
        retain(&mut self.groups, kept);
        self.carried.retain(kept);
        retain(&mut self.roles, kept);
        match &mut self.target {
            Target::Classes { codes, .. } => retain(codes, kept),
            Target::Numbers(numbers) => retain(numbers, kept),
            Target::None => {}
        }
    }

    /// Replaces missing inputs with their means over the training rows, and stores the means for a second table.
    ///
    /// # Errors
    /// Returns an error of the field `data` if an input is missing in every training row.
    pub(crate) fn impute(&mut self) -> Result<(), ColumnError> {
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let means = (0..self.width()).map(|j| {
            let known: Vec<f64> = train.iter().map(|i| self.row(*i)[j]).filter(|x| !x.is_nan()).collect();
            if known.is_empty() {
                return Err(ColumnError::of_table(format!(
                    "column “{}” is missing in every training row; ignore it",
                    self.coding[j].column
                )));
            }
            // In units of the largest number, so that the sum does not overflow.
            let unit = known.iter().fold(0.0_f64, |most, x| most.max(x.abs())).max(f64::MIN_POSITIVE);
            Ok(known.iter().map(|x| x / unit).sum::<f64>() / known.len() as f64 * unit)
        });
        let means = means.collect::<Result<Vec<_>, _>>()?;
        self.imputed += fill(&mut self.inputs, &means, &self.coding);
        self.means = means;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, ColumnChoices, TargetKind};

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn set(text: &str, missing: MissingPolicy) -> Result<Dataset, ColumnError> {
        let choices = ColumnChoices { missing, ..ColumnChoices::default() };
        Dataset::from_table(&read(text), choices, TargetKind::TwoClasses)
    }

    #[test]
    fn missing_inputs_are_refused_skipped_or_imputed() {
        let text = "a,c,y\n1,u,0\n,v,1\n5,,1\n3,w,0\n";
        let error = set(text, MissingPolicy::Refuse).unwrap_err();
        assert_eq!((error.field, error.nearest.as_deref()), ("missing", Some("impute")));
        assert!(
            error.accepted.contains("2 rows have missing inputs, the first in row 3, column “a”"),
            "{}",
            error.accepted
        );
        let skipped = set(text, MissingPolicy::Skip).unwrap();
        assert_eq!((skipped.skipped, skipped.lines.as_slice()), (2, &[2, 5][..]));
        assert_eq!((skipped.sign(0), skipped.sign(1), skipped.roles.len()), (-1.0, -1.0, 2));
        let mut imputed = set(text, MissingPolicy::Impute).unwrap();
        imputed.impute().unwrap();
        assert_eq!(imputed.imputed, 2, "cells of the table, not indicators");
        assert_eq!(imputed.row(1)[0], 3.0);
        assert!(imputed.row(2)[1..].iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-15));
        assert!(set(",u,0\n1,,1\n", MissingPolicy::Skip).is_err(), "no row is left");
    }

    #[test]
    fn further_texts_for_missing_values_can_be_given() {
        let table =
            read("a,c,y\n-999,none,0\n2,v,1\n3,w,unknown\n").with_missing("-999.0,none,unknown").into_owned();
        let choices = ColumnChoices { missing: MissingPolicy::Impute, ..ColumnChoices::default() };
        let set = Dataset::from_table(&table, choices, TargetKind::TwoClasses).unwrap();
        assert!(set.row(0).iter().all(|x| x.is_nan()));
        assert_eq!(set.of(RowRole::Unlabelled).collect::<Vec<_>>(), [2]);
        let mixed = read("a,y\n1,0\nnone,1\n2.5,1\n").with_missing("none").into_owned();
        assert!(
            matches!(&mixed.columns[0], Column::Numbers(x) if x[0] == 1.0 && x[1].is_nan() && x[2] == 2.5)
        );
    }
}
