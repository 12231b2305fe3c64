//! A Gaussian process that classifies the rows of the user's table, with a leave-one-out prediction of each row.

mod choice;
mod classifier;
mod comparison;
mod dependence;
mod effects;
mod figures;
mod fit_search;
mod multiclass;
mod nested;
mod predicting;
mod report;
mod rows;
mod searches;
mod snapshot;
mod spec;
mod start_search;
mod status;
mod task;
#[cfg(test)]
mod tests;
mod units;
mod work;

pub use comparison::Comparison;
pub use fit_search::{FitEnd, FitStart, HyperparameterValues, Optimum, SearchEvaluation};
pub use snapshot::{
    Classifier, ClassifierSnapshot, OfSettings, OneVsRest, RetrainedRow, SolutionScores, SolveSummary,
    TableSnapshot, TableSolution,
};
pub use spec::{FitBy, Method, TableSpec};

/// A Gaussian-process classifier of the user's table.
pub struct UserTable;
