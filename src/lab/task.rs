//! What a task is called, how it is run, and how that ended: what the page knows of it.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::static_slice::static_slice;
use super::values::Raw;
use crate::figure::Figure;
use crate::math::Ending;

/// What a task is called and how it is run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Its name in links and on the command line (`feedforward`, `feedforward.theory`).
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// One sentence: what its first figure shows. Empty where it is no page of its own.
    pub subtitle: &'static str,
    /// Whether its first two figures stand side by side where there is room: one is read with the other.
    pub pair: bool,
    /// Its name among the experiments of its model. A task without one is no page of its own: it accompanies others.
    #[serde(borrow)]
    pub tab: Option<&'static str>,
    /// Which workers it may have.
    pub queue: Queue,
    /// The task whose figures are laid over this one's and follow its controls at once, if any.
    /// It reads the same specification.
    #[serde(borrow)]
    pub live: Option<&'static str>,
    /// One-click specifications, the paper's figures first.
    #[serde(borrow, deserialize_with = "static_slice")]
    pub presets: &'static [Preset],
}

impl Meta {
    /// Of a live task that is no page of its own but accompanies one.
    pub const fn companion(id: &'static str, title: &'static str) -> Self {
        Self { id, title, subtitle: "", pair: false, tab: None, queue: Queue::Live, live: None, presets: &[] }
    }
}

/// A one-click specification.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// The text of the button (`Figure 1`).
    pub label: &'static str,
    /// What the figures then show.
    pub help: &'static str,
    /// The permalink's query (`inputs=50&beta=0.5`); what is not named has its default.
    pub query: &'static str,
}

/// How a task shares the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Queue {
    /// Long work on all but one of the workers.
    Run,
    /// Interaction: one worker of its own, and the latest request wins.
    Live,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// In one word.
    pub outcome: Outcome,
    /// Why, where it did not converge.
    pub reason: Option<String>,
}

/// How a run ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every solve reached its tolerance.
    Converged,
    /// Some solve did not within its iterations.
    MaxIterations,
    /// Some solve left the finite numbers or the region where its equations make sense.
    Diverged,
}

impl From<Ending> for Outcome {
    /// The outcome of a run that is one solve.
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Converged | Ending::Stalled => Self::Converged,
            Ending::MaxIterations => Self::MaxIterations,
            Ending::NoSolution | Ending::NonFinite => Self::Diverged,
        }
    }
}

impl Status {
    /// Everything converged.
    pub const CONVERGED: Self = Self { outcome: Outcome::Converged, reason: None };
}

/// The newest snapshot of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPart {
    /// First unit of the shard.
    pub first: usize,
    /// Grows with every snapshot of the run.
    pub stamp: u64,
    /// The snapshot; `None` where the one with this stamp was sent before, and is still decoded.
    pub bytes: Option<ByteBuf>,
}

/// What is to be seen of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// How it ended, if it is complete.
    pub status: Status,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// See [`Run::found`](super::Run::found).
    pub found: Raw,
}
