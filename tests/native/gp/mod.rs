//! `gp`.

mod fit;
mod oracle;
mod paper;
mod table;
