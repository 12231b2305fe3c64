//! Minimisation by scaled conjugate gradients (Møller, Neural Networks 6, 525 (1993)), asked for one evaluation at a time: no
//! line search, but a second gradient close by at each step, and a trust in the quadratic that grows or shrinks.

use std::ops::ControlFlow;

use super::lanes::dot;
use super::{Ending, largest};

/// How far away the second gradient is taken.
const NEAR: f64 = 1e-5;
/// Where the trust begins, and where it is given up.
const FIRST_SCALE: f64 = 1e-6;
const MOST_SCALE: f64 = 1e60;

/// What the evaluation under way is for.
#[derive(Clone, Debug)]
enum Asked {
    First,
    /// The gradient at x + `distance` p.
    Curvature {
        distance: f64,
    },
    /// The end of the step, along p by `length`, where the quadratic has curvature `delta`.
    Step {
        length: f64,
        delta: f64,
    },
}

/// A minimisation under way: evaluate at [`Self::ask`], then [`Self::tell`].
#[derive(Clone, Debug)]
pub struct Scg {
    x: Vec<f64>,
    value: f64,
    /// r = −gradient, and the direction p.
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// λ and the part of it that δ already has.
    scale: f64,
    raised: f64,
    /// pᵀHp of the present direction.
    curvature: f64,
    steps: usize,
    asked: Asked,
    trial: Vec<f64>,
    tolerance: f64,
    /// Steps in a row that were not taken.
    rejected: usize,
}

impl Scg {
    /// A minimisation from `start` until no element of the gradient is larger than `tolerance`.
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
            asked: Asked::First,
            trial: start.to_vec(),
            tolerance,
            rejected: 0,
        }
    }

    /// Where to evaluate next.
    pub fn ask(&self) -> &[f64] {
        &self.trial
    }

    /// The best point so far and its value, which is infinite before the first evaluation.
    pub fn best(&self) -> (&[f64], f64) {
        (&self.x, self.value)
    }

    /// Takes the value and gradient at [`Self::ask`]. `None` while there is another point to evaluate; [`Ending::NonFinite`] if the
    /// first value was not finite.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> Option<Ending> {
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        match self.asked {
            Asked::First if !finite => return Some(Ending::NonFinite),
            Asked::First => {
                self.value = value;
                self.residual = gradient.iter().map(|g| -g).collect();
                self.direction.clone_from(&self.residual);
                return self.look_ahead();
            }
            Asked::Curvature { distance } => {
                let along = dot(gradient, &self.direction) + dot(&self.residual, &self.direction);
                self.curvature = if finite { along / distance } else { f64::INFINITY };
                self.raised = 0.0;
            }
            Asked::Step { length, delta } => {
                if let ControlFlow::Break(ending) =
                    self.judge(finite.then_some((value, gradient)), length, delta)
                {
                    return ending;
                }
            }
        }
        self.set_out()
    }

    /// Whether the step is taken, and what it says of the quadratic. It breaks where the next point to evaluate
    /// is settled, or there is none.
    fn judge(&mut self, at: Option<(f64, &[f64])>, length: f64, delta: f64) -> ControlFlow<Option<Ending>> {
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
            return ControlFlow::Break(self.look_ahead());
        }
        if self.scale > MOST_SCALE || self.rejected > 60 {
            return ControlFlow::Break(Some(Ending::Stalled));
        }
        ControlFlow::Continue(())
    }

    /// Asks for the gradient a little further along the direction.
    fn look_ahead(&mut self) -> Option<Ending> {
        if largest(&self.residual) <= self.tolerance {
            return Some(Ending::Converged);
        }
        let distance = NEAR / dot(&self.direction, &self.direction).sqrt();
        self.asked = Asked::Curvature { distance };
        self.place(distance);
        None
    }

    /// Asks for the end of the step that the scaled quadratic says.
    fn set_out(&mut self) -> Option<Ending> {
        let size = dot(&self.direction, &self.direction);
        let mut delta = self.curvature + (self.scale - self.raised) * size;
        // Of Møller's two books on λ one is enough: the curvature has all of it.
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
        self.asked = Asked::Step { length, delta };
        self.place(length);
        None
    }

    fn place(&mut self, length: f64) {
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
    fn a_quadratic_takes_a_step_a_dimension() {
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
    fn rosenbrocks_valley_is_walked_to_its_end() {
        let (search, ending, count) = minimise(rosenbrock, &[-1.2, 1.0]);
        assert!(ending.is_solution());
        assert!(search.best().0.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?} {count}", search.best());
    }

    #[test]
    fn a_place_without_a_value_is_stepped_back_from() {
        let (search, ending, _) = minimise(logarithm, &[0.05]);
        assert!(ending.is_solution() && (search.best().0[0] - 1.0).abs() < 1e-6);
    }
}
