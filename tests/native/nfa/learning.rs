//! Learning: its gradients against finite differences of the whole cost, its exact steps, and its results.

use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::models::nfa::simulated::{self, SimulatedData};
use meanfield::models::nfa::solver::approximate_posterior::ApproximatePosterior;
use meanfield::models::nfa::solver::blocks::Blocks;
use meanfield::models::nfa::solver::cost::cost_parts;
use meanfield::models::nfa::solver::evaluation::{CostEvaluation, DataGradient, EvaluationOptions};
use meanfield::models::nfa::solver::learning::{Learning, LearningPhase, Options, UpdateRule};
use meanfield::models::nfa::solver::moments::{Moments, propagate};
use meanfield::models::nfa::solver::network::{Gaussian, Gaussians, Network};
use meanfield::models::nfa::solver::observations::Observations;
use meanfield::models::nfa::solver::score::rank_correlation;
use meanfield::models::nfa::solver::source_step::{self, JointStep, SourceRates};
use meanfield::models::nfa::solver::sources::Sources;

const OPTIONS: Options = Options {
    sources: 1,
    hidden: 16,
    components: 1,
    sweeps: 200,
    mixture_sweeps: 0,
    moments: Moments::Taylor,
    updates: UpdateRule::Block,
    weight_sd: 3.0,
};

/// Scales all channels by one number, to an average variance of 1.
fn scaled(rows: &[Vec<f64>]) -> (Vec<Vec<f64>>, f64) {
    let count = (rows.len() * rows[0].len()) as f64;
    let sd = (rows.iter().flatten().map(|x| x * x).sum::<f64>() / count).sqrt();
    (rows.iter().map(|row| row.iter().map(|x| x / sd).collect()).collect(), sd)
}

fn learnt(problem: &SimulatedData, options: Options) -> (Learning, f64) {
    let (rows, sd) = scaled(&problem.rows);
    let mut learning = Learning::new(&rows, options, Stream::of(1, 0));
    assert!(learning.advance(&mut Budget::new(u64::MAX)) && !learning.has_failed());
    (learning, sd)
}

/// Returns a random state, and measurements with missing cells.
fn random() -> (ApproximatePosterior, Observations) {
    let (samples, n, hidden, channels) = (11, 2, 5, 3);
    let mut stream = Stream::of(7, 0);
    let mut network = Network::new(n, hidden, channels, 0.1);
    let groups = [&mut network.first, &mut network.first_bias, &mut network.second, &mut network.second_bias];
    for group in groups {
        group.mean.iter_mut().for_each(|x| *x = 0.8 * stream.normal());
        group.var.iter_mut().for_each(|x| *x = 0.02 + 0.1 * stream.uniform());
    }
    let means: Vec<Vec<f64>> = (0..samples).map(|_| (0..n).map(|_| stream.normal()).collect()).collect();
    let mut state = ApproximatePosterior::new(network, Sources::new(&means, 0.2), 0.4);
    state.columns.mean.iter_mut().for_each(|x| *x = 0.3 * stream.normal());
    state.top.first_bias.mean.mean = 0.3;
    state.top.second_bias.log_sd.mean = -0.2;
    let mut rows: Vec<Vec<f64>> =
        (0..samples).map(|_| (0..channels).map(|_| stream.normal()).collect()).collect();
    rows[2][1] = f64::NAN;
    rows[9][1] = f64::NAN;
    rows[10][0] = f64::NAN;
    (state, Observations::new(&rows))
}

fn evaluated(
    state: &mut ApproximatePosterior,
    observations: &Observations,
    wanted: EvaluationOptions,
) -> DataGradient {
    let mut evaluation = CostEvaluation::new(state, wanted);
    assert!(evaluation.advance(state, observations, &mut Budget::new(u64::MAX)));
    evaluation.gradient().clone()
}

fn exact(moments: Moments) -> EvaluationOptions {
    EvaluationOptions { moments, solve_output: false, curvature: true, clip: false }
}

fn cost(state: &ApproximatePosterior, observations: &Observations, moments: Moments) -> f64 {
    let mut state = state.clone();
    let gradient = evaluated(&mut state, observations, exact(moments));
    cost_parts(&state, observations, &gradient.residuals).total()
}

/// Compares `analytic` with a central difference of the whole cost along `change`.
fn compare(
    state: &ApproximatePosterior,
    observations: &Observations,
    moments: Moments,
    analytic: f64,
    change: impl Fn(&mut ApproximatePosterior, f64),
) {
    let step = 1e-5;
    let at = |by: f64| {
        let mut state = state.clone();
        change(&mut state, by);
        cost(&state, observations, moments)
    };
    let numeric = (at(step) - at(-step)) / (2.0 * step);
    assert!(
        (analytic - numeric).abs() <= 1e-5 * numeric.abs().max(1.0),
        "{moments:?}: {analytic} is not {numeric}"
    );
}

/// Selects a family of weights.
type Pick = fn(&mut Network) -> &mut Gaussians;

#[test]
fn the_gradient_of_the_whole_cost() {
    let (state, observations) = random();
    for moments in [Moments::Taylor, Moments::GaussHermite] {
        let data = evaluated(&mut state.clone(), &observations, exact(moments));
        let columns: Vec<f64> = state.columns.iter().map(Gaussian::precision).collect();
        let hidden = state.network.hidden;
        let (first_bias, second_bias) = (state.top.first_bias, state.top.second_bias);
        let prior = |family: usize, i: usize| match family {
            0 => (0.0, 1.0),
            1 => (first_bias.mean.mean, first_bias.log_sd.precision()),
            2 => (0.0, columns[i % hidden]),
            _ => (second_bias.mean.mean, second_bias.log_sd.precision()),
        };
        let families: [(Pick, _); 4] = [
            (|n| &mut n.first, &data.first),
            (|n| &mut n.first_bias, &data.first_bias),
            (|n| &mut n.second, &data.second),
            (|n| &mut n.second_bias, &data.second_bias),
        ];
        for (family, (pick, slopes)) in families.into_iter().enumerate() {
            let mut network = state.network.clone();
            for (i, at) in pick(&mut network).iter().enumerate() {
                let (centre, precision) = prior(family, i);
                let by_mean = slopes.mean[i] + precision * (at.mean - centre);
                compare(&state, &observations, moments, by_mean, |state, by| {
                    pick(&mut state.network).mean[i] += by;
                });
                let by_var = slopes.var[i] + 0.5 * precision - 0.5 / at.var;
                compare(&state, &observations, moments, by_var, |state, by| {
                    pick(&mut state.network).var[i] += by;
                });
            }
        }
        for t in 0..state.sources.samples {
            for i in 0..state.sources.count {
                let precision = state.scales.get(i).precision();
                let (mean, var) = (state.sources.mean.at(t, i), state.sources.var.at(t, i));
                let by_mean = data.by_mean.at(t, i) + precision * mean;
                compare(&state, &observations, moments, by_mean, |state, by| {
                    state.sources.mean.set(t, i, mean + by);
                    state.sources.update_moments();
                });
                let by_var = data.by_var.at(t, i) + 0.5 * precision - 0.5 / var;
                compare(&state, &observations, moments, by_var, |state, by| {
                    state.sources.ln_var.set(t, i, (var + by).ln());
                    state.sources.update_moments();
                });
            }
        }
    }
}

#[test]
fn the_gradient_of_the_whole_cost_with_mixtures() {
    let components = 3;
    let (mut state, observations) = random();
    let mut stream = Stream::of(8, 0);
    let mut normals =
        |count: usize, sd: f64| -> Vec<f64> { (0..count).map(|_| sd * stream.normal()).collect() };
    let all = state.sources.count * components;
    state.sources = state.sources.split(components, |t, i| {
        let weights = [1.0, 0.5 + 0.1 * t as f64, 1.5 - i as f64];
        weights.map(|weight| weight / weights.iter().sum::<f64>()).to_vec()
    });
    for t in 0..state.sources.samples {
        for (r, (off, ln_var)) in normals(all, 0.5).into_iter().zip(normals(all, 0.4)).enumerate() {
            let mean = state.sources.mean.at(t, r);
            state.sources.mean.set(t, r, mean + off);
            state.sources.ln_var.set(t, r, ln_var - 1.5);
        }
    }
    state.sources.update_moments();
    let mut gaussians = |var: f64| Gaussians { mean: normals(all, 0.6), var: vec![var; all] };
    (state.centres, state.scales, state.logits) = (gaussians(0.02), gaussians(0.01), gaussians(0.03));
    let hidden = state.network.hidden;
    for moments in [Moments::Taylor, Moments::GaussHermite] {
        let data = evaluated(&mut state.clone(), &observations, exact(moments));
        let sources = &state.sources;
        for (t, i, l) in (0..sources.samples)
            .flat_map(|t| (0..sources.count).flat_map(move |i| (0..components).map(move |l| (t, i, l))))
        {
            let r = i * components + l;
            let (mean, var, share) = (sources.mean.at(t, r), sources.var.at(t, r), sources.share.at(t, r));
            let off = mean - sources.total_mean.at(t, i);
            let (centre, precision) = (state.centres.get(r).mean, state.scales.get(r).precision());
            let by_var = data.by_var.at(t, i);
            let by_mean = data.by_mean.at(t, i) + 2.0 * off * by_var + precision * (mean - centre);
            compare(&state, &observations, moments, share * by_mean, |state, by| {
                state.sources.mean.set(t, r, mean + by);
                state.sources.update_moments();
            });
            let by_var = by_var + 0.5 * precision - 0.5 / var;
            compare(&state, &observations, moments, share * by_var, |state, by| {
                state.sources.ln_var.set(t, r, (var + by).ln());
                state.sources.update_moments();
            });
        }
        // The mixtures above the sources do not change the gradient by the weights.
        let weight = state.network.second.get(1);
        let slope = data.second.mean[1] + state.columns.get(1 % hidden).precision() * weight.mean;
        compare(&state, &observations, moments, slope, |state, by| state.network.second.mean[1] += by);
    }
}

#[test]
fn the_passes_follow_the_equations_of_the_paper() {
    let (mut state, observations) = random();
    for moments in [Moments::Taylor, Moments::GaussHermite] {
        let gradient = evaluated(&mut state, &observations, exact(moments));
        let precision: Vec<f64> = state.noise.iter().map(Gaussian::precision).collect();
        let mut residuals = vec![0.0; 3];
        for t in 0..state.sources.samples {
            let at =
                propagate(&state.network, moments, true, &state.sources.means(t), &state.sources.vars(t));
            for k in 0..3 {
                let Some(x) = observations.get(t, k) else { continue };
                residuals[k] += (x - at.f_mean[k]).powi(2) + at.f_var[k];
            }
            let curvature: f64 = (0..3)
                .filter(|k| observations.get(t, *k).is_some())
                .map(|k| precision[k] * at.jacobian[2 * k] * at.jacobian[2 * k + 1])
                .sum();
            assert!((curvature - gradient.curvature.at(t, 1)).abs() < 1e-12 * curvature.abs().max(1.0));
        }
        for (ours, theirs) in gradient.residuals.iter().zip(residuals) {
            assert!((ours - theirs).abs() < 1e-12 * theirs);
        }
    }
}

#[test]
fn the_output_layer_is_solved_where_its_gradient_vanishes() {
    let (mut state, observations) = random();
    for moments in [Moments::Taylor, Moments::GaussHermite] {
        let solve = EvaluationOptions { solve_output: true, ..exact(moments) };
        evaluated(&mut state, &observations, solve);
        let slopes = evaluated(&mut state, &observations, exact(moments));
        let hidden = state.network.hidden;
        for (i, at) in state.network.second.iter().enumerate() {
            let precision = state.columns.get(i % hidden).precision();
            assert!((slopes.second.mean[i] + precision * at.mean).abs() < 1e-9);
            assert!((2.0 * slopes.second.var[i] + precision - 1.0 / at.var).abs() < 1e-9 / at.var);
        }
        let family = state.top.second_bias;
        for (k, at) in state.network.second_bias.iter().enumerate() {
            let pull = family.log_sd.precision() * (at.mean - family.mean.mean);
            assert!((slopes.second_bias.mean[k] + pull).abs() < 1e-9);
        }
    }
}

#[test]
fn a_source_has_its_conjugate_update() {
    let reference = crate::common::oracle::nfa();
    let of = |key: &str| crate::common::oracle::number(&reference["conjugate_source_update"][key]);
    let sources = Sources::new(&[vec![of("s0")]], 0.3);
    let mut state = ApproximatePosterior::new(Network::new(1, 1, 1, 1.0), sources, 1.0);
    state.scales.set(0, Gaussian { mean: -0.5 * of("prior_prec").ln(), var: 0.0 });
    state.centres.set(0, Gaussian::constant(of("prior_mean")));
    let blocks = |value: f64| Blocks::new(1, 1, value);
    for joint in [JointStep::Projected, JointStep::GaussNewton] {
        let mut state = state.clone();
        let curvature = blocks(2.0 * of("h=dCx/ds~"));
        let (g, h) = (blocks(of("g=dCx/ds-")), blocks(of("h=dCx/ds~")));
        source_step::step(&mut state, &g, &h, &curvature, joint, &mut SourceRates::new(1, 1, -1.0));
        assert!((state.sources.means(0)[0] - of("new_mean")).abs() < 1e-14);
        assert!((state.sources.vars(0)[0] - of("new_var")).abs() < 1e-14);
    }
}

#[test]
fn slices_do_not_change_the_bits() {
    let problem = simulated::mixtures(60, 1, simulated::Mixing::monotonic(4), 3, 5);
    let options = Options {
        sources: 2,
        hidden: 5,
        components: 3,
        sweeps: 110,
        mixture_sweeps: 5,
        weight_sd: 1.0,
        ..OPTIONS
    };
    let (whole, _) = learnt(&problem, options);
    let mut sliced = Learning::new(&scaled(&problem.rows).0, options, Stream::of(1, 0));
    while !sliced.advance(&mut Budget::new(1)) {}
    assert_eq!(whole.state(), sliced.state());
    assert_eq!(whole.history(), sliced.history());
    let phases: Vec<(usize, LearningPhase)> = whole.phases().to_vec();
    assert_eq!(
        phases,
        [
            (0, LearningPhase::Network),
            (50, LearningPhase::Sources),
            (100, LearningPhase::All),
            (110, LearningPhase::Rotated),
            (135, LearningPhase::Mixtures)
        ]
    );
    assert!(whole.history().iter().all(|parts| parts.total().is_finite()));
}

#[test]
fn the_helix_is_found_with_its_noise() {
    for seed in [1, 2, 3] {
        let problem = simulated::helix(1000, seed);
        let (learning, sd) = learnt(&problem, Options { sweeps: 500, ..OPTIONS });
        let state = learning.state();
        for noise in state.noise.iter() {
            let noise = sd * noise.mean.exp();
            assert!((noise / problem.noise - 1.0).abs() < 0.05, "seed {seed}: {noise}");
        }
        let found: Vec<f64> = (0..1000).map(|t| state.sources.means(t)[0]).collect();
        let known: Vec<f64> = problem.sources.iter().map(|s| s[0]).collect();
        assert!(rank_correlation(&found, &known).abs() > 0.999);
    }
}

#[test]
fn missing_cells_are_filled_in() {
    let mut problem = simulated::helix(600, 4);
    let truth = problem.clean.clone();
    let mut stream = Stream::of(9, 0);
    let mut holes = Vec::new();
    for (t, row) in problem.rows.iter_mut().enumerate() {
        if stream.uniform() < 0.2 {
            let k = (3.0 * stream.uniform()) as usize;
            row[k] = f64::NAN;
            holes.push((t, k));
        }
    }
    let (rows, sd) = {
        let sd = (truth.iter().flatten().map(|x| x * x).sum::<f64>() / 1800.0).sqrt();
        let rows: Vec<Vec<f64>> =
            problem.rows.iter().map(|row| row.iter().map(|x| x / sd).collect()).collect();
        (rows, sd)
    };
    let mut learning = Learning::new(&rows, OPTIONS, Stream::of(1, 0));
    assert!(learning.advance(&mut Budget::new(u64::MAX)));
    let state = learning.state();
    let errors = holes.iter().map(|(t, k)| {
        let at = propagate(
            &state.network,
            Moments::Taylor,
            true,
            &state.sources.means(*t),
            &state.sources.vars(*t),
        );
        (at.f_mean[*k] * sd - truth[*t][*k]).abs()
    });
    let typical = meanfield::math::stats::median(errors);
    assert!(typical < 0.1, "{typical}");
}
