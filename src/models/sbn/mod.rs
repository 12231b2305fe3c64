//! SJ98: Saul & Jordan, *A mean field learning algorithm for unsupervised neural networks* (1998). Announced, not built yet.

use super::Model;
use crate::lab::Paper;

/// What is said of it outside this folder.
pub static MODEL: Model = Model {
    id: "sbn",
    name: "Belief networks",
    promise: "Draw a digit and watch ten belief networks bound its probability.",
    paper: Paper {
        short: "Saul & Jordan 1998",
        authors: "L. K. Saul and M. I. Jordan",
        title: "A mean field learning algorithm for unsupervised neural networks",
        reference: "Learning in Graphical Models, Kluwer, 541 (1998)",
        bibtex: "@incollection{saul1998mean,
  author    = {Saul, Lawrence K. and Jordan, Michael I.},
  title     = {A Mean Field Learning Algorithm for
               Unsupervised Neural Networks},
  booktitle = {Learning in Graphical Models},
  editor    = {Jordan, Michael I.},
  publisher = {Kluwer},
  pages     = {541--554},
  year      = {1998}
}",
    },
    tasks: &[],
    #[cfg(feature = "report")]
    claims: &[],
    small_runs: &[],
};
