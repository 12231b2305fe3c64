//! Minimisation by scaled conjugate gradients (Møller, Neural Networks 6, 525 (1993)), with an ask-and-tell interface. There is no line
//! search: each step takes a second gradient nearby and adapts the trust in the quadratic model.

use std::ops::ControlFlow;

use super::lanes::dot;
use super::{Ending, largest};

/// Distance to the second gradient.
const NEAR: f64 = 1e-5;
/// Initial scale λ, and the scale at which the search stalls.
const FIRST_SCALE: f64 = 1e-6;
const MAX_SCALE: f64 = 1e60;

/// The purpose of the pending evaluation.
#[derive(Clone, Debug)]
enum Pending {
    First,
    /// The gradient at x + `distance` p.
    Curvature {
        distance: f64,
    },
    /// The value at x + `length` p, for a quadratic model with curvature `delta`.
    Step {
        length: f64,
        delta: f64,
    },
}

/// A minimisation: evaluate at [`Self::ask`], then call [`Self::tell`].
#[derive(Clone, Debug)]
pub struct Scg {
    x: Vec<f64>,
    value: f64,
    /// Residual r = −gradient, and direction p.
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// Scale λ, and the part of it that the curvature δ already contains.
    scale: f64,
    raised: f64,
    /// Curvature pᵀHp of the current direction.
    curvature: f64,
    steps: usize,
    pending: Pending,
    trial: Vec<f64>,
    tolerance: f64,
    /// Number of consecutive rejected steps.
    rejected: usize,
}

impl Scg {
    /// Starts a minimisation that ends when no element of the gradient exceeds `tolerance`.
    pub fn new(start: &[f64], tolerance: f64) -> Self {
        Self {
            x: start.to_vec(),
            value: f64::INFINITY,
            residual: Vec::new(),
            direction: Vec::new(),
            scale: FIRST_SCALE,
            raised: 0.0,
            curvature: 0.0,
            steps: 0,
            pending: Pending::First,
            trial: start.to_vec(),
            tolerance,
            rejected: 0,
        }
    }

    /// Returns the point at which to evaluate next.
    pub fn ask(&self) -> &[f64] {
        &self.trial
    }

    /// Returns the best point so far and its value, which is infinite before the first evaluation.
    pub fn best(&self) -> (&[f64], f64) {
        (&self.x, self.value)
    }

    /// Processes the value and gradient at [`Self::ask`]. Returns `None` while there is another point to evaluate, and
    /// [`Ending::NonFinite`] if the first value is not finite.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> Option<Ending> {
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        match self.pending {
            Pending::First if !finite => return Some(Ending::NonFinite),
            Pending::First => {
                self.value = value;
                self.residual = gradient.iter().map(|g| -g).collect();
                self.direction.clone_from(&self.residual);
                return self.measure_curvature();
            }
            Pending::Curvature { distance } => {
                let along = dot(gradient, &self.direction) + dot(&self.residual, &self.direction);
                self.curvature = if finite { along / distance } else { f64::INFINITY };
                self.raised = 0.0;
            }
            Pending::Step { length, delta } => {
                if let ControlFlow::Break(ending) =
                    self.finish_step(finite.then_some((value, gradient)), length, delta)
                {
                    return ending;
                }
            }
        }
        self.set_step()
    }

    /// Accepts or rejects the step and adapts the scale. Breaks if the next point to evaluate is set or the search has ended.
    fn finish_step(
        &mut self,
        at: Option<(f64, &[f64])>,
        length: f64,
        delta: f64,
    ) -> ControlFlow<Option<Ending>> {
        let slope = length * delta;
        let size = dot(&self.direction, &self.direction);
        let agreement = at.map_or(-1.0, |(value, _)| 2.0 * delta * (self.value - value) / (slope * slope));
        let next = match at {
            Some((value, gradient)) if agreement >= 0.0 => {
                self.rejected = 0;
                (self.value, self.x) = (value, self.trial.clone());
                let fresh: Vec<f64> = gradient.iter().map(|g| -g).collect();
                self.steps += 1;
                if self.steps.is_multiple_of(self.x.len().max(2)) {
                    self.direction.clone_from(&fresh);
                } else {
                    let beta = (dot(&fresh, &fresh) - dot(&fresh, &self.residual)) / slope;
                    for (p, r) in self.direction.iter_mut().zip(&fresh) {
                        *p = r + beta * *p;
                    }
                }
                self.residual = fresh;
                if dot(&self.direction, &self.residual) <= 0.0 {
                    self.direction.clone_from(&self.residual);
                }
                self.raised = 0.0;
                if agreement >= 0.75 {
                    self.scale *= 0.25;
                }
                true
            }
            _ => {
                self.raised = self.scale;
                self.rejected += 1;
                false
            }
        };
        if agreement < 0.25 {
            let more = delta * (1.0 - agreement) / size;
            self.scale = f64::max(self.scale + more, 4.0 * self.scale);
        }
        if next {
            return ControlFlow::Break(self.measure_curvature());
        }
        if self.scale > MAX_SCALE || self.rejected > 60 {
            return ControlFlow::Break(Some(Ending::Stalled));
        }
        ControlFlow::Continue(())
    }

    /// Sets the next point to measure the curvature along the direction.
    fn measure_curvature(&mut self) -> Option<Ending> {
        if largest(&self.residual) <= self.tolerance {
            return Some(Ending::Converged);
        }
        let distance = NEAR / dot(&self.direction, &self.direction).sqrt();
        self.pending = Pending::Curvature { distance };
        self.set_trial(distance);
        None
    }

    /// Sets the next point to the minimum of the scaled quadratic model.
    fn set_step(&mut self) -> Option<Ending> {
        let size = dot(&self.direction, &self.direction);
        let mut delta = self.curvature + (self.scale - self.raised) * size;
        // Møller keeps λ in two places; here the curvature contains all of it.
        self.curvature = delta;
        if delta <= 0.0 {
            let raised = 2.0 * (self.scale - delta / size);
            delta = self.scale * size - delta;
            (self.scale, self.curvature) = (raised, delta);
        }
        self.raised = self.scale;
        let length = dot(&self.direction, &self.residual) / delta;
        if !length.is_finite() {
            return Some(Ending::Stalled);
        }
        if length * largest(&self.direction) < 1e-15 {
            return Some(Ending::Stalled);
        }
        self.pending = Pending::Step { length, delta };
        self.set_trial(length);
        None
    }

    fn set_trial(&mut self, length: f64) {
        self.trial = self.x.iter().zip(&self.direction).map(|(x, d)| x + length * d).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimiser::Minimiser;
    use crate::minimiser::tests::{logarithm, rosenbrock, run};

    fn minimise(f: impl Fn(&[f64]) -> (f64, Vec<f64>), start: &[f64]) -> (Minimiser, Ending, usize) {
        run(Minimiser::Scg(Scg::new(start, 1e-8)), f, 20_000)
    }

    #[test]
    fn a_quadratic_needs_few_evaluations() {
        let scales = [1.0, 7.0, 0.3, 20.0];
        let f = |x: &[f64]| {
            let value = x.iter().zip(scales).map(|(x, s)| 0.5 * s * x * x).sum();
            (value, x.iter().zip(scales).map(|(x, s)| s * x).collect())
        };
        let (search, ending, count) = minimise(f, &[3.0, -1.0, 2.0, 0.5]);
        assert!(ending.is_solution() && search.best().1 < 1e-14, "{:?}", search.best());
        assert!(count < 40, "{count} evaluations");
    }

    #[test]
    fn rosenbrocks_function_is_minimised() {
        let (search, ending, count) = minimise(rosenbrock, &[-1.2, 1.0]);
        assert!(ending.is_solution());
        assert!(search.best().0.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?} {count}", search.best());
    }

    #[test]
    fn non_finite_values_shorten_the_step() {
        let (search, ending, _) = minimise(logarithm, &[0.05]);
        assert!(ending.is_solution() && (search.best().0[0] - 1.0).abs() < 1e-6);
    }
}
