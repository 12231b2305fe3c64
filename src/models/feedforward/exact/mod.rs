//! The exact posterior of one run, sampled.

pub mod chains;
pub mod posterior;
pub mod prior_draws;
