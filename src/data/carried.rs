//! Columns of a table that files of predictions repeat, so that these join back to the table.

use serde::{Deserialize, Serialize};

use super::missing::retain;
use super::table::Table;

/// A column of the table as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowTexts {
    /// Name of the column.
    pub name: String,
    /// Cells of the column, one per row; empty if missing.
    pub cells: Vec<String>,
}

/// Columns that files of predictions repeat, and the notation of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CarriedColumns {
    /// Identifiers of the rows, if a column was chosen for them.
    pub ids: Option<RowTexts>,
    /// All other columns, on request.
    pub originals: Vec<RowTexts>,
    /// Character between cells.
    pub separator: char,
    /// Sign before the decimals.
    pub decimal: char,
}

impl Default for CarriedColumns {
    fn default() -> Self {
        Self { ids: None, originals: Vec::new(), separator: ',', decimal: '.' }
    }
}

impl CarriedColumns {
    /// Returns the column `id`, unless this is empty, and the other columns if `originals` are requested.
    pub(super) fn of(table: &Table, id: &str, originals: bool) -> Self {
        let texts = |name: &str| RowTexts { name: name.to_owned(), cells: table.texts(name) };
        let others = table.names.iter().filter(|name| originals && *name != id);
        Self {
            ids: (!id.is_empty()).then(|| texts(id)),
            originals: others.map(|name| texts(name)).collect(),
            separator: table.reading.separator.unwrap_or(','),
            decimal: table.reading.decimal,
        }
    }

    /// Returns the identifiers and the other columns of some rows.
    pub(super) fn of_rows(&self, rows: &[usize]) -> Self {
        let part = |column: &RowTexts| RowTexts {
            name: column.name.clone(),
            cells: rows.iter().map(|row| column.cells[*row].clone()).collect(),
        };
        Self {
            ids: self.ids.as_ref().map(part),
            originals: self.originals.iter().map(part).collect(),
            ..*self
        }
    }

    /// Appends the rows of another table that are marked in `kept`; its columns are found by name.
    pub(super) fn append(&mut self, table: &Table, kept: &[bool]) {
        for column in self.ids.iter_mut().chain(&mut self.originals) {
            let mut cells = table.texts(&column.name);
            retain(&mut cells, kept);
            column.cells.extend(cells);
        }
    }

    /// Retains the marked rows.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        let columns = self.ids.iter_mut().chain(&mut self.originals);
        columns.for_each(|column| retain(&mut column.cells, kept));
    }
}

#[cfg(test)]
mod tests {
    use crate::{ColumnChoices, Dataset, MissingPolicy, ReadingChoices, RowRole, Table, TargetKind};

    #[test]
    fn columns_are_carried_as_they_are_written() {
        let read = |text: &str| {
            let choices = ReadingChoices { keeps_text: true, ..ReadingChoices::default() };
            Table::read_as(text.as_bytes(), &choices).unwrap()
        };
        let choices = ColumnChoices {
            id: "code",
            originals: true,
            missing: MissingPolicy::Skip,
            ..ColumnChoices::default()
        };
        let table = read("code;a;y\n1,10;007,50;no\n2,20;;yes\n3,30;NA;yes\n4,40;1.234,5;yes\n");
        let mut set = Dataset::from_table(&table, choices, TargetKind::TwoClasses).unwrap();
        let second = read("note;a;code\nnew;2,0;9,90\n");
        set.append(&second, MissingPolicy::Skip).unwrap();
        let carried = set.carried_by(&[RowRole::Second, RowRole::Train]);
        assert_eq!((carried.separator, carried.decimal), (';', ','));
        assert_eq!(carried.ids.unwrap().cells, ["9,90", "1,10", "4,40"]);
        let originals: Vec<_> =
            carried.originals.iter().map(|column| (column.name.as_str(), column.cells.join("|"))).collect();
        assert_eq!(originals, [("a", "2,0|007,50|1.234,5".to_owned()), ("y", "|no|yes".to_owned())]);
    }
}
