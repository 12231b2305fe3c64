//! Annealed importance sampling of smooth posteriors (Neal, Stat. Comput. 11, 125 (2001)): a walk starts with a draw from the prior and
//! follows a path of densities to the posterior. The mean weight of independent walks is an unbiased estimate of the evidence.
//!
//! The moves are those of Hamiltonian Monte Carlo. Their step sizes must not depend on the walk, or the weights would be biased: a pilot
//! tunes them, and the walks that follow take its step sizes.

use super::hmc::{Density, Hmc, Whitening};
use super::random::Stream;

/// A path of densities from a prior to a posterior.
pub trait AnnealedPath {
    /// Returns the log of the density at `progress` at `x`, and writes its gradient to `gradient`. Progress 0 is the normalised prior, up
    /// to a constant; 1 is the prior times the likelihood, up to the same constant.
    fn ln_density(&self, progress: f64, x: &[f64], gradient: &mut [f64]) -> f64;
}

/// A density of a path.
struct AtProgress<'a, P>(&'a P, f64);

impl<P: AnnealedPath> Density for AtProgress<'_, P> {
    fn ln_density(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.0.ln_density(self.1, x, gradient)
    }
}

/// Exponent of the ladder: the progress (j/J)⁴ is dense at 0, where the density changes most (Friel and Pettitt, J. R. Stat. Soc. B 70,
/// 589 (2008)).
const EXPONENT: i32 = 4;
/// Gain of the adaptation of the pilot's step size.
const GAIN: f64 = 0.3;

/// A walk from the prior to the posterior.
pub struct AnnealedWalk {
    hmc: Hmc,
    /// Step sizes of the moves; those so far in a pilot.
    steps: Vec<f64>,
    pilot: bool,
    /// Number of rungs J of the ladder.
    rungs: usize,
    /// Index j of the current rung, from 1.
    rung: usize,
    ln_weight: f64,
}

impl AnnealedWalk {
    /// Starts a pilot at `start`, a draw from the prior, with a ladder of at least two `rungs`.
    pub fn pilot(
        path: &impl AnnealedPath,
        whitening: Whitening,
        start: &[f64],
        rungs: usize,
        stream: Stream,
    ) -> Self {
        let first = progress(1, rungs);
        let ln_weight = gain(path, [0.0, first], start);
        let hmc = Hmc::new(&AtProgress(path, first), whitening, start, 0, stream);
        let steps = vec![hmc.step_size()];
        Self { hmc, steps, pilot: true, rungs, rung: 1, ln_weight }
    }

    /// Starts a walk at `start`, a draw from the prior, with the step sizes of a pilot.
    pub fn new(
        path: &impl AnnealedPath,
        whitening: Whitening,
        start: &[f64],
        steps: &[f64],
        stream: Stream,
    ) -> Self {
        let walk = Self::pilot(path, whitening, start, steps.len() + 1, stream);
        Self { steps: steps.to_vec(), pilot: false, ..walk }
    }

    /// Makes one evaluation of the density. Returns true at the end of the ladder.
    pub fn step(&mut self, path: &impl AnnealedPath) -> bool {
        if self.rung == self.rungs {
            return true;
        }
        let here = progress(self.rung, self.rungs);
        if self.hmc.step(&AtProgress(path, here)) {
            let x = self.hmc.position().to_vec();
            let next = progress(self.rung + 1, self.rungs);
            self.ln_weight += gain(path, [here, next], &x);
            self.rung += 1;
            if self.rung < self.rungs {
                if self.pilot {
                    self.steps.push(self.hmc.improved_step_size(GAIN));
                }
                self.hmc.set_step_size(self.steps[self.rung - 1]);
                self.hmc.set_position(&AtProgress(path, next), &x);
            }
        }
        self.rung == self.rungs
    }

    /// Returns the fraction of the ladder that is done.
    pub fn fraction(&self) -> f64 {
        self.rung as f64 / self.rungs as f64
    }

    /// Returns the log weight: at the end of the ladder, that of the posterior.
    pub fn ln_weight(&self) -> f64 {
        self.ln_weight
    }

    /// Returns the step sizes of the moves, one less than the rungs after the end.
    pub fn steps(&self) -> &[f64] {
        &self.steps
    }
}

/// Returns the progress at rung `j` of `rungs`.
fn progress(j: usize, rungs: usize) -> f64 {
    (j as f64 / rungs as f64).powi(EXPONENT)
}

/// Returns the increase of the log density at `x` from one progress to another.
fn gain(path: &impl AnnealedPath, between: [f64; 2], x: &[f64]) -> f64 {
    let mut gradient = vec![0.0; x.len()];
    let [before, after] = between.map(|progress| path.ln_density(progress, x, &mut gradient));
    after - before
}

#[cfg(test)]
mod tests {
    use super::super::importance::LogMeanWeight;
    use super::*;

    /// Prior N(0, I); the likelihood has two narrow peaks of unequal weight, Σ w N(x; c, s²).
    struct TwoPeaks;

    const SD: f64 = 0.1;

    impl TwoPeaks {
        /// Returns the log weight of each peak at `x`, and its centre.
        fn peaks(x: &[f64]) -> [(f64, [f64; 2]); 2] {
            [([1.0, 0.5], 3.0), ([-1.5, 0.0], 1.0)].map(|(centre, weight): ([f64; 2], f64)| {
                let square: f64 = x.iter().zip(centre).map(|(x, c)| (x - c) * (x - c)).sum();
                (libm::log(weight) - 0.5 * square / (SD * SD), centre)
            })
        }
    }

    impl AnnealedPath for TwoPeaks {
        fn ln_density(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
            let [a, b] = Self::peaks(x);
            let share = 1.0 / (1.0 + libm::exp(b.0 - a.0));
            for (i, g) in gradient.iter_mut().enumerate() {
                let slope = share * (a.1[i] - x[i]) + (1.0 - share) * (b.1[i] - x[i]);
                *g = power * slope / (SD * SD) - x[i];
            }
            let ln_likelihood = a.0.max(b.0) + libm::log1p(libm::exp(-(a.0 - b.0).abs()));
            power * ln_likelihood - 0.5 * x.iter().map(|x| x * x).sum::<f64>()
        }
    }

    #[test]
    fn the_evidence_of_separate_peaks_is_unbiased() {
        // ∫ N(x; 0, I) e^{−|x − c|²/2s²} dx = s²/(1 + s²) e^{−|c|²/2(1 + s²)}.
        let var = 1.0 + SD * SD;
        let peak = |square: f64, weight: f64| weight * SD * SD / var * libm::exp(-0.5 * square / var);
        let exact = libm::log(peak(1.25, 3.0) + peak(2.25, 1.0));
        let whitening = || Whitening::new(vec![0.0; 2], vec![1.0, 0.0, 0.0, 1.0]);
        let walk = |mut walk: AnnealedWalk| {
            while !walk.step(&TwoPeaks) {}
            walk
        };
        let start = |stream: &mut Stream| [stream.normal(), stream.normal()];
        let mut stream = Stream::of(1, 0);
        let pilot = AnnealedWalk::pilot(&TwoPeaks, whitening(), &start(&mut stream), 100, stream);
        let steps = walk(pilot).steps().to_vec();
        assert_eq!(steps.len(), 99);
        assert!(steps[98] > 0.0 && steps[98] < steps[0], "{steps:?}");
        let weight = |i: u64| {
            let mut stream = Stream::of(1, i);
            let start = start(&mut stream);
            walk(AnnealedWalk::new(&TwoPeaks, whitening(), &start, &steps, stream)).ln_weight()
        };
        let found = LogMeanWeight::of(&(1..=400).map(weight).collect::<Vec<_>>()).unwrap();
        assert!((found.ln_mean - exact).abs() < 4.0 * found.se && found.se < 0.1, "{found:?} {exact}");
        // Draws from the prior alone would have fewer than ten effective draws of 400.
        assert!(found.ess > 100.0, "{found:?}");
    }
}
