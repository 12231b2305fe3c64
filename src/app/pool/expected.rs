//! Expected time and memory of a run: time from the pace of the last run of its task, memory from its plan.

use super::run::workers_for;
use super::{Pool, Request};
use crate::lab::Queue;

/// Expected time and memory of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Milliseconds, if a run of its task has been timed.
    pub ms: Option<f64>,
    /// Bytes that its workers need together; 0 where the plan states none.
    pub bytes: u64,
    /// Number of workers.
    pub workers: usize,
}

impl Pool {
    /// Returns the expected time and memory of a request; `None` while its data are not known.
    pub fn expected(&self, request: &Request, now: f64) -> Option<Expected> {
        let facts = self.ready(request).ok()?;
        let plan = request.task.plan(&request.values, facts);
        let workers = workers_for(request.task, &plan, self.compute).1.min(plan.units());
        let id = request.task.meta().id;
        let pace = self.run(Queue::Run).filter(|run| run.task.meta().id == id).and_then(|run| run.pace(now));
        let ms = pace.map(|pace| pace * plan.cost(0..plan.units()) / workers.max(1) as f64);
        Some(Expected { ms, bytes: plan.memory_per_worker() * workers as u64, workers })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PoolHarness, request};
    use super::*;
    use crate::data::Hash;

    #[test]
    fn time_follows_the_work_of_the_last_run_of_the_task() {
        let mut harness = PoolHarness::new(2);
        let few = request("#/feedforward?inputs=20&alphas=1,3&runs=40");
        let many = request("#/feedforward?inputs=20&alphas=1,3&runs=400");
        let expected =
            |harness: &PoolHarness, request: &Request| harness.pool.expected(request, harness.now).unwrap();
        assert_eq!(expected(&harness, &few), Expected { ms: None, bytes: 0, workers: 2 });
        harness.start("#/feedforward?inputs=20&alphas=1,3&runs=40");
        harness.finish();
        let took = harness.run().elapsed_ms(harness.now);
        let same = expected(&harness, &few).ms.unwrap();
        assert!((same - took).abs() < 1e-9 * took, "{same}, not {took}");
        // Both runs have the same, small cost of the theory.
        let ratio = expected(&harness, &many).ms.unwrap() / same;
        assert!((8.0..=10.0).contains(&ratio), "{ratio}");
        let another = expected(&harness, &request("#/gp?examples=14"));
        assert_eq!(another.ms, None, "nothing is known of another task");
    }

    #[test]
    fn memory_is_that_of_all_workers_that_fit() {
        let mut harness = PoolHarness::new(8);
        let rows = (0..2000).map(|i| format!("{i},{}\n", i % 2));
        let table = rows.fold("a,y\n".to_owned(), |table, row| table + row.as_str()).into_bytes();
        let link = format!("#/gp.data?data=a.csv@{}&exact_loo=true", Hash::of(&table));
        assert_eq!(harness.pool.expected(&request(&link), 0.0), None, "the table is not known");
        harness.pool.load("a.csv", table, 0.0);
        harness.carry_out();
        harness.turn();
        let expected = harness.pool.expected(&request(&link), 0.0).unwrap();
        // Matrices, and 2,000 bytes for each row.
        let one = 5 * 8 * 2000 * 2000 + 2000 * 2000;
        assert_eq!((expected.workers, expected.bytes), (8, 8 * one));
    }
}
