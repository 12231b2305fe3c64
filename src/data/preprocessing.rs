//! Summary of the preprocessing of a table.

use serde::{Deserialize, Serialize};

use super::dataset::Dataset;
use super::split::RowRole;

/// Preprocessing of the rows and columns of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preprocessing {
    /// Columns of words with their numbers of indicators.
    pub words: Vec<(String, usize)>,
    /// Number of validation rows.
    pub validation: usize,
    /// Number of rows that were skipped because of a missing input.
    pub skipped: usize,
    /// Number of missing cells that were replaced by a mean over the training rows.
    pub imputed: usize,
    /// Number of rows that were skipped because of another number of cells.
    pub malformed: usize,
}

impl Preprocessing {
    /// Summarises the preprocessing of a data set.
    pub fn of(set: &Dataset) -> Self {
        let mut words: Vec<(String, usize)> = Vec::new();
        for input in set.coding.iter().filter(|input| input.word.is_some()) {
            match words.last_mut().filter(|(name, _)| *name == input.column) {
                Some((_, indicators)) => *indicators += 1,
                None => words.push((input.column.clone(), 1)),
            }
        }
        Self {
            words,
            validation: set.of(RowRole::Validation).count(),
            skipped: set.skipped,
            imputed: set.imputed,
            malformed: set.malformed,
        }
    }

    /// Returns the summary as sentences, each preceded by a blank; empty without preprocessing.
    pub fn remarks(&self) -> String {
        let rows = |count: usize, how: &str| match count {
            0 => String::new(),
            1 => format!(" 1 row {}.", how.replace("{are}", "is")),
            _ => format!(" {count} rows {}.", how.replace("{are}", "are")),
        };
        let words = self.words.iter().map(|(name, indicators)| match indicators {
            1 => format!(" Column {name} is used as an indicator (0 or 1)."),
            _ => format!(" Column {name} is used as {indicators} indicators (0 or 1)."),
        });
        let imputed = match self.imputed {
            0 => String::new(),
            1 => " 1 missing cell is imputed by a mean of the training rows.".to_owned(),
            cells => format!(" {cells} missing cells are imputed by means of the training rows."),
        };
        words.collect::<String>()
            + &rows(self.validation, "for validation {are} left out")
            + &rows(self.skipped, "with missing inputs {are} skipped")
            + &imputed
            + &rows(self.malformed, "whose number of cells differs from the first {are} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnChoices, MissingPolicy, Table, TargetKind};

    #[test]
    fn remarks_state_all_counts() {
        let table =
            Table::read(b"a,c,part,y\n1,u,train,0\n2,v,train,1\n,w,test,1\n3,u,val,1\n4,5\n").unwrap();
        let choices =
            ColumnChoices { missing: MissingPolicy::Skip, skip_malformed: true, ..ColumnChoices::default() };
        let preprocessing =
            Preprocessing::of(&Dataset::from_table(&table, choices, TargetKind::TwoClasses).unwrap());
        assert_eq!(
            preprocessing.remarks(),
            " Column c is used as 3 indicators (0 or 1). 1 row for validation is left out. 1 row with missing inputs is skipped. \
             1 row whose number of cells differs from the first is skipped."
        );
        assert_eq!(Preprocessing::default().remarks(), "");
        let imputed = Preprocessing { imputed: 3, skipped: 2, ..Preprocessing::default() };
        assert!(imputed.remarks().ends_with("3 missing cells are imputed by means of the training rows."));
    }
}
