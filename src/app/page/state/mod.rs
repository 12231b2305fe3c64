//! State of the page as signals, by subject, with the actions of the user.

mod data_sets;
mod downloads;
mod exercises;
mod form;
mod navigation;
mod pinned;
mod presets;
mod replay;
mod run;
mod saved;
mod stored_files;
mod undo;

pub use data_sets::DataSets;
pub use downloads::{Download, size};
pub use form::Form;
pub use replay::ReplaySignals;
pub use run::{FirstPicture, RunSignals, set_if_new};
pub use stored_files::fetch_beside_page;

use std::collections::BTreeSet;
use std::ops::Deref;

use leptos::prelude::*;

use super::browser;
use super::workers::WebPool;
use crate::app::pins::Pins;
use crate::app::pool::Pool;
use crate::lab::{Catalog, Raw, Task};

/// State shared by all components. There is one for as long as the page is open; the handle is copied freely.
#[derive(Clone, Copy)]
pub struct AppState(&'static Signals);

impl Deref for AppState {
    type Target = Signals;

    fn deref(&self) -> &Signals {
        self.0
    }
}

/// Signals of the page, by subject.
pub struct Signals {
    /// All models and tasks.
    pub catalog: Catalog,
    /// The page in the address and its settings.
    pub form: Form,
    /// The run that is shown.
    pub run: RunSignals,
    /// The replay of the run that is shown.
    pub replay: ReplaySignals,
    /// The user's files.
    pub data_sets: DataSets,
    /// Messages to the user.
    pub notices: RwSignal<Vec<String>>,
    /// True for the dark theme.
    pub dark: RwSignal<bool>,
    /// True while the page is being printed.
    pub paper: RwSignal<bool>,
    /// Height of the window in CSS pixels. Reading it from the browser can force a page layout.
    pub window_height: RwSignal<f64>,
    /// Exercises done during this visit: id of the task and index.
    pub exercises_done: RwSignal<BTreeSet<(&'static str, usize)>>,
    /// Text in the boxes for a pasted table.
    pub pasted: RwSignal<String>,
    /// The last permalink of each page that has run.
    pub visited: RwSignal<Raw>,
    pins: RwSignal<Pins>,
    pool: StoredValue<Option<WebPool>, LocalStorage>,
}

impl AppState {
    /// Creates the state of the page.
    pub fn new(catalog: Catalog) -> Self {
        Self(Box::leak(Box::new(Signals {
            catalog,
            form: Form::new(catalog),
            run: RunSignals::new(),
            replay: ReplaySignals::new(),
            data_sets: DataSets::new(),
            notices: RwSignal::default(),
            dark: RwSignal::new(false),
            paper: RwSignal::new(false),
            window_height: RwSignal::new(browser::inner_height()),
            exercises_done: RwSignal::default(),
            pasted: RwSignal::default(),
            visited: RwSignal::default(),
            pins: RwSignal::default(),
            pool: StoredValue::new_local(None),
        })))
    }

    /// Returns the task in the address.
    pub fn task(self) -> Option<&'static dyn Task> {
        self.form.task()
    }

    /// Returns true once the workers have been started.
    fn has_pool(self) -> bool {
        self.pool.with_value(Option::is_some)
    }

    /// Changes the pool, with the time in milliseconds. The first change starts the workers.
    fn change_pool(self, change: impl FnOnce(&mut Pool, f64)) {
        if !self.has_pool() {
            self.pool.set_value(Some(WebPool::new(move || self.refresh())));
        }
        // Cloned, because the actions may read the stored value again.
        if let Some(pool) = self.pool.get_value() {
            pool.change(change);
        }
    }

    /// Reads the pool.
    fn read_pool<T>(self, read: impl FnOnce(&Pool) -> T) -> Option<T> {
        self.pool.get_value().map(|pool| pool.look(read))
    }
}
