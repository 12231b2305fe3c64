//! The parts of a page.

mod controls;
mod figure;
mod notes;
mod run_bar;
mod share;

pub use controls::Controls;
pub use figure::Figures;
pub use notes::{Notes, NotesRead};
pub use run_bar::RunBar;
pub use share::Share;
