//! Baseline classifiers of the paper: mixtures of products of independent pixels, and nearest neighbours.

pub mod mixture;
pub mod neighbours;
