//! Nonlinear factor analysis, LH00.

mod learning;
mod oracle;
mod posterior;
mod reaches;
