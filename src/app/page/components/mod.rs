//! Components of the page.

mod caption;
mod challenge;
mod columns;
mod controls;
mod copy_button;
mod data;
mod editor;
mod example;
mod exercises;
mod field;
mod figure;
mod legend;
mod notes;
mod pins;
mod presets;
mod reading_questions;
mod run_bar;
mod select;
mod share;
mod table;
mod tools;
mod transport;

pub use controls::{Controls, Knobs};
pub use data::Begin;
pub use exercises::Exercises;
pub use figure::Figures;
pub use notes::{Notes, NotesRead};
pub use pins::PinTable;
pub use run_bar::RunBar;
pub use transport::Transport;

use leptos::prelude::*;

use super::browser;

/// Pixels per CSS pixel of printed figures.
const PRINTED: f64 = 3.0;

/// Mounts the parts of a page in separate tasks: all at once would block a slow phone.
#[derive(Clone, Copy)]
pub struct MountQueue(RwSignal<usize>, usize);

impl MountQueue {
    /// Schedules steps 1 to `last`.
    pub fn new(last: usize) -> Self {
        let queue = Self(RwSignal::new(0), last);
        queue.next();
        queue
    }

    fn next(self) {
        browser::timeout(0, move || {
            let now = self.0.try_update(|step| {
                *step += 1;
                *step
            });
            if now.is_some_and(|now| now < self.1) {
                self.next();
            }
        });
    }

    /// Returns true while steps remain.
    pub fn has_more(self) -> bool {
        self.0.get() < self.1
    }

    /// Returns a view that is mounted in the step of that number.
    pub fn at(self, number: usize, view: impl Fn() -> AnyView + Send + 'static) -> AnyView {
        let here = self.reached(number);
        (move || here.get().then(&view)).into_any()
    }

    fn reached(self, number: usize) -> Memo<bool> {
        Memo::new(move |_| self.0.get() >= number)
    }
}
