//! BB98: Barber & Bishop, *Ensemble learning for multi-layer networks*, NIPS 10 (1998). Its solvers; the
//! experiments are announced, not built yet.

pub mod exact;
pub mod solver;

use super::Model;
use crate::lab::Paper;

/// What is said of it outside this folder.
pub static MODEL: Model = Model {
    id: "mlp",
    name: "Ensemble learning",
    promise: "Error bars of a two-layer network: a fitted Gaussian against Laplace's approximation at the mode.",
    paper: Paper {
        short: "Barber & Bishop 1998",
        authors: "D. Barber and C. M. Bishop",
        title: "Ensemble learning for multi-layer networks",
        reference: "Advances in Neural Information Processing Systems 10, 395 (1998)",
        bibtex: "@inproceedings{barber1998ensemble,
  author    = {Barber, David and Bishop, Christopher M.},
  title     = {Ensemble Learning for Multi-Layer Networks},
  booktitle = {Advances in Neural Information
               Processing Systems 10},
  pages     = {395--401},
  year      = {1998}
}",
    },
    tasks: &[],
    #[cfg(feature = "report")]
    claims: &[],
    small_runs: &[],
};
