//! Nonlinear factor analysis: one sweep of learning of the helix and of the mixtures, and the moments of 1000 samples by either
//! rule. Each bench checks its answer before it is timed.
#![allow(clippy::disallowed_methods, reason = "a bench checks its answer to within a tolerance")]

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::models::nfa::simulated::{SimulatedData, helix, mixtures};
use meanfield::models::nfa::solver::evaluation::{CostEvaluation, EvaluationOptions};
use meanfield::models::nfa::solver::learning::{Learning, Options, UpdateRule};
use meanfield::models::nfa::solver::moments::{Moments, propagate};
use meanfield::models::nfa::solver::observations::Observations;
use meanfield::models::nfa::solver::state::State;

const SAMPLES: usize = 1000;

fn options(sources: usize, hidden: usize, weight_sd: f64) -> Options {
    Options {
        sources,
        hidden,
        components: 1,
        // The end is not reached.
        sweeps: usize::MAX,
        mixture_sweeps: 0,
        moments: Moments::Taylor,
        updates: UpdateRule::Block,
        weight_sd,
    }
}

/// So many sweeps at least, in slices as a worker takes them; what one of them took on average.
fn sweep(learning: &mut Learning, sweeps: usize) -> Duration {
    let (start, before) = (Instant::now(), learning.history().len());
    while learning.history().len() < before + sweeps {
        learning.advance(&mut Budget::slice());
    }
    start.elapsed() / (learning.history().len() - before) as u32
}

/// Learning after so many sweeps, when everything moves.
fn learnt(problem: &SimulatedData, options: Options, sweeps: usize) -> Learning {
    let mut learning = Learning::new(&problem.rows, options, Stream::aside(1, 0, 2));
    sweep(&mut learning, sweeps);
    learning
}

fn noise(state: &State) -> f64 {
    state.noise.iter().map(|v| v.mean.exp()).sum::<f64>() / state.noise.len() as f64
}

fn sweeps(c: &mut Criterion) {
    let mut group = c.benchmark_group("nfa/a sweep over 1000 samples");
    let problem = helix(SAMPLES, 1);
    let mut learning = learnt(&problem, options(1, 16, 3.0), 400);
    let estimate = noise(learning.state());
    assert!((estimate / problem.noise - 1.0).abs() < 0.05, "noise {estimate} of the helix");
    group.bench_function("helix, 1 → 3, H = 16", |b| {
        b.iter_custom(|n| sweep(&mut learning, n as usize) * n as u32);
    });
    let problem = mixtures(SAMPLES, 2, 15, 10, 1);
    let mut learning = learnt(&problem, options(4, 20, 1.0), 300);
    let estimate = noise(learning.state());
    assert!((0.8..1.6).contains(&(estimate / problem.noise)), "noise {estimate} of the mixtures");
    group.bench_function("mixtures, 4 → 10, H = 20", |b| {
        b.iter_custom(|n| sweep(&mut learning, n as usize) * n as u32);
    });
}

fn moments(c: &mut Criterion) {
    let mut group = c.benchmark_group("nfa/moments and gradients of 1000 samples, 4 → 10, H = 20");
    let problem = mixtures(SAMPLES, 2, 15, 10, 1);
    let learning = learnt(&problem, options(4, 20, 1.0), 120);
    let observations = Observations::new(&problem.rows);
    for moments in [Moments::Taylor, Moments::GaussHermite] {
        let mut state = learning.state().clone();
        let wanted = EvaluationOptions { moments, solve_output: false, curvature: true, clip: true };
        let mut evaluation = CostEvaluation::new(&state, wanted);
        let mut run = || {
            evaluation.restart(&state, wanted);
            while !evaluation.advance(&mut state, &observations, &mut Budget::new(u64::MAX)) {}
            evaluation.gradient().residuals.clone()
        };
        // One input after another gives the same.
        let mut expected = vec![0.0; observations.channels()];
        for t in 0..SAMPLES {
            let sources = &learning.state().sources;
            let at = propagate(&learning.state().network, moments, true, &sources.means(t), &sources.vars(t));
            for (k, sum) in expected.iter_mut().enumerate() {
                let off = problem.rows[t][k] - at.f_mean[k];
                *sum += off * off + at.f_var[k];
            }
        }
        for (sum, expected) in run().iter().zip(expected) {
            assert!((sum / expected - 1.0).abs() < 1e-10, "{sum} instead of {expected}");
        }
        group.bench_function(format!("{moments:?}"), |b| b.iter(&mut run));
    }
}

criterion_group!(benches, sweeps, moments);
criterion_main!(benches);
