//! `feedforward`.

mod adaptive_variances;
mod oracle;
mod paper;
mod settings;
mod table;
