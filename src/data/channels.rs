//! A table as measurements of several channels, where nothing is to be predicted and cells may be missing.

use super::column_roles::refused;
use super::columns::{entries, entry};
use super::dataset::RowIds;
use super::{Column, ColumnError, Table};

/// The columns of numbers that vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Channels {
    /// Their names, m.
    pub names: Vec<String>,
    /// Names of columns that were left out: they have the same number in every row that has one.
    pub constant: Vec<String>,
    /// T rows of m; NaN where a cell is missing.
    pub rows: Vec<Vec<f64>>,
    /// What identifies the rows, if a column does.
    pub ids: Option<RowIds>,
    /// Where each row begins, as a text editor counts lines.
    pub lines: Vec<usize>,
    /// Rows that were left out, since they have another number of cells than the first.
    pub malformed: usize,
}

impl Table {
    /// All columns but those in the list `ignore` and the column `id`.
    ///
    /// # Errors
    /// Which of the fields `data`, `ignore` and `id` does not fit, and what would.
    pub fn channels(&self, ignore: &str, id: &str, skip_malformed: bool) -> Result<Channels, ColumnError> {
        self.check_malformed(skip_malformed)?;
        let ignored = entries(ignore);
        self.check_ignored(&ignored)?;
        let is_left = |c: &usize| !ignored.contains(&self.names[*c].as_str());
        let mut left: Vec<usize> = (0..self.names.len()).filter(is_left).collect();
        let ids = self.ids(id, &left)?;
        left.retain(|c| self.names[*c] != id);
        self.check_numeric(&left, &ignored)?;
        let (mut names, mut constant, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for c in left {
            let (name, Column::Numbers(numbers)) = (&self.names[c], &self.columns[c]) else { continue };
            let mut seen = numbers.iter().filter(|x| x.is_finite());
            let first = seen.next();
            if seen.all(|x| Some(x) == first) {
                constant.push(name.clone());
            } else {
                names.push(name.clone());
                columns.push(numbers);
            }
        }
        if columns.is_empty() {
            return Err(refused("a column of different numbers must be left".into()));
        }
        let rows = (0..self.rows()).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
        Ok(Channels {
            names,
            constant,
            rows,
            ids,
            lines: self.lines.clone(),
            malformed: self.malformed.len(),
        })
    }

    /// Whether the columns `left` are of numbers; those of words are to be ignored, or mended.
    fn check_numeric(&self, left: &[usize], ignored: &[&str]) -> Result<(), ColumnError> {
        let is_words = |c: &usize| matches!(self.columns[*c], Column::Text { .. });
        let words: Vec<usize> = left.iter().copied().filter(is_words).collect();
        let Some(first) = words.first() else { return Ok(()) };
        if words.len() == left.len() {
            return Err(refused(self.why_not_numeric(*first)));
        }
        let all = ignored.iter().copied().chain(words.iter().map(|c| self.names[*c].as_str()));
        Err(ColumnError {
            field: "ignore",
            given: ignored.join(","),
            accepted: format!("all columns of words as well: {}", self.why_not_numeric(*first)),
            nearest: Some(all.map(entry).collect::<Vec<_>>().join(",")),
        })
    }

    /// Why a column of words is no channel.
    fn why_not_numeric(&self, c: usize) -> String {
        self.why_no_input(c).unwrap_or_else(|| {
            format!(
                "column “{}” holds words, and channels have to be numeric; ignore this column{}",
                self.names[c],
                self.header_hint(c)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_cells_stay_and_constant_columns_go() {
        let table = Table::read(b"a,b,c,d\n1,,7,x\n2,5,7,y\n3,6,,z\n").unwrap();
        let channels = table.channels("d", "", false).unwrap();
        assert_eq!(channels.names, ["a", "b"]);
        assert_eq!(channels.constant, ["c"]);
        assert!(channels.rows[0][1].is_nan() && channels.rows[2] == [3.0, 6.0]);
        let words = table.channels("a", "", false).unwrap_err();
        assert_eq!((words.field, words.nearest.as_deref()), ("ignore", Some("a,d")));
        assert_eq!(table.channels("e", "", false).unwrap_err().field, "ignore");
        assert_eq!(table.channels("a,b,d", "", false).unwrap_err().field, "data", "nothing varies");
        let named = table.channels("", "d", false).unwrap();
        let ids = named.ids.unwrap();
        assert_eq!((named.names.join(""), ids.name.as_str()), ("ab".into(), "d"));
        assert_eq!(ids.cells, ["x", "y", "z"]);
        let misfit = table.channels("", "e", false).unwrap_err();
        assert_eq!((misfit.field, misfit.nearest.as_deref()), ("id", Some("")));
    }
}
