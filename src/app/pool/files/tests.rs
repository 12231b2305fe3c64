//! Tests of files: workers that read them, reject them, or crash.

use super::super::slot::busy;
use super::super::tests::{PoolHarness, request};
use super::super::{Phase, STOP_MS};
use super::*;
use crate::lab::Queue;

const TABLE: &[u8] = b"a,y\n1,0\n2,1\n3,1\n";

fn facts(bench: &PoolHarness, named: &DataRef) -> Option<usize> {
    bench.pool.facts(named).map(Facts::rows)
}

fn give(bench: &mut PoolHarness, name: &str, bytes: &[u8]) -> DataRef {
    let named = bench.pool.load(name, bytes.to_vec(), bench.now);
    bench.carry_out();
    named
}

/// Returns the worker that is reading a file.
fn reader(bench: &PoolHarness) -> Option<WorkerId> {
    bench.pool.slots.iter().find(|slot| matches!(slot.state, State::Reading(_))).map(|slot| slot.id)
}

#[test]
fn a_file_is_read_by_one_worker() {
    let mut bench = PoolHarness::new(4);
    let named = give(&mut bench, "a.csv", TABLE);
    assert_eq!(named.to_string(), format!("a.csv@{}", Hash::of(TABLE)));
    assert_eq!(bench.pool.file(Hash::of(TABLE)), Some(&FileState::Reading));
    assert_eq!(bench.workers.values().filter(|w| !w.inbox.is_empty()).count(), 1);
    bench.turn();
    assert_eq!(facts(&bench, &named), Some(3));
    assert_eq!(reader(&bench), None, "the worker is free again");
    give(&mut bench, "again.csv", TABLE);
    assert!(bench.workers.values().all(|w| w.inbox.is_empty()), "it is not read twice");
}

#[test]
fn a_file_waits_while_every_worker_is_busy() {
    let mut bench = PoolHarness::new(1);
    bench.start("#/feedforward?inputs=150&alphas=4&runs=16&beta=inf");
    give(&mut bench, "a.csv", TABLE);
    let named = give(&mut bench, "b.csv", b"a,y\n1,0\n");
    assert_eq!(bench.pool.file(named.hash.unwrap()), Some(&FileState::Waiting), "one idle worker, two files");
    (0..2).for_each(|_| bench.turn());
    assert_eq!(facts(&bench, &named), Some(1));
}

/// Returns the file that the run waits for.
#[track_caller]
fn awaited(bench: &PoolHarness) -> Option<DataRef> {
    match &bench.run().phase {
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
    let mut bench = PoolHarness::new(2);
    bench.start(&link());
    assert_eq!(awaited(&bench), Some(named("a.csv", TABLE)));
    (0..3).for_each(|_| bench.turn());
    assert_eq!(bench.busy(), 0, "nothing is started on data that are not there");
    give(&mut bench, "b.csv", b"a,y\n1,0\n");
    bench.turn();
    assert_eq!(awaited(&bench), Some(named("a.csv", TABLE)), "another file is not it");
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    bench.finish();
    assert_eq!(bench.run().phase, Phase::Finished);
    assert_eq!(bench.report()["examples"], 3);
    bench.start("#/feedforward.data");
    assert_eq!(awaited(&bench), None, "and none named is none there");
}

const SECOND: &[u8] = b"a\tz\n1\t0\n2\t0\n";

#[test]
fn a_run_on_two_files_waits_for_both_and_a_worker_that_has_one_is_given_the_other() {
    for first_is_second in [false, true] {
        let mut bench = PoolHarness::new(1);
        let second = Hash::of(SECOND);
        let both = format!("#/gp.data?data=a.csv@{}&predict=b.csv@{second}&exact_loo=true", Hash::of(TABLE));
        bench.start(&both);
        assert_eq!(awaited(&bench), Some(named("a.csv", TABLE)));
        if first_is_second {
            give(&mut bench, "b.csv", SECOND);
            bench.turn();
            assert_eq!(awaited(&bench), Some(named("a.csv", TABLE)));
            give(&mut bench, "a.csv", TABLE);
        } else {
            give(&mut bench, "a.csv", TABLE);
            bench.turn();
            assert_eq!(awaited(&bench), Some(named("b.csv", SECOND)));
            give(&mut bench, "b.csv", SECOND);
        }
        bench.turn();
        bench.finish();
        assert_eq!(bench.run().phase, Phase::Finished);
        assert_eq!(bench.report()["predicted"][1]["line"], 3);
        let mut has: Vec<usize> = bench.pool.slots.iter().map(|slot| slot.given.len()).collect();
        has.sort_unstable();
        assert!(has.iter().sum::<usize>() <= 3 && has.last() == Some(&2), "each file once a worker: {has:?}");
        // A worker without the files gets both.
        let victims: Vec<_> = bench.pool.slots.iter().map(|slot| slot.id).collect();
        for victim in victims {
            bench.pool.replace_worker(victim, "killed", bench.now);
            bench.carry_out();
        }
        bench.start(&both);
        let taker = busy(&bench.pool.slots, Queue::Run).next().unwrap().0;
        assert_eq!(bench.pool.slot(taker).unwrap().given, [Hash::of(TABLE), second]);
        bench.finish();
        assert_eq!(bench.run().phase, Phase::Finished);
        // A task without a second file does not wait for it.
        bench.start(&format!("#/gp.data?data=a.csv@{}", Hash::of(TABLE)));
        bench.finish();
        assert!(bench.report()["predicted"].is_null());
        bench.start(&format!("#/gp.data?predict=b.csv@{second}"));
        assert_eq!(awaited(&bench), None, "a second file is no main one");
    }
}

#[test]
fn a_worker_is_given_a_file_once_and_one_that_has_it_is_taken_first() {
    let mut bench = PoolHarness::new(5);
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    let given = |bench: &PoolHarness| bench.pool.slots.iter().map(|slot| slot.given.len()).sum::<usize>();
    for _ in 0..3 {
        bench.start(&link());
        bench.finish();
        assert_eq!(bench.run().phase, Phase::Finished);
    }
    // One for each of the two units.
    assert_eq!(given(&bench), 2);
    // If these are busy, another worker gets the file before it starts.
    bench.start("#/feedforward?inputs=150&alphas=4&runs=16&beta=inf");
    bench.turn();
    bench.start(&link());
    bench.finish();
    assert_eq!((bench.run().phase.clone(), given(&bench)), (Phase::Finished, 3));
}

#[test]
fn a_new_worker_is_given_the_file_of_the_work_it_takes_over() {
    let mut bench = PoolHarness::new(1);
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    bench.start(&link());
    let victim = busy(&bench.pool.slots, Queue::Run).next().unwrap().0;
    bench.pool.replace_worker(victim, "killed", bench.now);
    bench.carry_out();
    let taker = busy(&bench.pool.slots, Queue::Run).next().unwrap().0;
    assert!(taker != victim && bench.pool.slot(taker).unwrap().given == [Hash::of(TABLE)]);
    bench.finish();
    assert_eq!(bench.run().phase, Phase::Finished);
    assert_eq!(bench.run().incidents.len(), 1);
}

#[test]
fn data_that_do_not_fit_fail_with_the_field() {
    let mut bench = PoolHarness::new(1);
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    bench.start(&format!("{}&label=z", link()));
    bench.finish();
    let Phase::Rejected(problems) = &bench.run().phase else { panic!("{:?}", bench.run()) };
    assert_eq!((problems.len(), problems[0].field.as_str(), problems[0].given.as_str()), (1, "label", "z"));
    assert_eq!(bench.busy(), 0);
}

#[test]
fn an_invalid_table_is_reported_with_its_position() {
    let mut bench = PoolHarness::new(1);
    let named = give(&mut bench, "a.csv", b"a,y\n1,0,3,4\n2,1,4,5\n");
    bench.start(&format!("#/feedforward.data?data={named}"));
    bench.turn();
    // A rejected file is not waited for; another one is accepted.
    let Phase::Rejected(problems) = &bench.run().phase else { panic!("{:?}", bench.run()) };
    assert_eq!((problems[0].field.as_str(), problems[0].given.as_str()), ("data", "a.csv"));
    match bench.pool.file(named.hash.unwrap()) {
        Some(FileState::Rejected(problem)) => {
            assert!(problem.to_string().starts_with("row 2: this row has 4 cells"), "{problem}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_worker_that_crashes_on_a_file_is_replaced_once() {
    let mut bench = PoolHarness::new(1);
    let named = give(&mut bench, "a.csv", TABLE);
    bench.start(&link());
    for _ in 0..2 {
        let victim = reader(&bench).unwrap();
        bench.pool.replace_worker(victim, "out of memory", bench.now);
        bench.carry_out();
    }
    assert!(bench.run().phase.problems()[0].describe().contains("crashed the worker twice: out of memory"));
    assert_eq!(bench.pool.crash(), Some("out of memory"));
    match bench.pool.file(named.hash.unwrap()) {
        Some(FileState::Rejected(problem)) => assert!(problem.why.contains("out of memory")),
        other => panic!("{other:?}"),
    }
    assert_eq!(bench.spawned, 4);
    bench.pool.tick(bench.now + STOP_MS);
    assert!(!bench.pool.is_waiting());
}

#[test]
fn a_table_is_read_again_with_the_choices_of_the_form() {
    let mut bench = PoolHarness::new(2);
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    let [chosen, usual] = [format!("{}&header=no", link()), link()].map(|link| request(&link).values);
    bench.pool.request_reading(&usual);
    assert_eq!(bench.pool.chosen_reading(&usual), None, "nothing is chosen");
    bench.pool.request_reading(&chosen);
    bench.carry_out();
    assert_eq!(bench.pool.chosen_reading(&chosen), Some(&FileState::Reading));
    bench.turn();
    match bench.pool.chosen_reading(&chosen) {
        Some(FileState::Known(facts)) => assert_eq!((facts.rows(), facts.hash), (4, Hash::of(TABLE))),
        other => panic!("{other:?}"),
    }
    bench.pool.request_reading(&chosen);
    bench.carry_out();
    assert!(bench.workers.values().all(|worker| worker.inbox.is_empty()), "it is not read twice");
    assert_eq!(bench.pool.chosen_reading(&usual), None);
}

#[test]
fn a_run_starts_on_a_refused_file_that_is_a_table_with_choices() {
    let mut bench = PoolHarness::new(1);
    let named = give(&mut bench, "a.csv", b"a,y\n1,0,3,4\n2,1,4,5\n");
    bench.start(&format!("#/feedforward.data?data={named}&skip_lines=1"));
    (0..3).for_each(|_| bench.turn());
    bench.finish();
    assert_eq!(bench.run().phase, Phase::Finished);
    assert_eq!(bench.report()["examples"], 2);
    bench.start(&format!("#/feedforward.data?data={named}&separator=semicolon&skip_lines=9"));
    (0..3).for_each(|_| bench.turn());
    let Phase::Rejected(problems) = &bench.run().phase else { panic!("{:?}", bench.run()) };
    assert_eq!(problems[0].field, "data", "nothing is left");
}

#[test]
fn a_reading_is_repeated_once_after_its_worker_crashed() {
    let mut bench = PoolHarness::new(1);
    give(&mut bench, "a.csv", TABLE);
    bench.turn();
    let chosen = request(&format!("{}&header=no", link())).values;
    bench.pool.request_reading(&chosen);
    for _ in 0..2 {
        bench.carry_out();
        let reads = |worker: &&WorkerId| {
            bench.workers[worker].inbox.iter().any(|command| matches!(command, Command::Read { .. }))
        };
        let victim = *bench.workers.keys().find(reads).unwrap();
        bench.pool.replace_worker(victim, "out of memory", bench.now);
    }
    match bench.pool.chosen_reading(&chosen) {
        Some(FileState::Rejected(problem)) => assert!(problem.why.contains("out of memory")),
        other => panic!("{other:?}"),
    }
}
