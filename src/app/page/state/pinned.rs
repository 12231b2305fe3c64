//! Pinned runs, which the current one is compared with.

use leptos::prelude::*;

use super::AppState;
use crate::app::pins::{Comparison, MAX_PINS};
use crate::lab::Queue;
use crate::render::Drawing;

impl AppState {
    /// Pins the result that is shown, and returns the number of the pin; otherwise a notice says why not.
    pub fn pin(self) -> Option<usize> {
        let task = self.task()?;
        let id = task.meta().id;
        let chosen = self.form.checked.get_untracked().ok();
        let shown = self.read_pool(|pool| {
            let run = pool.run(Queue::Run).filter(|run| run.task.meta().id == id)?;
            let values = run.values_shown(chosen.as_ref());
            let result =
                self.run.results.try_update_value(|all| all.of(Queue::Run, run, values).ok()?)??;
            Some((run.values.clone(), result.figures))
        });
        let pinned = shown
            .flatten()
            .map(|(values, figures)| self.pins.try_update(|pins| pins.add(id, values, figures)).flatten());
        self.notices.set(match pinned {
            Some(Some(_)) => Vec::new(),
            Some(None) => {
                vec![format!(
                    "At most {MAX_PINS} runs can be pinned: remove one in the table below the figures."
                )]
            }
            None => vec!["There is nothing to pin yet: run first.".to_owned()],
        });
        pinned.flatten()
    }

    /// Removes a pin of this task.
    pub fn unpin(self, number: usize) {
        self.notices.set(Vec::new());
        self.form.page.with_untracked(|id| self.pins.update(|pins| pins.remove(id, number)));
    }

    /// Applies the settings of a pin and runs.
    pub fn show_pin(self, number: usize) {
        let settings = self.form.page.with(|id| self.pins.with(|pins| pins.settings(id, number)));
        if let Some(raw) = settings {
            self.run_with(raw);
        }
    }

    /// Returns the settings in which the pins of this task and the current run differ, and their results; `None` without pins.
    pub fn comparison(self) -> Option<Comparison> {
        let task = self.task()?;
        let table = self.run.settings.with(|present| {
            let result =
                self.run.figures.with(|figures| figures.first().map(|drawing| drawing.figure.headline()));
            let present = present.as_ref().map(|values| (values, result.unwrap_or_default()));
            self.pins.with(|pins| pins.compared(task.meta().id, task.fields(), present))
        });
        (table.pins() > 0).then_some(table)
    }

    /// Adds the pins of this task below the marks of its figure.
    pub fn lay_pins_under(self, drawing: &mut Drawing) {
        let Some(task) = self.task() else { return };
        self.run.settings.with(|present| {
            self.pins.with(|pins| pins.lay_under(drawing, task.meta().id, task.fields(), present.as_ref()));
        });
    }
}
