//! Layered sigmoid belief networks and their mean field theory.
//!
//! | module | what is in it |
//! |---|---|
//! | [`model`] | the network, the state of its visible units, ancestral samples |
//! | [`xi`] | the bound (22) of one unit, its minimum, and the iteration of the paper |
//! | [`ascent`] | the mean field equations solved unit by unit in `f64`: the reference |
//! | [`truth`] | ln P(V) and the bound of a factorial distribution, both by enumeration |
//! | [`importance`] | ln P(V) estimated by importance sampling from the factorial distribution |
//! | [`packed`] | the same network in `f32`, as the fast solver wants it |
//! | [`inference`] | the mean field equations solved a layer at a time in `f32` |
//! | [`learning`] | the on-line rules (10) and (11) |

pub mod ascent;
pub mod importance;
pub mod inference;
pub mod learning;
pub mod model;
pub mod packed;
pub mod truth;
pub mod xi;
