//! Anderson acceleration of a fixed-point iteration x ← g(x): the next point minimises the linearised residual g(x) − x over the last
//! few points (Walker & Ni, SIAM J. Numer. Anal. 49, 1715 (2011)).

use super::lanes::dot;

/// Relative norm below which a difference of residuals is taken as linearly dependent on the others.
const INDEPENDENT: f64 = 1e-8;

/// The last points of an iteration.
#[derive(Clone, Debug)]
pub struct Anderson {
    memory: usize,
    /// Pairs g(x), g(x) − x, the newest last.
    points: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Anderson {
    /// Creates an accelerator with `memory` points besides the newest; with 0 it is the plain iteration.
    pub fn new(memory: usize) -> Self {
        Self { memory, points: Vec::new() }
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// Returns the point that follows `x`, given `g` = g(x).
    pub fn next(&mut self, x: &[f64], g: Vec<f64>) -> Vec<f64> {
        let residual: Vec<f64> = g.iter().zip(x).map(|(g, x)| g - x).collect();
        if self.points.len() > self.memory {
            self.points.remove(0);
        }
        self.points.push((g, residual));
        let Some(((newest, residual), before)) = self.points.split_last() else { return Vec::new() };
        // Removes from the residual its projection on the differences to earlier residuals (Gram–Schmidt), and moves g accordingly.
        let (mut g, mut rest) = (newest.clone(), residual.clone());
        let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for (before_g, before_residual) in before.iter().rev() {
            let difference =
                |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
            let (mut dg, mut df) = (difference(newest, before_g), difference(residual, before_residual));
            let size = dot(&df, &df);
            for (basis_g, basis_f) in &basis {
                let part = dot(&df, basis_f);
                subtract(&mut df, part, basis_f);
                subtract(&mut dg, part, basis_g);
            }
            let norm = dot(&df, &df);
            if norm <= INDEPENDENT * INDEPENDENT * size || !norm.is_finite() {
                continue;
            }
            let scale = 1.0 / norm.sqrt();
            for x in df.iter_mut().chain(dg.iter_mut()) {
                *x *= scale;
            }
            let part = dot(&rest, &df);
            subtract(&mut rest, part, &df);
            subtract(&mut g, part, &dg);
            basis.push((dg, df));
        }
        g
    }
}

/// Computes a ← a − `part` b.
fn subtract(a: &mut [f64], part: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= part * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a linear map that contracts slowly towards 1.
    fn map(x: &[f64]) -> Vec<f64> {
        let rates = [0.95, -0.9, 0.6, 0.99];
        x.iter().enumerate().map(|(i, x)| 1.0 + rates[i % 4] * (x - 1.0)).collect()
    }

    fn distance(memory: usize, steps: usize) -> f64 {
        let mut anderson = Anderson::new(memory);
        let mut x: Vec<f64> = (0..9).map(f64::from).collect();
        for _ in 0..steps {
            let g = map(&x);
            x = anderson.next(&x, g);
        }
        x.iter().fold(0.0, |most, x| f64::max(most, (x - 1.0).abs()))
    }

    #[test]
    fn a_linear_iteration_converges_after_one_step_per_rate() {
        assert!(distance(4, 6) < 1e-9, "{}", distance(4, 6));
        assert!(distance(0, 6) > 1.0);
    }

    #[test]
    fn without_memory_it_is_the_plain_iteration() {
        let x = [0.0, 3.0, 5.0];
        let mut anderson = Anderson::new(0);
        assert_eq!(anderson.next(&x, map(&x)), map(&x));
        let y = map(&x);
        assert_eq!(anderson.next(&y, map(&y)), map(&y));
    }

    #[test]
    fn a_repeated_point_is_ignored() {
        let mut anderson = Anderson::new(3);
        let x = [0.0, 3.0];
        anderson.next(&x, map(&x));
        assert_eq!(anderson.next(&x, map(&x)), map(&x));
    }
}
