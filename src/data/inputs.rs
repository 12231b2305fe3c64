//! Coding of columns as inputs: numbers as they are, words as indicators.

use std::collections::BTreeMap;

use super::advice::{MAX_WORDS, check_misfits, check_variants};
use super::error::{ColumnError, listed};
use super::facts::ColumnFacts;
use super::name_list::{join_names, split_names};
use super::table::{Column, Misfits, Table};

/// An input of a method, made of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedInput {
    /// Name of the column.
    pub column: String,
    /// Word of an indicator, which is 1 for this word and 0 for others; `None` for a column of numbers.
    pub word: Option<String>,
}

impl CodedInput {
    /// Returns the name of the input.
    pub fn name(&self) -> String {
        match &self.word {
            None => self.column.clone(),
            Some(word) => format!("{} = {word}", self.column),
        }
    }
}

/// Codes columns as inputs: a column of numbers as one input, a column of two words as one indicator, a column of up to twelve
/// words as one indicator per word.
///
/// # Errors
/// Of the field `ignore` or `data`, if a column cannot be an input.
pub(super) fn code_columns(
    table: &Table,
    columns: &[usize],
    ignored: &[&str],
) -> Result<Vec<CodedInput>, ColumnError> {
    let unfit: Vec<(usize, String)> =
        columns.iter().filter_map(|c| Some((*c, why_no_input(table, *c)?))).collect();
    let Some((_, why)) = unfit.first() else {
        return Ok(columns.iter().flat_map(|c| code_column(table, *c)).collect());
    };
    let repairable: Vec<usize> = unfit.iter().map(|(c, _)| *c).collect();
    check_misfits(table, &repairable)?;
    check_variants(table, &repairable)?;
    if unfit.len() == columns.len() {
        return Err(ColumnError::of_table(why));
    }
    let names = unfit.iter().map(|(c, _)| table.names[*c].as_str());
    Err(ColumnError {
        field: "ignore",
        given: ignored.join(","),
        accepted: format!("all columns that cannot be inputs: {why}"),
        nearest: Some(join_names(ignored.iter().copied().chain(names))),
    })
}

fn code_column(table: &Table, c: usize) -> Vec<CodedInput> {
    let input = |word: Option<String>| CodedInput { column: table.names[c].clone(), word };
    let column = &table.columns[c];
    let Column::Text { levels, .. } = column else { return vec![input(None)] };
    let mut words = levels.clone();
    column.sort_values(&mut words);
    if words.len() == 2 {
        // One indicator is enough: that of the positive word, as for a label.
        words = column.distinct(2).split_off(1);
    }
    words.into_iter().map(|word| input(Some(word))).collect()
}

/// Returns the reason why a column cannot be an input: no values, dates, words among numbers, or too many words.
pub(super) fn why_no_input(table: &Table, c: usize) -> Option<String> {
    let Column::Text { levels, .. } = &table.columns[c] else { return None };
    let name = &table.names[c];
    if levels.is_empty() {
        return Some(format!("column “{name}” is empty; ignore this column or correct it"));
    }
    if levels.iter().all(|word| is_date(word)) {
        return Some(format!(
            "column “{name}” holds dates ({}); ignore it, or replace it by a number such as days since the first date",
            levels[0]
        ));
    }
    if let Some(Misfits { texts, rows, among }) = table.columns[c].misfits() {
        return Some(format!(
            "row {}, column “{name}” is “{}” among {among}; correct it, enter it as a missing-value code, or ignore this column",
            table.lines[rows[0]], texts[0]
        ));
    }
    (levels.len() > MAX_WORDS).then(|| {
        format!(
            "column “{name}” has {} different words ({}), and at most {MAX_WORDS} become indicators; ignore this column",
            levels.len(),
            listed(levels, 3)
        )
    })
}

/// Returns the values of the inputs, row by row; NaN if missing.
///
/// # Errors
/// Returns an error of the field `data` if a column is missing or of another kind than in the training table.
pub(super) fn values(table: &Table, inputs: &[CodedInput]) -> Result<Vec<f64>, ColumnError> {
    let places: BTreeMap<&str, usize> =
        table.names.iter().enumerate().map(|(c, name)| (name.as_str(), c)).collect();
    let value =
        |input: &CodedInput| values_of(table, places.get(input.column.as_str()).copied(), input, inputs);
    let columns = inputs.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    Ok((0..table.rows()).flat_map(|row| columns.iter().map(move |column| column[row])).collect())
}

/// Returns the values of an input from column `c` of a table, if it has such a column.
fn values_of(
    table: &Table,
    c: Option<usize>,
    input: &CodedInput,
    all: &[CodedInput],
) -> Result<Vec<f64>, ColumnError> {
    let name = &input.column;
    let Some(c) = c else {
        let mut names: Vec<String> = all.iter().map(|input| input.column.clone()).collect();
        names.dedup();
        let all = listed(&names, ColumnFacts::FEW);
        return Err(ColumnError::of_table(format!(
            "a table with the input columns {all} is needed; column “{name}” is not in this one"
        )));
    };
    match (&table.columns[c], &input.word) {
        (Column::Numbers(numbers), None) => Ok(numbers.clone()),
        (Column::Text { levels, codes }, Some(word)) => {
            let index = levels.iter().position(|level| level == word);
            let indicator = |code: u32| f64::from(u8::from(index == Some(code as usize)));
            Ok(codes.iter().map(|code| code.map_or(f64::NAN, indicator)).collect())
        }
        (Column::Numbers(numbers), Some(_)) if numbers.iter().all(|x| x.is_nan()) => Ok(numbers.clone()),
        (Column::Numbers(_), Some(word)) => Err(ColumnError::of_table(format!(
            "column “{name}” holds numbers; words such as “{word}” are needed, as in the table of the training rows"
        ))),
        (Column::Text { .. }, None) => {
            let why = why_no_input(table, c).unwrap_or_else(|| format!("column “{name}” holds words"));
            Err(ColumnError::of_table(why))
        }
    }
}

/// Checks that no input column of `table` has a word that does not occur in the training table.
///
/// # Errors
/// Of the field `na`, with the first such word.
pub(super) fn check_words(table: &Table, training: &Table, inputs: &[CodedInput]) -> Result<(), ColumnError> {
    for input in inputs.iter().filter(|input| input.word.is_some()) {
        let column = |table: &Table| table.column_index(&input.column);
        let (Some(here), Some(there)) = (column(table), column(training)) else { continue };
        let (Column::Text { levels, codes }, Column::Text { levels: known, .. }) =
            (&table.columns[here], &training.columns[there])
        else {
            continue;
        };
        let unknown = |code: &Option<u32>| code.is_some_and(|code| !known.contains(&levels[code as usize]));
        let Some(row) = codes.iter().position(unknown) else { continue };
        let word = codes[row].map_or("", |code| levels[code as usize].as_str());
        return Err(ColumnError {
            field: "na",
            given: String::new(),
            accepted: format!(
                "Row {} of the rows to predict, column “{}” is “{word}”, which is not among the words of the training rows ({}). Is that \
                 a missing value?",
                table.lines[row],
                input.column,
                listed(known, MAX_WORDS)
            ),
            nearest: Some(join_names(split_names(&training.codes).into_iter().chain([word]))),
        });
    }
    Ok(())
}

/// First letters of the months in English.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns true for a date such as 2024-02-29, 29.2.24, 2/29/2024 or 29 Feb 2024, with or without a time, and for a time such as 14:30.
fn is_date(word: &str) -> bool {
    let digits = |part: &&str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    let time: Vec<&str> = word.split(':').collect();
    if (2..=3).contains(&time.len()) && time.iter().all(|part| digits(part, 2)) {
        return true;
    }
    let parts: Vec<&str> = word.split(['-', ' ', ',']).filter(|part| !part.is_empty()).collect();
    let month = |part: &&str| {
        part.len() >= 3
            && MONTHS.iter().any(|name| part.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(name)))
    };
    if (2..=3).contains(&parts.len()) && parts.iter().filter(|part| month(part)).count() == 1 {
        return parts.iter().all(|part| month(part) || digits(part, 4));
    }
    let day = word.split(['T', ' ']).next().unwrap_or_default();
    ['-', '/', '.'].into_iter().any(|separator| {
        let parts: Vec<&str> = day.split(separator).collect();
        parts.len() == 3 && parts.iter().all(|part| digits(part, 4))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnChoices, Dataset, MissingPolicy, TargetKind};

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn set(text: &str, missing: MissingPolicy) -> Result<Dataset, ColumnError> {
        let choices = ColumnChoices { missing, ..ColumnChoices::default() };
        Dataset::from_table(&read(text), choices, TargetKind::TwoClasses)
    }

    #[test]
    fn words_are_coded_as_indicators() {
        let s = set("sex,site,x,y\nm,left,1,0\nf,right,2,1\nf,middle,3,1\n", MissingPolicy::Refuse).unwrap();
        assert_eq!(s.names, ["sex = m", "site = left", "site = middle", "site = right", "x"]);
        assert_eq!(s.row(0), [1.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(s.row(2), [0.0, 0.0, 1.0, 0.0, 3.0]);
        let flags = set("a,b,y\nTRUE,1,0\nFALSE,2,1\n", MissingPolicy::Refuse).unwrap();
        assert_eq!((flags.names[0].as_str(), flags.row(0)), ("a = TRUE", &[1.0, 1.0][..]));
    }

    #[test]
    fn dates_and_columns_of_many_words_cannot_be_inputs() {
        let why = set("when,x,y\n2024-02-28,1,0\n2024-03-01,2,1\n", MissingPolicy::Refuse).unwrap_err();
        assert_eq!((why.field, why.nearest.as_deref()), ("ignore", Some("when")));
        assert!(why.accepted.contains("days since the first date"), "{}", why.accepted);
        let people: Vec<String> = (0..13).map(|i| format!("p{i},{i},{}\n", i % 2)).collect();
        let why = set(&format!("who,x,y\n{}", people.concat()), MissingPolicy::Refuse).unwrap_err();
        assert!(why.accepted.contains("13 different words"), "{}", why.accepted);
        for date in [
            "29.2.24",
            "2/29/2024",
            "2024-02-29T12:00:00Z",
            "2024-02-29 12:00",
            "29 Feb 2024",
            "Feb 29, 2024",
            "29-feb-24",
            "March 2024",
            "9:05",
            "14:30:59",
        ] {
            assert!(is_date(date), "{date}");
        }
        for word in ["1-2", "a-b-c", "10.0.0.1", "", "may", "may be", "marker 3b", "1:100", "dec-x"] {
            assert!(!is_date(word), "{word}");
        }
    }
}
