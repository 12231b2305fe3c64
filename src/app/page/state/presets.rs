//! Presets of a task.

use leptos::prelude::*;

use super::AppState;
use crate::app::own_data;
use crate::app::page::browser;
use crate::lab::{Link, Preset, Raw};

impl AppState {
    /// Applies the settings of a preset and runs; the user's data stay.
    pub fn apply_preset(self, query: &str) {
        self.remember();
        // The Back button of the browser restores settings that were changed but not run.
        browser::replace_hash(&self.form.link());
        let raw = self.preset_settings(query);
        let link = Link { task: self.form.page.get_untracked(), raw: raw.clone() };
        browser::push_hash(&link.to_string());
        self.run_with(raw);
        self.fetch_files();
    }

    /// Returns the preset that the form equals, tracked.
    pub fn chosen_preset(self) -> Option<&'static Preset> {
        let chosen = self.form.preset.get();
        self.task()?.meta().presets.iter().find(|preset| Some(preset.query) == chosen)
    }

    /// Returns the settings of the form after a preset.
    fn preset_settings(self, query: &str) -> Raw {
        let mut raw = Link::settings(query);
        if let Some(task) = self.task() {
            self.form.raw.with_untracked(|now| own_data::keep(task.fields(), now, &mut raw));
        }
        raw
    }

    /// Returns the preset with the settings of the form.
    pub(super) fn find_preset(self) {
        let Some(task) = self.task() else { return };
        let now = self.form.checked.get_untracked().ok();
        let same =
            |preset: &&Preset| now.is_some() && task.check(&self.preset_settings(preset.query)).ok() == now;
        self.form.preset.set(task.meta().presets.iter().find(same).map(|preset| preset.query));
    }

    /// Replaces the settings and runs.
    pub(super) fn run_with(self, raw: Raw) {
        self.set_form(raw);
        self.start(false);
    }

    /// Puts settings into the form.
    pub(super) fn set_form(self, raw: Raw) {
        self.run.keeps_picture.set_value(false);
        self.notices.set(Vec::new());
        self.form.displaced.set_value(Vec::new());
        self.form.raw.set(raw);
        self.find_preset();
        self.replay.unseen.set_value(false);
    }

    /// Restores the defaults; the user's data stay.
    pub fn restore_defaults(self) {
        self.apply_preset("");
    }
}
