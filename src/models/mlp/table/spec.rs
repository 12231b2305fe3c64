//! Fields and presets of the regression on the user's data.

use crate::lab::fields::SEED;
use crate::lab::labelled_table::TableSettings;
use crate::lab::{Group, InputError, Preset, Spec, flag, integer};
use crate::models::mlp::fields::{
    ALPHA, BETA, BIAS, FACTORS, HYPER, HYPERPRIORS, OPTIMISER, OptimiserChoice, PrecisionSource, RESTARTS,
    SCHEME, SchemeChoice, check_hyperpriors,
};
use crate::models::mlp::solver::precisions::PriorGroups;

crate::spec! {
    /// Specification of a regression on the user's data.
    pub struct TableSpec {
        ..table: TableSettings {
            label = TableSettings::FIELDS.label.label("Target").symbol("t").help(
                "Numeric column to predict. Rows with an empty target are predicted. Default: the last column.",
            ),
            train_fraction = TableSettings::FIELDS.train_fraction.default("0.7"),
            standardise = TableSettings::FIELDS.standardise.help(
                "Scales inputs and target to zero mean and unit variance over the training rows.",
            ),
        },
        /// Number of hidden units.
        hidden: usize = integer(1, 20)
            .slider(1, 10)
            .label("Hidden units")
            .symbol("H")
            .help("Number of hidden units. Each has one weight per input, a bias and an output weight.")
            .group(Group::Method)
            .default("4").knob(),
        /// True if hidden units have a bias.
        bias: bool = BIAS.more(),
        /// Number of factors s of BB98 eq. (18).
        factors: usize = FACTORS.more(),
        /// Source of α and β.
        hyper: PrecisionSource = HYPER,
        /// Parameters a, b, c, d of the Gamma priors, BB98 eqs. (19) and (20).
        hyperpriors: Vec<f64> = HYPERPRIORS.more() => hyper is [PrecisionSource::Estimated.word()],
        /// True if the weights of each column have a prior precision of their own.
        fit_ard: bool = flag()
            .label("Estimate column relevances")
            .help("Estimates a prior precision α for the weights of each column, and for those of the bias and the outputs, in place of one \
                   for all: the weights of uninformative columns tend to zero (automatic relevance determination). For ensemble learning only; \
                   MAP and Laplace keep one α. Compare −ELBO and the test errors with and without.")
            .group(Group::Method)
            => hyper is [PrecisionSource::Estimated.word()],
        /// Prior precision.
        alpha: f64 = ALPHA.default("0.6") => hyper is [PrecisionSource::Fixed.word()],
        /// Noise precision.
        beta: f64 = BETA.help("Inverse variance of the Gaussian noise on the targets, standardised if the table is.").default("10")
            => hyper is [PrecisionSource::Fixed.word()],
        /// Minimiser of the free energy.
        optimiser: OptimiserChoice = OPTIMISER.more(),
        /// Updates of α and β under Gamma priors.
        scheme: SchemeChoice = SCHEME.more() => hyper is [PrecisionSource::Estimated.word()],
        /// Number of starts of each fit.
        restarts: usize = RESTARTS.more(),
        /// Number of random splits into training and test rows.
        splits: usize = integer(1, 20)
            .slider(1, 10)
            .label("Train/test splits")
            .help("Number of random train/test splits. Errors are averaged over the splits.")
            .group(Group::Run)
            => train_fraction not ["1"],
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Example: yield of wheat",
        "180 simulated field plots with five measurements: the yield in t/ha, with error bars.",
        "data=yield",
    ),
    Preset::new(
        "Paper, Table 1: Boston housing",
        "128 of 506 rows for training, four hidden units, the priors of the paper. It prints .22, .28 and .33 for one unknown split.",
        "data=housing&train_fraction=0.253",
    )
    .about("errors"),
    Preset::new(
        "Paper, Table 1 over nine splits",
        "The same, averaged over nine random splits, with standard errors. The paper has one split.",
        "data=housing&train_fraction=0.253&splits=9",
    )
    .about("errors"),
];

impl TableSpec {
    /// Returns the groups of weights with a prior precision of their own.
    pub fn groups(&self) -> PriorGroups {
        if self.fit_ard && self.hyper == PrecisionSource::Estimated {
            PriorGroups::PerInput
        } else {
            PriorGroups::Shared
        }
    }
}

impl Spec for TableSpec {
    fn problems(&self) -> Vec<InputError> {
        check_hyperpriors(&self.hyperpriors, &Self::FIELDS.hyperpriors).into_iter().collect()
    }
}
