//! Cell texts, concatenated in one string.

/// Control character that terminates each text.
const END: char = '\u{1f}';
/// Number of texts per stored position. The texts in between are found by counting terminators, which saves memory.
const STRIDE: usize = 4;

/// Texts without control characters.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// All texts, each followed by [`END`].
    all: String,
    /// Start of every [`STRIDE`]th text.
    starts: Vec<u32>,
    count: usize,
}

impl Texts {
    /// Creates an empty list with room for this many bytes, including one terminator per text.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { all: String::with_capacity(bytes), ..Self::default() }
    }

    /// Appends a text. Control characters are replaced by spaces, since they would break lines that show names and values.
    pub fn push(&mut self, text: impl Iterator<Item = char>) {
        self.begin();
        self.all.extend(text.map(|c| if c.is_control() { ' ' } else { c }));
        self.all.push(END);
    }

    /// Appends a text without control characters.
    pub fn push_copy(&mut self, text: &str) {
        self.begin();
        self.all.push_str(text);
        self.all.push(END);
    }

    fn begin(&mut self) {
        if self.count.is_multiple_of(STRIDE) {
            self.starts.push(self.all.len() as u32);
        }
        self.count += 1;
    }

    /// Returns text number `i`, from 0.
    pub fn get(&self, i: usize) -> &str {
        let bytes = self.all.as_bytes();
        let end = |start: usize| start + bytes[start..].iter().position(|b| *b == END as u8).unwrap_or(0);
        let mut start = self.starts[i / STRIDE] as usize;
        for _ in 0..i % STRIDE {
            start = end(start) + 1;
        }
        &self.all[start..end(start)]
    }

    /// Returns the number of bytes of all texts with their terminators.
    pub fn bytes(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_index() {
        let all: Vec<String> = (0..100).map(|i| "é".repeat(i % 7)).collect();
        let mut texts = Texts::with_capacity(0);
        for text in &all {
            texts.push_copy(text);
        }
        texts.push("a\u{1f}b\n".chars());
        assert!((0..100).all(|i| texts.get(i) == all[i]));
        assert_eq!(texts.get(100), "a b ");
    }
}
