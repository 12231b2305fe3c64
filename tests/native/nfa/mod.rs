//! Nonlinear factor analysis, LH00.

mod learning;
mod long_runs;
mod oracle;
mod posterior;
