//! Notation of the numbers of a column, which tells identifiers from measurements.

use crate::reader::digits;

/// Properties of the texts of a column of numbers.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub(super) struct Notation {
    /// True if signs of units or of thousands were removed.
    pub has_signs: bool,
    /// True if a number in parentheses is negative.
    pub has_parentheses: bool,
    /// True if a number has leading zeros, as in 007.
    has_leading_zeros: bool,
    /// True if a whole number has more digits than can be stored.
    is_too_long: bool,
    has_fractions: bool,
    /// True if a whole number is not written in its shortest form.
    has_long_forms: bool,
}

/// Number of digits from which a whole number may not be stored exactly.
const EXACT_DIGITS: usize = 16;

impl Notation {
    /// Observes a plain number.
    pub fn observe(&mut self, cell: &str, x: f64) {
        if self.has_fractions || x.fract() != 0.0 {
            self.has_fractions = true;
            return;
        }
        let size = cell.strip_prefix('-').unwrap_or(cell).as_bytes();
        let is_digits = size.iter().all(u8::is_ascii_digit);
        let leading = size.len() > 1 && size[0] == b'0';
        self.has_leading_zeros |= leading && is_digits;
        self.is_too_long |=
            size.len() >= EXACT_DIGITS && is_digits && format!("{}", x.abs()).as_bytes() != size;
        self.has_long_forms |= leading || !is_digits || size.len() >= EXACT_DIGITS;
    }

    /// Returns true if whole numbers identify something: all have the same number of digits, some with zeros in front; or more digits than can be
    /// stored.
    pub fn is_of_identifiers<'a>(
        self,
        cells: impl Iterator<Item = &'a str>,
        is_missing: impl Fn(&str) -> bool,
    ) -> bool {
        if self.has_fractions || !(self.has_leading_zeros || self.is_too_long) {
            return false;
        }
        let mut known = cells.filter(|cell| !is_missing(cell));
        if self.is_too_long {
            return known.all(digits);
        }
        let length = known.next().map_or(0, str::len);
        known.all(|cell| cell.len() == length && digits(cell))
    }

    /// Returns true if a whole number would be exported in another form than it is written.
    pub fn loses_form(self) -> bool {
        !self.has_fractions && self.has_long_forms
    }
}
