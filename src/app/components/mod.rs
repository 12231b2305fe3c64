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
pub use share::Share;

use leptos::prelude::Memo;

/// A memo whose work is in a box, for the same reason as [`on`].
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    work: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    type Work<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;
    Memo::new(Box::new(work) as Work<T>)
}

/// A handler of events in a box: what attaches it is compiled once, not once a handler, which the page is a sixth smaller for.
pub fn on<E: 'static>(work: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(work)
}
