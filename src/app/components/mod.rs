//! The parts of a page.

mod caption;
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
