//! Opens the page and the settings of a link.

use leptos::prelude::*;

use super::AppState;
use super::form::correction_notice;
use crate::app::own_data;
use crate::app::page::browser;
use crate::app::view::{RunState, RunView};
use crate::lab::{Link, Queue, model_of};

impl AppState {
    /// Opens the task and settings of a link; invalid settings are corrected, with a notice. If `picture`, a ready-made picture is
    /// shown and stays until the run is finished.
    pub fn open(self, hash: &str, picture: bool) {
        self.stop_runs();
        // The front page and the ledger are shown over the previous page.
        if !browser::matches(":root[data-page=model]") {
            browser::mark("data-state", "done");
            return;
        }
        let mut link = Link::parse(hash);
        let revision = link.take_revision();
        link.task = self.catalog.route(&link);
        // The page must be in view before anything in it is measured.
        browser::mark("data-state", "idle");
        self.run.figures.set(Vec::new());
        self.run.view.set(RunView::idle());
        self.form.page.set(link.task.clone());
        let pair = self.task().is_some_and(|task| task.meta().pair);
        browser::mark("data-layout", if pair { "pair" } else { "" });
        self.insert_shared_table(&mut link);
        let (raw, corrections) = self.form.mended(&link.raw);
        let model = self.catalog.model(model_of(&link.task));
        let older = revision.and_then(|made| model?.changes_since(made));
        self.notices.set(older.into_iter().chain(corrections.iter().map(correction_notice)).collect());
        self.form.displaced.set_value(Vec::new());
        self.data_sets.replaced.set_value(None);
        self.run.artefacts.set(Vec::new());
        self.form.raw.set(raw);
        self.form.opened.set_value(untrack(|| self.form.texts()));
        self.run.keeps_picture.set_value(picture);
        self.run.last_elapsed.set_value(0.0);
        self.form.preset.set(None);
        if self.task().is_none() {
            return;
        }
        self.find_preset();
        self.replay.unseen.set_value(true);
        if picture {
            // The workers would compete with the mounting of the page, and there is something to look at.
            browser::when_idle(move || {
                if self.run.view.with_untracked(|view| view.state == RunState::Idle) {
                    self.begin();
                }
            });
        } else {
            self.begin();
        }
    }

    /// Starts the run of a page that has been opened.
    fn begin(self) {
        self.start(false);
        self.fetch_files();
    }

    /// Adds the table given on another page, if the link names none.
    fn insert_shared_table(self, link: &mut Link) {
        if let Some((key, table)) = self.shared_table_key().zip(self.data_sets.shared_table.get_value())
            && own_data::named(&link.raw, key).is_none()
        {
            link.raw.insert(key.to_owned(), table.to_string());
        }
    }

    /// Ends the run and its live companion.
    fn stop_runs(self) {
        if self.has_pool() {
            self.change_pool(|pool, now| {
                pool.stop(Queue::Run, now);
                pool.stop(Queue::Live, now);
            });
        }
    }
}
