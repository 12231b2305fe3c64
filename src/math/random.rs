//! Random streams: every unit of work has its own, derived from the seed, so that how work is split over
//! workers never changes a result.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

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

    /// ±1 with even odds.
    pub fn sign(&mut self) -> f64 {
        if self.0.random() { 1.0 } else { -1.0 }
    }

    /// A standard normal variate (ziggurat).
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
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
}
