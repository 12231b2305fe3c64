//! Wrong methods in place of those of OW98. Without the sonar data only the claims on the evidence are tested.

use meanfield::lab::claim::Quantity::{self, Abs, At, Over};
use meanfield::math::special::phi;

use super::{Reports, Wrong, column, largest, refute};
use crate::common::needs::data_set;

const TEST: Quantity = Over(&At("/test_errors"), &At("/test_examples"));
const EXACT: Quantity = Over(&At("/exact_loo_errors"), &At("/examples"));
const LOO: Quantity = Over(&At("/loo_errors"), &At("/examples"));

/// Returns a quantity of the other theory with the same kernel, at the σ² of its own row of Table 1.
fn other(reports: &Reports, link: &str, quantity: Quantity) -> Option<f64> {
    data_set("sonar.csv")?;
    let swaps = [
        ("arcsine&sigma2=0.5&", "method=tap", "arcsine&sigma2=0.08&", "method=naive"),
        ("arcsine&sigma2=0.08&", "method=naive", "arcsine&sigma2=0.5&", "method=tap"),
    ];
    let (kernel, method, other_kernel, other_method) =
        swaps.into_iter().find(|(kernel, method, ..)| link.contains(kernel) && link.contains(method))?;
    Some(reports.value(&link.replace(kernel, other_kernel).replace(method, other_method), "", quantity))
}

/// Returns a quantity of the permalink by TAP at the same σ².
fn by_tap(reports: &Reports, link: &str, quantity: Quantity) -> Option<f64> {
    data_set("sonar.csv")?;
    Some(reports.value(&link.replace("method=naive", "method=tap"), "", quantity))
}

/// Returns the largest difference of the probabilities Φ(h/√λ) of the rows, with their own labels, from those by retraining.
fn with_its_own_label(reports: &Reports, link: &str) -> Option<f64> {
    data_set("sonar.csv")?;
    let report = reports.run(link, "");
    let numbers = |of: &str| -> Vec<f64> {
        report[of].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let [x, lambda, gamma] = ["x", "lambda", "gamma"].map(numbers);
    let exact = column(&report, "exact_loo_predictions", "/p");
    let p = |i: usize| phi((gamma[i] + lambda[i] * x[i]) / lambda[i].sqrt());
    Some(largest(exact.iter().enumerate().map(|(i, exact)| (p(i) - exact).abs())))
}

/// Returns the largest difference of the leave-one-out probabilities of naive mean field from those of TAP by retraining.
fn naive_estimate(reports: &Reports, link: &str) -> Option<f64> {
    data_set("sonar.csv")?;
    let naive = reports.run(&link.replace("method=tap", "method=naive"), "");
    let exact = column(&reports.run(link, ""), "exact_loo_predictions", "/p");
    let estimate = column(&naive, "loo_predictions", "/p");
    Some(largest(estimate.iter().zip(exact).map(|(estimate, p)| (estimate - p).abs())))
}

/// Wrong methods, in the order of the claims.
const WRONG: &[Wrong] = &[
    Wrong::stated(("Table 1", "TAP, kernel (1): ε_test"), |r, link| other(r, link, TEST)),
    Wrong::stated(("Table 1", "TAP, kernel (1): ε_loo"), |r, link| other(r, link, LOO)),
    Wrong::stated(("Table 1", "naive, kernel (1): ε_test"), |r, link| other(r, link, TEST)),
    Wrong::stated(("Simulations", "leave-one-out against retraining, kernel (1)"), with_its_own_label),
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
        let Some(tap) = by_tap(&reports, link, quantity) else { return };
        assert_eq!(tap, reports.value(link, "", quantity));
    }
}

/// Leave-one-out of TAP with kernel (2) cannot be checked because the naive theory has the same number at its own smallest error.
#[test]
fn the_naive_theory_has_the_leave_one_out_error_of_tap_with_kernel_2() {
    let link = "#/gp.data?data=sonar&kernel=rbf&sigma2=0.158&kappa=0&v=0&method=naive";
    let reports = Reports::default();
    if data_set("sonar.csv").is_some() {
        assert_eq!(reports.value(link, "", LOO), 22.0 / 104.0);
    }
}

/// The estimate with kernel (2) cannot be checked because that of the naive theory is as close to the retraining of TAP.
#[test]
fn the_naive_estimate_is_close_to_the_retraining_of_tap_with_kernel_2() {
    let link = "#/gp.data?data=sonar&kernel=rbf&sigma2=0.155&kappa=0&v=0&method=tap&exact_loo=true";
    let Some(difference) = naive_estimate(&Reports::default(), link) else { return };
    assert!(difference < 0.01, "{difference}");
    let arcsine = "#/gp.data?data=sonar&kernel=arcsine&sigma2=0.5&kappa=0&v=0&method=tap&exact_loo=true";
    let far = naive_estimate(&Reports::default(), arcsine).unwrap();
    assert!((far - 0.113).abs() < 0.001, "{far}");
}

#[test]
fn wrong_methods_fail_the_claims_on_gaussian_processes() {
    refute("gp", WRONG);
}
