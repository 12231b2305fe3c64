//! Decision if the first row of a table has the names of its columns.

use std::collections::BTreeSet;

use super::cell::{any_number, is_missing};
use super::{Cells, SAMPLE};
use crate::facts::Header;
use crate::reading::Doubt;

impl Cells {
    /// Determines if the first row is a header: it has neither numbers nor missing values, and it stands above numbers or consists of
    /// words that do not recur. Whole numbers as names are recognised by a word beside them that stands above numbers. Returns a doubt
    /// as well if both readings are possible.
    pub fn header(&self, given: Option<bool>) -> (Header, Option<Doubt>) {
        match given {
            Some(true) => return (Header::Found, None),
            Some(false) => return (Header::None, None),
            None if self.has_row_names => return (Header::Found, None),
            None => {}
        }
        let first: Vec<&str> = (0..self.width).map(|c| self.get(0, c)).collect();
        let is_value = |cell: &&str| any_number(cell).is_some() || !cell.is_empty() && is_missing(cell);
        if first.iter().any(is_value) {
            return self.header_with_numbers(&first);
        }
        let below = 1..self.lines.len().min(SAMPLE);
        let has_numbers = |c: usize| below.clone().any(|r| any_number(self.get(r, c)).is_some());
        let above_numbers = |c: usize| !is_missing(first[c]) && has_numbers(c);
        let is_unique = |c: usize| below.clone().all(|r| self.get(r, c) != first[c]);
        let has_names = first.iter().any(|cell| !cell.is_empty());
        let found = has_names
            && ((0..self.width).any(above_numbers)
                || are_different(&first) && (0..self.width).all(is_unique));
        (if found { Header::Found } else { Header::None }, None)
    }

    /// Decides on a first row with numbers.
    fn header_with_numbers(&self, first: &[&str]) -> (Header, Option<Doubt>) {
        let below = 1..self.lines.len().min(SAMPLE);
        let is_word =
            |r: usize, c: usize| !is_missing(self.get(r, c)) && any_number(self.get(r, c)).is_none();
        let is_only_word = |c: &usize| {
            let above_numbers = below.clone().any(|r| any_number(self.get(r, *c)).is_some());
            is_word(0, *c) && above_numbers && !below.clone().any(|r| is_word(r, *c))
        };
        let is_whole = |cell: &&str| any_number(cell).is_none_or(|x| x.fract() == 0.0 && x >= 0.0);
        let years: Vec<f64> = first.iter().filter_map(|cell| any_number(cell)).collect();
        let is_year = |x: &f64| x.fract() == 0.0 && (1800.0..=2100.0).contains(x);
        let ascend = years.windows(2).all(|pair| pair[0] < pair[1]);
        if years.len() > 1 && years.len() < first.len() && ascend && years.iter().all(is_year) {
            return (Header::Found, None);
        }
        let only_word = (0..self.width).find(is_only_word);
        if let Some(c) = only_word {
            // 0, 1, 2, target; or country, 1990, 1991.
            if are_different(first) && first.iter().all(is_whole) {
                return (Header::Found, None);
            }
            let question = format!(
                "“{}” in the first row stands above numbers, but that row has numbers as well. Is it the header?",
                first[c]
            );
            return (Header::Doubtful(first[c].to_owned()), Some(self.header_doubt(question)));
        }
        let counts = |from: usize| first.iter().enumerate().all(|(c, cell)| *cell == (c + from).to_string());
        let others = below
            .clone()
            .any(|r| (0..self.width).any(|c| any_number(self.get(r, c)).is_some_and(|x| x.fract() != 0.0)));
        if self.width > 2 && (counts(0) || counts(1)) && others {
            let question = format!("The first row counts {}, {}, …. Is it the header?", first[0], first[1]);
            return (Header::None, Some(self.header_doubt(question)));
        }
        (Header::None, None)
    }

    fn header_doubt(&self, question: String) -> Doubt {
        const LISTED: usize = 4;
        let list = |cell: &dyn Fn(usize) -> String| {
            let more = if self.width > LISTED { ", …" } else { "" };
            (0..self.width.min(LISTED)).map(cell).collect::<Vec<_>>().join(", ") + more
        };
        let row = |row: usize| list(&|c| self.get(row, c).to_owned());
        let second = if self.lines.len() > 1 { row(1) } else { "none".to_owned() };
        let previews = [
            format!("columns {}; first row {second}", row(0)),
            format!("columns {}; first row {}", list(&|c| format!("x{}", c + 1)), row(0)),
        ];
        Doubt { field: "header".into(), question, answers: ["yes".into(), "no".into()], previews }
    }
}

/// Returns true if no two of the words are the same.
fn are_different(words: &[&str]) -> bool {
    words.iter().collect::<BTreeSet<_>>().len() == words.len()
}
