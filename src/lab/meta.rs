//! Description of a task: names, exercises, challenge and presets, and its share of the workers.

use super::challenge::Challenge;
use super::exercise::Exercise;
use super::field::{Field, Role};
use super::link::Link;
use super::values::Values;

/// Description of a task: names, queue, companion, exercises, challenge and presets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meta {
    /// Its name in links and on the command line (`feedforward`, `feedforward.theory`).
    pub id: &'static str,
    /// Its name in reports: a few words.
    pub title: &'static str,
    /// The question that its page answers: the heading; empty where the task is no page of its own.
    pub question: &'static str,
    /// The content of its first figure in one sentence; empty where the task is no page of its own.
    pub subtitle: &'static str,
    /// True if its first two figures, read together, stand side by side where there is room.
    pub pair: bool,
    /// Its name among the experiments of its model. A task without one is no page of its own: it accompanies others.
    pub tab: Option<&'static str>,
    /// The workers that it may have.
    pub queue: Queue,
    /// The task whose figures are laid over this one's and follow its controls at once, if any.
    /// It reads the same specification.
    pub live: Option<&'static str>,
    /// Things to try on its page.
    pub exercises: &'static [Exercise],
    /// A result to reach, checked by computing; that of a live task is shown on the page that it accompanies.
    pub challenge: Option<&'static Challenge>,
    /// One-click specifications, the paper's figures first.
    pub presets: &'static [Preset],
}

impl Meta {
    /// Returns the names of a live task that accompanies a page.
    pub const fn companion(id: &'static str, title: &'static str) -> Self {
        Self {
            id,
            title,
            question: "",
            subtitle: "",
            pair: false,
            tab: None,
            queue: Queue::Live,
            live: None,
            exercises: &[],
            challenge: None,
            presets: &[],
        }
    }
}

/// A one-click specification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The text of the button (`Figure 1`).
    pub label: &'static str,
    /// The content of the figures then.
    pub help: &'static str,
    /// The permalink's query (`inputs=50&beta=0.5`); what is not named has its default.
    pub query: &'static str,
    /// Id of the figure that it is about, shown first; empty for the order of the task.
    pub figure: &'static str,
}

impl Preset {
    /// Returns a preset whose figures stand in the order of the task.
    pub const fn new(label: &'static str, help: &'static str, query: &'static str) -> Self {
        Self { label, help, query, figure: "" }
    }

    /// Shows the figure with this id first.
    #[must_use]
    pub const fn about(self, figure: &'static str) -> Self {
        Self { figure, ..self }
    }
}

/// Returns the id of the figure that settings are about: that of the preset that names most of them and differs in none, apart from
/// data; `None` if it has no such figure.
pub(super) fn figure_of(presets: &[Preset], fields: &[Field], values: &Values) -> Option<&'static str> {
    let agrees = |key: &str, text: &str| {
        let field = fields.iter().find(|field| field.key == key);
        let own = |field: &Field| matches!(field.role, Role::Data | Role::SecondData);
        field.is_some_and(|field| own(field) || field.read(text).ok().as_ref() == values.value(key))
    };
    // Figures are made often, and most tasks have no such preset.
    if presets.iter().all(|preset| preset.figure.is_empty()) {
        return None;
    }
    let named = presets.iter().map(|preset| (preset, Link::settings(preset.query)));
    let agreeing = named.filter(|(_, raw)| raw.iter().all(|(key, text)| agrees(key, text)));
    // The first of several that name as many.
    let (preset, _) = agreeing.rev().max_by_key(|(_, raw)| raw.len())?;
    (!preset.figure.is_empty()).then_some(preset.figure)
}

/// Share of the workers that a task gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Queue {
    /// Long work on all but one of the workers.
    Run,
    /// Interaction: one worker of its own, and the latest request wins.
    Live,
}
