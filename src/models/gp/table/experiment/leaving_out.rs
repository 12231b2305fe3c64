//! Training rows that are left out by training anew.

use std::task::Poll;

use super::{OwnWork, Stage};
use crate::models::gp::solver::approximation::Solving;
use crate::models::gp::table::Retrained;

impl OwnWork {
    /// Begins to train without a training row.
    pub(super) fn leave_out(&mut self, row: usize) {
        self.stage = match &self.whole {
            Some(whole) => Stage::Retraining(row, Box::new(whole.without(row))),
            None => Stage::Whole(row, Box::new(self.solving(self.fitted()))),
        };
    }

    pub(super) fn solve_whole(&mut self, row: usize, mut solving: Box<Solving>) -> u64 {
        let ended = solving.advance().is_some();
        let work = solving.work();
        if ended {
            self.whole = Some(*solving);
            self.leave_out(row);
        } else {
            self.stage = Stage::Whole(row, solving);
        }
        work
    }

    pub(super) fn retrain(&mut self, row: usize, mut solving: Box<Solving>) -> u64 {
        let found = match solving.ending() {
            None => {
                solving.advance();
                Poll::Pending
            }
            Some(ending) if ending.is_solution() => solving.advance_posterior(),
            Some(_) => Poll::Ready(None),
        };
        let work = solving.work();
        let Poll::Ready(posterior) = found else {
            self.stage = Stage::Retraining(row, solving);
            return work;
        };
        let train = &self.rows.train;
        let others = train.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, inputs)| inputs);
        let prediction = posterior.map(|posterior| solving.predict(&posterior, others, &train[row]));
        self.seen.retrained.push(Retrained { row, prediction });
        work
    }
}
