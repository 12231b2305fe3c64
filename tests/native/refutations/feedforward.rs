//! Wrong methods in place of those of OW96.

use std::f64::consts::PI;

use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::lab::claim::Check;
use meanfield::lab::claim::Quantity::{self, At, Max, Min};
use meanfield::math::random::Stream;
use meanfield::math::stats::mean;
use meanfield::models::MODELS;
use serde_json::json;

use super::plain_tap::{PlainSolution, Problem, cosine};
use super::{Reports, Wrong, column, largest, refute};

/// Damping at which the plain iteration converges.
const DAMPING: f64 = 0.1;
/// Number of runs of a short simulation.
const FEW: &str = "runs=20";
/// Subject of the claim on labels without a rule.
const NO_RULE: &str = "a rule that cannot be learnt";
/// Subject of the same claim for a learner that assumes noise.
const NO_RULE_NOISE: &str = "a rule that cannot be learnt, noise assumed";

/// Returns the overlap of the normalised weights Σ y x of Hebb's rule with those of a teacher whose labels have the odds e^β, for N → ∞.
fn hebb_overlap(alpha: f64, beta: f64) -> f64 {
    let slope = (0.5 * beta).tanh() * (2.0 / PI).sqrt();
    (alpha * slope * slope / (1.0 + alpha * slope * slope)).sqrt()
}

/// Returns the distances of the error of Hebb's rule from that of the optimal prediction at each α, and standard errors of `runs` runs.
fn hebb(reports: &Reports, (link, beta): (&str, f64), runs: usize) -> Vec<(f64, f64)> {
    let report = reports.run(link, &format!("runs={runs}"));
    let [alpha, theory, se] = ["/alpha", "/theory_bayes", "/bayes_se"].map(|of| column(&report, "curve", of));
    let distance = |i: usize| (hebb_overlap(alpha[i], beta).acos() / PI - theory[i]).abs();
    (0..alpha.len()).map(|i| (distance(i), se[i])).collect()
}

/// Returns the mean of a number over solutions of the equations without their reaction term, of `sets` training sets.
fn without_reaction(
    (sizes, beta, alpha): ((usize, usize), f64, f64),
    sets: u64,
    of: fn(&Problem, &PlainSolution) -> f64,
) -> f64 {
    let value = |seed| {
        let problem = Problem::draw(sizes, beta, alpha, seed);
        Some(of(&problem, &problem.solve(DAMPING, false)?))
    };
    let values: Vec<f64> = (1..=sets).filter_map(value).collect();
    assert!(values.len() > sets as usize / 2, "{} of {sets} solves", values.len());
    mean(values.into_iter()).mean
}

/// Returns the largest difference of both predictions for K = 1, where they are the same.
fn same_prediction(reports: &Reports, _: &str) -> Option<f64> {
    let link = "#/feedforward?hidden=1&inputs=50&beta=inf&alphas=0.5,3";
    Some(largest(column(&reports.run(link, FEW), "curve", "/opt_minus_bayes")))
}

/// Returns the cosine of the weights without the reaction term and the sampled posterior mean of the same training set.
fn cosine_without_reaction(reports: &Reports, link: &str) -> Option<f64> {
    let report = reports.run(link, "");
    let numbers = |at: &str| -> Vec<f64> {
        report.pointer(at).unwrap().as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect()
    };
    let problem = Problem::of_run(50, 2.0, 4.0, 1);
    let tap = problem.solve(DAMPING, true)?;
    assert!(cosine(&tap.weights[0], &numbers("/solution/weights")) > 1.0 - 1e-9, "another training set");
    Some(cosine(&problem.solve(DAMPING, false)?.weights[0], &numbers("/exact/weights")))
}

/// Returns the distance from replica theory without the reaction term at α = 8, a lower bound on the largest.
fn perceptron_without_reaction(reports: &Reports, link: &str) -> Option<f64> {
    let error = without_reaction(((1, 50), 2.0, 8.0), 60, |problem, solution| problem.errors(solution)[0]);
    Some((error - reports.value(link, "runs=2", At("/curve/7/theory_bayes"))).abs())
}

/// Returns the distance from replica theory without the reaction term at α = 3, a lower bound on the largest.
fn committee_without_reaction(reports: &Reports, link: &str) -> Option<f64> {
    let error =
        without_reaction(((3, 60), f64::INFINITY, 3.0), 20, |problem, solution| problem.errors(solution)[0]);
    Some((error - reports.value(link, "runs=2", At("/curve/3/theory_bayes"))).abs())
}

/// Limits of large α and the difference of the two predictions are not decisive because the equations without their reaction term have
/// them, too.
#[test]
fn limits_and_differences_of_predictions_hold_without_the_reaction_term() {
    let gaps = [0.5, 10.0].map(|alpha| {
        let problem = Problem::draw((3, 60), f64::INFINITY, alpha, 1);
        let solution = problem.solve(0.02, false).unwrap();
        let [bayes, opt] = problem.errors(&solution);
        (opt - bayes, solution.mean_lambda())
    });
    let [(at_first, _), (at_last, lambda)] = gaps;
    assert!(at_first > 0.005 && at_last / at_first < 0.1 && lambda < 0.05, "{gaps:?}");
}

/// Returns the largest share of five training sets that a plain undamped parallel iteration cannot solve without noise.
fn undamped(_: &Reports, _: &str) -> Option<f64> {
    let unsolved = |alpha: f64, seed: &u64| {
        Problem::draw((3, 60), f64::INFINITY, alpha, *seed).solve(1.0, true).is_none()
    };
    let share = |alpha: f64| (1..=5).filter(|seed| unsolved(alpha, seed)).count() as f64 / 5.0;
    let [at_half, at_three] = [0.5, 3.0].map(share);
    assert_eq!(at_half, at_three, "the remark names both");
    Some(at_three)
}

/// Returns the increase, from α = 1 to α = 3, of the share of ten sets of random labels for which the equations without their reaction
/// term have no solution.
fn lost_without_reaction(_: &Reports, _: &str) -> Option<f64> {
    let set = |alpha, seed| Problem::of_rule(TeacherRule::Coin, (1, 50), f64::INFINITY, alpha, seed);
    let unsolved = |alpha| {
        (1..=10).filter(|seed| set(alpha, *seed).solve(DAMPING, false).is_none()).count() as f64 / 10.0
    };
    Some(unsolved(3.0) - unsolved(1.0))
}

/// Returns a quantity of the run of a claim, for labels of a perceptron, which can be learnt.
fn matched(subject: &str, reports: &Reports, settings: &str, value: Quantity) -> f64 {
    reports.value(quantity(subject).0, &format!("teacher=matched&{settings}"), value)
}

/// Returns link and quantity of a claim of the outlook.
fn quantity(subject: &str) -> (&'static str, Quantity) {
    let model = MODELS.iter().find(|model| model.id == "feedforward").unwrap();
    let claim = model.claims.iter().find(|claim| claim.subject == subject).unwrap();
    let Check::Run { link, value, .. } = claim.check else { panic!("{subject} is not checked") };
    (link, value)
}

/// A solver that always fails has the value of the wrong methods of the claims on rules that cannot be learnt.
#[test]
fn a_solver_that_always_fails_reveals_no_rule() {
    let reports = [
        (NO_RULE, json!({ "runs": 100, "curve": [{ "unconverged": 100 }, { "unconverged": 100 }] })),
        (NO_RULE_NOISE, json!({ "rows": [{ "solutions": 0.0 }, { "solutions": 0.0 }] })),
    ];
    for (subject, report) in reports {
        assert_eq!(quantity(subject).1.value(&report), Ok(0.0), "{subject}");
    }
}

/// The remarks on both claims state that the same solver finds a solution for labels of a perceptron, at the same α.
#[test]
fn the_solver_finds_the_rules_that_can_be_learnt() {
    let reports = Reports::default();
    let solved = |extreme| matched(NO_RULE_NOISE, &reports, "sets=2&starts=4", extreme);
    assert_eq!(matched(NO_RULE, &reports, FEW, Max(&At("/curve/*/unconverged"))), 0.0);
    for extreme in [Min(&At("/rows/*/solutions")), Max(&At("/rows/*/solutions")), Min(&At("/rows/*/solved"))]
    {
        assert_eq!(solved(extreme), 1.0, "{extreme:?}");
    }
}

/// Wrong methods, in the order of the claims.
const WRONG: &[Wrong] = &[
    Wrong::rough(0.001, ("Abstract", "the posterior mean of one run"), cosine_without_reaction),
    Wrong::stated(("Eq. (9)", "Bayes is the better one"), same_prediction),
    Wrong::rough(0.1, ("Abstract", "theory and simulation, less noise"), perceptron_without_reaction),
    Wrong::rough(0.1, ("Figure 2", "theory and simulation"), committee_without_reaction),
    Wrong::stated(("Simulations", "the equations can be solved"), undamped),
    Wrong::stated(("Outlook", NO_RULE), lost_without_reaction),
    Wrong::stated(("Outlook", NO_RULE), |reports, _| {
        Some(matched(NO_RULE, reports, FEW, quantity(NO_RULE).1))
    }),
    Wrong::stated(("Outlook", NO_RULE_NOISE), |reports, _| {
        Some(matched(NO_RULE_NOISE, reports, "sets=2&starts=4", quantity(NO_RULE_NOISE).1))
    }),
];

/// Returns the mean generalization error of Hebb's rule in simulations.
fn hebb_simulated((inputs, examples): (usize, usize), beta: f64, runs: u64) -> f64 {
    let flips = 1.0 / (1.0 + beta.exp());
    let error = |seed| {
        let inputs_of = InputDistribution::white(inputs);
        let mut teacher = Teacher::draw(TeacherRule::Committee(1), inputs_of, flips, Stream::of(seed, 0));
        let mut drawn = LabelledExamples::new(inputs);
        teacher.extend(&mut drawn, examples);
        let mut weights = vec![0.0; inputs];
        for (row, label) in drawn.rows().chunks_exact(inputs).zip(drawn.labels()) {
            weights.iter_mut().zip(row).for_each(|(w, x)| *w += label * x);
        }
        cosine(&weights, teacher.weights()).acos() / PI
    };
    mean((0..runs).map(error)).mean
}

/// Claims at the noise of Figure 1 are not decisive because Hebb's rule passes, too: in theory, and for N = 15 in simulations.
#[test]
fn hebbs_rule_passes_at_the_noise_of_figure_1() {
    let reports = Reports::default();
    let link = |inputs: usize| {
        format!("#/feedforward?hidden=1&inputs={inputs}&beta=0.5&alphas=0.5,1,2,3,4,5,6,8,10")
    };
    for (distance, se) in hebb(&reports, (&link(50), 0.5), 20) {
        // In standard errors of ten times as many runs.
        assert!(distance < 0.01 && 10.0_f64.sqrt() * distance < 3.0 * se, "{distance} {se}");
    }
    let report = reports.run(&link(15), "runs=2");
    for (alpha, theory) in
        column(&report, "curve", "/alpha").into_iter().zip(column(&report, "curve", "/theory_bayes"))
    {
        let simulated = hebb_simulated((15, (15.0 * alpha) as usize), 0.5, 1000);
        assert!((simulated - theory).abs() < 0.01, "{simulated} {theory} at {alpha}");
    }
}

/// With less noise Hebb's rule fails.
#[test]
fn hebbs_rule_fails_with_less_noise() {
    let link = "#/feedforward?hidden=1&inputs=50&beta=2&alphas=0.5,1,2,3,4,5,6,8,10";
    let distance =
        largest(hebb(&Reports::default(), (link, 2.0), 2).into_iter().map(|(distance, _)| distance));
    assert!(distance > 0.05, "{distance}");
    let cosine_with_tap = |seed| {
        let problem = Problem::draw((1, 50), 2.0, 4.0, seed);
        cosine(&problem.hebb(), &problem.solve(DAMPING, true).unwrap().weights[0])
    };
    let closest = largest((1..=30).map(cosine_with_tap));
    assert!(closest < 0.95, "{closest}");
}

#[test]
fn wrong_methods_fail_the_claims_of_the_letter() {
    refute("feedforward", WRONG);
}
