//! Exercises of the page that have been done.

use leptos::prelude::*;

use super::AppState;

impl AppState {
    /// Makes the change of the settings that completes an exercise, and runs.
    pub fn apply_exercise(self, key: &'static str, text: &str) {
        self.edit(key, text);
        self.run.settled.set(true);
        self.start(false);
        self.refresh();
    }

    /// Marks the exercises that the form completes as done, for the rest of the visit; none while a setting is invalid.
    pub fn tick_exercises(self) {
        let Some(task) = self.task().filter(|_| self.form.checked.with(Result::is_ok)) else { return };
        let meta = task.meta();
        let label = self.chosen_preset().map(|preset| preset.label);
        let (now, opened) = (self.form.texts(), self.form.opened.get_value());
        let done =
            meta.exercises.iter().enumerate().filter(|(_, exercise)| exercise.is_done(&opened, &now, label));
        let done: Vec<_> = done.map(|(index, _)| (meta.id, index)).collect();
        if done.iter().any(|exercise| self.exercises_done.with_untracked(|known| !known.contains(exercise))) {
            self.exercises_done.update(|known| known.extend(done));
        }
    }
}
