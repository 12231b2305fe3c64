//! Partial dependence of the probabilities on the columns with the largest effects, by the classifiers of the results.
//!
//! At each point the fields of all rows have a joint Gaussian posterior. The probabilities at fields drawn from it are averaged over the
//! rows; the band has the quantiles of these averages.

use super::classifier::RestoredClassifier;
use super::rows::TableRows;
use super::{Classifier, ClassifierSnapshot, TableSnapshot, TableSpec};
use crate::lab::Budget;
use crate::lab::labelled_table::{DependenceCurve, DependenceParts, MeanPrediction};
use crate::math::random::{Purpose, Stream};
use crate::math::scores::normalised;
use crate::math::stats::sorted;
use crate::models::gp::solver::joint::{FieldVector, JointProbabilities};

/// Number of draws from the posterior.
const DRAWS: usize = 200;
/// Probability in each tail beyond the band.
const TAIL: f64 = 0.025;
/// Maximum number of rows of all classes together, which limits the memory.
const MAX_ROWS: usize = 500;
/// Number of points of all curves, times the number of rows: about as many fields are predicted.
const FIELDS: f64 = 44.0 * 50.0;
/// Description of the band.
pub const BAND: &str =
    "95 % posterior interval of this mean (200 draws of the latent function at these rows)";

/// The computation of the partial dependence, which can be paused.
pub struct DependenceWork {
    spec: TableSpec,
    rows: TableRows,
    /// Each classifier with the index of its class, if there are more than two.
    classifiers: Vec<(Option<usize>, Classifier)>,
    parts: DependenceParts,
    current: Option<ClassifierPoints>,
    /// Probabilities by the first classifiers at each point.
    done: Vec<Vec<Option<JointProbabilities>>>,
}

/// The points of one classifier.
struct ClassifierPoints {
    classifier: RestoredClassifier,
    /// Standard normal numbers of all draws, draws×rows.
    numbers: Vec<f64>,
    /// Field vectors of the first rows at the current point.
    vectors: Vec<FieldVector>,
    /// Probabilities at the first points.
    found: Vec<Option<JointProbabilities>>,
}

impl ClassifierPoints {
    fn new(classifier: RestoredClassifier, seed: u64, class: usize, rows: usize) -> Self {
        let mut stream = Stream::for_purpose(seed, Purpose::TableDependence, class as u64);
        let numbers = (0..DRAWS * rows).map(|_| stream.normal()).collect();
        Self { classifier, numbers, vectors: Vec::new(), found: Vec::new() }
    }

    /// Does a slice of the work; returns true after the last point.
    fn step(&mut self, parts: &DependenceParts, budget: &mut Budget) -> bool {
        if !self.classifier.step(budget) {
            return false;
        }
        let Some(rows) = parts.inputs(self.found.len()) else { return true };
        let inputs: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        if self.vectors.len() < inputs.len() {
            let (vectors, work) = self.classifier.field_vectors(&inputs[self.vectors.len()..]);
            budget.spend(work);
            let Some(vectors) = vectors else {
                self.vectors.clear();
                self.found.push(None);
                return false;
            };
            self.vectors.extend(vectors);
        }
        if self.vectors.len() == inputs.len() {
            let vectors = std::mem::take(&mut self.vectors);
            let size = vectors.first().map_or(0, |vector| vector.parts[0].len());
            budget.spend((inputs.len() * (inputs.len() * size + 100 * DRAWS)) as u64);
            let hyperparameters = self.classifier.hyperparameters();
            let at_point = |hyper| JointProbabilities::new(hyper, &inputs, &vectors, &self.numbers);
            self.found.push(hyperparameters.and_then(at_point));
        }
        false
    }
}

impl DependenceWork {
    /// Prepares the dependence of the results in the snapshot of all fits and folds.
    pub fn new(spec: &TableSpec, rows: &TableRows, before: &TableSnapshot) -> Self {
        let classes = before.classes.iter().map(|class| (Some(class.class), &class.classifier));
        let all = classes.chain(before.classes.is_empty().then_some((None, &before.classifier)));
        let solved = |(class, snapshot): (Option<usize>, &ClassifierSnapshot)| {
            Some((class, snapshot.solved()?.0.clone()))
        };
        // The probabilities of all classes are normalised: none may be missing.
        let classifiers = all.map(solved).collect::<Option<Vec<_>>>().unwrap_or_default();
        let train: Vec<&[f64]> = rows.train.iter().map(Vec::as_slice).collect();
        let most_rows = MAX_ROWS / classifiers.len().max(1);
        let columns = rows.columns.as_ref().filter(|_| !classifiers.is_empty());
        let parts = columns.map_or_else(DependenceParts::default, |columns| {
            DependenceParts::new(&columns.of_rows(&train), &before.effects(), most_rows)
        });
        Self { spec: spec.clone(), rows: rows.clone(), classifiers, parts, current: None, done: Vec::new() }
    }

    /// Returns the expected cost for each classifier, in solves with all `rows` training rows.
    pub fn cost(spec: &TableSpec, rows: usize) -> f64 {
        // With inducing points the solve is made again; in the full model it takes about twenty factorisations.
        let inducing = spec.inducing_points(rows);
        let size = inducing.map_or(rows, |inducing| inducing.count).max(1) as f64;
        let restored = if inducing.is_some() { 1.0 } else { 0.05 };
        restored + 0.15 * FIELDS / size
    }

    /// Does a slice of the work; returns true after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        let at = self.done.len();
        let Some((class, classifier)) = self.classifiers.get(at).filter(|_| self.parts.count() > 0) else {
            return true;
        };
        let current = self.current.get_or_insert_with(|| {
            let restored = RestoredClassifier::new(&self.spec, self.rows.of_class(*class), classifier);
            ClassifierPoints::new(restored, self.spec.seed, class.unwrap_or_default(), self.parts.rows())
        });
        if current.step(&self.parts, budget) {
            self.done.extend(self.current.take().map(|current| current.found));
        }
        self.done.len() == self.classifiers.len()
    }

    /// Returns the estimated fraction that is done.
    pub fn fraction(&self) -> f64 {
        let points = self.parts.count().max(1) as f64;
        let current = self.current.as_ref().map_or(0.0, |current| current.found.len() as f64 / points);
        (self.done.len() as f64 + current) / self.classifiers.len().max(1) as f64
    }

    /// Returns the curves of the probability of +1 or, with more than two classes, of each class.
    pub fn finish(self) -> Vec<Vec<DependenceCurve>> {
        let classes = self.done.len();
        let mut curves = vec![self.parts.clone(); classes];
        for point in 0..self.parts.count() {
            let each: Option<Vec<&JointProbabilities>> =
                self.done.iter().map(|found| found.get(point)?.as_ref()).collect();
            let predictions = each.map(|each| mean_predictions(&each));
            for (class, parts) in curves.iter_mut().enumerate() {
                parts.take(predictions.as_ref().map(|all| all[class]));
            }
        }
        curves.into_iter().map(DependenceParts::finish).collect()
    }
}

/// Returns the mean of the probability of each class over the rows, with its band. The probabilities of several classes are divided by
/// their sum in each draw, and the mean is that over the draws.
fn mean_predictions(classes: &[&JointProbabilities]) -> Vec<MeanPrediction> {
    let drawn_means: Vec<Vec<f64>> =
        (0..DRAWS).map(|draw| row_means(classes, |class| &class.drawn[draw])).collect();
    let of_class = |class: usize| {
        let drawn: Vec<f64> = drawn_means.iter().map(|means| means[class]).collect();
        let mean = match classes.len() {
            1 => row_means(classes, |class| &class.mean)[0],
            _ => drawn.iter().sum::<f64>() / DRAWS as f64,
        };
        let drawn = sorted(&drawn);
        // A skew distribution may have its mean outside.
        let (lower, upper) = (quantile(&drawn, TAIL).min(mean), quantile(&drawn, 1.0 - TAIL).max(mean));
        MeanPrediction { mean, lower, upper }
    };
    (0..classes.len()).map(of_class).collect()
}

/// Returns the means over the rows of the probabilities `of` each class; those of several classes are divided by their sum.
fn row_means(classes: &[&JointProbabilities], of: impl Fn(&JointProbabilities) -> &[f64]) -> Vec<f64> {
    let rows = classes[0].mean.len();
    let mut sums = vec![0.0; classes.len()];
    for row in 0..rows {
        let each: Vec<f64> = classes.iter().map(|class| of(class)[row]).collect();
        let each = if each.len() == 1 { each } else { normalised(&each) };
        for (sum, p) in sums.iter_mut().zip(each) {
            *sum += p;
        }
    }
    sums.into_iter().map(|sum| sum / rows as f64).collect()
}

/// Returns a quantile of sorted numbers, between the two nearest ones.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let below = sorted[at as usize];
    let above = sorted[(at as usize + 1).min(sorted.len() - 1)];
    below + (at - at.floor()) * (above - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: rows in which all classes have probability 0 made a draw NaN, which was sorted to one end of the band.
    #[test]
    fn rows_without_a_probable_class_leave_a_finite_band() {
        let class = |class: usize| {
            let p = |draw: usize, row: usize| f64::from(u8::from(draw % 4 == class && row == 0));
            let drawn = (0..DRAWS).map(|draw| (0..2).map(|row| p(draw, row)).collect()).collect();
            JointProbabilities { mean: vec![0.25, 0.0], drawn }
        };
        let classes = [0, 1, 2].map(class);
        let found = mean_predictions(&classes.each_ref());
        let total: f64 = found.iter().map(|prediction| prediction.mean).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        for MeanPrediction { mean, lower, upper } in found {
            // A draw gives the first row 1, 0 or, without a probable class, 1/3; the second row always has 1/3.
            assert!((mean - 1.0 / 3.0).abs() < 1e-12, "{mean}");
            assert!(
                (lower - 1.0 / 6.0).abs() < 1e-12 && (upper - 2.0 / 3.0).abs() < 1e-12,
                "{lower} {upper}"
            );
        }
    }
}
