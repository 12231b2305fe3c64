//! Tests of files: workers that read them, reject them, or crash.

use super::super::slot::busy;
use super::super::tests::{PoolHarness, request};
use super::super::{Phase, STOP_MS};
use super::*;
use crate::lab::Queue;

const TABLE: &[u8] = b"a,y\n1,0\n2,1\n3,1\n";

fn facts(harness: &PoolHarness, named: &DataRef) -> Option<usize> {
    harness.pool.facts(named).map(Facts::rows)
}

fn give(harness: &mut PoolHarness, name: &str, bytes: &[u8]) -> DataRef {
    let named = harness.pool.load(name, bytes.to_vec(), harness.now);
    harness.carry_out();
    named
}

/// Returns the worker that is reading a file.
fn reader(harness: &PoolHarness) -> Option<WorkerId> {
    harness.pool.slots.iter().find(|slot| matches!(slot.state, WorkerState::Reading(_))).map(|slot| slot.id)
}

#[test]
fn a_file_is_read_by_one_worker() {
    let mut harness = PoolHarness::new(4);
    let named = give(&mut harness, "a.csv", TABLE);
    assert_eq!(named.to_string(), format!("a.csv@{}", Hash::of(TABLE)));
    assert_eq!(harness.pool.file(Hash::of(TABLE)), Some(&FileState::Reading));
    assert_eq!(harness.workers.values().filter(|w| !w.inbox.is_empty()).count(), 1);
    harness.turn();
    assert_eq!(facts(&harness, &named), Some(3));
    assert_eq!(reader(&harness), None, "the worker is free again");
    give(&mut harness, "again.csv", TABLE);
    assert!(harness.workers.values().all(|w| w.inbox.is_empty()), "it is not read twice");
}

#[test]
fn a_file_waits_while_every_worker_is_busy() {
    let mut harness = PoolHarness::new(1);
    harness.start("#/feedforward?inputs=150&alphas=4&runs=16&beta=inf");
    give(&mut harness, "a.csv", TABLE);
    let named = give(&mut harness, "b.csv", b"a,y\n1,0\n");
    assert_eq!(
        harness.pool.file(named.hash.unwrap()),
        Some(&FileState::Waiting),
        "one idle worker, two files"
    );
    (0..2).for_each(|_| harness.turn());
    assert_eq!(facts(&harness, &named), Some(1));
}

/// Returns the file that the run waits for.
#[track_caller]
fn awaited(harness: &PoolHarness) -> Option<DataRef> {
    match &harness.run().phase {
        Phase::AwaitingData(named) => named.clone(),
        other => panic!("{other:?}"),
    }
}

fn named(name: &str, bytes: &[u8]) -> DataRef {
    DataRef { name: name.into(), hash: Some(Hash::of(bytes)) }
}

/// Starts a run on [`TABLE`].
fn link() -> String {
    format!("#/feedforward.data?data=a.csv@{}", Hash::of(TABLE))
}

#[test]
fn a_run_waits_for_its_data_and_starts_when_they_come() {
    let mut harness = PoolHarness::new(2);
    harness.start(&link());
    assert_eq!(awaited(&harness), Some(named("a.csv", TABLE)));
    (0..3).for_each(|_| harness.turn());
    assert_eq!(harness.busy(), 0, "nothing is started on data that are not there");
    give(&mut harness, "b.csv", b"a,y\n1,0\n");
    harness.turn();
    assert_eq!(awaited(&harness), Some(named("a.csv", TABLE)), "another file is not it");
    give(&mut harness, "a.csv", TABLE);
    harness.turn();
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished);
    assert_eq!(harness.report()["examples"], 3);
    harness.start("#/feedforward.data");
    assert_eq!(awaited(&harness), None, "and none named is none there");
}

const SECOND: &[u8] = b"a\tz\n1\t0\n2\t0\n";

#[test]
fn a_run_on_two_files_waits_for_both_and_a_worker_that_has_one_is_given_the_other() {
    for first_is_second in [false, true] {
        let mut harness = PoolHarness::new(1);
        let second = Hash::of(SECOND);
        let both = format!("#/gp.data?data=a.csv@{}&predict=b.csv@{second}&exact_loo=true", Hash::of(TABLE));
        harness.start(&both);
        assert_eq!(awaited(&harness), Some(named("a.csv", TABLE)));
        if first_is_second {
            give(&mut harness, "b.csv", SECOND);
            harness.turn();
            assert_eq!(awaited(&harness), Some(named("a.csv", TABLE)));
            give(&mut harness, "a.csv", TABLE);
        } else {
            give(&mut harness, "a.csv", TABLE);
            harness.turn();
            assert_eq!(awaited(&harness), Some(named("b.csv", SECOND)));
            give(&mut harness, "b.csv", SECOND);
        }
        harness.turn();
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished);
        assert_eq!(harness.report()["predicted"][1]["line"], 3);
        let mut has: Vec<usize> = harness.pool.slots.iter().map(|slot| slot.given.len()).collect();
        has.sort_unstable();
        assert!(has.iter().sum::<usize>() <= 3 && has.last() == Some(&2), "each file once a worker: {has:?}");
        // A worker without the files gets both.
        let victims: Vec<_> = harness.pool.slots.iter().map(|slot| slot.id).collect();
        for victim in victims {
            harness.pool.replace_worker(victim, "killed", harness.now);
            harness.carry_out();
        }
        harness.start(&both);
        let taker = busy(&harness.pool.slots, Queue::Run).next().unwrap().0;
        assert_eq!(harness.pool.slot(taker).unwrap().given, [Hash::of(TABLE), second]);
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished);
        // A task without a second file does not wait for it.
        harness.start(&format!("#/gp.data?data=a.csv@{}", Hash::of(TABLE)));
        harness.finish();
        assert!(harness.report()["predicted"].is_null());
        harness.start(&format!("#/gp.data?predict=b.csv@{second}"));
        assert_eq!(awaited(&harness), None, "a second file is no main one");
    }
}

#[test]
fn a_worker_is_given_a_file_once_and_one_that_has_it_is_taken_first() {
    let mut harness = PoolHarness::new(5);
    give(&mut harness, "a.csv", TABLE);
    harness.turn();
    let given = |harness: &PoolHarness| harness.pool.slots.iter().map(|slot| slot.given.len()).sum::<usize>();
    for _ in 0..3 {
        harness.start(&link());
        harness.finish();
        assert_eq!(harness.run().phase, Phase::Finished);
    }
    // One for each of the two units.
    assert_eq!(given(&harness), 2);
    // If these are busy, another worker gets the file before it starts.
    harness.start("#/feedforward?inputs=150&alphas=4&runs=16&beta=inf");
    harness.turn();
    harness.start(&link());
    harness.finish();
    assert_eq!((harness.run().phase.clone(), given(&harness)), (Phase::Finished, 3));
}

#[test]
fn a_new_worker_is_given_the_file_of_the_work_it_takes_over() {
    let mut harness = PoolHarness::new(1);
    give(&mut harness, "a.csv", TABLE);
    harness.turn();
    harness.start(&link());
    let victim = busy(&harness.pool.slots, Queue::Run).next().unwrap().0;
    harness.pool.replace_worker(victim, "killed", harness.now);
    harness.carry_out();
    let taker = busy(&harness.pool.slots, Queue::Run).next().unwrap().0;
    assert!(taker != victim && harness.pool.slot(taker).unwrap().given == [Hash::of(TABLE)]);
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished);
    assert_eq!(harness.run().incidents.len(), 1);
}

#[test]
fn data_that_do_not_fit_fail_with_the_field() {
    let mut harness = PoolHarness::new(1);
    give(&mut harness, "a.csv", TABLE);
    harness.turn();
    harness.start(&format!("{}&label=z", link()));
    harness.finish();
    let Phase::Rejected(problems) = &harness.run().phase else { panic!("{:?}", harness.run()) };
    assert_eq!((problems.len(), problems[0].field.as_str(), problems[0].given.as_str()), (1, "label", "z"));
    assert_eq!(harness.busy(), 0);
}

#[test]
fn an_invalid_table_is_reported_with_its_position() {
    let mut harness = PoolHarness::new(1);
    let named = give(&mut harness, "a.csv", b"a,y\n1,0,3,4\n2,1,4,5\n");
    harness.start(&format!("#/feedforward.data?data={named}"));
    harness.turn();
    // A rejected file is not waited for; another one is accepted.
    let Phase::Rejected(problems) = &harness.run().phase else { panic!("{:?}", harness.run()) };
    assert_eq!((problems[0].field.as_str(), problems[0].given.as_str()), ("data", "a.csv"));
    match harness.pool.file(named.hash.unwrap()) {
        Some(FileState::Rejected(problem)) => {
            assert!(problem.to_string().starts_with("row 2: this row has 4 cells"), "{problem}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_worker_that_crashes_on_a_file_is_replaced_once() {
    let mut harness = PoolHarness::new(1);
    let named = give(&mut harness, "a.csv", TABLE);
    harness.start(&link());
    for _ in 0..2 {
        let victim = reader(&harness).unwrap();
        harness.pool.replace_worker(victim, "out of memory", harness.now);
        harness.carry_out();
    }
    assert!(harness.run().phase.problems()[0].describe().contains("crashed 2 workers: out of memory"));
    assert_eq!(harness.pool.crash(), Some("out of memory"));
    match harness.pool.file(named.hash.unwrap()) {
        Some(FileState::Rejected(problem)) => assert!(problem.why.contains("out of memory")),
        other => panic!("{other:?}"),
    }
    assert_eq!(harness.spawned, 4);
    harness.pool.tick(harness.now + STOP_MS);
    assert!(!harness.pool.is_waiting());
}

#[test]
fn a_table_is_read_again_with_the_choices_of_the_form() {
    let mut harness = PoolHarness::new(2);
    give(&mut harness, "a.csv", TABLE);
    harness.turn();
    let [chosen, usual] = [format!("{}&header=no", link()), link()].map(|link| request(&link).values);
    harness.pool.request_reading(&usual);
    assert_eq!(harness.pool.chosen_reading(&usual), None, "nothing is chosen");
    harness.pool.request_reading(&chosen);
    harness.carry_out();
    assert_eq!(harness.pool.chosen_reading(&chosen), Some(&FileState::Reading));
    harness.turn();
    match harness.pool.chosen_reading(&chosen) {
        Some(FileState::Read(facts)) => assert_eq!((facts.rows(), facts.hash), (4, Hash::of(TABLE))),
        other => panic!("{other:?}"),
    }
    harness.pool.request_reading(&chosen);
    harness.carry_out();
    assert!(harness.workers.values().all(|worker| worker.inbox.is_empty()), "it is not read twice");
    assert_eq!(harness.pool.chosen_reading(&usual), None);
}

#[test]
fn a_run_starts_on_a_refused_file_that_is_a_table_with_choices() {
    let mut harness = PoolHarness::new(1);
    let named = give(&mut harness, "a.csv", b"a,y\n1,0,3,4\n2,1,4,5\n");
    harness.start(&format!("#/feedforward.data?data={named}&skip_lines=1"));
    (0..3).for_each(|_| harness.turn());
    harness.finish();
    assert_eq!(harness.run().phase, Phase::Finished);
    assert_eq!(harness.report()["examples"], 2);
    harness.start(&format!("#/feedforward.data?data={named}&separator=semicolon&skip_lines=9"));
    (0..3).for_each(|_| harness.turn());
    let Phase::Rejected(problems) = &harness.run().phase else { panic!("{:?}", harness.run()) };
    assert_eq!(problems[0].field, "data", "nothing is left");
}

#[test]
fn a_reading_is_repeated_once_after_its_worker_crashed() {
    let mut harness = PoolHarness::new(1);
    // Without choices the file is refused, so that the run waits for the reading.
    let named = give(&mut harness, "a.csv", b"a,y\n1,0,3,4\n2,1,4,5\n");
    let link = format!("#/feedforward.data?data={named}&skip_lines=1");
    harness.start(&link);
    harness.turn();
    for _ in 0..2 {
        harness.carry_out();
        let reads = |worker: &&WorkerId| {
            harness.workers[worker].inbox.iter().any(|command| matches!(command, Command::Read { .. }))
        };
        let victim = *harness.workers.keys().find(reads).unwrap();
        harness.pool.replace_worker(victim, "out of memory", harness.now);
    }
    match harness.pool.chosen_reading(&request(&link).values) {
        Some(FileState::Rejected(problem)) => assert!(problem.why.contains("out of memory")),
        other => panic!("{other:?}"),
    }
    assert!(matches!(harness.run().phase, Phase::Rejected(_)), "{:?}", harness.run());
}
