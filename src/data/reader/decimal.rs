//! Decision between decimal point and decimal comma, for the whole file and for each column.

use super::Cells;
use super::cell::{amount, bare, digits};
use crate::reading::{DecimalSign, Doubt};

/// Decimal signs of the columns, and the doubts about them.
#[derive(Debug)]
pub(crate) struct Decimals {
    /// Sign of most columns.
    pub file: DecimalSign,
    /// Sign of each column.
    pub columns: Vec<DecimalSign>,
    /// Names of columns in which single marks, as in 1.234, separate thousands.
    pub grouped: Vec<usize>,
    pub doubt: Option<Doubt>,
}

/// The marks in the numbers of a column.
#[derive(Clone, Copy, Debug, Default)]
struct SignCounts {
    /// Sign of which there is a sure example, such as 1.5.
    sure: Option<DecimalSign>,
    /// Row with a mark before three digits, as in 1.234, and the sign that the mark would be.
    unsure: Option<(usize, DecimalSign)>,
    /// Row with a whole number without a mark.
    whole: Option<usize>,
}

/// Decides the decimal sign of a table whose rows are `rows`. A given sign is kept.
pub(crate) fn decide(cells: &Cells, rows: std::ops::Range<usize>, given: Option<DecimalSign>) -> Decimals {
    let separator = cells.separator;
    let evidence: Vec<SignCounts> =
        (0..cells.width).map(|c| SignCounts::of(cells, rows.clone(), c)).collect();
    let has = |sign| evidence.iter().any(|column| column.sure == Some(sign));
    let (point, comma) = (has(DecimalSign::Point), has(DecimalSign::Comma));
    let unsure = |column: &&SignCounts| column.sure.is_none() && column.unsure.is_some();
    let usual = match (point, comma) {
        (false, true) => DecimalSign::Comma,
        (true, _) => DecimalSign::Point,
        (false, false) if separator == b',' => DecimalSign::Point,
        (false, false) => evidence
            .iter()
            .find(unsure)
            .and_then(|column| column.unsure)
            .map_or(DecimalSign::Point, |(_, sign)| sign),
    };
    let file = given.unwrap_or(usual);
    let is_doubtful = |(_, column): &(usize, &SignCounts)| {
        unsure(column)
            && match (point, comma) {
                (true, true) => true,
                (false, false) => separator != b',' && (separator == b';' || column.whole.is_some()),
                _ => false,
            }
    };
    let doubtful = evidence.iter().enumerate().find(is_doubtful).filter(|_| given.is_none());
    let columns = evidence.iter().map(|column| given.or(column.sure).unwrap_or(file)).collect::<Vec<_>>();
    let is_grouped = |c: &usize| {
        evidence[*c].sure.is_none() && evidence[*c].unsure.is_some_and(|(_, sign)| sign != columns[*c])
    };
    let grouped = (0..cells.width).filter(is_grouped).collect();
    Decimals { file, grouped, doubt: doubtful.map(|(c, column)| column.question(cells, c)), columns }
}

impl SignCounts {
    /// Collects the evidence of column `c`, up to the first sure example.
    fn of(cells: &Cells, rows: std::ops::Range<usize>, c: usize) -> Self {
        let mut found = Self::default();
        for row in rows {
            let cell = bare(cells.get(row, c));
            let mark = cell.bytes().position(|b| b == b'.' || b == b',');
            if mark.is_none() {
                if found.whole.is_none() && digits(cell) {
                    found.whole = Some(row);
                }
                continue;
            }
            match meaning(cell) {
                Some((sign, true)) => {
                    found.sure = Some(sign);
                    return found;
                }
                Some((sign, false)) => found.unsure = found.unsure.or(Some((row, sign))),
                None => {}
            }
        }
        let is_dollar = |(row, sign)| sign == DecimalSign::Comma && has_dollar(cells.get(row, c));
        found.sure = found.unsure.is_some_and(is_dollar).then_some(DecimalSign::Point);
        found
    }

    /// Asks for the decimal sign.
    fn question(&self, cells: &Cells, c: usize) -> Doubt {
        let (row, sign) = self.unsure.unwrap_or((0, DecimalSign::Point));
        let cell = cells.get(row, c);
        let without = cell.replace(['.', ','], "");
        let (name, other) = (sign.name(), sign.other().name());
        let beside = match self.whole {
            Some(whole) => format!(" beside {}", cells.get(whole, c)),
            None => String::new(),
        };
        Doubt {
            field: "decimal".into(),
            question: format!(
                "In row {}, “{cell}”{beside} is {without} with decimal={other}, or it has three decimals with decimal={name}. \
                 Does the {name} separate thousands?",
                cells.lines[row]
            ),
            answers: [other.into(), name.into()],
            previews: [sign.other(), sign].map(|sign| preview(cells, row, c, sign)),
        }
    }
}

/// Lists the first few numbers of column `c` from `row` on, as they are read with a decimal sign.
fn preview(cells: &Cells, row: usize, c: usize, sign: DecimalSign) -> String {
    const LISTED: usize = 3;
    let numbers = (row..cells.lines.len()).filter_map(|row| amount(cells.get(row, c), sign));
    numbers.take(LISTED).map(|(x, _)| x.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns true for an amount with a dollar or pound sign in front, as in $1,200 and -£1,200. Its comma separates thousands.
fn has_dollar(cell: &str) -> bool {
    cell.trim_start_matches(['(', '-', '−', '+', ' ']).starts_with(['$', '£'])
}

/// Returns the decimal sign that a number with marks has, and true if it is sure; `None` if it is no number.
fn meaning(cell: &str) -> Option<(DecimalSign, bool)> {
    let mantissa = cell.split(['e', 'E']).next().unwrap_or(cell);
    let has_exponent = mantissa.len() < cell.len();
    let (point, comma) = (mantissa.rfind('.'), mantissa.rfind(','));
    let last = if point > comma { '.' } else { ',' };
    let sign = if last == '.' { DecimalSign::Point } else { DecimalSign::Comma };
    let (whole, decimals) = mantissa.rsplit_once(last)?;
    if !(decimals.is_empty() || digits(decimals)) || whole.is_empty() && decimals.is_empty() {
        return None;
    }
    let groups = |whole: &str, mark: char| {
        let mut parts = whole.split(mark);
        parts.next().is_some_and(|first| first.len() <= 3 && digits(first))
            && parts.all(|part| digits(part) && (2..=3).contains(&part.len()))
    };
    if whole.contains(last) {
        // Only thousands separators recur.
        return (groups(whole, last) && decimals.len() == 3).then_some((sign.other(), true));
    }
    if point.is_some() && comma.is_some() {
        return groups(whole, sign.thousands()).then_some((sign, true));
    }
    if !(whole.is_empty() || digits(&whole.replace([' ', '\u{a0}', '\u{202f}', '\'', '’'], ""))) {
        return None;
    }
    let is_sure =
        decimals.len() != 3 || has_exponent || !(1..=3).contains(&whole.len()) || whole.starts_with('0');
    Some((sign, is_sure))
}
