//! A fit to some of the rows: to all training rows, or to those that a fold of cross-validation does not hold out.

use super::experiment::plus;
use super::{Fold, OwnSpec, SOLVER};
use crate::data::folds::stratified;
use crate::data::teacher::Examples;
use crate::data::{Dataset, Part};
use crate::lab::{Budget, Residual};
use crate::models::feedforward::tap::adaptive::ExampleRows;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::search::{BetaSearch, TrainingData};

/// Under way.
pub struct Fit {
    /// Rows of the table that are learnt from, and these in blocks.
    places: Vec<usize>,
    examples: Examples,
    pub search: BetaSearch,
    /// Training rows, by their number among these, that are predicted and not learnt from.
    held_out: Vec<usize>,
}

impl Fit {
    /// To all training rows.
    pub fn whole(spec: &OwnSpec, rows: &Dataset) -> Self {
        Self::without(spec, rows, Vec::new())
    }

    /// To those that are not in fold number `fold` of those that `spec` asks for.
    pub fn fold(spec: &OwnSpec, rows: &Dataset, fold: usize) -> Self {
        let labels: Vec<f64> = rows.of(Part::Train).map(|i| rows.sign(i)).collect();
        let folds = stratified(&labels, spec.folds, spec.seed);
        Self::without(spec, rows, (0..folds.len()).filter(|row| folds[*row] == fold).collect())
    }

    fn without(spec: &OwnSpec, rows: &Dataset, held_out: Vec<usize>) -> Self {
        let mut examples = Examples::new(rows.width());
        let learnt = rows.of(Part::Train).enumerate().filter(|(row, _)| held_out.binary_search(row).is_err());
        let places: Vec<usize> = learnt.map(|(_, place)| place).collect();
        for i in &places {
            examples.push(rows.row(*i), rows.sign(*i));
        }
        let variances = spec.variances(rows.width() / spec.hidden, places.len());
        let search = BetaSearch::new(SOLVER, variances, spec.hidden, spec.given_beta());
        Self { places, examples, search, held_out }
    }

    /// A step of it, each sweep of which `watch` is told the residual; whether it was the last.
    pub fn advance(&mut self, rows: &Dataset, budget: &mut Budget, watch: impl FnMut(Residual)) -> bool {
        let Self { places, examples, search, .. } = self;
        let (inputs, width) = (rows.inputs.as_slice(), rows.width());
        let data = TrainingData {
            examples,
            rows: ExampleRows { inputs, width, indices: places, labels: examples.labels() },
        };
        search.advance(&data, budget, watch)
    }

    /// What the fold says of the rows that it holds out.
    pub fn held_out(&self, rows: &Dataset, hidden: usize) -> Fold {
        let all: Vec<usize> = rows.of(Part::Train).collect();
        let found = self.search.best();
        let predictions = found.map(|found| {
            let likelihood = Likelihood::new(hidden, found.beta);
            let p = |row: &usize| plus(&likelihood, &found.solution.fields_at(rows.row(all[*row])));
            self.held_out.iter().map(p).collect()
        });
        Fold { rows: self.held_out.clone(), beta: found.map(|found| found.beta), predictions }
    }
}
