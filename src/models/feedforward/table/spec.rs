//! Fields and presets of a student of the user's table.

use std::ops::RangeInclusive;

use crate::data::Facts;
use crate::lab::fields::{FOLDS, POSITIVE, SEED, THRESHOLD, check_folds};
use crate::lab::labelled_table::{CLASS_WEIGHTS, ClassWeights, TableSettings, Untuned, planned_folds};
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, flag};
use crate::models::feedforward::fields::StudentTeacher;
use crate::models::feedforward::tap::search::Variances;

/// One-click specifications.
pub const PRESETS: &[Preset] = &[Preset::new(
    "Example: who is ill?",
    "200 simulated patients, 30 % of them kept for testing: which of six measurements predict the illness, and how well.",
    "data=example&train_fraction=0.7",
)];

crate::choice! {
    /// Cavity variances of the training rows.
    pub enum CavityVariances {
        /// One for each row if there are few inputs.
        Automatic = "auto" "automatic",
        PerRow = "own" "one for each row",
        /// OW96 eq. (6').
        Shared = "shared" "one for all rows",
    }
}

crate::choice! {
    /// Criterion that β is fitted by.
    pub enum FitBy {
        /// By evidence with the default β, unless the table is large or very small.
        Automatic = "auto" "automatic",
        Nothing = "none" "no",
        Evidence = "evidence" "maximum evidence",
    }
}

/// Numbers of rows of a table for which β is tuned by default.
const TUNED_ROWS: RangeInclusive<usize> = 20..=20_000;
/// Largest number of rows times squared columns for which β is tuned by default: a sweep is of this order, and the fit and its folds take
/// thousands of sweeps.
const TUNED_WORK: usize = 5_000_000;
/// Largest number of inputs of a branch for which the automatic choice is a cavity variance for each row. The lengths of rows of n
/// independent inputs, and with them the variances, differ by √(2/n): a tenth.
const FEW: usize = 200;
/// Largest number of inputs of a branch for variances for each row: each sweep ends with a factorisation of n×n numbers.
const MAX_INPUTS: usize = 500;
/// Largest number of rows times branches for variances for each row.
const MAX_FIELDS: usize = 1_000_000;
/// Numbers held for each row and branch with variances for each row.
const NUMBERS_PER_FIELD: u64 = 24;

crate::spec! {
    /// Specification of a student of the user's table.
    pub struct TableSpec {
        ..table: TableSettings {},
        /// Value of the label that counts as +1; empty for the default.
        positive: String = POSITIVE.after(&TableSettings::FIELDS.label),
        /// Branches K of the student.
        hidden: usize = StudentTeacher::FIELDS.hidden.help(
            "Branches of the committee; they share the columns in equal parts, in their order. 1 is a perceptron.",
        ),
        /// Inverse temperature β of the output noise.
        beta: f64 = StudentTeacher::FIELDS
            .beta
            .help("Assumed noise of the labels: each is flipped with probability 1/(1+e^β). inf: no label is flipped.")
            .group(Group::Method)
            .default("2")
            => fit not [FitBy::Evidence.word()],
        /// Criterion that β is fitted by.
        fit: FitBy = choice()
            .label("Fit β")
            .help(
                "Maximum evidence chooses the β at which the labels are most probable. Automatic: so for 20 to 20,000 rows, fewer if \
                 there are many columns, and the default value above. The results of that value come first.",
            )
            .group(Group::Method),
        /// Cavity variances of the training rows.
        variance: CavityVariances = choice()
            .label("Cavity variances")
            .symbol("λ")
            .help(
                "One for all rows is the paper's approximation, for many uncorrelated columns. One for each row needs no such assumption, \
                 but more time. Automatic: one for each row up to 200 columns in a branch.",
            )
            .group(Group::Method),
        /// True if every example is scaled onto the sphere, branch by branch.
        normalise: bool = StudentTeacher::FIELDS
            .normalise
            .help("Scales every example to the same length, branch by branch, which changes no label."),
        /// Seed of the draw of training rows and of folds.
        seed: u64 = SEED.help("Seed of the draw of training rows and of folds."),
        /// Number of folds of cross-validation; 0 for none.
        folds: usize = FOLDS,
        /// Probability above which a row is predicted +1.
        threshold: f64 = THRESHOLD,
        /// Weights of the classes in predictions and scores.
        class_weights: ClassWeights = CLASS_WEIGHTS,
        /// True if the report includes the fields of every example.
        fields: bool = flag()
            .label("Report fields")
            .help("Adds g, z and ln F of every example to the result on the command line.")
            .group(Group::Run)
            .role(Role::Report),
    }
}

impl Spec for TableSpec {
    fn problems(&self) -> Vec<InputError> {
        check_folds(self.folds).into_iter().collect()
    }
}

impl TableSpec {
    /// Returns the reason why β is not tuned automatically; `None` if it is, or if the user has decided.
    pub(super) fn untuned(&self, facts: Option<&Facts>) -> Option<Untuned> {
        match self.fit {
            FitBy::Nothing | FitBy::Evidence => None,
            FitBy::Automatic if !Self::FIELDS.beta.is_default(&self.beta) => Some(Untuned::Given),
            FitBy::Automatic => {
                let columns = facts.and_then(Facts::table).map_or(1, |table| table.columns.len());
                let most = TUNED_WORK / columns.pow(2).max(1);
                let tuned = *TUNED_ROWS.start()..=most.clamp(*TUNED_ROWS.start(), *TUNED_ROWS.end());
                Untuned::by_rows(facts.map_or(0, Facts::rows), tuned)
            }
        }
    }

    /// Returns the specification with the decision on automatic tuning.
    #[must_use]
    pub(super) fn decided(&self, untuned: Option<Untuned>) -> Self {
        let fit = match (self.fit, untuned) {
            (FitBy::Automatic, Some(_)) => FitBy::Nothing,
            (FitBy::Automatic, None) => FitBy::Evidence,
            (fit, _) => fit,
        };
        Self { fit, ..self.clone() }
    }

    /// Returns true if β is fitted, once [`Self::decided`].
    pub(super) fn is_tuned(&self) -> bool {
        self.fit == FitBy::Evidence
    }

    /// Returns true if leave-one-out is too optimistic, because β is fitted or rows are grouped.
    fn is_optimistic(&self) -> bool {
        self.is_tuned() || !self.group.is_empty()
    }

    /// Returns the number of folds of cross-validation; see [`planned_folds`].
    pub(super) fn planned_folds(&self) -> usize {
        planned_folds(self.folds, self.is_optimistic())
    }

    /// Returns the name of the student.
    pub(super) fn machine(&self) -> &'static str {
        if self.hidden == 1 { "perceptron" } else { "committee" }
    }

    /// Returns the cavity variances of a student with `branch` inputs in a branch and `rows` training rows.
    pub(super) fn variances(&self, branch: usize, rows: usize) -> Variances {
        let few = branch <= FEW && rows * self.hidden <= MAX_FIELDS;
        match self.variance {
            CavityVariances::PerRow => Variances::Adaptive,
            CavityVariances::Automatic if few => Variances::Adaptive,
            CavityVariances::Automatic | CavityVariances::Shared => Variances::Shared,
        }
    }

    /// Checks that cavity variances for each row, if chosen, are feasible with `branch` inputs in a branch and `rows` training rows.
    ///
    /// # Errors
    /// Too many inputs or rows.
    pub(super) fn check_variances(&self, branch: usize, rows: usize) -> Result<(), InputError> {
        let fields = rows * self.hidden;
        let limit = if self.variance != CavityVariances::PerRow {
            return Ok(());
        } else if branch > MAX_INPUTS {
            format!("{MAX_INPUTS} columns in a branch, since time grows with their cube; there are {branch}")
        } else if fields > MAX_FIELDS {
            format!("{MAX_FIELDS} rows times hidden units, since memory is short; there are {fields}")
        } else {
            return Ok(());
        };
        let error = Self::FIELDS.variance.error(self.variance);
        Err(error
            .expected(format!("auto or shared; own takes at most {limit}"))
            .nearest(CavityVariances::Automatic))
    }

    /// Returns the bytes that cavity variances for each of `rows` rows take.
    pub(super) fn memory(&self, rows: usize) -> u64 {
        let fields = if self.variance == CavityVariances::Shared { 0 } else { rows * self.hidden };
        NUMBERS_PER_FIELD * 8 * fields.min(MAX_FIELDS) as u64
    }

    /// Returns β, unless it is fitted.
    pub(super) fn given_beta(&self) -> Option<f64> {
        (!self.is_tuned()).then_some(self.beta)
    }
}
