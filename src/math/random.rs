//! Random streams derived from (seed, purpose, unit). Each unit of work has its own streams, so that a result does not depend on
//! how the units are divided among workers.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Start of the tail of the ziggurat of 256 layers.
const TAIL: f64 = 3.654_152_885_361_009;

/// Register of all purposes of random streams. Streams of one seed and one unit differ if their purposes belong to the same task and
/// differ.
///
/// Each purpose stands for a fixed number (`Purpose::number`). A number must never change, since every result with a given seed
/// depends on it. Purposes of different tasks may share a number, because the numbers are older than this register. A new purpose
/// takes the number after the largest one below 0x100; in a learning curve, whose test sets have the numbers of their examples, one
/// from 1 << 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Assignment of the rows of a table to training and test set. One unit.
    TableSplit,
    /// Assignment of rows to the folds of cross-validation. One unit.
    TableFolds,
    /// Permutations of a column among held-out rows. Unit: 2 × column + permutation.
    TableColumnEffects,
    /// Posterior draws for the partial dependence on the columns of a table. Unit: the class.
    TableDependence,
    /// Teacher and training examples. Unit: the run.
    FeedforwardExamples,
    /// Test inputs of a learning curve after this many training examples. Unit: the run.
    FeedforwardCurveTest(usize),
    /// Test inputs of a growing training set. Unit: the number of training examples.
    FeedforwardGrowthTest,
    /// Exact posterior: annealed chains and weighted prior draws. Unit: the chain or block.
    FeedforwardPosterior,
    /// Inputs at which TAP and the exact posterior are compared. One unit.
    FeedforwardFreshInputs,
    /// Exact posterior: chains that start at a known solution. Unit: the chain.
    FeedforwardWarmChains,
    /// Bootstrap samples of the runs of a learning curve. One unit.
    FeedforwardBootstrap,
    /// Random starts of the TAP equations. Unit: 10,000 × data set + index of α.
    FeedforwardStarts,
    /// Training points of a built-in set. One unit.
    GpPoints,
    /// Points of a built-in set whose labels are flipped. One unit.
    GpFlippedLabels,
    /// Chains of the exact posterior. Unit: the chain; `u64::MAX` for the probe that precedes them.
    GpChain,
    /// Annealed importance sampling of the evidence. Unit: 10,000 × index of σ² + chain.
    GpAnnealing,
    /// Functions drawn from a Gaussian process at the inputs of a figure. Unit: the function.
    GpFunctions,
    /// Rows among which the inducing points of a table are chosen, and those of a comparison with the full model. Unit: 0 for the
    /// points, 1 for the comparison, 2 for the rows of a search, 3 for those of its starts.
    GpInducingPoints,
    /// Training points of a built-in set. One unit.
    MlpPoints,
    /// Initial weights of a fit. Unit: the restart; `u64::MAX` for a fit that starts at given weights, `u64::MAX − 1` for
    /// one that starts at zero weights.
    MlpInitialWeights,
    /// Hamiltonian chains. Unit: the chain.
    MlpChain,
    /// Weights drawn from the posterior of two weights and its approximations, for a figure. Unit: 0 for the posterior, 1 to 3 for the
    /// approximations. Weights drawn from a fit to a table: unit 4.
    MlpDraws,
    /// Annealed importance sampling of the evidence. Unit: 10,000 × hidden units + walk; walk 9,999 is the
    /// pilot.
    MlpAnnealing,
    /// Built-in measurements: network, sources and noise. One unit.
    NfaData,
    /// Weights of a built-in network of the moments page. One unit.
    NfaNetwork,
    /// Monte Carlo moments. Unit: the point of the grid.
    NfaMoments,
    /// Initial state of a fit. Unit: the restart.
    NfaInitialState,
    /// Missing cells of built-in measurements. One unit.
    NfaMissingCells,
    /// Initial rotation of `FastICA`. One unit.
    NfaIca,
    /// Hamiltonian chains. Unit: the chain.
    NfaChain,
    /// Networks and patterns with known likelihood. Unit: the network.
    SbnNetwork,
    /// Importance sampling of their likelihood. Unit: the network.
    SbnLikelihood,
    /// Training of a digit's network: initial weights and order of the images. Unit: the digit.
    SbnTraining,
    /// Initial state of a digit's mixture. Unit: the digit.
    SbnMixture,
    /// Images sampled from a digit's network. Unit: 1000 × digit + image.
    SbnSamples,
    /// Missing pixels of a test image, at the fraction of this index. Unit: the image.
    SbnMissingPixels(usize),
    /// Importance sampling of the likelihood of the drawn image. One unit.
    SbnPadLikelihood,
    /// Initial image of the drawing pad. One unit.
    SbnPadExample,
    /// Generated training images of a digit. Unit: the image.
    SbnTrainingImage(u8),
    /// Generated test images of a digit. Unit: the image.
    SbnTestImage(u8),
    /// Tests and benchmarks, by number.
    Test(u64),
}

impl Purpose {
    /// Returns the number from which the stream is derived; `None` for the stream of (seed, unit) alone.
    fn number(self) -> Option<u64> {
        Some(match self {
            // These streams are older than purposes.
            Self::FeedforwardExamples => return None,
            Self::GpPoints | Self::MlpPoints => 0,
            Self::FeedforwardGrowthTest
            | Self::GpChain
            | Self::MlpInitialWeights
            | Self::NfaData
            | Self::NfaNetwork
            | Self::SbnNetwork
            | Self::SbnTraining => 1,
            Self::TableSplit
            | Self::FeedforwardPosterior
            | Self::MlpChain
            | Self::NfaMoments
            | Self::NfaInitialState
            | Self::SbnLikelihood
            | Self::SbnMixture => 2,
            Self::FeedforwardFreshInputs | Self::NfaMissingCells | Self::SbnSamples => 3,
            Self::FeedforwardWarmChains | Self::NfaIca => 4,
            Self::TableFolds | Self::NfaChain => 5,
            Self::SbnMissingPixels(fraction) => 0x100 + fraction as u64,
            Self::GpFlippedLabels => 6,
            Self::FeedforwardBootstrap => 1 << 32,
            Self::MlpDraws => 8,
            Self::MlpAnnealing => 9,
            Self::GpAnnealing => 10,
            Self::GpFunctions => 11,
            Self::FeedforwardStarts => 12,
            Self::TableColumnEffects => 13,
            Self::GpInducingPoints => 14,
            Self::TableDependence => 15,
            Self::SbnPadLikelihood => 0x200,
            Self::SbnPadExample => 0x300,
            Self::SbnTrainingImage(digit) => 0x5000 + u64::from(digit),
            Self::SbnTestImage(digit) => 0x5100 + u64::from(digit),
            Self::FeedforwardCurveTest(examples) => examples as u64,
            Self::Test(number) => number,
        })
    }
}

/// A stream of random numbers: Xoshiro256++, the same on every platform.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// Returns the stream of a unit without a purpose, where a seed serves one purpose only.
    pub fn of(seed: u64, unit: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(seed).wrapping_add(unit))))
    }

    /// Returns the stream of a unit of work (a run, a restart, a digit) for one purpose.
    pub fn for_purpose(seed: u64, purpose: Purpose, unit: u64) -> Self {
        let Some(number) = purpose.number() else { return Self::of(seed, unit) };
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(seed).wrapping_add(unit)).wrapping_add(number))))
    }

    /// Returns 64 random bits, the seed of another stream.
    pub fn bits(&mut self) -> u64 {
        self.0.random()
    }

    /// Returns ±1 with equal probability.
    pub fn sign(&mut self) -> f64 {
        if self.0.random() { 1.0 } else { -1.0 }
    }

    /// Returns a standard normal variate (ziggurat). Variates in the tail are drawn again: `rand_distr` computes them with the
    /// platform's logarithm, whose last bit differs between machines.
    pub fn normal(&mut self) -> f64 {
        let x: f64 = StandardNormal.sample(&mut self.0);
        if x.abs() > TAIL { self.tail().copysign(x) } else { x }
    }

    /// Returns a normal variate conditioned to exceed [`TAIL`] (Marsaglia 1964).
    fn tail(&mut self) -> f64 {
        loop {
            // In (0, 1], where the logarithm is finite.
            let (u, v) = (1.0 - self.uniform(), 1.0 - self.uniform());
            let excess = -libm::log(u) / TAIL;
            if -2.0 * libm::log(v) > excess * excess {
                return TAIL + excess;
            }
        }
    }

    /// Returns the logarithm of a Gamma variate of this shape and scale 1 (Marsaglia and Tsang, ACM Trans. Math. Softw. 26, 363 (2000)).
    pub fn ln_gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            // In (0, 1], where the logarithm is finite.
            let ln_u = libm::log(1.0 - self.uniform());
            return self.ln_gamma(shape + 1.0) + ln_u / shape;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let ln_v = 3.0 * libm::log(root);
            let v = root * root * root;
            if libm::log(1.0 - self.uniform()) < 0.5 * x * x + d * (1.0 - v + ln_v) {
                return libm::log(d) + ln_v;
            }
        }
    }

    /// Returns a uniform variate in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.random()
    }
}

/// Applies the finaliser of `SplitMix64` (Steele and Vigna), so that adjacent seeds give unrelated streams.
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
    fn streams_are_reproducible_and_uncorrelated() {
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

    /// The purposes that one task uses. Only the learning curve has test sets without end.
    #[test]
    fn purposes_of_one_task_have_different_streams() {
        use Purpose::*;
        let curve = (1..100_000).map(FeedforwardCurveTest).chain([FeedforwardExamples, FeedforwardBootstrap]);
        let digits = (0..10).flat_map(|digit| [SbnTrainingImage(digit), SbnTestImage(digit)]);
        let hidden = (0..0x100).map(SbnMissingPixels);
        let learn = digits.chain(hidden).chain([SbnTraining, SbnMixture, SbnSamples]);
        let tasks: [(&str, Vec<Purpose>); 17] = [
            ("feedforward", curve.collect()),
            (
                "feedforward.run",
                vec![
                    FeedforwardExamples,
                    FeedforwardGrowthTest,
                    FeedforwardPosterior,
                    FeedforwardFreshInputs,
                    FeedforwardWarmChains,
                ],
            ),
            ("feedforward.solutions", vec![FeedforwardExamples, FeedforwardStarts]),
            ("feedforward.data", vec![TableSplit, TableFolds, TableColumnEffects]),
            (
                "gp.data and gp.regression",
                vec![TableSplit, TableFolds, TableColumnEffects, GpInducingPoints, TableDependence],
            ),
            ("gp", vec![GpPoints, GpFlippedLabels, GpChain]),
            ("gp.curve", vec![GpPoints, GpFunctions]),
            ("gp.evidence", vec![GpPoints, GpFlippedLabels, GpAnnealing]),
            ("mlp", vec![MlpInitialWeights, MlpChain, MlpDraws]),
            ("mlp.curve", vec![MlpPoints, MlpInitialWeights, MlpChain, MlpDraws]),
            ("mlp.units", vec![MlpPoints, MlpInitialWeights, MlpAnnealing]),
            ("mlp.data", vec![TableSplit, TableFolds, TableColumnEffects, MlpInitialWeights, MlpDraws]),
            ("nfa", vec![NfaData, NfaInitialState, NfaMissingCells, NfaIca, NfaChain]),
            ("nfa.moments", vec![NfaNetwork, NfaMoments]),
            ("sbn", learn.collect()),
            ("sbn.pad", vec![SbnPadExample, SbnPadLikelihood, SbnSamples]),
            ("sbn.bound", vec![SbnNetwork, SbnLikelihood]),
        ];
        for (task, purposes) in tasks {
            let numbers: std::collections::BTreeSet<_> = purposes.iter().map(|p| p.number()).collect();
            assert_eq!(numbers.len(), purposes.len(), "{task}");
        }
    }

    #[test]
    fn normal_variates_have_the_moments_of_the_normal_distribution() {
        let mut s = Stream::of(3, 0);
        let x: Vec<f64> = (0..40_000).map(|_| s.normal()).collect();
        for (power, expected) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)] {
            let m = mean(x.iter().map(|x| x.powi(power)));
            assert!((m.mean - expected).abs() < 4.0 * m.se, "moment {power}: {m:?}");
        }
    }

    #[test]
    fn gamma_variates_have_the_mean_of_their_logarithm() {
        // E[ln x] = ψ(shape): ψ(1/4) = −γ − π/2 − 3 ln 2, ψ(3) = 3/2 − γ.
        const EULER: f64 = 0.577_215_664_901_532_9;
        let quarter = -EULER - std::f64::consts::FRAC_PI_2 - 3.0 * std::f64::consts::LN_2;
        for (shape, expected) in [(0.25, quarter), (3.0, 1.5 - EULER)] {
            let mut s = Stream::of(5, 0);
            let drawn: Vec<f64> = (0..40_000).map(|_| s.ln_gamma(shape)).collect();
            let m = mean(drawn.iter().copied());
            assert!((m.mean - expected).abs() < 4.0 * m.se, "shape {shape}: {m:?} instead of {expected}");
        }
    }

    #[test]
    fn tail_variates_have_the_mean_and_frequency_of_the_normal_tail() {
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
