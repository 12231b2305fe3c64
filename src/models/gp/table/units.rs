//! Units of a run in their order.

use super::TableSpec;
use super::searches::Search;

/// A unit of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// A unit of the classifier of two classes.
    Classifier(ClassifierUnit),
    /// The fit with one length scale, beside that of relevances.
    OneLengthScale,
    /// A fold of cross-validation.
    Fold(usize),
    /// The partial dependence on the columns.
    Dependence,
    /// A class against all others, with the given settings.
    Class(usize),
    /// The fit of a class against all others, and its folds.
    ClassFit(usize),
}

/// A unit of a classifier of two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassifierUnit {
    /// The classifier with the given settings.
    Given,
    /// A start of the fit.
    Start(usize),
    /// The classifier with another σ².
    Scan(f64),
    /// Logistic regression.
    Baseline,
    /// The last search of the fit, and the classifier with the fitted settings.
    Fitted(Search),
    /// Retraining without a row of the file.
    LeaveOut(usize),
}

impl Unit {
    /// Returns the unit of that number with two classes. `UserTable::plan` has the same order.
    pub fn numbered(unit: usize, spec: &TableSpec) -> Self {
        let first = ClassifierUnit::first(spec);
        if let Some(unit) = first.get(unit) {
            return Self::Classifier(*unit);
        }
        let (after, beside) = (unit - first.len(), usize::from(spec.one_length_scale().is_some()));
        let planned = spec.planned_folds();
        match after.checked_sub(beside) {
            None => Self::OneLengthScale,
            Some(fold) if fold < planned => Self::Fold(fold),
            Some(fold) if fold == planned => Self::Dependence,
            Some(after) => Self::Classifier(ClassifierUnit::LeaveOut(after - planned - 1)),
        }
    }
}

impl Unit {
    /// Returns the unit of that number with `classes` classes, more than two.
    pub fn of_classes(unit: usize, classes: usize, spec: &TableSpec) -> Self {
        let has_fits = spec.is_tuned() || spec.planned_folds() > 0;
        match unit / classes.max(1) {
            0 => Self::Class(unit),
            1 if has_fits => Self::ClassFit(unit - classes),
            _ => Self::Dependence,
        }
    }
}

impl ClassifierUnit {
    /// The units of one class against all others that come first.
    pub const OF_CLASS: [Self; 2] = [Self::Given, Self::Baseline];

    /// Returns all units before the folds: those of the first stage, and the fitted classifier.
    pub fn first(spec: &TableSpec) -> Vec<Self> {
        let mut units = vec![Self::Given];
        units.extend((0..spec.starts()).map(Self::Start));
        units.extend(spec.sigma2_grid.iter().copied().map(Self::Scan));
        units.push(Self::Baseline);
        units.extend((spec.starts() > 0).then_some(Self::Fitted(Search::AllRows)));
        units
    }

    /// Returns the units of the fit of one class against all others.
    pub fn of_class_fit(spec: &TableSpec) -> Vec<Self> {
        let is_fit = |unit: &Self| matches!(unit, Self::Start(_) | Self::Fitted(_));
        Self::first(spec).into_iter().filter(is_fit).collect()
    }

    /// Returns the units of a fold.
    pub fn of_fold(spec: &TableSpec) -> Vec<Self> {
        let fitted = spec.is_tuned().then_some(Self::Fitted(Search::Fold));
        [Self::Given].into_iter().chain(fitted).collect()
    }

    /// Returns the expected cost in solves with all `rows` training rows.
    pub fn cost(self, spec: &TableSpec, rows: usize) -> f64 {
        match self {
            Self::Start(start) => Search::Start(start).cost(spec, rows),
            Self::Fitted(search) => 1.0 + search.cost(spec, rows),
            Self::Given | Self::Scan(_) | Self::Baseline | Self::LeaveOut(_) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ClassifierUnit::{Baseline, Fitted, Given, LeaveOut, Scan, Start};
    use super::Unit::{Classifier, Dependence, Fold, OneLengthScale};
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn every_unit_occurs_once() {
        let units = |pairs: &[(&'static str, &str)]| -> Vec<Unit> {
            let raw = raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
            let spec = Checked::<TableSpec>::new(&raw).unwrap();
            (0..10).map(|unit| Unit::numbered(unit, &spec)).collect()
        };
        let plain = units(&[("sigma2_grid", "1,2"), ("folds", "2")]);
        let first = [Given, Scan(1.0), Scan(2.0), Baseline].map(Classifier);
        assert_eq!(plain[..4], first);
        assert_eq!(plain[4..8], [Fold(0), Fold(1), Dependence, Classifier(LeaveOut(0))]);
        let fitted = units(&[("sigma2_grid", "1"), ("fit", "evidence")]);
        let starts = fitted.iter().filter(|unit| matches!(unit, Classifier(Start(_)))).count();
        assert_eq!((fitted[0], fitted[starts]), (Classifier(Given), Classifier(Start(starts - 1))));
        assert_eq!(
            fitted[starts + 1..starts + 5],
            [Classifier(Scan(1.0)), Classifier(Baseline), Classifier(Fitted(Search::AllRows)), Fold(0)]
        );
        let relevances = units(&[("fit", "evidence"), ("fit_ard", "true")]);
        assert_eq!(
            relevances[starts + 1..starts + 5],
            [Classifier(Baseline), Classifier(Fitted(Search::AllRows)), OneLengthScale, Fold(0)]
        );
    }
}
