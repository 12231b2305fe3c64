//! What there is to run, as the page knows it: tasks by name, their fields and presets, and no solver. The page is told by
//! the solvers' program; natively the registry itself is asked.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::field::{Field, Role};
use super::input_error::InputError;
use super::kind::Kind;
use super::link::Link;
use super::plan::Plan;
use super::static_slice::static_slice;
use super::task::Meta;
use super::values::{Raw, Values};
use crate::data::Facts;

/// What is said of a model, whether or not its program is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Name in links, and of the program that runs its tasks.
    pub id: &'static str,
    /// A few words for the navigation.
    pub name: &'static str,
    /// One sentence: what the pages show.
    pub promise: &'static str,
    /// The paper whose method it is.
    pub paper: Paper,
    /// What changed its results, oldest first: each is a revision, and the first revision has none.
    #[serde(borrow, deserialize_with = "static_slice")]
    pub changes: &'static [&'static str],
}

impl ModelInfo {
    /// Which revision its results are of, from 1.
    pub const fn revision(&self) -> usize {
        1 + self.changes.len()
    }

    /// What to know of a link that was made with another revision of the results.
    pub fn since(&self, made: usize) -> Option<String> {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A task from outside: its names, its settings, and whether they are valid.
pub trait Task: Sync {
    /// Names.
    fn meta(&self) -> &'static Meta;
    /// Its inputs.
    fn fields(&self) -> &'static [Field];
    /// Checks a specification.
    ///
    /// # Errors
    /// Every problem found.
    fn check(&self, raw: &Raw) -> Result<Values, Vec<InputError>>;
    /// How the work of a checked specification is divided; `facts` are those of the data set it names.
    ///
    /// # Errors
    /// If the program that knows the task has broken down.
    fn plan(&self, values: &Values, facts: Option<&Facts>) -> Result<Plan, String>;
}

/// All models, and the tasks that somebody is there to answer for.
#[derive(Clone)]
pub struct Catalog {
    /// In the order of the navigation.
    pub models: Vec<ModelInfo>,
    /// Those of a model in the order of its pages.
    pub tasks: Vec<&'static dyn Task>,
}

/// A catalog on its way to the page, without what answers for a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// See [`Catalog::models`].
    #[serde(bound(deserialize = "'de: 'static"))]
    pub models: Vec<ModelInfo>,
    /// See [`Catalog::tasks`].
    pub tasks: Vec<Entry>,
}

/// What is said of a task in a [`Listing`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// See [`Task::meta`].
    pub meta: Meta,
    /// See [`Task::fields`].
    #[serde(borrow, deserialize_with = "static_slice")]
    pub fields: &'static [Field],
}

impl Catalog {
    /// What of it can be sent.
    pub fn listing(&self) -> Listing {
        let tasks = self.tasks.iter().map(|task| Entry { meta: *task.meta(), fields: task.fields() });
        Listing { models: self.models.clone(), tasks: tasks.collect() }
    }

    /// This one and the tasks of another.
    #[must_use]
    pub fn with(&self, more: Self) -> Self {
        let mut all = self.clone();
        all.tasks.extend(more.tasks.into_iter().filter(|task| self.task(task.meta().id).is_none()));
        all
    }

    /// The task of that id.
    pub fn task(&self, id: &str) -> Option<&'static dyn Task> {
        self.tasks.iter().copied().find(|task| task.meta().id == id)
    }

    /// The task of that id, if it is a page of its own.
    pub fn page(&self, id: &str) -> Option<&'static dyn Task> {
        self.task(id).filter(|task| task.meta().tab.is_some())
    }

    /// The pages of all models.
    pub fn every_page(&self) -> impl Iterator<Item = &'static dyn Task> {
        self.tasks.iter().copied().filter(|task| task.meta().tab.is_some())
    }

    /// The pages of a model, the one it opens with first.
    pub fn pages(&self, model: &str) -> impl Iterator<Item = &'static dyn Task> {
        self.every_page().filter(move |task| model_of(task.meta().id) == model)
    }

    /// Id of the task that a link is for: where it names a model and a data set, that page of the model which takes one.
    pub fn route(&self, link: &Link) -> String {
        // A word that the task itself takes under that key, such as one of built-in data, names no file.
        let is_word = |field: &Field, text: &str| match &field.kind {
            Kind::Choice(words) => words.iter().any(|(word, _)| *word == text),
            _ => false,
        };
        let own_word = |key: &str, text: &str| {
            self.task(&link.task).is_some_and(|task| {
                task.fields().iter().any(|field| field.key == key && is_word(field, text))
            })
        };
        let names_data = |task: &&dyn Task| {
            Field::with_role(task.fields(), Role::Data).is_some_and(|field| {
                let text = link.raw.get(field.key).map_or("", String::as_str).trim();
                !text.is_empty() && !own_word(field.key, text)
            })
        };
        let first_takes_none =
            self.task(&link.task).is_none_or(|task| Field::with_role(task.fields(), Role::Data).is_none());
        let page = if first_takes_none { self.pages(&link.task).find(names_data) } else { None };
        page.map_or_else(|| link.task.clone(), |task| task.meta().id.to_owned())
    }

    /// The model of that id.
    pub fn model(&self, id: &str) -> Option<&ModelInfo> {
        self.models.iter().find(|model| model.id == id)
    }
}

/// The id of the model that a task belongs to.
pub fn model_of(task: &str) -> &str {
    task.split('.').next().unwrap_or(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_hears_what_has_changed_since() {
        let paper = Paper { short: "", authors: "", title: "", reference: "", bibtex: "" };
        let changes: &[&str] = &["fits stop later", "another sampler"];
        let model = ModelInfo { id: "a", name: "A", promise: "", paper, changes };
        assert_eq!((model.revision(), model.since(3)), (3, None));
        let said = |made| model.since(made).unwrap();
        assert!(said(1).ends_with("since: fits stop later; another sampler."), "{}", said(1));
        assert!(said(2).ends_with("since: another sampler."), "{}", said(2));
        assert_eq!(said(0).split_once("since").unwrap().1, said(1).split_once("since").unwrap().1);
        assert!(said(4).ends_with("Numbers may differ."), "{}", said(4));
    }
}
