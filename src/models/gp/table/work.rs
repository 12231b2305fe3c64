//! The units of a run: those of the classifier, the folds of cross-validation, or the classes.

use std::mem;

use super::classifier::ClassifierWork;
use super::dependence::DependenceWork;
use super::nested::{ClassFit, FoldFit, NestedFit};
use super::rows::TableRows;
use super::searches::Search;
use super::units::{ClassifierUnit, Unit};
use super::{OneVsRest, TableSnapshot, TableSpec};
use crate::lab::labelled_table::{COMPARED_FOLDS, Untuned, held_out_rows};
use crate::lab::{Budget, Work};

/// A run under way.
pub struct TableWork {
    spec: TableSpec,
    /// Number of classes in the plan, which counts words of the label that may mean a missing value.
    planned_classes: usize,
    classifier: ClassifierWork,
    unit: UnitWork,
    /// Results of the earlier stages.
    before: TableSnapshot,
    /// Finished folds, classes and curves.
    done: TableSnapshot,
}

/// Work of the current unit.
enum UnitWork {
    Classifier,
    OneLengthScale(Box<NestedFit>),
    Fold(Box<FoldFit>),
    Class(Box<ClassFit>),
    Dependence(Box<DependenceWork>),
    Empty,
}

impl TableWork {
    /// Prepares a run whose plan has `planned_classes` classes. `before` is the snapshot of the earlier stages.
    pub fn new(
        spec: TableSpec,
        planned_classes: usize,
        rows: TableRows,
        before: Option<TableSnapshot>,
    ) -> Self {
        let before = before.unwrap_or_default();
        let classifier = ClassifierWork::new(spec.clone(), rows, Some(before.classifier.clone()));
        let done = TableSnapshot::default();
        Self { spec, planned_classes, classifier, unit: UnitWork::Empty, before, done }
    }

    /// Sets the reason why the settings are not tuned automatically, for the snapshots.
    #[must_use]
    pub fn with_untuned(mut self, untuned: Option<Untuned>) -> Self {
        self.done.untuned = untuned;
        self
    }

    /// Returns the rows that are held out in a fold; `None` if the fold was not requested, there are test rows, and it compares no settings.
    fn held_out(&self, labels: &[f64], fold: usize) -> Option<Vec<usize>> {
        let (rows, spec) = (self.classifier.rows(), &self.spec);
        let is_needed = spec.shows_folds(&rows.table) || spec.is_tuned() && fold < COMPARED_FOLDS;
        is_needed.then(|| held_out_rows(labels, &rows.groups, spec.planned_folds(), spec.seed, fold))
    }

    fn begin_fold(&self, fold: usize) -> UnitWork {
        let rows = self.classifier.rows();
        let held_out = self.held_out(&rows.tau, fold);
        let fitted = self.classifier.before().fold_origins();
        held_out.map_or(UnitWork::Empty, |held_out| {
            UnitWork::Fold(Box::new(FoldFit::new(&self.spec, rows, held_out, fitted)))
        })
    }

    fn begin_one_length_scale(&self) -> UnitWork {
        let Some(spec) = self.spec.one_length_scale() else { return UnitWork::Empty };
        let units = vec![ClassifierUnit::Fitted(Search::AllRows)];
        let fit = NestedFit::new(&spec, self.classifier.rows().clone(), units);
        UnitWork::OneLengthScale(Box::new(fit.after_starts(self.classifier.before())))
    }

    /// Begins the first work on a class, or its fit and folds.
    fn begin_class(&self, class: usize, is_fit: bool) -> UnitWork {
        let rows = self.classifier.rows();
        let Some(labels) = rows.classes.as_ref().filter(|_| class < self.classes()) else {
            return UnitWork::Empty;
        };
        let numbers: Vec<f64> = labels.train.iter().map(|class| *class as f64).collect();
        let (units, folds) = if is_fit {
            let folds = (0..self.spec.planned_folds()).filter_map(|fold| self.held_out(&numbers, fold));
            (ClassifierUnit::of_class_fit(&self.spec), folds.collect())
        } else {
            (ClassifierUnit::OF_CLASS.to_vec(), Vec::new())
        };
        let fit = ClassFit::new(&self.spec, class, rows.one_vs_rest(labels, class), units, folds);
        UnitWork::Class(Box::new(fit))
    }

    /// Returns the number of classes if there are more than two, otherwise 0.
    fn classes(&self) -> usize {
        self.classifier.rows().classes.as_ref().map_or(0, |labels| labels.names.len())
    }

    fn one_vs_rest(&self, fit: &ClassFit) -> OneVsRest {
        let (classifier, folds) = (fit.snapshot(), fit.folds().to_vec());
        let fold_permuted = fit.permuted().to_vec();
        OneVsRest { class: fit.class, of: self.classes(), classifier, folds, fold_permuted }
    }
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let unit = match self.classes() {
            0 => Unit::numbered(unit, &self.spec),
            _ => Unit::of_classes(unit, self.planned_classes, &self.spec),
        };
        self.unit = match unit {
            Unit::Classifier(unit) => {
                self.classifier.begin(unit);
                UnitWork::Classifier
            }
            Unit::OneLengthScale => self.begin_one_length_scale(),
            Unit::Fold(fold) => self.begin_fold(fold),
            Unit::Class(class) => self.begin_class(class, false),
            Unit::ClassFit(class) => self.begin_class(class, true),
            Unit::Dependence => {
                let rows = self.classifier.rows();
                UnitWork::Dependence(Box::new(DependenceWork::new(&self.spec, rows, &self.before)))
            }
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let done = match &mut self.unit {
            UnitWork::Classifier => self.classifier.step(budget),
            UnitWork::OneLengthScale(fit) => fit.step(budget),
            UnitWork::Fold(fit) => fit.step(budget),
            UnitWork::Class(fit) => fit.step(budget),
            UnitWork::Dependence(work) => work.step(budget),
            UnitWork::Empty => true,
        };
        if done {
            match mem::replace(&mut self.unit, UnitWork::Empty) {
                UnitWork::OneLengthScale(fit) => {
                    self.done.classifier.one_length_scale.clone_from(&fit.snapshot().fitted);
                }
                UnitWork::Fold(fit) => {
                    self.done.fold_effects.push(fit.effects());
                    self.done.folds.extend(fit.finish());
                }
                UnitWork::Class(fit) => self.done.classes.push(self.one_vs_rest(&fit)),
                UnitWork::Dependence(work) => self.done.dependence = work.finish(),
                UnitWork::Classifier | UnitWork::Empty => {}
            }
        }
        done
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            UnitWork::Classifier => self.classifier.fraction(),
            UnitWork::OneLengthScale(fit) => fit.fraction(),
            UnitWork::Fold(fit) => fit.fraction(),
            UnitWork::Class(fit) => fit.fraction(),
            UnitWork::Dependence(work) => work.fraction(),
            UnitWork::Empty => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            UnitWork::Classifier => self.classifier.note(),
            UnitWork::OneLengthScale(fit) => format!("one length scale: {}", fit.note()),
            UnitWork::Fold(_) => "cross-validation".to_owned(),
            UnitWork::Class(fit) => format!("class {} of {}: {}", fit.class + 1, self.classes(), fit.note()),
            UnitWork::Dependence(_) => "dependence on the columns".to_owned(),
            UnitWork::Empty => String::new(),
        }
    }

    fn snapshot(&self) -> TableSnapshot {
        let mut snapshot = self.done.clone();
        snapshot.classifier.extend(self.classifier.snapshot().clone());
        if let UnitWork::Class(fit) = &self.unit {
            snapshot.classes.push(self.one_vs_rest(fit));
        }
        snapshot
    }
}
