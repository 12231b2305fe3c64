//! Several units of a work as one, for a live task: what is drawn is always of all of them together.

use crate::lab::Work;
use crate::math::Budget;

/// Units 0, 1, … of a work, one after the other.
pub struct AsOne<W> {
    work: W,
    /// The unit under way, and how many there are.
    unit: usize,
    units: usize,
}

impl<W: Work> AsOne<W> {
    /// The first `units` of `work`, before the first of them.
    pub fn new(work: W, units: usize) -> Self {
        Self { work, unit: 0, units }
    }
}

impl<W: Work> Work for AsOne<W>
where
    W::Snapshot: Default,
{
    type Snapshot = W::Snapshot;

    fn begin(&mut self, _unit: usize) {
        self.unit = 0;
        self.work.begin(0);
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if self.work.step(budget) {
            self.unit += 1;
            if self.unit < self.units {
                self.work.begin(self.unit);
            }
        }
        self.shown()
    }

    fn fraction(&self) -> f64 {
        (self.unit as f64 + self.work.fraction()) / self.units as f64
    }

    fn note(&self) -> String {
        self.work.note()
    }

    /// Till all are done, the picture before stays.
    fn shown(&self) -> bool {
        self.unit >= self.units
    }

    fn snapshot(&self) -> W::Snapshot {
        if self.shown() { self.work.snapshot() } else { W::Snapshot::default() }
    }
}
