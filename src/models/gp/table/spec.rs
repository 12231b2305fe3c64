//! Specification of a classifier on the user's data.

use super::Method;
use crate::data::Facts;
use crate::data::columns::{ColumnRoles, column_roles};
use crate::lab::fields::{FOLDS, POSITIVE, SEED, THRESHOLD, check_folds};
use crate::lab::{Group, InputError, OwnTable, Role, Spec, choice, flag, real, reals};
use crate::models::gp::fields::{KAPPA, KERNEL, NOISE, SIGMA2};
use crate::models::gp::fit::STARTS;
use crate::models::gp::solver::kernel::KernelKind;

crate::choice! {
    /// What hyperparameters are fitted by.
    pub enum FitBy {
        Nothing = "none" "no",
        /// TAP's evidence, eq. (11).
        Evidence = "evidence" "maximum evidence",
        /// The log predictive probability of the labels left out.
        LeaveOneOut = "loo" "maximum leave-one-out probability",
    }
}

crate::spec! {
    /// Specification of a classifier on the user's data.
    pub struct OwnSpec {
        ..table: OwnTable {
            label = OwnTable::FIELDS.label.symbol("τ").help(
                "Column to predict. With more than two values, one classifier is trained for each value against all others, and \
                 their probabilities are normalised. Rows where it is empty are predicted. Default: the last column.",
            ),
        },
        /// Which of its two values is +1; empty for the usual one.
        positive: String = POSITIVE.after(&OwnTable::FIELDS.label),
        /// Covariance function.
        kernel: KernelKind = KERNEL,
        /// σ²: the inverse of N times the inputs' weight.
        sigma2: f64 = SIGMA2,
        /// Relevances `a_i` of the inputs, w_i = a_i/(σ²N); empty for 1 each.
        ard: Vec<f64> = reals((0.0, 1e6), 1000)
            .label("Relevances")
            .symbol("a")
            .help("One number for each input column, in their order: its weight is aᵢ/(σ²N). Default: 1 each.")
            .group(Group::Method)
            .role(Role::PerColumn),
        /// Probability that a label is flipped.
        kappa: f64 = KAPPA,
        /// Noise variance of the latent function.
        v: f64 = NOISE,
        /// How the posterior is approximated.
        method: Method = choice()
            .label("Method")
            .help("The first three are solved by Newton's method. The iterations solve TAP's equations as well, to compare: the paper \
                   does not say how it iterates. Laplace's approximation needs v > 0.")
            .group(Group::Method),
        /// Fraction of each step that the parallel iteration takes.
        damping: f64 = real((0.001, 1.0), (0.01, 1.0, 0.01))
            .label("Damping")
            .symbol("η")
            .help("Fraction of each step that the parallel iteration takes.")
            .group(Group::Method)
            .default("0.02")
            => method is [Method::Parallel.word()],
        /// What the hyperparameters are fitted by.
        fit: FitBy = choice()
            .label("Fit σ², v and κ")
            .help("Starts from the values above. Evidence is for TAP; leave-one-out for TAP and naive mean field.")
            .group(Group::Method),
        /// Whether relevances are fitted, too.
        fit_ard: bool = flag()
            .label("Fit relevances, too")
            .help("Fits one weight for each column; those of uninformative columns go to zero.")
            .group(Group::Method)
            => fit not [FitBy::Nothing.word()],
        /// Whether every training row is really left out, too.
        exact_loo: bool = flag()
            .label("Exact leave-one-out")
            .help("Retrains for every row, to check the leave-one-out estimate.")
            .group(Group::Run),
        /// Into how many folds the training rows are dealt; 0 for no cross-validation.
        folds: usize = FOLDS,
        /// From which probability on a row is predicted to be +1.
        threshold: f64 = THRESHOLD,
        /// Values of σ² to scan.
        sigma2_grid: Vec<f64> = reals((1e-3, 1e3), 200)
            .label("Values of σ² to scan")
            .help("Evidence and errors at each of these values, with the other settings as given.")
            .group(Group::Run),
        /// Seed of the split, where it is drawn.
        seed: u64 = SEED.help("Seed of the draw of training rows and of folds."),
    }
}

impl OwnSpec {
    /// From how many starts the hyperparameters are fitted; 0 where they are not.
    pub fn starts(&self) -> usize {
        if self.fit == FitBy::Nothing { 0 } else { STARTS }
    }

    /// How many classes the label has, if none is chosen as +1; 2 where that is not known.
    pub fn classes(&self, facts: &Facts) -> usize {
        let Some(table) = facts.table().filter(|_| self.positive.is_empty()) else { return 2 };
        let ColumnRoles { label, .. } =
            column_roles(&table.columns, &self.ignore, &self.id, &self.split, &self.label);
        label.map_or(2, |label| label.classes(&self.na))
    }
}

impl Spec for OwnSpec {
    fn problems(&self) -> Vec<InputError> {
        let (mut problems, fields) = (Vec::new(), Self::FIELDS);
        if self.method == Method::Laplace && self.v == 0.0 {
            let expected = "a positive number for Laplace's approximation, whose likelihood is a probit";
            problems.push(fields.v.error(0).expected(expected).nearest("0.02"));
        }
        let fit = fields.fit.error(self.fit);
        match (self.fit, self.method) {
            (FitBy::Nothing, _) | (_, Method::Tap) | (FitBy::LeaveOneOut, Method::Naive) => {}
            (FitBy::Evidence, Method::Naive) => {
                let why = "−G of the naive theory is a poor estimate of the log evidence: fit by leave-one-out, or not at all";
                problems.push(fit.because(why).nearest(FitBy::LeaveOneOut));
            }
            (_, Method::Laplace | Method::Parallel | Method::Sequential) => {
                let why = "only TAP and naive mean field can be fitted";
                problems.push(fit.because(why).nearest(FitBy::Nothing));
            }
        }
        problems.extend(check_folds(self.folds));
        if self.fit != FitBy::Nothing && self.ard.contains(&0.0) {
            let positive: Vec<String> = self.ard.iter().map(|a| a.max(1e-3).to_string()).collect();
            let given: Vec<String> = self.ard.iter().map(f64::to_string).collect();
            let error = fields.ard.error(given.join(","));
            let expected = "positive numbers for a fit, which optimises their logarithms";
            problems.push(error.expected(expected).nearest(positive.join(",")));
        }
        problems
    }
}
