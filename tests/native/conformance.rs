//! The contract of an experiment, tested for every registered task.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::common::{every_task, finish, parts, plan, result, store, whole};
use meanfield::data::Hash;
use meanfield::figure::Mark;
use meanfield::lab::{ErasedExperiment, Link, Progress, Queue, Raw, Role, Task};
use meanfield::models::{TASKS, catalog, task};
use meanfield::protocol::{Command, Event};
use meanfield::worker::{Host, TURN_MS};
use serde_bytes::ByteBuf;

#[test]
fn shards_do_not_change_a_result() {
    for (task, raw) in every_task() {
        let plan = plan(task, &raw);
        let units = plan.units();
        assert!(units > 0, "{} has no work", task.meta().id);
        let whole = whole(task, &raw).report();
        for workers in [1, 2, 8] {
            let split = result(task, &raw, plan.shards(workers));
            assert_eq!(split.report(), whole, "{} in shards for {workers}", task.meta().id);
        }
        let singly = result(task, &raw, (0..units).map(|unit| unit..unit + 1));
        assert_eq!(singly.report(), whole, "{} unit by unit", task.meta().id);
    }
}

/// Returns every stage of every small run, with the parts of the stages before it.
fn every_stage() -> impl Iterator<Item = (&'static dyn Task, Raw, Range<usize>, Vec<Vec<u8>>)> {
    every_task().flat_map(|(task, raw)| {
        let stages = plan(task, &raw).stages();
        let parts = parts(task, &raw, stages.clone());
        let each = move |(i, units)| (task, raw.clone(), units, parts[..i].to_vec());
        stages.into_iter().enumerate().map(each).collect::<Vec<_>>()
    })
}

fn start(task: &dyn Task, raw: &Raw, units: Range<usize>, before: &[Vec<u8>]) -> Box<dyn ErasedExperiment> {
    let before: Vec<&[u8]> = before.iter().map(Vec::as_slice).collect();
    task.start(&task.check(raw).unwrap(), units, &store(), &before).unwrap()
}

#[test]
fn a_snapshot_does_not_change_a_run() {
    let mut looks = 0;
    for (task, raw, units, before) in every_stage() {
        let mut watched = start(task, &raw, units.clone(), &before);
        while watched.advance() != Progress::Done {
            let (a, b) = (watched.snapshot(), watched.snapshot());
            assert_eq!(a, b);
            looks += 1;
        }
        assert_eq!(watched.snapshot(), finish(task, &raw, units, &before), "{}", task.meta().id);
    }
    assert!(looks > 10, "only {looks} looks: nearly all is done in one slice");
}

/// Runs one slice of a worker's host, of a single step: the clock advances by more than a slice at every reading.
fn slice(host: &mut Host, time: &Cell<f64>) -> Vec<Event> {
    host.turn(|| {
        time.set(time.get() + 2.0 * TURN_MS);
        time.get()
    })
}

#[test]
fn stepping_pausing_and_resuming_do_not_change_a_run() {
    let mut held = 0;
    for (task, raw, units, before) in every_stage() {
        let (mut host, time) = (Host::new(catalog()), Cell::new(0.0));
        let file = include_bytes!("../data/own.csv").to_vec();
        host.handle(Command::Load { hash: Hash::of(&file), bytes: file });
        let expected = finish(task, &raw, units.clone(), &before);
        let (id, values) = (task.meta().id.to_owned(), task.check(&raw).unwrap());
        let before = before.into_iter().map(ByteBuf::from).collect();
        let refused = host.handle(Command::Start {
            job: 1,
            task: id.clone(),
            values,
            units,
            before,
            paused: true,
            record: true,
        });
        assert_eq!(refused, None, "{id}");
        let mut result = None;
        for command in [Command::Slice(1), Command::Resume(1)].into_iter().cycle() {
            host.handle(command);
            for event in slice(&mut host, &time) {
                match event {
                    Event::Finished { bytes, .. } => result = Some(bytes),
                    Event::Snapshot { .. } => drop(host.handle(Command::Ack(1))),
                    Event::Artefact { .. } | Event::Frame { .. } => {}
                    other => panic!("{id}: {other:?}"),
                }
            }
            if result.is_some() {
                break;
            }
            // A paused run may still send a snapshot of its last step, and does nothing more.
            host.handle(Command::Pause(1));
            slice(&mut host, &time);
            host.handle(Command::Ack(1));
            assert_eq!(slice(&mut host, &time), [], "{id} goes on though it is paused");
            held += 1;
        }
        assert_eq!(result, Some(expected), "{id}");
    }
    assert!(held > 10, "only {held} pauses: nearly all is done in one slice");
}

#[test]
fn fractions_grow_and_stay_below_one() {
    for (task, raw, units, before) in every_stage() {
        let mut run = start(task, &raw, units, &before);
        let (mut last, mut was_shown) = (0.0, false);
        while let Progress::Running { fraction, note, shown } = run.advance() {
            assert!((last..1.0).contains(&fraction), "{}: {last}, then {fraction}", task.meta().id);
            assert!(!note.is_empty());
            assert!(shown || !was_shown, "{}: a shown picture is hidden again", task.meta().id);
            (last, was_shown) = (fraction, shown);
        }
    }
}

/// The page keeps the previous picture until a live task has shown one.
#[test]
fn a_live_task_has_no_picture_until_shown() {
    let slow = ["#/feedforward.theory?hidden=5&inputs=50", "#/gp.map?examples=120"].map(Link::parse);
    let slow = slow.into_iter().map(|link| (task(&link.task).unwrap(), link.raw, true));
    let small = every_task().map(|(task, raw)| (task, raw, false));
    for (task, raw, slow) in small.chain(slow).filter(|(task, ..)| task.meta().queue == Queue::Live) {
        let values = task.check(&raw).unwrap();
        let mut run =
            task.start(&task.check(&raw).unwrap(), 0..plan(task, &raw).units(), &store(), &[]).unwrap();
        let figures = |bytes: Vec<u8>| task.result(&values, &[&bytes]).unwrap().figures();
        let empty = figures(run.snapshot());
        let mut hidden = 0;
        while let Progress::Running { shown: false, .. } = run.advance() {
            assert_eq!(figures(run.snapshot()), empty, "{}", task.meta().id);
            hidden += 1;
        }
        assert!(hidden > 0 || !slow, "{}: all of it takes one slice", task.meta().id);
        assert!(
            hidden == 0 || figures(run.snapshot()) != empty,
            "{}: an empty picture is shown",
            task.meta().id
        );
    }
}

#[test]
fn figures_are_complete_from_the_first_snapshot_on() {
    for (task, raw, units, before) in every_stage() {
        let values = task.check(&raw).unwrap();
        let mut run = start(task, &raw, units, &before);
        loop {
            let done = run.advance() == Progress::Done;
            let bytes = run.snapshot();
            let parts: Vec<&[u8]> = before.iter().chain([&bytes]).map(Vec::as_slice).collect();
            let figures = task.result(&values, &parts).unwrap().figures();
            assert!(!figures.is_empty());
            for figure in &figures {
                let mut axes = (0..figure.all_panels().len().max(1)).map(|panel| figure.axes(panel));
                let labelled = axes.all(|(x, y)| !x.label.is_empty() && !y.label.is_empty());
                assert!(labelled, "{}: an axis of {} has no label", task.meta().id, figure.id);
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
fn bytes_of_another_version_are_refused() {
    for (task, raw) in every_task() {
        let values = task.check(&raw).unwrap();
        assert!(task.result(&values, &[&[255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]]).is_err());
    }
}

/// A run waits for the first data set of its specification, which must not be an artefact.
#[test]
fn the_main_data_set_comes_before_any_artefact() {
    for task in TASKS.iter() {
        let place = |is: fn(Role) -> bool| task.fields().iter().position(|field| is(field.role));
        let artefact = place(|role| matches!(role, Role::Artefact(_)));
        if let (Some(data), Some(artefact)) = (place(|role| role == Role::Data), artefact) {
            assert!(data < artefact, "{}", task.meta().id);
        }
    }
}
