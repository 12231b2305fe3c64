//! Units of a run in their order.

use super::TableSpec;

/// A unit of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// A unit of the classifier of two classes.
    Classifier(ClassifierUnit),
    /// A fold of cross-validation.
    Fold(usize),
    /// A class against all others.
    Class(usize),
}

/// A unit of a classifier of two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClassifierUnit {
    /// A start of the fit.
    Start(usize),
    /// The classifier with the given or fitted settings.
    Main,
    /// The classifier with another σ².
    Scan(f64),
    /// Logistic regression.
    Baseline,
    /// Retraining without a row of the file.
    LeaveOut(usize),
}

impl Unit {
    /// Returns the unit of that number with two classes. `UserTable::plan` has the same order: without a fit the classifier comes
    /// first, with one after the scan.
    pub fn numbered(unit: usize, spec: &TableSpec) -> Self {
        let (starts, grid) = (spec.starts(), &spec.sigma2_grid);
        let (scan, main) = if starts == 0 { (1, 0) } else { (starts, starts + grid.len() + 1) };
        let folds = starts + grid.len() + 2;
        Self::Classifier(match unit {
            unit if unit == main => ClassifierUnit::Main,
            unit if unit < scan => ClassifierUnit::Start(unit),
            unit if unit < scan + grid.len() => ClassifierUnit::Scan(grid[unit - scan]),
            unit if unit == scan + grid.len() => ClassifierUnit::Baseline,
            unit if unit < folds + spec.planned_folds() => return Self::Fold(unit - folds),
            unit => ClassifierUnit::LeaveOut(unit - folds - spec.planned_folds()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ClassifierUnit::{Baseline, LeaveOut, Main, Scan, Start};
    use super::Unit::{Classifier, Fold};
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn every_unit_occurs_once() {
        let units = |pairs: &[(&'static str, &str)]| -> Vec<Unit> {
            let raw = raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
            let spec = Checked::<TableSpec>::new(&raw).unwrap();
            (0..8).map(|unit| Unit::numbered(unit, &spec)).collect()
        };
        let plain = units(&[("sigma2_grid", "1,2"), ("folds", "2")]);
        let first = [Main, Scan(1.0), Scan(2.0), Baseline].map(Classifier);
        assert_eq!(plain[..4], first);
        assert_eq!(plain[4..7], [Fold(0), Fold(1), Classifier(LeaveOut(0))]);
        let fitted = units(&[("sigma2_grid", "1"), ("fit", "evidence")]);
        let starts = fitted.iter().take_while(|unit| matches!(unit, Classifier(Start(_)))).count();
        assert_eq!(
            fitted[starts..starts + 4],
            [Classifier(Scan(1.0)), Classifier(Baseline), Classifier(Main), Fold(0)]
        );
    }
}
