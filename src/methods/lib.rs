//! The methods of the papers, each with its theory and the exact truth that it is compared with. Their pages are in
//! `models`.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod curve_network;
pub mod feedforward;
pub mod gp;
pub mod mlp;
pub mod nfa;
pub mod sbn;

use meanfield_math::choice;
use {meanfield_data as data, meanfield_math as math};
