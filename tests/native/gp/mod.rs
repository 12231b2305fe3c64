//! Gaussian-process classification, OW98.

mod classes;
mod fit;
mod oracle;
mod paper;
mod table;
