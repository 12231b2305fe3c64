//! LH00: Lappalainen & Honkela, *Bayesian nonlinear independent component analysis by multi-layer perceptrons* (2000).
//!
//! ```
//! use meanfield::models::nfa::solver::moments::Moments;
//!
//! // Mean of tanh y for y with mean 0.5 and variance 1: the exact value is 0.2955.
//! let [taylor, quadrature] = [Moments::Taylor, Moments::GaussHermite].map(|moments| moments.activation(0.5, 1.0).mean);
//! assert!((quadrature - 0.2955).abs() < 0.04 && (taylor - 0.2955).abs() > 0.15);
//! ```

mod claims;
pub mod fields;
pub mod fit;
pub mod learn;
pub mod moments;
mod shared_figures;
pub mod simulated;
pub mod table;

pub use meanfield_methods::nfa::{monte_carlo, solver};

use crate::lab::{DataKind, Erased, Live, Model, Paper};

pub use learn::Learn;
pub use moments::MomentsLab;
pub use table::OwnData;

/// The model: names, paper, tasks and claims.
pub static MODEL: Model = Model {
    id: "nfa",
    name: "Nonlinear factors",
    question: "Which hidden sources produced these measurements?",
    promise: "Estimate the hidden sources of nonlinear mixtures, with error bars.",
    takes: &[DataKind::Channels],
    takes_words: "No target; cells may be missing",
    paper: Paper {
        short: "Lappalainen & Honkela 2000",
        authors: "H. Lappalainen and A. Honkela",
        title: "Bayesian nonlinear independent component analysis by multi-layer perceptrons",
        reference: "Advances in Independent Component Analysis, Springer, 93 (2000)",
        bibtex: "@incollection{lappalainen2000bayesian,
  author    = {Lappalainen, Harri and Honkela, Antti},
  title     = {{Bayesian} Nonlinear Independent Component
               Analysis by Multi-Layer Perceptrons},
  booktitle = {Advances in Independent Component Analysis},
  editor    = {Girolami, Mark},
  publisher = {Springer},
  pages     = {93--121},
  year      = {2000}
}",
    },
    tasks: &[
        &Erased::<Learn>::NEW,
        &Erased::<MomentsLab>::NEW,
        &Erased::<Live<MomentsLab>>::NEW,
        &Erased::<OwnData>::NEW,
    ],
    claims: claims::CLAIMS,
    errata: claims::ERRATA,
    changes: &[
        "the report of a table has explained variance, loadings and the rows of a second table",
        "built-in data are fitted from three starts, of which the one with the lowest cost is shown",
        "columns of words in a table are left out",
    ],
    small_runs: &[
        "#/nfa?samples=40&hidden=5&sweeps=115&restarts=2&missing=0.1",
        "#/nfa?samples=30&hidden=4&sweeps=105&data=mixtures&sources=2&components=2&mixture_sweeps=4&weight_sd=1&compare=updates&restarts=1",
        "#/nfa?samples=30&hidden=4&sweeps=60&data=paper_mixtures&sources=1&moments=gauss_hermite&compare=sources&restarts=1",
        "#/nfa?samples=24&hidden=3&sweeps=106&hmc=40&restarts=1",
        "#/nfa.moments?draws=3000",
        "#/nfa.moments?draws=2000&shape=wide&variance=0.1&interference=false",
        "#/nfa.moments_live?shape=small&draws=5000",
        "#/nfa.data?data=own.csv@bf66ff99ccb91883&ignore=grown&sweeps=112&hidden=4",
        "#/nfa.data?data=own.csv@bf66ff99ccb91883&ignore=grown,age&sweeps=104&hidden=3&sources=1&standardise=false&restarts=2",
    ],
};
