//! How the work of a run is divided: units, what each is expected to cost, and which wait for others.

use std::ops::Range;

/// The units of a run, numbered from 0. A unit can run on any worker; those of a later stage begin when all units of the
/// stages before are done, and are given their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    stretches: Vec<Stretch>,
    /// Bytes that one worker needs for this run, roughly.
    memory: u64,
}

/// Consecutive units of equal cost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    units: usize,
    /// Expected work of each, in multiply–adds or any other measure that is the same for all plans of a task.
    cost: f64,
    stage: usize,
}

/// Shards that each worker gets, on average: a fast worker does not wait for a slow one, and little is lost with one that dies.
const SHARDS_EACH: f64 = 8.0;

impl Plan {
    /// `units` that cost about the same.
    pub fn of(units: usize) -> Self {
        Self::default().and(units, 1.0)
    }

    /// And `units` more of the same stage that each cost `cost`.
    #[must_use]
    pub fn and(self, units: usize, cost: f64) -> Self {
        let stage = self.stretches.last().map_or(0, |last| last.stage);
        self.with(Stretch { units, cost, stage })
    }

    /// Then, in a stage of their own, `units` that need the results of all units before them and each cost `cost`.
    #[must_use]
    pub fn then(self, units: usize, cost: f64) -> Self {
        let stage = self.stretches.last().map_or(0, |last| last.stage + 1);
        self.with(Stretch { units, cost, stage })
    }

    /// The same with every cost multiplied: for units that were counted in something whose own size depends on the settings.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        self.stretches.iter_mut().for_each(|stretch| stretch.cost *= factor.max(1.0));
        self
    }

    /// The bytes that one worker needs, where they are many.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    fn with(mut self, stretch: Stretch) -> Self {
        debug_assert!(stretch.cost > 0.0 && stretch.cost.is_finite(), "a unit costs {}", stretch.cost);
        if stretch.units > 0 {
            self.stretches.push(stretch);
        }
        self
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.stretches.iter().map(|stretch| stretch.units).sum()
    }

    /// The bytes that one worker needs; 0 where that is not worth mentioning.
    pub fn bytes(&self) -> u64 {
        self.memory
    }

    /// The stretches with the first unit of each.
    fn placed(&self) -> impl Iterator<Item = (usize, Stretch)> {
        self.stretches.iter().scan(0, |next, stretch| {
            let first = *next;
            *next += stretch.units;
            Some((first, *stretch))
        })
    }

    /// Expected work of some of the units.
    pub fn cost(&self, units: Range<usize>) -> f64 {
        let shared = |first: usize, stretch: &Stretch| {
            units.end.min(first + stretch.units).saturating_sub(units.start.max(first))
        };
        self.placed().map(|(first, stretch)| shared(first, &stretch) as f64 * stretch.cost).sum()
    }

    /// The units of each stage.
    pub fn stages(&self) -> Vec<Range<usize>> {
        let mut stages: Vec<(usize, Range<usize>)> = Vec::new();
        for (first, stretch) in self.placed() {
            let end = first + stretch.units;
            match stages.last_mut().filter(|(stage, _)| *stage == stretch.stage) {
                Some((_, units)) => units.end = end,
                None => stages.push((stretch.stage, first..end)),
            }
        }
        stages.into_iter().map(|(_, units)| units).collect()
    }

    /// The first unit of the stage that `unit` belongs to: it needs the results of all units before that one.
    pub fn stage_of(&self, unit: usize) -> usize {
        self.stages().into_iter().find(|stage| stage.contains(&unit)).map_or(0, |stage| stage.start)
    }

    /// All units in ranges of about equal cost for `workers`, in their order; none reaches over the border of a stage.
    pub fn shards(&self, workers: usize) -> Vec<Range<usize>> {
        let mut shards = Vec::new();
        for stage in self.stages() {
            let share = self.cost(stage.clone()) / (workers.max(1) as f64 * SHARDS_EACH);
            let costs = self.stretches.iter().flat_map(|s| std::iter::repeat_n(s.cost, s.units));
            let (mut first, mut sum) = (stage.start, 0.0);
            for (unit, cost) in costs.enumerate().skip(stage.start).take(stage.len()) {
                // A unit that would exceed the share by more than it lacks begins another shard.
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
    fn a_costly_unit_is_a_shard_of_its_own() {
        let plan = Plan::of(80).and(1, 50.0).and(20, 1.0);
        let shards = plan.shards(2);
        assert!(shards.contains(&(80..81)), "{shards:?}");
        assert_eq!((plan.units(), plan.cost(79..82), plan.cost(0..101)), (101, 52.0, 150.0));
        let larger = plan.times(3.0);
        assert_eq!((larger.cost(79..82), larger.shards(2)), (156.0, shards));
    }

    #[test]
    fn no_shard_reaches_over_the_border_of_a_stage() {
        let plan = Plan::of(3).and(2, 4.0).then(40, 0.5).then(1, 9.0);
        for workers in [1, 2, 8] {
            let shards = plan.shards(workers);
            assert!(shards.iter().all(|s| plan.stage_of(s.start) == plan.stage_of(s.end - 1)), "{shards:?}");
            assert_eq!(shards.into_iter().flatten().count(), plan.units());
        }
        assert_eq!(plan.stages(), [0..5, 5..45, 45..46]);
        assert_eq!([0, 4, 5, 44, 45].map(|unit| plan.stage_of(unit)), [0, 0, 5, 5, 45]);
    }
}
