//! Driver of experiments: computes the units of a shard one after the other, in slices of a fixed amount of work between which it
//! can be watched, paused and stopped.

use std::ops::Range;

use serde::Serialize;
use serde_bytes::ByteBuf;

use super::bytes::encode;
use super::plan::Plan;
use super::replay::{FrameSchedule, ReplayFrame};
use crate::data::Artefact;
use crate::math::Budget;

/// The solver of a task as the driver sees it. The driver calls [`begin`](Self::begin) once for a unit, then [`step`](Self::step) until it returns
/// true, and proceeds to the next unit.
pub trait Work {
    /// Results so far.
    type Snapshot;

    /// Begins a unit.
    fn begin(&mut self, unit: usize);
    /// Makes one step of the current unit and subtracts its work from `budget`. Returns true if the unit is done. A step is as small
    /// as the method permits (a sweep, a factorisation, a move of a chain): the driver pauses and stops only between steps.
    fn step(&mut self, budget: &mut Budget) -> bool;
    /// Returns the estimated fraction of the current unit that is done, 0 to 1.
    fn fraction(&self) -> f64;
    /// Describes the current work in a few words (`α = 4, sweep 37`).
    fn note(&self) -> String;
    /// Returns true if the snapshot can be drawn; once true, it stays true. A live task that needs several slices for its first
    /// picture returns false until then, and the previous picture remains.
    fn is_drawable(&self) -> bool {
        true
    }
    /// Returns the results so far, with the rows of all finished units. Does not change the run.
    fn snapshot(&self) -> Self::Snapshot;
    /// Returns the results so far as a frame of a replay; `None` if there is nothing new to see. A live task whose picture needs the
    /// whole solve returns the picture of the iterate here.
    fn frame(&self) -> Option<Self::Snapshot> {
        self.is_drawable().then(|| self.snapshot())
    }
    /// Prepares for a recorded run; called before its first unit. A live task that solves in one step then makes each iteration a step.
    fn record(&mut self) {}
    /// Takes the artefacts made since the last call, such as a trained network or a fitted state. Called after every slice.
    fn take_artefacts(&mut self) -> Vec<Artefact> {
        Vec::new()
    }
}

/// Progress of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Not finished.
    Running {
        /// Fraction of the expected work that is done, 0 to 1; never decreases.
        fraction: f64,
        /// Description of the current work.
        note: String,
        /// True if there is something to draw, see [`Work::is_drawable`].
        shown: bool,
    },
    /// Finished.
    Done,
}

/// An experiment over a range of units, resumable between slices of about [`Budget::SLICE`].
pub struct Experiment<S> {
    work: Box<dyn Work<Snapshot = S>>,
    plan: Plan,
    units: Range<usize>,
    /// Current or next unit.
    next: usize,
    /// True if it has begun.
    begun: bool,
    fraction: f64,
    /// Steps of the current unit that are recorded; `None` if the run is not recorded.
    schedule: Option<FrameSchedule>,
    /// Frames since they were last taken.
    frames: Vec<ReplayFrame>,
    /// The encoded snapshot of the last frame of the current unit, at first of its beginning; empty without one.
    last_frame: Vec<u8>,
}

impl<S: Serialize> Experiment<S> {
    /// Returns an experiment over these units of `plan`.
    pub fn new(work: Box<dyn Work<Snapshot = S>>, plan: Plan, units: Range<usize>) -> Self {
        let next = units.start;
        Self {
            work,
            plan,
            units,
            next,
            begun: false,
            fraction: 0.0,
            schedule: None,
            frames: Vec::new(),
            last_frame: Vec::new(),
        }
    }

    /// Records frames from now on: of a unit with several frames, after the smallest steps that the method permits. Frames do not
    /// depend on the division of the run into shards and slices.
    pub fn record(&mut self) {
        self.work.record();
        self.schedule = Some(FrameSchedule::default());
    }

    /// Takes the frames recorded since the last call.
    pub fn take_frames(&mut self) -> Vec<ReplayFrame> {
        std::mem::take(&mut self.frames)
    }

    /// Computes a slice. The slice with the first drawable snapshot ends there, so that it is drawn at once.
    pub fn advance(&mut self) -> Progress {
        let mut budget = Budget::slice();
        let hidden = !self.work.is_drawable();
        while self.next < self.units.end {
            if !std::mem::replace(&mut self.begun, true) {
                self.work.begin(self.next);
                self.schedule = self.schedule.as_ref().map(|_| FrameSchedule::of(&self.plan, self.next));
                self.last_frame = self
                    .schedule
                    .as_ref()
                    .and_then(|_| self.work.frame())
                    .as_ref()
                    .map(encode)
                    .unwrap_or_default();
            }
            if self.schedule.as_ref().is_some_and(FrameSchedule::by_step) {
                budget.begin_step();
            }
            let done = self.work.step(&mut budget);
            budget.end_step();
            self.record_step(done);
            if done {
                self.next += 1;
                self.begun = false;
            }
            if budget.is_spent() || hidden && self.work.is_drawable() {
                break;
            }
        }
        if self.next >= self.units.end {
            return Progress::Done;
        }
        let current = if self.begun { self.work.fraction().clamp(0.0, 1.0) } else { 0.0 };
        let done =
            self.plan.cost(self.units.start..self.next) + current * self.plan.cost(self.next..self.next + 1);
        let fraction = done / self.plan.cost(self.units.clone());
        self.fraction = self.fraction.max(fraction).min(1.0);
        Progress::Running { fraction: self.fraction, note: self.work.note(), shown: self.work.is_drawable() }
    }

    /// Records a frame after a step, if it is one of those that are recorded and differs from the last one of its unit and from its
    /// beginning.
    fn record_step(&mut self, done: bool) {
        if let Some(schedule) = &mut self.schedule
            && schedule.next_step(done)
            && let Some(snapshot) = self.work.frame()
        {
            schedule.mark_recorded();
            let snapshot = encode(&snapshot);
            if done || self.last_frame != snapshot {
                let note = if done { String::new() } else { self.work.note() };
                self.last_frame.clone_from(&snapshot);
                let (unit, step, snapshot) = (self.next, schedule.step(), ByteBuf::from(snapshot));
                self.frames.push(ReplayFrame { unit, step, note, snapshot });
            }
        }
    }

    /// Returns the results so far. Does not change the run.
    pub fn snapshot(&self) -> S {
        self.work.snapshot()
    }

    /// Takes new artefacts; see [`Work::take_artefacts`].
    pub fn take_artefacts(&mut self) -> Vec<Artefact> {
        self.work.take_artefacts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An experiment whose unit n takes n steps and can be drawn from the second step.
    struct CountedWork {
        unit: usize,
        steps: usize,
        done: Vec<usize>,
    }

    impl Work for CountedWork {
        type Snapshot = Vec<usize>;
        fn begin(&mut self, unit: usize) {
            (self.unit, self.steps) = (unit, 0);
        }
        fn step(&mut self, budget: &mut Budget) -> bool {
            budget.spend(Budget::SLICE / 2);
            self.steps += 1;
            let done = self.steps == self.unit;
            if done {
                self.done.push(self.unit);
            }
            done
        }
        fn fraction(&self) -> f64 {
            self.steps as f64 / self.unit as f64
        }
        fn note(&self) -> String {
            format!("step {}", self.steps)
        }
        fn is_drawable(&self) -> bool {
            self.steps > 1 || !self.done.is_empty()
        }
        fn snapshot(&self) -> Vec<usize> {
            self.done.clone()
        }
    }

    fn experiment(units: Range<usize>) -> Experiment<Vec<usize>> {
        let plan = (0..6).fold(Plan::default(), |plan, unit| plan.and(1, f64::from(unit.max(1))));
        Experiment::new(Box::new(CountedWork { unit: 0, steps: 0, done: Vec::new() }), plan, units)
    }

    #[test]
    fn units_are_computed_in_order_in_slices_of_equal_work() {
        let mut run = experiment(2..6);
        let mut fractions = Vec::new();
        while let Progress::Running { fraction, .. } = run.advance() {
            fractions.push(fraction);
        }
        // Two steps per slice, 14 in total: the fraction is one of work, not of units.
        let even: Vec<f64> = (1..7).map(|slice| 2.0 * f64::from(slice) / 14.0).collect();
        assert!(fractions.iter().zip(&even).all(|(a, b)| (a - b).abs() < 1e-12), "{fractions:?}");
        assert_eq!((fractions.len(), run.snapshot()), (even.len(), vec![2, 3, 4, 5]));
        assert_eq!(run.advance(), Progress::Done);
    }

    #[test]
    fn the_first_picture_ends_its_slice() {
        let mut run = experiment(5..6);
        let Progress::Running { shown, note, .. } = run.advance() else { panic!("done") };
        assert_eq!((shown, note.as_str()), (true, "step 2"));
    }

    #[test]
    fn no_units_need_no_slice() {
        assert_eq!(experiment(3..3).advance(), Progress::Done);
    }
}
