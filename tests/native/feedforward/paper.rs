//! Testable statements of OW96, at the size of the paper's figure.

use crate::common;
use meanfield::lab::Link;
use meanfield::math::special::phi;
use meanfield::math::stats::mean;
use meanfield::models::feedforward::curve::CurveSnapshot;
use meanfield::models::task;

fn run(link: &str) -> CurveSnapshot {
    let Link { task: id, raw } = Link::parse(link);
    let task = task(&id).unwrap();
    common::whole(task, &raw).as_any().downcast_ref::<CurveSnapshot>().unwrap().clone()
}

/// Returns the training error of the tilted posterior of a perceptron for N → ∞, by hand: with t = y z ~ N(0, q/λ) seen through the
/// label, an error occurs where the odds Φ(t)/Φ(−t) of a correct label are below the odds e^−β of a flip.
fn tilted_training_error(q: f64, beta: f64) -> f64 {
    const STEP: f64 = 1e-3;
    let spread = (q / (1.0 - q)).sqrt();
    let contrast = (beta / 2.0).tanh();
    let mut sum = 0.0;
    for i in 0..40_000 {
        let t = -20.0 + STEP * (f64::from(i) + 0.5);
        let lost = phi(t) < (-beta).exp() * phi(-t);
        let density = (-0.5 * (t / spread).powi(2)).exp() / (spread * (2.0 * std::f64::consts::PI).sqrt());
        sum += f64::from(u8::from(lost)) * density * (1.0 + contrast * (2.0 * phi(t) - 1.0)) * STEP;
    }
    sum
}

/// Figure 1 of the paper: β = .5, N = 50, 200 runs.
#[test]
fn figure_1_lies_on_replica_theory_within_three_standard_errors() {
    let snapshot = run("#/feedforward?beta=0.5");
    assert_eq!(snapshot.theory.len(), 9);
    for (i, theory) in snapshot.theory.iter().enumerate() {
        let solves = || snapshot.runs.iter().map(|run| run.solves[i]);
        assert_eq!(solves().count(), 200);
        assert!(solves().all(|s| s.converged), "every one of the 1,800 solves converges");
        let clean = mean(solves().map(|s| s.bayes));
        let z = (clean.mean - theory.bayes) / clean.se;
        assert!(z.abs() < 3.0, "α = {}: {clean:?} against {}", theory.ratio, theory.bayes);
        // Training error has corrections of order 1/N: within 4 % of one half.
        let training = mean(solves().map(|s| s.train_bayes));
        assert!(
            (training.mean - theory.training.unwrap()).abs() < 0.02,
            "α = {}: {training:?}",
            theory.ratio
        );
        let tilted = mean(solves().map(|s| s.train_tilted));
        let theirs = tilted_training_error(theory.q, 0.5);
        let z = (tilted.mean - theirs) / tilted.se;
        assert!(z.abs() < 4.0, "α = {}: {tilted:?} against {theirs}", theory.ratio);
        // The overlap with the teacher equals the self-overlap, which needs no teacher.
        let difference = mean(solves().map(|s| s.r - s.q));
        assert!(difference.mean.abs() < 4.0 * difference.se, "α = {}: {difference:?}", theory.ratio);
    }
}

/// “Moving control fluctuates very much for small training sets”: its error bars are the larger ones, and it
/// estimates the error on noisy labels.
#[test]
fn the_leave_one_out_estimate_of_the_noisy_error_has_larger_error_bars() {
    let snapshot = run("#/feedforward?beta=0.5&inputs=300&alphas=1,4&runs=100");
    let p = 1.0 / (1.0 + 0.5_f64.exp());
    for i in 0..2 {
        let solves = || snapshot.runs.iter().map(|run| run.solves[i]);
        let noisy = mean(solves().map(|s| p + (1.0 - 2.0 * p) * s.bayes));
        let loo = mean(solves().map(|s| s.loo_bayes));
        assert!(loo.se > 2.0 * noisy.se);
        assert!((loo.mean - noisy.mean).abs() < 4.0 * loo.se, "{loo:?} {noisy:?}");
    }
}

/// Without noise, the simulation agrees with theory at N = 300; at N = 50 it does not, by a known finite-size effect.
#[test]
fn noise_free_learning_reaches_the_theory_for_large_systems() {
    let snapshot = run("#/feedforward?inputs=300&beta=inf&alphas=1,4&runs=40");
    for (i, theory) in snapshot.theory.iter().enumerate() {
        let clean = mean(snapshot.runs.iter().map(|run| run.solves[i].bayes));
        assert!((clean.mean - theory.bayes).abs() < 3.0 * clean.se, "{clean:?} against {}", theory.bayes);
        assert!(
            snapshot
                .runs
                .iter()
                .all(|run| run.solves[i].train_bayes == 0.0 && run.solves[i].train_tilted == 0.0),
            "a noise-free student makes no training errors"
        );
    }
}

/// Figure 2 at the size of the paper against the same experiment of an independent program (mean, standard error).
#[test]
#[ignore = "takes a minute: scripts/test --full"]
fn figure_2_agrees_with_an_independent_simulation() {
    let independent = [
        (0.3658, 0.0018),
        (0.3109, 0.0019),
        (0.2217, 0.0018),
        (0.1591, 0.0015),
        (0.1178, 0.0013),
        (0.0927, 0.0009),
        (0.0776, 0.0009),
        (0.0549, 0.0005),
        (0.0437, 0.0004),
    ];
    let snapshot = run("#/feedforward?hidden=3&inputs=60&beta=inf&runs=200");
    for (i, (theirs, their_se)) in independent.into_iter().enumerate() {
        let ours =
            mean(snapshot.runs.iter().map(|run| run.solves[i]).filter(|s| s.converged).map(|s| s.bayes));
        let se = (ours.se * ours.se + their_se * their_se).sqrt();
        assert!((ours.mean - theirs).abs() < 4.0 * se, "{ours:?} against {theirs} ± {their_se}");
    }
    let failed = snapshot.runs.iter().flat_map(|run| &run.solves).filter(|s| !s.converged).count();
    assert!(failed <= 9, "{failed} of 1,800 solves did not converge: more than .5 %");
}
