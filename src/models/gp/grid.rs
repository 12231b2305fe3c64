//! One place of a grid over hyperparameters, with everything that is counted there. One place is one unit of work.

use super::fit::Hyperparameters;
use super::problem::Problem;
use super::tap::{Ending, Solution, Tap};

/// Rows (of N inputs) with their labels ±1.
pub type Labelled<'a> = (&'a [Vec<f64>], &'a [f64]);

/// What a theory says at one setting of the hyperparameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// −G: TAP's is the log evidence.
    pub minus_g: f64,
    /// Σ ln p(label | others) by the fields left out of one solution.
    pub ln_loo: f64,
    /// Examples whose left-out field does not agree with the label.
    pub loo_errors: usize,
    /// Examples whose own posterior mean does not.
    pub train_errors: usize,
    /// The same on rows that were not learnt, if there are any.
    pub test_errors: Option<usize>,
    /// Updates of λ.
    pub outer_iterations: usize,
    /// Factorisations for Newton steps.
    pub newton_solves: usize,
    /// max |F|, relative to the largest field.
    pub residual: f64,
}

impl Place {
    /// Solves for the examples `train` and counts, on `test`, too, if given.
    ///
    /// # Errors
    /// How the solve ended, where it has no fixed point.
    pub fn evaluate(
        solver: Tap,
        at: &Hyperparameters,
        (rows, tau): Labelled,
        test: Option<Labelled>,
    ) -> Result<Self, Ending> {
        let problem = Problem::new(rows, tau, &at.kernel, at.v, at.kappa);
        let (state, ending) = solver.solve(&problem);
        if !matches!(ending, Ending::Converged | Ending::Stalled) {
            return Err(ending);
        }
        let solution = state.solution(&problem, solver.theory).ok_or(Ending::Diverged)?;
        if !(solution.minus_g.is_finite() && solution.ln_loo.is_finite()) {
            return Err(Ending::Diverged);
        }
        let test_errors = test.map(|(inputs, labels)| {
            let field = |input: &Vec<f64>| -> f64 {
                rows.iter().zip(&solution.x).map(|(row, x)| at.kernel.at(row, input) * x).sum()
            };
            Solution::errors(&inputs.iter().map(field).collect::<Vec<_>>(), labels)
        });
        Ok(Self {
            minus_g: solution.minus_g,
            ln_loo: solution.ln_loo,
            loo_errors: Solution::errors(&solution.left_out, tau),
            train_errors: Solution::errors(&solution.h, tau),
            test_errors,
            outer_iterations: state.outer_iterations,
            newton_solves: state.newton_solves,
            residual: state.residual,
        })
    }
}
