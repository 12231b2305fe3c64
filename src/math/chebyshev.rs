//! Interpolation at the extrema of a Chebyshev polynomial. For smooth functions the error is close to that of the best polynomial.

use std::f64::consts::PI;

/// Returns extremum `i` of 0 to `order` on the `range`.
pub fn node(range: (f64, f64), order: usize, i: usize) -> f64 {
    let (low, high) = range;
    low + (high - low) * 0.5 * (1.0 - libm::cos(PI * i as f64 / order as f64))
}

/// Interpolates N functions at `t` by the barycentric formula of the second kind, given their `values` at the extrema on the `range`.
/// Only every `step`-th value is used; `step` divides the order.
pub fn interpolate<const N: usize>(range: (f64, f64), values: &[[f64; N]], step: usize, t: f64) -> [f64; N] {
    let order = values.len() - 1;
    let (mut sums, mut total) = ([0.0; N], 0.0);
    let mut sign = 1.0;
    for i in (0..=order).step_by(step) {
        let distance = t - node(range, order, i);
        if distance == 0.0 {
            return values[i];
        }
        let weight = sign / distance * if i == 0 || i == order { 0.5 } else { 1.0 };
        for (sum, y) in sums.iter_mut().zip(&values[i]) {
            *sum += weight * y;
        }
        total += weight;
        sign = -sign;
    }
    sums.map(|sum| sum / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_functions_and_polynomials_are_interpolated_to_rounding() {
        let range = (-1.0, 3.0);
        let at = |t: f64| [libm::exp(t), t * t * t - 2.0 * t];
        let values: Vec<[f64; 2]> = (0..=32).map(|i| at(node(range, 32, i))).collect();
        for t in [-1.0, -0.37, 0.0, 1.99, 3.0] {
            let [exp, _] = interpolate(range, &values, 1, t);
            let [_, cubic] = interpolate(range, &values, 8, t);
            assert!((exp - at(t)[0]).abs() < 1e-13 && (cubic - at(t)[1]).abs() < 1e-12, "{t}: {exp} {cubic}");
        }
    }
}
