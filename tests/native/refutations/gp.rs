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

/// Returns the largest difference of the leave-one-out probabilities of naive mean field from those of TAP by retraining.
fn naive_estimate(reports: &Reports, link: &str) -> Option<f64> {
    data_set("sonar.csv")?;
    let naive = reports.run(&link.replace("method=tap", "method=naive"), "");
    let exact = column(&reports.run(link, ""), "exact_loo_predictions", "/p");
    let estimate = column(&naive, "loo_predictions", "/p");
    Some(largest(estimate.iter().zip(exact).map(|(estimate, p)| (estimate - p).abs())))
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
    Wrong::stated(("Simulations", "no flips are best, kernel (2)"), as_kernel_1),
    Wrong::stated(("Simulations", "no field noise is best, kernel (2)"), as_kernel_1),
    Wrong::stated(("Simulations", "leave-one-out against retraining, kernel (1)"), naive_estimate),
    Wrong::rough(0.1, ("Discussion", "the free energy as the log evidence"), |reports, link| {
        let laplace = Abs(&At("/largest_errors/laplace/value"));
        Some(reports.value(link, "sigma2_grid=0.02&chains=64", laplace))
    }),
];

/// Leave-one-out of the naive theory with kernel (1) cannot be checked because TAP has the same errors.
#[test]
fn tap_has_the_leave_one_out_errors_of_the_naive_theory() {
    let link = "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.08&kappa=0&v=0&method=naive&exact_loo=true";
    let reports = Reports::default();
    for quantity in [LOO, EXACT] {
        let Some(tap) = other(&reports, link, quantity) else { return };
        assert_eq!(tap, reports.value(link, "", quantity));
    }
}

/// The estimate with kernel (2) cannot be checked because that of the naive theory is as close to the retraining of TAP.
#[test]
fn the_naive_estimate_is_close_to_the_retraining_of_tap_with_kernel_2() {
    let link = "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0&method=tap&exact_loo=true";
    let Some(difference) = naive_estimate(&Reports::default(), link) else { return };
    assert!(difference < 0.01, "{difference}");
}

#[test]
fn wrong_methods_fail_the_claims_on_gaussian_processes() {
    refute("gp", WRONG);
}
