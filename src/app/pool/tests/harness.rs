//! A pool whose workers are hosts in this process.

use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::lab::Catalog;
use crate::models::catalog;
use crate::worker::Host;

/// A pool and its workers, with a clock that the test advances.
pub struct PoolHarness {
    pub pool: Pool,
    pub workers: BTreeMap<WorkerId, Worker>,
    pub now: f64,
    pub spawned: usize,
    pub terminated: usize,
    pub catalog: Catalog,
}

pub struct Worker {
    pub host: Host,
    pub inbox: VecDeque<Command>,
    /// True if it does not read messages, as during an endless sweep.
    pub unresponsive: bool,
    pub acks: usize,
}

impl Worker {
    fn new(catalog: Catalog) -> Self {
        Self { host: Host::new(catalog), inbox: VecDeque::new(), unresponsive: false, acks: 0 }
    }
}

impl PoolHarness {
    pub fn new(cores: usize) -> Self {
        Self::of(cores, catalog())
    }

    pub fn of(cores: usize, catalog: Catalog) -> Self {
        let mut pool = Pool::new(cores, 0.0);
        pool.start_all_workers(0.0);
        let mut harness =
            Self { pool, workers: BTreeMap::new(), now: 0.0, spawned: 0, terminated: 0, catalog };
        harness.carry_out();
        harness
    }

    pub fn carry_out(&mut self) {
        for action in self.pool.take_actions() {
            match action {
                Action::Spawn(id) => {
                    self.spawned += 1;
                    self.workers.insert(id, Worker::new(self.catalog));
                    self.pool.event(id, Host::ready(), self.now);
                }
                Action::Post(id, command) => {
                    if let Some(worker) = self.workers.get_mut(&id) {
                        worker.acks += usize::from(matches!(command, Command::Ack(_)));
                        worker.inbox.push_back(command);
                    }
                }
                Action::Terminate(id) => {
                    self.terminated += 1;
                    self.workers.remove(&id);
                }
            }
        }
        if !self.pool.actions.is_empty() {
            self.carry_out();
        }
    }

    /// Lets every worker read its messages and work one slice, which takes no time on this clock.
    pub fn turn(&mut self) {
        self.now += 1.0;
        let ids: Vec<WorkerId> = self.workers.keys().copied().collect();
        for id in ids {
            let Some(worker) = self.workers.get_mut(&id).filter(|w| !w.unresponsive) else { continue };
            let mut events = Vec::new();
            while let Some(command) = worker.inbox.pop_front() {
                events.extend(worker.host.handle(command));
            }
            // The clock jumps, so that the slice ends after one advance of each job.
            let calls = std::cell::Cell::new(self.now);
            events.extend(worker.host.turn(|| {
                calls.set(calls.get() + 30.0);
                calls.get()
            }));
            for event in events {
                self.pool.event(id, event, self.now);
            }
        }
        self.carry_out();
    }

    pub fn start(&mut self, link: &str) {
        self.pool.start(request(link), false, self.now);
        self.carry_out();
    }

    pub fn finish(&mut self) {
        for _ in 0..10_000 {
            if !self.run().phase.is_active() {
                return;
            }
            self.turn();
            self.pool.drawn();
            self.carry_out();
        }
        panic!("the run does not end: {:?}", self.run().phase);
    }

    pub fn run(&self) -> &TrackedRun {
        self.pool.run(Queue::Run).unwrap()
    }

    pub fn report(&self) -> serde_json::Value {
        let run = self.run();
        let mut decoder = run.task.decoder();
        decoder.update(&run.snapshots()).unwrap();
        decoder.result(&run.values).report()
    }

    pub fn busy(&self) -> usize {
        busy(&self.pool.slots, Queue::Run).count()
    }
}
