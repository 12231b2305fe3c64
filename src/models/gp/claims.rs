//! Claims of OW98 §5: Table 1 and the statements about it. The paper prints no σ²; those here reach all twelve numbers.

use crate::lab::claim::Quantity::{Abs, At, Max, Min, Minus, Over};
use crate::lab::claim::{Basis, Check, Claim, Criterion, Erratum, Quantity, ValueUnit};

const ROWS: ValueUnit = ValueUnit::named("row", "rows");
const TAP_ARCSINE: &str =
    "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.5&kappa=0&v=0&method=tap&exact_loo=true";
const TAP_RBF: &str = "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0&method=tap&exact_loo=true";
const NAIVE_ARCSINE: &str =
    "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.08&kappa=0&v=0&method=naive&exact_loo=true";
const NAIVE_RBF: &str =
    "#/gp.data?data=sonar&kernel=rbf&sigma2=0.1545&kappa=0&v=0&method=naive&exact_loo=true";

/// Log evidence of twelve σ² by TAP and by annealed chains.
const EVIDENCE: &str = "#/gp.evidence?chains=400";
const QUICK_EVIDENCE: &str = "sigma2_grid=0.1,0.3&examples=8&chains=40&steps=20";
/// The same number of Laplace's approximation.
const LAPLACE_EVIDENCE: f64 = 1.39;

const TEST: Quantity = Over(&At("/test_errors"), &At("/test_examples"));
const EXACT: Quantity = Over(&At("/exact_loo_errors"), &At("/examples"));
const LOO: Quantity = Over(&At("/loo_errors"), &At("/examples"));
const LEAST_LOO: Quantity = Over(&Min(&At("/grid/*/loo_errors")), &At("/examples"));
const FEWEST: Quantity = Min(&At("/grid/*/loo_errors"));

/// Returns the claim of one entry of Table 1.
const fn entry(
    subject: &'static str,
    printed: &'static str,
    (link, value): (&'static str, Quantity),
    number: f64,
    basis: Basis,
) -> Claim {
    let criterion = Criterion::Rounded { printed: number, decimals: 3 };
    Claim {
        place: "Table 1",
        subject,
        printed,
        check: Check::Run { link, quick: "", value, spread: None, criterion, basis },
        measured: "error rate",
        unit: ValueUnit::NONE,
        remark: match basis {
            Basis::Fitted => {
                "The paper prints no σ². This one was chosen to give these numbers; it is not that of the smallest ε_loo, see below."
            }
            Basis::Calibrated => {
                "The paper prints no σ². This is one of those of the smallest ε_loo; at some of the others the value differs by one row \
                of 104."
            }
            _ => {
                "The paper prints no σ². Several of the 21 values tried below minimise ε_loo; this is one. The result is the same at all \
                of them."
            }
        },
    }
}

/// Rates of naive mean field. A claim is weak if the other theory has the value at a σ² of its own smallest ε_loo, or at one that the
/// paper may have used for the claim.
const NAIVE_TEST: Basis = Basis::against("naive mean field at this σ²", 0.1731);
const NAIVE_LOO: Basis = Basis::against("naive mean field at the σ² of its own smallest ε_loo", 0.2692);
/// Reason why the test error of the third row is inconclusive.
const TAP_PASSES_NEAR: Basis =
    Basis::Weak("TAP misclassifies the same number of rows at σ² = .06, which also minimises ε_loo");
/// Reason why leave-one-out of the second row is inconclusive.
const NAIVE_PASSES: Basis =
    Basis::Weak("naive mean field misclassifies the same number of rows at the σ² of its own smallest ε_loo");
/// Reason why leave-one-out of the third row is inconclusive.
const TAP_PASSES: Basis = Basis::Weak(
    "TAP misclassifies the same number of rows at this σ², which does not distinguish the two theories",
);

/// Returns the claim that a row of Table 1 is the smallest ε_loo over σ² without noise.
const fn smallest(
    subject: &'static str,
    printed: &'static str,
    link: &'static str,
    number: f64,
    basis: Basis,
    remark: &'static str,
) -> Claim {
    Claim {
        place: "Simulations",
        subject,
        printed,
        check: Check::Run {
            link,
            quick: "sigma2_grid=0.15,0.16",
            value: LEAST_LOO,
            spread: None,
            criterion: Criterion::Rounded { printed: number, decimals: 3 },
            basis,
        },
        measured: "smallest error rate",
        unit: ValueUnit::NONE,
        remark,
    }
}

/// Claims, Table 1 first.
pub const CLAIMS: &[Claim] = &[
    entry("TAP, kernel (1): ε_test", "0.183", (TAP_ARCSINE, TEST), 0.183, NAIVE_TEST),
    entry("TAP, kernel (1): exact ε_loo", "0.260", (TAP_ARCSINE, EXACT), 0.260, Basis::Calibrated),
    entry("TAP, kernel (1): ε_loo", "0.260", (TAP_ARCSINE, LOO), 0.260, NAIVE_LOO),
    entry("TAP, kernel (2): ε_test", "0.077", (TAP_RBF, TEST), 0.077, Basis::Calibrated),
    entry("TAP, kernel (2): exact ε_loo", "0.212", (TAP_RBF, EXACT), 0.212, Basis::Calibrated),
    entry("TAP, kernel (2): ε_loo", "0.212", (TAP_RBF, LOO), 0.212, NAIVE_PASSES),
    entry("naive, kernel (1): ε_test", "0.154", (NAIVE_ARCSINE, TEST), 0.154, TAP_PASSES_NEAR),
    entry("naive, kernel (1): exact ε_loo", "0.269", (NAIVE_ARCSINE, EXACT), 0.269, TAP_PASSES),
    entry("naive, kernel (1): ε_loo", "0.269", (NAIVE_ARCSINE, LOO), 0.269, TAP_PASSES),
    entry("naive, kernel (2): ε_test", "0.077", (NAIVE_RBF, TEST), 0.077, Basis::Fitted),
    entry("naive, kernel (2): exact ε_loo", "0.221", (NAIVE_RBF, EXACT), 0.221, Basis::Fitted),
    entry("naive, kernel (2): ε_loo", "0.221", (NAIVE_RBF, LOO), 0.221, Basis::Fitted),
    Claim::unchecked(
        ["Table 1", "back-propagation", "0.269 ± 0.048 and 0.096 ± 0.018"],
        "quoted from Gorman & Sejnowski (1988); not a method of this paper",
    ),
    Claim::unchecked(
        [
            "Simulations",
            "convergence",
            "“one has to add a diagonal term v” for some data sets; “failed to converge using the raw data” in some cases",
        ],
        "the paper names neither the data sets nor its iteration; here the sonar data converge at v = 0, also with \
             standardise=false",
    ),
    smallest(
        "smallest ε_loo: TAP, kernel (1)",
        "0.260",
        "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.5&kappa=0&v=0&method=tap&sigma2_grid=0.001,0.003,0.01,0.02,0.05,0.08,0.1,0.2,0.3,0.4,0.45,0.5,0.55,0.6,0.8,1,2,5,10,30,100",
        0.260,
        Basis::ByConstruction,
        "σ² “chosen as to minimize ε_loo”: its minimum over 21 values. It follows from the entry of Table 1, whose σ² is one of those at \
         the minimum.",
    ),
    smallest(
        "smallest ε_loo: TAP, kernel (2)",
        "0.212",
        "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0&method=tap&sigma2_grid=0.05,0.1,0.12,0.14,0.15,0.152,0.155,0.158,0.16,0.165,0.17,0.2,0.25,0.3,0.4,0.5,0.7,1,2,5,10",
        0.212,
        Basis::ByConstruction,
        "As above.",
    ),
    smallest(
        "smallest ε_loo: naive, kernel (1)",
        "0.269",
        "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.08&kappa=0&v=0&method=naive&sigma2_grid=0.001,0.003,0.01,0.02,0.05,0.06,0.07,0.08,0.1,0.12,0.15,0.2,0.3,0.4,0.5,0.8,1,2,5,10,30",
        0.269,
        Basis::ByConstruction,
        "As above.",
    ),
    smallest(
        "smallest ε_loo: naive, kernel (2)",
        "0.221",
        "#/gp.data?data=sonar&kernel=rbf&sigma2=0.1545&kappa=0&v=0&method=naive&sigma2_grid=0.05,0.1,0.12,0.14,0.15,0.152,0.1545,0.158,0.16,0.165,0.17,0.2,0.25,0.3,0.4,0.5,0.7,1,2,5,10",
        0.221,
        Basis::Undecided(
            "the paper does not state the leave-one-out estimate of the naive theory; ours is a reconstruction",
        ),
        "One row fewer at σ² = .158 than the number printed, which is reached at .1545. The paper announces the estimate as “to be \
        published”.",
    ),
    Claim {
        place: "Simulations",
        subject: "no noise is best, kernel (1)",
        printed: "“the lowest ε_loo was found from modeling without noise”",
        check: Check::Run {
            link: "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.754&kappa=0.05&v=0",
            quick: "",
            value: At("/loo_errors"),
            spread: None,
            criterion: Criterion::AtLeast(27.0),
            basis: Basis::against("one row fewer with flips", 26.0),
        },
        measured: "misclassified",
        unit: ROWS,
        remark: "Rows of 104 with κ = .05, against 27 without noise; by retraining it is 25. As an estimate of the error on new rows the \
                 difference is within sampling error (3 ± 3 rows, paired).",
    },
    Claim {
        place: "Simulations",
        subject: "no flips are best, kernel (2)",
        printed: "the same",
        check: Check::Run {
            link: "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0.05&v=0&sigma2_grid=0.1,0.12,0.14,0.155,0.17,0.2,0.25,0.3,0.4,0.5,0.7,1",
            quick: "sigma2_grid=0.155,0.17",
            value: FEWEST,
            spread: None,
            criterion: Criterion::AtLeast(22.0),
            basis: Basis::Undecided("the fewest errors with and without it are equal"),
        },
        measured: "misclassified",
        unit: ROWS,
        remark: "Fewest rows of 104 over σ² with κ = .05, against 22 without noise.",
    },
    Claim {
        place: "Simulations",
        subject: "no field noise is best, kernel (2)",
        printed: "the same",
        check: Check::Run {
            link: "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0.1&sigma2_grid=0.1,0.12,0.14,0.155,0.17,0.2,0.25,0.3,0.4,0.5,0.7,1",
            quick: "sigma2_grid=0.155,0.17",
            value: FEWEST,
            spread: None,
            criterion: Criterion::AtLeast(22.0),
            basis: Basis::Undecided("the fewest errors with and without it are equal"),
        },
        measured: "misclassified",
        unit: ROWS,
        remark: "The same with v = .1.",
    },
    Claim::unchecked(
        [
            "Simulations",
            "one solution",
            "“different initial values for the ⟨x^μ⟩ converged to the same solution”",
        ],
        "initial values are not a setting here: all solvers start from zero, and agree to nine digits of the log evidence",
    ),
    Claim {
        place: "Simulations",
        subject: "leave-one-out against retraining, kernel (1)",
        printed: "“The estimate and exact value are in complete agreement.”",
        check: Check::Run {
            link: TAP_ARCSINE,
            quick: "",
            value: Max(&Abs(&Minus(&At("/loo_predictions/*/p"), &At("/exact_loo_predictions/*/p")))),
            spread: None,
            criterion: Criterion::AtMost(0.05),
            basis: Basis::against("the estimate of naive mean field", 0.113),
        },
        measured: "largest difference",
        unit: ValueUnit::POINTS,
        remark: "Largest difference of the two probabilities of a row, both by TAP; the counts are equal. With one cavity variance for \
                 all rows it would be .106, with each row's own label .623. Naive mean field agrees with its own retraining within .017. \
                 The criterion was set here.",
    },
    Claim {
        place: "Simulations",
        subject: "leave-one-out against retraining, kernel (2)",
        printed: "the same",
        check: Check::Run {
            link: TAP_RBF,
            quick: "",
            value: Max(&Abs(&Minus(&At("/loo_predictions/*/p"), &At("/exact_loo_predictions/*/p")))),
            spread: None,
            criterion: Criterion::AtMost(0.05),
            basis: Basis::Weak(
                "with this kernel the estimate of naive mean field is even closer to the retraining of TAP",
            ),
        },
        measured: "largest difference",
        unit: ValueUnit::POINTS,
        remark: "As above. The estimate of naive mean field is at most .009 off.",
    },
    Claim {
        place: "Simulations",
        subject: "a hard training set and an easy test set",
        printed: "“the training set is ‘hard’ and the test set is ‘easy’”",
        check: Check::Run {
            link: TAP_RBF,
            quick: "",
            value: Minus(&LOO, &TEST),
            spread: None,
            criterion: Criterion::AtLeast(0.1),
            basis: Basis::ByConstruction,
        },
        measured: "difference",
        unit: ValueUnit::POINTS,
        remark: "ε_loo − ε_test of the second row, which follows from two entries of Table 1; the criterion is two sampling errors.",
    },
    Claim {
        place: "Discussion",
        subject: "the free energy as the log evidence",
        printed: "“the approximate free energy G, which is essentially the negative logarithm of the Bayesian evidence”",
        check: Check::Run {
            link: EVIDENCE,
            quick: QUICK_EVIDENCE,
            value: Abs(&At("/largest_errors/tap/value")),
            spread: Some(At("/largest_errors/tap/se")),
            criterion: Criterion::AtMost(0.5),
            basis: Basis::against("Laplace's approximation", LAPLACE_EVIDENCE),
        },
        measured: "largest error",
        unit: ValueUnit::NATS,
        remark: "Largest error over σ² = .02 to 4, on forty points, beside annealed importance sampling, with the standard error of that σ²; the \
                 effective sample size is above 100 at each. The largest of several errors is larger than one of them by chance. The \
                 criterion was \
                 set here.",
    },
    Claim {
        place: "Discussion",
        subject: "the most probable σ²",
        printed: "“to estimate the most probable values of the hyperparameters. However, an estimate on the errors made in the TAP approach \
                  would be necessary.”",
        check: Check::Run {
            link: EVIDENCE,
            quick: QUICK_EVIDENCE,
            value: Over(&At("/maxima/tap"), &At("/maxima/sampled")),
            spread: None,
            criterion: Criterion::Between(0.8, 1.25),
            basis: Basis::Weak("Laplace's approximation also meets the criterion"),
        },
        measured: "ratio",
        unit: ValueUnit::NONE,
        remark: "σ² at which TAP's −G is largest over that at which the sampled log evidence is largest, on one set of forty points. The criterion, \
                 the same of twelve values, was set here. The maximum of the naive theory is one value away.",
    },
];

/// Errata, in the order of the paper.
pub const ERRATA: &[Erratum] = &[
    Erratum {
        place: "After eq. (10)",
        printed: "−ln Z₀ = Σ ln[κ + (1−2κ) Φ(τγ/√λ)]",
        correct: "−ln Z₀ = −Σ ln[κ + (1−2κ) Φ(τγ/√λ)]",
        reason: "Z₀ is a product of probabilities of labels.",
        link: "",
    },
    Erratum {
        place: "Eq. (11)",
        printed: "½ Σ (Λ_μ − C_μμ) R_μ",
        correct: "½ Σ (Λ_μ + C_μμ) R_μ",
        reason: "Only with the plus is G stationary at (13) and ΔG = 0 for a diagonal C. Then −G equals the log evidence of \
                 expectation propagation to twelve digits.",
        link: "",
    },
];
