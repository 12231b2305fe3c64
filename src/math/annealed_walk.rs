//! Annealed importance sampling of smooth posteriors (Neal, Stat. Comput. 11, 125 (2001)): a walk starts with a draw from the prior and
//! follows a path of densities to the posterior. The mean weight of independent walks is an unbiased estimate of the evidence.
//!
//! Between two densities there is a move of [`LEAPS`] leapfrog steps that keeps most of the momentum (Horowitz, Phys. Lett. B 268, 247
//! (1991)). For the same number of evaluations, many such moves give weights of much smaller variance than a few long ones. The step
//! sizes must not depend on the walk, or the weights would be biased: a pilot tunes them, and later walks reuse them.

use super::lanes::dot;
use super::random::Stream;

/// A path from a prior N(0, σ²I) to a posterior, whose likelihood depends on an error of x alone.
pub trait AnnealedPath {
    /// Returns the error at `x`, and its gradient.
    fn error(&self, x: &[f64]) -> (f64, Vec<f64>);

    /// Returns the log likelihood of that `error` at `progress`, and its derivative with respect to the error. Progress 0 is the prior:
    /// the likelihood is constant. Progress 1 is the posterior.
    fn ln_likelihood(&self, progress: f64, error: f64) -> (f64, f64);
}

/// Number of leapfrog steps of a move.
pub const LEAPS: usize = 2;
/// Exponent of the ladder: the progress (j/J)⁴ is dense at 0, where the density changes most (Friel and Pettitt, J. R. Stat. Soc. B 70,
/// 589 (2008)).
const EXPONENT: i32 = 4;
/// Rate at which the momentum is forgotten, per unit of time.
const FRICTION: f64 = 0.5;
/// First step size of a pilot, in standard deviations of the prior.
const FIRST_STEP: f64 = 0.3;
/// Range of random factors of the step size, one per move.
const JITTER: (f64, f64) = (0.7, 1.3);
/// Acceptance rate of the moves of the pilot. It is high because a rejected move reverses the momentum.
const TARGET: f64 = 0.97;
/// Gain of the adaptation of the pilot's step size.
const GAIN: f64 = 0.05;

/// Place of a walk in units of the prior's standard deviation, with its error.
#[derive(Clone, Debug)]
struct Place {
    z: Vec<f64>,
    error: f64,
    /// Gradient of the error with respect to z.
    slope: Vec<f64>,
}

impl Place {
    fn new(path: &impl AnnealedPath, sd: f64, z: Vec<f64>) -> Self {
        let x: Vec<f64> = z.iter().map(|z| sd * z).collect();
        let (error, mut slope) = path.error(&x);
        for by in &mut slope {
            *by *= sd;
        }
        Self { z, error, slope }
    }

    /// Returns the log density at `progress` up to a constant.
    fn ln_density(&self, path: &impl AnnealedPath, progress: f64) -> f64 {
        path.ln_likelihood(progress, self.error).0 - 0.5 * dot(&self.z, &self.z)
    }

    /// Changes the momentum by the force during `time`.
    fn kick(&self, path: &impl AnnealedPath, progress: f64, momentum: &mut [f64], time: f64) {
        let (_, by_error) = path.ln_likelihood(progress, self.error);
        for ((p, slope), z) in momentum.iter_mut().zip(&self.slope).zip(&self.z) {
            *p += time * (by_error * slope - z);
        }
    }
}

/// A move in progress.
struct Move {
    at: Place,
    momentum: Vec<f64>,
    size: f64,
    /// Number of remaining leapfrog steps.
    left: usize,
    /// Energy at the start.
    energy: f64,
}

/// A walk from the prior to the posterior.
pub struct AnnealedWalk {
    /// Standard deviation of the prior.
    sd: f64,
    here: Place,
    momentum: Vec<f64>,
    moving: Option<Move>,
    stream: Stream,
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
    /// Starts a pilot at a draw of `k` numbers from the prior N(0, `sd`²), with a ladder of at least two `rungs`.
    pub fn pilot(path: &impl AnnealedPath, (k, sd): (usize, f64), rungs: usize, mut stream: Stream) -> Self {
        let mut normals = || -> Vec<f64> { (0..k).map(|_| stream.normal()).collect() };
        let (z, momentum) = (normals(), normals());
        let here = Place::new(path, sd, z);
        let ln_weight = gain(path, [0.0, progress(1, rungs)], here.error);
        let steps = vec![FIRST_STEP];
        Self { sd, here, momentum, moving: None, stream, steps, pilot: true, rungs, rung: 1, ln_weight }
    }

    /// Starts a walk at a draw of `k` numbers from the prior N(0, `sd`²), with the step sizes of a pilot.
    pub fn new(path: &impl AnnealedPath, prior: (usize, f64), steps: &[f64], stream: Stream) -> Self {
        let walk = Self::pilot(path, prior, steps.len() + 1, stream);
        Self { steps: steps.to_vec(), pilot: false, ..walk }
    }

    /// Makes one evaluation of the error. Returns true at the end of the ladder.
    pub fn step(&mut self, path: &impl AnnealedPath) -> bool {
        if self.rung == self.rungs {
            return true;
        }
        let here = progress(self.rung, self.rungs);
        let mut now = self.moving.take().unwrap_or_else(|| self.begin_move(path, here));
        now.at.kick(path, here, &mut now.momentum, 0.5 * now.size);
        let z = now.at.z.iter().zip(&now.momentum).map(|(z, p)| z + now.size * p).collect();
        now.at = Place::new(path, self.sd, z);
        now.at.kick(path, here, &mut now.momentum, 0.5 * now.size);
        now.left -= 1;
        if now.left > 0 {
            self.moving = Some(now);
            return false;
        }
        let acceptance = self.end_move(path, here, now);
        self.ln_weight += gain(path, [here, progress(self.rung + 1, self.rungs)], self.here.error);
        self.rung += 1;
        if self.pilot && self.rung < self.rungs {
            let step = self.steps[self.rung - 2];
            self.steps.push(step * libm::exp(GAIN * (acceptance - TARGET)));
        }
        self.rung == self.rungs
    }

    /// Replaces a part of the momentum, and starts a move.
    fn begin_move(&mut self, path: &impl AnnealedPath, progress: f64) -> Move {
        let step = self.steps[self.rung - 1];
        let kept = libm::exp(-FRICTION * step * LEAPS as f64);
        let new = (1.0 - kept * kept).sqrt();
        for p in &mut self.momentum {
            *p = kept * *p + new * self.stream.normal();
        }
        let size = step * (JITTER.0 + (JITTER.1 - JITTER.0) * self.stream.uniform());
        let energy = 0.5 * dot(&self.momentum, &self.momentum) - self.here.ln_density(path, progress);
        Move { at: self.here.clone(), momentum: self.momentum.clone(), size, left: LEAPS, energy }
    }

    /// Accepts a move, or rejects it and reverses the momentum. Returns the probability of acceptance.
    fn end_move(&mut self, path: &impl AnnealedPath, progress: f64, end: Move) -> f64 {
        let energy = 0.5 * dot(&end.momentum, &end.momentum) - end.at.ln_density(path, progress);
        let rise = energy - end.energy;
        let acceptance = if rise.is_nan() { 0.0 } else { libm::exp(-rise).min(1.0) };
        if self.stream.uniform() < acceptance {
            (self.here, self.momentum) = (end.at, end.momentum);
        } else {
            for p in &mut self.momentum {
                *p = -*p;
            }
        }
        acceptance
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

/// Returns the increase of the log likelihood of `error` from one progress to another.
fn gain(path: &impl AnnealedPath, between: [f64; 2], error: f64) -> f64 {
    let [before, after] = between.map(|progress| path.ln_likelihood(progress, error).0);
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
        /// Returns the negative log likelihood.
        fn error(&self, x: &[f64]) -> (f64, Vec<f64>) {
            let [a, b] = Self::peaks(x);
            let share = 1.0 / (1.0 + libm::exp(b.0 - a.0));
            let slope = |i: usize| share * (x[i] - a.1[i]) + (1.0 - share) * (x[i] - b.1[i]);
            let ln_likelihood = a.0.max(b.0) + libm::log1p(libm::exp(-(a.0 - b.0).abs()));
            (-ln_likelihood, (0..2).map(|i| slope(i) / (SD * SD)).collect())
        }

        fn ln_likelihood(&self, power: f64, error: f64) -> (f64, f64) {
            (-power * error, -power)
        }
    }

    #[test]
    fn the_evidence_of_separate_peaks_is_unbiased() {
        // ∫ N(x; 0, I) e^{−|x − c|²/2s²} dx = s²/(1 + s²) e^{−|c|²/2(1 + s²)}.
        let var = 1.0 + SD * SD;
        let peak = |square: f64, weight: f64| weight * SD * SD / var * libm::exp(-0.5 * square / var);
        let exact = libm::log(peak(1.25, 3.0) + peak(2.25, 1.0));
        let walk = |mut walk: AnnealedWalk| {
            while !walk.step(&TwoPeaks) {}
            walk
        };
        let prior = (2, 1.0);
        let steps = walk(AnnealedWalk::pilot(&TwoPeaks, prior, 1000, Stream::of(1, 0))).steps().to_vec();
        assert_eq!(steps.len(), 999);
        assert!(steps[998] > 0.0 && steps[998] < steps[0], "{steps:?}");
        let weight = |i: u64| walk(AnnealedWalk::new(&TwoPeaks, prior, &steps, Stream::of(1, i))).ln_weight();
        let found = LogMeanWeight::of(&(1..=400).map(weight).collect::<Vec<_>>()).unwrap();
        assert!((found.ln_mean - exact).abs() < 4.0 * found.se && found.se < 0.1, "{found:?} {exact}");
        // Draws from the prior alone would have fewer than ten effective draws of 400.
        assert!(found.ess > 100.0, "{found:?}");
    }
}
