//! Messages between page and worker.

use std::fmt::Debug;

use meanfield::data::{Facts, Hash, Store};
use meanfield::lab::{InputError, Values};
use meanfield::protocol::{Command, Event, decode, encode};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_bytes::ByteBuf;

use super::files::idx;
use super::{changed, changes};
use crate::common::every_task;
use crate::common::property::for_all;

/// Returns the checked settings of the small runs.
fn any_values() -> impl Strategy<Value = Values> {
    let values = every_task().map(|(task, raw)| task.check(&raw).expect("a small run is valid"));
    prop::sample::select(values.collect::<Vec<_>>())
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..40)
}

fn any_error() -> impl Strategy<Value = InputError> {
    (".{0,8}", ".{0,8}", ".{0,8}", prop::option::of(".{0,8}")).prop_map(
        |(field, label, expected, nearest)| InputError {
            label,
            nearest,
            ..InputError::new(&field, 7).because(expected)
        },
    )
}

/// Facts of a table, of images and of JSON.
fn any_facts() -> impl Strategy<Value = Facts> {
    let files = [b"a,b,y\n1,2,no\n3,,yes\n".to_vec(), idx(&[6, 5, 4], 120), b"{}".to_vec()];
    let facts = files.map(|file| Store::default().load(&file).unwrap().clone());
    prop::sample::select(facts.to_vec())
}

fn any_command() -> impl Strategy<Value = Command> {
    let job = any::<u64>();
    prop_oneof![
        (
            job,
            ".{0,8}",
            any_values(),
            any::<(usize, usize)>(),
            prop::collection::vec(any_bytes(), 0..3),
            any::<[bool; 2]>()
        )
            .prop_map(|(job, task, values, (from, to), before, [paused, record])| Command::Start {
                job,
                task,
                values,
                units: from..to,
                before: before.into_iter().map(ByteBuf::from).collect(),
                paused,
                record,
            }),
        any_bytes().prop_map(|bytes| Command::Load { hash: Hash::of(&bytes), bytes }),
        prop_oneof![
            job.prop_map(Command::Pause),
            job.prop_map(Command::Resume),
            job.prop_map(Command::Slice),
            job.prop_map(Command::Cancel),
            job.prop_map(Command::Ack),
        ],
    ]
}

fn any_event() -> impl Strategy<Value = Event> {
    let snapshot = (any::<u64>(), prop::num::f64::NORMAL, ".{0,12}", any_bytes());
    prop_oneof![
        snapshot.prop_map(|(job, fraction, note, bytes)| Event::Snapshot { job, fraction, note, bytes }),
        (any::<u64>(), ".{0,8}", any_bytes()).prop_map(|(job, kind, bytes)| Event::Artefact {
            job,
            kind,
            bytes
        }),
        (any::<u64>(), prop::collection::vec(any_error(), 0..3))
            .prop_map(|(job, problems)| Event::Rejected { job, problems }),
        any_facts().prop_map(|facts| Event::Loaded { hash: facts.hash, facts }),
        ".{0,20}".prop_map(Event::Trapped),
    ]
}

/// What is read of some bytes is no more than they are.
fn read_message<T: Serialize + DeserializeOwned>(bytes: &[u8]) {
    if let Ok(message) = decode::<T>(bytes) {
        assert!(encode(&message).len() <= bytes.len());
    }
}

fn travels<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    cases: u32,
    messages: impl Strategy<Value = T>,
) {
    for_all(cases, (messages, changes(), any_bytes()), |(message, changes, junk)| {
        let bytes = encode(&message);
        assert_eq!(decode::<T>(&bytes).as_ref(), Ok(&message));
        read_message::<T>(&changed(&bytes, &changes));
        read_message::<T>(&junk);
        // A message that ends early is none, nor is one with more behind it.
        assert!(bytes.len() == 1 || decode::<T>(&bytes[..bytes.len() - 1]).is_err());
        assert!(decode::<T>(&[&bytes[..], &[0]].concat()).is_err());
    });
}

pub fn arrive_as_they_were_sent_or_are_refused(cases: u32) {
    travels(cases, any_command());
    travels(cases, any_event());
}
