//! Hamiltonian Monte Carlo for smooth densities (Duane et al., Phys. Lett. B 195, 216 (1987); Neal, Handbook of MCMC, chapter 5
//! (2011)), one leapfrog step at a time. The step size is tuned by dual averaging during warm-up (Hoffman & Gelman, JMLR 15, 1593
//! (2014)). The mass matrix is the inverse of a given covariance, such as that of a fit.

use super::lanes::dot;
use super::random::Stream;

/// An unnormalised density.
pub trait Density {
    /// Returns the log density at `x` and writes its gradient to `gradient`.
    fn ln_density(&self, x: &[f64], gradient: &mut [f64]) -> f64;
}

/// Target acceptance rate: higher than the optimum for a Gaussian, since narrow tails need short steps.
const TARGET: f64 = 0.9;
/// Range of random factors of the step size, one per move: some moves then leave tails in which the tuned step size is too large.
const JITTER: (f64, f64) = (0.4, 1.1);
/// Mean duration of a move: a quarter of the period of a harmonic oscillator.
const MEAN_DURATION: f64 = std::f64::consts::FRAC_PI_2;
/// Maximum number of leapfrog steps of a move.
const MAX_STEPS: usize = 256;
/// Increase of the energy from which a move counts as divergent.
const DIVERGENT: f64 = 1000.0;

/// The transformation x = centre + L z to coordinates z with approximately independent standard components.
#[derive(Clone, Debug)]
pub struct Whitening {
    centre: Vec<f64>,
    /// L, n×n, lower triangular, row by row.
    factor: Vec<f64>,
}

impl Whitening {
    /// Creates the transformation for a centre, n, and a covariance L Lᵀ. `factor` is L, n×n, row by row; its upper triangle is ignored.
    ///
    /// # Panics
    /// If `factor` does not have n² elements.
    pub fn new(centre: Vec<f64>, factor: Vec<f64>) -> Self {
        assert_eq!(factor.len(), centre.len() * centre.len(), "a factor of n² elements");
        Self { centre, factor }
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let n = self.centre.len();
        self.factor.chunks_exact(n.max(1)).enumerate().map(|(i, row)| (i, &row[..=i]))
    }

    fn x(&self, z: &[f64]) -> Vec<f64> {
        self.rows().map(|(i, row)| self.centre[i] + dot(row, &z[..=i])).collect()
    }

    fn z(&self, x: &[f64]) -> Vec<f64> {
        let mut z = Vec::with_capacity(x.len());
        for (i, row) in self.rows() {
            z.push((x[i] - self.centre[i] - dot(&row[..i], &z)) / row[i]);
        }
        z
    }

    /// Transforms a gradient with respect to x into one with respect to z.
    fn gradient_z(&self, gradient: &[f64]) -> Vec<f64> {
        let mut by_z = vec![0.0; gradient.len()];
        for ((_, row), g) in self.rows().zip(gradient) {
            for (by_z, l) in by_z.iter_mut().zip(row) {
                *by_z += g * l;
            }
        }
        by_z
    }
}

/// A state of a chain.
#[derive(Clone, Debug)]
struct State {
    z: Vec<f64>,
    x: Vec<f64>,
    ln: f64,
    /// Gradient with respect to z.
    gradient: Vec<f64>,
}

/// A chain and its current move.
#[derive(Clone, Debug)]
pub struct Hmc {
    whitening: Whitening,
    here: State,
    moving: Option<Move>,
    adaptation: Adaptation,
    stream: Stream,
    /// Number of moves since warm-up.
    pub moves: usize,
    /// Number of accepted moves since warm-up.
    pub accepted: usize,
    /// Number of divergent moves since warm-up.
    pub divergent: usize,
}

/// A move in progress.
#[derive(Clone, Debug)]
struct Move {
    at: State,
    momentum: Vec<f64>,
    size: f64,
    /// Number of remaining steps.
    left: usize,
    /// Energy at the start.
    energy: f64,
}

/// Dual averaging of the log step size ln ε.
#[derive(Clone, Debug)]
struct Adaptation {
    left: usize,
    count: f64,
    centre: f64,
    bar: f64,
    ln_step: f64,
    ln_average: f64,
}

impl Adaptation {
    fn new(warmup: usize, step: f64) -> Self {
        let ln_step = libm::log(step);
        Self {
            left: warmup,
            count: 0.0,
            centre: ln_step + libm::log(4.0),
            bar: 0.0,
            ln_step,
            ln_average: ln_step,
        }
    }

    fn update(&mut self, acceptance: f64) {
        self.count += 1.0;
        let share = 1.0 / (self.count + 10.0);
        self.bar += share * (TARGET - acceptance - self.bar);
        self.ln_step = self.centre - self.count.sqrt() / 0.05 * self.bar;
        let forget = libm::pow(self.count, -0.75);
        self.ln_average += forget * (self.ln_step - self.ln_average);
        self.left -= 1;
        if self.left == 0 {
            self.ln_step = self.ln_average;
        }
    }
}

impl Hmc {
    /// Starts a chain at `start`. The first `warmup` moves tune the step size.
    pub fn new(
        density: &impl Density,
        whitening: Whitening,
        start: &[f64],
        warmup: usize,
        stream: Stream,
    ) -> Self {
        let here = state(density, &whitening, whitening.z(start));
        let first = 0.5 / libm::pow(start.len().max(1) as f64, 0.25);
        let adaptation = Adaptation::new(warmup, first);
        Self { whitening, here, moving: None, adaptation, stream, moves: 0, accepted: 0, divergent: 0 }
    }

    /// Returns the current position.
    pub fn position(&self) -> &[f64] {
        &self.here.x
    }

    /// Continues from another position. The current move is dropped.
    pub fn set_position(&mut self, density: &impl Density, x: &[f64]) {
        self.here = state(density, &self.whitening, self.whitening.z(x));
        self.moving = None;
    }

    /// Returns the acceptance rate and the number of divergent moves since warm-up.
    pub fn acceptance(&self) -> (f64, usize) {
        (self.accepted as f64 / self.moves.max(1) as f64, self.divergent)
    }

    /// Returns true during warm-up.
    pub fn is_warming_up(&self) -> bool {
        self.adaptation.left > 0
    }

    /// Returns the current step size in standard deviations.
    pub fn step_size(&self) -> f64 {
        libm::exp(self.adaptation.ln_step)
    }

    /// Makes one leapfrog step with one evaluation of the density. Returns true when a move is complete.
    pub fn step(&mut self, density: &impl Density) -> bool {
        let Some(mut now) = self.moving.take() else {
            let momentum: Vec<f64> = self.here.z.iter().map(|_| self.stream.normal()).collect();
            let energy = 0.5 * dot(&momentum, &momentum) - self.here.ln;
            let size = self.step_size() * (JITTER.0 + (JITTER.1 - JITTER.0) * self.stream.uniform());
            // Random durations avoid resonance with oscillations.
            let time = MEAN_DURATION * (0.5 + self.stream.uniform());
            let left = ((time / size) as usize).clamp(1, MAX_STEPS);
            self.moving = Some(Move { at: self.here.clone(), momentum, size, left, energy });
            return false;
        };
        let size = now.size;
        let kick = |momentum: &mut [f64], gradient: &[f64]| {
            momentum.iter_mut().zip(gradient).for_each(|(p, g)| *p += 0.5 * size * g);
        };
        kick(&mut now.momentum, &now.at.gradient);
        let z = now.at.z.iter().zip(&now.momentum).map(|(z, p)| z + size * p).collect();
        now.at = state(density, &self.whitening, z);
        kick(&mut now.momentum, &now.at.gradient);
        now.left -= 1;
        let rise = 0.5 * dot(&now.momentum, &now.momentum) - now.at.ln - now.energy;
        let divergent = rise >= DIVERGENT || rise.is_nan();
        if now.left > 0 && !divergent {
            self.moving = Some(now);
            return false;
        }
        self.end(now.at, rise, divergent);
        true
    }

    /// Accepts or rejects a move.
    fn end(&mut self, at: State, rise: f64, divergent: bool) {
        let acceptance = if divergent { 0.0 } else { libm::exp(-rise).min(1.0) };
        let accepted = self.stream.uniform() < acceptance;
        if accepted {
            self.here = at;
        }
        if self.is_warming_up() {
            self.adaptation.update(acceptance);
        } else {
            self.moves += 1;
            self.accepted += usize::from(accepted);
            self.divergent += usize::from(divergent);
        }
    }
}

fn state(density: &impl Density, whitening: &Whitening, z: Vec<f64>) -> State {
    let x = whitening.x(&z);
    let mut gradient = vec![0.0; x.len()];
    let ln = density.ln_density(&x, &mut gradient);
    let gradient = whitening.gradient_z(&gradient);
    State { z, x, ln, gradient }
}

#[cfg(test)]
mod tests {
    use super::super::mixing::mixing;
    use super::*;

    /// A banana-shaped density: x ~ N(0, 4), y | x ~ N(x²/4, ¼).
    struct Banana;

    impl Density for Banana {
        fn ln_density(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
            let off = x[1] - 0.25 * x[0] * x[0];
            gradient[0] = -0.25 * x[0] + 2.0 * off * x[0];
            gradient[1] = -4.0 * off;
            -0.125 * x[0] * x[0] - 2.0 * off * off
        }
    }

    type Moment = fn(&[f64]) -> f64;

    #[test]
    fn moments_agree_with_the_density() {
        let draws: Vec<Vec<Vec<f64>>> = (0..4)
            .map(|chain| {
                let whitening = Whitening::new(vec![0.0, 1.0], vec![2.0, 0.0, 0.3, 1.0]);
                let mut hmc = Hmc::new(&Banana, whitening, &[0.5, -0.5], 300, Stream::of(1, chain));
                let mut draws = Vec::new();
                while draws.len() < 4000 {
                    let warming = hmc.is_warming_up();
                    if hmc.step(&Banana) && !warming {
                        draws.push(hmc.position().to_vec());
                    }
                }
                let rate = hmc.accepted as f64 / hmc.moves as f64;
                assert!((0.65..0.99).contains(&rate), "acceptance {rate}");
                draws
            })
            .collect();
        // <x> = 0, <x²> = 4, <y> = 1, <y²> = ¼ + 3·16/16 = 3.25.
        let moments: [(Moment, f64); 4] =
            [(|x| x[0], 0.0), (|x| x[0] * x[0], 4.0), (|x| x[1], 1.0), (|x| x[1] * x[1], 3.25)];
        for (moment, expected) in moments {
            let values: Vec<Vec<f64>> =
                draws.iter().map(|draws| draws.iter().map(|x| moment(x)).collect()).collect();
            let slices: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            let (found, all) = (mixing(&slices), values.concat());
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let var = all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all.len() as f64;
            let se = (var / found.ess).sqrt();
            assert!(found.r_hat < 1.02 && found.ess > 200.0, "{found:?}");
            assert!((mean - expected).abs() < 4.0 * se, "{mean} ± {se} instead of {expected}");
        }
    }

    #[test]
    fn whitening_is_inverted() {
        let whitening =
            Whitening::new(vec![1.0, 2.0, 3.0], vec![2.0, 9.0, 9.0, 1.0, 3.0, 9.0, 0.5, -1.0, 0.7]);
        let x = [0.3, -2.0, 5.0];
        let back = whitening.x(&whitening.z(&x));
        assert!(back.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
