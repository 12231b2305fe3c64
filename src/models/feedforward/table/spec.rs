//! Specification of a run on the user's data.

use crate::lab::fields::{FOLDS, POSITIVE, SEED, THRESHOLD, check_folds};
use crate::lab::{Group, InputError, OwnTable, Role, Spec, choice, flag};
use crate::models::feedforward::fields::StudentTeacher;
use crate::models::feedforward::tap::search::Variances;

crate::choice! {
    /// Which examples have a cavity variance of their own.
    pub enum CavityVariances {
        /// All where the inputs are few.
        Automatic = "auto" "automatic",
        Own = "own" "one for each row",
        /// Eq. (6').
        Shared = "shared" "one for all rows",
    }
}

crate::choice! {
    /// What β is fitted by.
    pub enum FitBy {
        Nothing = "none" "no",
        Evidence = "evidence" "maximum evidence",
    }
}

/// Inputs of a branch up to which each example has a cavity variance of its own where nothing is said: the lengths of independent rows of
/// so many inputs, and with them their variances, differ by √(2/n), a tenth.
const FEW: usize = 200;
/// Inputs of a branch at most for variances of each example's own: a factorisation of n×n numbers at the end of each sweep.
const MOST_OWN: usize = 500;
/// Rows times branches at most for them: some two dozen numbers for each.
const MOST_FIELDS: usize = 1_000_000;

crate::spec! {
    /// Specification of a student trained on the user's data.
    pub struct OwnSpec {
        ..table: OwnTable {},
        /// Which of its two values is +1; empty for the usual one.
        positive: String = POSITIVE.after(&OwnTable::FIELDS.label),
        /// Branches K of the student.
        hidden: usize = StudentTeacher::FIELDS.hidden.help(
            "Branches of the committee; they share the columns in equal parts, in their order. 1 is a perceptron.",
        ),
        /// Inverse temperature β of the output noise.
        beta: f64 = StudentTeacher::FIELDS
            .beta
            .help("Assumed reliability of the labels: each is flipped with probability 1/(1+e^β). inf: no label is flipped.")
            .group(Group::Method)
            .default("2")
            => fit is [FitBy::Nothing.word()],
        /// What β is fitted by.
        fit: FitBy = choice()
            .label("Fit β")
            .help("Maximum evidence chooses the β at which the labels are most probable; the value above is not used.")
            .group(Group::Method),
        /// Which examples have a cavity variance of their own.
        variance: CavityVariances = choice()
            .label("Cavity variances")
            .symbol("λ")
            .help(
                "One for all rows is the paper's approximation, for many uncorrelated columns. One for each row needs no such assumption, \
                 but more time. Automatic: one for each row up to 200 columns in a branch.",
            )
            .group(Group::Method),
        /// Whether every example is scaled onto the sphere, branch by branch.
        normalise: bool = StudentTeacher::FIELDS
            .normalise
            .help("Scales every example to the same length, branch by branch, which changes no label."),
        /// Seed of the split, where it is drawn.
        seed: u64 = SEED.help("Seed of the draw of training rows and of folds."),
        /// Into how many folds the training rows are dealt; 0 for no cross-validation.
        folds: usize = FOLDS,
        /// From which probability on a row is predicted to be +1.
        threshold: f64 = THRESHOLD,
        /// Whether the report has the fields of every example.
        fields: bool = flag()
            .label("Report fields")
            .help("Adds g, z and ln F of every example to the result on the command line.")
            .group(Group::Run)
            .role(Role::Report),
    }
}

impl Spec for OwnSpec {
    fn problems(&self) -> Vec<InputError> {
        check_folds(self.folds).into_iter().collect()
    }
}

impl OwnSpec {
    /// The cavity variances that a student of so many rows with so many inputs in a branch has.
    pub(super) fn variances(&self, branch: usize, rows: usize) -> Variances {
        let few = branch <= FEW && rows * self.hidden <= MOST_FIELDS;
        match self.variance {
            CavityVariances::Own => Variances::Adaptive,
            CavityVariances::Automatic if few => Variances::Adaptive,
            CavityVariances::Automatic | CavityVariances::Shared => Variances::Shared,
        }
    }

    /// What is wrong with the cavity variances that are asked for, for so many rows with so many inputs in a branch.
    pub(super) fn check_variances(&self, branch: usize, rows: usize) -> Result<(), InputError> {
        let why = if self.variance != CavityVariances::Own {
            return Ok(());
        } else if branch > MOST_OWN {
            format!("{MOST_OWN} columns in a branch, since time grows with their cube; there are {branch}")
        } else if rows * self.hidden > MOST_FIELDS {
            format!(
                "{MOST_FIELDS} rows times hidden units, since memory is short; there are {}",
                rows * self.hidden
            )
        } else {
            return Ok(());
        };
        let error = Self::FIELDS.variance.error(self.variance);
        Err(error
            .expected(format!("auto or shared; own takes at most {why}"))
            .nearest(CavityVariances::Automatic))
    }

    /// Bytes that variances of each example's own take besides the rows.
    pub(super) fn memory(&self, rows: usize) -> u64 {
        let fields = if self.variance == CavityVariances::Shared { 0 } else { rows * self.hidden };
        24 * 8 * fields.min(MOST_FIELDS) as u64
    }

    /// β where it is given.
    pub(super) fn given_beta(&self) -> Option<f64> {
        (self.fit == FitBy::Nothing).then_some(self.beta)
    }
}
