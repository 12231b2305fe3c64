//! Permalinks, `#/feedforward?inputs=50&beta=0.5`, of the page and the command line.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::values::Raw;
use crate::data::DataRef;

/// Characters that are escaped in a value: the separators of a link. Commas and dots stay readable.
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

/// Characters that are escaped in the name of a task, which follows a slash.
const RESERVED_IN_TASK: &AsciiSet = &RESERVED.add(b'/');

/// A task with the texts of its specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Id of the task (`feedforward`); empty for the front page.
    pub task: String,
    /// Texts of its fields by key.
    pub raw: Raw,
}

/// Key of the user's tables and images.
const DATA: &str = "data";
/// Key of the revision of the model's results with which a link was made.
const REVISION: &str = "results";

impl Link {
    /// Adds the revision of the model's results with which the link is made.
    #[must_use]
    pub fn with_revision(mut self, revision: usize) -> Self {
        self.raw.insert(REVISION.to_owned(), revision.to_string());
        self
    }

    /// Removes and returns the revision with which the link was made, if it has one. No field has its key.
    pub fn take_revision(&mut self) -> Option<usize> {
        self.raw.remove(REVISION)?.parse().ok()
    }

    /// Returns the data set that the settings name under the key of the user's tables and images.
    pub fn data(&self) -> Option<DataRef> {
        DataRef::parse(self.raw.get(DATA)?)
    }

    /// Reads the settings of a query, the part of a link after `?`.
    pub fn settings(query: &str) -> Raw {
        Self::parse(&format!("?{query}")).raw
    }

    /// Reads the part of an address after `#`. Any text is a link; its task and keys need not exist.
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

/// Decodes percent encoding.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_not_escaped() {
        let link = Link::parse("#/feedforward?alphas=0.5,1,2&beta=inf");
        assert_eq!(link.task, "feedforward");
        assert_eq!(link.raw["alphas"], "0.5,1,2");
        assert_eq!(link.to_string(), "#/feedforward?alphas=0.5,1,2&beta=inf");
    }

    #[test]
    fn separators_in_a_value_are_escaped() {
        let raw = Raw::from([("data".to_owned(), "a b&c=d#%?é,+".to_owned())]);
        let link = Link { task: "gp".into(), raw };
        assert_eq!(Link::parse(&link.to_string()), link);
    }

    #[test]
    fn a_revision_is_not_a_setting() {
        let mut link = Link::parse("#/gp?v=0.1").with_revision(3);
        assert_eq!(link.to_string(), "#/gp?results=3&v=0.1");
        assert_eq!((link.take_revision(), link.to_string().as_str()), (Some(3), "#/gp?v=0.1"));
        assert_eq!(link.take_revision(), None);
    }

    #[test]
    fn malformed_links_are_read() {
        assert_eq!(Link::parse(""), Link { task: String::new(), raw: Raw::new() });
        assert_eq!(Link::parse("#/gp?&x&y=").raw.len(), 2);
        assert_eq!(Link::parse("/gp?y=%ff").task, "gp");
        let slash = Link::parse("#/%2Fgp");
        assert_eq!((slash.task.as_str(), Link::parse(&slash.to_string())), ("/gp", slash.clone()));
    }
}
