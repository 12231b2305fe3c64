//! `feedforward`.

mod oracle;
mod own_variances;
mod paper;
mod settings;
mod table;
