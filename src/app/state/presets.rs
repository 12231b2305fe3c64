//! Presets: specifications by one click, and the one that the form says.

use leptos::prelude::*;

use super::Lab;
use crate::app::{browser, own_data};
use crate::lab::{Link, Preset, Raw};

impl Lab {
    /// Takes a preset.
    pub fn preset(self, query: &str) {
        self.remember();
        // Settings that were changed and not run are what Back goes back to.
        browser::replace_hash(&self.link());
        let raw = self.preset_raw(query);
        let link = Link { task: self.page.get_untracked(), raw: raw.clone() };
        browser::push_hash(&link.to_string());
        self.take(raw);
        self.fetch_files();
    }

    /// What the form says with a preset.
    fn preset_raw(self, query: &str) -> Raw {
        let mut raw = own_data::settings(query);
        if let Some(task) = self.task() {
            self.raw.with_untracked(|now| own_data::keep(task.fields(), now, &mut raw));
        }
        raw
    }

    /// Says which preset the form is.
    pub(super) fn find_preset(self) {
        let Some(task) = self.task() else { return };
        let now = self.check().ok();
        let same = |preset: &&Preset| now.is_some() && task.check(&self.preset_raw(preset.query)).ok() == now;
        self.active_preset.set(task.meta().presets.iter().find(same).map(|preset| preset.query));
    }

    /// Takes settings and runs.
    pub(super) fn take(self, raw: Raw) {
        self.quiet.set_value(false);
        self.notices.set(Vec::new());
        self.displaced.set_value(Vec::new());
        self.raw.set(raw);
        self.find_preset();
        self.follow();
        self.start(false);
    }

    /// Back to the defaults, as if just opened; the data stay.
    pub fn reset(self) {
        self.preset("");
    }
}
