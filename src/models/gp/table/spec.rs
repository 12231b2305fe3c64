//! What a classifier of one's own data can be told.

use super::Method;
use crate::data::DataRef;
use crate::lab::own::{DATA, IGNORE, LABEL, POSITIVE};
use crate::lab::{Field, Group, InputError, Kind, Spec, Values};
use crate::models::gp::fields::{KAPPA, KERNEL, KernelKind, NOISE, SIGMA2};

/// Specification of a classifier of one's own data.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnSpec {
    /// The table.
    pub data: Option<DataRef>,
    /// Name of the column to be predicted; empty for the last one.
    pub label: String,
    /// Which of its two values is +1; empty for the usual one.
    pub positive: String,
    /// Columns that are no inputs, separated by commas.
    pub ignore: String,
    /// Name of the column that tells training from test rows; empty for one of the words train and test, if there is one.
    pub split: String,
    /// Share of the rows that is learnt from where no column says which.
    pub train_fraction: f64,
    /// Whether every input is brought to zero mean and unit variance over the training rows.
    pub standardise: bool,
    /// Another table, whose rows are only predicted.
    pub predict: Option<DataRef>,
    /// Covariance function.
    pub kernel: KernelKind,
    /// σ²: the inverse of N times the inputs' weight.
    pub sigma2: f64,
    /// Relevances `a_i` of the inputs, w_i = a_i/(σ²N); empty for 1 each.
    pub ard: Vec<f64>,
    /// Probability that a label is flipped.
    pub kappa: f64,
    /// Noise variance of the fields.
    pub v: f64,
    /// How the posterior is approximated.
    pub method: Method,
    /// Share of each step that the paper's iteration takes.
    pub damping: f64,
    /// What the hyperparameters are fitted by.
    pub fit: FitBy,
    /// Whether relevances are fitted, too.
    pub fit_ard: bool,
    /// Whether every training row is really left out, too.
    pub exact_loo: bool,
    /// Values of σ² to scan.
    pub sigma2_grid: Vec<f64>,
    /// Seed of the split, where it is drawn.
    pub seed: u64,
}

/// What hyperparameters are fitted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitBy {
    /// They are as given.
    Nothing,
    /// TAP's evidence, eq. (11).
    Evidence,
    /// The log predictive probability of the labels left out.
    LeaveOneOut,
}

static FIELDS: [Field; 20] = [
    DATA,
    Field {
        symbol: "τ",
        help: "The column to be predicted, of two different values. If nothing is said, the last one. Rows where it is empty \
               are predicted.",
        ..LABEL
    },
    POSITIVE,
    IGNORE,
    Field {
        key: "split",
        label: "Training or test",
        symbol: "",
        help: "The column that says train or test (or 1 or 0). If nothing is said, one of these words, if there is one.",
        group: Group::Problem,
        kind: Kind::Text { most: 200 },
        default: "",
    },
    Field {
        key: "train_fraction",
        label: "Share to learn from",
        symbol: "",
        help: "Where no column says it: rows drawn for training. The others are predicted; 1 leaves none.",
        group: Group::Problem,
        kind: Kind::Real { min: 0.01, max: 1.0, slider: (0.05, 1.0, 0.05), infinity: false },
        default: "1",
    },
    Field {
        key: "standardise",
        label: "Standardise columns",
        symbol: "",
        help: "Brings every column to zero mean and unit variance over the training rows.",
        group: Group::Problem,
        kind: Kind::Flag,
        default: "true",
    },
    Field {
        key: "predict",
        label: "Rows to predict",
        symbol: "",
        help: "Optional: another table with the same input columns. What is learnt from yours is applied to its rows.",
        group: Group::Problem,
        kind: Kind::Data,
        default: "",
    },
    KERNEL,
    SIGMA2,
    Field {
        key: "ard",
        label: "Relevances",
        symbol: "a",
        help: "One number an input column, in their order: its weight is aᵢ/(σ²N). If nothing is said, 1 each.",
        group: Group::Method,
        kind: Kind::Reals { min: 0.0, max: 1e6, most: 1000 },
        default: "",
    },
    KAPPA,
    NOISE,
    Field {
        key: "method",
        label: "Method",
        symbol: "",
        help: "TAP; the naive mean field; Laplace's approximation, which needs v > 0; or TAP as the paper iterates it.",
        group: Group::Method,
        kind: Kind::Choice(&[
            ("tap", "TAP"),
            ("naive", "naive mean field"),
            ("laplace", "Laplace"),
            ("paper_iteration", "the paper's iteration"),
        ]),
        default: "tap",
    },
    Field {
        key: "damping",
        label: "Damping",
        symbol: "η",
        help: "Share of each step that the paper's iteration takes; nothing else uses it.",
        group: Group::Method,
        kind: Kind::Real { min: 0.001, max: 1.0, slider: (0.01, 1.0, 0.01), infinity: false },
        default: "0.02",
    },
    Field {
        key: "fit",
        label: "Fit σ², v and κ",
        symbol: "",
        help: "From the values above uphill, by TAP's evidence, or by the probability of labels left out (TAP and naive).",
        group: Group::Method,
        kind: Kind::Choice(&[
            ("none", "no: as given"),
            ("evidence", "by the evidence"),
            ("loo", "by leave-one-out"),
        ]),
        default: "none",
    },
    Field {
        key: "fit_ard",
        label: "Fit relevances, too",
        symbol: "",
        help: "A weight of its own for every column: those that say nothing lose theirs.",
        group: Group::Method,
        kind: Kind::Flag,
        default: "false",
    },
    Field {
        key: "exact_loo",
        label: "Leave out by retraining",
        symbol: "",
        help: "Trains anew without each row, to check the leave-one-out estimate that comes for free.",
        group: Group::Run,
        kind: Kind::Flag,
        default: "false",
    },
    Field {
        key: "sigma2_grid",
        label: "Values of σ² to scan",
        symbol: "",
        help: "Evidence and errors at each of these, the other settings as given.",
        group: Group::Run,
        kind: Kind::Reals { min: 1e-3, max: 1e3, most: 200 },
        default: "",
    },
    Field {
        key: "seed",
        label: "Seed",
        symbol: "",
        help: "Draws which rows are learnt from, where no column says it.",
        group: Group::Run,
        kind: Kind::Integer { min: 0, max: u64::MAX, slider: None },
        default: "1",
    },
];

impl Spec for OwnSpec {
    fn fields() -> &'static [Field] {
        &FIELDS
    }

    fn read(values: &Values) -> Self {
        Self {
            data: values.file("data").cloned(),
            label: values.text("label").to_owned(),
            positive: values.text("positive").to_owned(),
            ignore: values.text("ignore").to_owned(),
            split: values.text("split").to_owned(),
            train_fraction: values.real("train_fraction"),
            standardise: values.flag("standardise"),
            predict: values.file("predict").cloned(),
            kernel: KernelKind::read(values),
            sigma2: values.real("sigma2"),
            ard: values.reals("ard"),
            kappa: values.real("kappa"),
            v: values.real("v"),
            method: match values.choice("method") {
                "naive" => Method::Naive,
                "laplace" => Method::Laplace,
                "paper_iteration" => Method::PaperIteration,
                _ => Method::Tap,
            },
            damping: values.real("damping"),
            fit: match values.choice("fit") {
                "evidence" => FitBy::Evidence,
                "loo" => FitBy::LeaveOneOut,
                _ => FitBy::Nothing,
            },
            fit_ard: values.flag("fit_ard"),
            exact_loo: values.flag("exact_loo"),
            sigma2_grid: values.reals("sigma2_grid"),
            seed: values.integer("seed"),
        }
    }

    fn problems(&self) -> Vec<InputError> {
        let mut problems = Vec::new();
        let mut refuse = |field: &str, given: String, accepted: &str, nearest: &str| {
            problems.push(InputError {
                field: field.into(),
                given,
                accepted: accepted.into(),
                nearest: Some(nearest.into()),
            });
        };
        if self.method == Method::Laplace && self.v == 0.0 {
            let accepted = "a positive number for Laplace's approximation, whose likelihood is a probit";
            refuse("v", "0".into(), accepted, "0.02");
        }
        match (self.fit, self.method) {
            (FitBy::Nothing, _) | (_, Method::Tap) | (FitBy::LeaveOneOut, Method::Naive) => {}
            (FitBy::Evidence, Method::Naive) => {
                let accepted = "none or loo for the naive theory, whose −G is no evidence";
                refuse("fit", "evidence".into(), accepted, "loo");
            }
            (fit, _) => {
                let given = if fit == FitBy::Evidence { "evidence" } else { "loo" };
                refuse("fit", given.into(), "none, but for the methods tap and naive", "none");
            }
        }
        if self.fit != FitBy::Nothing && self.ard.contains(&0.0) {
            let positive: Vec<String> = self.ard.iter().map(|a| a.max(1e-3).to_string()).collect();
            let given: Vec<String> = self.ard.iter().map(f64::to_string).collect();
            let accepted = "numbers above 0 for a fit, which moves their logarithms";
            refuse("ard", given.join(","), accepted, &positive.join(","));
        }
        problems
    }
}
