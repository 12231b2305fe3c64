//! `gp`.

mod classes;
mod fit;
mod oracle;
mod paper;
mod table;
