//! Arrays of eight `f64` and branch-free functions on them, which the compiler turns into SIMD code of any width.
//!
//! Lanes are independent and every sum has a fixed order, so that SSE2, AVX2 and simd128 give the same bits.

/// Number of lanes.
pub const LANES: usize = 8;

/// Eight double-precision numbers.
pub type Lanes = [f64; LANES];

/// A computation to be compiled for the widest vectors of the processor. All functions that it calls must be inlined, which is not
/// possible for a closure. (In WebAssembly, where vectors have one width, large functions are called: programs are smaller and not
/// slower.)
pub trait SimdKernel {
    /// Result.
    type Output;
    /// Runs the computation. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs `kernel` compiled for the widest vectors of this processor. Operations are not fused, so that the bits do not depend on the
/// width.
#[cfg(all(feature = "wide", not(target_arch = "wasm32")))]
pub fn dispatch_simd<K: SimdKernel>(kernel: K) -> K::Output {
    struct Wide<K>(K);
    impl<K: SimdKernel> pulp::WithSimd for Wide<K> {
        type Output = K::Output;
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _simd: S) -> K::Output {
            self.0.run()
        }
    }
    pulp::Arch::new().dispatch(Wide(kernel))
}

/// Runs `kernel` for vectors of one width.
#[cfg(not(all(feature = "wide", not(target_arch = "wasm32"))))]
pub fn dispatch_simd<K: SimdKernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Returns the array of `f` at each index. In WebAssembly it is a plain loop: with optimisation for size, `std::array::from_fn` makes a
/// call per element and is several times slower. Natively `std::array::from_fn` is faster: TAP takes 11 % fewer instructions.
#[inline(always)]
pub fn each<T: Copy + Default, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    if cfg!(target_arch = "wasm32") {
        let mut all = [T::default(); N];
        for i in 0..N {
            all[i] = f(i);
        }
        all
    } else {
        std::array::from_fn(f)
    }
}

/// Applies `f` to each lane.
#[inline(always)]
pub fn map<const L: usize>(x: [f64; L], f: impl Fn(f64) -> f64) -> [f64; L] {
    each(|i| f(x[i]))
}

/// Returns the sum of the lanes in a fixed order (halves, then quarters).
#[inline(always)]
pub fn sum(x: Lanes) -> f64 {
    let half: [f64; 4] = each(|i| x[i] + x[i + 4]);
    (half[0] + half[2]) + (half[1] + half[3])
}

/// Returns the dot product of two vectors of equal length, accumulated lane by lane.
///
/// # Panics
/// If the lengths differ.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "a dot product needs vectors of one length");
    let mut acc = [0.0; LANES];
    let (mut ca, mut cb) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (x, y) in (&mut ca).zip(&mut cb) {
        for i in 0..LANES {
            acc[i] += x[i] * y[i];
        }
    }
    let rest: f64 = ca.remainder().iter().zip(cb.remainder()).map(|(x, y)| x * y).sum();
    sum(acc) + rest
}

/// Returns eˣ with an error of 2 ulp; 0 below −708, ∞ above 709.
pub fn exp(x: f64) -> f64 {
    exp_lanes([x])[0]
}

/// Returns the scaled complementary error function e^{x²} erfc(x) for x ≥ 0 with an error of 2 ulp.
pub fn erfcx(x: f64) -> f64 {
    erfcx_lanes([x])[0]
}

/// Largest argument of [`exp`] with a finite result.
const EXP_HIGH: f64 = 709.0;

/// Returns [`exp`] of each lane.
#[inline(always)]
pub fn exp_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let y = bounded_exp_lanes(map(x, |x| if x > EXP_HIGH { EXP_HIGH } else { x }));
    each(|i| if x[i] > EXP_HIGH { f64::INFINITY } else { y[i] })
}

/// Returns [`exp`] of each lane for x ≤ 709, with fewer operations than [`exp_lanes`].
#[inline(always)]
pub fn bounded_exp_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    const LOW: f64 = -708.0;
    // Adding 3·2⁵¹ rounds to an integer and leaves that integer in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN2_HIGH: f64 = 6.931_471_803_691_238_2e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let clamped = map(x, |x| if x < LOW { LOW } else { x });
    let shifted = map(clamped, |x| x * std::f64::consts::LOG2_E + ROUND);
    let r: [f64; L] = each(|i| {
        let k = shifted[i] - ROUND;
        clamped[i] - k * LN2_HIGH - k * LN2_LOW
    });
    let p = polynomial(
        r,
        [
            1.605_904_383_682_161_5e-10,
            2.087_675_698_786_81e-9,
            2.505_210_838_544_172e-8,
            2.755_731_922_398_589_3e-7,
            2.755_731_922_398_589e-6,
            2.480_158_730_158_730_2e-5,
            1.984_126_984_126_984_1e-4,
            1.388_888_888_888_889e-3,
            8.333_333_333_333_333e-3,
            4.166_666_666_666_666_4e-2,
            1.666_666_666_666_666_6e-1,
            0.5,
            1.0,
            1.0,
        ],
    );
    each(|i| {
        let y = p[i] * f64::from_bits(shifted[i].to_bits().wrapping_add(1023) << 52);
        if x[i] < LOW { 0.0 } else { y }
    })
}

/// Returns tanh of each lane with an error of 2e-16.
#[inline(always)]
pub fn tanh_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let e = bounded_exp_lanes(map(x, |x| -2.0 * x.abs()));
    each(|i| ((1.0 - e[i]) / (1.0 + e[i])).copysign(x[i]))
}

/// Returns the natural logarithm of each lane with an error of 1 ulp, for positive normal numbers only (fdlibm's series without
/// branches).
#[inline(always)]
pub fn ln_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    const LN2_HIGH: f64 = 6.931_471_803_691_238_2e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // Bits of √½, below which a mantissa is doubled, and their difference to those of 1.
    const ROOT_HALF: u64 = 0x3fe6_a09e << 32;
    const LIFT: u64 = (0x3ff0_0000 << 32) - ROOT_HALF;
    // An integer in the low bits of 2⁵² adds this integer.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    let lifted: [u64; L] = each(|i| x[i].to_bits().wrapping_add(LIFT));
    let k: [f64; L] = each(|i| f64::from_bits((lifted[i] >> 52) | SHIFT.to_bits()) - (SHIFT + 1023.0));
    let f: [f64; L] = each(|i| f64::from_bits((lifted[i] & (u64::MAX >> 12)) + ROOT_HALF) - 1.0);
    let s: [f64; L] = each(|i| f[i] / (2.0 + f[i]));
    let z: [f64; L] = each(|i| s[i] * s[i]);
    let series = polynomial(
        z,
        [
            1.479819860511658591e-01,
            1.531383769920937332e-01,
            1.818357216161805012e-01,
            2.222219843214978396e-01,
            2.857142874366239149e-01,
            3.999999999940941908e-01,
            6.666666666666735130e-01,
            0.0,
        ],
    );
    each(|i| {
        let half = 0.5 * f[i] * f[i];
        s[i] * (half + series[i]) + k[i] * LN2_LOW - half + f[i] + k[i] * LN2_HIGH
    })
}

/// Returns [`erfcx`] of each lane.
///
/// (1+2x)·erfcx(x) is a smooth function of t = (x−3.75)/(x+3.75) on [−1, 1). The coefficients are those of its Chebyshev series to
/// degree 24 in powers of t.
#[inline(always)]
pub fn erfcx_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    const CENTRE: f64 = 3.75;
    let t = map(x, |x| (x - CENTRE) / (x + CENTRE));
    let p = polynomial(
        t,
        [
            4.251_471_444_796_389_8e-10,
            3.111_433_380_979_925_2e-10,
            -5.173_990_214_011_31e-9,
            -3.744_210_080_962_018_6e-9,
            3.867_533_424_222_235_7e-8,
            2.326_350_870_885_912_4e-8,
            -2.586_685_071_615_588_5e-7,
            -5.721_823_060_322_409e-8,
            1.751_637_648_849_062e-6,
            -9.735_598_967_367_75e-7,
            -1.144_414_623_770_052_3e-5,
            2.238_423_915_508_223e-5,
            5.164_909_889_268_24e-5,
            -2.901_540_805_408_417e-4,
            2.937_136_655_913_448e-4,
            1.755_625_852_895_295_4e-3,
            -9.746_579_558_029_276e-3,
            2.836_227_741_895_64e-2,
            -5.869_339_858_963_677e-2,
            9.230_432_116_037_775e-2,
            -1.088_039_301_417_488_6e-1,
            8.227_673_849_014_521e-2,
            3.585_415_485_464_429_4e-3,
            -1.402_405_985_855_47e-1,
            1.237_512_630_837_827_6,
        ],
    );
    each(|i| p[i] / (1.0 + 2.0 * x[i]))
}

/// Evaluates a polynomial by Horner's rule, with the highest power first. Each step is taken for all lanes, so that the processor has
/// independent operations.
#[inline(always)]
fn polynomial<const L: usize, const N: usize>(x: [f64; L], coefficients: [f64; N]) -> [f64; L] {
    let mut p = [coefficients[0]; L];
    for c in &coefficients[1..] {
        p = each(|i| p[i] * x[i] + c);
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    const ULP2: f64 = 4.5e-16;

    #[test]
    fn exp_is_within_two_ulp_and_saturates() {
        for i in -7000..=7000 {
            let x = f64::from(i) * 0.101;
            assert!((exp(x) / libm::exp(x) - 1.0).abs() < ULP2, "exp({x})");
        }
        assert_eq!(exp(-800.0), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(800.0), f64::INFINITY);
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn ln_is_within_an_ulp() {
        for i in -3000..=3000 {
            let x = libm::exp(f64::from(i) * 0.2349);
            let (ours, exact) = (ln_lanes([x; LANES])[0], libm::log(x));
            assert!((ours - exact).abs() <= 2.3e-16 * exact.abs(), "ln({x}) = {ours}");
        }
    }

    #[test]
    fn tanh_is_odd_and_saturates() {
        for i in -4000..=4000 {
            let x = f64::from(i) * 0.01;
            assert!((tanh_lanes([x; LANES])[0] - libm::tanh(x)).abs() < 2.3e-16, "tanh({x})");
        }
        assert_eq!(tanh_lanes([f64::INFINITY; LANES])[3], 1.0);
        assert!(tanh_lanes([f64::NAN; LANES])[0].is_nan());
    }

    #[test]
    fn erfcx_agrees_with_erfc_and_its_asymptotic_series() {
        assert!((erfcx(0.0) - 1.0).abs() < ULP2);
        for i in 1..=2000 {
            let x = f64::from(i) * 0.004;
            // exp(x²) itself is only good to about x² ulp.
            let direct = libm::exp(x * x) * libm::erfc(x);
            assert!((erfcx(x) / direct - 1.0).abs() < ULP2 * (2.0 + x * x), "erfcx({x})");
        }
        // Asymptotic series where erfc underflows.
        let x: f64 = 2000.0;
        let series = (1.0 - 0.5 / (x * x) + 0.75 / (x * x * x * x)) / (x * std::f64::consts::PI.sqrt());
        assert!((erfcx(x) / series - 1.0).abs() < 1e-15);
    }

    #[test]
    fn dot_and_sum_agree_with_the_plain_loop() {
        let a: Vec<f64> = (0..37).map(|i| f64::from(i) * 0.3 - 4.0).collect();
        let b: Vec<f64> = (0..37).map(|i| 2.0 - f64::from(i) * 0.11).collect();
        let plain: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        assert!((dot(&a, &b) - plain).abs() < 1e-12);
        assert_eq!(sum([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), 36.0);
    }
}
