//! All models and their tasks, by name.

use super::field::{Field, Role};
use super::kind::Kind;
use super::link::Link;
use super::model::Model;
use super::task::Task;

/// All models, in the order of the navigation.
#[derive(Clone, Copy)]
pub struct Catalog(pub &'static [&'static Model]);

impl Catalog {
    /// Returns the models, in the order of the navigation.
    pub fn models(self) -> impl Iterator<Item = &'static Model> {
        self.0.iter().copied()
    }

    /// Returns the model of that id.
    pub fn model(self, id: &str) -> Option<&'static Model> {
        self.models().find(|model| model.id == id)
    }

    /// Returns the tasks of all models, those of a model in the order of its pages.
    pub fn tasks(self) -> impl Iterator<Item = &'static dyn Task> {
        self.models().flat_map(|model| model.tasks.iter().copied())
    }

    /// Returns the task of that id.
    pub fn task(self, id: &str) -> Option<&'static dyn Task> {
        self.tasks().find(|task| task.meta().id == id)
    }

    /// Returns the tasks that are pages of their own.
    pub fn every_page(self) -> impl Iterator<Item = &'static dyn Task> {
        self.tasks().filter(|task| task.meta().tab.is_some())
    }

    /// Returns the task of that id if it is a page of its own.
    pub fn page(self, id: &str) -> Option<&'static dyn Task> {
        self.every_page().find(|task| task.meta().id == id)
    }

    /// Returns the pages of a model, the one it opens with first.
    pub fn pages(self, model: &str) -> impl Iterator<Item = &'static dyn Task> {
        self.every_page().filter(move |task| model_of(task.meta().id) == model)
    }

    /// Returns the id of the page that a link opens: where it names a model and a data set, the page of that model which takes one.
    pub fn route(self, link: &Link) -> String {
        let linked = self.task(&link.task);
        let takes_data = |task: &dyn Task| Field::with_role(task.fields(), Role::Data).is_some();
        let page = if linked.is_none_or(|task| !takes_data(task)) {
            self.pages(&link.task).find(|page| names_data(*page, linked, link))
        } else {
            None
        };
        page.map_or_else(|| link.task.clone(), |task| task.meta().id.to_owned())
    }
}

/// Returns true if `link` names a data set for `page`. A word that the linked task itself takes under that key, such as one of
/// built-in data, is not a file.
fn names_data(page: &dyn Task, linked: Option<&dyn Task>, link: &Link) -> bool {
    let Some(field) = Field::with_role(page.fields(), Role::Data) else { return false };
    let text = link.raw.get(field.key).map_or("", String::as_str).trim();
    let is_choice = |own: &Field| {
        own.key == field.key
            && matches!(&own.kind, Kind::Choice(words) if words.iter().any(|(word, _)| *word == text))
    };
    !text.is_empty() && !linked.is_some_and(|task| task.fields().iter().any(is_choice))
}

/// Returns the id of the model that a task belongs to.
pub fn model_of(task: &str) -> &str {
    task.split('.').next().unwrap_or(task)
}
