//! The TAP equations of a tree committee (OW96): likelihood, solvers and what follows from a solution.
//!
//! | equation | function |
//! |---|---|
//! | (4) ⟨w⟩ = C⁻¹ Sᵀg/√n | `sweep::add_s_g`, `sweep::update_weights` |
//! | (5) g = λ^−½ ∂ ln⟨F⟩/∂z | [`likelihood::Likelihood::slopes`], `sweep::sweep_examples` |
//! | (6′) λ = 1 − ⟨w⟩ᵀC⟨w⟩/n | `sweep::lambda` |
//! | (7) ⟨F⟩ | [`likelihood::Likelihood::ln_f`], [`votes::VoteCounter`] |
//! | (8) z = (S⟨w⟩/√n − λg)/√λ, with the Onsager reaction term λg | `cavity_mean` in this file |
//! | (9) ⟨σ⟩ | [`votes::mean_output`] |
//!
//! [`Tap`] solves them with one variance λ for all examples of a branch. [`adaptive`] gives each example its own. [`search`]
//! solves at a given β with fall-backs, or finds the β of the largest log evidence. [`stability`] tells whether a solution is stable.

pub mod adaptive;
pub mod leave_one_out;
pub mod likelihood;
pub mod search;
pub mod solution;
mod solve_at_beta;
pub mod stability;
mod sweep;
mod training_set;
pub mod votes;

pub use sweep::{State, SweepInfo, Tap};
pub use training_set::TrainingSet;

/// Returns the mean of the cavity field of an example, the numerator of OW96 eq. (8): its `field` under the full posterior minus the Onsager
/// reaction term λg, the example's own contribution to that field.
#[inline(always)]
fn cavity_mean(field: f64, lambda: f64, g: f64) -> f64 {
    field - lambda * g
}
