//! Undoing what was changed by hand.

use leptos::prelude::*;

use super::Lab;

impl Lab {
    /// Remembers the settings as they stand: what comes next can be undone.
    pub fn remember(self) {
        self.remember_before(None);
    }

    /// The same before a change of one field, whose later changes are the same step.
    pub(super) fn remember_before(self, field: Option<&'static str>) {
        let raw = self.whole();
        self.page.with_untracked(|page| self.history.update(|history| history.remember(page, &raw, field)));
    }

    /// Whether there is anything to undo on this page.
    pub fn can_undo(self) -> bool {
        self.page.with(|page| self.history.with(|history| history.has(page)))
    }

    /// Takes the settings before the last change by hand, and runs.
    pub fn undo(self) {
        let page = self.page.get_untracked();
        let mut raw = None;
        self.history.update(|history| raw = history.take(&page));
        if let Some(raw) = raw {
            self.take(raw);
            self.fetch_files();
        }
    }
}
