//! The settings: the page in the address, the texts of its form, and their check.

use leptos::prelude::*;

use super::AppState;
use crate::app::history::History;
use crate::lab::{Catalog, InputError, Link, Raw, Task, Values, mend, model_of};

/// The settings as signals.
#[derive(Clone, Copy)]
pub struct Form {
    catalog: Catalog,
    /// Id of the task in the address, which may not exist.
    pub page: RwSignal<String>,
    /// Texts of the form by key.
    pub raw: RwSignal<Raw>,
    /// The checked settings, or every invalid field.
    pub checked: Memo<Result<Values, Vec<InputError>>>,
    /// Query of the preset that the form equals.
    pub preset: RwSignal<Option<&'static str>>,
    /// Texts of the form when the page was opened.
    pub(super) opened: StoredValue<Raw>,
    /// User-set texts displaced by automatic corrections; restored once valid.
    pub(super) displaced: StoredValue<Vec<(String, String)>>,
    pub(super) history: RwSignal<History>,
}

impl Form {
    pub(super) fn new(catalog: Catalog) -> Self {
        let page = RwSignal::new(String::new());
        let raw = RwSignal::new(Raw::new());
        let checked = Memo::new(move |_| match page.with(|id| catalog.page(id)) {
            Some(task) => raw.with(|raw| task.check(raw)),
            None => Err(Vec::new()),
        });
        Self {
            catalog,
            page,
            raw,
            checked,
            preset: RwSignal::new(None),
            opened: StoredValue::default(),
            displaced: StoredValue::default(),
            history: RwSignal::default(),
        }
    }

    /// Returns the task in the address.
    pub fn task(self) -> Option<&'static dyn Task> {
        self.page.with(|id| self.catalog.page(id))
    }

    /// Returns the permalink of the settings.
    pub fn link(self) -> String {
        Link { task: self.page.get(), raw: self.texts() }.to_string()
    }

    /// Returns the permalink with the revision of the results, for those who open it with another version of the page.
    pub fn link_with_revision(self) -> String {
        let link = Link { task: self.page.get(), raw: self.texts() };
        match self.catalog.model(model_of(&link.task)) {
            Some(model) => link.with_revision(model.revision()).to_string(),
            None => link.to_string(),
        }
    }

    /// Returns the text of each field: canonical if the form is valid, otherwise as entered.
    pub fn texts(self) -> Raw {
        match self.checked.get() {
            Ok(values) => values.to_raw(),
            Err(_) => self.raw.get(),
        }
    }

    /// Returns the nearest valid settings and every correction.
    pub(super) fn mended(self, raw: &Raw) -> (Raw, Vec<InputError>) {
        match self.task() {
            Some(task) => mend(raw, |raw| task.check(raw).map(|_| ())),
            None => (Raw::new(), Vec::new()),
        }
    }
}

impl AppState {
    /// Sets one field by hand: the live companion is updated; the result stays and is marked as that of other settings.
    pub fn edit(self, key: &'static str, text: &str) {
        self.remember_before(Some(key));
        self.change(&[(key.to_owned(), text.to_owned())]);
    }

    /// Returns the nearest text that the other settings allow in a field; `None` if its text is valid.
    pub fn nearest_valid(self, key: &str) -> Option<String> {
        self.form.checked.with(|checked| {
            let problems = checked.as_ref().err()?;
            problems.iter().find(|problem| problem.field == key)?.nearest.clone()
        })
    }

    /// Sets several fields at once, until [`Self::settle`] for good. Where the new values only clash with others, those are corrected:
    /// K = 3 turns N = 50 into 51.
    pub fn change(self, texts: &[(String, String)]) {
        let form = self.form;
        self.run.keeps_picture.set_value(false);
        self.replay.unseen.set_value(false);
        self.run.settled.set(false);
        form.raw.update(|raw| raw.extend(texts.iter().cloned()));
        form.preset.set(None);
        self.notices.set(Vec::new());
        self.reset_positive(texts);
        let mut wanted = form.raw.get_untracked();
        for (key, text) in form.displaced.get_value() {
            if texts.iter().all(|(edited, _)| *edited != key) {
                wanted.insert(key, text);
            }
        }
        let problems = self.task().and_then(|task| task.check(&wanted).err()).unwrap_or_default();
        if problems.iter().all(|problem| texts.iter().all(|(key, _)| problem.field != *key)) {
            let (raw, corrections) = form.mended(&wanted);
            self.notices.set(corrections.iter().map(correction_notice).collect());
            let displaced = wanted.into_iter().filter(|(key, text)| raw.get(key) != Some(text));
            form.displaced.set_value(displaced.collect());
            form.raw.set(raw);
        }
        self.update_live();
        self.refresh();
    }
}

/// Describes the correction of one field.
pub(super) fn correction_notice(problem: &InputError) -> String {
    let instead = match problem.nearest.as_deref() {
        Some("") => "The default is used instead.".to_owned(),
        Some(nearest) => format!("{nearest} is used instead."),
        None => "It is left out.".to_owned(),
    };
    format!("{}: {} {instead}", problem.name(), problem.describe())
}
