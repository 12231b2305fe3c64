//! Arrays of eight `f32`, for loops that need only a few digits: a vector holds twice as many of them as in [`super::lanes`]. The same
//! rules hold: lanes are independent, sums have a fixed order, nothing is fused.

use super::lanes::{LANES, each};

/// Eight single-precision numbers.
pub type Singles = [f32; LANES];

/// Applies `f` to each lane.
#[inline(always)]
pub fn map(x: Singles, f: impl Fn(f32) -> f32) -> Singles {
    each(|i| f(x[i]))
}

/// Applies `f` to each pair of lanes.
#[inline(always)]
pub fn zip(x: Singles, y: Singles, f: impl Fn(f32, f32) -> f32) -> Singles {
    each(|i| f(x[i], y[i]))
}

/// Returns the sum of the lanes in a fixed order (halves, then quarters).
#[inline(always)]
pub fn sum(x: Singles) -> f32 {
    let half: [f32; 4] = each(|i| x[i] + x[i + 4]);
    (half[0] + half[2]) + (half[1] + half[3])
}

/// Returns eˣ of each lane with a relative error of 3e-6. Arguments are clamped to −87 … 88.
#[inline(always)]
pub fn exp(x: Singles) -> Singles {
    // Adding 1.5·2²³ rounds to an integer and leaves that integer in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let scaled = map(x, |x| {
        let x = if x < -87.0 { -87.0 } else { x };
        (if x > 88.0 { 88.0 } else { x }) * std::f32::consts::LOG2_E
    });
    let shifted = map(scaled, |y| y + ROUND);
    let f = zip(scaled, shifted, |y, s| y - (s - ROUND));
    // 2^f on [−½, ½], relative error 9e-8.
    let mut p = [1.326_472_4e-3_f32; LANES];
    for c in [9.671_513e-3, 5.550_733_8e-2, 2.402_224_2e-1, 6.931_469_8e-1, 1.0] {
        p = zip(p, f, |p, f| p * f + c);
    }
    zip(p, shifted, |p, s| f32::from_bits(p.to_bits().wrapping_add(s.to_bits() << 23)))
}

/// Returns the logistic function 1/(1 + e⁻ˣ) of each lane; exactly ½ at 0.
#[inline(always)]
pub fn sigmoid(x: Singles) -> Singles {
    map(exp(map(x, |x| -x)), |e| 1.0 / (1.0 + e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_sigmoid_agree_with_libm() {
        for i in -8700..=8700 {
            let x = i as f32 * 0.01;
            let (e, s) = (exp([x; LANES])[3], sigmoid([x; LANES])[5]);
            let exact = libm::exp(f64::from(x));
            assert!((f64::from(e) / exact - 1.0).abs() < 8e-6, "exp({x}) = {e}");
            assert!((f64::from(s) - 1.0 / (1.0 + 1.0 / exact)).abs() < 1e-6, "σ({x}) = {s}");
        }
        assert_eq!(sigmoid([0.0; LANES]), [0.5; LANES]);
        assert!(exp([-1e30; LANES])[0] < 1e-37 && exp([f32::INFINITY; LANES])[0].is_finite());
        assert!(sigmoid([f32::NAN; LANES])[0].is_nan());
    }

    #[test]
    fn sum_adds_all_lanes() {
        assert_eq!(sum([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), 36.0);
    }
}
