//! The searches of a fit and their budgets, which are known before it begins.
//!
//! Each start is searched briefly, on a sample of the rows if there are many, with one σ² for all inputs. The best start is continued on all
//! rows. κ is fitted if it is given as positive, or if the start that fits it gains enough. The folds of cross-validation begin at the
//! fitted σ², v and κ, but at the given relevances: fitted relevances know the labels of the rows that are held out.

use super::TableSpec;
use crate::models::gp::fit::STARTS;
use crate::models::gp::inducing_points::COMPARED_ROWS;
use crate::models::gp::propagation::solve::PropagationSolve;

/// Minimum number of rows of a sample.
pub const SAMPLE: usize = 300;
/// Maximum number of evaluations of a start.
const EVALUATIONS_OF_START: usize = 12;
/// Maximum number of multiply–adds of the search of all rows, about ten seconds; its minimum number of evaluations takes precedence.
const WORK: f64 = 6e10;
/// Minimum gain of κ in nats. By chance κ gains more only if the other hyperparameters describe the labels badly.
pub const GAIN_OF_KAPPA: f64 = 1.0;

/// A search of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// From a start.
    Start(usize),
    /// On all rows, from the best start.
    AllRows,
    /// On the rows of all folds but one, from the fitted settings of all rows.
    Fold,
}

impl Search {
    /// Returns the number of the search in the snapshot.
    pub fn number(self) -> usize {
        match self {
            Self::Start(start) => start,
            Self::AllRows | Self::Fold => STARTS,
        }
    }

    /// Returns the maximum number of evaluations with `rows` training rows. Below two there is no search.
    pub fn evaluations(self, spec: &TableSpec, rows: usize) -> usize {
        let (work, least, most) = match (self, spec.fit_ard) {
            (Self::Start(_), _) => return EVALUATIONS_OF_START,
            (Self::AllRows, false) => (WORK, 6, 40),
            (Self::AllRows, true) => (WORK, 12, 80),
            // The settings of all rows are close; relevances are fitted anew.
            (Self::Fold, false) => (WORK / 20.0, 0, 15),
            (Self::Fold, true) => (WORK / 4.0, 6, 50),
        };
        // Twenty steps of m³/6 each.
        let evaluation = 20.0 * (rows.max(1) as f64).powi(3) / 6.0;
        ((work / evaluation) as usize).clamp(least, most)
    }

    /// Returns the expected cost in solves with all `rows` training rows.
    pub fn cost(self, spec: &TableSpec, rows: usize) -> f64 {
        let solve = solve_cost(spec, rows);
        let searched = match (self, spec.inducing_points(rows)) {
            (Self::Start(_), None) => rows / sample_parts(rows, rows),
            (Self::Start(_), Some(_)) => rows.min(SAMPLE),
            (_, None) => rows,
            (_, Some(_)) => rows.min(COMPARED_ROWS),
        };
        self.evaluations(spec, searched) as f64 * (searched as f64).powi(3) / solve
    }
}

/// Returns the cost of a solve with all `rows` training rows.
pub fn solve_cost(spec: &TableSpec, rows: usize) -> f64 {
    match spec.inducing_points(rows) {
        // A full solve takes about 20 m³/6.
        Some(inducing) => PropagationSolve::cost(rows, inducing.count) * 6.0 / 20.0,
        None => (rows.max(1) as f64).powi(3),
    }
}

/// Returns the number of equal parts of the `rows` training rows, one of which is the sample that the starts search. `rarest` is the number
/// of rows of the rarer class.
pub fn sample_parts(rows: usize, rarest: usize) -> usize {
    (rows / SAMPLE).min(rarest / 2).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn budgets_fall_with_the_number_of_rows_to_their_least() {
        let spec = |ard: &str| {
            Checked::<TableSpec>::new(&raw_of([("fit", "evidence".to_owned()), ("fit_ard", ard.to_owned())]))
                .unwrap()
        };
        let (plain, ard) = (spec("false"), spec("true"));
        let budgets = |spec: &TableSpec, search: Search| [50, 800, 4000].map(|m| search.evaluations(spec, m));
        assert_eq!(budgets(&plain, Search::AllRows), [40, 35, 6]);
        assert_eq!(budgets(&ard, Search::AllRows), [80, 35, 12]);
        assert_eq!(budgets(&plain, Search::Fold), [15, 1, 0]);
        assert_eq!(budgets(&ard, Search::Fold), [50, 8, 6]);
    }

    #[test]
    fn a_sample_has_rows_of_both_classes() {
        assert_eq!(
            [(599, 200), (1020, 20), (1020, 3), (1020, 1)].map(|(m, r)| sample_parts(m, r)),
            [1, 3, 1, 1]
        );
    }
}
