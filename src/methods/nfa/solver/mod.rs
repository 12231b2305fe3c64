//! The solver: propagation of moments through the network (VL00), the cost and its gradient, and learning.

mod activation;
pub mod approximate_posterior;
pub mod blocks;
pub mod cost;
pub mod evaluation;
mod hidden_pass;
pub mod hyper;
pub mod inference;
mod layouts;
pub mod learning;
pub mod linear;
pub mod mixture;
pub mod moments;
pub mod network;
pub mod observations;
mod output_layer;
pub mod posterior;
mod reverse_pass;
pub mod score;
pub mod source_step;
pub mod sources;
pub mod weight_step;
