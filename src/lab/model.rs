//! A model as the page, the command line and the generator know it: one paper with its tasks.

use std::cmp::Ordering;

use super::claim::{Claim, Erratum};
use super::task::Task;

/// Everything that other folders know of a model. Headings, navigation and the boot script are generated from it
/// (`scripts/register`).
pub struct Model {
    /// Its name in links and the name of its folder.
    pub id: &'static str,
    /// Its name in the navigation: a few words.
    pub name: &'static str,
    /// The question that it answers: the heading of its card on the front page.
    pub question: &'static str,
    /// The content of its pages, in one sentence.
    pub promise: &'static str,
    /// Kinds of user data that its pages take.
    pub takes: &'static [DataKind],
    /// The same in a few words, which a sentence of advice may follow; empty where it takes none.
    pub takes_words: &'static str,
    /// The paper whose method it is.
    pub paper: Paper,
    /// Its tasks, in the order of its pages.
    pub tasks: &'static [&'static dyn Task],
    /// Statements of its paper, and how each is checked.
    pub claims: &'static [Claim],
    /// Errors in its paper.
    pub errata: &'static [Erratum],
    /// Changes of its results, oldest first. Each makes a new revision; numbers of the golden runs do not change without one.
    pub changes: &'static [&'static str],
    /// Permalinks that exercise every task within a fraction of a second each, for the tests.
    pub small_runs: &'static [&'static str],
}

impl Model {
    /// Returns a model that consists of tasks alone, for tests.
    pub const fn of_tasks(id: &'static str, tasks: &'static [&'static dyn Task]) -> Self {
        Self {
            id,
            name: id,
            question: "",
            promise: "",
            takes: &[],
            takes_words: "",
            paper: Paper { short: "", authors: "", title: "", reference: "", bibtex: "" },
            tasks,
            claims: &[],
            errata: &[],
            changes: &[],
            small_runs: &[],
        }
    }

    /// Returns the revision of its results, from 1.
    pub const fn revision(&self) -> usize {
        1 + self.changes.len()
    }

    /// Describes what has changed since the revision `made` of a link; `None` if it is the current one.
    pub fn changes_since(&self, made: usize) -> Option<String> {
        let (name, now) = (self.name, self.revision());
        let both = format!(
            "This link was made with revision {made} of the results of “{name}”; this page computes revision {now}."
        );
        match made.cmp(&now) {
            Ordering::Equal => None,
            Ordering::Greater => Some(format!("{both} Numbers may differ.")),
            Ordering::Less => {
                let changes = &self.changes[made.max(1) - 1..];
                Some(format!("{both} Numbers may differ, since: {}.", changes.join("; ")))
            }
        }
    }
}

/// A paper, as it is cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Authors' last names and year.
    pub short: &'static str,
    /// Authors, as in a list of references.
    pub authors: &'static str,
    /// Title.
    pub title: &'static str,
    /// Journal or proceedings, page and year.
    pub reference: &'static str,
    /// The same as BibTeX.
    pub bibtex: &'static str,
}

/// A kind of user data, as far as the first bytes of a file show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKind {
    /// A table whose label has two values.
    TwoClasses,
    /// A table whose label has a few values.
    Classes,
    /// A table whose last column is numeric.
    Number,
    /// A table with several numeric columns.
    Channels,
    /// Images.
    Images,
}

impl DataKind {
    /// Returns its word in the markup of the front page.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TwoClasses => "two-classes",
            Self::Classes => "classes",
            Self::Number => "number",
            Self::Channels => "channels",
            Self::Images => "images",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_of_an_older_revision_lists_later_changes() {
        let model = Model { changes: &["fits stop later", "another sampler"], ..Model::of_tasks("a", &[]) };
        assert_eq!((model.revision(), model.changes_since(3)), (3, None));
        let since = |made| model.changes_since(made).unwrap();
        assert!(since(1).ends_with("since: fits stop later; another sampler."), "{}", since(1));
        assert!(since(2).ends_with("since: another sampler."), "{}", since(2));
        assert_eq!(since(0).split_once("since").unwrap().1, since(1).split_once("since").unwrap().1);
        assert!(since(4).ends_with("Numbers may differ."), "{}", since(4));
    }
}
