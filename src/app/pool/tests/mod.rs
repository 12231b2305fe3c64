//! Tests of the pool with real hosts as workers, which can be terminated or made unresponsive.

mod harness;
mod toys;

pub use harness::PoolHarness;

use super::*;
use crate::lab::{Link, Task, Values};
use crate::models::task;
use crate::worker::Host;

const SMALL: &str = "#/feedforward?inputs=20&alphas=1,3&runs=40";
/// A run of many slices.
const LARGE: &str = "#/feedforward?inputs=150&alphas=4&runs=16&beta=inf";

pub(super) fn request(link: &str) -> Request {
    let link = Link::parse(link);
    let task: &'static dyn Task = task(&link.task).unwrap();
    let values: Values = task.check(&link.raw).unwrap();
    Request { task, values, record: true }
}

fn alone(link: &str) -> serde_json::Value {
    let mut harness = PoolHarness::new(1);
    harness.start(link);
    harness.finish();
    harness.report()
}

#[test]
fn the_number_of_workers_does_not_change_the_result() {
    let expected = alone(SMALL);
    for cores in [2, 8] {
        let mut harness = PoolHarness::new(cores);
        assert_eq!(harness.spawned, cores + 1);
        harness.start(SMALL);
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished);
        assert_eq!(harness.run().fraction(), 1.0);
        assert_eq!(harness.report(), expected, "{cores} workers");
    }
}

#[test]
fn a_trapped_worker_is_replaced_and_its_units_run_again() {
    let mut harness = PoolHarness::new(2);
    harness.start(LARGE);
    harness.turn();
    let victim = busy(&harness.pool.slots, Queue::Run).next().unwrap().0;
    harness.pool.event(victim, Event::Trapped("index out of bounds".into()), harness.now);
    harness.pool.replace_worker(victim, "unreachable", harness.now);
    harness.carry_out();
    assert_eq!((harness.spawned, harness.terminated), (4, 1));
    assert!(harness.run().incidents[0].contains("index out of bounds"));
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished);
    assert_eq!(harness.report(), alone(LARGE));
    // The message is kept for a report until another run begins.
    assert_eq!(harness.pool.crash(), Some("index out of bounds"));
    harness.start(SMALL);
    assert_eq!(harness.pool.crash(), None);
}

#[test]
fn work_that_kills_every_worker_fails_with_its_reason() {
    let mut harness = PoolHarness::new(1);
    harness.start(LARGE);
    for _ in 0..2 {
        harness.turn();
        let victim = busy(&harness.pool.slots, Queue::Run).next().unwrap().0;
        harness.pool.replace_worker(victim, "out of memory", harness.now);
        harness.carry_out();
    }
    assert!(matches!(&harness.run().phase, Phase::Failed(why) if why.contains("out of memory")));
    harness.start(SMALL);
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished, "the next run has workers again");
}

#[test]
fn stop_is_immediate_and_an_unresponsive_worker_is_terminated_after_40_ms() {
    let mut harness = PoolHarness::new(2);
    harness.start(LARGE);
    harness.turn();
    harness.workers.values_mut().for_each(|w| w.unresponsive = true);
    harness.pool.stop(Queue::Run, harness.now);
    harness.carry_out();
    assert_eq!(harness.run().phase, Phase::Stopped);
    // The spare worker starts the next run at once, while the unresponsive ones still have their 40 ms.
    harness.workers.values_mut().for_each(|w| w.inbox.clear());
    harness.start(SMALL);
    assert_eq!(harness.busy(), 1);
    harness.pool.tick(harness.now + STOP_MS - 1.0);
    harness.carry_out();
    assert_eq!(harness.terminated, 0);
    harness.pool.tick(harness.now + STOP_MS);
    harness.carry_out();
    assert_eq!((harness.terminated, harness.spawned), (2, 5));
    assert_eq!(harness.busy(), 2);
}

#[test]
fn a_worker_that_answers_the_stop_lives_on() {
    let mut harness = PoolHarness::new(2);
    harness.start(LARGE);
    harness.turn();
    harness.pool.stop(Queue::Run, harness.now);
    harness.carry_out();
    harness.turn();
    harness.pool.tick(harness.now + 1e3);
    harness.carry_out();
    assert_eq!((harness.terminated, harness.spawned), (0, 3));
    assert!(!harness.pool.is_waiting());
}

#[test]
fn events_of_a_stopped_run_are_dropped() {
    let mut harness = PoolHarness::new(1);
    harness.start(LARGE);
    harness.turn();
    let (worker, job) = busy(&harness.pool.slots, Queue::Run).next().unwrap();
    harness.start(SMALL);
    let before = harness.run().revision;
    harness.pool.event(worker, Event::Finished { job, bytes: vec![1, 2, 3] }, harness.now);
    assert_eq!(harness.run().revision, before);
    harness.finish();
    assert_eq!(harness.report(), alone(SMALL));
}

#[test]
fn paused_and_resumed_and_stepped_equals_uninterrupted() {
    let mut harness = PoolHarness::new(2);
    harness.start(LARGE);
    harness.turn();
    harness.pool.pause(harness.now);
    harness.carry_out();
    (0..3).for_each(|_| harness.turn());
    let held = harness.run().fraction();
    harness.now += 5_000.0;
    (0..5).for_each(|_| harness.turn());
    assert_eq!(harness.run().fraction(), held);
    assert!(harness.run().elapsed_ms(harness.now) < 10.0, "a pause does not count as work");
    for _ in 0..4 {
        harness.pool.step();
        harness.carry_out();
        harness.turn();
        harness.pool.drawn();
        harness.carry_out();
    }
    assert_eq!(harness.run().phase, Phase::Paused);
    harness.pool.resume(harness.now);
    harness.carry_out();
    harness.finish();
    assert_eq!(harness.report(), alone(LARGE));
}

#[test]
fn a_run_can_be_stepped_from_the_start_to_the_end() {
    let mut harness = PoolHarness::new(2);
    harness.pool.start(request(SMALL), true, 0.0);
    harness.carry_out();
    assert_eq!(harness.busy(), 0);
    for _ in 0..1000 {
        harness.pool.step();
        harness.carry_out();
        harness.turn();
        harness.pool.drawn();
        harness.carry_out();
    }
    assert_eq!(harness.run().phase, Phase::Finished);
    assert_eq!(harness.report(), alone(SMALL));
}

#[test]
fn snapshots_wait_until_the_last_one_is_drawn() {
    let mut harness = PoolHarness::new(1);
    // One sweep per slice, so that the run is long.
    harness.start("#/feedforward?inputs=1000&alphas=3&runs=1&beta=inf");
    (0..6).for_each(|_| harness.turn());
    assert_eq!(harness.run().unacknowledged.len(), 1, "one on the way, however long the page takes");
    harness.pool.drawn();
    harness.carry_out();
    // The next snapshot also waits 16 ms, for a frame.
    (0..20).for_each(|_| harness.turn());
    assert_eq!(harness.run().unacknowledged.len(), 1);
    assert_eq!(harness.workers.values().map(|w| w.acks).sum::<usize>(), 1);
}

#[test]
fn on_the_live_channel_the_latest_request_wins() {
    let mut harness = PoolHarness::new(2);
    for beta in ["0.5", "1", "1.5", "2"] {
        let request = request(&format!("#/feedforward.theory?beta={beta}"));
        harness.pool.start(request, false, harness.now);
    }
    harness.carry_out();
    let beta = |harness: &PoolHarness| harness.pool.run(Queue::Live).unwrap().values.to_raw()["beta"].clone();
    assert_eq!(beta(&harness), "0.5", "the one in flight is finished");
    (0..20).for_each(|_| harness.turn());
    assert_eq!(beta(&harness), "2", "then only the newest is run");
    assert_eq!(harness.pool.run(Queue::Live).unwrap().phase, Phase::Finished);
    assert_eq!(harness.pool.next_job, 2);
}

#[test]
fn a_live_run_is_replaced_once_it_has_a_picture() {
    let mut harness = PoolHarness::new(2);
    harness.start("#/feedforward.theory?hidden=5&inputs=50&beta=1");
    let has_picture = |harness: &PoolHarness| !harness.pool.run(Queue::Live).unwrap().snapshots().is_empty();
    for _ in 0..15 {
        if !has_picture(&harness) {
            harness.turn();
        }
    }
    assert!(has_picture(&harness));
    assert_eq!(harness.pool.run(Queue::Live).unwrap().phase, Phase::Running, "there is more to come");
    harness.start("#/feedforward.theory?beta=2");
    let live = harness.pool.run(Queue::Live).unwrap();
    assert_eq!((live.values.to_raw()["beta"].as_str(), live.phase.clone()), ("2", Phase::Running));
}

#[test]
fn interaction_does_not_wait_for_a_long_run() {
    let mut harness = PoolHarness::new(2);
    harness.start(LARGE);
    harness.turn();
    harness.start("#/feedforward.theory");
    (0..9).for_each(|_| harness.turn());
    assert_eq!(harness.pool.run(Queue::Live).unwrap().phase, Phase::Finished);
    assert_eq!(harness.run().phase, Phase::Running);
}

#[test]
fn the_first_worker_computes_alone_until_all_are_started() {
    let mut pool = Pool::new(2, 0.0);
    pool.start(request(LARGE), false, 0.0);
    let spawned = |pool: &mut Pool| {
        pool.take_actions().iter().filter(|action| matches!(action, Action::Spawn(_))).count()
    };
    assert_eq!(spawned(&mut pool), 1);
    pool.event(0, Host::ready(), 1.0);
    assert_eq!(busy(&pool.slots, Queue::Run).count(), 1);
    pool.start_all_workers(2.0);
    pool.start_all_workers(3.0);
    assert_eq!(spawned(&mut pool), 2, "one more to compute, and one that is kept ready");
    (1..3).for_each(|worker| pool.event(worker, Host::ready(), 4.0));
    assert_eq!(busy(&pool.slots, Queue::Run).count(), 2);
}

#[test]
fn a_worker_of_another_build_is_refused_with_advice() {
    let mut pool = Pool::new(1, 0.0);
    pool.start(request(SMALL), false, 0.0);
    pool.event(0, Event::Ready { version: "0.0.1+old".into() }, 1.0);
    assert!(matches!(&pool.run(Queue::Run).unwrap().phase, Phase::Failed(why) if why.contains("reload")));
    pool.start(request(SMALL), false, 2.0);
    assert!(matches!(pool.run(Queue::Run).unwrap().phase, Phase::Failed(_)), "and stays refused");
}

#[test]
fn workers_that_never_start_are_given_up_with_the_reason() {
    let mut pool = Pool::new(1, 0.0);
    pool.start_all_workers(0.0);
    pool.start(request(SMALL), false, 0.0);
    for worker in 0..3 {
        pool.replace_worker(worker, "404", 1.0);
    }
    assert!(matches!(&pool.run(Queue::Run).unwrap().phase, Phase::Failed(why) if why.contains("404")));
    let spawns = pool.take_actions().iter().filter(|a| matches!(a, Action::Spawn(_))).count();
    assert_eq!(spawns, 4, "two at first and two replacements, then no more");
}

#[test]
fn what_a_worker_cannot_do_is_said() {
    let mut harness = PoolHarness::new(1);
    harness.start(LARGE);
    let (worker, job) = busy(&harness.pool.slots, Queue::Run).next().unwrap();
    harness.pool.event(
        worker,
        Event::Failed { job, error: "the matrix is not positive definite".into() },
        1.0,
    );
    assert!(matches!(&harness.run().phase, Phase::Failed(why) if why.contains("positive definite")));
}
