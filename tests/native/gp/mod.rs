//! Gaussian-process classification, OW98.

mod classes;
mod curve;
mod evidence;
mod fit;
mod oracle;
mod paper;
mod table;
