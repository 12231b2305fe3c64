//! Predictions of the rows of a second file by the models of a finished run. With given hyperparameters the posterior is in closed form,
//! so that it is computed again in place of a fit.

use std::rc::Rc;

use super::model_work::{ModelWork, split};
use super::rows::RegressionRows;
use super::work::found;
use super::{ProcessRegressionSnapshot, ProcessRegressionSpec, SolvedModel};
use crate::lab::labelled_table::numeric::NumericSummary;
use crate::lab::{Budget, Predictions};
use crate::models::gp::regression::RegressionModel;

/// Models of a run.
#[derive(Clone, Copy, PartialEq)]
enum ModelKind {
    Given,
    Fitted,
    OneLengthScale,
    Refitted,
}

/// A model that predicts.
struct PredictingModel {
    kind: ModelKind,
    rows: Rc<RegressionRows>,
    model: RegressionModel,
}

/// Predictions of new rows by the models of a finished run.
pub struct RegressionPredictions {
    seed: u64,
    table: Rc<NumericSummary>,
    models: Vec<PredictingModel>,
    /// Results of the first models.
    done: Vec<Option<Rc<SolvedModel>>>,
    /// Work on the next model, once it has begun.
    work: Option<ModelWork>,
}

impl RegressionPredictions {
    /// Prepares the predictions by the models of a `finished` run. `all` has all labelled rows as training rows, if they are needed.
    pub fn new(
        spec: &ProcessRegressionSpec,
        (table, rows, all): (NumericSummary, RegressionRows, Option<RegressionRows>),
        finished: &ProcessRegressionSnapshot,
    ) -> Self {
        let given = spec.given(rows.width());
        let rows = Rc::new(rows);
        let on_rows = |kind, model| PredictingModel { kind, rows: Rc::clone(&rows), model };
        let mut models = vec![on_rows(ModelKind::Given, given.clone())];
        for (kind, fit) in
            [(ModelKind::Fitted, &finished.fitted), (ModelKind::OneLengthScale, &finished.one_length_scale)]
        {
            models.extend(fit.as_ref().map(|fit| on_rows(kind, fit.values.model(&given.kernel))));
        }
        models.extend(all.map(|all| PredictingModel {
            kind: ModelKind::Refitted,
            rows: Rc::new(all),
            model: found(finished, given),
        }));
        Self { seed: spec.seed, table: Rc::new(table), models, done: Vec::new(), work: None }
    }
}

impl Predictions for RegressionPredictions {
    type Snapshot = ProcessRegressionSnapshot;

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Self { seed, table, models, done, work } = self;
        let Some(PredictingModel { kind, rows, model }) = models.get(done.len()) else { return true };
        let begin = || {
            let work = ModelWork::solve(Rc::clone(rows), model.clone(), *seed);
            if *kind == ModelKind::Refitted { work.without_left_out() } else { work }
        };
        let current = work.get_or_insert_with(begin);
        if current.step(budget) {
            let tests = if *kind == ModelKind::Refitted { 0 } else { table.tests.len() };
            done.push(current.solved().map(|model| Rc::new(split(model.clone(), tests, table))));
            *work = None;
        }
        done.len() == models.len()
    }

    fn fraction(&self) -> f64 {
        let current = self.work.as_ref().map_or(0.0, ModelWork::fraction);
        (self.done.len() as f64 + current) / self.models.len() as f64
    }

    fn complete(&mut self, mut finished: ProcessRegressionSnapshot) -> ProcessRegressionSnapshot {
        for (PredictingModel { kind, .. }, solved) in self.models.iter().zip(self.done.drain(..)) {
            match kind {
                ModelKind::Given => finished.given = solved,
                ModelKind::Fitted => finished.fitted = solved,
                ModelKind::OneLengthScale => finished.one_length_scale = solved,
                ModelKind::Refitted => finished.refitted = solved,
            }
        }
        finished.table = Some(Rc::clone(&self.table));
        finished
    }
}
