//! Wrong methods in place of those of OW98. Without the sonar data only the claims on the evidence are tested.

use meanfield::lab::claim::Quantity::{self, Abs, At, Over};

use super::{Reports, Wrong, column, finding, largest, refute};
use crate::common::needs::data_set;

const TEST: Quantity = Over(&At("/test_errors"), &At("/test_examples"));
const EXACT: Quantity = Over(&At("/exact_loo_errors"), &At("/examples"));
const LOO: Quantity = Over(&At("/loo_errors"), &At("/examples"));

/// Returns a quantity of the permalink with the other approximation.
fn other(reports: &Reports, link: &str, quantity: Quantity) -> Option<f64> {
    data_set("sonar.csv")?;
    let swapped = if link.contains("method=tap") {
        link.replace("method=tap", "method=naive")
    } else {
        link.replace("method=naive", "method=tap")
    };
    Some(reports.value(&swapped, "", quantity))
}

/// Returns the leave-one-out error of TAP with a linear kernel.
fn linear(reports: &Reports, _: &str) -> Option<f64> {
    data_set("sonar.csv")?;
    let link = "#/gp.data?data=sonar&kernel=linear&sigma2=0.5&kappa=0&v=0&method=tap";
    Some(reports.value(link, "", LOO))
}

/// Returns the errors of kernel (2) if noise changed them as much as those of kernel (1).
fn as_kernel_1(_: &Reports, _: &str) -> Option<f64> {
    Some(22.0 + finding("gp", "no noise is best, kernel (1)") - 27.0)
}

/// Wrong methods, in the order of the claims.
const WRONG: &[Wrong] = &[
    Wrong::stated(("Table 1", "TAP, kernel (1): ε_test"), |r, link| other(r, link, TEST)),
    Wrong::stated(("Table 1", "TAP, kernel (1): exact ε_loo"), |r, link| other(r, link, EXACT)),
    Wrong::stated(("Table 1", "TAP, kernel (1): ε_loo"), |r, link| other(r, link, LOO)),
    Wrong::stated(("Table 1", "TAP, kernel (2): exact ε_loo"), |r, link| other(r, link, EXACT)),
    Wrong::stated(("Table 1", "TAP, kernel (2): ε_loo"), |r, link| other(r, link, LOO)),
    Wrong::stated(("Table 1", "naive, kernel (1): ε_test"), |r, link| other(r, link, TEST)),
    Wrong::stated(("Table 1", "naive, kernel (1): exact ε_loo"), linear),
    Wrong::stated(("Table 1", "naive, kernel (1): ε_loo"), linear),
    Wrong::stated(("Simulations", "smallest ε_loo: TAP, kernel (1)"), linear),
    Wrong::stated(("Simulations", "smallest ε_loo: TAP, kernel (2)"), linear),
    Wrong::stated(("Simulations", "smallest ε_loo: naive, kernel (1)"), linear),
    Wrong::stated(("Simulations", "no flips are best, kernel (2)"), as_kernel_1),
    Wrong::stated(("Simulations", "no field noise is best, kernel (2)"), as_kernel_1),
    // The estimate of naive mean field beside the retraining of TAP.
    Wrong::stated(("Simulations", "leave-one-out against retraining, kernel (1)"), |reports, link| {
        data_set("sonar.csv")?;
        let naive = reports.run(&link.replace("method=tap", "method=naive"), "");
        let exact = column(&reports.run(link, ""), "exact_loo_predictions", "/p");
        let estimate = column(&naive, "loo_predictions", "/p");
        Some(largest(estimate.iter().zip(exact).map(|(estimate, p)| (estimate - p).abs())))
    }),
    Wrong::stated(("Simulations", "leave-one-out against retraining, kernel (2)"), |reports, link| {
        data_set("sonar.csv")?;
        let report = reports.run(link, "");
        let exact = column(&report, "exact_loo_predictions", "/p");
        Some(largest(exact.into_iter().map(|p| (0.5 - p).abs())))
    }),
    // A naive comparison of one set with itself.
    Wrong::stated(("Simulations", "a hard training set and an easy test set"), |reports, link| {
        data_set("sonar.csv")?;
        Some(reports.value(link, "", LOO) - reports.value(link, "", EXACT))
    }),
    Wrong {
        tolerance: Some(0.1),
        ..Wrong::refused(("Discussion", "the free energy as the log evidence"), |reports, link| {
            let naive = Abs(&At("/largest_errors/naive/value"));
            Some(reports.value(link, "sigma2_grid=4&chains=64", naive))
        })
    },
    Wrong::stated(("Discussion", "the most probable σ²"), |reports, link| {
        Some(reports.value(link, "chains=0", Over(&At("/maxima/naive"), &At("/maxima/tap"))))
    }),
];

#[test]
fn wrong_methods_fail_the_claims_on_gaussian_processes() {
    refute("gp", WRONG);
}
