//! Layered sigmoid belief networks and their mean field theory. Equation numbers are those of SJ98.
//!
//! | module | contents |
//! |---|---|
//! | [`model`] | the network, the state of its visible units, ancestral samples |
//! | [`xi`] | the bound (22) of one unit, its minimum, and two iterations |
//! | [`ascent`] | reference solver of the mean field equations, unit by unit in `f64` |
//! | [`truth`] | ln P(V) and the bound of a factorial distribution by enumeration |
//! | [`strict`] | the strict bound of Saul, Jaakkola and Jordan (1996), without a Gaussian assumption |
//! | [`importance`] | estimate of ln P(V) by importance sampling from the factorial distribution |
//! | [`packed`] | the network in `f32`, in the layout of the fast solver |
//! | [`inference`] | fast solver of the mean field equations, a layer at a time in `f32` |
//! | [`learning`] | the on-line learning rules (10) and (11) |

pub mod ascent;
pub mod importance;
pub mod inference;
pub mod learning;
pub mod model;
pub mod packed;
pub mod strict;
pub mod truth;
pub mod xi;
