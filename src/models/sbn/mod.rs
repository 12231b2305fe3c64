//! SJ98: Saul & Jordan, *A mean field learning algorithm for unsupervised neural networks* (1998).
//!
//! ```
//! use meanfield::models::sbn::network::ascent::Ascent;
//! use meanfield::models::sbn::network::model::{Network, Pattern};
//!
//! // Two hidden units over three visible ones. Without weights every pattern has probability 1/8.
//! let network = Network::zero(&[2, 3]);
//! let pattern = Pattern::complete(vec![1.0, 0.0, 1.0]);
//! let mut ascent = Ascent::new(&network, &pattern);
//! ascent.solve(1e-12, 100);
//! assert!((ascent.bound() - (1.0_f64 / 8.0).ln()).abs() < 1e-12);
//! ```

pub mod bound;
mod claims;
pub mod digits;
pub mod ensemble;
pub mod learn;
pub mod pad;
pub mod pretrained;
pub mod spec;

pub use meanfield_methods::sbn::{baselines, network};

use crate::lab::{DataKind, Erased, Model, Paper};

/// The model: names, paper, tasks and claims.
pub static MODEL: Model = Model {
    id: "sbn",
    name: "Belief networks",
    question: "Can a network read a digit that is half erased?",
    promise: "Draw a digit; ten belief networks classify it by bounds, which are fast estimates of its probability.",
    takes: &[DataKind::Images],
    takes_words: "Images of digits",
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
    tasks: &[&Erased::<learn::Learn>::NEW, &Erased::<pad::Pad>::NEW, &Erased::<bound::BoundComparison>::NEW],
    claims: claims::CLAIMS,
    errata: claims::ERRATA,
    changes: &[
        "the detailed figures show the network of the predicted digit unless another is chosen",
        "the pad opens with half of a digit hidden; each network shows a sample of its pixels",
        "the comparison of bounds has the strict one and the effective sample sizes",
        "importance sampling estimates of effective sample size below 5 are marked",
    ],
    small_runs: &[
        "#/sbn?per_digit=8&test=120&epochs=1,1&layers=2,5,100&baselines=knn,mixture&missing=0.3",
        "#/sbn?per_digit=12&test=20&epochs=2&rates=0.05&digits=3,8&preprocess=bbox&missing=0.5",
        "#/sbn.pad?drawing=10x10.AAAAFVAQFAQBAEARAEAQAEAQAEAEKKKKKg",
        "#/sbn.pad?canvas=pen&look=7&clamp=1,-1,0",
        "#/sbn.bound?networks=3&weight_sds=0.5,2&draws=50",
    ],
};
