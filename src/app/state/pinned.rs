//! What a person can do with runs kept to compare others with.

use leptos::prelude::*;

use super::Lab;
use crate::app::pins::{Comparison, MOST};
use crate::lab::Queue;
use crate::render::Drawing;

impl Lab {
    /// Keeps the result that is shown, to compare others with.
    pub fn pin(self) {
        let (Some(pool), Some(task)) = (self.pool.get_value(), self.task()) else { return };
        let id = task.meta().id;
        let result = pool.look(|pool| {
            let run = pool.run(Queue::Run).filter(|run| run.task.meta().id == id)?;
            Some((run.values.clone(), self.shown(Queue::Run, run, self.check().ok().as_ref())?.ok()?.figures))
        });
        let kept = result
            .map(|(values, figures)| self.pins.try_update(|pins| pins.add(id, values, figures)).flatten());
        self.notices.set(match kept {
            Some(Some(_)) => Vec::new(),
            Some(None) => {
                vec![format!("{MOST} pinned runs are the most: remove one in the table below the figures.")]
            }
            None => vec!["There is nothing to pin yet: run first.".to_owned()],
        });
    }

    /// Forgets a pin of this task.
    pub fn unpin(self, number: usize) {
        self.notices.set(Vec::new());
        self.pins.update(|pins| self.page.with_untracked(|id| pins.remove(id, number)));
    }

    /// Takes the settings of a pin and runs.
    pub fn show_pin(self, number: usize) {
        if let Some(raw) = self.page.with(|id| self.pins.with(|pins| pins.settings(id, number))) {
            self.take(raw);
        }
    }

    /// The pins of this task beside what is shown, if there are any.
    pub fn compared(self) -> Option<Comparison> {
        let task = self.task()?;
        let table = self.present.with(|present| {
            self.pins.with(|pins| pins.compared(task.meta().id, task.fields(), present.as_ref()))
        });
        (table.pins() > 0).then_some(table)
    }

    /// Lays the pins of this task under its figure.
    pub fn lay_pins_under(self, drawing: &mut Drawing) {
        if let Some(task) = self.task() {
            self.present.with(|present| {
                self.pins
                    .with(|pins| pins.lay_under(drawing, task.meta().id, task.fields(), present.as_ref()));
            });
        }
    }
}
