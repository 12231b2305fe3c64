//! Leave-one-out by retraining.

use std::task::Poll;

use super::{Activity, ClassifierWork};
use crate::models::gp::solver::approximation::Solve;
use crate::models::gp::table::RetrainedRow;

impl ClassifierWork {
    /// Begins to retrain without a training row, after a solve of all rows if there is none yet.
    pub(super) fn leave_out(&mut self, row: usize) {
        self.activity = match &self.all_rows {
            Some(all_rows) => Activity::Retrain(row, Box::new(all_rows.without(row))),
            None => Activity::SolveAllRows(row, self.full_solve(&self.rows, self.fitted_setting())),
        };
    }

    /// Makes a step of the solve of all rows; returns the work done.
    pub(super) fn solve_all_rows(&mut self, row: usize, mut solving: Box<Solve>) -> u64 {
        let ended = solving.advance().is_some();
        let work = solving.work();
        if ended {
            self.all_rows = Some(*solving);
            self.leave_out(row);
        } else {
            self.activity = Activity::SolveAllRows(row, solving);
        }
        work
    }

    /// Makes a step of the solve without a row, and predicts that row at its end; returns the work done.
    pub(super) fn retrain(&mut self, row: usize, mut solving: Box<Solve>) -> u64 {
        let posterior = match solving.ending() {
            None => {
                solving.advance();
                Poll::Pending
            }
            Some(ending) if ending.is_solution() => solving.advance_posterior(),
            Some(_) => Poll::Ready(None),
        };
        let work = solving.work();
        let Poll::Ready(posterior) = posterior else {
            self.activity = Activity::Retrain(row, solving);
            return work;
        };
        let train = &self.rows.train;
        let others = train.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, inputs)| inputs);
        let prediction = posterior.map(|posterior| solving.predict(&posterior, others, &train[row]));
        self.snapshot.retrained.push(RetrainedRow { row, prediction });
        work
    }
}
