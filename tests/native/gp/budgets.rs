//! Budgets of fits: every start ends, with the best that it found.

use meanfield::models::gp::fit::{
    FreeParameters, HyperparameterFit, LengthScales, Objective, Options, Restart,
};
use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
use meanfield::models::gp::solver::kernel::KernelKind;

use super::fit::{SIGMA2_ONLY, drawn, isotropic, run};

/// With many labels flipped at random, solves with κ > 0 are slow or fail.
#[test]
fn a_start_ends_within_its_budget_with_its_best_evaluation() {
    let (rows, mut tau) = drawn(80, 2, 34);
    (0..80).step_by(3).for_each(|i| tau[i] = -tau[i]);
    let free = FreeParameters { length_scales: LengthScales::Shared, v: true, kappa: true };
    for objective in [Objective::Evidence, Objective::LeaveOneOut] {
        for max_evaluations in [1, 2, 5, 12] {
            let options = Options { max_evaluations, tolerance: 0.0, ..Options::new(objective, free) };
            let start = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.05, 1e-3, 0.3);
            let mut fit = HyperparameterFit::new(rows.clone(), tau.clone(), start, options).unwrap();
            run(&mut fit);
            for (number, restart) in fit.restarts().iter().enumerate() {
                let trace = || fit.trace().iter().filter(|trial| trial.start == number);
                let solves: usize = trace().map(|trial| trial.newton_solves).sum();
                // One step may exceed the budget, since a sweep counts twice.
                assert!(solves <= 20 * max_evaluations + 1, "{solves} solves, {max_evaluations}");
                assert!(restart.evaluations <= max_evaluations);
                let largest = trace().map(|trial| trial.objective).fold(f64::NEG_INFINITY, f64::max);
                let found = restart.best.as_ref().map_or(f64::NEG_INFINITY, |best| best.objective);
                assert_eq!(found, largest, "{objective:?}");
                assert_eq!(restart.best.is_some(), largest.is_finite());
            }
        }
    }
}

/// The evaluations to return to go back to the first one, a cold solve.
#[test]
fn earlier_evaluations_lead_back_to_the_first() {
    let (rows, tau) = drawn(40, 2, 35);
    let options = Options { starts: 1, ..Options::new(Objective::Evidence, SIGMA2_ONLY) };
    let start = Hyperparameters::isotropic(KernelKind::Rbf, 2, 20.0, 0.1, 0.0);
    let mut fit = HyperparameterFit::new(rows, tau, start, options).unwrap();
    run(&mut fit);
    let Restart { best: Some(best), earlier, .. } = &fit.restarts()[0] else { panic!("no result") };
    assert_eq!(earlier.last(), fit.trace().first());
    let values = [std::slice::from_ref(best), earlier].concat();
    assert!(values.len() > 2 && values.is_sorted_by(|a, b| a.objective > b.objective), "{values:?}");
}

/// The page computes the remaining time from it.
#[test]
fn the_fraction_of_a_fit_is_the_spent_share_of_its_budget() {
    for (seed, rows, inputs) in [(31, 60, 2), (32, 80, 3), (33, 100, 6)] {
        let (rows, tau) = drawn(rows, inputs, seed);
        let free = FreeParameters { length_scales: LengthScales::Shared, v: true, kappa: true };
        let options = Options { starts: 1, max_evaluations: 30, ..Options::new(Objective::Evidence, free) };
        let mut fit =
            HyperparameterFit::new(rows, tau, isotropic(KernelKind::Rbf, inputs, 0.5, 0.1), options).unwrap();
        let mut last = fit.fraction();
        while !fit.advance() {
            let fraction = fit.fraction();
            assert!((last..1.0).contains(&fraction), "{last}, then {fraction}");
            assert!(fraction >= fit.trace().len() as f64 / 30.0);
            last = fraction;
        }
        assert_eq!(fit.fraction(), 1.0);
    }
}
