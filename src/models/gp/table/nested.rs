//! A classifier fitted within a unit: to some of the rows, or to one class against the others.

use super::classifier::ClassifierWork;
use super::rows::TableRows;
use super::searches::Search;
use super::units::ClassifierUnit;
use super::{Classifier, ClassifierSnapshot, HyperparameterValues, OfSettings, TableSolution, TableSpec};
use crate::lab::Budget;
use crate::lab::labelled_table::{ColumnEffect, Fold, PermutedProbabilities};

/// Units of a classifier, one after the other.
pub struct NestedFit {
    work: Box<ClassifierWork>,
    /// The units with their expected costs.
    units: Vec<(ClassifierUnit, f64)>,
    /// Number of units done.
    done: usize,
}

impl NestedFit {
    /// Prepares the `units`.
    pub fn new(spec: &TableSpec, rows: TableRows, units: Vec<ClassifierUnit>) -> Self {
        let count = rows.train.len();
        let units: Vec<_> = units.into_iter().map(|unit| (unit, unit.cost(spec, count))).collect();
        Self { work: Box::new(ClassifierWork::new(spec.clone(), rows, None)), units, done: 0 }.begun()
    }

    /// Begins the searches of a fold at the settings `origin`.
    fn beginning_at(mut self, origin: Option<HyperparameterValues>) -> Self {
        self.work = Box::new(self.work.with_origin(origin));
        self.begun()
    }

    /// Takes over the starts of a fit.
    #[must_use]
    pub fn after_starts(mut self, of: &ClassifierSnapshot) -> Self {
        self.work = Box::new(self.work.after_starts(of));
        self.begun()
    }

    fn begun(mut self) -> Self {
        self.units.first().into_iter().for_each(|(unit, _)| self.work.begin(*unit));
        self
    }

    /// Returns the expected cost in solves with all its training rows.
    fn cost(&self) -> f64 {
        self.units.iter().map(|(_, cost)| cost).sum()
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        if self.done < self.units.len() && self.work.step(budget) {
            self.done += 1;
            self.units.get(self.done).into_iter().for_each(|(unit, _)| self.work.begin(*unit));
        }
        self.done == self.units.len()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        if self.done == self.units.len() {
            return 1.0;
        }
        let cost = |units: &[(ClassifierUnit, f64)]| units.iter().map(|(_, cost)| cost).sum::<f64>();
        let current = self.units.get(self.done).map_or(0.0, |(_, cost)| cost * self.work.fraction());
        (cost(&self.units[..self.done]) + current) / cost(&self.units)
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        self.work.note()
    }

    /// Returns the results so far.
    pub fn snapshot(&self) -> &ClassifierSnapshot {
        self.work.snapshot()
    }
}

/// Fit to the rows of all folds but one.
pub struct FoldFit {
    /// Held-out rows, ascending.
    held_out: Vec<usize>,
    fit: NestedFit,
    /// The fit with one length scale, if relevances are fitted.
    one_length_scale: Option<NestedFit>,
}

impl FoldFit {
    /// Prepares the fit to the training rows without `held_out`. It begins at the settings fitted to all rows, if there are any: those of
    /// the fit, and those of the fit with one length scale.
    pub fn new(
        spec: &TableSpec,
        rows: &TableRows,
        held_out: Vec<usize>,
        [fitted, one]: [Option<HyperparameterValues>; 2],
    ) -> Self {
        let learnt = rows.hold_out(&held_out);
        let units = vec![ClassifierUnit::Fitted(Search::Fold)];
        let one_length_scale = spec
            .one_length_scale()
            .map(|spec| NestedFit::new(&spec, learnt.clone(), units).beginning_at(one));
        let fit = NestedFit::new(spec, learnt, ClassifierUnit::of_fold(spec)).beginning_at(fitted);
        Self { held_out, fit, one_length_scale }
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.fit.step(budget) && self.one_length_scale.as_mut().is_none_or(|one| one.step(budget))
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        let fits = || [&self.fit].into_iter().chain(&self.one_length_scale);
        let done: f64 = fits().map(|fit| fit.cost() * fit.fraction()).sum();
        done / fits().map(NestedFit::cost).sum::<f64>()
    }

    /// Returns `value` of each solution.
    fn of_settings<T: Clone + Default>(&self, value: impl Fn(&TableSolution) -> &T) -> OfSettings<T> {
        let of = |classifier: Option<&Classifier>| {
            let solution = classifier.and_then(|classifier| classifier.solution.as_ref());
            solution.map_or_else(T::default, |solution| value(solution).clone())
        };
        let snapshot = self.fit.snapshot();
        let one = self.one_length_scale.as_ref().and_then(|one| one.snapshot().fitted.as_ref());
        OfSettings {
            given: of(snapshot.given.as_ref()),
            one_length_scale: of(one),
            fitted: of(snapshot.fitted.as_ref().or(snapshot.given.as_ref())),
        }
    }

    /// Returns the effects of the columns on the held-out rows.
    pub fn effects(&self) -> OfSettings<Vec<ColumnEffect>> {
        self.of_settings(|solution| &solution.effects)
    }

    /// Returns the probabilities of the class for the held-out rows with permuted columns.
    fn permuted(&self) -> OfSettings<PermutedProbabilities> {
        self.of_settings(|solution| &solution.permuted)
    }

    /// Returns the fold with the predictions of its held-out rows.
    pub fn finish(self) -> Option<Fold<HyperparameterValues>> {
        let snapshot = self.fit.snapshot();
        let shown = snapshot.shown()?;
        let p = |classifier: &Classifier| -> Option<Vec<f64>> {
            Some(classifier.solution.as_ref()?.predictions.test.iter().map(|row| row.p).collect())
        };
        let given = snapshot.given.as_ref().filter(|_| snapshot.fitted.is_some());
        let one_length_scale =
            self.one_length_scale.as_ref().and_then(|one| p(one.snapshot().fitted.as_ref()?));
        // A fit without a solution has no predictions; those of the given settings are not its own.
        let (p, before_fit) = (p(snapshot.fitted.as_ref().unwrap_or(shown)), given.and_then(p));
        Some(Fold { hyper: shown.solve.hyper, p, before_fit, one_length_scale, rows: self.held_out })
    }
}

/// Work on one class against all others: the given units on all rows, then folds.
pub struct ClassFit {
    /// Index of the class.
    pub class: usize,
    spec: TableSpec,
    rows: TableRows,
    all: NestedFit,
    /// The fit with one length scale, if relevances are fitted; it begins after that.
    one_length_scale: Option<NestedFit>,
    /// Held-out rows of the remaining folds, in reverse order.
    remaining: Vec<Vec<usize>>,
    fold: Option<FoldFit>,
    folds: Vec<Fold<HyperparameterValues>>,
    permuted: Vec<OfSettings<PermutedProbabilities>>,
    /// Expected cost of a fold.
    fold_cost: f64,
}

impl ClassFit {
    /// Prepares the work on a class, with the `rows` of the class against all others and the held-out rows of each fold.
    pub fn new(
        spec: &TableSpec,
        class: usize,
        rows: TableRows,
        units: Vec<ClassifierUnit>,
        folds: Vec<Vec<usize>>,
    ) -> Self {
        let count = rows.train.len();
        let in_fold = |spec: &TableSpec, unit: ClassifierUnit| unit.cost(spec, count);
        let one = spec.one_length_scale().filter(|_| units != ClassifierUnit::OF_CLASS);
        let fold_cost =
            ClassifierUnit::of_fold(spec).into_iter().map(|unit| in_fold(spec, unit)).sum::<f64>()
                + one.as_ref().map_or(0.0, |one| in_fold(one, ClassifierUnit::Fitted(Search::Fold)));
        let last = vec![ClassifierUnit::Fitted(Search::AllRows)];
        Self {
            class,
            spec: spec.clone(),
            all: NestedFit::new(spec, rows.clone(), units),
            one_length_scale: one.map(|one| NestedFit::new(&one, rows.clone(), last)),
            rows,
            remaining: folds.into_iter().rev().collect(),
            fold: None,
            folds: Vec::new(),
            permuted: Vec::new(),
            fold_cost,
        }
    }

    /// Makes a step of the fits to all rows; returns true after the last.
    fn step_all(&mut self, budget: &mut Budget) -> bool {
        if self.all.done < self.all.units.len() {
            let done = self.all.step(budget);
            if done && let Some(one) = self.one_length_scale.take() {
                self.one_length_scale = Some(one.after_starts(self.all.snapshot()));
                return false;
            }
            return done;
        }
        self.one_length_scale.as_mut().is_none_or(|one| one.step(budget))
    }

    /// Makes a step; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let done = match &mut self.fold {
            Some(fold) => fold.step(budget),
            None => self.step_all(budget),
        };
        if !done {
            return false;
        }
        if let Some(fold) = self.fold.take() {
            let permuted = fold.permuted();
            if let Some(fold) = fold.finish() {
                self.folds.push(fold);
                self.permuted.push(permuted);
            }
        }
        let fitted = self.snapshot().fold_origins();
        self.fold =
            self.remaining.pop().map(|held_out| FoldFit::new(&self.spec, &self.rows, held_out, fitted));
        self.fold.is_none()
    }

    /// Returns the fraction done, an estimate.
    pub fn fraction(&self) -> f64 {
        let fits = || [&self.all].into_iter().chain(&self.one_length_scale);
        let (all, each) = (fits().map(NestedFit::cost).sum::<f64>(), self.fold_cost);
        let folds = self.folds.len() + usize::from(self.fold.is_some()) + self.remaining.len();
        let done = match &self.fold {
            None => fits().map(|fit| fit.cost() * fit.fraction()).sum(),
            Some(fold) => all + each * (self.folds.len() as f64 + fold.fraction()),
        };
        done / (all + each * folds as f64)
    }

    /// Describes the current step.
    pub fn note(&self) -> String {
        match &self.one_length_scale {
            _ if self.fold.is_some() => "cross-validation".to_owned(),
            Some(one) if self.all.done == self.all.units.len() => format!("one length scale: {}", one.note()),
            _ => self.all.note(),
        }
    }

    /// Returns the results of all rows so far.
    pub fn snapshot(&self) -> ClassifierSnapshot {
        let one = self.one_length_scale.as_ref().and_then(|one| one.snapshot().fitted.clone());
        ClassifierSnapshot { one_length_scale: one, ..self.all.snapshot().clone() }
    }

    /// Returns the probabilities of the held-out rows of the finished folds with permuted columns.
    pub fn permuted(&self) -> &[OfSettings<PermutedProbabilities>] {
        &self.permuted
    }

    /// Returns the finished folds.
    pub fn folds(&self) -> &[Fold<HyperparameterValues>] {
        &self.folds
    }
}
