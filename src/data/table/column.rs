//! A column of a table: numbers or words.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{ColumnFacts, ColumnKind};
use crate::math::stats::sorted;
use crate::reader::{amount, any_number, is_blank, number};
use crate::reading::DecimalSign;

use super::notation::Notation;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// One number per row; NaN if missing.
    Numbers(Vec<f64>),
    /// One word per row.
    Text {
        /// Distinct words in the order of first use.
        levels: Vec<String>,
        /// Index of each row's word in `levels`; `None` if missing.
        codes: Vec<Option<u32>>,
    },
}

impl Column {
    /// Reads cells as a column. It is a column of numbers if all cells that are not missing are numbers with the same unit sign or none,
    /// unless they are identifiers. Returns the properties of the text as well.
    pub(super) fn of<'a>(
        cells: impl Iterator<Item = &'a str> + Clone,
        sign: DecimalSign,
        is_missing: impl Fn(&str) -> bool,
        merge_case: bool,
    ) -> (Self, Notation) {
        let mut notation = Notation::default();
        // Unit sign of the numbers so far; `Some(None)` for numbers without one.
        let mut common_unit = None;
        let mut read = |cell: &str| {
            // The fast path: most cells of large files are plain numbers.
            if let Some(x) = number(cell, sign) {
                notation.observe(cell, x);
                return common_unit.get_or_insert(None).is_none().then_some(x);
            }
            if is_missing(cell) {
                return Some(f64::NAN);
            }
            notation.has_signs = true;
            if is_blank(cell) {
                return Some(f64::NAN);
            }
            let (x, unit) = amount(cell, sign)?;
            notation.has_parentheses |= cell.contains('(');
            (*common_unit.get_or_insert(unit) == unit).then_some(x)
        };
        let numbers: Option<Vec<f64>> = cells.clone().map(&mut read).collect();
        let has_numbers = common_unit.is_some();
        match numbers {
            // A column of missing values only is a column of words.
            Some(numbers) if has_numbers && !notation.is_of_identifiers(cells.clone(), &is_missing) => {
                (Self::Numbers(numbers), notation)
            }
            _ => (Self::words(cells, is_missing, merge_case), Notation::default()),
        }
    }

    fn words<'a>(
        cells: impl Iterator<Item = &'a str>,
        is_missing: impl Fn(&str) -> bool,
        merge_case: bool,
    ) -> Self {
        let (mut levels, mut known) = (Vec::new(), BTreeMap::new());
        let code = |cell: &'a str| {
            let word = if merge_case { Cow::Owned(folded(cell)) } else { Cow::Borrowed(cell) };
            (!is_missing(cell)).then(|| {
                if let Some(code) = known.get(&word) {
                    return *code;
                }
                levels.push(word.to_string());
                let code = levels.len() as u32 - 1;
                known.insert(word, code);
                code
            })
        };
        let codes = cells.map(code).collect();
        Self::Text { levels, codes }
    }

    /// Marks cells with one of the texts `codes` as missing.
    pub(super) fn set_missing(&mut self, codes: &[&str], sign: DecimalSign) {
        match self {
            Self::Numbers(numbers) => {
                let values: Vec<f64> = codes.iter().filter_map(|code| any_number(code)).collect();
                numbers.iter_mut().filter(|x| values.contains(x)).for_each(|x| *x = f64::NAN);
            }
            Self::Text { levels, codes: rows } => {
                let known = |level: &String| !codes.contains(&level.as_str());
                let new_codes: Vec<Option<u32>> = levels
                    .iter()
                    .scan(0, |next, level| {
                        let here = *next;
                        *next += u32::from(known(level));
                        Some(known(level).then_some(here))
                    })
                    .collect();
                for row in rows.iter_mut() {
                    *row = row.and_then(|code| new_codes[code as usize]);
                }
                levels.retain(known);
                if let (Self::Numbers(numbers), _) =
                    Self::of(levels.iter().map(String::as_str), sign, |_| false, false)
                {
                    let of = |row: &Option<u32>| row.map_or(f64::NAN, |code| numbers[code as usize]);
                    *self = Self::Numbers(rows.iter().map(of).collect());
                }
            }
        }
    }

    /// Returns true if a cell is not missing.
    pub(crate) fn is_known(&self, row: usize) -> bool {
        match self {
            Self::Numbers(numbers) => !numbers[row].is_nan(),
            Self::Text { codes, .. } => codes[row].is_some(),
        }
    }

    /// Returns a cell as text; `None` if missing.
    pub(super) fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Numbers(numbers) => Some(numbers[row]).filter(|x| !x.is_nan()).map(|x| x.to_string()),
            Self::Text { levels, codes } => codes[row].map(|code| levels[code as usize].clone()),
        }
    }

    /// Returns true if every row has a value of its own, a word or a whole number.
    pub(super) fn differs_in_every_row(&self) -> bool {
        match self {
            Self::Numbers(numbers) => {
                let ascend = |numbers: &[f64]| numbers.windows(2).all(|w| w[0] < w[1]);
                numbers.iter().all(|x| x.fract() == 0.0) && (ascend(numbers) || ascend(&sorted(numbers)))
            }
            Self::Text { levels, codes } => levels.len() == codes.len(),
        }
    }

    /// Returns true if `code` occurs and is farther from all other numbers than these are from each other.
    pub(super) fn has_code(&self, code: f64) -> bool {
        let Self::Numbers(numbers) = self else { return false };
        if !numbers.contains(&code) {
            return false;
        }
        let others = || numbers.iter().copied().filter(|x| !x.is_nan() && *x != code);
        let (low, high) =
            (others().fold(f64::INFINITY, f64::min), others().fold(f64::NEG_INFINITY, f64::max));
        low < high && (low - code).max(code - high) > high - low
    }

    /// Reports two of the first few words that differ only in case or blanks.
    pub(super) fn variants(&self, name: &str) -> Option<String> {
        let Self::Text { levels, .. } = self else { return None };
        let few = levels.get(..levels.len().min(ColumnFacts::FEW))?;
        let (a, b) = few
            .iter()
            .enumerate()
            .find_map(|(i, a)| few[..i].iter().find(|b| folded(a) == folded(b)).map(|b| (b, a)))?;
        Some(format!(
            "Column {name}: “{a}” and “{b}” differ only in case or blanks and are used as two values."
        ))
    }

    /// Returns the number of distinct words, where words that differ only in case or blanks are one.
    pub(crate) fn folded_words(&self) -> usize {
        let Self::Text { levels, .. } = self else { return 0 };
        levels.iter().map(|word| folded(word)).collect::<BTreeSet<_>>().len()
    }

    /// Returns the distinct values as text, at most `most` + 1 of them; numbers in ascending order. Of two words, the positive one
    /// comes last: the one that usually means yes, or else the later in alphabetical order.
    pub fn distinct(&self, most: usize) -> Vec<String> {
        match self {
            Self::Numbers(numbers) => {
                let mut values: Vec<f64> = Vec::new();
                for x in numbers.iter().filter(|x| !x.is_nan()) {
                    if let Err(index) = values.binary_search_by(|v| v.total_cmp(&(x + 0.0)))
                        && values.len() <= most
                    {
                        // Adding 0 turns −0 into 0.
                        values.insert(index, x + 0.0);
                    }
                }
                values.iter().map(f64::to_string).collect()
            }
            Self::Text { levels, .. } => {
                let mut values: Vec<String> = levels.iter().take(most + 1).cloned().collect();
                if let [a, b] = values.as_mut_slice()
                    && (polarity(a), &*a) > (polarity(b), &*b)
                {
                    std::mem::swap(a, b);
                }
                values
            }
        }
    }

    /// Returns true if this many values can be classes: words or whole numbers, with two rows each on average.
    pub(crate) fn is_of_classes(&self, values: usize) -> bool {
        let (whole, rows) = match self {
            Self::Numbers(numbers) => {
                let known = || numbers.iter().filter(|x| !x.is_nan());
                (known().all(|x| x.fract() == 0.0), known().count())
            }
            Self::Text { codes, .. } => (true, codes.iter().flatten().count()),
        };
        whole && rows >= 2 * values
    }

    /// Sorts the distinct values of the column: words alphabetically; numbers are in order already.
    pub(crate) fn sort_values(&self, values: &mut [String]) {
        if let Self::Text { .. } = self {
            values.sort();
        }
    }

    /// Returns the index of each row's value in `values`; `None` if missing or not among them.
    pub(crate) fn indices_in(&self, values: &[String]) -> Vec<Option<u32>> {
        let index = |found: Option<usize>| found.map(|index| index as u32);
        match self {
            Self::Numbers(numbers) => {
                let values: Vec<Option<f64>> =
                    values.iter().map(|value| number(value, DecimalSign::Point)).collect();
                numbers.iter().map(|x| index(values.iter().position(|value| *value == Some(*x)))).collect()
            }
            Self::Text { levels, codes } => {
                let of_level: Vec<Option<u32>> = levels
                    .iter()
                    .map(|level| index(values.iter().position(|value| value == level)))
                    .collect();
                codes.iter().map(|code| of_level[(*code)? as usize]).collect()
            }
        }
    }

    /// Returns the description of the column.
    pub(super) fn facts(&self, name: &str) -> ColumnFacts {
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
        let counts = self.counts(kind, &values);
        ColumnFacts { name: name.to_owned(), kind, missing, values, counts }
    }

    /// Returns the number of rows in each interval of the histogram, or with each of the `words`.
    fn counts(&self, kind: ColumnKind, words: &[String]) -> Vec<u32> {
        const BINS: usize = ColumnFacts::BINS;
        let (bins, rows, low, width) = match (self, kind) {
            // Halves: the difference of two large numbers may overflow.
            (Self::Numbers(numbers), ColumnKind::Numeric { min, max, .. }) => {
                (BINS, numbers.len(), min / 2.0, max / 2.0 - min / 2.0)
            }
            (Self::Numbers(_), ColumnKind::Text) => return Vec::new(),
            (Self::Text { codes, .. }, _) => (words.len(), codes.len(), 0.0, 0.0),
        };
        let mut counts = vec![0; bins];
        for row in 0..rows {
            let bin = match self {
                Self::Numbers(numbers) if numbers[row].is_nan() => None,
                Self::Numbers(_) if width <= 0.0 => Some(0),
                Self::Numbers(numbers) => {
                    let part = (numbers[row] / 2.0 - low) / width;
                    Some(((part * BINS as f64) as usize).min(BINS - 1))
                }
                Self::Text { levels, codes } => {
                    codes[row].and_then(|code| words.iter().position(|word| *word == levels[code as usize]))
                }
            };
            if let Some(bin) = bin {
                counts[bin] += 1;
            }
        }
        counts
    }
}

/// Returns a word in lower case with single blanks.
pub(super) fn folded(word: &str) -> String {
    word.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns 1 for words that usually stand for the positive class, −1 for the negative class, 0 for other words. M stands for the
/// mines of the sonar data and for malignant, R for rocks and B for benign.
fn polarity(word: &str) -> i8 {
    const YES: &str =
        " yes y true t + 1 positive pos present ill sick diseased case malignant m abnormal dead fail ";
    const NO: &str =
        " no n false f - − 0 -1 −1 negative neg absent well healthy control benign b normal alive pass ";
    let word = format!(" {} ", word.to_ascii_lowercase());
    i8::from(YES.contains(&word)) - i8::from(NO.contains(&word))
}
