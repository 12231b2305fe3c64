//! Fields and presets of a classifier of the user's table.

use std::ops::RangeInclusive;

use crate::data::default_roles::{ColumnRoles, column_roles};
use crate::data::{Facts, TableSummary};
use crate::lab::fields::{FOLDS, POSITIVE, SEED, THRESHOLD, check_folds};
use crate::lab::labelled_table::{CLASS_WEIGHTS, ClassWeights, TableSettings, Untuned, planned_folds};
use crate::lab::{Group, InputError, Preset, Spec, choice, flag, real, reals};
use crate::models::gp::fields::{
    COMBINE, KAPPA, KERNEL, KERNEL2, NOISE, PERIOD, PERIOD2, RATIO2, RELEVANCES, SIGMA2,
    check_fitted_relevances, covariance_settings,
};
use crate::models::gp::fit::STARTS;
use crate::models::gp::inducing::Inducing;
use crate::models::gp::inducing_points::{INDUCING, MOST_IN_CLASSIFICATION, inducing};
use crate::models::gp::solver::kernel::{Combination, KernelKind};

/// One-click specifications: for the example table, the rows of OW98 Table 1 for the sonar data, and others for the loaded table.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Example: who is ill?",
        "200 simulated patients, 30 % of them kept for testing. Smoothness, noise level and column weights are tuned on the others.",
        "data=example&train_fraction=0.7&fit=evidence&fit_ard=true",
    ),
    Preset::new(
        "Paper, Table 1: TAP, arcsine",
        "The first row of the paper's table, for the sonar data with its split: .183 .260 .260.",
        "data=sonar&kernel=arcsine&sigma2=0.5&kappa=0&v=0&method=tap&standardise=true&exact_loo=true",
    )
    .about("table1"),
    Preset::new(
        "Paper, Table 1: TAP, RBF",
        "The second row, for the sonar data with its split: .077 .212 .212.",
        "data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0&method=tap&standardise=true&exact_loo=true",
    )
    .about("table1"),
    Preset::new(
        "Paper, Table 1: naive, arcsine",
        "The third row, for the sonar data with its split: .154 .269 .269.",
        "data=sonar&kernel=arcsine&sigma2=0.08&kappa=0&v=0&method=naive&standardise=true&exact_loo=true",
    )
    .about("table1"),
    Preset::new(
        "Paper, Table 1: naive, RBF",
        "The fourth row, for the sonar data with its split: .077 .221 .221.",
        "data=sonar&kernel=rbf&sigma2=0.1545&kappa=0&v=0&method=naive&standardise=true&exact_loo=true",
    )
    .about("table1"),
    Preset::new(
        "With label noise",
        "The paper found no noise best. With κ = .05 the arcsine kernel misclassifies 24 rows in leave-one-out \
               instead of 27, a difference within sampling error.",
        "data=sonar&kernel=arcsine&sigma2=0.754&kappa=0.05&v=0&exact_loo=true",
    ),
    Preset::new(
        "Evidence or leave-one-out",
        "Which σ² is best? The evidence and leave-one-out need not agree.",
        "kernel=rbf&sigma2=0.155&kappa=0&v=0&sigma2_grid=\
                0.02,0.05,0.08,0.1,0.12,0.14,0.155,0.17,0.2,0.25,0.3,0.4,0.5,0.6,0.7,0.8,1,1.3,1.7,2.5,4,7,12,20",
    )
    .about("scan_evidence"),
    Preset::new(
        "Which columns matter",
        "Tunes smoothness, noise and a weight for every column to make the known labels as probable as possible.",
        "sigma2=0.7&v=0.1&kappa=0.01&fit=evidence&fit_ard=true",
    )
    .about("weights"),
    Preset::new(
        "Parallel iteration",
        "The same equations, iterated all at once with small steps: thousands of sweeps instead of a dozen Newton steps. \
               The paper does not say how it iterates.",
        "kernel=rbf&sigma2=0.3&v=0.2&method=parallel&damping=0.02",
    )
    .about("residual"),
    Preset::new(
        "Parallel iteration, larger steps",
        "The same with steps of 0.3: it does not converge on the sonar data.",
        "kernel=arcsine&sigma2=0.5&v=0&method=parallel&damping=0.3",
    )
    .about("residual"),
    Preset::new(
        "Sequential iteration",
        "The same equations, one example after the other and undamped: fewer than ten sweeps on the sonar data.",
        "kernel=arcsine&sigma2=0.5&v=0&method=sequential",
    )
    .about("residual"),
];

/// Numbers of rows of a table whose settings are tuned by default.
const TUNED_ROWS: RangeInclusive<usize> = 20..=2000;

crate::choice! {
    /// Approximation of the posterior.
    pub enum Method {
        /// TAP by the double loop.
        Tap = "tap" "TAP",
        Naive = "naive" "naive mean field",
        Laplace = "laplace" "Laplace",
        /// TAP, all examples at once and damped.
        Parallel = "parallel" "TAP by a parallel iteration",
        /// TAP, one example after the other.
        Sequential = "sequential" "TAP by a sequential iteration",
    }
}

crate::choice! {
    /// Criterion that the hyperparameters are fitted by.
    pub enum FitBy {
        /// By evidence with default settings, unless the table is large or very small.
        Automatic = "auto" "automatic",
        Nothing = "none" "no",
        /// TAP's log evidence, OW98 eq. (11).
        Evidence = "evidence" "by evidence",
        /// Leave-one-out log probability of the labels.
        LeaveOneOut = "loo" "by leave-one-out probability",
    }
}

impl Method {
    /// Returns its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tap | Self::Parallel | Self::Sequential => "TAP",
            Self::Naive => "naive mean field",
            Self::Laplace => "Laplace's approximation",
        }
    }

    /// Returns its name at the beginning of a sentence.
    pub fn title(self) -> String {
        let name = self.name();
        name[..1].to_ascii_uppercase() + &name[1..]
    }

    /// Returns true if TAP's equations are iterated instead of solved by Newton's method.
    pub fn is_iteration(self) -> bool {
        matches!(self, Self::Parallel | Self::Sequential)
    }
}

crate::spec! {
    /// Specification of a classifier of the user's table.
    pub struct TableSpec {
        ..table: TableSettings {
            label = TableSettings::FIELDS.label.symbol("τ").help(
                "Column to predict. With more than two values, one classifier is trained for each value against all others, and \
                 their probabilities are normalised. Rows where it is empty are predicted. Default: the last column.",
            ),
        },
        /// Value of the label that counts as +1; empty for the default.
        positive: String = POSITIVE.after(&TableSettings::FIELDS.label),
        /// Covariance function.
        kernel: KernelKind = KERNEL,
        /// Period p of the periodic covariance function.
        period: f64 = PERIOD => kernel is [KernelKind::Periodic.word()],
        /// Combination with a second covariance function.
        combine: Combination = COMBINE,
        /// Second covariance function.
        kernel2: KernelKind = KERNEL2 => combine not [Combination::None.word()],
        /// Squared length scale of the second function, divided by that of the first.
        ratio2: f64 = RATIO2 => combine not [Combination::None.word()],
        /// Period of a periodic second function.
        period2: f64 = PERIOD2 => combine not [Combination::None.word()],
        /// Squared length scale σ²: the inverse of N times the weight of an input.
        sigma2: f64 = SIGMA2,
        /// Relevances `a_i` of the inputs, w_i = a_i/(σ²N); empty for 1 each.
        ard: Vec<f64> = RELEVANCES,
        /// Probability κ that a label is flipped.
        kappa: f64 = KAPPA,
        /// Noise variance v of the latent function.
        v: f64 = NOISE,
        /// Approximation of the posterior.
        method: Method = choice()
            .label("Method")
            .help("The first three are solved by Newton's method. The iterations solve TAP's equations as well, to compare: the paper \
                   does not say how it iterates. Laplace's approximation needs v > 0.")
            .group(Group::Method),
        /// Fraction η of each step that the parallel iteration takes.
        damping: f64 = real((0.001, 1.0), (0.01, 1.0, 0.01))
            .label("Damping")
            .symbol("η")
            .help("Fraction of each step that the parallel iteration takes.")
            .group(Group::Method)
            .default("0.02")
            => method is [Method::Parallel.word()],
        /// Number of inducing points; 0 for the default.
        inducing: usize = INDUCING,
        /// Criterion that the hyperparameters are fitted by.
        fit: FitBy = choice()
            .label("Tune the model")
            .help(
                "Finds the smoothness σ² and the noise v (and κ, if it helps) that best fit the training rows, starting from the values above. \
                 By evidence: those under which the known labels are most probable (TAP). By leave-one-out: those that predict each \
                 row best from the others (TAP, naive mean field). Automatic: by evidence, for 20 to 2,000 rows with TAP and default values.",
            )
            .group(Group::Method),
        /// True if relevances are fitted as well.
        fit_ard: bool = flag()
            .label("Also tune column weights")
            .help(
                "Fits one weight for each column; those of uninformative columns tend to zero. They are used only if they lower the log loss of \
                 held-out rows by more than one standard error, compared with one length scale for all columns.",
            )
            .group(Group::Method)
            => fit is [FitBy::Evidence.word(), FitBy::LeaveOneOut.word()],
        /// True if the classifier is retrained without every training row.
        exact_loo: bool = flag()
            .label("Exact leave-one-out")
            .help("Retrains for every row, to check the leave-one-out estimate.")
            .group(Group::Run),
        /// Number of folds of cross-validation; 0 for none.
        folds: usize = FOLDS,
        /// Probability above which a row is predicted +1.
        threshold: f64 = THRESHOLD,
        /// Weights of the classes in predictions and scores.
        class_weights: ClassWeights = CLASS_WEIGHTS,
        /// Values of σ² to scan.
        sigma2_grid: Vec<f64> = reals((1e-3, 1e3), 200)
            .label("Values of σ² to scan")
            .help("Evidence and errors at each of these values, with the other settings as given.")
            .group(Group::Run),
        /// Seed of the draw of training rows and of folds.
        seed: u64 = SEED.help("Seed of the draw of training rows and of folds."),
    }
}

impl TableSpec {
    /// Returns the reason why the settings are not tuned automatically; `None` if they are, or if the user has decided.
    pub fn untuned(&self, facts: Option<&Facts>) -> Option<Untuned> {
        let fields = Self::FIELDS;
        let is_default = fields.sigma2.is_default(&self.sigma2)
            && fields.v.is_default(&self.v)
            && fields.kappa.is_default(&self.kappa)
            && fields.ard.is_default(&self.ard);
        match self.fit {
            FitBy::Nothing | FitBy::Evidence | FitBy::LeaveOneOut => None,
            FitBy::Automatic if self.method != Method::Tap => Some(Untuned::Method),
            FitBy::Automatic if !is_default => Some(Untuned::Given),
            FitBy::Automatic => Untuned::by_rows(facts.map_or(0, Facts::rows), TUNED_ROWS),
        }
    }

    /// Returns the specification with the decision on automatic tuning.
    #[must_use]
    pub fn decided(&self, untuned: Option<Untuned>) -> Self {
        let fit = match (self.fit, untuned) {
            (FitBy::Automatic, Some(_)) => FitBy::Nothing,
            (FitBy::Automatic, None) => FitBy::Evidence,
            (fit, _) => fit,
        };
        Self { fit, ..self.clone() }
    }

    /// Returns the inducing points of `rows` training rows; `None` for the full model.
    pub fn inducing_points(&self, rows: usize) -> Option<Inducing> {
        inducing(self.inducing, rows, self.seed, MOST_IN_CLASSIFICATION)
    }

    /// Returns true if settings are fitted, once [`Self::decided`].
    pub fn is_tuned(&self) -> bool {
        matches!(self.fit, FitBy::Evidence | FitBy::LeaveOneOut)
    }

    /// Returns the specification with one length scale for all columns, if relevances are fitted.
    pub fn one_length_scale(&self) -> Option<Self> {
        (self.is_tuned() && self.fit_ard).then(|| Self { fit_ard: false, ..self.clone() })
    }

    /// Returns true if the predictions in folds are results, not only a comparison of given and fitted settings.
    pub fn shows_folds(&self, table: &TableSummary) -> bool {
        self.folds > 0 || table.test_labels.is_empty()
    }

    /// Returns the number of starts of the fit; 0 without one.
    pub fn starts(&self) -> usize {
        if self.is_tuned() { STARTS } else { 0 }
    }

    /// Returns true if leave-one-out is too optimistic, because settings are fitted or rows are grouped.
    pub fn is_optimistic(&self) -> bool {
        self.is_tuned() || !self.group.is_empty()
    }

    /// Returns the number of folds of cross-validation; see [`planned_folds`].
    pub fn planned_folds(&self) -> usize {
        planned_folds(self.folds, self.is_optimistic())
    }

    /// Returns the number of classes of the label; 2 if a positive value is chosen or the number is not known.
    pub fn classes(&self, facts: &Facts) -> usize {
        let Some(table) = facts.table().filter(|_| self.positive.is_empty()) else { return 2 };
        let ColumnRoles { label, .. } =
            column_roles(&table.columns, &self.ignore, [&self.id, &self.group], &self.split, &self.label);
        label.map_or(2, |label| label.classes(&self.na))
    }
}

covariance_settings!(TableSpec);

impl Spec for TableSpec {
    fn problems(&self) -> Vec<InputError> {
        let (mut problems, fields) = (Vec::new(), Self::FIELDS);
        if self.method == Method::Laplace && self.v == 0.0 {
            let expected = "a positive number for Laplace's approximation, whose likelihood is a probit";
            problems.push(fields.v.error(0).expected(expected).nearest("0.02"));
        }
        let fit = fields.fit.error(self.fit);
        match (self.fit, self.method) {
            (FitBy::Automatic | FitBy::Nothing, _)
            | (_, Method::Tap)
            | (FitBy::LeaveOneOut, Method::Naive) => {}
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
        if self.is_tuned() {
            problems.extend(check_fitted_relevances(&self.ard));
        }
        problems
    }
}
