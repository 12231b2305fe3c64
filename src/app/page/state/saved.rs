//! Runs as files: saved with their data and results, printed, and opened again.

use leptos::prelude::*;

use super::AppState;
use crate::app::page::browser;
use crate::app::page::workers::now;
use crate::lab::{Link, Raw, SavedRun, model_of};
use crate::run_page::RunPage;

impl AppState {
    /// Saves the run that is shown, with its data and results.
    pub fn save_run(self) {
        // Settings that the run has found apply only while the form is unchanged.
        let changed = self.run.view.with_untracked(|view| view.changed);
        let found = if changed { Raw::new() } else { self.run.found.get_untracked() };
        match self.read_pool(|pool| pool.save(found, now())).flatten() {
            Some(saved) => {
                let bytes = js_sys::Uint8Array::from(saved.to_bytes().as_slice());
                browser::save_as(&bytes, "", &saved.file_name());
            }
            None => self.notify_no_result(),
        }
    }

    /// Opens the file of a saved run.
    pub fn open_saved(self, name: &str, file: &[u8]) {
        let why = match SavedRun::read(file) {
            Some(Ok(saved)) => return self.open_run(name, saved),
            Some(Err(problem)) => format!("{name} cannot be opened: {problem}."),
            None => format!("{name} is not a saved run."),
        };
        self.notices.set(vec![why]);
    }

    /// Opens a saved run with its data and results.
    pub fn open_run(self, name: &str, saved: SavedRun) {
        if self.catalog.model(model_of(&saved.task)).is_none() {
            self.notices.set(vec![format!("{name} cannot be opened: there is no page “{}”.", saved.task)]);
            return;
        }
        let link = saved.link().to_string();
        self.change_pool(|pool, now| pool.open(saved, now));
        browser::push_hash(&link);
        // Updates the frame around the page.
        browser::dispatch("address");
        self.open(&link, false);
    }

    /// Saves the run that is shown as a page to print.
    pub fn print_run(self) {
        let Some(task) = self.task() else { return };
        let figures = self.run.figures.get_untracked();
        let Some(values) = self.run.settings.get_untracked().filter(|_| !figures.is_empty()) else {
            self.notify_no_result();
            return;
        };
        let raw = values.to_raw();
        let link = Link { task: task.meta().id.to_owned(), raw: raw.clone() }.to_string();
        let status = self.run.view.with_untracked(|view| view.sentence.clone());
        let reading = self.reading_remarks();
        let page = RunPage {
            catalog: self.catalog,
            meta: task.meta(),
            fields: task.fields(),
            raw: &raw,
            reading: &reading,
            status: &status,
            address: Some(&browser::address(&link)),
            figures: &figures,
        };
        let name = format!("{}.html", task.meta().id);
        browser::save_as(&page.html().into(), "text/html", &name);
    }

    fn notify_no_result(self) {
        self.notices.set(vec!["There is no result to save yet: run first.".to_owned()]);
    }
}
