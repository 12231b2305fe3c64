//! The solve with a cavity variance for each example, beside that of the paper with one λ.

use super::{OwnSummary, spec::CurveSpec};
use crate::data::teacher::{LabelledExamples, Teacher};
use crate::lab::Budget;
use crate::math::random::Stream;
use crate::models::feedforward::tap::Tap;
use crate::models::feedforward::tap::adaptive::ExampleRows;
use crate::models::feedforward::tap::leave_one_out::LeaveOneOut;
use crate::models::feedforward::tap::search::{BetaSearch, TrainingData, Variances};
use crate::models::feedforward::theory::errors::GeneralisationErrors;

/// A solve in progress, followed by leave-one-out predictions.
pub(super) struct OwnSolve {
    /// Inputs row by row, m×N.
    inputs: Vec<f64>,
    /// 0 to m − 1.
    indices: Vec<usize>,
    search: BetaSearch,
    /// The predictions; `None` before the solve has ended.
    leave_one_out: Option<LeaveOneOut>,
}

impl OwnSolve {
    /// Returns the solve of the first `m` examples before its first sweep.
    pub(super) fn new(spec: &CurveSpec, examples: &LabelledExamples, m: usize) -> Self {
        let search = BetaSearch::new(Tap::default(), Variances::Adaptive, spec.hidden, Some(spec.beta));
        let mut inputs = examples.rows();
        inputs.truncate(m * examples.inputs());
        Self { inputs, indices: (0..m).collect(), search, leave_one_out: None }
    }

    /// Sweeps until solve and predictions end or the budget is spent; returns true in the first case.
    pub(super) fn advance(
        &mut self,
        spec: &CurveSpec,
        examples: &LabelledExamples,
        budget: &mut Budget,
    ) -> bool {
        let rows = ExampleRows {
            inputs: &self.inputs,
            width: examples.inputs(),
            indices: &self.indices,
            labels: &examples.labels()[..self.indices.len()],
        };
        if !self.search.advance(&TrainingData { examples, rows }, budget, |_| ()) {
            return false;
        }
        if self.leave_one_out.is_none() {
            self.leave_one_out = self.search.best().and_then(|found| LeaveOneOut::new(found, spec.hidden));
        }
        self.leave_one_out.as_mut().is_none_or(|predictions| predictions.advance(&rows, budget))
    }

    /// Returns the errors of the solution; `None` if there is none.
    pub(super) fn summary(
        &self,
        teacher: &Teacher,
        matched: bool,
        examples: &LabelledExamples,
        stream: &mut Stream,
    ) -> Option<OwnSummary> {
        let predictions = self.leave_one_out.as_ref()?;
        let solution = &self.search.best()?.solution;
        let bayes = GeneralisationErrors::of(solution, teacher, matched, stream).bayes;
        let labels = &examples.labels()[..self.indices.len()];
        Some(OwnSummary { bayes, loo_bayes: predictions.bayes_error(labels) })
    }
}
