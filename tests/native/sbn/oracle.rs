//! `sbn` against small cases that were computed independently (`tests/data/sbn.json`), against enumeration, and its fast solver
//! against its reference.

use meanfield::data::DataRef;
use meanfield::math::Budget;
use meanfield::math::random::Stream;
use meanfield::models::sbn::network::ascent::Ascent;
use meanfield::models::sbn::network::importance::Importance;
use meanfield::models::sbn::network::inference::{State, StoppingRule};
use meanfield::models::sbn::network::learning::initial;
use meanfield::models::sbn::network::model::{Network, Pattern};
use meanfield::models::sbn::network::packed::Packed;
use meanfield::models::sbn::network::strict::StrictBound;
use meanfield::models::sbn::network::truth::{Enumeration, factorial_bound, residual};
use meanfield::models::sbn::network::xi;
use serde_json::Value;

use crate::common::oracle::{self, number, numbers, rows};
use crate::common::run_on;

fn case(value: &Value) -> (Network, Pattern) {
    let network = Network {
        layers: numbers(&value["n"]).into_iter().map(|n| n as usize).collect(),
        weights: rows(&value["J"]),
        biases: rows(&value["h"]),
    };
    assert!(network.is_valid());
    (network, Pattern::complete(numbers(&value["visible"])))
}

fn cases() -> Vec<(Value, Network, Pattern)> {
    let all = oracle::sbn()["cases"].as_array().unwrap().clone();
    all.into_iter().map(|value| (value.clone(), case(&value))).map(|(value, (n, p))| (value, n, p)).collect()
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} and {b}");
}

fn near_all(a: &[Vec<f64>], b: &[Vec<f64>], tolerance: f64, what: &str) {
    assert_eq!(a.iter().map(Vec::len).collect::<Vec<_>>(), b.iter().map(Vec::len).collect::<Vec<_>>());
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        near(*a, *b, tolerance, what);
    }
}

fn ln_p(network: &Network, pattern: &Pattern, slice: u64) -> f64 {
    let mut enumeration = Enumeration::new(network, pattern).unwrap();
    loop {
        if let Some(ln_p) = enumeration.step(&mut Budget::new(slice)) {
            return ln_p;
        }
    }
}

#[test]
fn the_reference_agrees_with_the_oracle() {
    let mut unique = 0;
    for (value, network, pattern) in cases() {
        let mut ascent = Ascent::new(&network, &pattern);
        near(ascent.bound(), number(&value["bound_at_start"]), 1e-9, "bound at the start");
        ascent.solve(1e-14, 5000);
        if number(&value["distinct_optima"]) == 1.0 {
            unique += 1;
            near(ascent.bound(), number(&value["bound"]), 1e-8, "bound");
            near_all(&ascent.mu, &rows(&value["mu"]), 1e-8, "μ");
            near_all(&ascent.xi, &rows(&value["xi"]), 1e-8, "ξ");
            let (weights, biases) = ascent.gradient();
            near_all(&weights, &rows(&value["gJ"]), 1e-8, "eq. (10)");
            near_all(&biases, &rows(&value["gh"]), 1e-8, "eq. (11)");
        }
        assert!(residual(&network, &pattern, &ascent.mu, &ascent.xi) < 1e-8);
        let exact = number(&value["lnP"]);
        near(ln_p(&network, &pattern, u64::MAX), exact, 1e-10, "ln P");
        assert_eq!(ln_p(&network, &pattern, 1), ln_p(&network, &pattern, u64::MAX), "in slices");
        let elbo = factorial_bound(&network, &pattern, &rows(&value["mu"])).unwrap();
        near(elbo, number(&value["elbo"]), 1e-8, "factorial bound");
        assert!(factorial_bound(&network, &pattern, &ascent.mu).unwrap() <= exact);
    }
    assert_eq!(unique, 8);
}

#[test]
fn the_bound_never_falls_and_missing_units_are_pruned() {
    for (_, network, whole) in cases() {
        for lost in 0..3 {
            let mut pattern = whole.clone();
            pattern.observed[..lost].fill(false);
            let mut ascent = Ascent::new(&network, &pattern);
            let mut before = ascent.bound();
            for pass in 0..40 {
                ascent.pass(pass % 2 == 0);
                assert!(ascent.bound() >= before - 1e-10, "{before} {}", ascent.bound());
                before = ascent.bound();
            }
            // The same network without these units.
            let last = network.layers.len() - 1;
            let mut pruned = network.clone();
            pruned.layers[last] -= lost;
            pruned.weights[last - 1].drain(..lost * network.layers[last - 1]);
            pruned.biases[last].drain(..lost);
            let rest = Pattern::complete(whole.visible[lost..].to_vec());
            let mut smaller = Ascent::new(&pruned, &rest);
            smaller.solve(1e-13, 5000);
            ascent.solve(1e-13, 5000);
            near(ascent.bound(), smaller.bound(), 1e-9, "pruned");
            near(ln_p(&network, &pattern, u64::MAX), ln_p(&pruned, &rest, u64::MAX), 1e-12, "ln P, pruned");
        }
    }
}

#[test]
fn the_learning_rules_are_the_derivatives_of_the_bound() {
    let step = 1e-5;
    for (_, network, pattern) in cases().into_iter().take(4) {
        let mut at = Ascent::new(&network, &pattern);
        at.solve(1e-14, 5000);
        let (weights, biases) = at.gradient();
        // At the same means: the bound is stationary there, so that their change has no effect to first order.
        let bound = |change: &dyn Fn(&mut Network)| {
            let mut other = network.clone();
            change(&mut other);
            Ascent::from(&other, &pattern, |l, k| at.mu[l][k]).bound()
        };
        let difference = |change: &dyn Fn(&mut Network, f64)| {
            (bound(&|n| change(n, step)) - bound(&|n| change(n, -step))) / (2.0 * step)
        };
        for l in 0..network.layers.len() {
            for i in 0..network.biases[l].len() {
                near(difference(&|n, d| n.biases[l][i] += d), biases[l][i], 1e-8, "eq. (11)");
            }
        }
        for l in 0..weights.len() {
            for i in 0..weights[l].len() {
                near(difference(&|n, d| n.weights[l][i] += d), weights[l][i], 1e-8, "eq. (10)");
            }
        }
    }
}

#[test]
fn safe_steps_converge_where_the_papers_iteration_cycles() {
    let mut cycles = 0;
    for value in oracle::sbn()["xi_cases"].as_array().unwrap() {
        let [m, v, best] = ["m", "v", "xi"].map(|key| number(&value[key]));
        near(xi::optimum(m, v), best, 1e-12, "Newton");
        near(xi::bound(best, m, v), number(&value["bound22"]), 1e-12, "eq. (22)");
        let (mut safe, mut plain) = (0.6, 0.6);
        let mut before = f64::INFINITY;
        for _ in 0..1000 {
            safe = xi::safe_step(safe, m, v);
            plain = xi::paper_step(plain, m, v);
            let now = xi::bound(safe, m, v);
            assert!(now <= before + 1e-12, "a safe step loosens the bound: {before} {now}");
            before = now;
        }
        near(safe, best, 1e-8, "safe steps");
        near(plain, number(&value["plain_iteration_from_0p6_after_1000"]), 1e-9, "plain iteration");
        let converges = value["plain_converges"] == true;
        assert_eq!((xi::paper_step(plain, m, v) - plain).abs() < 1e-9, converges);
        cycles += usize::from(!converges);
    }
    assert_eq!(cycles, 3);
    // According to the paper, the iteration tightens the bound; at m = 0, v = 16 it does not.
    let (first, second) = (0.6, xi::paper_step(0.6, 0.0, 16.0));
    near(xi::bound(first, 0.0, 16.0), 3.06, 0.005, "before");
    near(xi::bound(second, 0.0, 16.0), 5.54, 0.005, "after");
}

/// Draws a network with weights of this standard deviation, and a pattern from it.
fn drawn(layers: &[usize], sd: f64, seed: u64) -> (Network, Pattern) {
    let mut stream = Stream::of(seed, 0);
    let visible = layers[layers.len() - 1];
    let network = initial(layers, &vec![5; visible], 12, sd, &mut stream);
    let (states, _) = network.sample(|_, _| None, &mut stream);
    let pattern = Pattern::complete(states[layers.len() - 1].clone());
    (network, pattern)
}

fn clamp(state: &mut State, packed: &Packed, pattern: &Pattern) {
    state.clamp(packed, |i| pattern.observed[i].then_some(pattern.visible[i] > 0.5));
}

#[test]
fn the_fast_solver_agrees_with_the_reference() {
    let exact = StoppingRule { tolerance: 1e-4, passes: 400 };
    let (mut close, mut usual, mut count) = (0, 0, 0);
    for (layers, sd) in [(&[2, 3, 5][..], 0.5), (&[3, 9, 17], 0.8), (&[4, 12, 36, 100], 0.3), (&[6, 11], 1.0)]
    {
        for seed in 0..if layers[layers.len() - 1] == 100 { 3 } else { 12 } {
            let (network, mut pattern) = drawn(layers, sd, seed);
            if seed % 3 == 0 {
                pattern.observed[..layers[layers.len() - 1] / 2].fill(false);
            }
            let packed = Packed::new(&network);
            // Compares solvers with the same rounded weights.
            let network = packed.network();
            let mut reference = Ascent::new(&network, &pattern);
            reference.solve(1e-6, 400);
            let mut state = State::new(&packed);
            clamp(&mut state, &packed, &pattern);
            let quick = state.solve(&packed, StoppingRule::DEFAULT);
            let solved = state.solve(&packed, exact);
            count += 1;
            close += usize::from((solved.bound - reference.bound()).abs() < 1e-3);
            usual += usize::from((quick.bound - reference.bound()).abs() < 0.05);
            assert!(solved.converged, "{layers:?} {seed}");
            assert!(
                (solved.bound - reference.bound()).abs() < 0.3,
                "{layers:?} {seed}: {solved:?} {}",
                reference.bound()
            );
            let means: Vec<Vec<f64>> = (0..layers.len()).map(|l| state.means(&packed, l)).collect();
            let xi: Vec<Vec<f64>> = (0..layers.len()).map(|l| state.xi(&packed, l)).collect();
            let off = residual(&network, &pattern, &means, &xi);
            assert!(off < 2e-3, "{layers:?} {seed}: the equations hold to {off}");
        }
    }
    assert!(close >= count - 3, "{close} of {count} reach the same bound");
    assert!(usual >= count - 3, "{usual} of {count} come close with the usual tolerance");
}

#[test]
fn the_strict_bound_never_exceeds_the_factorial_one() {
    for (layers, sd) in [(&[3, 4, 6][..], 0.1), (&[3, 4, 6], 1.0), (&[3, 4, 6], 4.0), (&[4, 12], 0.6)] {
        for seed in 0..10 {
            let (network, mut pattern) = drawn(layers, sd, seed);
            pattern.observed[0] = seed % 2 == 0;
            let mut ascent = Ascent::new(&network, &pattern);
            ascent.solve(1e-10, 2000);
            let mut strict = StrictBound::new(&network, &pattern, &ascent.mu);
            let start = strict.value();
            let factorial = |mu: &[Vec<f64>]| factorial_bound(&network, &pattern, mu).unwrap();
            assert!(start <= factorial(&ascent.mu) + 1e-12, "{layers:?} {sd} {seed}");
            strict.ascend(1e-9, 200);
            let (end, exact) = (strict.value(), ln_p(&network, &pattern, u64::MAX));
            assert!(end >= start && end <= factorial(&strict.mu) + 1e-12, "{layers:?} {sd} {seed}");
            assert!(end <= exact + 1e-12, "{layers:?} {sd} {seed}: {end} {exact}");
            if sd < 0.2 {
                // The cumulants of z beyond the second are of third order in the weights.
                near(end, ascent.bound(), 1e-3, "small weights");
            }
        }
    }
}

#[test]
fn the_strict_bound_of_one_pair_is_that_of_its_formula() {
    // One parent with mean μ, weight J and no bias; ξ = ½ by symmetry at J = 0 only, so the best of a fine grid is the reference.
    let (mut network, pattern) = (Network::zero(&[1, 1]), Pattern::complete(vec![1.0]));
    network.weights[0][0] = 2.5;
    let mu = [vec![0.3], vec![1.0]];
    let moment = |t: f64| 1.0 - 0.3 + 0.3 * (t * 2.5).exp();
    let term = |xi: f64| xi * 0.75 + (moment(-xi) + moment(1.0 - xi)).ln();
    let least = (0..=100_000).map(|i| term(f64::from(i) * 1e-5)).fold(f64::INFINITY, f64::min);
    let entropy = -0.3 * 0.3_f64.ln() - 0.7 * 0.7_f64.ln();
    let expected = -2.0_f64.ln() + entropy + 0.75 - least;
    near(StrictBound::new(&network, &pattern, &mu).value(), expected, 1e-9, "by hand");
}

#[test]
fn importance_sampling_estimates_ln_p() {
    for (_, network, pattern) in cases() {
        let mut ascent = Ascent::new(&network, &pattern);
        ascent.solve(1e-10, 500);
        let exact = ln_p(&network, &pattern, u64::MAX);
        let mut whole = Importance::new(&network, &pattern, &ascent.mu, 4000, Stream::of(1, 0));
        assert!(whole.step(&mut Budget::new(u64::MAX)));
        let estimate = whole.estimate().unwrap().ln_p;
        assert!((estimate.ln_mean - exact).abs() < 5.0 * estimate.se + 1e-3, "{estimate:?} {exact}");
        assert!(estimate.ess > 20.0 && estimate.ess <= 4000.0);
        let mut sliced = Importance::new(&network, &pattern, &ascent.mu, 4000, Stream::of(1, 0));
        while !sliced.step(&mut Budget::new(1000)) {}
        assert_eq!(sliced.estimate(), whole.estimate());
    }
}

#[test]
fn learning_makes_its_patterns_likelier() {
    let (teacher, _) = drawn(&[2, 4, 12], 2.0, 3);
    let mut stream = Stream::of(5, 0);
    let patterns: Vec<Vec<f64>> =
        (0..300).map(|_| teacher.sample(|_, _| None, &mut stream).0[2].clone()).collect();
    let ones: Vec<usize> = (0..12).map(|i| patterns.iter().filter(|p| p[i] > 0.5).count()).collect();
    let mut packed = Packed::new(&initial(&[2, 4, 12], &ones, 300, 0.3, &mut stream));
    let mean = |packed: &Packed| {
        let network = packed.network();
        let each = |visible: &Vec<f64>| ln_p(&network, &Pattern::complete(visible.clone()), u64::MAX);
        patterns.iter().map(each).sum::<f64>() / 300.0
    };
    let before = mean(&packed);
    let mut state = State::new(&packed);
    for _ in 0..30 {
        for pattern in &patterns {
            state.clamp(&packed, |i| Some(pattern[i] > 0.5));
            packed.learn(&mut state, 0.05, StoppingRule::DEFAULT);
        }
    }
    // Starting from independent units, at least half of the gap to the teacher network is closed.
    let (after, drew) = (mean(&packed), mean(&Packed::new(&teacher)));
    assert!(after > 0.5 * (before + drew), "{before} {after} {drew}");
    assert_eq!(Packed::new(&packed.network()), packed, "nothing is lost on the way to a file");
}

/// The cases as files: the run reproduces their μ, ξ, bound and ln P.
#[test]
fn a_network_from_a_file_is_compared_with_its_exact_value() {
    for (value, network, pattern) in cases() {
        if number(&value["distinct_optima"]) != 1.0 {
            continue;
        }
        let file = serde_json::json!({ "layers": network.layers, "J": network.weights, "h": network.biases });
        let text = file.to_string();
        let named = DataRef::file("net.json", text.as_bytes());
        let visible = pattern.visible.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let run = |visible: &str| {
            run_on(&format!("#/sbn.bound?network={named}&visible={visible}"), text.as_bytes())
        };
        let result = run(&visible).unwrap_or_else(|why| panic!("{why:?}"));
        let report = result.report();
        near(number(&report["bound"]), number(&value["bound"]), 1e-8, "bound");
        near(number(&report["ln_p"]), number(&value["lnP"]), 1e-8, "ln P");
        near_all(&rows(&report["mu"]), &rows(&value["mu"]), 1e-8, "μ");
        near_all(&rows(&report["xi"]), &rows(&value["xi"]), 1e-8, "ξ");
        let ids: Vec<String> = result.figures().into_iter().map(|figure| figure.id.clone()).collect();
        assert_eq!(ids, ["own", "solution", "tightening"]);
        let lacking = run("1,0").err().unwrap();
        assert_eq!(lacking[0].field, "visible");
        assert_eq!(lacking[0].nearest.as_ref().unwrap().split(',').count(), pattern.visible.len());
    }
}

#[test]
fn a_pattern_may_have_missing_units_and_other_files_are_refused() {
    let run = |text: &str| {
        let named = DataRef::file("net.json", text.as_bytes());
        run_on(&format!("#/sbn.bound?network={named}"), text.as_bytes())
    };
    let whole = r#"{"layers": [1, 2], "J": [[1, -1]], "h": [[0], [0.5, 0]], "visible": [1, 0], "observed": [true, false]}"#;
    let report = run(whole).unwrap_or_else(|why| panic!("{why:?}")).report();
    // One hidden unit with P(S = 1) = ½, and one observed visible unit.
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    near(number(&report["ln_p"]), (0.5 * (sigmoid(0.5) + sigmoid(1.5))).ln(), 1e-12, "ln P");
    let refused = |from: &str, to: &str| {
        let problems = run(&whole.replace(from, to)).err().unwrap();
        (problems[0].field.clone(), problems[0].to_string())
    };
    let (field, why) = refused("[[1, -1]]", "[[1]]");
    assert!(field == "network" && why.contains("J ") && why.contains("lists of 2"), "{why}");
    assert!(refused("[1, 2]", "[1]").1.to_lowercase().contains("layers"));
    assert!(refused("\"h\"", "\"bias\"").1.contains("`bias`"));
    assert!(refused("\"visible\": [1, 0]", "\"visible\": [1, 0.5]").1.contains("0 or 1"));
    let (field, why) = refused(", \"visible\": [1, 0], \"observed\": [true, false]", "");
    assert!(field == "visible" && why.contains("2 numbers"), "{why}");
}
