//! What is done about missing inputs: their rows are refused or left out, or a mean stands in for each.

use super::column_roles::refused;
use super::dataset::{Dataset, RowRole};
use super::{CodedInput, ColumnError, Target};

/// What is done about rows in which an input is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingPolicy {
    /// They are refused.
    #[default]
    Refuse,
    /// The rows are left out.
    Skip,
    /// The input's mean over the training rows stands in for it; of a column of words, the share of each.
    Impute,
}

impl Dataset {
    /// Index of the first input in that row that is missing.
    fn hole(&self, row: usize) -> Option<usize> {
        self.row(row).iter().position(|x| x.is_nan())
    }

    /// Does with missing inputs what is wanted of them, but for imputing: see [`Self::impute`].
    ///
    /// # Errors
    /// Of the field `missing`, which cell is the first, and how many rows there are like that; or of the field `data`, if no
    /// row is left.
    pub(super) fn treat_missing(&mut self, missing: MissingPolicy) -> Result<(), ColumnError> {
        let holes: Vec<(usize, usize)> =
            (0..self.rows()).filter_map(|row| Some((row, self.hole(row)?))).collect();
        let Some((row, input)) = holes.first().copied() else { return Ok(()) };
        match missing {
            MissingPolicy::Impute => Ok(()),
            MissingPolicy::Refuse => {
                let (line, name) = (self.lines[row], &self.coding[input].column);
                let rows =
                    if holes.len() == 1 { "1 row has".into() } else { format!("{} rows have", holes.len()) };
                Err(ColumnError {
                    field: "missing",
                    given: String::new(),
                    accepted: format!(
                        "skip or impute: {rows} missing inputs, the first in row {line}, column “{name}”"
                    ),
                    nearest: Some("skip".into()),
                })
            }
            MissingPolicy::Skip => {
                self.skipped += holes.len();
                self.keep(&complete(&self.inputs, self.width()));
                if self.rows() == 0 {
                    return Err(refused("a row without missing inputs is needed; every row has one".into()));
                }
                Ok(())
            }
        }
    }

    /// Keeps some rows only.
    fn keep(&mut self, kept: &[bool]) {
        let width = self.width();
        retain_rows(&mut self.inputs, width, kept);
        retain(&mut self.lines, kept);
        if let Some(ids) = &mut self.ids {
            retain(&mut ids.cells, kept);
        }
        retain(&mut self.parts, kept);
        match &mut self.target {
            Target::Classes { codes, .. } => retain(codes, kept),
            Target::Numbers(numbers) => retain(numbers, kept),
            Target::None => {}
        }
    }

    /// Puts the mean over the training rows where an input is missing, and keeps it for a second table.
    ///
    /// # Errors
    /// If an input is missing in every training row.
    pub(super) fn impute(&mut self) -> Result<(), ColumnError> {
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let means = (0..self.width()).map(|j| {
            let known: Vec<f64> = train.iter().map(|i| self.row(*i)[j]).filter(|x| !x.is_nan()).collect();
            // In units of the largest, so that no sum leaves the range of numbers.
            let unit = known.iter().fold(0.0_f64, |most, x| most.max(x.abs())).max(f64::MIN_POSITIVE);
            let mean = known.iter().map(|x| x / unit).sum::<f64>() / known.len() as f64 * unit;
            if known.is_empty() {
                return Err(refused(format!(
                    "column “{}” is missing in every training row; ignore it",
                    self.coding[j].column
                )));
            }
            Ok(mean)
        });
        let means = means.collect::<Result<Vec<_>, _>>()?;
        self.imputed += fill(&mut self.inputs, &means, &self.coding);
        self.means = means;
        Ok(())
    }
}

/// Which rows of so many inputs have all of them.
pub(super) fn complete(inputs: &[f64], width: usize) -> Vec<bool> {
    inputs.chunks_exact(width).map(|row| row.iter().all(|x| !x.is_nan())).collect()
}

/// Keeps those of the rows of so many inputs that are marked.
pub(super) fn retain_rows(inputs: &mut Vec<f64>, width: usize, kept: &[bool]) {
    let cells: Vec<bool> = kept.iter().flat_map(|kept| std::iter::repeat_n(*kept, width)).collect();
    retain(inputs, &cells);
}

/// Keeps those of the values that are marked.
pub(super) fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| *kept.next().unwrap_or(&false));
}

/// Puts the means where inputs are missing. How many cells of the table that are.
pub(super) fn fill(inputs: &mut [f64], means: &[f64], coding: &[CodedInput]) -> usize {
    let mut cells = 0;
    for row in inputs.chunks_exact_mut(means.len()) {
        let mut last = None;
        for ((x, mean), input) in row.iter_mut().zip(means).zip(coding) {
            if x.is_nan() {
                // The indicators of a column are one cell.
                cells += usize::from(last != Some(&input.column));
                last = Some(&input.column);
                *x = *mean;
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::dataset::{ColumnChoices, TargetKind};
    use super::super::{Column, Table};
    use super::*;

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn set(text: &str, missing: MissingPolicy) -> Result<Dataset, ColumnError> {
        read(text).dataset(ColumnChoices { missing, ..ColumnChoices::default() }, TargetKind::TwoClasses)
    }

    #[test]
    fn missing_inputs_are_refused_skipped_or_imputed() {
        let text = "a,c,y\n1,u,0\n,v,1\n5,,1\n3,w,0\n";
        let why = set(text, MissingPolicy::Refuse).unwrap_err();
        assert_eq!((why.field, why.nearest.as_deref()), ("missing", Some("skip")));
        assert!(
            why.accepted.contains("2 rows have missing inputs, the first in row 3, column “a”"),
            "{}",
            why.accepted
        );
        let skipped = set(text, MissingPolicy::Skip).unwrap();
        assert_eq!((skipped.skipped, skipped.lines.as_slice()), (2, &[2, 5][..]));
        assert_eq!((skipped.sign(0), skipped.sign(1), skipped.parts.len()), (-1.0, -1.0, 2));
        let mut imputed = set(text, MissingPolicy::Impute).unwrap();
        imputed.impute().unwrap();
        assert_eq!(imputed.imputed, 2, "cells of the table, not indicators");
        assert_eq!(imputed.row(1)[0], 3.0);
        assert!(imputed.row(2)[1..].iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-15));
        assert!(set(",u,0\n1,,1\n", MissingPolicy::Skip).is_err(), "no row is left");
    }

    #[test]
    fn codes_of_missing_values_can_be_named() {
        let table =
            read("a,c,y\n-999,none,0\n2,v,1\n3,w,unknown\n").with_missing("-999.0,none,unknown").into_owned();
        let set = table
            .dataset(
                ColumnChoices { missing: MissingPolicy::Impute, ..ColumnChoices::default() },
                TargetKind::TwoClasses,
            )
            .unwrap();
        assert!(set.row(0).iter().all(|x| x.is_nan()));
        assert_eq!(set.of(RowRole::Unlabelled).collect::<Vec<_>>(), [2]);
        let mixed = read("a,y\n1,0\nnone,1\n2.5,1\n").with_missing("none").into_owned();
        assert!(
            matches!(&mixed.columns[0], Column::Numbers(x) if x[0] == 1.0 && x[1].is_nan() && x[2] == 2.5)
        );
    }
}
