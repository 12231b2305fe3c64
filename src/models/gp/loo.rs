//! Exact leave-one-out: the problem solved again without a row. One row is one unit of work.

use super::problem::Problem;
use super::site::Site;
use super::tap::{Ending, Solution, Tap};

/// What is known of an example by the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeftOut {
    /// Posterior mean of its field; TAP's γ is what the full solution says of it.
    pub mean: f64,
    /// Posterior variance of its field, with the noise v; TAP's λ.
    pub variance: f64,
    /// Whether the field does not agree with the label; none at all counts as a mistake.
    pub error: bool,
    /// ln p(label | others) by [`Site::at`].
    pub ln_predictive: f64,
    /// Newton solves that it took.
    pub newton_solves: usize,
}

impl LeftOut {
    /// Solves `problem` without its row `i`. A `full` solution, of all rows, is where to begin: it saves time and changes nothing
    /// but what the tolerances leave open.
    ///
    /// # Errors
    /// How the solve ended, where it has no fixed point.
    pub fn retrain(
        solver: Tap,
        problem: &Problem,
        i: usize,
        full: Option<&Solution>,
    ) -> Result<Self, Ending> {
        let others = problem.without(i);
        let drop = |all: &[f64]| -> Vec<f64> {
            all.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, x)| *x).collect()
        };
        let near = full.map(|full| solver.init_near(&others, &drop(&full.gamma), &drop(&full.lambda)));
        let starts = near.into_iter().chain(std::iter::once_with(|| solver.init(&others)));
        let (mut newton_solves, mut last) = (0, Ending::Diverged);
        for state in starts {
            let (state, ending) = solver.finish(&others, state);
            newton_solves += state.newton_solves;
            last = ending;
            let good = matches!(ending, Ending::Converged | Ending::Stalled);
            let Some(solution) = state.solution(&others, solver.theory).filter(|_| good) else { continue };
            // Off the diagonal C has no noise: the row is that of K.
            let (mean, variance) = solution.predict(&drop(problem.row(i)), problem.at(i, i));
            if !mean.is_finite() || !variance.is_finite() {
                last = Ending::Diverged;
                continue;
            }
            let tau = problem.tau[i];
            let ln_predictive = Site::at(mean, variance, tau, problem.kappa).ln_z0;
            return Ok(Self { mean, variance, error: tau * mean <= 0.0, ln_predictive, newton_solves });
        }
        Err(last)
    }
}
