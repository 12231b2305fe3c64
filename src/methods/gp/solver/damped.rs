//! TAP by damped sweeps: expectation propagation over all examples at once, whose fixed points are those of OW98 eqs. (11) to (13).
//! It is slower than the double loop of `tap.rs`, but needs no solution at variances that are still wrong, which with flips
//! (κ > 0) there may not be.

use std::task::Poll;

use super::factor::{Factoring, Want};
use super::site::Site;
use super::training_set::TrainingSet;
use crate::math::max_or_nan;

/// The share of a step at first, and the least that is tried before nothing is expected any more.
const DAMPING: (f64, f64) = (0.5, 0.01);
/// Sweeps that come no nearer before the share is halved.
const PATIENCE: usize = 20;

/// What is carried from sweep to sweep.
#[derive(Clone, Debug)]
pub(in crate::gp) struct Damped {
    /// Precisions S of the sites and their precision-weighted means x + S h, m.
    s: Vec<f64>,
    nu: Vec<f64>,
    damping: f64,
    factoring: Factoring,
    /// The smallest change at this damping, and the sweeps since.
    least: f64,
    stalled: usize,
    /// max |ΔS| λ or |Δx| relative to the largest x, of the last sweep before its damping.
    pub(in crate::gp) change: f64,
    /// Cavity means and variances of the last sweep, m.
    pub(in crate::gp) gamma: Vec<f64>,
    /// See `gamma`.
    pub(in crate::gp) lambda: Vec<f64>,
}

impl Damped {
    /// Nothing learnt.
    pub(in crate::gp) fn new(problem: &TrainingSet) -> Self {
        let m = problem.len();
        let lambda = (0..m).map(|i| problem.at(i, i)).collect();
        Self {
            s: vec![0.0; m],
            nu: vec![0.0; m],
            damping: DAMPING.0,
            factoring: Factoring::default(),
            least: f64::INFINITY,
            stalled: 0,
            change: f64::INFINITY,
            gamma: vec![0.0; m],
            lambda,
        }
    }

    /// One sweep: `None` while its factorisation is under way; `false` once a number or an inverse is lost, or no damping is left
    /// to try.
    pub(in crate::gp) fn sweep(&mut self, problem: &TrainingSet) -> Option<bool> {
        let Poll::Ready(factor) = self.factoring.advance(problem, &self.s, Want::Diagonal) else {
            return None;
        };
        let Some(factor) = factor else { return Some(false) };
        // x = ν − (Λ+C)⁻¹ C ν and h = C x.
        let u = factor.solve(&problem.times(&self.nu));
        let x: Vec<f64> = self.nu.iter().zip(u).map(|(nu, u)| nu - u).collect();
        let h = problem.times(&x);
        let largest = x.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
        let mut steps = vec![(0.0, 0.0); x.len()];
        self.change = 0.0;
        for (i, lambda) in factor.cavity_variances(problem, &self.s).into_iter().enumerate() {
            // Where the others leave no variance the site waits until they do.
            let Some(lambda) = lambda.filter(|lambda| *lambda > 0.0 && 1.0 + lambda * self.s[i] > 0.0) else {
                if problem.at(i, i) > 0.0 {
                    self.change = f64::INFINITY;
                }
                continue;
            };
            let gamma = h[i] - lambda * x[i];
            let site = Site::at(gamma, lambda, problem.tau[i], problem.kappa);
            let nu = site.x + site.s * (gamma + lambda * site.x);
            steps[i] = (site.s - self.s[i], nu - self.nu[i]);
            let change = (steps[i].0 * lambda).abs().max((site.x - x[i]).abs() / largest);
            self.change = max_or_nan(self.change, change);
            (self.gamma[i], self.lambda[i]) = (gamma, lambda);
        }
        for (i, (s, nu)) in steps.into_iter().enumerate() {
            self.s[i] += self.damping * s;
            self.nu[i] += self.damping * nu;
        }
        if self.change < self.least {
            (self.least, self.stalled) = (self.change, 0);
        } else {
            self.stalled += 1;
        }
        if self.stalled >= PATIENCE {
            (self.damping, self.least, self.stalled) = (0.5 * self.damping, self.change, 0);
        }
        Some(!self.change.is_nan() && self.damping >= DAMPING.1)
    }

    /// The factorisation under way or last done.
    pub(in crate::gp) fn factoring(&self) -> &Factoring {
        &self.factoring
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::solver::kernel::{Kernel, Kind};
    use crate::gp::solver::tap::{MeanField, Tap};
    use crate::math::Ending;
    use crate::math::random::Stream;
    use nalgebra::DMatrix;

    /// A smooth function of the inputs of which a quarter of the labels is flipped.
    fn flipped(m: usize, inputs: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut stream = Stream::of(seed, 0);
        let rows: Vec<Vec<f64>> = (0..m).map(|_| (0..inputs).map(|_| stream.normal()).collect()).collect();
        let label = |row: &Vec<f64>, flip: bool| {
            let smooth = row[0] + 0.5 * libm::sin(2.0 * row[1]) < 0.0;
            if smooth == flip { 1.0 } else { -1.0 }
        };
        let tau = rows.iter().map(|row| label(row, stream.uniform() < 0.25)).collect();
        (rows, tau)
    }

    /// Damped sweeps alone, to the end: slow, and what the solver must agree with.
    fn swept(problem: &TrainingSet) -> Damped {
        let mut sweeps = Damped::new(problem);
        for _ in 0..2000 {
            let goes_on = loop {
                if let Some(goes_on) = sweeps.sweep(problem) {
                    break goes_on;
                }
            };
            assert!(goes_on, "no damping is left");
            if sweeps.change < 1e-13 {
                return sweeps;
            }
        }
        panic!("the sweeps do not converge: {}", sweeps.change);
    }

    #[test]
    fn the_solver_comes_to_the_fixed_point_of_damped_sweeps_in_fewer_steps() {
        let mut needed = 0;
        for (m, inputs, sigma2, v, kappa, seed) in
            [(40, 2, 0.7, 0.1, 0.05, 1), (60, 3, 0.5, 0.0, 0.1, 3), (200, 8, 0.5, 0.0, 0.1, 4)]
        {
            let (rows, tau) = flipped(m, inputs, seed);
            let problem =
                TrainingSet::new(&rows, &tau, &Kernel::isotropic(Kind::Rbf, inputs, sigma2), v, kappa);
            let slow = swept(&problem);
            let (state, ending) = Tap::new(MeanField::Tap).solve(&problem);
            assert_eq!(ending, Ending::Converged);
            for i in 0..m {
                assert!(
                    (state.gamma[i] - slow.gamma[i]).abs() < 1e-8 * (1.0 + slow.gamma[i].abs()),
                    "{m}, {i}"
                );
                assert!((state.lambda[i] / slow.lambda[i] - 1.0).abs() < 1e-8, "{m}, {i}");
            }
            assert!(state.newton_solves <= 50, "{} steps of {m} examples", state.newton_solves);
            needed += usize::from(state.needed_sweeps());
        }
        assert!(needed > 0, "the double loop alone was enough each time");
    }

    /// Steps with noise and with flips of a table of `m` rows and 8 columns; those with flips lead to the fixed point of the sweeps.
    fn steps(m: usize) -> (usize, usize) {
        let (rows, tau) = flipped(m, 8, 1);
        let kernel = Kernel::isotropic(Kind::Rbf, 8, 0.5);
        let solved = |v, kappa| {
            let problem = TrainingSet::new(&rows, &tau, &kernel, v, kappa);
            let (state, ending) = Tap::new(MeanField::Tap).solve(&problem);
            assert_eq!(ending, Ending::Converged, "v = {v}, κ = {kappa}");
            (state.newton_solves + state.outer_iterations, state, problem)
        };
        let (with_noise, ..) = solved(0.5, 0.0);
        let (with_flips, state, problem) = solved(0.0, 0.1);
        let slow = swept(&problem);
        for i in 0..tau.len() {
            let (gamma, lambda) = (state.gamma[i] - slow.gamma[i], state.lambda[i] / slow.lambda[i]);
            assert!(gamma.abs() < 1e-8 * (1.0 + slow.gamma[i].abs()), "{i}: {gamma}");
            assert!((lambda - 1.0).abs() < 1e-8, "{i}: {lambda}");
        }
        (with_noise, with_flips)
    }

    /// The steps, each a factorisation, with flips are at most eight times those with noise.
    #[test]
    fn flips_cost_at_most_eight_times_what_noise_does() {
        let (with_noise, with_flips) = steps(256);
        assert!(with_flips <= 8 * with_noise, "{with_flips} and {with_noise} steps");
        assert!(
            with_flips >= 2 * with_noise,
            "easier than the case that it is for: {with_flips} and {with_noise}"
        );
    }

    /// The same as large as the table that it was seen on, of 767 rows.
    #[test]
    #[ignore = "takes a minute: scripts/test --full"]
    fn flips_cost_at_most_eight_times_what_noise_does_on_a_large_table() {
        let (with_noise, with_flips) = steps(767);
        println!("767 rows: {with_noise} steps with noise, {with_flips} with flips");
        assert!(with_flips <= 8 * with_noise, "{with_flips} and {with_noise} steps");
    }

    /// Labels of which some are flipped, at which Newton's steps end nowhere.
    #[test]
    fn what_the_double_loop_does_not_find_the_sweeps_do() {
        let mut needed = 0;
        for seed in 0..12 {
            let mut stream = Stream::of(seed, 0);
            let rows: Vec<Vec<f64>> = (0..60).map(|_| vec![stream.normal(), stream.normal()]).collect();
            let label = |row: &Vec<f64>, noise: f64| if row[0] + noise < 0.0 { -1.0 } else { 1.0 };
            let tau: Vec<f64> = rows.iter().map(|row| label(row, 0.7 * stream.normal())).collect();
            let problem = TrainingSet::new(&rows, &tau, &Kernel::isotropic(Kind::Rbf, 2, 0.7), 0.1, 0.05);
            let solver = Tap::new(MeanField::Tap);
            let (state, ending) = solver.solve(&problem);
            assert!(ending.is_solution(), "{seed}: {ending:?}");
            needed += usize::from(state.needed_sweeps());
            // Eqs. (12) and (13), by inverses and finite differences.
            let m = tau.len();
            let solution = state.solution(&problem, MeanField::Tap).unwrap();
            let precisions = DMatrix::from_fn(m, m, |i, j| {
                solution.s[i] * problem.at(i, j) + if i == j { 1.0 } else { 0.0 }
            });
            let sigma = DMatrix::from_fn(m, m, |i, j| problem.at(i, j)) * precisions.try_inverse().unwrap();
            for i in 0..m {
                let lambda = 1.0 / (1.0 / sigma[(i, i)] - solution.s[i]);
                assert!(solution.lambda[i] > 0.0 && (lambda / solution.lambda[i] - 1.0).abs() < 1e-6);
                let z = |gamma: f64| Site::at(gamma, lambda, tau[i], problem.kappa).ln_z0;
                let gamma = solution.h[i] - lambda * solution.x[i];
                let x = (z(gamma + 1e-5) - z(gamma - 1e-5)) / 2e-5;
                assert!((x - solution.x[i]).abs() < 1e-6, "{seed}, {i}: {x} {}", solution.x[i]);
            }
        }
        assert!(needed > 0, "the double loop found all of them");
    }
}
