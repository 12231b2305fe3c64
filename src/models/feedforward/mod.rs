//! OW96: Opper & Winther, *A mean field approach to Bayes learning in feed-forward neural networks*, PRL 76, 1964
//! (1996). README.md has the symbols, the equations, and the differences from the paper.
//!
//! ```
//! use meanfield::models::feedforward::tap::likelihood::Likelihood;
//! use meanfield::models::feedforward::theory;
//!
//! // Replica theory of a perceptron (K = 1) that learns from labels of which a fraction 1/(1 + e^2) is flipped.
//! let likelihood = Likelihood::new(1, 2.0);
//! let [few, many] = [1.0, 4.0].map(|alpha| theory::solve(&likelihood, alpha, 0.5).bayes);
//! assert!(0.0 < many && many < few && few < 0.5);
//! ```

mod claim_checks;
mod claims;
pub mod curve;
pub mod fields;
mod residual;
pub mod single;
pub mod solutions;
pub mod table;

pub use meanfield_methods::feedforward::{exact, tap, theory};

use crate::lab::{DataKind, Erased, Model, Paper};

pub use curve::{LearningCurve, TheoryCurve};
pub use single::SingleRun;
pub use solutions::SolutionCount;
pub use table::UserTable;

/// Name, paper and tasks, for use outside this folder.
pub static MODEL: Model = Model {
    id: "feedforward",
    name: "Perceptron",
    question: "Can a learner know how wrong it is without a test set?",
    promise: "Perceptrons trained by TAP, a fast approximation, compared with the theory for large networks.",
    takes: &[DataKind::TwoClasses],
    takes_words: "Two classes, straight boundary",
    paper: Paper {
        short: "Opper & Winther 1996",
        authors: "M. Opper and O. Winther",
        title: "A mean field approach to Bayes learning in feed-forward neural networks",
        reference: "Phys. Rev. Lett. 76, 1964 (1996)",
        bibtex: "@article{opper1996mean,
  author  = {Opper, Manfred and Winther, Ole},
  title   = {A Mean Field Approach to {Bayes} Learning
             in Feed-Forward Neural Networks},
  journal = {Physical Review Letters},
  volume  = {76}, number = {11}, pages = {1964--1967},
  year    = {1996}
}",
    },
    tasks: &[
        &Erased::<LearningCurve>::NEW,
        &Erased::<TheoryCurve>::NEW,
        &Erased::<SingleRun>::NEW,
        &Erased::<SolutionCount>::NEW,
        &Erased::<UserTable>::NEW,
    ],
    claims: claims::CLAIMS,
    errata: claims::ERRATA,
    changes: &[
        "the report of a learning curve has paired differences, and extremes over α with their own errors",
        "a fit to a table without test rows is followed by five-fold cross-validation",
        "the report of a table has the effect of each column",
        "the default β is tuned to a table of 20 to 20,000 rows, and a fit of β begins with the given one",
        "the errors of the extremes of a learning curve have random numbers of their own",
        "the given β of a table is kept, also in the report of the folds, if the fitted one raises the log loss in folds",
        "leave-one-out with a cavity variance for each example solves again near the decision boundary",
    ],
    small_runs: &[
        "#/feedforward?inputs=60&beta=0.5&alphas=1,0.5,4&runs=30&seed=3",
        "#/feedforward?inputs=33&beta=inf&alphas=0.7,2&runs=5&seed=4",
        "#/feedforward?hidden=3&inputs=30&beta=inf&alphas=0.5,3&runs=4&seed=5",
        "#/feedforward?hidden=4&inputs=20&beta=2&alphas=2&runs=3&seed=6",
        "#/feedforward?hidden=3&inputs=12&beta=2&alphas=1,3&runs=4&rho=0.6&normalise=true&warm_start=true",
        "#/feedforward?inputs=10&beta=0.5&alphas=1,4&runs=8&variance=own",
        "#/feedforward?hidden=3&inputs=15&beta=1&alphas=1,2&runs=4&variance=own",
        "#/feedforward?inputs=20&beta=3&alphas=1,3&runs=6&teacher=parity&teacher_hidden=2",
        "#/feedforward.run?inputs=10&beta=1&alpha=2&draws=100",
        "#/feedforward.run?hidden=3&inputs=12&beta=inf&alpha=1&draws=5000&exact=weighted&warm_start=false",
        "#/feedforward.theory?beta=1.3&alphas=1,6",
        "#/feedforward.solutions?inputs=12&alphas=1,3&sets=2&starts=3",
        "#/feedforward.solutions?inputs=12&alphas=2&sets=1&starts=2&teacher=committee&beta=2",
        "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=yes&fit=evidence&fields=true",
        "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=no&hidden=2&beta=0.7&normalise=true",
        "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=yes&standardise=true&fields=true&variance=shared",
        "#/feedforward.data?data=own.csv@bf66ff99ccb91883&positive=no&hidden=2&beta=0.7&normalise=true&variance=shared",
    ],
};
