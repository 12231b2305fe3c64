//! OW96: Opper & Winther, *Mean field approach to Bayes learning in feed-forward neural networks*, PRL 76, 1964 (1996).
//!
//! * [`tap`]: the TAP equations (4)–(9) of a tree committee and their solver. The Onsager reaction term λg of eq. (8) is in
//!   `tap::cavity_mean`.
//! * [`theory`]: replica theory, the limit N → ∞ of these equations.
//! * [`exact`]: the exact posterior by sampling, the reference for both.

pub mod exact;
pub mod tap;
pub mod theory;
