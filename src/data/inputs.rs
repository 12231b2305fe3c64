//! Columns as inputs: numbers as they are, words as indicators.

use super::column_roles::{listed, refused};
use super::columns::entry;
use super::facts::HEADER_RULE;
use super::reader::number;
use super::{Column, ColumnError, ColumnFacts, Header, Table};

/// A column of more different words than that is no input.
const MOST_WORDS: usize = 12;

/// An input of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodedInput {
    /// The column that it is made of.
    pub column: String,
    /// Of a column of words, the one that it indicates: 1 where it stands, 0 where another does.
    pub word: Option<String>,
}

impl CodedInput {
    /// What it is called.
    pub fn name(&self) -> String {
        match &self.word {
            None => self.column.clone(),
            Some(word) => format!("{} = {word}", self.column),
        }
    }
}

impl Table {
    /// These columns as inputs. One of numbers is one; one of two words is an indicator of one of them; one of up to twelve
    /// words has an indicator for each.
    ///
    /// # Errors
    /// Which column is none, and what to do about it.
    pub(super) fn coding(&self, places: &[usize], ignored: &[&str]) -> Result<Vec<CodedInput>, ColumnError> {
        let unfit: Vec<usize> = places.iter().copied().filter(|c| self.why_no_input(*c).is_some()).collect();
        if let Some(first) = unfit.first() {
            let why = self.why_no_input(*first).unwrap_or_default();
            if unfit.len() == places.len() {
                return Err(refused(why));
            }
            let names = unfit.iter().map(|c| self.names[*c].as_str());
            let all = ignored.iter().copied().chain(names).map(entry);
            return Err(ColumnError {
                field: "ignore",
                given: ignored.join(","),
                accepted: format!("all columns that cannot be inputs: {why}"),
                nearest: Some(all.collect::<Vec<_>>().join(",")),
            });
        }
        Ok(places.iter().flat_map(|c| self.inputs_of(*c)).collect())
    }

    fn inputs_of(&self, c: usize) -> Vec<CodedInput> {
        let input = |word: Option<String>| CodedInput { column: self.names[c].clone(), word };
        let column = &self.columns[c];
        let Column::Text { levels, .. } = column else { return vec![input(None)] };
        let mut words = column.in_order(levels.clone());
        if words.len() == 2 {
            // The one that usually is the positive one, as of a label.
            words = column.distinct(2).split_off(1);
        }
        words.into_iter().map(|word| input(Some(word))).collect()
    }

    /// Why a column cannot be an input: dates, too many words, numbers with a slip among them, or nothing at all.
    pub(super) fn why_no_input(&self, c: usize) -> Option<String> {
        let Column::Text { levels, codes } = &self.columns[c] else { return None };
        let name = &self.names[c];
        if levels.is_empty() {
            return Some(format!("column “{name}” is empty; ignore this column or mend it"));
        }
        if levels.iter().all(|word| is_date(word)) {
            return Some(format!(
                "column “{name}” holds dates ({}); ignore it, or replace it by a number such as days since the first date",
                levels[0]
            ));
        }
        let is_number = |word: &String| number(word, true).is_some();
        if levels.iter().any(is_number) {
            let is_word = |code: &Option<u32>| code.is_some_and(|code| !is_number(&levels[code as usize]));
            let row = codes.iter().position(is_word).unwrap_or_default();
            let word = codes[row].map_or("", |code| &levels[code as usize]);
            return Some(format!(
                "row {}, column “{name}” is “{word}” among numbers; mend it, name it as a missing-value code, or ignore this \
                 column{}",
                self.lines[row],
                self.header_hint(c)
            ));
        }
        (levels.len() > MOST_WORDS).then(|| {
            format!(
                "column “{name}” has {} different words ({}), and at most {MOST_WORDS} become indicators; ignore this column{}",
                levels.len(),
                listed(levels, 3),
                self.header_hint(c)
            )
        })
    }

    /// What to do where the first row, taken as data, may have been meant as the header of column `c`.
    pub(super) fn header_hint(&self, c: usize) -> String {
        match (&self.header, &self.columns[c]) {
            (Header::Doubtful(word), Column::Text { levels, .. }) if levels.first() == Some(word) => {
                format!(". If the first row is the header: {HEADER_RULE}")
            }
            _ => String::new(),
        }
    }

    /// The cells of these inputs, one row after the other; NaN where one is missing.
    ///
    /// # Errors
    /// Of the field `data`, which column is not there, or holds something else than it did in the table of the training rows.
    pub(super) fn cells(&self, inputs: &[CodedInput]) -> Result<Vec<f64>, ColumnError> {
        let columns =
            inputs.iter().map(|input| self.cells_of(input, inputs)).collect::<Result<Vec<_>, _>>()?;
        Ok((0..self.rows()).flat_map(|row| columns.iter().map(move |column| column[row])).collect())
    }

    fn cells_of(&self, input: &CodedInput, all: &[CodedInput]) -> Result<Vec<f64>, ColumnError> {
        let name = &input.column;
        let Some(c) = self.names.iter().position(|known| known == name) else {
            let mut names: Vec<String> = all.iter().map(|input| input.column.clone()).collect();
            names.dedup();
            let all = listed(&names, ColumnFacts::FEW);
            return Err(refused(format!(
                "a table with the input columns {all}; column “{name}” is not in this one"
            )));
        };
        match (&self.columns[c], &input.word) {
            (Column::Numbers(numbers), None) => Ok(numbers.clone()),
            (Column::Text { levels, codes }, Some(word)) => {
                let place = levels.iter().position(|level| level == word);
                let is = |code: u32| f64::from(u8::from(place == Some(code as usize)));
                Ok(codes.iter().map(|code| code.map_or(f64::NAN, is)).collect())
            }
            (Column::Numbers(numbers), Some(_)) if numbers.iter().all(|x| x.is_nan()) => Ok(numbers.clone()),
            (Column::Numbers(_), Some(word)) => Err(refused(format!(
                "words in column “{name}”, such as “{word}”, as in the table of the training rows; here it holds numbers"
            ))),
            (Column::Text { .. }, None) => {
                let why = self.why_no_input(c).unwrap_or_else(|| format!("column “{name}” holds words"));
                Err(refused(why))
            }
        }
    }

    /// Whether this table has a word in a column of inputs that the table of the training rows has not.
    pub(super) fn unknown_word(&self, trained: &Self, inputs: &[CodedInput]) -> Option<ColumnError> {
        inputs.iter().filter(|input| input.word.is_some()).find_map(|input| {
            let of = |table: &Self| table.names.iter().position(|name| *name == input.column);
            let (Column::Text { levels, codes }, Column::Text { levels: known, .. }) =
                (&self.columns[of(self)?], &trained.columns[of(trained)?])
            else {
                return None;
            };
            let place = levels.iter().position(|level| !known.contains(level))?;
            let row = codes.iter().position(|code| *code == Some(place as u32))?;
            Some(refused(format!(
                "row {}, column “{}” is “{}”, which is not among the words of the table of the training rows ({})",
                self.lines[row],
                input.column,
                levels[place],
                listed(known, MOST_WORDS)
            )))
        })
    }
}

/// How the months begin in English.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether a word is a date such as 2024-02-29, 29.2.24, 2/29/2024 or 29 Feb 2024, with or without a time, or a time such as 14:30.
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
    use super::super::dataset::{ColumnChoices, Dataset, TargetKind};
    use super::super::missing::MissingPolicy;
    use super::*;

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn set(text: &str, missing: MissingPolicy) -> Result<Dataset, ColumnError> {
        read(text).dataset(ColumnChoices { missing, ..ColumnChoices::default() }, TargetKind::TwoClasses)
    }

    #[test]
    fn words_become_indicators() {
        let s = set("sex,site,x,y\nm,left,1,0\nf,right,2,1\nf,middle,3,1\n", MissingPolicy::Refuse).unwrap();
        assert_eq!(s.names, ["sex = m", "site = left", "site = middle", "site = right", "x"]);
        assert_eq!(s.row(0), [1.0, 1.0, 0.0, 0.0, 1.0]);
        assert_eq!(s.row(2), [0.0, 0.0, 1.0, 0.0, 3.0]);
        let flags = set("a,b,y\nTRUE,1,0\nFALSE,2,1\n", MissingPolicy::Refuse).unwrap();
        assert_eq!((flags.names[0].as_str(), flags.row(0)), ("a = TRUE", &[1.0, 1.0][..]));
    }

    #[test]
    fn dates_and_names_are_no_inputs() {
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
