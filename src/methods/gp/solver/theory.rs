//! The two mean-field theories of OW98.

/// A mean-field theory: with the Onsager reaction term ΔG (TAP, OW98 §4) or without it (naive, OW98 §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanFieldTheory {
    /// Cavity variances from the response of the other examples, OW98 eq. (12).
    Tap,
    /// Cavity variances of the prior, λ = diag C, OW98 §4.
    Naive,
}
