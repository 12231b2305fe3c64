//! The host with a clock of the test's own.

use super::*;
use crate::data::Hash;
use crate::lab::Raw;
use crate::models::TASKS;
use crate::protocol::{Command, Event};

fn start(job: u64, paused: bool) -> Command {
    let spec: Raw = [("runs".to_owned(), "5".to_owned()), ("inputs".to_owned(), "300".to_owned())].into();
    Command::Start { job, task: "feedforward".into(), spec, units: 9..14, before: Vec::new(), paused }
}

/// A clock on which every look takes a millisecond.
fn clock() -> impl Fn() -> f64 {
    let time = std::cell::Cell::new(0.0);
    move || {
        time.set(time.get() + 1.0);
        time.get()
    }
}

#[test]
fn a_slice_ends_in_time_and_the_job_goes_on_in_the_next() {
    let mut host = Host::new(&TASKS);
    assert_eq!(host.handle(start(1, false)), None);
    let looks = std::cell::Cell::new(0.0);
    host.slice(|| {
        looks.set(looks.get() + 1.0);
        looks.get()
    });
    assert!(looks.get() <= SLICE_MS + 3.0);
    assert!(host.busy());
}

#[test]
fn the_first_picture_does_not_wait_for_the_second() {
    let mut host = Host::new(&TASKS);
    let task = "gp.map".to_owned();
    host.handle(Command::Start {
        job: 1,
        task,
        spec: Raw::new(),
        units: 0..1,
        before: Vec::new(),
        paused: false,
    });
    // A clock that stands still: the slice would go on for ever.
    assert!(matches!(host.slice(|| 0.0).as_slice(), [Event::Snapshot { .. }]));
    assert!(matches!(host.slice(|| 0.0).as_slice(), [Event::Finished { .. }]));
}

#[test]
fn a_picture_of_many_slices_is_not_shown_before_there_is_one() {
    let mut host = Host::new(&TASKS);
    let spec: Raw = [("examples".to_owned(), "120".to_owned())].into();
    host.handle(Command::Start {
        job: 1,
        task: "gp.map".into(),
        spec,
        units: 0..1,
        before: Vec::new(),
        paused: false,
    });
    // A slice is one advance.
    let time = std::cell::Cell::new(0.0);
    let mut slice = || host.slice(|| time.replace(time.get() + SLICE_MS));
    let (mut slices, mut events) = (0, Vec::new());
    while events.is_empty() {
        (slices, events) = (slices + 1, slice());
    }
    let [Event::Snapshot { bytes, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert!(slices > 1 && bytes.len() > 4 * 24 * 18, "{slices} slices");
}

#[test]
fn a_job_ends_with_its_last_snapshot_and_is_forgotten() {
    let mut host = Host::new(&TASKS);
    host.handle(start(1, false));
    let now = clock();
    let mut events = Vec::new();
    while host.busy() && events.len() < 1000 {
        events.extend(host.slice(&now));
        host.handle(Command::Ack(1));
    }
    assert!(matches!(events.first(), Some(Event::Snapshot { job: 1, .. })));
    assert!(matches!(events.last(), Some(Event::Finished { job: 1, .. })));
    assert!(!host.busy());
}

#[test]
fn a_paused_job_waits_and_a_step_is_one_slice() {
    let mut host = Host::new(&TASKS);
    host.handle(start(1, true));
    assert!(!host.busy());
    host.handle(Command::Step(1));
    let events = host.slice(clock());
    assert!(matches!(events.as_slice(), [Event::Snapshot { .. }]));
    assert!(!host.busy());
}

#[test]
fn a_cancelled_job_says_nothing_more() {
    let mut host = Host::new(&TASKS);
    host.handle(start(1, false));
    assert_eq!(host.handle(Command::Cancel(1)), Some(Event::Cancelled(1)));
    assert!(host.slice(clock()).is_empty());
}

#[test]
fn a_file_is_read_or_refused_with_its_place() {
    let mut host = Host::new(&TASKS);
    let mut load = |text: &str| {
        let (hash, bytes) = (Hash::of(text.as_bytes()), text.as_bytes().to_vec());
        host.handle(Command::Load { hash, bytes })
    };
    match load("x,y\n1,0\n2,1\n") {
        Some(Event::Loaded { hash, facts }) => assert_eq!((facts.hash, facts.rows()), (hash, 2)),
        other => panic!("{other:?}"),
    }
    match load("x,y\n1,0,1,1\n2,1,1,1\n") {
        Some(Event::DataRejected { problem, .. }) => {
            assert_eq!(
                (problem.row, problem.why.as_str()),
                (Some(2), "this row has 4 cells, the first one 2")
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(!host.busy());
}

#[test]
fn what_makes_no_sense_is_answered() {
    let mut host = Host::new(&TASKS);
    let unknown = Command::Start {
        job: 1,
        task: "x".into(),
        spec: Raw::new(),
        units: 0..1,
        before: Vec::new(),
        paused: false,
    };
    assert!(matches!(host.handle(unknown), Some(Event::Failed { job: 1, .. })));
    let spec: Raw = [("runs".to_owned(), "0".to_owned())].into();
    let refused = Command::Start {
        job: 2,
        task: "feedforward".into(),
        spec,
        units: 0..1,
        before: Vec::new(),
        paused: false,
    };
    match host.handle(refused) {
        Some(Event::Rejected { job: 2, problems }) => {
            assert_eq!((problems[0].field.as_str(), problems[0].nearest.as_deref()), ("runs", Some("1")));
        }
        other => panic!("{other:?}"),
    }
}
