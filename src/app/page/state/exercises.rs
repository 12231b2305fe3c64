//! Exercises of the page that have been done.

use leptos::prelude::*;

use super::AppState;

impl AppState {
    /// Marks the exercises that the form completes as done, for the rest of the visit.
    pub fn tick_exercises(self) {
        let Some(task) = self.task() else { return };
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
