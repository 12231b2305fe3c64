//! Inducing points: M inputs z whose function values u = f(z) stand for the posterior of a Gaussian process over any number of rows, in
//! O(n M²) time and O(M²) memory (Csató & Opper 2002; Snelson & Ghahramani 2006; Titsias 2009).
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the prior, and the projection of rows onto the points |
//! | `choice.rs` | the choice of the points |

pub mod choice;

use std::rc::Rc;
use std::task::{Poll, ready};

use crate::gp::solver::kernel::Kernel;
use crate::math::Budget;
use crate::math::cholesky::{Cholesky, PartialCholesky};
use crate::math::lanes::{LANES, Lanes};

/// Variance added to each u, relative to the mean prior variance of the points. It keeps the covariance matrix of u positive definite,
/// and u remain valid inducing variables: a bound stays a bound.
const JITTER: f64 = 1e-10;
/// Multiply–adds of a covariance, besides those for its inputs.
const COVARIANCE: u64 = 20;

/// A Gaussian process with mean 0 and covariance a² K(x, x′).
#[derive(Clone, Debug, PartialEq)]
pub struct Prior {
    /// Covariance function K with its weights.
    pub kernel: Kernel,
    /// Variance a².
    pub variance: f64,
}

impl Prior {
    /// Returns the covariance of f at two inputs.
    pub fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.variance * self.kernel.covariance(a, b)
    }
}

/// The number of inducing points and the seed of the rows among which they are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inducing {
    /// Maximum number of points M.
    pub count: usize,
    /// Seed.
    pub seed: u64,
}

/// A group of up to eight rows, projected.
#[derive(Clone, Debug)]
pub struct ProjectedRows {
    /// L⁻¹ k(Z, x) of each row, M×8; 0 in unused lanes.
    pub white: Vec<Lanes>,
    /// Prior variances; 0 in unused lanes.
    pub prior: Lanes,
    /// Prior variances given u; 0 in unused lanes.
    pub residual: Lanes,
}

/// The inducing points and the factor of their covariance matrix.
#[derive(Clone, Debug)]
pub struct Projection {
    prior: Prior,
    points: Rc<Vec<Vec<f64>>>,
    /// Factor L of the covariance matrix of u, M×M.
    factor: Cholesky,
}

impl Projection {
    /// Returns the prior.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// Returns the inducing points, M of N.
    pub fn points(&self) -> &Rc<Vec<Vec<f64>>> {
        &self.points
    }

    /// Returns the factor L of the covariance matrix of u.
    pub fn factor(&self) -> &Cholesky {
        &self.factor
    }

    /// Returns the number of points M.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns true if there are no points.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the number of multiply–adds of [`Self::project`].
    pub fn cost(&self) -> u64 {
        let (points, inputs) = (self.len() as u64, self.prior.kernel.weights.len() as u64);
        LANES as u64 * points * (points / 2 + inputs + COVARIANCE)
    }

    /// Returns the covariances of f at up to eight `rows` with u, M×8; 0 in unused lanes.
    pub fn covariances<R: AsRef<[f64]>>(&self, rows: &[R]) -> Vec<Lanes> {
        let mut panel = vec![[0.0; LANES]; self.len()];
        for (lane, row) in rows.iter().take(LANES).enumerate() {
            for (into, point) in panel.iter_mut().zip(self.points.iter()) {
                into[lane] = self.prior.covariance(point, row.as_ref());
            }
        }
        panel
    }

    /// Returns up to eight `rows`, projected.
    pub fn project<R: AsRef<[f64]>>(&self, rows: &[R]) -> ProjectedRows {
        let white = self.factor.solve_lower_block(self.covariances(rows));
        let explained = square_sums(&white);
        let mut prior = [0.0; LANES];
        for (prior, row) in prior.iter_mut().zip(rows) {
            *prior = self.prior.covariance(row.as_ref(), row.as_ref());
        }
        let residual = std::array::from_fn(|lane| (prior[lane] - explained[lane]).max(0.0));
        ProjectedRows { white, prior, residual }
    }
}

/// Returns the squared norm of each column of a panel.
pub fn square_sums(panel: &[Lanes]) -> Lanes {
    let mut sums = [0.0; LANES];
    for row in panel {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x * x;
        }
    }
    sums
}

/// Returns the product of each column of a panel with a vector.
pub fn products(panel: &[Lanes], vector: &[f64]) -> Lanes {
    let mut sums = [0.0; LANES];
    for (row, factor) in panel.iter().zip(vector) {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x * factor;
        }
    }
    sums
}

/// The computation of a projection, which can be paused.
#[derive(Clone, Debug)]
pub struct ProjectionSolve {
    prior: Prior,
    points: Rc<Vec<Vec<f64>>>,
    jitter: f64,
    factoring: PartialCholesky,
}

impl ProjectionSolve {
    /// Prepares the projection onto `points`, M of N.
    pub fn new(prior: Prior, points: Rc<Vec<Vec<f64>>>) -> Self {
        let variances: f64 = points.iter().map(|point| prior.covariance(point, point)).sum();
        let jitter = JITTER * variances / points.len().max(1) as f64;
        let factoring = PartialCholesky::positive_definite(points.len());
        Self { prior, points, jitter, factoring }
    }

    /// Continues until the budget is spent. Returns the projection when it is complete; `None` if the covariance matrix of u is not
    /// positive definite in double precision.
    pub fn advance(&mut self, budget: &mut Budget) -> Poll<Option<Projection>> {
        let Self { prior, points, jitter, factoring } = self;
        let element = |i: usize, j: usize| {
            prior.covariance(&points[i], &points[j]) + if i == j { *jitter } else { 0.0 }
        };
        let factor = ready!(factoring.advance(budget, element));
        let projection =
            |factor| Projection { prior: self.prior.clone(), points: Rc::clone(&self.points), factor };
        Poll::Ready(factor.map(projection))
    }
}
