//! A table as measurements of several channels, without a target and with missing cells.

use serde::{Deserialize, Serialize};

use super::advice::check_misfits;
use super::carried::CarriedColumns;
use super::column_choices::{check_id, check_ignored};
use super::error::ColumnError;
use super::inputs::why_no_input;
use super::name_list::split_names;
use super::scaling::varies;
use super::table::{Column, Table};

/// Minimum and maximum number of words in a column whose words are a grouping of the rows.
const GROUPS: (usize, usize) = (2, 6);

/// A column of few words, which groups the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordGroups {
    /// Name of the column.
    pub name: String,
    /// The words, in the order of first use.
    pub words: Vec<String>,
    /// Index of the word of each row, T; `None` if missing.
    pub of_row: Vec<Option<u32>>,
}

/// The columns of varying numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Channels {
    /// Names of the channels, m.
    pub names: Vec<String>,
    /// Names of columns that were left out because all their numbers are equal.
    pub constant: Vec<String>,
    /// Names of columns that were left out because they hold words or nothing.
    pub without_numbers: Vec<String>,
    /// The first column of two to six words, even if it is ignored; `None` if there is none.
    pub groups: Option<WordGroups>,
    /// Measurements, T rows of m; NaN if missing.
    pub rows: Vec<Vec<f64>>,
    /// Columns that saved files repeat, for the rows and then for those of the second table.
    pub carried: CarriedColumns,
    /// Line number of each row in the file, T, from 1.
    pub lines: Vec<usize>,
    /// Measurements of the rows of a second table.
    pub second_rows: Vec<Vec<f64>>,
    /// Line numbers of the rows of the second table.
    pub second_lines: Vec<usize>,
    /// Number of rows that were skipped because of another number of cells.
    pub malformed: usize,
}

impl Channels {
    /// Reads all columns of numbers of a table except those in the list `ignore` and the column `id`; saved files repeat the `originals`
    /// on request.
    ///
    /// # Errors
    /// Of the fields `data`, `ignore`, `id` and `skip_malformed`, if a choice does not suit the table.
    pub fn from_table(
        table: &Table,
        ignore: &str,
        id: &str,
        skip_malformed: bool,
        originals: bool,
    ) -> Result<Self, ColumnError> {
        table.check_doubts()?;
        table.check_malformed(skip_malformed)?;
        let ignored = split_names(ignore);
        check_ignored(table, &ignored)?;
        let is_left = |c: &usize| !ignored.contains(&table.names[*c].as_str());
        let mut left: Vec<usize> = (0..table.names.len()).filter(is_left).collect();
        check_id(table, id, &left)?;
        left.retain(|c| table.names[*c] != id);
        let without_numbers = columns_without_numbers(table, &left)?;
        let (mut names, mut constant, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for c in left {
            let (name, Column::Numbers(numbers)) = (&table.names[c], &table.columns[c]) else { continue };
            if varies(numbers.iter().copied()) {
                names.push(name.clone());
                columns.push(numbers);
            } else {
                constant.push(name.clone());
            }
        }
        if columns.is_empty() {
            return Err(ColumnError::of_table("a column of different numbers must be left"));
        }
        let row = |row: usize| columns.iter().map(|column| column[row]).collect();
        Ok(Self {
            names,
            constant,
            without_numbers,
            groups: groups(table, id),
            rows: (0..table.rows()).map(row).collect(),
            carried: CarriedColumns::of(table, id, originals),
            lines: table.lines.clone(),
            second_rows: Vec::new(),
            second_lines: Vec::new(),
            malformed: table.malformed.len(),
        })
    }

    /// Appends the rows of a second table; its channels are found by name.
    ///
    /// # Errors
    /// Returns an error of the field `data` if the table lacks a channel or a channel holds words; of the field `skip_malformed`.
    pub fn append(&mut self, table: &Table, skip_malformed: bool) -> Result<(), ColumnError> {
        table.check_malformed(skip_malformed)?;
        let column = |name: &String| match table.names.iter().position(|other| other == name) {
            None => Err(ColumnError::of_table(format!("it has no column “{name}”"))),
            Some(c) => match &table.columns[c] {
                Column::Numbers(numbers) => Ok(numbers),
                Column::Text { levels, .. } if levels.is_empty() => {
                    Err(ColumnError::of_table(format!("column “{name}” is empty; enter at least one number")))
                }
                Column::Text { .. } => Err(ColumnError::of_table(why_not_numeric(table, c))),
            },
        };
        let columns = self.names.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let row = |row: usize| columns.iter().map(|column| column[row]).collect();
        self.second_rows.extend((0..table.rows()).map(row));
        self.second_lines.extend(&table.lines);
        self.carried.append(table, &vec![true; table.rows()]);
        self.malformed += table.malformed.len();
        Ok(())
    }
}

/// Returns the names of the columns of words and of the empty columns among those that are left.
///
/// # Errors
/// Of the field `data`, if all of them hold words, or if words in some lines of a column of numbers are probably mistakes.
fn columns_without_numbers(table: &Table, left: &[usize]) -> Result<Vec<String>, ColumnError> {
    let is_words = |c: &usize| matches!(table.columns[*c], Column::Text { .. });
    let words: Vec<usize> = left.iter().copied().filter(is_words).collect();
    check_misfits(table, &words)?;
    match words.first() {
        Some(first) if words.len() == left.len() => {
            Err(ColumnError::of_table(why_not_numeric(table, *first)))
        }
        _ => Ok(words.into_iter().map(|c| table.names[c].clone()).collect()),
    }
}

/// Returns the first column of few words, other than `id`, in which each word has at least two rows on average.
fn groups(table: &Table, id: &str) -> Option<WordGroups> {
    let of_column = |(name, column): (&String, &Column)| {
        let Column::Text { levels, codes } = column else { return None };
        let is_grouping = (GROUPS.0..=GROUPS.1).contains(&levels.len()) && 2 * levels.len() <= codes.len();
        (is_grouping && name != id).then(|| WordGroups {
            name: name.clone(),
            words: levels.clone(),
            of_row: codes.clone(),
        })
    };
    table.names.iter().zip(&table.columns).find_map(of_column)
}

/// Returns the reason why a column of words cannot be a channel.
fn why_not_numeric(table: &Table, c: usize) -> String {
    why_no_input(table, c).unwrap_or_else(|| {
        format!(
            "column “{}” holds words, and channels have to be numeric; ignore this column",
            table.names[c]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_the_first_column_of_few_words() {
        let table =
            Table::read(b"n,who,a,sex,b\n1,ann,x,f,u\n2,bob,x,m,v\n3,cid,x,,v\n4,dan,x,m,u\n5,eve,x,f,u\n")
                .unwrap();
        let groups = |ignore: &str, id: &str| {
            Channels::from_table(&table, ignore, id, false, false).unwrap().groups.unwrap()
        };
        let found = groups("", "");
        assert_eq!((found.name.as_str(), found.words.join("")), ("sex", "fm".to_owned()));
        assert_eq!(found.of_row, [Some(0), Some(1), None, Some(1), Some(0)]);
        assert_eq!(groups("sex", "").name, "sex", "an ignored column still groups the rows");
        assert_eq!(groups("", "sex").name, "b");
        let none = Table::read(b"n,a\n1,x\n2,y\n3,z\n").unwrap();
        assert_eq!(Channels::from_table(&none, "", "", false, false).unwrap().groups, None);
    }

    #[test]
    fn missing_cells_are_kept_and_constant_columns_left_out() {
        let table = Table::read(b"a,b,c,d\n1,,7,x\n2,5,7,y\n3,6,,z\n").unwrap();
        let channels = Channels::from_table(&table, "d", "", false, false).unwrap();
        assert_eq!(channels.names, ["a", "b"]);
        assert_eq!(channels.constant, ["c"]);
        assert!(channels.rows[0][1].is_nan() && channels.rows[2] == [3.0, 6.0]);
        let words = Channels::from_table(&table, "a", "", false, false).unwrap();
        assert_eq!((words.names, words.without_numbers), (vec!["b".to_owned()], vec!["d".to_owned()]));
        assert_eq!(Channels::from_table(&table, "e", "", false, false).unwrap_err().field, "ignore");
        assert_eq!(
            Channels::from_table(&table, "a,b,d", "", false, false).unwrap_err().field,
            "data",
            "no column varies"
        );
        let named = Channels::from_table(&table, "", "d", false, false).unwrap();
        let ids = named.carried.ids.unwrap();
        assert_eq!((named.names.join(""), ids.name.as_str()), ("ab".into(), "d"));
        assert_eq!(ids.cells, ["x", "y", "z"]);
        let error = Channels::from_table(&table, "", "e", false, false).unwrap_err();
        assert_eq!((error.field, error.nearest.as_deref()), ("id", Some("")));
    }
}
