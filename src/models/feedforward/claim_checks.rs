//! Permalinks, quantities and checks of the claims of OW96.

use crate::lab::claim::Quantity::{Abs, At, Hypot, Max, Median, Minus, Over, ShareError};
use crate::lab::claim::{Basis, Check, Claim, Criterion, Quantity, ValueUnit};

pub(super) const SWEEPS: ValueUnit = ValueUnit::named("iteration", "iterations");
pub(super) const FIGURE_1: &str =
    "#/feedforward?hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=200";
/// Figure 1 with enough runs for the bias of leave-one-out.
pub(super) const FIGURE_1_LONG: &str =
    "#/feedforward?hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=2000";
pub(super) const FIGURE_1_OWN: &str =
    "#/feedforward?hidden=1&inputs=50&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&variance=own&runs=10000";
pub(super) const FIGURE_2: &str =
    "#/feedforward?hidden=3&inputs=60&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&runs=200";
pub(super) const FIGURE_2_SPHERE: &str =
    "#/feedforward?hidden=3&inputs=60&beta=inf&alphas=0.5,1,2,3,4,5,6,8,10&normalise=true&runs=1000";
pub(super) const SMALL: &str =
    "#/feedforward?hidden=1&inputs=15&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10&runs=1000";
pub(super) const LESS_NOISE: &str =
    "#/feedforward?hidden=1&inputs=50&beta=2&alphas=0.5,1,2,3,4,5,6,8,10&runs=200";
pub(super) const SOLUTIONS: &str = "#/feedforward.solutions?alphas=1,8&sets=20&starts=8";
pub(super) const MORE_NOISE: &str = "#/feedforward.solutions?alphas=1,8&sets=20&starts=8&beta=1";
pub(super) const MATCHED: &str = "#/feedforward.solutions?teacher=matched";
pub(super) const LARGE: &str =
    "#/feedforward?hidden=1&inputs=300&beta=1.5&alphas=0.25,0.5,1,1.5,2,3,4,5,6&runs=40";

pub(super) const FROM_THEORY: Quantity = Abs(&Minus(&At("/curve/*/bayes"), &At("/curve/*/theory_bayes")));
pub(super) const IN_ERRORS: Quantity = Max(&Over(&FROM_THEORY, &At("/curve/*/bayes_se")));
/// Largest mean difference of leave-one-out and the error on noisy labels, in paired standard errors.
pub(super) const LEAVE_ONE_OUT: Quantity =
    Max(&Over(&Abs(&At("/curve/*/loo_bias")), &At("/curve/*/loo_bias_se")));
pub(super) const OPT_MINUS_BAYES: Quantity = At("/curve/*/opt_minus_bayes");
pub(super) const ITERATIONS: Quantity = Median(&At("/curve/*/iterations_median"));
/// Share of solves without a solution, at the α where it is largest.
const FAILED: Quantity = Over(&Max(&At("/curve/*/unconverged")), &At("/runs"));
/// Share of runs without a solution at the second α less that at the first. A solver that always fails has 0.
const LOST: Quantity = Minus(&UNSOLVED[1], &UNSOLVED[0]);
/// Share of runs without a solution at each of two α.
const UNSOLVED: [Quantity; 2] =
    [Over(&At("/curve/0/unconverged"), &At("/runs")), Over(&At("/curve/1/unconverged"), &At("/runs"))];

pub(super) const fn run(link: &'static str, value: Quantity, criterion: Criterion, basis: Basis) -> Check {
    Check::Run { link, quick: "runs=3", value, spread: None, criterion, basis }
}

/// Returns the check of the largest distance between simulation and theory, at most what a printed figure would show, with its bootstrap error.
pub(super) const fn on_the_curve(link: &'static str, basis: Basis) -> Check {
    Check::Run {
        link,
        quick: "runs=3",
        value: Abs(&At("/extremes/from_theory/value")),
        spread: Some(At("/extremes/from_theory/se")),
        criterion: Criterion::AtMost(0.01),
        basis,
    }
}

/// Reason why simulations at the noise of Figure 1 are inconclusive.
pub(super) const HEBB_PASSES: Basis = Basis::Weak("at this noise Hebb's rule also meets the criterion");
/// Reason why distances in standard errors that are near their criterion are inconclusive.
pub(super) const ONE_ERROR: Basis =
    Basis::Undecided("too close to call: one standard error more or less would change the verdict");
/// Reason why limits of large α and differences of the two predictions are inconclusive.
pub(super) const NO_REACTION_PASSES: Basis =
    Basis::Weak("solutions of the equations without their reaction term also meet the criterion");
/// Reason why numbers of iterations are inconclusive.
pub(super) const NO_ACCURACY: Basis =
    Basis::Undecided("the letter states no accuracy, and starts from a solution for fewer examples");

/// Basis of the claims on leave-one-out by cavity fields.
pub(super) const RETRAINING_MEANT: Basis = Basis::Undecided(
    "the letter's statement is about training without the example and gives no accuracy for the cavity estimate",
);

/// Returns the check that all equations can be solved.
pub(super) const fn solved(link: &'static str, most: f64, basis: Basis) -> Check {
    Check::Run {
        link,
        quick: "runs=3",
        value: FAILED,
        spread: Some(ShareError(&FAILED, &At("/runs"))),
        criterion: Criterion::AtMost(most),
        basis,
    }
}

/// Returns the check that the equations can be solved at the first α and not at the second.
pub(super) const fn lost(link: &'static str, least: f64, basis: Basis) -> Check {
    Check::Run {
        link,
        quick: "runs=3",
        value: LOST,
        spread: Some(Hypot(&ShareError(&UNSOLVED[0], &At("/runs")), &ShareError(&UNSOLVED[1], &At("/runs")))),
        criterion: Criterion::AtLeast(least),
        basis,
    }
}

/// Returns the claim that starts find a solution for random labels at the first α and none at the second.
pub(super) const fn noise_assumed(
    subject: &'static str,
    link: &'static str,
    basis: Basis,
    remark: &'static str,
) -> Claim {
    Claim {
        place: "Outlook",
        subject,
        printed: "the same",
        check: Check::Run {
            link,
            quick: "inputs=12&sets=2&starts=2",
            value: Minus(&At("/rows/0/solutions"), &At("/rows/1/solutions")),
            spread: Some(Hypot(&At("/rows/0/solutions_se"), &At("/rows/1/solutions_se"))),
            criterion: Criterion::AtLeast(0.8),
            basis,
        },
        measured: "difference",
        unit: ValueUnit::NONE,
        remark,
    }
}
