//! What the paper compares its networks with: mixtures of independent pixels, and nearest neighbours.

pub mod mixture;
pub mod neighbours;
