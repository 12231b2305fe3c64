//! Permalinks: `#/feedforward?inputs=50&beta=0.5`. The page, its address bar and `headless` share them.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::values::Raw;

/// Characters that are escaped in a value: the separators of the link itself. Commas and dots stay readable.
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'<')
    .add(b'>')
    .add(b'=')
    .add(b'?');

/// Nor may slashes in the name of a task: those in front of it are the link's own.
const RESERVED_IN_TASK: &AsciiSet = &RESERVED.add(b'/');

/// A task and the texts of its specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Id of a task (`feedforward`), or empty for the front page.
    pub task: String,
    /// Texts of its fields, by key.
    pub raw: Raw,
}

/// The key by which a link says which revision of its model's results it was made with.
const REVISION: &str = "results";

impl Link {
    /// The same link, with the revision of its model's results that it is made with.
    #[must_use]
    pub fn with_revision(mut self, revision: usize) -> Self {
        self.raw.insert(REVISION.to_owned(), revision.to_string());
        self
    }

    /// Takes out the revision that the link was made with, if it says which: no field has that key.
    pub fn take_revision(&mut self) -> Option<usize> {
        self.raw.remove(REVISION)?.parse().ok()
    }

    /// Reads the part of an address after `#`. Any text is a link; whether its task exists is checked later.
    pub fn parse(hash: &str) -> Self {
        let body = hash.trim_start_matches('#').trim_start_matches('/');
        let (task, query) = body.split_once('?').unwrap_or((body, ""));
        let mut raw = Raw::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            raw.insert(decode(key), decode(value));
        }
        Self { task: decode(task), raw }
    }
}

impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#/{}", utf8_percent_encode(&self.task, RESERVED_IN_TASK))?;
        for (i, (key, value)) in self.raw.iter().enumerate() {
            let separator = if i == 0 { '?' } else { '&' };
            write!(
                f,
                "{separator}{}={}",
                utf8_percent_encode(key, RESERVED),
                utf8_percent_encode(value, RESERVED)
            )?;
        }
        Ok(())
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_readable() {
        let link = Link::parse("#/feedforward?alphas=0.5,1,2&beta=inf");
        assert_eq!(link.task, "feedforward");
        assert_eq!(link.raw["alphas"], "0.5,1,2");
        assert_eq!(link.to_string(), "#/feedforward?alphas=0.5,1,2&beta=inf");
    }

    #[test]
    fn separators_inside_a_value_survive() {
        let raw = Raw::from([("data".to_owned(), "a b&c=d#%?é,+".to_owned())]);
        let link = Link { task: "gp".into(), raw };
        assert_eq!(Link::parse(&link.to_string()), link);
    }

    #[test]
    fn a_revision_is_no_setting() {
        let mut link = Link::parse("#/gp?v=0.1").with_revision(3);
        assert_eq!(link.to_string(), "#/gp?results=3&v=0.1");
        assert_eq!((link.take_revision(), link.to_string().as_str()), (Some(3), "#/gp?v=0.1"));
        assert_eq!(link.take_revision(), None);
    }

    #[test]
    fn odd_links_are_read_without_fuss() {
        assert_eq!(Link::parse(""), Link { task: String::new(), raw: Raw::new() });
        assert_eq!(Link::parse("#/gp?&x&y=").raw.len(), 2);
        assert_eq!(Link::parse("/gp?y=%ff").task, "gp");
        let slash = Link::parse("#/%2Fgp");
        assert_eq!((slash.task.as_str(), Link::parse(&slash.to_string())), ("/gp", slash.clone()));
    }
}
