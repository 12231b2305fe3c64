//! Undo and redo of changes by hand.

use leptos::prelude::*;

use super::AppState;
use crate::app::history::History;
use crate::lab::Raw;

impl AppState {
    /// Stores the settings, so that the next change can be undone.
    pub fn remember(self) {
        self.remember_before(None);
    }

    /// Stores the settings before a change of one field; further changes of that field belong to the same step. Settings that are not
    /// valid are not stored, since those before them are.
    pub(super) fn remember_before(self, field: Option<&'static str>) {
        if self.form.checked.with_untracked(Result::is_err) && self.can_undo() {
            return;
        }
        let texts = self.form.texts();
        self.form.page.with_untracked(|page| {
            self.form.history.update(|history| history.remember(page, &texts, field));
        });
    }

    /// Returns true if a change of this page can be undone.
    pub fn can_undo(self) -> bool {
        self.form.page.with(|page| self.form.history.with(|history| history.has(page)))
    }

    /// Returns true if an undone change of this page can be redone.
    pub fn can_redo(self) -> bool {
        self.form.page.with(|page| self.form.history.with(|history| history.has_undone(page)))
    }

    /// Restores the settings before the last change by hand, and runs if they concern the run.
    pub fn undo(self) {
        self.restore(History::undo);
    }

    /// Restores the settings before the last undo, and runs if they concern the run.
    pub fn redo(self) {
        self.restore(History::redo);
    }

    fn restore(self, choose: fn(&mut History, &str, Raw) -> Option<Raw>) {
        let (page, now) = (self.form.page.get_untracked(), self.form.texts());
        if let Some(raw) = self.form.history.try_update(|history| choose(history, &page, now)).flatten() {
            self.set_form(raw);
            // At once: the view says whether the run has other settings.
            self.refresh();
            if self.run.view.with_untracked(|view| view.changed) {
                self.start(false);
            } else {
                self.update_live();
                self.settle();
            }
            self.fetch_files();
        }
    }
}
