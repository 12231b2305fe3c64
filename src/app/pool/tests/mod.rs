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
    let mut bench = PoolHarness::new(1);
    bench.start(link);
    bench.finish();
    bench.report()
}

#[test]
fn the_number_of_workers_does_not_change_the_result() {
    let expected = alone(SMALL);
    for cores in [2, 8] {
        let mut bench = PoolHarness::new(cores);
        assert_eq!(bench.spawned, cores + 1);
        bench.start(SMALL);
        bench.finish();
        assert_eq!(bench.run().phase, Phase::Finished);
        assert_eq!(bench.run().fraction(), 1.0);
        assert_eq!(bench.report(), expected, "{cores} workers");
    }
}

#[test]
fn a_trapped_worker_is_replaced_and_its_units_run_again() {
    let mut bench = PoolHarness::new(2);
    bench.start(LARGE);
    bench.turn();
    let victim = busy(&bench.pool.slots, Queue::Run).next().unwrap().0;
    bench.pool.event(victim, Event::Trapped("index out of bounds".into()), bench.now);
    bench.pool.replace_worker(victim, "unreachable", bench.now);
    bench.carry_out();
    assert_eq!((bench.spawned, bench.terminated), (4, 1));
    assert!(bench.run().incidents[0].contains("index out of bounds"));
    bench.finish();
    assert_eq!(bench.run().phase, Phase::Finished);
    assert_eq!(bench.report(), alone(LARGE));
    // The message is kept for a report until another run begins.
    assert_eq!(bench.pool.crash(), Some("index out of bounds"));
    bench.start(SMALL);
    assert_eq!(bench.pool.crash(), None);
}

#[test]
fn work_that_kills_every_worker_fails_with_its_reason() {
    let mut bench = PoolHarness::new(1);
    bench.start(LARGE);
    for _ in 0..2 {
        bench.turn();
        let victim = busy(&bench.pool.slots, Queue::Run).next().unwrap().0;
        bench.pool.replace_worker(victim, "out of memory", bench.now);
        bench.carry_out();
    }
    assert!(matches!(&bench.run().phase, Phase::Failed(why) if why.contains("out of memory")));
    bench.start(SMALL);
    bench.finish();
    assert_eq!(bench.run().phase, Phase::Finished, "the next run has workers again");
}

#[test]
fn stop_is_immediate_and_an_unresponsive_worker_is_terminated_after_40_ms() {
    let mut bench = PoolHarness::new(2);
    bench.start(LARGE);
    bench.turn();
    bench.workers.values_mut().for_each(|w| w.unresponsive = true);
    bench.pool.stop(Queue::Run, bench.now);
    bench.carry_out();
    assert_eq!(bench.run().phase, Phase::Stopped);
    // The spare worker starts the next run at once, while the unresponsive ones still have their 40 ms.
    bench.workers.values_mut().for_each(|w| w.inbox.clear());
    bench.start(SMALL);
    assert_eq!(bench.busy(), 1);
    bench.pool.tick(bench.now + STOP_MS - 1.0);
    bench.carry_out();
    assert_eq!(bench.terminated, 0);
    bench.pool.tick(bench.now + STOP_MS);
    bench.carry_out();
    assert_eq!((bench.terminated, bench.spawned), (2, 5));
    assert_eq!(bench.busy(), 2);
}

#[test]
fn a_worker_that_answers_the_stop_lives_on() {
    let mut bench = PoolHarness::new(2);
    bench.start(LARGE);
    bench.turn();
    bench.pool.stop(Queue::Run, bench.now);
    bench.carry_out();
    bench.turn();
    bench.pool.tick(bench.now + 1e3);
    bench.carry_out();
    assert_eq!((bench.terminated, bench.spawned), (0, 3));
    assert!(!bench.pool.is_waiting());
}

#[test]
fn events_of_a_stopped_run_are_dropped() {
    let mut bench = PoolHarness::new(1);
    bench.start(LARGE);
    bench.turn();
    let (worker, job) = busy(&bench.pool.slots, Queue::Run).next().unwrap();
    bench.start(SMALL);
    let before = bench.run().revision;
    bench.pool.event(worker, Event::Finished { job, bytes: vec![1, 2, 3] }, bench.now);
    assert_eq!(bench.run().revision, before);
    bench.finish();
    assert_eq!(bench.report(), alone(SMALL));
}

#[test]
fn paused_and_resumed_and_stepped_equals_uninterrupted() {
    let mut bench = PoolHarness::new(2);
    bench.start(LARGE);
    bench.turn();
    bench.pool.pause(bench.now);
    bench.carry_out();
    (0..3).for_each(|_| bench.turn());
    let held = bench.run().fraction();
    bench.now += 5_000.0;
    (0..5).for_each(|_| bench.turn());
    assert_eq!(bench.run().fraction(), held);
    assert!(bench.run().elapsed_ms(bench.now) < 10.0, "a pause does not count as work");
    for _ in 0..4 {
        bench.pool.step();
        bench.carry_out();
        bench.turn();
        bench.pool.drawn();
        bench.carry_out();
    }
    assert_eq!(bench.run().phase, Phase::Paused);
    bench.pool.resume(bench.now);
    bench.carry_out();
    bench.finish();
    assert_eq!(bench.report(), alone(LARGE));
}

#[test]
fn a_run_can_be_stepped_from_the_start_to_the_end() {
    let mut bench = PoolHarness::new(2);
    bench.pool.start(request(SMALL), true, 0.0);
    bench.carry_out();
    assert_eq!(bench.busy(), 0);
    for _ in 0..1000 {
        bench.pool.step();
        bench.carry_out();
        bench.turn();
        bench.pool.drawn();
        bench.carry_out();
    }
    assert_eq!(bench.run().phase, Phase::Finished);
    assert_eq!(bench.report(), alone(SMALL));
}

#[test]
fn snapshots_wait_until_the_last_one_is_drawn() {
    let mut bench = PoolHarness::new(1);
    // One sweep per slice, so that the run is long.
    bench.start("#/feedforward?inputs=1000&alphas=3&runs=1&beta=inf");
    (0..6).for_each(|_| bench.turn());
    assert_eq!(bench.run().unacknowledged.len(), 1, "one on the way, however long the page takes");
    bench.pool.drawn();
    bench.carry_out();
    // The next snapshot also waits 16 ms, for a frame.
    (0..20).for_each(|_| bench.turn());
    assert_eq!(bench.run().unacknowledged.len(), 1);
    assert_eq!(bench.workers.values().map(|w| w.acks).sum::<usize>(), 1);
}

#[test]
fn on_the_live_channel_the_latest_request_wins() {
    let mut bench = PoolHarness::new(2);
    for beta in ["0.5", "1", "1.5", "2"] {
        let request = request(&format!("#/feedforward.theory?beta={beta}"));
        bench.pool.start(request, false, bench.now);
    }
    bench.carry_out();
    let beta = |bench: &PoolHarness| bench.pool.run(Queue::Live).unwrap().values.to_raw()["beta"].clone();
    assert_eq!(beta(&bench), "0.5", "the one in flight is finished");
    (0..20).for_each(|_| bench.turn());
    assert_eq!(beta(&bench), "2", "then only the newest is run");
    assert_eq!(bench.pool.run(Queue::Live).unwrap().phase, Phase::Finished);
    assert_eq!(bench.pool.next_job, 2);
}

#[test]
fn a_live_run_is_replaced_once_it_has_a_picture() {
    let mut bench = PoolHarness::new(2);
    bench.start("#/feedforward.theory?hidden=5&inputs=50&beta=1");
    let has_picture = |bench: &PoolHarness| !bench.pool.run(Queue::Live).unwrap().snapshots().is_empty();
    for _ in 0..15 {
        if !has_picture(&bench) {
            bench.turn();
        }
    }
    assert!(has_picture(&bench));
    assert_eq!(bench.pool.run(Queue::Live).unwrap().phase, Phase::Running, "there is more to come");
    bench.start("#/feedforward.theory?beta=2");
    let live = bench.pool.run(Queue::Live).unwrap();
    assert_eq!((live.values.to_raw()["beta"].as_str(), live.phase.clone()), ("2", Phase::Running));
}

#[test]
fn interaction_does_not_wait_for_a_long_run() {
    let mut bench = PoolHarness::new(2);
    bench.start(LARGE);
    bench.turn();
    bench.start("#/feedforward.theory");
    (0..9).for_each(|_| bench.turn());
    assert_eq!(bench.pool.run(Queue::Live).unwrap().phase, Phase::Finished);
    assert_eq!(bench.run().phase, Phase::Running);
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
    let mut bench = PoolHarness::new(1);
    bench.start(LARGE);
    let (worker, job) = busy(&bench.pool.slots, Queue::Run).next().unwrap();
    bench.pool.event(worker, Event::Failed { job, error: "the matrix is not positive definite".into() }, 1.0);
    assert!(matches!(&bench.run().phase, Phase::Failed(why) if why.contains("positive definite")));
}
