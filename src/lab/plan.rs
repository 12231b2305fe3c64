//! Division of a run into units, with their expected costs and stages.

use std::ops::Range;

/// Units of a run, numbered from 0. A unit can run on any worker. Units of a later stage begin when all units of the earlier stages
/// are done, and receive their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    groups: Vec<UnitGroup>,
    /// Approximate memory of one worker, in bytes.
    memory: u64,
}

/// Consecutive units of equal cost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct UnitGroup {
    units: usize,
    /// Expected work of each unit, in multiply–adds or another measure common to all plans of a task.
    cost: f64,
    stage: usize,
    /// Total number of frames of its units; `None` if proportional to the cost.
    frames: Option<f64>,
}

/// Approximate number of frames of a replay.
const FRAMES: f64 = 60.0;

/// Average number of shards per worker: a fast worker does not wait for a slow one, and little is lost if a worker fails.
const SHARDS_EACH: f64 = 8.0;

impl Plan {
    /// Returns a plan of `units` of equal cost.
    pub fn of(units: usize) -> Self {
        Self::default().and(units, 1.0)
    }

    /// Adds `units` of the given cost to the last stage.
    #[must_use]
    pub fn and(self, units: usize, cost: f64) -> Self {
        let stage = self.groups.last().map_or(0, |last| last.stage);
        self.with(UnitGroup { units, cost, stage, frames: None })
    }

    /// Adds a stage of `units` of the given cost, which need the results of all earlier units.
    #[must_use]
    pub fn then(self, units: usize, cost: f64) -> Self {
        let stage = self.groups.last().map_or(0, |last| last.stage + 1);
        self.with(UnitGroup { units, cost, stage, frames: None })
    }

    /// Multiplies all costs by a factor of at least 1, such as the cost of a step that depends on the settings.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.groups.iter_mut().for_each(|group| group.cost *= factor.max(1.0));
        self
    }

    /// Sets the approximate total number of replay frames for the units added last. By default it is proportional to their cost; set it
    /// if cheap units change the first figure.
    #[must_use]
    pub fn frames(mut self, frames: f64) -> Self {
        self.groups.iter_mut().last().into_iter().for_each(|group| group.frames = Some(frames));
        self
    }

    /// Returns the approximate number of frames of the units before `unit`.
    pub fn frames_before(&self, unit: usize) -> f64 {
        let total = self.cost(0..self.units());
        let share = |(first, group): (usize, UnitGroup)| {
            let units = unit.saturating_sub(first).min(group.units) as f64;
            let each = group.frames.map_or(FRAMES * group.cost / total, |all| all / group.units as f64);
            units * each
        };
        self.with_first().map(share).sum()
    }

    /// Sets the memory of one worker in bytes.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    fn with(mut self, group: UnitGroup) -> Self {
        debug_assert!(group.cost > 0.0 && group.cost.is_finite(), "a unit costs {}", group.cost);
        if group.units > 0 {
            self.groups.push(group);
        }
        self
    }

    /// Returns the number of units.
    pub fn units(&self) -> usize {
        self.groups.iter().map(|group| group.units).sum()
    }

    /// Returns the memory of one worker in bytes; 0 if it is small.
    pub fn memory_per_worker(&self) -> u64 {
        self.memory
    }

    /// Returns the groups with their first units.
    fn with_first(&self) -> impl Iterator<Item = (usize, UnitGroup)> {
        self.groups.iter().scan(0, |next, group| {
            let first = *next;
            *next += group.units;
            Some((first, *group))
        })
    }

    /// Returns the expected work of a range of units.
    pub fn cost(&self, units: Range<usize>) -> f64 {
        let shared = |first: usize, group: &UnitGroup| {
            units.end.min(first + group.units).saturating_sub(units.start.max(first))
        };
        self.with_first().map(|(first, group)| shared(first, &group) as f64 * group.cost).sum()
    }

    /// Returns the units of each stage.
    pub fn stages(&self) -> Vec<Range<usize>> {
        let mut stages: Vec<(usize, Range<usize>)> = Vec::new();
        for (first, group) in self.with_first() {
            let end = first + group.units;
            match stages.last_mut().filter(|(stage, _)| *stage == group.stage) {
                Some((_, units)) => units.end = end,
                None => stages.push((group.stage, first..end)),
            }
        }
        stages.into_iter().map(|(_, units)| units).collect()
    }

    /// Returns the first unit of the stage of `unit`, which needs the results of all earlier units.
    pub fn stage_start(&self, unit: usize) -> usize {
        self.stages().into_iter().find(|stage| stage.contains(&unit)).map_or(0, |stage| stage.start)
    }

    /// Divides all units into ranges of similar cost for `workers`, in order; none crosses the border of a stage.
    pub fn shards(&self, workers: usize) -> Vec<Range<usize>> {
        let mut shards = Vec::new();
        for stage in self.stages() {
            let share = self.cost(stage.clone()) / (workers.max(1) as f64 * SHARDS_EACH);
            let costs = self.groups.iter().flat_map(|s| std::iter::repeat_n(s.cost, s.units));
            let (mut first, mut sum) = (stage.start, 0.0);
            for (unit, cost) in costs.enumerate().skip(stage.start).take(stage.len()) {
                // A new shard begins if the unit would exceed the share by more than is missing without it.
                if unit > first && sum + 0.5 * cost > share {
                    shards.push(first..unit);
                    (first, sum) = (unit, 0.0);
                }
                sum += cost;
            }
            shards.push(first..stage.end);
        }
        shards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_unit_once() {
        for units in [0, 1, 2, 7, 8, 9, 200, 1801] {
            for workers in 0..=8 {
                let shards = Plan::of(units).shards(workers);
                assert!(shards.iter().all(|shard| !shard.is_empty()));
                let most = 2 * 8 * workers.max(1);
                assert!(shards.len() >= units.min(8 * workers) / 2 && shards.len() <= most, "{shards:?}");
                let covered: Vec<usize> = shards.into_iter().flatten().collect();
                assert_eq!(covered, (0..units).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_costly_unit_has_its_own_shard() {
        let plan = Plan::of(80).and(1, 50.0).and(20, 1.0);
        let shards = plan.shards(2);
        assert!(shards.contains(&(80..81)), "{shards:?}");
        assert_eq!((plan.units(), plan.cost(79..82), plan.cost(0..101)), (101, 52.0, 150.0));
        let larger = plan.times(3.0);
        assert_eq!((larger.cost(79..82), larger.shards(2)), (156.0, shards));
    }

    #[test]
    fn no_shard_crosses_the_border_of_a_stage() {
        let plan = Plan::of(3).and(2, 4.0).then(40, 0.5).then(1, 9.0);
        for workers in [1, 2, 8] {
            let shards = plan.shards(workers);
            assert!(
                shards.iter().all(|s| plan.stage_start(s.start) == plan.stage_start(s.end - 1)),
                "{shards:?}"
            );
            assert_eq!(shards.into_iter().flatten().count(), plan.units());
        }
        assert_eq!(plan.stages(), [0..5, 5..45, 45..46]);
        assert_eq!([0, 4, 5, 44, 45].map(|unit| plan.stage_start(unit)), [0, 0, 5, 5, 45]);
    }
}
