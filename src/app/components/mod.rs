//! The parts of a page.

mod controls;
mod data;
mod figure;
mod notes;
mod run_bar;
mod share;

pub use controls::Controls;
pub use figure::FigureView;
pub use notes::{Note, Notes};
pub use run_bar::RunBar;
pub use share::Share;
