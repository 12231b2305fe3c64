//! Cells that do not fit their column although most others do: words among numbers, and missing-value codes among words.

use super::{CODES, Column};
use crate::name_list::join_names;
use crate::reader::{any_amount, any_number};

/// Maximum length of the list of texts, which is that of the field `na`.
const MAX_LENGTH: usize = 2000;

/// Cells that do not fit their column.
#[derive(Debug)]
pub(crate) struct Misfits<'a> {
    /// Their different texts.
    pub texts: Vec<&'a str>,
    /// Their rows.
    pub rows: Vec<usize>,
    /// Contents of most other cells: “numbers” or “words”.
    pub among: &'static str,
}

impl Column {
    /// Returns the cells of a column of words that do not fit it: words, if there are more numbers; missing-value codes, if these are
    /// the only numbers and fewer than the words. `None` without such cells.
    pub(crate) fn misfits(&self) -> Option<Misfits<'_>> {
        let Self::Text { levels, codes } = self else { return None };
        let is_number = self.number_test();
        let is_code = |level: &str| any_number(level).is_some_and(|x| CODES.contains(&x));
        let mut rows_of = vec![0_usize; levels.len()];
        codes.iter().flatten().for_each(|code| rows_of[*code as usize] += 1);
        let count = |is: &dyn Fn(&str) -> bool| -> usize {
            levels.iter().zip(&rows_of).filter(|(level, _)| is(level)).map(|(_, rows)| rows).sum()
        };
        let numbers = count(&is_number);
        let words = codes.iter().flatten().count() - numbers;
        let (is_slip, among): (&dyn Fn(&str) -> bool, _) = if numbers > 0
            && numbers < words
            && levels.iter().all(|level| !is_number(level) || is_code(level))
        {
            (&is_code, "words")
        } else if words > 0 && words <= numbers {
            (&|level: &str| !is_number(level), "numbers")
        } else {
            return None;
        };
        let texts: Vec<&str> = levels.iter().map(String::as_str).filter(|level| is_slip(level)).collect();
        let slipped: Vec<bool> = levels.iter().map(|level| is_slip(level)).collect();
        let is_slipped = |row: &usize| codes[*row].is_some_and(|code| slipped[code as usize]);
        let fits = !texts.is_empty() && join_names(texts.iter().copied()).len() <= MAX_LENGTH;
        fits.then(|| Misfits { texts, rows: (0..codes.len()).filter(is_slipped).collect(), among })
    }

    /// Returns the test for a number in this column of words: with signs of units, if no word is a plain number.
    pub(crate) fn number_test(&self) -> impl Fn(&str) -> bool + use<> {
        let is_plain = |level: &String| any_number(level).is_some();
        let has_plain = matches!(self, Self::Text { levels, .. } if levels.iter().any(is_plain));
        move |text| if has_plain { any_number(text) } else { any_amount(text) }.is_some()
    }
}
