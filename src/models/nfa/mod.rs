//! LH00: Lappalainen & Honkela, *Bayesian nonlinear independent component analysis by multi-layer perceptrons* (2000). Announced, not built yet.

pub mod problems;
pub mod solver;

use super::Model;
use crate::lab::Paper;

/// What is said of it outside this folder.
pub static MODEL: Model = Model {
    id: "nfa",
    name: "Nonlinear factors",
    promise: "Find the hidden sources behind nonlinear mixtures, with the uncertainty of every one.",
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
    tasks: &[],
    #[cfg(feature = "report")]
    claims: &[],
    small_runs: &[],
};
