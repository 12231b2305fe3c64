//! Components of the page.

mod caption;
mod challenge;
mod columns;
mod controls;
mod copy_button;
mod data;
mod editor;
mod exercises;
mod field;
mod figure;
mod legend;
mod notes;
mod pins;
mod presets;
mod reading;
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

/// Mounts the parts of a page one after the other, each in a task of its own: all at once would block a slow phone.
#[derive(Clone, Copy)]
pub struct MountQueue {
    /// Number of parts that are due.
    due: RwSignal<usize>,
    /// Number of all parts.
    parts: RwSignal<usize>,
}

impl MountQueue {
    /// Returns an empty queue.
    pub fn new() -> Self {
        Self { due: RwSignal::new(0), parts: RwSignal::new(0) }
    }

    /// Returns true while parts are waiting.
    pub fn waiting(self) -> bool {
        self.due.get() < self.parts.get()
    }

    /// Returns a view that is mounted after those that were queued before it.
    pub fn mount(self, view: impl Fn() -> AnyView + Send + 'static) -> AnyView {
        let number = self.parts.get_untracked() + 1;
        self.parts.set(number);
        if self.due.get_untracked() + 1 == number {
            self.mount_next();
        }
        let here = Memo::new(move |_| number <= self.due.get());
        (move || here.get().then(&view)).into_any()
    }

    fn mount_next(self) {
        browser::timeout(0, move || {
            // A part can queue further ones while it is mounted; they are last.
            let before = self.parts.try_get_untracked();
            let now = self.due.try_update(|due| {
                *due += 1;
                *due
            });
            if now < before {
                self.mount_next();
            }
        });
    }
}
