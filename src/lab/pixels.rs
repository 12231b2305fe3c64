//! Small images drawn by the user: values of a field whose text is short enough for a link.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Digits of base64url, six bits each, which need no escape in a link.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// An image of a few grey levels with possibly missing pixels.
///
/// Its text is `10x10.` and the pixels row by row from above, packed into base64url without trailing zeros.
///
/// ```
/// use meanfield_lab::Pixels;
/// let mut picture = Pixels::blank(4, 2, 2);
/// picture.set(1, 0, Some(1));
/// picture.set(3, 0, None);
/// assert_eq!(picture.to_string(), "4x2.Eg");
/// assert_eq!(Pixels::parse("4x2.Eg", (4, 2), 2), Some(picture));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pixels {
    columns: usize,
    levels: u8,
    /// Row by row from above: 0 is paper and `levels` − 1 ink; `None` is missing.
    values: Vec<Option<u8>>,
}

impl Pixels {
    /// Returns a blank image with 2 to 255 grey levels.
    pub fn blank(columns: usize, rows: usize, levels: u8) -> Self {
        Self { columns, levels, values: vec![Some(0); columns * rows] }
    }

    /// Quantises shades, row by row from above, to the nearest grey levels: 0 is paper, 1 is ink, and a shade that is not finite is
    /// missing.
    pub fn of_shades(columns: usize, levels: u8, shades: impl IntoIterator<Item = f32>) -> Self {
        let top = f32::from(levels - 1);
        let level = |shade: f32| shade.is_finite().then(|| libm::roundf(shade.clamp(0.0, 1.0) * top) as u8);
        Self { columns, levels, values: shades.into_iter().map(level).collect() }
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// Returns the level of ink.
    pub fn top(&self) -> u8 {
        self.levels - 1
    }

    /// Returns the levels row by row from above; `None` is missing.
    pub fn values(&self) -> &[Option<u8>] {
        &self.values
    }

    /// Returns the level of a pixel, rows counted from above.
    ///
    /// # Panics
    /// If there is no such pixel.
    pub fn get(&self, column: usize, row: usize) -> Option<u8> {
        self.values[row * self.columns + column]
    }

    /// Sets a pixel, rows counted from above.
    ///
    /// # Panics
    /// If there is no such pixel.
    pub fn set(&mut self, column: usize, row: usize, level: Option<u8>) {
        self.values[row * self.columns + column] = level.map(|level| level.min(self.levels - 1));
    }

    /// Replaces missing pixels with paper.
    pub fn fill_missing(&mut self) {
        self.values.iter_mut().for_each(|level| *level = Some(level.unwrap_or(0)));
    }

    /// Returns shades from 0 (paper) to 1 (ink) row by row from above; NaN for a missing pixel.
    pub fn shades(&self) -> Vec<f32> {
        let top = f32::from(self.top());
        self.values.iter().map(|level| level.map_or(f32::NAN, |level| f32::from(level) / top)).collect()
    }

    /// Reads the text of an image of that size; `None` for any other text.
    pub fn parse(text: &str, (columns, rows): (usize, usize), levels: u8) -> Option<Self> {
        let digits = text.strip_prefix(&format!("{columns}x{rows}."))?;
        let width = bits(levels);
        let mut all = Vec::with_capacity(6 * digits.len());
        for digit in digits.bytes() {
            let value = DIGITS.iter().position(|known| *known == digit)?;
            all.extend((0..6).rev().map(|bit| value >> bit & 1));
        }
        let wanted = width * columns * rows;
        // Only the last digit may have further bits, which must be 0.
        let (kept, rest) = all.split_at(all.len().min(wanted));
        if rest.len() >= 6 || rest.contains(&1) {
            return None;
        }
        let state = |bits: &[usize]| {
            let value = (0..width).fold(0, |value, bit| value << 1 | bits.get(bit).copied().unwrap_or(0));
            (value <= usize::from(levels)).then(|| Some(value as u8).filter(|level| *level < levels))
        };
        let mut values = kept.chunks(width).map(state).collect::<Option<Vec<_>>>()?;
        values.resize(columns * rows, Some(0));
        Some(Self { columns, levels, values })
    }
}

/// Returns the number of bits of a pixel, which has one state more than levels, for a missing pixel.
fn bits(levels: u8) -> usize {
    (u8::BITS - levels.leading_zeros()) as usize
}

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}.", self.columns, self.rows())?;
        let width = bits(self.levels);
        let states = self.values.iter().map(|level| usize::from(level.unwrap_or(self.levels)));
        let all: Vec<usize> =
            states.flat_map(|state| (0..width).rev().map(move |bit| state >> bit & 1)).collect();
        let digit =
            |bits: &[usize]| (0..6).fold(0, |value, bit| value << 1 | bits.get(bit).copied().unwrap_or(0));
        let digits: Vec<usize> = all.chunks(6).map(digit).collect();
        let length = digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        digits[..length].iter().try_for_each(|digit| write!(f, "{}", char::from(DIGITS[*digit])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_survives_its_text() {
        for (columns, rows, levels) in [(10, 10, 2), (28, 28, 15), (3, 5, 255), (7, 1, 4)] {
            let mut picture = Pixels::blank(columns, rows, levels);
            assert_eq!(picture.to_string(), format!("{columns}x{rows}."));
            for i in 0..columns * rows {
                let level = (i * i + 3 * i) % (usize::from(levels) + 1);
                picture.set(i % columns, i / columns, Some(level as u8).filter(|level| *level < levels));
                let text = picture.to_string();
                assert_eq!(Pixels::parse(&text, (columns, rows), levels).as_ref(), Some(&picture), "{text}");
            }
        }
    }

    #[test]
    fn texts_are_short() {
        let ink = |columns, rows, levels: u8| {
            let picture = Pixels::of_shades(columns, levels, vec![1.0; columns * rows]);
            picture.to_string().len()
        };
        assert_eq!((ink(10, 10, 2), ink(28, 28, 15)), (40, 529));
    }

    #[test]
    fn invalid_texts_are_rejected() {
        let parse = |text| Pixels::parse(text, (4, 2), 2);
        assert_eq!(parse("4x2."), Some(Pixels::blank(4, 2, 2)));
        for text in ["", "4x3.", "4x2", "4x2.!", "4x2.AAAAA", "4x2._", "4x2.AAB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn shades_are_quantised() {
        let picture = Pixels::of_shades(2, 3, [0.2, 0.3, f32::NAN, 9.0]);
        assert_eq!(picture.values(), [Some(0), Some(1), None, Some(2)]);
        let shades = picture.shades();
        assert_eq!((shades[1], shades[2].is_nan(), shades[3]), (0.5, true, 1.0));
    }
}
