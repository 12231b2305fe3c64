//! Fitting the parameters of `gp`: gradients against finite differences of solved problems, fits against known maxima,
//! leave-one-out by retraining against solving from scratch.

use meanfield::math::random::Stream;
use meanfield::math::{Choice as _, Ending};
use meanfield::models::gp::fit::gradient::HyperGradient;
use meanfield::models::gp::fit::{
    FitError, FitEvaluation, FreeParameters, HyperparameterFit, LengthScales, Objective, Options, Restart,
    SIGMA2,
};
use meanfield::models::gp::solver::approximation::{Approach, Solve};
use meanfield::models::gp::solver::hyperparameters::Hyperparameters;
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::gp::solver::mean_field::MeanFieldSolver;
use meanfield::models::gp::solver::solution::Solution;
use meanfield::models::gp::solver::theory::MeanFieldTheory;
use meanfield::models::gp::solver::training_set::TrainingSet;

/// Returns random inputs, with labels by the first two and some noise.
pub fn drawn(m: usize, inputs: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    noisy(m, inputs, seed, 0.5)
}

fn noisy(m: usize, inputs: usize, seed: u64, noise: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = Stream::of(seed, 0);
    let rows: Vec<Vec<f64>> = (0..m).map(|_| (0..inputs).map(|_| stream.normal()).collect()).collect();
    let label = |row: &Vec<f64>, noise: f64| if row[0] - row[1] + noise < 0.0 { -1.0 } else { 1.0 };
    let tau = rows.iter().map(|row| label(row, noise * stream.normal())).collect();
    (rows, tau)
}

fn solve(set: &TrainingSet, theory: MeanFieldTheory) -> Solution {
    let solver = MeanFieldSolver { tolerance: 1e-13, ..MeanFieldSolver::new(theory) };
    let (state, ending) = solver.solve(set);
    assert!(ending.is_solution(), "{ending:?}");
    state.solution(set, theory).unwrap()
}

/// Returns the central differences of two step sizes, extrapolated to zero.
fn slope(f: impl Fn(f64) -> f64, step: f64) -> f64 {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * central(step) - central(2.0 * step)) / 3.0
}

#[test]
fn gradients_agree_with_finite_differences() {
    let (mut rows, tau) = drawn(24, 3, 9);
    // An example at the origin, where the arcsine and the linear kernel vanish.
    rows[5] = vec![0.0; 3];
    let kinds = KernelKind::WORDS.iter().filter_map(|(word, _)| KernelKind::from_word(word));
    for kind in kinds {
        for (v, kappa) in [(0.3, 0.0), (0.3, 0.05), (0.0, 0.1), (0.02, 0.2)] {
            let kernel =
                Kernel { weights: vec![0.8, 0.3, 0.5], ..Kernel::isotropic(kind, 3, 1.0).with_period(2.5) };
            let at = |kernel: &Kernel, v: f64, kappa: f64| {
                let set = TrainingSet::new(&rows, &tau, kernel, v, kappa);
                let tap = solve(&set, MeanFieldTheory::Tap);
                [tap.minus_g, tap.ln_loo, solve(&set, MeanFieldTheory::Naive).ln_loo]
            };
            let set = TrainingSet::new(&rows, &tau, &kernel, v, kappa);
            let [tap, naive] =
                [MeanFieldTheory::Tap, MeanFieldTheory::Naive].map(|theory| solve(&set, theory));
            let left_out = |solution| HyperGradient::leave_one_out(solution, &set, &rows, &kernel).unwrap();
            let exact =
                [HyperGradient::evidence(&tap, &set, &rows, &kernel), left_out(&tap), left_out(&naive)];
            let names = ["evidence", "leave-one-out", "leave-one-out of the naive theory"];
            for (which, (exact, name)) in exact.iter().zip(names).enumerate() {
                let check = |ours: f64, numeric: f64, what: &str| {
                    let near = (ours - numeric).abs() <= 1e-6 * (1.0 + numeric.abs());
                    assert!(near, "{name}, {kind:?} v={v} κ={kappa} ∂{what}: {ours} instead of {numeric}");
                };
                for i in 0..3 {
                    let moved = |step: f64| {
                        let mut kernel = kernel.clone();
                        kernel.weights[i] *= step.exp();
                        at(&kernel, v, kappa)[which]
                    };
                    check(exact.ln_weights[i], slope(moved, 1e-3), &format!("ln w{i}"));
                }
                if v > 0.0 {
                    check(exact.v, slope(|step| at(&kernel, v + step, kappa)[which], 0.01 * v), "v");
                }
                if kappa > 0.0 {
                    check(exact.kappa, slope(|step| at(&kernel, v, kappa + step)[which], 1e-3), "κ");
                }
            }
        }
    }
}

/// Runs a fit to its end.
pub fn run(fit: &mut HyperparameterFit) {
    while !fit.advance() {
        assert!(fit.trace().len() < 5000, "it never ends");
    }
    assert!(fit.trace().iter().all(|trial| !trial.objective.is_nan()));
}

pub fn best(fit: &HyperparameterFit) -> &FitEvaluation {
    fit.best().unwrap().best.as_ref().unwrap()
}

pub const SIGMA2_ONLY: FreeParameters =
    FreeParameters { length_scales: LengthScales::Shared, v: false, kappa: false };

pub fn isotropic(kind: KernelKind, inputs: usize, v: f64, kappa: f64) -> Hyperparameters {
    Hyperparameters::isotropic(kind, inputs, 1.0, v, kappa)
}

/// Labels by the quadrant of the first two inputs, neither of which is informative alone.
#[test]
fn irrelevant_inputs_are_found() {
    let (rows, _) = drawn(110, 5, 21);
    let tau: Vec<f64> = rows.iter().map(|row| (row[0] * row[1]).signum()).collect();
    for objective in [Objective::Evidence, Objective::LeaveOneOut] {
        let free = FreeParameters { length_scales: LengthScales::PerInput, v: true, kappa: false };
        let options = Options { starts: 2, ..Options::new(objective, free) };
        let mut fit = HyperparameterFit::new(
            rows.clone(),
            tau.clone(),
            isotropic(KernelKind::Rbf, 5, 0.1, 0.0),
            options,
        )
        .unwrap();
        run(&mut fit);
        let words: Vec<String> = fit.restarts().iter().map(Restart::describe).collect();
        let weights = &best(&fit).at.kernel.weights;
        let relevant = weights[0].min(weights[1]);
        assert!(weights[2..].iter().all(|w| *w < 0.05 * relevant), "{objective:?} {weights:?} {words:?}");
        assert!(fit.restarts().iter().any(|restart| restart.ending == Ending::Converged), "{words:?}");
    }
}

/// The maximum of a fit equals that of a grid, for either objective and either theory.
#[test]
fn a_fit_of_one_parameter_finds_the_best_of_a_grid() {
    let (rows, tau) = drawn(40, 2, 22);
    let ways = [
        (MeanFieldTheory::Tap, Objective::Evidence),
        (MeanFieldTheory::Tap, Objective::LeaveOneOut),
        (MeanFieldTheory::Naive, Objective::LeaveOneOut),
    ];
    for (kind, v, kappa) in
        [(KernelKind::Rbf, 0.0, 0.0), (KernelKind::Rbf, 0.2, 0.05), (KernelKind::Arcsine, 0.3, 0.0)]
    {
        for (theory, objective) in ways {
            let start = isotropic(kind, 2, v, kappa);
            let objective_at = |sigma2: f64| {
                let at = Hyperparameters::isotropic(kind, 2, sigma2, v, kappa);
                let approach = Approach::MeanField(MeanFieldSolver::new(theory));
                let mut solving = Solve::new(&rows, &tau, at, approach);
                let solved = solving.solve().is_solution();
                let place = solving.posterior().filter(|_| solved)?;
                Some(if objective == Objective::Evidence { place.minus_g } else { place.ln_loo })
            };
            let options = Options { theory, ..Options::new(objective, SIGMA2_ONLY) };
            let mut fit = HyperparameterFit::new(rows.clone(), tau.clone(), start.clone(), options).unwrap();
            run(&mut fit);
            let best = best(&fit);
            let grid = (0..60)
                .filter_map(|k| objective_at(SIGMA2.0 * libm::pow(10.0, 0.1 * f64::from(k))))
                .fold(f64::MIN, f64::max);
            let what = format!("{theory:?} {kind:?} {objective:?}");
            assert!(best.objective >= grid - 1e-6, "{what}: {} below {grid}", best.objective);
            let again = objective_at(best.at.sigma2).unwrap();
            // A search solves less precisely.
            assert!((again - best.objective).abs() < 1e-5, "{what} from nothing: {again}");
        }
    }
}

#[test]
fn invalid_settings_are_refused_with_a_reason() {
    let (rows, tau) = drawn(10, 2, 23);
    let start = isotropic(KernelKind::Rbf, 2, 0.1, 0.0);
    let options = Options::new(Objective::Evidence, SIGMA2_ONLY);
    let refused = |rows: &[Vec<f64>], tau: &[f64], start: &Hyperparameters, options: Options| {
        let refusal =
            HyperparameterFit::new(rows.to_vec(), tau.to_vec(), start.clone(), options).err().unwrap();
        assert!(refusal.to_string().len() > 30, "{refusal}");
        refusal
    };
    let naive = Options { theory: MeanFieldTheory::Naive, ..options };
    assert_eq!(refused(&rows, &tau, &start, naive), FitError::NaiveEvidence);
    let nothing =
        Options { free: FreeParameters { length_scales: LengthScales::Fixed, ..SIGMA2_ONLY }, ..options };
    assert_eq!(refused(&rows, &tau, &start, nothing), FitError::NothingFree);
    assert_eq!(refused(&rows, &tau[..9], &start, options), FitError::Shape);
    assert_eq!(refused(&[], &[], &start, options), FitError::Shape);
    for (v, kappa) in [(-1.0, 0.0), (f64::NAN, 0.0), (0.1, 0.5), (0.1, f64::NAN)] {
        assert_eq!(
            refused(&rows, &tau, &Hyperparameters { v, kappa, ..start.clone() }, options),
            FitError::Start
        );
    }
}

/// Contradictory labels without noise: every start ends without a solution, and none with a NaN.
#[test]
fn a_missing_fixed_point_is_an_ending() {
    let (mut rows, mut tau) = drawn(12, 2, 24);
    (rows[1], tau[1]) = (rows[0].clone(), -tau[0]);
    let start = isotropic(KernelKind::Rbf, 2, 0.0, 0.0);
    let mut fit =
        HyperparameterFit::new(rows, tau, start, Options::new(Objective::Evidence, SIGMA2_ONLY)).unwrap();
    run(&mut fit);
    assert!(fit.best().unwrap().best.is_none());
    for restart in fit.restarts() {
        assert!(restart.ending == Ending::NoSolution && restart.best.is_none());
        assert!(!restart.describe().contains("NaN"), "{}", restart.describe());
    }
    assert!(fit.trace().iter().all(|trial| trial.objective == f64::NEG_INFINITY));
}

/// All three at once, from several starts: the optimum is within bounds and no worse than the start.
#[test]
fn noise_and_flips_are_fitted_too() {
    let (rows, mut tau) = drawn(60, 2, 25);
    for i in [3, 17, 31, 44] {
        tau[i] = -tau[i];
    }
    let free = FreeParameters { length_scales: LengthScales::Shared, v: true, kappa: true };
    for objective in [Objective::Evidence, Objective::LeaveOneOut] {
        for kind in [KernelKind::Rbf, KernelKind::Arcsine, KernelKind::Linear] {
            let start = isotropic(kind, 2, 0.0, 0.0);
            let mut fit =
                HyperparameterFit::new(rows.clone(), tau.clone(), start, Options::new(objective, free))
                    .unwrap();
            assert_eq!(fit.note().is_some(), kind == KernelKind::Linear);
            run(&mut fit);
            let best = best(&fit);
            assert!(fit.restarts().len() == 4 && fit.fraction() == 1.0);
            assert!(fit.restarts().iter().all(|restart| restart.describe().contains("after")));
            assert!(best.objective > fit.trace()[0].objective);
            assert!(best.at.kappa < 0.4501 && best.at.v < 1001.0);
        }
    }
}

/// At a tiny σ² examples are independent and the objective is flat, which must not count as convergence.
#[test]
fn a_flat_region_is_not_taken_for_a_maximum() {
    let (rows, tau) = drawn(20, 2, 29);
    let start = Hyperparameters::isotropic(KernelKind::Rbf, 2, 2e-3, 0.0, 0.0);
    for objective in [Objective::Evidence, Objective::LeaveOneOut] {
        let options = Options { starts: 5, ..Options::new(objective, SIGMA2_ONLY) };
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|x| 5.0 * x).collect()).collect();
        let mut fit = HyperparameterFit::new(rows, tau.clone(), start.clone(), options).unwrap();
        run(&mut fit);
        assert!(fit.restarts()[0].degenerate, "{}", fit.restarts()[0].describe());
    }
}

/// By every method, and in fewer steps.
#[test]
fn warm_started_retraining_equals_retraining_from_scratch() {
    let (rows, tau) = drawn(18, 2, 26);
    let mean_field = |theory| Approach::MeanField(MeanFieldSolver::new(theory));
    for (approach, kind, v, kappa, tolerance) in [
        (mean_field(MeanFieldTheory::Tap), KernelKind::Rbf, 0.0, 0.0, 1e-8),
        (mean_field(MeanFieldTheory::Tap), KernelKind::Arcsine, 0.2, 0.05, 1e-8),
        (mean_field(MeanFieldTheory::Naive), KernelKind::Rbf, 0.1, 0.0, 1e-8),
        (Approach::Laplace, KernelKind::Rbf, 0.1, 0.0, 1e-6),
        (Approach::Parallel { damping: 0.2 }, KernelKind::Rbf, 0.5, 0.0, 1e-6),
        (Approach::Sequential, KernelKind::Rbf, 0.5, 0.02, 1e-8),
    ] {
        let at = Hyperparameters::isotropic(kind, 2, 0.5, v, kappa);
        let solving = |rows: &[Vec<f64>], tau: &[f64]| Solve::new(rows, tau, at.clone(), approach);
        let mut full = solving(&rows, &tau);
        assert!(full.solve().is_solution());
        let (mut sooner, mut later) = (0, 0);
        for i in 0..rows.len() {
            let (mut others, mut labels) = (rows.clone(), tau.clone());
            let at = others.remove(i);
            labels.remove(i);
            let predict = |solving: &mut Solve| {
                assert!(solving.solve().is_solution());
                solving.predict(&solving.posterior().unwrap(), others.iter(), &at)
            };
            let (mut near, mut scratch) = (full.without(i), solving(&others, &labels));
            let (ours, theirs) = (predict(&mut near), predict(&mut scratch));
            assert!((ours.mean - theirs.mean).abs() < tolerance, "{approach:?} {i}: {ours:?} {theirs:?}");
            assert!((ours.var - theirs.var).abs() < tolerance, "{approach:?} {i}: {ours:?} {theirs:?}");
            let steps = |solving: &Solve| solving.effort().newton_solves + solving.effort().outer_iterations;
            (sooner, later) = (sooner + steps(&near), later + steps(&scratch));
        }
        assert!(10 * sooner < 9 * later, "{approach:?}: {sooner} steps instead of {later}");
    }
}

#[test]
fn a_warm_started_solve_reaches_the_same_solution() {
    let (rows, tau) = drawn(40, 2, 27);
    let solver = MeanFieldSolver::new(MeanFieldTheory::Tap);
    for kappa in [0.0, 0.05] {
        let set = |sigma2: f64| {
            TrainingSet::new(&rows, &tau, &Kernel::isotropic(KernelKind::Rbf, 2, sigma2), 0.2, kappa)
        };
        let far = solver.solve(&set(0.3)).0;
        let (here, from_nothing) = (set(0.8), solver.solve(&set(0.8)).0);
        let (state, ending) = solver.finish(&here, solver.init_near(&here, &far.gamma, &far.lambda));
        assert_eq!(ending, Ending::Converged);
        let [ours, theirs] =
            [&state, &from_nothing].map(|s| s.solution(&here, MeanFieldTheory::Tap).unwrap());
        assert!((ours.minus_g - theirs.minus_g).abs() < 1e-9 && (ours.ln_loo - theirs.ln_loo).abs() < 1e-7);
    }
}

/// A large problem is divided into slices within its evaluations, with a snapshot after each.
#[test]
fn a_fit_pauses_within_an_evaluation() {
    let (rows, tau) = drawn(300, 2, 28);
    let options = Options { starts: 1, max_evaluations: 3, ..Options::new(Objective::Evidence, SIGMA2_ONLY) };
    let mut fit =
        HyperparameterFit::new(rows, tau, isotropic(KernelKind::Rbf, 2, 0.5, 0.0), options).unwrap();
    let (mut slices, mut fraction) = (0, 0.0);
    while !fit.advance() {
        slices += 1;
        assert!(fit.fraction() >= fraction && fit.fraction() <= 1.0);
        fraction = fit.fraction();
    }
    assert!(fit.trace().len() == 3 && slices > 12, "{} evaluations in {slices} slices", fit.trace().len());
    assert_eq!(fit.restarts()[0].ending, Ending::MaxIterations);
    assert!(fit.trace().contains(best(&fit)));
}

/// Random settings, reasonable and extreme: the gradient at a solution is finite or absent.
#[test]
fn gradients_are_finite_or_absent() {
    let mut stream = Stream::of(78, 0);
    let (mut numbers, mut nothing) = (0, 0);
    for trial in 0..300 {
        let m = 1 + (stream.uniform() * 25.0) as usize;
        let (mut rows, tau) = drawn(m, 2, 2000 + trial);
        rows[0] = if stream.uniform() < 0.2 { vec![0.0; 2] } else { rows[m - 1].clone() };
        let kind =
            [KernelKind::Arcsine, KernelKind::Rbf, KernelKind::Linear][(stream.uniform() * 3.0) as usize];
        let sigma2 = libm::pow(10.0, 6.0 * stream.uniform() - 3.0);
        let kappa = if stream.uniform() < 0.5 { 0.0 } else { 0.45 * stream.uniform() };
        let v = if stream.uniform() < 0.4 { 0.0 } else { libm::pow(10.0, 4.0 * stream.uniform() - 3.0) };
        let kernel = Kernel::isotropic(kind, 2, sigma2);
        let set = TrainingSet::new(&rows, &tau, &kernel, v, kappa);
        for theory in [MeanFieldTheory::Tap, MeanFieldTheory::Naive] {
            let (state, ending) = MeanFieldSolver::new(theory).solve(&set);
            if !ending.is_solution() {
                continue;
            }
            let solution = state.solution(&set, theory).unwrap();
            match HyperGradient::leave_one_out(&solution, &set, &rows, &kernel) {
                Some(gradient) => {
                    numbers += 1;
                    let finite = gradient.ln_weights.iter().all(|g| g.is_finite()) && gradient.v.is_finite();
                    assert!(finite, "{kind:?} σ²={sigma2} v={v} κ={kappa}");
                }
                None => nothing += 1,
            }
        }
    }
    assert!(numbers > 400 && nothing < 30, "{numbers} gradients, {nothing} times none");
}
