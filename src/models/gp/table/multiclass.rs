//! Predictions of more than two classes: the probabilities of the classifiers of all classes, normalised.

use super::snapshot::folds_of;
use super::{Classifier, OneVsRest, TableSolution, TableSpec};
use crate::data::TableSummary;
use crate::figure::Records;
use crate::lab::labelled_table::{
    ClassWeights, EvaluationRows, Headline, Kept, PredictorScores, PriorShift, RecordRow, RowPredictions,
    prediction_records,
};
use crate::math::scores::{self, ClassRow};
use crate::models::gp::solver::prediction::Prediction;

/// A table with more than two classes and its predictions.
pub struct MultiClass<'a> {
    /// Rows and columns; the labels are those of the last class against all others.
    pub table: &'a TableSummary,
    /// Names of the K classes.
    pub names: Vec<String>,
    /// Probabilities of the K classes for each row.
    pub p: RowPredictions<Vec<f64>>,
    /// Class of each training row, m.
    pub train_classes: Vec<usize>,
    /// Class of each test row.
    pub test_classes: Vec<usize>,
    /// Class of each row of the second file; `None` if unknown.
    second_classes: Vec<Option<usize>>,
    /// Number of folds, and cross-validated probabilities of the K classes for each training row, m, NaN where there are none; `None` without
    /// folds.
    folds: Option<(usize, Vec<Vec<f64>>)>,
    /// Weights of the classes, which all probabilities contain.
    pub weights: ClassWeights,
    /// True if settings are fitted to the training rows.
    is_fitted: bool,
    /// Predictions of logistic regression, and the rows that they are of, in words.
    logistic: Option<(&'static str, Vec<ClassRow>)>,
}

impl<'a> MultiClass<'a> {
    /// Combines the classifiers, if those of all classes have a solution.
    pub fn of(classes: &'a [OneVsRest], spec: &TableSpec) -> Option<Self> {
        let all = Self::with(classes, spec.class_weights, |class| class.classifier.solved())?;
        let folds = all.cross_validation(spec, classes, |class| class.classifier.kept());
        let is_fitted = classes.iter().any(|class| class.classifier.is_fitted());
        Some(Self { folds, is_fitted, ..all })
    }

    /// Combines the classifiers with the given settings, if those of all classes have been fitted.
    pub fn before_fit(classes: &'a [OneVsRest], spec: &TableSpec) -> Option<Self> {
        let is_fitted = classes.iter().all(|class| class.classifier.is_fitted());
        let given = |class: &'a OneVsRest| {
            let given = class.classifier.given.as_ref()?;
            Some((given, given.solution.as_ref()?))
        };
        let all = Self::with(classes, spec.class_weights, given).filter(|_| is_fitted)?;
        let folds = all.cross_validation(spec, classes, |_| Kept::Given);
        Some(Self { folds, is_fitted, ..all })
    }

    /// Combines the classifiers that `solved` returns, without folds.
    fn with(
        classes: &'a [OneVsRest],
        weights: ClassWeights,
        solved: impl Fn(&'a OneVsRest) -> Option<(&'a Classifier, &'a TableSolution)>,
    ) -> Option<Self> {
        if classes.is_empty() || classes.len() < classes[0].of {
            return None;
        }
        let (mains, solutions): (Vec<_>, Vec<_>) =
            classes.iter().map(solved).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let known = |labels| class_of_rows(&mains, labels).into_iter().map(Option::unwrap_or_default);
        let train_classes: Vec<usize> = known(|table| &table.labels).collect();
        let test_classes: Vec<usize> = known(|table| &table.test_labels).collect();
        let shift = weights.shift(&class_counts(mains.len(), &train_classes));
        let normalise = |part: fn(&RowPredictions<Prediction>) -> &Vec<Prediction>| {
            let p = |solution: &&TableSolution| part(&solution.predictions).iter().map(|row| row.p).collect();
            normalised(&solutions.iter().map(p).collect::<Vec<_>>(), &shift)
        };
        let second_classes = class_of_rows(&mains, |table| &table.second_labels);
        let truth = if test_classes.is_empty() { &train_classes } else { &test_classes };
        let baseline = |class: &'a OneVsRest| Some(class.classifier.baseline.as_ref()?.predictions());
        let baselines = classes.iter().map(baseline).collect::<Option<Vec<_>>>();
        let logistic = baselines.map(|baselines| {
            let p: Vec<Vec<f64>> = baselines.iter().map(|(_, p)| p.to_vec()).collect();
            let rows = normalised(&p, &shift).into_iter().zip(truth.iter().copied());
            (baselines[0].0, rows.filter(|(p, _)| p.iter().all(|p| p.is_finite())).collect())
        });
        Some(Self {
            table: &mains.last()?.table,
            names: mains.iter().map(|main| main.table.classes[1].clone()).collect(),
            p: RowPredictions {
                left_out: normalise(|p| &p.left_out),
                test: normalise(|p| &p.test),
                unlabelled: normalise(|p| &p.unlabelled),
                second: normalise(|p| &p.second),
            },
            train_classes,
            test_classes,
            second_classes,
            folds: None,
            weights,
            is_fitted: false,
            logistic,
        })
    }

    /// Returns the change of probabilities by the weights of the classes.
    pub fn shift(&self) -> PriorShift {
        self.weights.shift(&class_counts(self.names.len(), &self.train_classes))
    }

    /// Returns the number of folds and the cross-validated predictions of the training rows, at the settings that are `kept`, if the folds are
    /// results and every class has them.
    fn cross_validation(
        &self,
        spec: &TableSpec,
        classes: &[OneVsRest],
        kept: impl Fn(&OneVsRest) -> Kept,
    ) -> Option<(usize, Vec<Vec<f64>>)> {
        let of_class = |class: &OneVsRest| folds_of(spec, &class.folds, kept(class), self.table);
        let p: Vec<Vec<f64>> = classes.iter().map(of_class).collect::<Option<_>>()?;
        Some((classes[0].folds.len(), normalised(&p, &self.shift())))
    }

    /// Returns cross-validated predictions of training rows, those that there are, with their classes.
    fn in_folds(&self, p: &[Vec<f64>]) -> Vec<ClassRow> {
        let rows = p.iter().cloned().zip(self.train_classes.iter().copied());
        rows.filter(|(p, _)| is_predicted(p)).collect()
    }

    /// Returns the predictions that the headline counts, those of all other rows, and how the labelled rows are predicted: training rows without
    /// test rows in cross-validation if leave-one-out is too optimistic, then with NaN where there is no prediction yet.
    pub fn shown(&self, spec: &TableSpec) -> (RowPredictions<Vec<f64>>, EvaluationRows) {
        let rows = self.p.clone();
        match &self.folds {
            _ if !rows.test.is_empty() => (rows, EvaluationRows::Test),
            Some((folds, p)) if self.is_optimistic(spec) && p.iter().any(|p| is_predicted(p)) => {
                (RowPredictions { left_out: p.clone(), ..rows }, EvaluationRows::Folds(*folds))
            }
            _ => (rows, EvaluationRows::LeftOut),
        }
    }

    /// Returns the leave-one-out predictions of the training rows with their classes.
    pub fn left_out(&self) -> Vec<ClassRow> {
        self.p.left_out.iter().cloned().zip(self.train_classes.iter().copied()).collect()
    }

    /// Returns the predictions of the test rows with their classes.
    pub fn test(&self) -> Vec<ClassRow> {
        self.p.test.iter().cloned().zip(self.test_classes.iter().copied()).collect()
    }

    /// Returns the predictions of the rows of the second file with a label, with their classes.
    pub fn second(&self) -> Vec<ClassRow> {
        let rows = self.p.second.iter().zip(&self.second_classes);
        rows.filter_map(|(p, class)| Some((p.clone(), (*class)?))).collect()
    }

    /// Returns the held-out predictions of the training rows: leave-one-out or, if too optimistic, cross-validated, then also with
    /// the number of folds.
    pub fn training_rows(&self, spec: &TableSpec) -> (Vec<ClassRow>, Option<usize>) {
        match &self.folds {
            _ if !self.is_optimistic(spec) => (self.left_out(), None),
            Some((folds, p)) => (self.in_folds(p), Some(*folds)),
            None => (Vec::new(), Some(spec.planned_folds())),
        }
    }

    /// Returns true if settings are fitted to the training rows.
    pub fn is_fitted(&self) -> bool {
        self.is_fitted
    }

    /// Returns true if leave-one-out is too optimistic: settings are fitted, or rows belong together.
    pub fn is_optimistic(&self, spec: &TableSpec) -> bool {
        self.is_fitted || !spec.group.is_empty()
    }

    /// Evaluates the classifiers on the test rows or, if there are none, on the held-out training rows.
    pub fn headline(&self, spec: &TableSpec) -> Headline {
        let (evaluated, rows) = match (self.test(), self.training_rows(spec)) {
            (rows, _) if !rows.is_empty() => (EvaluationRows::Test, rows),
            (_, (rows, Some(folds))) => (EvaluationRows::Folds(folds), rows),
            (_, (rows, None)) => (EvaluationRows::LeftOut, rows),
        };
        let counts = class_counts(self.names.len(), &self.train_classes);
        let logistic = self.logistic.as_ref().map(|(_, rows)| &rows[..]);
        Headline::new(evaluated, &rows, &counts, logistic, self.weights)
    }

    /// Returns the scores of the predictions of `method`, and those of the baselines.
    pub fn scores(&self, method: &str) -> Vec<PredictorScores> {
        let weights = self.weights;
        let scores = |key, name, rows: &[ClassRow]| PredictorScores::of_classes(key, name, rows, weights);
        let mut all = vec![
            scores("test", format!("{method}, test rows"), &self.test()),
            scores("left_out", format!("{method}, leave-one-out"), &self.left_out()),
            scores("second", format!("{method}, second file"), &self.second()),
        ];
        if let Some((folds, p)) = &self.folds {
            all.push(scores("folds", format!("{method}, {folds} folds"), &self.in_folds(p)));
        }
        if let Some((rows, p)) = &self.logistic {
            all.push(PredictorScores::of_logistic(rows, p, weights));
        }
        let (train, test) = (&self.train_classes, &self.test_classes);
        all.push(PredictorScores::of_frequencies(self.names.len(), train, test, weights));
        all.retain(|scored| scored.scores.error.count > 0);
        all
    }

    /// Returns the CSV file of the predictions.
    pub fn records(&self, spec: &TableSpec) -> Records {
        let classes = [self.train_classes.as_slice(), &self.test_classes];
        let rows = self.p.map(|p| RecordRow { p: p.clone(), latent: None, decision: None });
        prediction_records(&spec.table, self.table, &self.names, classes, &rows)
    }
}

/// Returns the class of each row with such a label: that whose classifier has the row as +1.
pub fn class_of_rows(mains: &[&Classifier], labels: fn(&TableSummary) -> &[f64]) -> Vec<Option<usize>> {
    let class = |row: usize| mains.iter().position(|main| labels(&main.table)[row] > 0.0);
    (0..labels(&mains[0].table).len()).map(class).collect()
}

/// Returns the number of rows of each of `classes` classes.
fn class_counts(classes: usize, rows: &[usize]) -> Vec<usize> {
    let mut counts = vec![0; classes];
    for class in rows {
        counts[*class] += 1;
    }
    counts
}

/// Returns true if a row has a probability of every class.
pub fn is_predicted(p: &[f64]) -> bool {
    p.iter().all(|p| p.is_finite())
}

/// Returns the most probable class.
pub fn most_probable(p: &[f64]) -> usize {
    p.iter().enumerate().fold(0, |best, (k, at)| if *at > p[best] { k } else { best })
}

/// Returns the number of misclassified rows.
pub fn errors(rows: &[ClassRow]) -> usize {
    rows.iter().filter(|(p, class)| most_probable(p) != *class).count()
}

/// Returns the probabilities of the K classes for each row, divided by their sum, from those of each class, K×rows, and changed by the
/// weights of the classes. If all are 0, the classes are equally probable.
fn normalised(p: &[Vec<f64>], shift: &PriorShift) -> Vec<Vec<f64>> {
    let row = |i: usize| shift.of_classes(&scores::normalised(&p.iter().map(|p| p[i]).collect::<Vec<_>>()));
    (0..p.first().map_or(0, Vec::len)).map(row).collect()
}
