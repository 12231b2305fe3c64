//! A table with named columns of numbers or words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::columns::entries;
use super::reader::{Cells, blank, grouped, missing, number, read, without_unit};
use super::{ColumnFacts, ColumnKind, DataProblem, Header, Malformed, TableFacts};
use crate::math::stats::sorted;

/// How many rows the page previews.
const HEAD: usize = 5;

/// Numbers that often stand for a missing value.
const CODES: [f64; 6] = [-99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0];

/// A person's table, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the columns, all different.
    pub names: Vec<String>,
    /// In the order of the file.
    pub columns: Vec<Column>,
    /// Where each row begins, as a text editor counts lines.
    pub lines: Vec<usize>,
    /// Rows with another number of cells, which are not among these.
    pub malformed: Vec<Malformed>,
    /// Cells of the first row of the file.
    pub(super) width: usize,
    /// Whether 1,5 is a number.
    pub(super) decimal_comma: bool,
    pub(super) remarks: Vec<String>,
    pub(super) head: Vec<Vec<String>>,
    pub(super) header: Header,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// A number a row; NaN where it is missing.
    Numbers(Vec<f64>),
    /// A word a row.
    Text {
        /// The different words, in the order of their first use.
        levels: Vec<String>,
        /// Which of them each row has; `None` where it is missing.
        codes: Vec<Option<u32>>,
    },
}

impl Table {
    /// Reads a CSV file: encoding, separator, header, quotes, line breaks, comments and decimal comma are found out. Columns
    /// with nothing in them are left out, rows with another number of cells are set aside.
    ///
    /// # Errors
    /// The first row, and its column, that makes it no table.
    pub fn read(bytes: &[u8]) -> Result<Self, DataProblem> {
        let cells = read(bytes)?;
        let header = cells.header();
        let first = usize::from(header == Header::Found);
        let mut names = names(&cells, header == Header::Found);
        if cells.malformed.len() >= cells.lines.len() {
            whole(&cells.malformed, cells.width, &names)?;
        }
        if cells.lines.len() == first {
            let row = cells.lines.last().copied().unwrap_or(1) + 1;
            return Err(DataProblem {
                row: Some(row),
                column: None,
                why: "there is a header, but no row under it".into(),
            });
        }
        if cells.width < 2 {
            let why = "there is only one column; separate columns by commas, semicolons or tabs".to_owned();
            return Err(DataProblem { row: Some(1), column: names.pop(), why });
        }
        let rows = first..cells.lines.len();
        let empty = |c: &usize| rows.clone().all(|r| cells.get(r, *c).is_empty());
        let (empty, kept): (Vec<usize>, Vec<usize>) = (0..cells.width).partition(empty);
        if kept.is_empty() {
            return Err(DataProblem { row: Some(1), column: None, why: "all cells are empty".into() });
        }
        let mut past = Vec::new();
        let column = |c: &usize| {
            let (column, is_past) = Column::of(&cells, rows.clone(), *c);
            past.extend(is_past.then_some(names[*c].as_str()));
            column
        };
        let columns: Vec<Column> = kept.iter().map(column).collect();
        let head = rows.clone().take(HEAD);
        let head = head.map(|r| kept.iter().map(|c| cells.get(r, *c).to_owned()).collect()).collect();
        let mut remarks = cells.remarks.clone();
        remarks.extend(left_out(&empty.iter().map(|c| names[*c].as_str()).collect::<Vec<_>>()));
        remarks.extend(set_aside(&cells.malformed, cells.width));
        remarks.extend(read_past(&past));
        let nameless = |c: usize| header == Header::Found && cells.get(0, c).is_empty();
        let is_id = |(c, column): &(&usize, &Column)| {
            (nameless(**c) || names_an_id(&names[**c])) && column.differs_in_every_row()
        };
        let ids: Vec<&str> =
            kept.iter().zip(&columns).filter(is_id).map(|(c, _)| names[*c].as_str()).collect();
        remarks.extend(identify(&ids));
        let named = || kept.iter().map(|c| names[*c].as_str()).zip(&columns);
        remarks.extend(CODES.iter().filter_map(|code| {
            let has = |(name, column): (_, &Column)| column.has_code(*code).then_some(name);
            may_be_missing(*code, &named().filter_map(has).collect::<Vec<_>>())
        }));
        remarks.extend(named().filter_map(|(name, column)| column.variants(name)));
        let mixed = |(c, column): (&usize, &Column)| match column {
            Column::Text { .. } => not_numbers(&cells, rows.clone(), *c, &names[*c]),
            Column::Numbers(_) => None,
        };
        remarks.extend(kept.iter().zip(&columns).filter_map(mixed));
        let names = kept.iter().map(|c| std::mem::take(&mut names[*c])).collect();
        let lines = cells.lines[rows].to_vec();
        let (malformed, width, decimal_comma) = (cells.malformed, cells.width, cells.decimal_comma);
        Ok(Self { names, columns, lines, malformed, width, decimal_comma, remarks, head, header })
    }

    /// Whether no row was set aside, for who has no means to be told that it may be.
    ///
    /// # Errors
    /// The first row that has another number of cells.
    pub fn whole(&self) -> Result<(), DataProblem> {
        whole(&self.malformed, self.width, &self.names)
    }

    /// The same table where the texts in a list, too, mean a missing value: a column of numbers with one of them in it becomes
    /// one of numbers.
    pub fn with_missing(&self, codes: &str) -> Cow<'_, Self> {
        let codes = entries(codes);
        if codes.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut table = self.clone();
        for column in &mut table.columns {
            column.forget(&codes, self.decimal_comma);
        }
        Cow::Owned(table)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// What the page shows of it.
    pub fn facts(&self) -> TableFacts {
        let columns = self.names.iter().zip(&self.columns).map(|(name, column)| column.facts(name)).collect();
        let (head, header, remarks) = (self.head.clone(), self.header.clone(), self.remarks.clone());
        TableFacts { rows: self.rows(), header, remarks, columns, head }
    }
}

fn whole(malformed: &[Malformed], width: usize, names: &[String]) -> Result<(), DataProblem> {
    let Some(Malformed { line, cells }) = malformed.first().copied() else { return Ok(()) };
    let are = if cells == 1 { "cell" } else { "cells" };
    let why = format!("this row has {cells} {are}, the first one {width}");
    Err(DataProblem { row: Some(line), column: names.get(cells).cloned(), why })
}

/// That columns have nothing in them.
fn left_out(empty: &[&str]) -> Option<String> {
    match empty {
        [] => None,
        [one] => Some(format!("Column {one} is empty and is left out.")),
        [first @ .., last] => {
            Some(format!("Columns {} and {last} are empty and are left out.", first.join(", ")))
        }
    }
}

/// Which rows are malformed: the first few, and how many more.
pub(super) fn set_aside(malformed: &[Malformed], width: usize) -> Option<String> {
    const LISTED: usize = 5;
    let listed: Vec<String> =
        malformed.iter().take(LISTED).map(|row| format!("row {} has {}", row.line, row.cells)).collect();
    let more = match malformed.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", and {more} more rows"),
    };
    (!listed.is_empty()).then(|| {
        format!(
            "Rows with another number of cells than the first, which has {width}: {}{more}.",
            listed.join(", ")
        )
    })
}

/// Names from the header, or `x1`, `x2`, …; a name that comes again gets a number.
fn names(cells: &Cells, header: bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(cells.width);
    for c in 0..cells.width {
        let own = if header { cells.get(0, c) } else { "" };
        let own = if own.is_empty() { format!("x{}", c + 1) } else { own.to_owned() };
        let mut name = own.clone();
        let mut again = 2;
        while names.contains(&name) {
            name = format!("{own} ({again})");
            again += 1;
        }
        names.push(name);
    }
    names
}

/// Whether a name says that its column identifies rows, as id, Patient_ID and sampleId do.
fn names_an_id(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if matches!(lower.as_str(), "id" | "uuid" | "guid" | "index" | "row" | "unnamed: 0") {
        return true;
    }
    // Not the end of a word, as in acid.
    let Some(before) = ["id", "Id", "ID"].iter().find_map(|end| name.strip_suffix(end)) else { return false };
    before.ends_with(|last: char| {
        !last.is_ascii_alphanumeric() || last.is_ascii_lowercase() && !name.ends_with("id")
    })
}

/// That these columns look as if they identified rows.
fn identify(names: &[&str]) -> Option<String> {
    let [name, ..] = names else { return None };
    Some(format!(
        "Column {name} seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input."
    ))
}

/// That a number in these columns looks like a code.
fn may_be_missing(code: f64, names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "{code} is far from all other values in: {}. If it means a missing value, enter it under “Missing-value codes”; otherwise \
             it is used as a number.",
            names.join(", ")
        )
    })
}

/// That a column has more numbers than words, and where the first word stands: that of a line of totals, or a slip.
fn not_numbers(cells: &Cells, rows: std::ops::Range<usize>, c: usize, name: &str) -> Option<String> {
    let known = || rows.clone().filter(|r| !missing(cells.get(*r, c)));
    let words = || known().filter(|r| cells.number(*r, c).is_none());
    let row = words().next()?;
    (2 * words().count() < known().count()).then(|| {
        let (word, line) = (cells.get(row, c), cells.lines[row]);
        format!("Column {name} is used as words and not as numbers, since one of its cells is “{word}” (row {line}).")
    })
}

/// That signs were read past to get the numbers of these columns.
fn read_past(names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| {
        format!(
            "Not only numbers in: {}. Percent and currency signs and separators of thousands are left out; “-”, “.” and “none” are \
             missing values.",
            names.join(", ")
        )
    })
}

impl Column {
    /// The column `c`: of numbers, if all that is known in it are numbers, with one and the same sign of a unit or none; and whether
    /// anything beside them was read past.
    fn of(cells: &Cells, rows: std::ops::Range<usize>, c: usize) -> (Self, bool) {
        // The sign of a unit, if there is one, of the numbers so far.
        let (mut units, mut past) = (None, false);
        // In 1.234,5 the point separates thousands, and so it does in 1.234 of the same column.
        let points = |r| cells.get(r, c).split_once(',').is_some_and(|(whole, _)| whole.contains('.'));
        let points = cells.decimal_comma && rows.clone().any(points);
        let mut read = |cell: &str| {
            // Most cells are plain numbers, and large files have millions of them.
            if let Some(x) = number(cell, cells.decimal_comma).filter(|_| !points || !cell.contains('.')) {
                return units.get_or_insert(None).is_none().then_some(x);
            }
            if missing(cell) {
                return Some(f64::NAN);
            }
            past = true;
            if blank(cell) {
                return Some(f64::NAN);
            }
            let (digits, unit) = without_unit(cell);
            if *units.get_or_insert(unit) != unit {
                return None;
            }
            let plain = number(digits, cells.decimal_comma).filter(|_| !points || !digits.contains('.'));
            plain.or_else(|| grouped(digits, if cells.decimal_comma { '.' } else { ',' }))
        };
        let numbers: Option<Vec<f64>> = rows.clone().map(|r| read(cells.get(r, c))).collect();
        match numbers {
            // Of a column with nothing in it nobody knows what it would have been.
            Some(numbers) if units.is_some() => (Self::Numbers(numbers), past),
            _ => (Self::words(rows.map(|r| cells.get(r, c))), false),
        }
    }

    fn words<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut levels, mut known) = (Vec::new(), BTreeMap::new());
        let codes = cells
            .map(|cell| {
                (!missing(cell)).then(|| {
                    *known.entry(cell).or_insert_with(|| {
                        levels.push(cell.to_owned());
                        levels.len() as u32 - 1
                    })
                })
            })
            .collect();
        Self::Text { levels, codes }
    }

    /// Takes these texts for missing values.
    fn forget(&mut self, codes: &[&str], decimal_comma: bool) {
        match self {
            Self::Numbers(numbers) => {
                let values: Vec<f64> = codes.iter().filter_map(|code| number(code, true)).collect();
                numbers.iter_mut().filter(|x| values.contains(x)).for_each(|x| *x = f64::NAN);
            }
            Self::Text { levels, codes: rows } => {
                let known = |level: &String| !codes.contains(&level.as_str());
                let place: Vec<Option<u32>> = levels
                    .iter()
                    .scan(0, |next, level| {
                        let here = *next;
                        *next += u32::from(known(level));
                        Some(known(level).then_some(here))
                    })
                    .collect();
                for row in rows.iter_mut() {
                    *row = row.and_then(|code| place[code as usize]);
                }
                levels.retain(known);
                let numbers: Option<Vec<f64>> =
                    levels.iter().map(|level| number(level, decimal_comma)).collect();
                if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
                    let of = |row: &Option<u32>| row.map_or(f64::NAN, |code| numbers[code as usize]);
                    *self = Self::Numbers(rows.iter().map(of).collect());
                }
            }
        }
    }

    /// Whether every row has a value, a word or a whole number, and no two have the same.
    fn differs_in_every_row(&self) -> bool {
        match self {
            Self::Numbers(numbers) => {
                numbers.iter().all(|x| x.fract() == 0.0) && sorted(numbers).windows(2).all(|w| w[0] < w[1])
            }
            Self::Text { levels, codes } => levels.len() == codes.len(),
        }
    }

    /// Whether a number occurs that is farther from all others than these are from each other.
    fn has_code(&self, code: f64) -> bool {
        let Self::Numbers(numbers) = self else { return false };
        let others = || numbers.iter().copied().filter(|x| !x.is_nan() && *x != code);
        let (low, high) =
            (others().fold(f64::INFINITY, f64::min), others().fold(f64::NEG_INFINITY, f64::max));
        numbers.contains(&code) && low < high && (low - code).max(code - high) > high - low
    }

    /// That two of a few words differ in nothing but capitals.
    fn variants(&self, name: &str) -> Option<String> {
        let Self::Text { levels, .. } = self else { return None };
        let few = levels.get(..levels.len().min(ColumnFacts::FEW))?;
        let (a, b) = few
            .iter()
            .enumerate()
            .find_map(|(i, a)| few[..i].iter().find(|b| a.eq_ignore_ascii_case(b)).map(|b| (b, a)))?;
        Some(format!("Column {name}: “{a}” and “{b}” differ only in capitals and are used as two values."))
    }

    /// Index of the first row in which nothing stands.
    pub fn first_missing(&self) -> Option<usize> {
        match self {
            Self::Numbers(numbers) => numbers.iter().position(|x| x.is_nan()),
            Self::Text { codes, .. } => codes.iter().position(Option::is_none),
        }
    }

    /// The distinct values as text, one more than `most` at the most; numbers in their order. Of two words, that which
    /// usually is the positive one comes last: a word that says so, such as yes, true or ill, or else the later by the alphabet.
    pub fn distinct(&self, most: usize) -> Vec<String> {
        match self {
            Self::Numbers(numbers) => {
                let mut values: Vec<f64> = Vec::new();
                for x in numbers.iter().filter(|x| !x.is_nan()) {
                    if let Err(place) = values.binary_search_by(|v| v.total_cmp(&(x + 0.0)))
                        && values.len() <= most
                    {
                        // −0 is 0.
                        values.insert(place, x + 0.0);
                    }
                }
                values.iter().map(f64::to_string).collect()
            }
            Self::Text { levels, .. } => {
                let mut values: Vec<String> = levels.iter().take(most + 1).cloned().collect();
                if let [a, b] = values.as_mut_slice()
                    && (says_yes(a), &*a) > (says_yes(b), &*b)
                {
                    std::mem::swap(a, b);
                }
                values
            }
        }
    }

    fn facts(&self, name: &str) -> ColumnFacts {
        let (kind, missing) = match self {
            Self::Numbers(numbers) => {
                let known = || numbers.iter().copied().filter(|x| !x.is_nan());
                let count = known().count();
                let kind = ColumnKind::Numeric {
                    min: known().fold(f64::INFINITY, f64::min),
                    max: known().fold(f64::NEG_INFINITY, f64::max),
                    mean: known().sum::<f64>() / count as f64,
                };
                (kind, numbers.len() - count)
            }
            Self::Text { codes, .. } => {
                (ColumnKind::Text, codes.iter().filter(|code| code.is_none()).count())
            }
        };
        let mut values = self.distinct(ColumnFacts::FEW);
        if values.len() > ColumnFacts::FEW {
            values.clear();
        }
        ColumnFacts { name: name.to_owned(), kind, missing, values }
    }
}

/// Whether a word usually names the class that is looked for (more than 0) or the other one (less). M is that of the sonar
/// data, whose R are rocks, and of tumours, whose B are benign.
fn says_yes(word: &str) -> i8 {
    const YES: &str =
        " yes y true t + 1 positive pos present ill sick diseased case malignant m abnormal dead fail ";
    const NO: &str =
        " no n false f - − 0 -1 −1 negative neg absent well healthy control benign b normal alive pass ";
    let word = format!(" {} ", word.to_ascii_lowercase());
    i8::from(YES.contains(&word)) - i8::from(NO.contains(&word))
}

#[cfg(test)]
mod tests;
