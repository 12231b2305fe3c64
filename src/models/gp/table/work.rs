//! The units of a run: those of the classifier, the folds of cross-validation, or the classes.

use std::mem;

use super::classifier::ClassifierWork;
use super::nested::NestedFit;
use super::rows::TableRows;
use super::units::{ClassifierUnit, Unit};
use super::{HyperparameterValues, OneVsRest, TableSnapshot, TableSpec};
use crate::lab::labelled_table::{Fold, held_out_rows};
use crate::lab::{Budget, Work};

/// A run under way.
pub struct TableWork {
    spec: TableSpec,
    classifier: ClassifierWork,
    unit: UnitWork,
    /// Finished folds and classes.
    done: TableSnapshot,
}

/// Work of the current unit.
enum UnitWork {
    Classifier,
    /// Held-out rows, and the fit to the others.
    Fold(Vec<usize>, NestedFit),
    /// Index of the class, and the fit of the class against the others.
    Class(usize, NestedFit),
    Empty,
}

impl TableWork {
    /// Prepares a run. `before` is the snapshot of the earlier stages.
    pub fn new(spec: TableSpec, rows: TableRows, before: Option<TableSnapshot>) -> Self {
        let before = before.map(|before| before.classifier);
        let classifier = ClassifierWork::new(spec.clone(), rows, before);
        Self { spec, classifier, unit: UnitWork::Empty, done: TableSnapshot::default() }
    }

    fn begin_fold(&self, fold: usize) -> UnitWork {
        let rows = self.classifier.rows();
        if self.spec.folds == 0 && !rows.table.test_labels.is_empty() {
            return UnitWork::Empty;
        }
        let held_out =
            held_out_rows(&rows.tau, &rows.groups, self.spec.planned_folds(), self.spec.seed, fold);
        let fit = NestedFit::new(&self.spec, rows.hold_out(&held_out), None);
        UnitWork::Fold(held_out, fit)
    }

    fn begin_class(&self, class: usize) -> UnitWork {
        let rows = self.classifier.rows();
        // The plan counts the words of the label, of which some may mean a missing value.
        let Some(labels) = rows.classes.as_ref().filter(|_| class < self.classes()) else {
            return UnitWork::Empty;
        };
        let rows = rows.one_vs_rest(labels, class);
        UnitWork::Class(class, NestedFit::new(&self.spec, rows, Some(ClassifierUnit::Baseline)))
    }

    /// Returns the number of classes if there are more than two, otherwise 0.
    fn classes(&self) -> usize {
        self.classifier.rows().classes.as_ref().map_or(0, |labels| labels.names.len())
    }

    fn one_vs_rest(&self, class: usize, fit: &NestedFit) -> OneVsRest {
        OneVsRest { class, of: self.classes(), classifier: fit.snapshot().clone() }
    }
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let unit = if self.classes() > 0 { Unit::Class(unit) } else { Unit::numbered(unit, &self.spec) };
        self.unit = match unit {
            Unit::Classifier(unit) => {
                self.classifier.begin(unit);
                UnitWork::Classifier
            }
            Unit::Fold(fold) => self.begin_fold(fold),
            Unit::Class(class) => self.begin_class(class),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = match &mut self.unit {
            UnitWork::Classifier => self.classifier.step(budget),
            UnitWork::Fold(_, fit) | UnitWork::Class(_, fit) => fit.step(budget),
            UnitWork::Empty => true,
        };
        if done {
            match mem::replace(&mut self.unit, UnitWork::Empty) {
                UnitWork::Fold(rows, fit) => self.done.folds.extend(fold(rows, &fit)),
                UnitWork::Class(class, fit) => self.done.classes.push(self.one_vs_rest(class, &fit)),
                UnitWork::Classifier | UnitWork::Empty => {}
            }
        }
        done
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            UnitWork::Classifier => self.classifier.fraction(),
            UnitWork::Fold(_, fit) | UnitWork::Class(_, fit) => fit.fraction(),
            UnitWork::Empty => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            UnitWork::Classifier => self.classifier.note(),
            UnitWork::Fold(..) => "cross-validation".to_owned(),
            UnitWork::Class(class, fit) => {
                format!("class {} of {}: {}", class + 1, self.classes(), fit.note())
            }
            UnitWork::Empty => String::new(),
        }
    }

    fn snapshot(&self) -> TableSnapshot {
        let mut snapshot =
            TableSnapshot { classifier: self.classifier.snapshot().clone(), ..self.done.clone() };
        if let UnitWork::Class(class, fit) = &self.unit {
            snapshot.classes.push(self.one_vs_rest(*class, fit));
        }
        snapshot
    }
}

/// Returns the fold with the predictions of its held-out rows.
fn fold(rows: Vec<usize>, fit: &NestedFit) -> Option<Fold<HyperparameterValues>> {
    let main = fit.snapshot().main.as_ref()?;
    let test = main.solution.as_ref().map(|solution| &solution.predictions.test);
    let p = test.map(|test| test.iter().map(|row| row.p).collect());
    Some(Fold { rows, p, hyper: main.solve.hyper })
}
