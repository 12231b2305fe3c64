//! Random streams: every unit of work has its own, derived from the seed, so that how work is split over
//! workers never changes a result.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where the ziggurat of 256 layers ends and its tail begins.
const TAIL: f64 = 3.654_152_885_361_009;

/// A stream of random numbers: Xoshiro256++, the same on every platform.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of one unit of work (a run, a restart, a digit) under `seed`.
    pub fn of(seed: u64, unit: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(seed).wrapping_add(unit))))
    }

    /// A second stream of the same unit for another purpose: using it leaves the first one as it is.
    pub fn aside(seed: u64, unit: u64, purpose: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(seed).wrapping_add(unit)).wrapping_add(purpose))))
    }

    /// 64 random bits, for the seed of another stream.
    pub fn bits(&mut self) -> u64 {
        self.0.random()
    }

    /// ±1 with even odds.
    pub fn sign(&mut self) -> f64 {
        if self.0.random() { 1.0 } else { -1.0 }
    }

    /// A standard normal variate (ziggurat). The library's tail is drawn with the platform's own logarithm, which differs
    /// from machine to machine in its last bit, so the tail is drawn again.
    pub fn normal(&mut self) -> f64 {
        let x: f64 = StandardNormal.sample(&mut self.0);
        if x.abs() > TAIL { self.tail().copysign(x) } else { x }
    }

    /// A normal variate given that it is larger than [`TAIL`] (Marsaglia 1964).
    fn tail(&mut self) -> f64 {
        loop {
            // In (0, 1]: a logarithm of 0 has no value.
            let (u, v) = (1.0 - self.uniform(), 1.0 - self.uniform());
            let beyond = -libm::log(u) / TAIL;
            if -2.0 * libm::log(v) > beyond * beyond {
                return TAIL + beyond;
            }
        }
    }

    /// A uniform variate in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.random()
    }
}

/// Steele and Vigna's finaliser of `SplitMix64`: neighbouring seeds give unrelated streams.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::stats::mean;
    use super::*;

    #[test]
    fn streams_are_reproducible_and_unrelated() {
        let draw = |seed, unit| {
            let mut s = Stream::of(seed, unit);
            (0..2000).map(|_| s.normal()).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 7), draw(1, 7));
        let (a, b) = (draw(1, 7), draw(1, 8));
        let correlation = mean(a.iter().zip(&b).map(|(x, y)| x * y));
        assert!(correlation.mean.abs() < 4.0 * correlation.se);
        assert_ne!(draw(1, 2)[0], draw(2, 1)[0]);
    }

    #[test]
    fn normals_have_the_moments_of_normals() {
        let mut s = Stream::of(3, 0);
        let x: Vec<f64> = (0..40_000).map(|_| s.normal()).collect();
        for (power, expected) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)] {
            let m = mean(x.iter().map(|x| x.powi(power)));
            assert!((m.mean - expected).abs() < 4.0 * m.se, "moment {power}: {m:?}");
        }
    }

    #[test]
    fn the_tail_is_a_normal_tail() {
        let mut s = Stream::of(4, 0);
        let tail: Vec<f64> = (0..20_000).map(|_| s.tail()).collect();
        // E[x | x > a] = φ(a)/Φ(−a).
        let expected = crate::special::hazard(-TAIL);
        let ours = mean(tail.iter().copied());
        assert!(tail.iter().all(|x| *x > TAIL) && (ours.mean - expected).abs() < 4.0 * ours.se, "{ours:?}");
        let far = (0..2_000_000).filter(|_| s.normal().abs() > TAIL).count() as f64 / 2e6;
        let rare = 2.0 * crate::special::phi(-TAIL);
        assert!((far / rare - 1.0).abs() < 0.2, "{far} {rare}");
    }
}
