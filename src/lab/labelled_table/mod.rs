//! A table with a label: settings, folds, baselines and predictions, and the scores, figures, report and file made of them. A model that
//! classifies a table adds its solver.

mod baseline;
mod class_weights;
mod classified;
mod comparison;
mod dependence;
mod effects;
mod folds;
mod headline;
mod held_out_inputs;
pub mod numeric;
mod predictions;
mod ranked;
mod ranked_table;
mod relevances;
mod reliability;
mod roc;
mod scores;
mod settings;
mod tuning;
mod weighted;

pub use baseline::{Baseline, BaselineFit, BaselineRows};
pub use class_weights::{CLASS_WEIGHTS, ClassWeights, PriorShift};
pub use classified::{ClassifiedTable, TwoClassPrediction, empty_confusion, report_table};
pub use comparison::{COMPARED_FOLDS, FoldLosses, HeldOutComparison, HeldOutScore, Kept};
pub use dependence::{
    DependenceCurve, DependenceParts, DependencePoint, MeanPrediction, TWO_DEVIATIONS,
    class_dependence_figures, dependence_figures,
};
pub use effects::{
    ColumnEffect, EffectParts, NoEffects, PermutedProbabilities, effects_figure, effects_of_classes,
    effects_over_folds, explain_no_effects, report_effects,
};
pub use folds::{Fold, cross_validated, held_out_rows, planned_folds, report_folds};
pub use headline::{EvaluationRows, Headline};
pub use held_out_inputs::HeldOutInputs;
pub use predictions::{RecordRow, RowPredictions, prediction_records};
pub use ranked::{RankedRow, ranked_axis, ranked_figure};
pub use ranked_table::RANKED;
pub use relevances::{RelevanceWords, relevance_figure};
pub use reliability::reliability_figure;
pub use scores::{NO_INFORMATION, PredictorScores, scores_figure, well_over_half};
pub use settings::TableSettings;
pub use tuning::{Untuned, describe_gain};

use crate::figure::{Axis, Figure};

/// Caption of a figure for which there is no solution yet.
pub const NO_SOLUTION_YET: &str = "There is no solution yet.";

/// Returns a figure without marks whose caption is [`NO_SOLUTION_YET`].
pub fn empty_figure(id: &str, title: &str, x: Axis, y: Axis) -> Figure {
    Figure::new(id, title).x(x).y(y).caption(NO_SOLUTION_YET).summary(NO_SOLUTION_YET)
}

fn unit_axis(label: &str) -> Axis {
    Axis::linear(label, (0.0, 1.0))
}
