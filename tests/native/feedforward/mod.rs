//! `feedforward`.

mod oracle;
mod paper;
mod settings;
mod table;
