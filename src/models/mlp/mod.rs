//! BB98: Barber & Bishop, *Ensemble learning for multi-layer networks*, NIPS 10 (1998).
//!
//! ```
//! use std::rc::Rc;
//!
//! use meanfield::math::Budget;
//! use meanfield::models::mlp::solver::fit::restart;
//! use meanfield::models::mlp::solver::options::{InferenceMethod, Options};
//! use meanfield::models::mlp::solver::problem::RegressionProblem;
//! use meanfield::models::mlp::solver::gaussian::CovarianceForm;
//! use meanfield::models::mlp::solver::hyperprior::Hyperprior;
//! use meanfield::models::mlp::solver::precisions::PriorGroups;
//! use meanfield::models::mlp::solver::examples::ExampleBlocks;
//! use meanfield::models::mlp::solver::network::NetworkShape;
//!
//! let (x, t) = ([-1.0, -0.3, 0.4, 1.1], [-0.8, -0.2, 0.3, 0.9]);
//! let problem = Rc::new(RegressionProblem {
//!     shape: NetworkShape { hidden: 1, inputs: 1 },
//!     examples: ExampleBlocks::new(&x, 1, &t),
//!     hyper: Hyperprior::Fixed { alpha: 1.0, beta: 10.0 },
//!     groups: PriorGroups::Shared,
//! });
//! let bound = |form| {
//!     let mut fit = restart(&problem, Options::new(InferenceMethod::Ensemble(form)), 0, 1);
//!     while !fit.step(&mut Budget::slice()) {}
//!     fit.result().expect("the fit has converged").bound.negative_elbo
//! };
//! // A full covariance is at least as good as a diagonal one.
//! assert!(bound(CovarianceForm::Full) <= bound(CovarianceForm::Diagonal) + 1e-6);
//! ```

mod claims;
pub mod curve;
pub mod fields;
pub mod figures;
pub mod fits;
pub mod plane;
pub mod table;
pub mod units;

pub use meanfield_methods::mlp::{exact, solver};

use crate::lab::{DataKind, Erased, Live, Model, Paper};

pub use curve::Curve1d;
pub use plane::TwoWeights;
pub use table::NetworkRegression;
pub use units::UnitsSweep;

/// The model: name, paper, tasks and claims.
pub static MODEL: Model = Model {
    id: "mlp",
    name: "Ensemble learning",
    question: "How far can the predictions of a neural network be trusted?",
    promise: "Error bars from a Gaussian fitted by variational inference (ensemble learning) or at the peak (Laplace).",
    takes: &[DataKind::Number],
    takes_words: "A number, with error bars",
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
    tasks: &[
        &Erased::<TwoWeights>::NEW,
        &Erased::<Live<TwoWeights>>::NEW,
        &Erased::<Curve1d>::NEW,
        &Erased::<Live<Curve1d>>::NEW,
        &Erased::<UnitsSweep>::NEW,
        &Erased::<NetworkRegression>::NEW,
    ],
    claims: claims::CLAIMS,
    errata: claims::ERRATA,
    changes: &[
        "the report of a table has paired differences of the test errors",
        "the number of hidden units has a page of its own",
        "new rows of a table are predicted by a fit to all labelled rows",
        "searches are scaled by the curvature, and the fit to all labelled rows starts at the best fit to the training rows",
        "the regression in one dimension draws 24 examples unless told otherwise",
        "standard errors over splits of a table allow for shared rows; log evidences of effective sample size below 5 are marked",
        "ensemble learning is scaled by its curvature repeatedly, and may end at another optimum",
        "the log evidence of a network is estimated with more walks, each of many short moves",
        "the partial dependence on the columns of a table is reported with the limits of its band",
        "the sweep over hidden units also starts each ensemble fit at zero weights",
    ],
    small_runs: &[
        "#/mlp?hmc=60&restarts=2&predict=0.5,-3",
        "#/mlp?set=own&points=-1,-0.5,0.4,0.2,1.5,0.9&alpha=0.5&beta=100&optimiser=scg&twin=true&hmc=0&restarts=1",
        "#/mlp?set=saturated&alpha=0.000007&beta=42&evaluations=7&hmc=40&restarts=2",
        "#/mlp.plane?set=held2&alpha=1.2",
        "#/mlp.curve?examples=8&hidden=2&hmc=60&restarts=1&predict=0.3",
        "#/mlp.curve?set=gap&examples=7&hidden=1&bias=false&hyper=fixed&optimiser=scg&hmc=0&restarts=2&factors=2",
        "#/mlp.curve?set=table&table=own.csv@bf66ff99ccb91883&label=age&hidden=1&restarts=1&hmc=0",
        "#/mlp.bands?examples=8&hidden=1",
        "#/mlp.units?examples=8&most=2&restarts=1&walks=20&rungs=20",
        "#/mlp.units?set=steps&examples=6&most=1&hyper=fixed&restarts=1&walks=2&rungs=10",
        "#/mlp.data?data=own.csv@bf66ff99ccb91883&label=age&ignore=grown&hidden=1&restarts=1&splits=2&train_fraction=0.6",
    ],
};
