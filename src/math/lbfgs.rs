//! Minimisation by limited-memory BFGS with an ask-and-tell interface, so that the caller can pause, show or cancel it.

use std::collections::VecDeque;

use super::lanes::dot;
use super::{Ending, largest};

/// Default number of stored pairs of steps and gradient changes.
const MEMORY: usize = 10;
/// Constants of the Armijo and Wolfe conditions.
const DECREASE: f64 = 1e-4;
const CURVATURE: f64 = 0.9;

/// A minimisation: evaluate at [`Self::ask`], then call [`Self::tell`].
#[derive(Clone, Debug)]
pub struct Lbfgs {
    /// Best point so far with its value and gradient; infinite and empty before the first evaluation.
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    pairs: VecDeque<(Vec<f64>, Vec<f64>)>,
    direction: Vec<f64>,
    /// Trial step length, and the bracket of Lewis and Overton's bisection.
    length: f64,
    low: f64,
    high: f64,
    trial: Vec<f64>,
    tolerance: f64,
    trials: usize,
    longest: f64,
    memory: usize,
    /// Largest element of the first gradient, and the smallest such maximum so far.
    first: f64,
    flattest: f64,
}

impl Lbfgs {
    /// Starts a minimisation that ends when no element of the gradient exceeds `tolerance`. No element of a step exceeds `longest`.
    pub fn new(start: &[f64], tolerance: f64, longest: f64) -> Self {
        Self {
            x: start.to_vec(),
            value: f64::INFINITY,
            gradient: Vec::new(),
            pairs: VecDeque::new(),
            direction: Vec::new(),
            length: 1.0,
            low: 0.0,
            high: f64::INFINITY,
            trial: start.to_vec(),
            tolerance,
            trials: 0,
            longest,
            memory: MEMORY,
            first: f64::INFINITY,
            flattest: f64::INFINITY,
        }
    }

    /// Sets the number of stored pairs of steps and gradient changes.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Self {
        Self { memory, ..self }
    }

    /// Returns the best point so far and its value, which is infinite before the first evaluation.
    pub fn best(&self) -> (&[f64], f64) {
        (&self.x, self.value)
    }

    /// Returns the progress of the gradient towards the tolerance on a logarithmic scale: 0 at the start, 1 at the tolerance. It
    /// never decreases.
    pub fn progress(&self) -> f64 {
        let orders = libm::log(self.first / self.tolerance);
        if self.gradient.is_empty() || self.flattest <= self.tolerance || orders <= 0.0 {
            return f64::from(!self.gradient.is_empty());
        }
        libm::log(self.first / self.flattest) / orders
    }

    /// Returns the point at which to evaluate next.
    pub fn ask(&self) -> &[f64] {
        &self.trial
    }

    /// Processes the value and gradient at [`Self::ask`]; a value that is not finite shortens the step. Returns `None` while there
    /// is another point to evaluate, and [`Ending::NonFinite`] if the first value is not finite.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> Option<Ending> {
        if self.gradient.is_empty() {
            if !value.is_finite() || gradient.iter().any(|g| !g.is_finite()) {
                return Some(Ending::NonFinite);
            }
            (self.value, self.gradient) = (value, gradient.to_vec());
            return self.set_direction();
        }
        let slope = dot(&self.gradient, &self.direction);
        let trial_slope = dot(gradient, &self.direction);
        let finite = value.is_finite() && gradient.iter().all(|g| g.is_finite());
        if !finite || value > self.value + DECREASE * self.length * slope {
            self.high = self.length;
        } else if trial_slope < CURVATURE * slope && self.trials < 20 {
            self.low = self.length;
        } else {
            self.accept(value, gradient);
            return self.set_direction();
        }
        self.trials += 1;
        if self.trials > 60 || self.length * largest(&self.direction) < 1e-14 {
            return Some(Ending::Stalled);
        }
        self.length = if self.high.is_finite() { 0.5 * (self.low + self.high) } else { 2.0 * self.length };
        self.set_trial();
        None
    }

    fn accept(&mut self, value: f64, gradient: &[f64]) {
        let s: Vec<f64> = self.trial.iter().zip(&self.x).map(|(a, b)| a - b).collect();
        let y: Vec<f64> = gradient.iter().zip(&self.gradient).map(|(a, b)| a - b).collect();
        if dot(&s, &y) > 1e-12 * dot(&y, &y).sqrt() * dot(&s, &s).sqrt() {
            if self.pairs.len() == self.memory {
                self.pairs.pop_front();
            }
            self.pairs.push_back((s, y));
        }
        self.x.clone_from(&self.trial);
        (self.value, self.gradient) = (value, gradient.to_vec());
    }

    /// Computes a new direction by the two-loop recursion and sets the first step along it.
    fn set_direction(&mut self) -> Option<Ending> {
        let steepness = largest(&self.gradient);
        if self.first.is_infinite() {
            self.first = steepness;
        }
        self.flattest = self.flattest.min(steepness);
        if steepness <= self.tolerance {
            return Some(Ending::Converged);
        }
        let mut q = self.gradient.clone();
        let mut alphas = Vec::new();
        for (s, y) in self.pairs.iter().rev() {
            let alpha = dot(s, &q) / dot(s, y);
            q.iter_mut().zip(y).for_each(|(q, y)| *q -= alpha * y);
            alphas.push(alpha);
        }
        let scale =
            self.pairs.back().map_or(1.0 / largest(&self.gradient).max(1.0), |(s, y)| dot(s, y) / dot(y, y));
        for q in &mut q {
            *q *= scale;
        }
        for ((s, y), alpha) in self.pairs.iter().zip(alphas.iter().rev()) {
            let beta = dot(y, &q) / dot(s, y);
            q.iter_mut().zip(s).for_each(|(q, s)| *q += (alpha - beta) * s);
        }
        self.direction = q.iter().map(|q| -q).collect();
        if dot(&self.direction, &self.gradient) >= 0.0 {
            self.pairs.clear();
            self.direction = self.gradient.iter().map(|g| -g).collect();
        }
        self.length = f64::min(1.0, self.longest / largest(&self.direction));
        (self.low, self.high, self.trials) = (0.0, f64::INFINITY, 0);
        self.set_trial();
        None
    }

    fn set_trial(&mut self) {
        self.trial = self.x.iter().zip(&self.direction).map(|(x, d)| x + self.length * d).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimiser::Minimiser;
    use crate::minimiser::tests::{logarithm, rosenbrock, run};

    fn minimise(f: impl Fn(&[f64]) -> (f64, Vec<f64>), start: &[f64]) -> (Minimiser, Ending, usize) {
        run(Minimiser::Lbfgs(Lbfgs::new(start, 1e-9, 1.0)), f, 2000)
    }

    #[test]
    fn rosenbrocks_function_is_minimised() {
        let (search, ending, count) = minimise(rosenbrock, &[-1.2, 1.0]);
        assert_eq!(ending, Ending::Converged);
        assert!(search.best().0.iter().all(|x| (x - 1.0).abs() < 1e-8), "{:?}", search.best());
        assert!(count < 100, "{count} evaluations");
    }

    #[test]
    fn progress_rises_from_zero_to_one() {
        let mut search = Lbfgs::new(&[-1.2, 1.0], 1e-9, 1.0);
        let mut progress = vec![search.progress()];
        loop {
            let (value, gradient) = rosenbrock(search.ask());
            let ending = search.tell(value, &gradient);
            progress.push(search.progress());
            if ending.is_some() {
                break;
            }
        }
        assert!(progress.is_sorted(), "{progress:?}");
        assert_eq!((progress[0], progress[1], progress.last()), (0.0, 0.0, Some(&1.0)));
        assert!(progress.iter().any(|p| (0.1..0.9).contains(p)), "{progress:?}");
    }

    #[test]
    fn non_finite_values_shorten_the_step() {
        let (search, ending, _) = minimise(logarithm, &[0.05]);
        assert_eq!(ending, Ending::Converged);
        assert!((search.best().0[0] - 1.0).abs() < 1e-8);
    }
}
