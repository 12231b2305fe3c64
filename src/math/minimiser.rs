//! Minimisation by L-BFGS or scaled conjugate gradients, with an ask-and-tell interface.

use super::Ending;
use super::lbfgs::Lbfgs;
use super::scg::Scg;

/// A minimisation by one of the methods.
#[derive(Clone, Debug)]
pub enum Minimiser {
    /// Limited-memory BFGS.
    Lbfgs(Lbfgs),
    /// Scaled conjugate gradients.
    Scg(Scg),
}

impl Minimiser {
    /// Returns the point at which to evaluate next.
    pub fn ask(&self) -> &[f64] {
        match self {
            Self::Lbfgs(search) => search.ask(),
            Self::Scg(search) => search.ask(),
        }
    }

    /// Processes the value and gradient at this point. Returns `None` while there is another point to evaluate.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> Option<Ending> {
        match self {
            Self::Lbfgs(search) => search.tell(value, gradient),
            Self::Scg(search) => search.tell(value, gradient),
        }
    }

    /// Returns the best point so far and its value, which is infinite before the first evaluation.
    pub fn best(&self) -> (&[f64], f64) {
        match self {
            Self::Lbfgs(search) => search.best(),
            Self::Scg(search) => search.best(),
        }
    }
}

/// Test functions and a driver for both methods.
#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns Rosenbrock's function, with its minimum at (1, 1).
    pub fn rosenbrock(x: &[f64]) -> (f64, Vec<f64>) {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        (a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b])
    }

    /// Returns x − ln x, which is undefined below 0, with its minimum at 1.
    pub fn logarithm(x: &[f64]) -> (f64, Vec<f64>) {
        (x[0] - libm::log(x[0]), vec![1.0 - 1.0 / x[0]])
    }

    /// Minimises with fewer than `most` evaluations. Returns the search, its ending and the number of evaluations.
    pub fn run(
        mut search: Minimiser,
        f: impl Fn(&[f64]) -> (f64, Vec<f64>),
        most: usize,
    ) -> (Minimiser, Ending, usize) {
        for count in 1..most {
            let (value, gradient) = f(search.ask());
            if let Some(ending) = search.tell(value, &gradient) {
                return (search, ending, count);
            }
        }
        panic!("no end after {most} evaluations");
    }
}
