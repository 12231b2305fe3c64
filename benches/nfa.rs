//! Nonlinear factor analysis: one sweep of learning of the helix and of the mixtures, and the moments of 1000 samples by either
//! rule.

use std::time::{Duration, Instant};

use meanfield::math::Budget;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::nfa::simulated::{Mixing, SimulatedData, helix, mixtures};
use meanfield::models::nfa::solver::approximate_posterior::ApproximatePosterior;
use meanfield::models::nfa::solver::evaluation::{CostEvaluation, EvaluationOptions};
use meanfield::models::nfa::solver::learning::{Learning, Options, UpdateRule};
use meanfield::models::nfa::solver::moments::{Moments, propagate};
use meanfield::models::nfa::solver::observations::Observations;

use super::{Case, Timed, close, timed};

const SAMPLES: usize = 1000;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("nfa/a sweep over 1000 samples, helix, 1 → 3, H = 16", helix_sweep),
        Case::new("nfa/a sweep over 1000 samples, mixtures, 4 → 10, H = 20", mixtures_sweep).slow(true),
    ];
    for rule in [Moments::Taylor, Moments::GaussHermite] {
        let name = format!("nfa/moments and gradients of 1000 samples, 4 → 10, H = 20, {rule:?}");
        cases.push(Case::new(name, move || moments(rule)));
    }
    cases
}

fn options(sources: usize, hidden: usize, weight_sd: f64) -> Options {
    Options {
        sources,
        hidden,
        components: 1,
        // Never reached.
        sweeps: usize::MAX,
        mixture_sweeps: 0,
        moments: Moments::Taylor,
        updates: UpdateRule::Block,
        weight_sd,
    }
}

/// Runs at least so many sweeps, in slices as a worker takes them, and returns the average time of one.
fn sweep(learning: &mut Learning, sweeps: usize) -> Duration {
    let (start, before) = (Instant::now(), learning.history().len());
    while learning.history().len() < before + sweeps {
        learning.advance(&mut Budget::slice());
    }
    start.elapsed() / (learning.history().len() - before) as u32
}

/// Returns learning after so many sweeps, while everything still changes.
fn learnt(problem: &SimulatedData, options: Options, sweeps: usize) -> Learning {
    let mut learning =
        Learning::new(&problem.rows, options, Stream::for_purpose(1, Purpose::NfaInitialState, 0));
    sweep(&mut learning, sweeps);
    learning
}

/// Returns the average noise variance of the channels.
fn noise(state: &ApproximatePosterior) -> f64 {
    state.noise.iter().map(|v| v.mean.exp()).sum::<f64>() / state.noise.len() as f64
}

fn timed_sweep(mut learning: Learning) -> Timed {
    Box::new(move |times| sweep(&mut learning, times as usize) * times as u32)
}

fn helix_sweep() -> Timed {
    let problem = helix(SAMPLES, 1);
    let learning = learnt(&problem, options(1, 16, 3.0), 400);
    let estimate = noise(learning.state());
    assert!((estimate / problem.noise - 1.0).abs() < 0.05, "noise {estimate} of the helix");
    timed_sweep(learning)
}

fn mixtures_sweep() -> Timed {
    let problem = mixtures(SAMPLES, 2, Mixing::monotonic(15), 10, 1);
    let learning = learnt(&problem, options(4, 20, 1.0), 300);
    let estimate = noise(learning.state());
    assert!((0.8..1.6).contains(&(estimate / problem.noise)), "noise {estimate} of the mixtures");
    timed_sweep(learning)
}

fn moments(rule: Moments) -> Timed {
    let problem = mixtures(SAMPLES, 2, Mixing::monotonic(15), 10, 1);
    let learning = learnt(&problem, options(4, 20, 1.0), 40);
    let observations = Observations::new(&problem.rows);
    let mut state = learning.state().clone();
    let wanted = EvaluationOptions { moments: rule, solve_output: false, curvature: true, clip: true };
    let mut evaluation = CostEvaluation::new(&state, wanted);
    // The same sums, one sample after another.
    let mut expected = vec![0.0; observations.channels()];
    for t in 0..SAMPLES {
        let sources = &state.sources;
        let at = propagate(&state.network, rule, true, &sources.means(t), &sources.vars(t));
        for (k, sum) in expected.iter_mut().enumerate() {
            let off = problem.rows[t][k] - at.f_mean[k];
            *sum += off * off + at.f_var[k];
        }
    }
    let mut run = move || {
        evaluation.restart(&state, wanted);
        while !evaluation.advance(&mut state, &observations, &mut Budget::new(u64::MAX)) {}
        evaluation.gradient().residuals.clone()
    };
    for (sum, expected) in run().iter().zip(expected) {
        close(sum / expected, 1.0, 1e-10);
    }
    timed(run)
}
