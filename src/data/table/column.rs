//! One column of a table: of numbers or of words.

use std::collections::BTreeMap;

use crate::math::stats::sorted;
use crate::reader::{Cells, blank, grouped, missing, number, without_unit};
use crate::{ColumnFacts, ColumnKind};

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

impl Column {
    /// The column `c`: of numbers, if all that is known in it are numbers, with one and the same sign of a unit or none; and whether
    /// anything beside them was read past.
    pub(super) fn of(cells: &Cells, rows: std::ops::Range<usize>, c: usize) -> (Self, bool) {
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
    pub(super) fn forget(&mut self, codes: &[&str], decimal_comma: bool) {
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
    pub(super) fn differs_in_every_row(&self) -> bool {
        match self {
            Self::Numbers(numbers) => {
                numbers.iter().all(|x| x.fract() == 0.0) && sorted(numbers).windows(2).all(|w| w[0] < w[1])
            }
            Self::Text { levels, codes } => levels.len() == codes.len(),
        }
    }

    /// Whether a number occurs that is farther from all others than these are from each other.
    pub(super) fn has_code(&self, code: f64) -> bool {
        let Self::Numbers(numbers) = self else { return false };
        let others = || numbers.iter().copied().filter(|x| !x.is_nan() && *x != code);
        let (low, high) =
            (others().fold(f64::INFINITY, f64::min), others().fold(f64::NEG_INFINITY, f64::max));
        numbers.contains(&code) && low < high && (low - code).max(code - high) > high - low
    }

    /// That two of a few words differ in nothing but capitals.
    pub(super) fn variants(&self, name: &str) -> Option<String> {
        let Self::Text { levels, .. } = self else { return None };
        let few = levels.get(..levels.len().min(ColumnFacts::FEW))?;
        let (a, b) = few
            .iter()
            .enumerate()
            .find_map(|(i, a)| few[..i].iter().find(|b| a.eq_ignore_ascii_case(b)).map(|b| (b, a)))?;
        Some(format!("Column {name}: “{a}” and “{b}” differ only in capitals and are used as two values."))
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

    /// Rows in each interval of a histogram, or of each of a few words.
    fn counts(&self, kind: ColumnKind, words: &[String]) -> Vec<u32> {
        const BINS: usize = ColumnFacts::BINS;
        let (bins, rows, low, width) = match (self, kind) {
            // Of halves, which cannot overflow.
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
