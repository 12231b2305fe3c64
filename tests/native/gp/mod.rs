//! Gaussian-process classification, OW98.

mod budgets;
mod classes;
mod curve;
mod evidence;
mod fit;
mod oracle;
mod paper;
mod table;
