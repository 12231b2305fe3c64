//! OW98: Opper & Winther, *Mean field methods for classification with Gaussian processes*, NIPS 11 (1998).
//!
//! ```
//! use meanfield::models::gp::solver::approximation::{Approach, Solve};
//! use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
//! use meanfield::models::gp::solver::kernel::KernelKind;
//! use meanfield::models::gp::solver::mean_field::MeanFieldSolver;
//! use meanfield::models::gp::solver::theory::MeanFieldTheory;
//!
//! let rows = vec![vec![-1.0], vec![-0.5], vec![0.4], vec![1.2]];
//! let labels = [-1.0, -1.0, 1.0, 1.0];
//! let hyperparameters = Hyperparameters::isotropic(KernelKind::Rbf, 1, 0.5, 0.1, 0.0);
//! let approach = Approach::MeanField(MeanFieldSolver::new(MeanFieldTheory::Tap));
//! let mut solving = Solve::new(&rows, &labels, hyperparameters, approach);
//! assert!(solving.solve().is_solution());
//! let posterior = solving.posterior().expect("the solve has converged");
//! let prediction = solving.predict(&posterior, rows.iter(), &[0.8]);
//! assert!(prediction.p > 0.5);
//! ```

mod claims;
pub mod curve;
pub mod evidence;
pub mod fields;
pub mod inducing_points;
pub mod play;
pub mod table;
pub mod table_regression;
mod weights;

pub use meanfield_methods::gp::{exact, fit, inducing, propagation, regression, solver};

use crate::lab::{DataKind, Erased, Live, Model, Paper};

pub use curve::CurveRegression;
pub use evidence::EvidenceComparison;
pub use play::MapComparison;
pub use table::UserTable;
pub use table_regression::ProcessRegression;

/// Name, paper and tasks, for use outside this folder.
pub static MODEL: Model = Model {
    id: "gp",
    name: "Gaussian processes",
    question: "How sure should a classifier be between its examples?",
    promise: "Classify quickly by TAP, naive mean field or Laplace, and see how far each is from exact.",
    takes: &[DataKind::Classes],
    takes_words: "Two or more classes, any boundary",
    paper: Paper {
        short: "Opper & Winther 1998",
        authors: "M. Opper and O. Winther",
        title: "Mean field methods for classification with Gaussian processes",
        reference: "Advances in Neural Information Processing Systems 11, 309 (1998)",
        bibtex: "@inproceedings{opper1998mean,
  author    = {Opper, Manfred and Winther, Ole},
  title     = {Mean Field Methods for Classification
               with {Gaussian} Processes},
  booktitle = {Advances in Neural Information
               Processing Systems 11},
  pages     = {309--315},
  year      = {1998}
}",
    },
    tasks: &[
        &Erased::<MapComparison>::NEW,
        &Erased::<Live<MapComparison>>::NEW,
        &Erased::<CurveRegression>::NEW,
        &Erased::<Live<CurveRegression>>::NEW,
        &Erased::<EvidenceComparison>::NEW,
        &Erased::<UserTable>::NEW,
        &Erased::<ProcessRegression>::NEW,
    ],
    claims: claims::CLAIMS,
    errata: claims::ERRATA,
    changes: &[
        "with κ > 0, labels are flipped in every generated point set",
        "the log evidence over σ² has a page of its own",
        "Matérn and periodic covariance functions",
        "regression in one dimension has a page of its own",
        "a fit to a table without test rows is followed by five-fold cross-validation",
        "fits to tables begin with the given settings, have a budget, fit κ only where it pays, and start the folds at the fitted settings",
        "default settings are tuned to a table of 20 to 2,000 rows",
        "the report of log evidences has the largest error of each approximation, and marks estimates of effective sample size below 5",
        "fitted settings of a table are kept only if the log loss in folds is not larger, and relevances only if it is clearly smaller",
        "the report of a two-class table includes the effect of each column, and tables of 4,001 to 77,000 rows use up to 1,000 inducing \
            points",
        "relevances of a regression on a table are kept only if the log density in folds is clearly larger",
        "the report of a table has the partial dependence on its columns with limits of bands, the effects of columns with several classes, and folds at the settings that are kept",
        "the headline of a regression on a table states the root mean squared error",
    ],
    small_runs: &[
        "#/gp?examples=14&draws=100&v=0.2",
        "#/gp?examples=11&draws=100&set=draw&kernel=arcsine&kappa=0.1&v=0.05",
        "#/gp.map?examples=12&set=rings&v=0",
        "#/gp?examples=10&draws=100&set=xor&kernel=periodic&period=4",
        "#/gp.curve?examples=10&predict=0.5,4",
        "#/gp.curve?set=own&points=-1,0.2,0,0.9,1,-0.3,1.5,0&kernel=matern32&fit=evidence&draws=2",
        "#/gp.curve?examples=7&network=1&draws=0&predict=1",
        "#/gp.curve?set=periodic&examples=9&kernel=periodic&noise=0.2&draws=1",
        "#/gp.curve?set=trend&examples=9&kernel=periodic&combine=sum&ratio2=4&fit=evidence&draws=1",
        "#/gp.bands?set=gap&examples=8&fit=evidence&sigma2=1&draws=1",
        "#/gp.evidence?examples=8&sigma2_grid=0.1,1&chains=20&steps=20",
        "#/gp.evidence?set=draw&examples=6&sigma2_grid=0.3&kappa=0.1&v=0&kernel=arcsine&chains=2&steps=10",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&train_fraction=0.7&exact_loo=true&sigma2_grid=0.2,1",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=no&method=naive&kernel=arcsine&kappa=0.05&ard=1,2,0.5,1,1,0",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&method=laplace&kernel=linear&standardise=false&folds=3&threshold=0.3",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&fit=evidence&exact_loo=true&ignore=noise,age",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&method=parallel&damping=0.3",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&method=sequential&kappa=0.02",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&predict=own.csv@bf66ff99ccb91883&positive=yes&train_fraction=0.7",
        "#/gp.regression?data=own.csv@bf66ff99ccb91883&label=age&train_fraction=0.6&predict=own.csv@bf66ff99ccb91883",
        "#/gp.regression?data=own.csv@bf66ff99ccb91883&label=age&kernel=matern52&fit_ard=true&folds=3&missing=impute",
        "#/gp.regression?data=own.csv@bf66ff99ccb91883&label=age&fit=none&kernel=linear&standardise=false&noise=0.5",
        "#/gp.regression?data=own.csv@bf66ff99ccb91883&label=age&train_fraction=0.7&inducing=8&fit_ard=true&folds=2",
        "#/gp.data?data=own.csv@bf66ff99ccb91883&positive=yes&train_fraction=0.7&inducing=8&fit=evidence&folds=2",
    ],
};
