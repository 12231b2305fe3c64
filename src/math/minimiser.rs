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
