//! Tasks: a specification with named fields, units of work, a resumable experiment, a result with figures, and a status. Models
//! implement [`TypedTask`]; page, workers and command line use a [`Task`] of the [`Catalog`].

// Tests compare to within a tolerance.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod bytes;
mod catalog;
mod chain_summary;
mod challenge;
pub mod claim;
mod claim_verdict;
mod companion;
mod confusion;
mod erased;
mod exercise;
mod field;
pub mod fields;
mod input_error;
mod kind;
pub mod labelled_table;
mod link;
mod live;
mod meta;
mod model;
pub mod network_file;
mod pixels;
mod plan;
mod predicting;
mod replay;
mod residuals;
mod saved_run;
mod spec;
mod status;
mod task;
mod typed;
mod typed_task;
mod units;
mod value_unit;
mod values;

pub use bytes::{PartBytes, decode, encode};
pub use catalog::{Catalog, model_of};
pub use chain_summary::ChainSummary;
pub use challenge::{Attempt, Challenge, Requirement};
pub use companion::{companion_settings, newest_artefact};
pub use confusion::{Confusion, confusion_figure};
pub use erased::Erased;
pub use exercise::{Exercise, Goal};
pub use field::{Condition, Field, Group, Meaning, Rank, Role};
pub use input_error::InputError;
pub use kind::{Kind, Value, read_real};
pub use link::Link;
pub use live::{AllUnits, HasLive, Live};
pub use meta::{Meta, Preset, Queue};
pub use model::{DataKind, Model, Paper};
pub use pixels::Pixels;
pub use plan::Plan;
pub use predicting::{PredictionWork, Predictions};
pub use replay::{LAST_STEP, ReplayFrame};
pub use residuals::Residuals;
pub use saved_run::SavedRun;
pub use spec::{Checked, Record, Spec, mend};
pub use status::{Outcome, Status};
pub use task::{Decoder, ErasedExperiment, ErasedResult, Task};
pub use typed::{
    TypedField, artefact, choice, data, flag, integer, labelled_points, pixels, points, real, reals, seed,
    text,
};
pub use typed_task::{Predictor, Prepared, TypedTask, complete};
pub use units::{Experiment, Progress, Work};
pub use values::{Raw, Values, raw_of};

pub use meanfield_math::{Budget, ChainStats, Choice, Ending, Residual, choice};
use {meanfield_data as data, meanfield_figure as figure, meanfield_math as math};
