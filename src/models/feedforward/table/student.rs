//! A student's fit to the training rows, or to those that a fold does not hold out.

use super::{SOLVER, TableSpec};
use crate::data::teacher::LabelledExamples;
use crate::data::{Dataset, RowRole};
use crate::lab::labelled_table::{Fold, held_out_rows};
use crate::lab::{Budget, Residual};
use crate::math::lanes::exp;
use crate::models::feedforward::tap::adaptive::ExampleRows;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::search::{BetaSearch, TrainingData};

/// A fit under way.
pub struct StudentFit {
    /// Indices in the table of the rows learnt from.
    train: Vec<usize>,
    /// The same rows, in blocks.
    examples: LabelledExamples,
    pub search: BetaSearch,
    /// Held-out rows, as indices among the training rows.
    held_out: Vec<usize>,
}

impl StudentFit {
    /// Prepares a fit to all training rows.
    pub fn all(spec: &TableSpec, rows: &Dataset) -> Self {
        Self::without(spec, rows, Vec::new())
    }

    /// Prepares a fit to all training rows with the given β, which is brief, before β is fitted.
    pub fn given(spec: &TableSpec, rows: &Dataset) -> Self {
        Self::all(spec, rows).briefly(spec, rows)
    }

    /// Returns the fit with the given β in place of a fit of β.
    pub fn briefly(self, spec: &TableSpec, rows: &Dataset) -> Self {
        let variances = spec.variances(rows.width() / spec.hidden, self.train.len());
        let search = BetaSearch::new(SOLVER, variances, spec.hidden, Some(spec.beta)).brief();
        Self { search, ..self }
    }

    /// Prepares a fit to the training rows outside of fold number `fold`.
    pub fn fold(spec: &TableSpec, rows: &Dataset, fold: usize) -> Self {
        let labels: Vec<f64> = rows.of(RowRole::Train).map(|i| rows.sign(i)).collect();
        let groups: Vec<usize> = rows.of(RowRole::Train).map(|i| rows.groups[i]).collect();
        Self::without(spec, rows, held_out_rows(&labels, &groups, spec.planned_folds(), spec.seed, fold))
    }

    fn without(spec: &TableSpec, rows: &Dataset, held_out: Vec<usize>) -> Self {
        let mut examples = LabelledExamples::new(rows.width());
        let learnt =
            rows.of(RowRole::Train).enumerate().filter(|(row, _)| held_out.binary_search(row).is_err());
        let train: Vec<usize> = learnt.map(|(_, i)| i).collect();
        for i in &train {
            examples.push(rows.row(*i), rows.sign(*i));
        }
        let variances = spec.variances(rows.width() / spec.hidden, train.len());
        let search = BetaSearch::new(SOLVER, variances, spec.hidden, spec.given_beta());
        Self { train, examples, search, held_out }
    }

    /// Makes a step; returns true after the last. `observe` gets the residual of each sweep.
    pub fn advance(&mut self, rows: &Dataset, budget: &mut Budget, observe: impl FnMut(Residual)) -> bool {
        let Self { train, examples, search, .. } = self;
        let (inputs, width) = (rows.inputs.as_slice(), rows.width());
        let data = TrainingData {
            examples,
            rows: ExampleRows { inputs, width, indices: train, labels: examples.labels() },
        };
        search.advance(&data, budget, observe)
    }

    /// Predicts the held-out rows; returns the fold with the β of the solution.
    pub fn predict_fold(&self, rows: &Dataset, hidden: usize) -> Fold<Option<f64>> {
        let train: Vec<usize> = rows.of(RowRole::Train).collect();
        let found = self.search.best();
        let p = found.map(|found| {
            let likelihood = Likelihood::new(hidden, found.beta);
            let fields = |row: &usize| found.solution.fields_at(rows.row(train[*row]));
            self.held_out.iter().map(|row| probability(&likelihood, &fields(row))).collect()
        });
        Fold {
            rows: self.held_out.clone(),
            p,
            hyper: found.map(|found| found.beta),
            before_fit: None,
            one_length_scale: None,
        }
    }

    /// Returns the indices of the held-out rows in the table.
    pub fn held_out_rows(&self, rows: &Dataset) -> Vec<usize> {
        let train: Vec<usize> = rows.of(RowRole::Train).collect();
        self.held_out.iter().map(|row| train[*row]).collect()
    }
}

/// Returns the probability of +1 at the cavity fields `z` of the K branches, label noise included: ⟨F⟩ without its factor 1/(1+e^−β).
pub(super) fn probability(likelihood: &Likelihood, z: &[f64]) -> f64 {
    let p = (1.0 - likelihood.flip_probability()) * exp(likelihood.ln_f(z, 1.0));
    // Fields of 0 are even odds but for rounding.
    if (p - 0.5).abs() < 1e-12 { 0.5 } else { p }
}
