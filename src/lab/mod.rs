//! What a task is: a specification with named fields, units of work, a resumable experiment, a result that
//! can be drawn, and how it ended. Models implement the traits of `run.rs`; the page knows the catalog.

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(feature = "solver")]
mod baseline;
mod bytes;
mod catalog;
mod choice;
#[cfg(feature = "report")]
pub mod claim;
#[cfg(feature = "solver")]
mod confusion;
mod field;
#[cfg(feature = "solver")]
pub mod fields;
mod input_error;
mod kind;
mod link;
#[cfg(feature = "solver")]
mod own_table;
mod pixels;
mod plan;
mod plane;
#[cfg(feature = "solver")]
mod predicted_rows;
#[cfg(feature = "solver")]
mod predictions;
#[cfg(feature = "solver")]
mod reliability;
#[cfg(feature = "solver")]
mod residuals;
#[cfg(feature = "solver")]
mod run;
mod sampled;
mod saved_run;
mod spec;
mod static_slice;
mod task;
mod typed;
#[cfg(feature = "solver")]
mod units;
mod values;
#[cfg(feature = "solver")]
mod worth;

#[cfg(feature = "solver")]
pub use baseline::{Baseline, BaselineFit, Examples};
pub use bytes::{decode, encode};
pub use catalog::{Catalog, Entry, Listing, ModelInfo, Paper, Task, model_of};
pub use choice::Choice;
#[cfg(feature = "solver")]
pub use confusion::{Confusion, confusion_figure};
pub use field::{Condition, Field, Group, Rank, Role};
pub use input_error::InputError;
pub use kind::{FieldType, Kind, Value, read_real};
pub use link::Link;
#[cfg(feature = "solver")]
pub use own_table::OwnTable;
pub use pixels::Pixels;
pub use plan::Plan;
#[cfg(feature = "solver")]
pub use predicted_rows::{PredictedRows, RANKED};
#[cfg(feature = "solver")]
pub use predictions::{PredictedParts, PredictedRow, prediction_records};
#[cfg(feature = "solver")]
pub use reliability::{reliability_figure, table_headline};
#[cfg(feature = "solver")]
pub use residuals::{Residual, Residuals};
#[cfg(feature = "solver")]
pub use run::{Prepared, Run, complete};
pub use sampled::{ChainRow, Sampled};
pub use saved_run::SavedRun;
#[cfg(feature = "solver")]
pub use spec::{Checked, Record, Spec};
pub use spec::{mend, only};
pub use task::{Meta, Outcome, Preset, Queue, Shown, ShownPart, Status};
pub use typed::{
    TypedField, artefact, choice, data, flag, integer, labelled_points, pixels, points, real, reals, seed,
    text,
};
#[cfg(feature = "solver")]
pub use units::{Experiment, Progress, Work};
pub use values::{Raw, Values, raw_of};
#[cfg(feature = "solver")]
pub use worth::{
    FREQUENCIES, Judged, LOGISTIC, NO_INFORMATION, Scored, roc_figure, scores_figure, well_over_half,
};

pub use meanfield_math::{Budget, Ending};
use {meanfield_data as data, meanfield_figure as figure, meanfield_math as math};
