//! Frames of a run for its replay: snapshots after certain steps, the same however the run is divided among workers.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::bytes::PartBytes;
use super::plan::Plan;

/// Step number of a frame at the end of a unit. The total number of steps may depend on the shard: the first unit that needs the exact
/// posterior computes it.
pub const LAST_STEP: u32 = u32::MAX;

/// A snapshot of a shard after a step of one of its units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayFrame {
    /// The unit.
    pub unit: usize,
    /// Number of its steps so far, counted from 1; [`LAST_STEP`] at its end.
    pub step: u32,
    /// Description of the work in progress (`α = 4, sweep 37`); empty at the end of a unit.
    pub note: String,
    /// The encoded snapshot of the shard.
    pub snapshot: ByteBuf,
}

impl ReplayFrame {
    /// Returns the parts of the run at this frame: the final snapshots of the shards before that of the frame, and its own. `shards`
    /// are the parts of the finished run, in the order of their units.
    pub fn parts<'a>(&'a self, shards: &[PartBytes<'a>]) -> Vec<PartBytes<'a>> {
        let mut parts: Vec<_> = shards.iter().take_while(|part| part.0 <= self.unit).copied().collect();
        if let Some(own) = parts.last_mut() {
            // No other part of this shard has this stamp: those of a run count its results.
            let stamp = (1 << 63) | ((self.unit as u64) << 32) | u64::from(self.step);
            *own = (own.0, stamp, self.snapshot.as_slice());
        }
        parts
    }
}

/// Schedule of the recorded steps of one unit, derived from its number of frames in the plan. If it has several frames, the first
/// steps are all recorded and later ones at growing intervals, because an iteration changes most at first and its length is not known
/// in advance. Otherwise only the end of the unit is recorded, or nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FrameSchedule {
    step: u32,
    next: u32,
    /// Number of initial steps that are all recorded; 0 if only the last step is.
    consecutive: u32,
    /// True if the end of the unit is recorded.
    end: bool,
}

impl FrameSchedule {
    /// Returns the schedule of a unit of a plan.
    pub fn of(plan: &Plan, unit: usize) -> Self {
        let (before, after) = (plan.frames_before(unit), plan.frames_before(unit + 1));
        let share = after - before;
        let consecutive = if share < 2.0 { 0 } else { (share / 8.0).ceil() as u32 };
        let last = unit + 1 == plan.units();
        Self { step: 0, next: 1, consecutive, end: last || after.floor() > before.floor() }
    }

    /// Returns true if steps of the unit are recorded, not only its end.
    pub fn by_step(&self) -> bool {
        self.consecutive > 0
    }

    /// Counts a step; returns true if a frame is due.
    pub fn next_step(&mut self, done: bool) -> bool {
        if done {
            self.step = LAST_STEP;
            return self.end;
        }
        self.step += 1;
        self.by_step() && self.step >= self.next
    }

    /// Marks the due frame as recorded. Without this call it remains due.
    pub fn mark_recorded(&mut self) {
        if self.step < LAST_STEP {
            self.next = self.step + 1 + self.step / self.consecutive.max(1);
        }
    }

    /// Returns the number of steps so far, or [`LAST_STEP`].
    pub fn step(&self) -> u32 {
        self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(plan: &Plan, unit: usize, steps: u32) -> Vec<u32> {
        let mut schedule = FrameSchedule::of(plan, unit);
        let mut is_recorded = |step: &u32| {
            schedule.next_step(*step == steps) && {
                schedule.mark_recorded();
                true
            }
        };
        (1..=steps).filter(|step| is_recorded(step)).collect()
    }

    #[test]
    fn a_long_iteration_is_recorded_at_growing_distances() {
        let steps = recorded(&Plan::of(1), 0, 10_000);
        assert_eq!(&steps[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(steps.last(), Some(&10_000));
        assert!((40..=80).contains(&steps.len()), "{} frames", steps.len());
        assert!(steps.windows(2).all(|pair| pair[1] - pair[0] <= 1 + pair[0] / 8), "{steps:?}");
    }

    #[test]
    fn a_run_of_many_units_has_about_sixty_frames_at_their_ends() {
        for units in [61, 200, 5000] {
            let plan = Plan::of(units);
            let frames: Vec<usize> = (0..units).filter(|unit| recorded(&plan, *unit, 9) == [9]).collect();
            assert!((59..=61).contains(&frames.len()), "{} frames of {units} units", frames.len());
            assert_eq!(frames.last(), Some(&(units - 1)));
        }
    }

    #[test]
    fn a_few_units_share_the_frames_according_to_their_costs() {
        let plan = Plan::of(1).and(3, 10.0);
        assert_eq!(recorded(&plan, 0, 100), [100]);
        let of_unit: Vec<usize> = (1..4).map(|unit| recorded(&plan, unit, 200).len()).collect();
        assert!(of_unit.iter().all(|frames| (10..=24).contains(frames)), "{of_unit:?}");
    }
}
