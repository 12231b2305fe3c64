//! Runs as files: saved with their data and results, printed, and opened again.

use leptos::prelude::*;

use super::Lab;
use crate::app::browser;
use crate::app::pool::web::now;
use crate::app::printed::Printed;
use crate::lab::{Link, Raw, SavedRun, model_of};

impl Lab {
    /// Lets the user save the run that is shown, with its data and its results.
    pub fn save_run(self) {
        // What it found belongs to it only while the form does.
        let changed = self.run.with_untracked(|run| run.changed);
        let found = if changed { Raw::new() } else { self.found.get_untracked() };
        let saved = self.pool.get_value().and_then(|pool| pool.look(|pool| pool.save(found, now())));
        match saved {
            Some(saved) => {
                let bytes = js_sys::Uint8Array::from(saved.to_bytes().as_slice());
                browser::save_as(&bytes, "", &saved.file_name());
            }
            None => self.nothing_yet(),
        }
    }

    /// Opens such a file.
    pub fn open_saved(self, name: &str, file: &[u8]) {
        let why = match SavedRun::read(file) {
            Some(Ok(saved)) => return self.open_run(name, saved),
            Some(Err(problem)) => format!("{name} cannot be opened: {problem}."),
            None => format!("{name} is not a saved run."),
        };
        self.notices.set(vec![why]);
    }

    /// Opens a run that was saved, with its data and results.
    pub fn open_run(self, name: &str, saved: SavedRun) {
        let Some(pool) = self.pool.get_value() else { return };
        if self.catalog.get_untracked().model(model_of(&saved.task)).is_none() {
            self.notices.set(vec![format!("{name} cannot be opened: there is no page “{}”.", saved.task)]);
            return;
        }
        let link = saved.link().to_string();
        pool.change(|pool, now| pool.open(saved, now));
        browser::push_hash(&link);
        // The page around the program follows, too.
        browser::dispatch("address");
        self.open(&link, false);
    }

    /// Lets the user save the run that is shown as a page to print.
    pub fn print_run(self) {
        let Some(task) = self.task() else { return };
        let figures = self.figures.get_untracked();
        let Some(values) = self.present.get_untracked().filter(|_| !figures.is_empty()) else {
            self.nothing_yet();
            return;
        };
        let raw = values.to_raw();
        let link = Link { task: task.meta().id.to_owned(), raw: raw.clone() }.to_string();
        let status = self.run.with_untracked(|run| run.sentence.clone());
        let printed = Printed {
            catalog: self.catalog.get_untracked(),
            meta: task.meta(),
            fields: task.fields(),
            raw: &raw,
            status: &status,
            address: Some(&browser::address(&link)),
            figures: &figures,
        };
        let name = format!("{}.html", task.meta().id);
        browser::save_as(&printed.html().into(), "text/html", &name);
    }

    fn nothing_yet(self) {
        self.notices.set(vec!["There is no result to save yet: run first.".to_owned()]);
    }
}
