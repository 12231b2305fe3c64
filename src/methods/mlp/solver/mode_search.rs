//! Search for the mode of the posterior at fixed α and β by L-BFGS, in coordinates scaled by the curvature.

use super::mode::energy;
use super::network::hessian;
use super::options::InferenceMethod;
use super::problem::RegressionProblem;
use super::triangular;
use crate::math::lbfgs::Lbfgs;
use crate::math::{Budget, Ending};

/// Pairs kept by L-BFGS.
const MEMORY: usize = 30;
/// Longest step in any coordinate, in posterior standard deviations.
const MAX_STEP: f64 = 100.0;
/// Smallest prior precision of the scale. A smaller one would allow steps into saturation.
const MIN_PRECISION: f64 = 1.0;
/// Number of evaluations after which the coordinates are scaled anew.
const EVALUATIONS_PER_SCALE: usize = 20;

/// A search over U⁻¹w with U Uᵀ = (βG + max(α, 1)I)⁻¹, where G is the Gauss–Newton approximation of the Hessian of `E_D` at a recent point.
pub(super) struct ModeSearch {
    alpha: f64,
    beta: f64,
    tolerance: f64,
    /// U, k×k, lower triangular.
    scale: Vec<f64>,
    minimiser: Lbfgs,
    /// Weights at which to evaluate next, k.
    trial: Vec<f64>,
    /// Evaluations since the coordinates were scaled, and the first of their values.
    evaluations: usize,
    first: f64,
}

impl ModeSearch {
    /// Starts a search at weights `start`, k, that ends when no element of the gradient exceeds `tolerance`, in nats per posterior
    /// standard deviation.
    pub fn new(
        problem: &RegressionProblem,
        start: &[f64],
        (alpha, beta): (f64, f64),
        tolerance: f64,
    ) -> Self {
        let (k, curvature) = (start.len(), hessian(problem.shape, start, &problem.examples, true));
        let diagonal = alpha.max(MIN_PRECISION);
        let precision =
            |i: usize, j: usize| beta * curvature[i * k + j] + if i == j { diagonal } else { 0.0 };
        let scale = triangular::inverse_factor(k, precision).unwrap_or_else(|| identity(k));
        let minimiser =
            Lbfgs::new(&triangular::solve(&scale, start), tolerance, MAX_STEP).with_memory(MEMORY);
        Self {
            alpha,
            beta,
            tolerance,
            scale,
            minimiser,
            trial: start.to_vec(),
            evaluations: 0,
            first: f64::NAN,
        }
    }

    /// Returns the best weights so far, k.
    pub fn best(&self) -> Vec<f64> {
        triangular::times_vector(&self.scale, self.minimiser.best().0)
    }

    /// Evaluates the energy once. Returns its value, and the ending of a search that is done.
    pub fn step(&mut self, problem: &RegressionProblem, budget: &mut Budget) -> (f64, Option<Ending>) {
        budget.spend(problem.cost(InferenceMethod::Map));
        let (value, gradient) = energy(problem.shape, &self.trial, &problem.examples, self.alpha, self.beta);
        let by_coordinates = triangular::transpose_times_vector(&self.scale, &gradient);
        let ended = self.minimiser.tell(value, &by_coordinates);
        if self.evaluations == 0 {
            self.first = value;
        }
        self.evaluations += 1;
        if ended.is_some() || self.evaluations < EVALUATIONS_PER_SCALE {
            self.trial = triangular::times_vector(&self.scale, self.minimiser.ask());
            return (value, ended);
        }
        if self.minimiser.best().1 >= self.first {
            // Differences are below the rounding error of the energy.
            return (value, Some(Ending::Stalled));
        }
        budget.spend((problem.examples.count() * self.trial.len() * self.trial.len()) as u64);
        *self = Self::new(problem, &self.best(), (self.alpha, self.beta), self.tolerance);
        (value, None)
    }
}

/// Returns the identity, k×k.
fn identity(k: usize) -> Vec<f64> {
    (0..k * k).map(|at| f64::from(u8::from(at / k == at % k))).collect()
}
