//! Frames of the replay of a run.

use std::ops::Range;

use crate::common::{every_task, plan, store};
use meanfield::lab::{ErasedResult, Link, PartBytes, Progress, Queue, Raw, ReplayFrame, Task};
use meanfield::models::task;

/// A run whose frames were recorded.
struct Recorded {
    task: &'static dyn Task,
    raw: Raw,
    /// First units of the shards and their final snapshots.
    shards: Vec<(usize, Vec<u8>)>,
    frames: Vec<ReplayFrame>,
}

impl Recorded {
    fn new(task: &'static dyn Task, raw: &Raw, shards: Vec<Range<usize>>) -> Self {
        let plan = plan(task, raw);
        let mut recorded = Self { task, raw: raw.clone(), shards: Vec::new(), frames: Vec::new() };
        for shard in shards {
            let stage = plan.stage_start(shard.start);
            let earlier = recorded.shards.iter().filter(|(first, _)| *first < stage);
            let earlier: Vec<&[u8]> = earlier.map(|(_, bytes)| &bytes[..]).collect();
            let values = task.check(raw).unwrap();
            let mut run = task.start(&values, shard.clone(), &store(), &earlier).unwrap();
            run.record();
            while run.advance() != Progress::Done {
                recorded.frames.extend(run.take_frames());
            }
            recorded.frames.extend(run.take_frames());
            recorded.shards.push((shard.start, run.snapshot()));
        }
        recorded
    }

    fn result(&self, parts: &[PartBytes]) -> Box<dyn ErasedResult> {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.2).collect();
        self.task.result(&self.task.check(&self.raw).unwrap(), &parts).unwrap()
    }

    fn parts(&self) -> Vec<PartBytes<'_>> {
        self.shards.iter().map(|(first, bytes)| (*first, 0, &bytes[..])).collect()
    }

    fn frame(&self, frame: &ReplayFrame) -> Box<dyn ErasedResult> {
        self.result(&frame.parts(&self.parts()))
    }
}

fn runs() -> impl Iterator<Item = (&'static dyn Task, Raw)> {
    every_task().filter(|(task, _)| task.meta().queue == Queue::Run)
}

#[test]
fn frames_do_not_depend_on_the_division_of_the_run() {
    for (task, raw) in runs() {
        let plan = plan(task, &raw);
        let one = Recorded::new(task, &raw, plan.stages());
        let places: Vec<_> = one.frames.iter().map(|frame| (frame.unit, frame.step, &frame.note)).collect();
        assert!(places.is_sorted_by_key(|(unit, step, _)| (unit, step)));
        for workers in [1, 8] {
            let other = Recorded::new(task, &raw, plan.shards(workers));
            let same: Vec<_> =
                other.frames.iter().map(|frame| (frame.unit, frame.step, &frame.note)).collect();
            assert_eq!(places, same, "{} in shards for {workers}", task.meta().id);
            for (a, b) in one.frames.iter().zip(&other.frames) {
                let (a, b) = (one.frame(a), other.frame(b));
                assert_eq!(a.figures(), b.figures(), "{} in shards for {workers}", task.meta().id);
            }
        }
    }
}

#[test]
fn the_last_frame_is_the_end_of_the_run() {
    for (task, raw) in runs() {
        let run = Recorded::new(task, &raw, plan(task, &raw).shards(2));
        let last = run.frames.last().unwrap_or_else(|| panic!("{} has no frames", task.meta().id));
        assert_eq!(run.frame(last).report(), run.result(&run.parts()).report(), "{}", task.meta().id);
    }
}

/// In each of these runs the first figure shows an iteration.
#[test]
fn a_replay_shows_the_iterations() {
    let pages = [
        ("feedforward", "runs=20", 15),
        ("feedforward.run", "", 20),
        ("gp.map", "", 8),
        ("mlp", "", 8),
        ("mlp.plane", "", 8),
        ("mlp.bands", "", 8),
        ("nfa", "", 15),
        ("nfa.moments_live", "", 15),
        ("sbn.bound", "networks=20", 8),
    ];
    for (id, query, least) in pages {
        let task = task(id).unwrap();
        let raw = Link::parse(&format!("#/{id}?{query}")).raw;
        let run = Recorded::new(task, &raw, plan(task, &raw).shards(2));
        let mut pictures: Vec<_> =
            run.frames.iter().filter_map(|frame| run.frame(frame).figures().into_iter().next()).collect();
        pictures.dedup_by(|a, b| a.marks == b.marks);
        assert!(pictures.len() >= least, "{id}: {} pictures of {} frames", pictures.len(), run.frames.len());
    }
}
