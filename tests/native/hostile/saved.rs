//! Saved runs, opened as the page opens them.

use std::sync::LazyLock;

use meanfield::app::pool::{Action, Pool, Request};
use meanfield::app::results::{Results, RunResult};
use meanfield::data::Artefact;
use meanfield::lab::{Link, Queue, Raw, SavedRun, Task, mend};
use meanfield::models::{catalog, task};
use meanfield::protocol::{Command, VERSION};
use meanfield::worker::Host;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_bytes::ByteBuf;

use super::{changed, changes};
use crate::common::property::for_all;
use crate::common::{every_task, parts, plan};

/// Every small run as the page saves it.
static SAVED: LazyLock<Vec<SavedRun>> = LazyLock::new(|| {
    let own = include_bytes!("../../data/own.csv");
    let saved = |(task, raw): (&'static dyn Task, Raw)| {
        let (values, stages) = (task.check(&raw).unwrap(), plan(task, &raw).stages());
        let snapshots = parts(task, &raw, stages.clone()).into_iter().map(ByteBuf::from);
        let files = values.all_data().filter(|named| named.hash.is_some()).map(|_| ByteBuf::from(&own[..]));
        SavedRun {
            version: VERSION.to_owned(),
            task: task.meta().id.to_owned(),
            files: files.collect(),
            spec: values.to_raw(),
            shards: stages.into_iter().zip(snapshots).collect(),
            elapsed_ms: 7,
            ..SavedRun::default()
        }
    };
    every_task().filter(|(task, _)| task.meta().queue == Queue::Run).map(saved).collect()
});

/// A file with some other bytes is refused, whatever they are.
pub fn changed_files_are_refused(cases: u32) {
    for_all(cases, (any::<Index>(), changes()), |(which, changes)| {
        let saved = which.get(&SAVED);
        let file = saved.to_bytes();
        let broken = changed(&file, &changes);
        match SavedRun::read(&broken) {
            Some(Ok(read)) => assert!(broken == file && read == *saved),
            Some(Err(problem)) => assert!(!problem.to_string().is_empty()),
            None => {}
        }
    });
}

/// Opens a saved run as the page does, and looks at what it shows: figures, or the reason why there are none.
fn open(saved: SavedRun) -> Result<Option<RunResult>, String> {
    let (mut pool, mut host) = (Pool::new(2, 0.0), Host::new(catalog()));
    let mut link = Link::parse(&saved.link().to_string());
    link.take_revision();
    let Some(task) = task(&catalog().route(&link)) else { return Ok(None) };
    let (raw, _) = mend(&link.raw, |raw| task.check(raw).map(|_| ()));
    let values = task.check(&raw).expect("mended settings are valid");
    pool.open(saved, 0.0);
    pool.start(Request { task, values: values.clone(), record: true }, false, 0.0);
    loop {
        let actions = pool.take_actions();
        if actions.is_empty() {
            break;
        }
        for action in actions {
            match action {
                Action::Spawn(id) => pool.event(id, Host::ready(), 0.0),
                Action::Post(id, load @ Command::Load { .. }) => {
                    let read = host.handle(load).expect("an answer");
                    pool.event(id, read, 0.0);
                }
                Action::Post(..) | Action::Terminate(_) => {}
            }
        }
    }
    let run = pool.run(Queue::Run).expect("it has started");
    Results::default().of(Queue::Run, run, &values)
}

/// A file whose checksum is right and whose contents are anything.
pub fn changed_contents_are_shown_or_refused(cases: u32) {
    for saved in SAVED.iter() {
        let shown = open(saved.clone()).expect("figures").expect("results");
        assert!(!shown.figures.is_empty(), "{}", saved.task);
    }
    for_all(cases, (any::<Index>(), changes()), |(which, changes)| {
        let whole = Artefact::read(&which.get(&SAVED).to_bytes()).expect("what was written");
        let bytes = changed(&whole.bytes, &changes);
        if let Some(Ok(saved)) = SavedRun::read(&Artefact { bytes, ..whole }.to_bytes()) {
            let _ = open(saved);
        }
    });
}
