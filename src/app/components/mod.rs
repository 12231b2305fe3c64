//! The parts of a page.

mod caption;
mod columns;
mod controls;
mod data;
mod editor;
mod field;
mod figure;
mod legend;
mod notes;
mod pins;
mod presets;
mod run_bar;
mod select;
mod share;
mod table;
mod tools;

pub use controls::{Controls, Knobs};
pub use data::Begin;
pub use figure::Figures;
pub use notes::{Notes, NotesRead};
pub use pins::PinTable;
pub use run_bar::RunBar;

use leptos::prelude::*;

use super::browser;

/// Pixels a CSS pixel on paper, as printers like it.
const PRINTED: f64 = 3.0;

/// A memo whose work is in a box, for the same reason as [`on`].
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    work: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    type Work<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;
    Memo::new(Box::new(work) as Work<T>)
}

/// Tasks, one after the other, that put the parts of a page into it: all at once would hold up a slow phone.
#[derive(Clone, Copy)]
pub struct Steps(RwSignal<usize>, usize);

impl Steps {
    /// As many as that, the first one now.
    pub fn new(last: usize) -> Self {
        let steps = Self(RwSignal::new(0), last);
        steps.next();
        steps
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

    /// Whether some are still to come.
    pub fn coming(self) -> bool {
        self.0.get() < self.1
    }

    /// What the step of that number puts there.
    pub fn at(self, number: usize, view: impl Fn() -> AnyView + Send + 'static) -> AnyView {
        self.boxed(number, Box::new(view))
    }

    fn boxed(self, number: usize, view: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
        let here = memo(move |_| self.0.get() >= number);
        (move || here.get().then(&view)).into_any()
    }
}

/// A handler of events in a box: what attaches it is compiled once, not once a handler, which the page is a sixth smaller for.
pub fn on<E: 'static>(work: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(work)
}
