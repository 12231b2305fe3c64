//! What a model registers, and what is looked up among all of them.

use std::sync::LazyLock;

use super::erased::{Runnable, Tasks};
use super::{INFOS, MODELS};
use crate::lab::{Catalog, ModelInfo, Paper, Task};

/// User data that a model can take: what a file holds, as far as a first look shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A table whose label has two values.
    TwoClasses,
    /// One whose label has a few values.
    Classes,
    /// One whose last column is of numbers.
    Number,
    /// One with several columns of numbers.
    Channels,
    /// Images.
    Images,
}

impl Takes {
    /// In the markup of the front page.
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

/// Everything that other folders know of a model. Headings, navigation, the boot script and the style sheet's hooks are
/// generated from it (`scripts/register`).
pub struct Model {
    /// Its name in links, also the name of its folder and of its program.
    pub id: &'static str,
    /// A few words for the navigation.
    pub name: &'static str,
    /// The question that it answers: the heading of its card on the front page.
    pub question: &'static str,
    /// One sentence: what the pages show.
    pub promise: &'static str,
    /// The user data that it takes.
    pub takes: &'static [Takes],
    /// The same in a few words; empty where it takes none.
    pub takes_words: &'static str,
    /// The paper whose method it is.
    pub paper: Paper,
    /// Its tasks, in the order of its pages.
    pub tasks: Tasks,
    /// Statements of its paper, and how each is checked.
    pub claims: &'static [crate::lab::claim::Claim],
    /// Errors in its paper.
    pub errata: &'static [crate::lab::claim::Erratum],
    /// What changed its results, oldest first, as a link that was made before is told. Numbers of the golden runs do not change
    /// without it.
    pub changes: &'static [&'static str],
    /// Permalinks that exercise every task within a fraction of a second each: what the tests run.
    pub small_runs: &'static [&'static str],
}

impl Model {
    /// What the page shows of it.
    pub const fn info(&self) -> ModelInfo {
        let Self { id, name, promise, paper, changes, .. } = self;
        ModelInfo { id, name, promise, paper: *paper, changes }
    }
}

/// Lists the models in the order of the navigation. What is said of all of them is copied out of their statics: a program
/// that mentions the static of another model would be linked with the solvers of that, too.
macro_rules! models {
    [$($model:ident),* $(,)?] => {
        /// Every model, in the order of the navigation.
        pub static MODELS: &[&Model] = &[$(&$model::MODEL),*];
        /// What is said of each of [`MODELS`], without its tasks.
        pub(super) static INFOS: &[$crate::lab::ModelInfo] = &[$($model::MODEL.info()),*];
    };
}
pub(super) use models;

/// Every task of every model.
pub static TASKS: LazyLock<Vec<&'static dyn Runnable>> =
    LazyLock::new(|| MODELS.iter().flat_map(|model| model.tasks).copied().collect());

/// The task of that id.
pub fn task(id: &str) -> Option<&'static dyn Runnable> {
    find(&TASKS, id)
}

/// The task of that id among some tasks.
pub fn find(tasks: &[&'static dyn Runnable], id: &str) -> Option<&'static dyn Runnable> {
    tasks.iter().copied().find(|task| task.meta().id == id)
}

/// All models and all tasks.
pub fn catalog() -> Catalog {
    catalog_of(&TASKS)
}

/// All models and some tasks, as the page lists them.
pub fn catalog_of(tasks: &[&'static dyn Runnable]) -> Catalog {
    Catalog { models: INFOS.to_vec(), tasks: tasks.iter().map(|task| *task as &dyn Task).collect() }
}
