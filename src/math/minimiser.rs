//! Minimisation by either method, asked for one evaluation at a time.

use super::Ending;
use super::lbfgs::Lbfgs;
use super::scg::Scg;

/// A minimisation under way.
#[derive(Clone, Debug)]
pub enum Minimiser {
    /// Limited-memory BFGS.
    Lbfgs(Lbfgs),
    /// Scaled conjugate gradients.
    Scg(Scg),
}

impl Minimiser {
    /// Where to evaluate next.
    pub fn ask(&self) -> &[f64] {
        match self {
            Self::Lbfgs(search) => search.ask(),
            Self::Scg(search) => search.ask(),
        }
    }

    /// Takes the value and gradient there; `None` while there is another point to evaluate.
    pub fn tell(&mut self, value: f64, gradient: &[f64]) -> Option<Ending> {
        match self {
            Self::Lbfgs(search) => search.tell(value, gradient),
            Self::Scg(search) => search.tell(value, gradient),
        }
    }

    /// The best point so far and its value, which is infinite before the first evaluation.
    pub fn best(&self) -> (&[f64], f64) {
        match self {
            Self::Lbfgs(search) => search.best(),
            Self::Scg(search) => search.best(),
        }
    }
}

/// What the tests of both methods minimise, and how.
#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A curved valley with its end at (1, 1).
    pub fn rosenbrock(x: &[f64]) -> (f64, Vec<f64>) {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        (a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b])
    }

    /// x − ln x, which has no value below 0 and its minimum at 1.
    pub fn logarithm(x: &[f64]) -> (f64, Vec<f64>) {
        (x[0] - libm::log(x[0]), vec![1.0 - 1.0 / x[0]])
    }

    /// The search at its end, how it ended, and after how many evaluations, fewer than `most`.
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
        panic!("it never ends");
    }
}
