//! A table with a numeric target: its rows, scores, baselines, figures and file of predictions.

mod baselines;
mod figures;
mod records;
mod rows;
mod scores;
mod summary;

pub use baselines::{TargetBaselineFit, TargetBaselines};
pub use figures::{calibration_figure, empty_target_figure, new_targets_figure, predicted_against_true};
pub use records::target_records;
pub use rows::{NumericRows, TargetScale};
pub use scores::{INTERVALS, PredictedTarget, TestScores, comparison, error_details, typical_error};
pub use summary::{NumericSummary, TargetRow};
