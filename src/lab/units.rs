//! The driver of every experiment: it takes the units of a shard one after the other through begin, step and finish, in
//! slices of a fixed amount of work, so that it can be watched, paused and stopped.

use std::ops::Range;

use super::plan::Plan;
use crate::data::Artefact;
use crate::math::Budget;

/// What a model's experiment does with a unit. The driver calls [`begin`](Self::begin) once, then [`step`](Self::step) until it
/// says that the unit is done; then comes the next unit.
pub trait Work {
    /// What can be seen of it.
    type Snapshot;

    /// Begins `unit`.
    fn begin(&mut self, unit: usize);
    /// One step of the unit that was begun last, whose work is taken from `budget`; `true` when the unit is done. A step is as
    /// small as the method allows (a sweep, a factorisation, a move of a chain): the driver stops between steps only, so a step
    /// that is much larger than a [slice](Budget::SLICE) delays pause and stop by as much.
    fn step(&mut self, budget: &mut Budget) -> bool;
    /// Fraction of the unit under way that is done, 0 to 1, as far as it is known.
    fn fraction(&self) -> f64;
    /// What is being done, in a few words (`α = 4, sweep 37`).
    fn note(&self) -> String;
    /// Whether the snapshot is worth drawing; once it is, it stays so. A task that follows controls and needs several slices for
    /// its first picture says `false` until it has it: till then the picture before stays.
    fn shown(&self) -> bool {
        true
    }
    /// What there is so far, with the rows of all finished units. Never changes the run.
    fn snapshot(&self) -> Self::Snapshot;
    /// What it has made since this was last asked, for other work to take: a trained network, a fitted state. Asked after
    /// every slice.
    fn artefacts(&mut self) -> Vec<Artefact> {
        Vec::new()
    }
}

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Not there yet.
    Running {
        /// Fraction of the expected work that is done, 0 to 1; it never falls.
        fraction: f64,
        /// What is being done, in a few words.
        note: String,
        /// See [`Work::shown`].
        shown: bool,
    },
    /// Nothing is left to do.
    Done,
}

/// An experiment over some units: resumable, in slices of about [`Budget::SLICE`].
pub struct Experiment<S> {
    work: Box<dyn Work<Snapshot = S>>,
    plan: Plan,
    units: Range<usize>,
    /// The unit under way or the next one, and whether it is begun.
    next: usize,
    begun: bool,
    fraction: f64,
}

impl<S> Experiment<S> {
    /// One that will take `work` through these units of `plan`.
    pub fn new(work: Box<dyn Work<Snapshot = S>>, plan: Plan, units: Range<usize>) -> Self {
        let next = units.start;
        Self { work, plan, units, next, begun: false, fraction: 0.0 }
    }

    /// Works for a slice. The first slice in which there is something to draw ends there, so that it is drawn at once.
    pub fn advance(&mut self) -> Progress {
        let mut budget = Budget::slice();
        let waits = !self.work.shown();
        while self.next < self.units.end {
            if !std::mem::replace(&mut self.begun, true) {
                self.work.begin(self.next);
            }
            if self.work.step(&mut budget) {
                self.next += 1;
                self.begun = false;
            }
            if budget.is_spent() || waits && self.work.shown() {
                break;
            }
        }
        if self.next >= self.units.end {
            return Progress::Done;
        }
        let under_way = if self.begun { self.work.fraction().clamp(0.0, 1.0) } else { 0.0 };
        let done = self.plan.cost(self.units.start..self.next)
            + under_way * self.plan.cost(self.next..self.next + 1);
        let fraction = done / self.plan.cost(self.units.clone());
        self.fraction = self.fraction.max(fraction).min(1.0);
        Progress::Running { fraction: self.fraction, note: self.work.note(), shown: self.work.shown() }
    }

    /// What there is so far. Never changes the run.
    pub fn snapshot(&self) -> S {
        self.work.snapshot()
    }

    /// See [`Work::artefacts`].
    pub fn artefacts(&mut self) -> Vec<Artefact> {
        self.work.artefacts()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit takes as many steps as its number says, and is drawn from its second step on.
    struct Toy {
        unit: usize,
        steps: usize,
        done: Vec<usize>,
    }

    impl Work for Toy {
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
        fn shown(&self) -> bool {
            self.steps > 1 || !self.done.is_empty()
        }
        fn snapshot(&self) -> Vec<usize> {
            self.done.clone()
        }
    }

    fn toy(units: Range<usize>) -> Experiment<Vec<usize>> {
        let plan = (0..6).fold(Plan::default(), |plan, unit| plan.and(1, f64::from(unit.max(1))));
        Experiment::new(Box::new(Toy { unit: 0, steps: 0, done: Vec::new() }), plan, units)
    }

    #[test]
    fn units_are_done_one_after_the_other_in_slices_of_equal_work() {
        let mut run = toy(2..6);
        let mut fractions = Vec::new();
        while let Progress::Running { fraction, .. } = run.advance() {
            fractions.push(fraction);
        }
        // Two steps a slice, 14 in all: the fraction is one of work and not of units.
        let even: Vec<f64> = (1..7).map(|slice| 2.0 * f64::from(slice) / 14.0).collect();
        assert!(fractions.iter().zip(&even).all(|(a, b)| (a - b).abs() < 1e-12), "{fractions:?}");
        assert_eq!((fractions.len(), run.snapshot()), (even.len(), vec![2, 3, 4, 5]));
        assert_eq!(run.advance(), Progress::Done);
    }

    #[test]
    fn the_first_picture_ends_its_slice() {
        let mut run = toy(5..6);
        let Progress::Running { shown, note, .. } = run.advance() else { panic!("done") };
        assert_eq!((shown, note.as_str()), (true, "step 2"));
    }

    #[test]
    fn no_units_are_done_at_once() {
        assert_eq!(toy(3..3).advance(), Progress::Done);
    }
}
