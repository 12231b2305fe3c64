//! The host with a clock of the test.

use super::*;
use crate::data::Hash;
use crate::lab::{Values, raw_of};
use crate::models::{catalog, task};
use crate::protocol::{Command, Event};

fn start(job: u64, paused: bool) -> Command {
    let values = values("feedforward", &[("runs", "5"), ("inputs", "300")]);
    Command::Start {
        job,
        task: "feedforward".into(),
        values,
        units: 9..14,
        before: Vec::new(),
        paused,
        record: false,
    }
}

fn values(id: &str, texts: &[(&str, &str)]) -> Values {
    task(id).unwrap().check(&raw_of(texts.iter().copied())).unwrap()
}

/// Returns a clock on which every look takes a millisecond.
fn clock() -> impl Fn() -> f64 {
    let time = std::cell::Cell::new(0.0);
    move || {
        time.set(time.get() + 1.0);
        time.get()
    }
}

#[test]
fn a_slice_ends_in_time_and_the_job_goes_on_in_the_next() {
    let mut host = Host::new(catalog());
    assert_eq!(host.handle(start(1, false)), None);
    let looks = std::cell::Cell::new(0.0);
    host.turn(|| {
        looks.set(looks.get() + 1.0);
        looks.get()
    });
    assert!(looks.get() <= TURN_MS + 3.0);
    assert!(host.is_busy());
}

#[test]
fn the_first_picture_does_not_wait_for_the_second() {
    let mut host = Host::new(catalog());
    let task = "gp.map".to_owned();
    host.handle(Command::Start {
        job: 1,
        task,
        values: values("gp.map", &[]),
        units: 0..1,
        before: Vec::new(),
        paused: false,
        record: false,
    });
    // A clock that stands still: the slice would go on for ever.
    assert!(matches!(host.turn(|| 0.0).as_slice(), [Event::Snapshot { .. }]));
    assert!(matches!(host.turn(|| 0.0).as_slice(), [Event::Finished { .. }]));
}

#[test]
fn a_picture_of_many_slices_is_not_shown_before_there_is_one() {
    let mut host = Host::new(catalog());
    host.handle(Command::Start {
        job: 1,
        task: "gp.map".into(),
        values: values("gp.map", &[("examples", "120")]),
        units: 0..1,
        before: Vec::new(),
        paused: false,
        record: false,
    });
    // A slice is one advance.
    let time = std::cell::Cell::new(0.0);
    let mut slice = || host.turn(|| time.replace(time.get() + TURN_MS));
    let (mut slices, mut events) = (0, Vec::new());
    while events.is_empty() {
        (slices, events) = (slices + 1, slice());
    }
    let [Event::Snapshot { bytes, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert!(slices > 1 && bytes.len() > 4 * 24 * 18, "{slices} slices");
}

#[test]
fn a_job_ends_with_its_last_snapshot_and_is_forgotten() {
    let mut host = Host::new(catalog());
    host.handle(start(1, false));
    let now = clock();
    let mut events = Vec::new();
    while host.is_busy() && events.len() < 1000 {
        events.extend(host.turn(&now));
        host.handle(Command::Ack(1));
    }
    assert!(matches!(events.first(), Some(Event::Snapshot { job: 1, .. })));
    assert!(matches!(events.last(), Some(Event::Finished { job: 1, .. })));
    assert!(!host.is_busy());
}

#[test]
fn a_paused_job_waits_and_a_step_is_one_slice() {
    let mut host = Host::new(catalog());
    host.handle(start(1, true));
    assert!(!host.is_busy());
    host.handle(Command::Slice(1));
    let events = host.turn(clock());
    assert!(matches!(events.as_slice(), [Event::Snapshot { .. }]));
    assert!(!host.is_busy());
}

#[test]
fn a_cancelled_job_sends_no_more_events() {
    let mut host = Host::new(catalog());
    host.handle(start(1, false));
    assert_eq!(host.handle(Command::Cancel(1)), Some(Event::Cancelled(1)));
    assert!(host.turn(clock()).is_empty());
}

#[test]
fn a_file_is_read_or_refused_with_its_place() {
    let mut host = Host::new(catalog());
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
    assert!(!host.is_busy());
}

#[test]
fn an_unknown_task_and_a_missing_file_are_refused() {
    let mut host = Host::new(catalog());
    let unknown = Command::Start {
        job: 1,
        task: "x".into(),
        values: values("gp.map", &[]),
        units: 0..1,
        before: Vec::new(),
        paused: false,
        record: false,
    };
    assert!(matches!(host.handle(unknown), Some(Event::Failed { job: 1, .. })));
    let rejected = Command::Start {
        job: 2,
        task: "gp.data".into(),
        values: values("gp.data", &[("data", "t.csv@0123456789abcdef")]),
        units: 0..1,
        before: Vec::new(),
        paused: false,
        record: false,
    };
    match host.handle(rejected) {
        Some(Event::Rejected { job: 2, problems }) => assert_eq!(problems[0].field, "data"),
        other => panic!("{other:?}"),
    }
}
