//! Tasks: a specification with named fields, units of work, a resumable experiment, a result with figures, and a status. Models
//! implement [`Run`]; page, workers and command line use a [`Task`] of the [`Catalog`].

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod baseline;
mod bytes;
mod catalog;
mod choice;
pub mod claim;
mod confusion;
mod erased;
mod field;
pub mod fields;
mod input_error;
mod kind;
mod link;
mod live;
mod model;
mod own_table;
mod pixels;
mod plan;
mod plane;
mod predicted_rows;
mod predictions;
mod reliability;
mod residuals;
mod run;
mod sampled;
mod saved_run;
mod spec;
mod task;
mod typed;
mod units;
mod values;
mod worth;

pub use baseline::{Baseline, BaselineFit, Examples};
pub use bytes::{decode, encode};
pub use catalog::{Catalog, model_of};
pub use choice::Choice;
pub use confusion::{Confusion, confusion_figure};
pub use erased::{Decoder, Erased, PartBytes, Task, TaskResult, TaskRun};
pub use field::{Condition, Field, Group, Rank, Role};
pub use input_error::InputError;
pub use kind::{FieldType, Kind, Value, read_real};
pub use link::Link;
pub use live::{AllUnits, HasLive, Live};
pub use model::{DataKind, Model, Paper};
pub use own_table::OwnTable;
pub use pixels::Pixels;
pub use plan::Plan;
pub use predicted_rows::{PredictedRows, RANKED};
pub use predictions::{PredictedParts, PredictedRow, prediction_records};
pub use reliability::{reliability_figure, table_headline};
pub use residuals::{Residual, Residuals};
pub use run::{Prepared, Run, complete};
pub use sampled::{ChainRow, Sampled};
pub use saved_run::SavedRun;
pub use spec::{Checked, Record, Spec, mend};
pub use task::{Meta, Outcome, Preset, Queue, Status};
pub use typed::{
    TypedField, artefact, choice, data, flag, integer, labelled_points, pixels, points, real, reals, seed,
    text,
};
pub use units::{Experiment, Progress, Work};
pub use values::{Raw, Values, raw_of};
pub use worth::{
    FREQUENCIES, Judged, LOGISTIC, NO_INFORMATION, Scored, roc_figure, scores_figure, well_over_half,
};

pub use meanfield_math::{Budget, Ending};
use {meanfield_data as data, meanfield_figure as figure, meanfield_math as math};
