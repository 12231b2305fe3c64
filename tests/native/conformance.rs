//! The contract that every registered task keeps, whatever its model: one table, every task through it.

use std::collections::BTreeSet;

use crate::common::{every_task, finish, result, store, units};
use meanfield::figure::Mark;
use meanfield::lab::{Progress, shards};

#[test]
fn shards_do_not_change_a_result() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        assert!(units > 0, "{} has no work", task.meta().id);
        let whole = result(task, &raw, std::iter::once(0..units)).report();
        for workers in [1, 2, 8] {
            let split = result(task, &raw, shards(units, workers));
            assert_eq!(split.report(), whole, "{} in shards for {workers}", task.meta().id);
        }
        let singly = result(task, &raw, (0..units).map(|unit| unit..unit + 1));
        assert_eq!(singly.report(), whole, "{} unit by unit", task.meta().id);
    }
}

#[test]
fn looking_does_not_change_a_run() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        let mut watched = task.start(&raw, 0..units, &store()).unwrap();
        let mut looks = 0;
        while watched.advance().unwrap() != Progress::Done {
            let (a, b) = (watched.snapshot().unwrap(), watched.snapshot().unwrap());
            assert_eq!(a, b);
            looks += 1;
        }
        assert!(looks > 0 || units == 1, "{} never shows what it has", task.meta().id);
        assert_eq!(watched.snapshot().unwrap(), finish(task, &raw, 0..units), "{}", task.meta().id);
    }
}

#[test]
fn fractions_grow_and_stay_below_one() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        let mut run = task.start(&raw, 0..units, &store()).unwrap();
        let mut last = 0.0;
        while let Progress::Running { fraction, note } = run.advance().unwrap() {
            assert!((last..=1.0).contains(&fraction), "{}: {last} then {fraction}", task.meta().id);
            assert!(!note.is_empty());
            last = fraction;
        }
    }
}

#[test]
fn figures_are_complete_from_the_first_snapshot_on() {
    for (task, raw) in every_task() {
        let values = task.check(&raw).unwrap();
        let mut run = task.start(&raw, 0..units(task, &values), &store()).unwrap();
        loop {
            let done = run.advance().unwrap() == Progress::Done;
            let bytes = run.snapshot().unwrap();
            let figures = task.result(&values, &[&bytes]).unwrap().figures();
            assert!(!figures.is_empty());
            for figure in &figures {
                assert!(!figure.x.label.is_empty() && !figure.y.label.is_empty());
                let keys: BTreeSet<&str> = figure.marks.iter().map(Mark::key).collect();
                assert_eq!(keys.len(), figure.marks.len(), "two marks of one key in {}", figure.id);
            }
            if done {
                break;
            }
        }
    }
}

#[test]
fn bytes_of_another_version_are_refused_not_believed() {
    for (task, raw) in every_task() {
        let values = task.check(&raw).unwrap();
        assert!(task.result(&values, &[&[255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]]).is_err());
    }
}
