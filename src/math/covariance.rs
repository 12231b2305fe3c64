//! Covariance of a row of inputs: white, or a first-order autoregressive process, whose inverse is tridiagonal. All operations take one
//! pass over the row.

/// Covariance C = L Lᵀ of the inputs s = L x, with white x and lower triangular L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputCovariance {
    /// C = I.
    White,
    /// AR(1): `C_ij = ρ^|i−j|`, |ρ| < 1.
    Ar1(f64),
}

impl InputCovariance {
    /// Returns the covariance with correlation ρ between neighbours, |ρ| < 1; white if it is 0.
    pub fn ar1(rho: f64) -> Self {
        if rho == 0.0 { Self::White } else { Self::Ar1(rho) }
    }

    /// Transforms white into correlated inputs: x ← L x.
    pub fn colour(self, x: &mut [f64]) {
        let Self::Ar1(rho) = self else { return };
        let fresh = (1.0 - rho * rho).sqrt();
        for j in 1..x.len() {
            x[j] = rho * x[j - 1] + fresh * x[j];
        }
    }

    /// Transforms correlated into white inputs: s ← L⁻¹ s.
    pub fn whiten(self, s: &mut [f64]) {
        let Self::Ar1(rho) = self else { return };
        let fresh = (1.0 - rho * rho).sqrt();
        for j in (1..s.len()).rev() {
            s[j] = (s[j] - rho * s[j - 1]) / fresh;
        }
    }

    /// Transforms weights on correlated into weights on white inputs: w ← Lᵀ w.
    pub fn whiten_weights(self, w: &mut [f64]) {
        let Self::Ar1(rho) = self else { return };
        let fresh = (1.0 - rho * rho).sqrt();
        let mut tail = 0.0;
        for (j, w) in w.iter_mut().enumerate().rev() {
            tail = *w + rho * tail;
            *w = if j == 0 { tail } else { fresh * tail };
        }
    }

    /// Transforms weights on white into weights on correlated inputs: w ← L⁻ᵀ w.
    pub fn colour_weights(self, w: &mut [f64]) {
        let Self::Ar1(rho) = self else { return };
        let fresh = (1.0 - rho * rho).sqrt();
        let mut after = 0.0;
        for (j, w) in w.iter_mut().enumerate().rev() {
            let tail = if j == 0 { *w } else { *w / fresh };
            *w = tail - rho * after;
            after = tail;
        }
    }

    /// Computes v ← C⁻¹ v.
    pub fn solve(self, v: &mut [f64]) {
        let Self::Ar1(rho) = self else { return };
        let last = v.len().saturating_sub(1);
        if last == 0 {
            return;
        }
        let scale = 1.0 / (1.0 - rho * rho);
        let mut before = 0.0;
        for j in 0..=last {
            let here = v[j];
            let after = if j == last { 0.0 } else { v[j + 1] };
            let diagonal = if j == 0 || j == last { 1.0 } else { 1.0 + rho * rho };
            v[j] = scale * (diagonal * here - rho * (before + after));
            before = here;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::dot;

    const RHO: f64 = -0.7;

    fn matrix(n: usize) -> Vec<Vec<f64>> {
        (0..n).map(|i| (0..n).map(|j| RHO.powi(i.abs_diff(j) as i32)).collect()).collect()
    }

    fn vector(n: usize) -> Vec<f64> {
        (0..n).map(|i| (i as f64 * 1.7 + 0.3).sin()).collect()
    }

    #[test]
    fn solve_inverts_the_covariance() {
        for n in [1, 2, 3, 8] {
            let mut x = vector(n);
            InputCovariance::Ar1(RHO).solve(&mut x);
            for (row, expected) in matrix(n).iter().zip(vector(n)) {
                assert!((dot(row, &x) - expected).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn transformed_weights_and_inputs_give_the_same_fields() {
        let covariance = InputCovariance::ar1(RHO);
        let (mut s, mut u) = (vector(6), vector(6));
        u.reverse();
        let w = u.clone();
        covariance.colour(&mut s);
        covariance.whiten_weights(&mut u);
        // w·(L x) = (Lᵀ w)·x, and wᵀ C w = |Lᵀ w|².
        assert!((dot(&w, &s) - dot(&u, &vector(6))).abs() < 1e-13);
        let quadratic: f64 = matrix(6).iter().zip(&w).map(|(row, w_i)| w_i * dot(row, &w)).sum();
        assert!((quadratic - dot(&u, &u)).abs() < 1e-12);
        covariance.whiten(&mut s);
        assert!(s.iter().zip(vector(6)).all(|(a, b)| (a - b).abs() < 1e-13));
        covariance.colour_weights(&mut u);
        assert!(u.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-13));
    }
}
