//! The variational parameter ξ of one unit: the bound (22), its minimum, and two iterations for it. Equations are those of SJ98.
//!
//! For z ~ N(m, v), ⟨ln(1 + eᶻ)⟩ ≤ ½ξ²v + ln(1 + e^{m + (½ − ξ)v}) for every ξ. The paper iterates ξ ← σ(m + (½ − ξ)v) and states
//! that this always tightens the bound. It need not for v above about 4: the derivative of the iteration at its fixed point is
//! −vξ(1 − ξ), and below −1 the iteration ends in a cycle of two values. Newton's method on y = logit ξ, started at ξ = ½, converges for
//! every m and v.

use crate::math::special::{sigmoid, softplus};

/// Returns the bound (22) on ⟨ln(1 + eᶻ)⟩ for z ~ N(m, v).
pub fn bound(xi: f64, m: f64, v: f64) -> f64 {
    0.5 * xi * xi * v + softplus(m + (0.5 - xi) * v)
}

/// Returns the next ξ of the iteration of the paper, eq. (23).
pub fn paper_step(xi: f64, m: f64, v: f64) -> f64 {
    sigmoid(m + (0.5 - xi) * v)
}

/// Returns the next ξ of a safeguarded quasi-Newton iteration.
///
/// Its slope is at least as steep as the true one between ξ and σ(·), and both are kept on the side of ½ given by the sign of m,
/// which is that of the solution.
pub fn safe_step(xi: f64, m: f64, v: f64) -> f64 {
    let side = |x: f64| if m < 0.0 { x.min(0.5) } else { x.max(0.5) };
    let xi = side(xi);
    let s = side(paper_step(xi, m, v));
    xi + (s - xi) / (1.0 + v * (s * (1.0 - s)).max(xi * (1.0 - xi)))
}

/// Returns the minimiser ξ of the bound (22), the unique solution of eq. (23), by Newton's method on y − m + (v/2) tanh(y/2) = 0
/// from y = 0, which is monotone.
pub fn optimum(m: f64, v: f64) -> f64 {
    let mut y = 0.0;
    for _ in 0..200 {
        let xi = sigmoid(y);
        let step = (y - m + v * (xi - 0.5)) / (1.0 + v * xi * (1.0 - xi));
        y -= step;
        if step.abs() <= 1e-16 * (1.0 + f64::abs(y)) {
            break;
        }
    }
    sigmoid(y)
}
