//! The parts of a page.

mod controls;
mod curves;
mod data;
mod editor;
mod figure;
mod notes;
mod pins;
mod run_bar;
mod share;
mod tools;

pub use controls::Controls;
pub use data::begin;
pub use figure::Figures;
pub use notes::{Notes, NotesRead};
pub use pins::PinTable;
pub use run_bar::RunBar;
pub use share::Share;
