//! Predictions of the rows of a second file by the classifiers of a finished run.

use super::classifier::{ClassifierPredictions, PredictedRows};
use super::rows::TableRows;
use super::{Classifier, ClassifierSnapshot, TableSnapshot, TableSpec};
use crate::lab::{Budget, Predictions};

/// Predictions of new rows by all classifiers of a finished run, one after the other.
pub struct TablePredictions {
    spec: TableSpec,
    rows: TableRows,
    /// Each classifier with the index of its class, if there are more than two.
    classifiers: Vec<(Option<usize>, Classifier)>,
    /// Predictions of the first classifiers.
    done: Vec<PredictedRows>,
    /// Predictions of the next one, once they have begun.
    current: Option<ClassifierPredictions>,
}

impl TablePredictions {
    /// Prepares the predictions of the second rows of `rows`. `spec` has the decision on automatic tuning.
    pub fn new(spec: TableSpec, rows: TableRows, finished: &mut TableSnapshot) -> Self {
        let classifiers = classifiers(finished).map(|(class, classifier)| (class, classifier.clone()));
        Self { spec, rows, classifiers: classifiers.collect(), done: Vec::new(), current: None }
    }

    /// Prepares the predictions of a classifier.
    fn begin(&self, class: Option<usize>, classifier: &Classifier) -> ClassifierPredictions {
        ClassifierPredictions::new(&self.spec, self.rows.of_class(class), classifier)
    }
}

/// Returns the classifiers with given and with all fitted settings, each with the index of its class if there are more than two.
fn classifiers(snapshot: &mut TableSnapshot) -> impl Iterator<Item = (Option<usize>, &mut Classifier)> {
    let classes = snapshot.classes.iter_mut().map(|class| (Some(class.class), &mut class.classifier));
    let all = std::iter::once((None, &mut snapshot.classifier)).chain(classes);
    all.flat_map(|(class, ClassifierSnapshot { given, fitted, one_length_scale, .. })| {
        [given, fitted, one_length_scale].into_iter().flatten().map(move |classifier| (class, classifier))
    })
}

impl Predictions for TablePredictions {
    type Snapshot = TableSnapshot;

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Some((class, classifier)) = self.classifiers.get(self.done.len()) else { return true };
        let mut current = self.current.take().unwrap_or_else(|| self.begin(*class, classifier));
        if current.step(budget) {
            self.done.push(current.finish());
        } else {
            self.current = Some(current);
        }
        self.done.len() == self.classifiers.len()
    }

    fn fraction(&self) -> f64 {
        let current = self.current.as_ref().map_or(0.0, ClassifierPredictions::fraction);
        (self.done.len() as f64 + current) / self.classifiers.len().max(1) as f64
    }

    fn complete(&mut self, mut finished: TableSnapshot) -> TableSnapshot {
        for ((_, classifier), predicted) in classifiers(&mut finished).zip(self.done.drain(..)) {
            classifier.table = predicted.table;
            if let Some(solution) = &mut classifier.solution {
                solution.predictions.second = predicted.second;
            }
        }
        finished
    }
}
