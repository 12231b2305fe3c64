//! A table with two classes whose predictions are changed by the weights of the classes.

use super::{ClassWeights, ClassifiedTable, PriorShift, TwoClassPrediction};

impl ClassifiedTable<'_> {
    /// Returns the table with predictions changed by the weights of the classes. Those before have equal weights.
    #[must_use]
    pub fn weighted(mut self, weights: ClassWeights) -> Self {
        let shift = weights.shift(&self.table.class_counts());
        let changed = |row: &TwoClassPrediction| TwoClassPrediction { p: shift.of_event(row.p), ..*row };
        self.rows = self.rows.map(|rows| rows.map(changed));
        self.cross_validated.iter_mut().flatten().for_each(|p| *p = shift.of_event(*p));
        self.retrained.iter_mut().for_each(|(p, _)| *p = shift.of_event(*p));
        Self { weights, ..self }
    }

    /// Returns the change of probabilities by the weights of the classes.
    pub fn shift(&self) -> PriorShift {
        self.weights.shift(&self.table.class_counts())
    }

    /// Returns a number with the sign of the more probable class of a row; 0 if both are equally probable.
    pub fn side(&self, row: &TwoClassPrediction) -> f64 {
        match row.latent {
            Some((mean, _)) if !self.weights.is_balanced() => mean,
            _ => row.p - 0.5,
        }
    }

    /// Returns the numbers of misclassified test rows and of rows misclassified in leave-one-out, at probability ½.
    pub fn errors(&self) -> [usize; 2] {
        let misses = |rows: &[TwoClassPrediction], labels: &[f64]| {
            rows.iter().zip(labels).filter(|(row, label)| self.side(row) * **label <= 0.0).count()
        };
        self.rows.as_ref().map_or([0; 2], |rows| {
            [misses(&rows.test, &self.table.test_labels), misses(&rows.left_out, &self.table.labels)]
        })
    }
}
