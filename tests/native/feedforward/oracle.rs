//! `feedforward` against exact small cases that were computed independently (`tests/data/feedforward.json`)
//! and against the invariances of its equations.

use crate::common::assert::{CONVERGED, EXACT, ORACLE, TIGHT, near};
use crate::common::oracle::{self, number, numbers};
use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::math::Ending;
use meanfield::math::covariance::InputCovariance;
use meanfield::math::lanes::LANES;
use meanfield::math::random::Stream;
use meanfield::math::special::{angle_over_pi, phi};
use meanfield::models::feedforward::exact::posterior::{WeightPosterior, weighted_draw};
use meanfield::models::feedforward::tap::likelihood::Likelihood;
use meanfield::models::feedforward::tap::solution::Solution;
use meanfield::models::feedforward::tap::votes::{VoteCounter, mean_output};
use meanfield::models::feedforward::tap::{Tap, TrainingSet};
use meanfield::models::feedforward::theory;
use meanfield::models::feedforward::theory::errors::opt_error;

const SOLVER: Tap = Tap { tolerance: 1e-14 };

fn examples(rows: &[Vec<f64>], labels: &[f64]) -> LabelledExamples {
    let mut examples = LabelledExamples::new(rows[0].len());
    for (row, y) in rows.iter().zip(labels) {
        examples.push(row, *y);
    }
    examples
}

fn solve(rows: &[Vec<f64>], labels: &[f64], beta: f64) -> Solution {
    solve_committee(1, rows, labels, beta)
}

fn solve_committee(hidden: usize, rows: &[Vec<f64>], labels: &[f64], beta: f64) -> Solution {
    let examples = examples(rows, labels);
    let problem = TrainingSet::new(&examples, labels.len(), Likelihood::new(hidden, beta));
    let (state, ending) = SOLVER.solve(&problem);
    assert_eq!(ending, Ending::Converged);
    state.solution(&problem)
}

/// Returns a problem of a noisy teacher, as rows.
fn drawn(inputs: usize, m: usize, beta: f64, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut teacher = Teacher::draw(
        TeacherRule::Committee(1),
        InputDistribution::white(inputs),
        Likelihood::new(1, beta).flip_probability(),
        Stream::of(seed, 0),
    );
    let mut drawn = LabelledExamples::new(inputs);
    teacher.extend(&mut drawn, m);
    let blocks: Vec<&[f64]> = drawn.blocks().collect();
    let rows = (0..m).map(|i| (0..inputs).map(|j| blocks[i / LANES][j * LANES + i % LANES]).collect());
    (rows.collect(), drawn.labels().to_vec())
}

#[test]
fn channel_points_far_into_the_tails() {
    let reference = oracle::feedforward();
    let cases = reference["channel"].as_array().unwrap();
    assert_eq!(cases.len(), 15);
    for case in cases {
        let (z, y) = (numbers(&case["z"]), number(&case["y"]));
        let likelihood = Likelihood::new(z.len(), number(&case["beta"]));
        near(likelihood.ln_f(&z, y), number(&case["logF"]), ORACLE, "ln F");
        let lanes: Vec<[f64; LANES]> = z.iter().map(|z| [*z; LANES]).collect();
        let mut slopes = lanes.clone();
        likelihood.slopes(&lanes, [y; LANES], &mut slopes, &mut VoteCounter::new(z.len()));
        for (ours, theirs) in slopes.iter().zip(numbers(&case["g"])) {
            near(ours[3], theirs, ORACLE, "g");
        }
        near(mean_output(&z), number(&case["mean_output"]), ORACLE, "⟨σ⟩");
    }
}

/// Returns ⟨σF⟩/⟨F⟩ at cavity fields `z`, output by output; the signs of the fields are independent.
fn tilted_by_trace(z: &[f64], y: f64, beta: f64) -> f64 {
    let (mut sum, mut norm) = (0.0, 0.0);
    for signs in 0..1_u32 << z.len() {
        let up = |k: usize| signs >> k & 1 == 1;
        let weight: f64 = z.iter().enumerate().map(|(k, z)| phi(if up(k) { *z } else { -z })).product();
        let sigma = (2.0 * f64::from(signs.count_ones()) - z.len() as f64).signum();
        let f = if sigma == y { 1.0 } else { (-beta).exp() };
        sum += weight * sigma * f;
        norm += weight * f;
    }
    sum / norm
}

#[test]
fn converged_data_sets() {
    let reference = oracle::feedforward();
    let sets = reference["data_sets"].as_array().unwrap();
    assert_eq!(sets.len(), 3);
    for set in sets {
        let hidden = set["K"].as_u64().unwrap() as usize;
        let rows: Vec<Vec<f64>> = set["S"].as_array().unwrap().iter().map(numbers).collect();
        let (labels, beta) = (numbers(&set["y"]), number(&set["beta"]));
        let solution = solve_committee(hidden, &rows, &labels, beta);
        let likelihood = Likelihood::new(hidden, beta);
        for (what, ours, theirs) in [
            ("λ", &solution.lambda, &set["lam"]),
            ("w", &solution.weights, &set["w"]),
            ("g", &solution.g, &set["g"]),
            ("z", &solution.z, &set["z"]),
        ] {
            let theirs = numbers(theirs);
            assert_eq!(ours.len(), theirs.len());
            ours.iter().zip(&theirs).for_each(|(a, b)| near(*a, *b, ORACLE, what));
        }
        for (i, z) in solution.z.chunks_exact(hidden).enumerate() {
            near(likelihood.ln_f(z, labels[i]), number(&set["logF"][i]), ORACLE, "ln F");
            near(mean_output(z), number(&set["cav_mean_output"][i]), ORACLE, "cavity ⟨σ⟩");
        }
        // The tilted posterior by the trace over all outputs, as in eq. (7), at the fields of the reference.
        let tilted: Vec<f64> = (numbers(&set["z"]).chunks_exact(hidden).zip(&labels))
            .map(|(z, y)| tilted_by_trace(z, *y, beta))
            .collect();
        let ours = solution.tilted_outputs(&labels, &likelihood);
        assert_eq!(ours.len(), labels.len());
        ours.iter().zip(&tilted).for_each(|(a, b)| near(*a, *b, ORACLE, "tilted ⟨σ⟩"));
        let wrong = tilted.iter().zip(&labels).filter(|(sigma, y)| *sigma * *y < 0.0).count();
        let share = wrong as f64 / labels.len() as f64;
        near(solution.training_tilted_error(&labels, &likelihood), share, EXACT, "tilted training error");
        near(solution.loo_bayes_error(&labels), number(&set["loo_bayes"]), EXACT, "moving control");
        let teacher = numbers(&set["w0"]);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let n = teacher.len() / hidden;
        let angles: Vec<f64> = (solution.weights.chunks_exact(n).zip(teacher.chunks_exact(n)))
            .map(|(w, w0)| angle_over_pi(dot(w, w0) / (dot(w, w) * dot(w0, w0)).sqrt()))
            .collect();
        near(opt_error(&angles), number(&set["eps_opt_exact"]), ORACLE, "ε");
    }
}

#[test]
fn replica_theory() {
    let reference = oracle::feedforward();
    for (name, beta) in [("K1_beta0.5", 0.5), ("K1_noisefree", f64::INFINITY)] {
        let rows = reference["theory"][name].as_array().unwrap();
        assert_eq!(rows.len(), 11);
        let likelihood = Likelihood::new(1, beta);
        for row in rows {
            let ours = theory::solve(&likelihood, number(&row["alpha"]), 0.5);
            near(ours.q, number(&row["q"]), CONVERGED, "q");
            near(ours.bayes, number(&row["eps_bayes_clean"]), CONVERGED, "ε");
            let p = likelihood.flip_probability();
            near(p + (1.0 - 2.0 * p) * ours.bayes, number(&row["eps_bayes_noisy"]), CONVERGED, "noisy ε");
        }
    }
}

#[test]
fn flipping_labels_or_input_signs_flips_the_weights() {
    let (rows, labels) = drawn(12, 30, 1.0, 1);
    let base = solve(&rows, &labels, 1.0);
    let flipped: Vec<f64> = labels.iter().map(|y| -y).collect();
    for (a, b) in base.weights.iter().zip(&solve(&rows, &flipped, 1.0).weights) {
        near(-a, *b, EXACT, "labels flipped");
    }
    // Gauge: s → ys makes every label +1 and changes nothing.
    let gauged: Vec<Vec<f64>> =
        rows.iter().zip(&labels).map(|(s, y)| s.iter().map(|x| x * y).collect()).collect();
    for (a, b) in base.weights.iter().zip(&solve(&gauged, &vec![1.0; labels.len()], 1.0).weights) {
        near(*a, *b, EXACT, "gauge");
    }
    let signed: Vec<Vec<f64>> = rows
        .iter()
        .map(|s| s.iter().enumerate().map(|(j, x)| if j == 4 { -x } else { *x }).collect())
        .collect();
    let turned = solve(&signed, &labels, 1.0);
    near(-base.weights[4], turned.weights[4], EXACT, "one input's sign");
    near(base.weights[5], turned.weights[5], EXACT, "the other inputs");
}

#[test]
fn the_order_of_examples_and_rotations_do_not_matter() {
    let (rows, labels) = drawn(9, 25, f64::INFINITY, 2);
    let base = solve(&rows, &labels, f64::INFINITY);
    let order: Vec<usize> = (0..25).map(|i| (7 * i + 3) % 25).collect();
    let permuted = solve(
        &order.iter().map(|&i| rows[i].clone()).collect::<Vec<_>>(),
        &order.iter().map(|&i| labels[i]).collect::<Vec<_>>(),
        f64::INFINITY,
    );
    for (a, b) in base.weights.iter().zip(&permuted.weights) {
        near(*a, *b, TIGHT, "examples permuted");
    }
    order
        .iter()
        .enumerate()
        .for_each(|(k, &i)| near(base.z[i], permuted.z[k], TIGHT, "cavity fields permuted"));
    // A rotation in the plane of inputs 0 and 1.
    let (sin, cos) = 0.7_f64.sin_cos();
    let rotate = |s: &[f64]| {
        let mut t = s.to_vec();
        (t[0], t[1]) = (cos * s[0] - sin * s[1], sin * s[0] + cos * s[1]);
        t
    };
    let rotated = solve(&rows.iter().map(|s| rotate(s)).collect::<Vec<_>>(), &labels, f64::INFINITY);
    for (a, b) in rotate(&base.weights).iter().zip(&rotated.weights) {
        near(*a, *b, TIGHT, "rotated");
    }
}

#[test]
fn pure_noise_labels_give_chance_predictions() {
    let (rows, labels) = drawn(10, 40, 0.0, 3);
    let solution = solve(&rows, &labels, 0.0);
    assert!(solution.weights.iter().all(|w| *w == 0.0));
    assert_eq!(solution.lambda, [1.0]);
}

#[test]
fn the_response_equals_its_fixed_point_value() {
    for beta in [0.5, 3.0, f64::INFINITY] {
        let (rows, labels) = drawn(20, 50, beta, 4);
        let s = solve(&rows, &labels, beta);
        let n: f64 = rows
            .iter()
            .zip(&s.g)
            .map(|(row, g)| {
                let h: f64 = row.iter().zip(&s.weights).map(|(x, w)| x * w).sum::<f64>() / 20_f64.sqrt();
                g * h
            })
            .sum::<f64>()
            / 20.0;
        // w = Sᵀg/√N gives q = Σ g h / N; with h = √λ z + λ g the two estimates of V are related:
        // V = Σ g(g + z/√λ)/N = Σ g h/(λN) = q/λ, and λ(1+V) = 1.
        near(n / s.lambda[0], s.q() / s.lambda[0], CONVERGED, "V = q/λ");
        let derivative: f64 =
            s.g.iter().zip(&s.z).map(|(g, z)| g * (g + z / s.lambda[0].sqrt())).sum::<f64>() / 20.0;
        near(derivative, s.q() / s.lambda[0], CONVERGED, "Σg(g+z/√λ)/N = q/λ");
    }
}

#[test]
fn the_leave_one_out_estimate_agrees_with_retraining() {
    // 560 examples left out one by one: the cavity field against the field of a solve without the example. They differ
    // by terms of order 1/N, so that a prediction can only flip where the field is about 0.
    let (mut errors, mut fields, mut flips) = (Vec::new(), Vec::new(), Vec::new());
    for (seed, inputs, m) in (0..10).flat_map(|seed| [(seed, 40, 30), (seed, 60, 26)]) {
        let (mut rows, labels) = drawn(inputs, m, 1.0, seed);
        // On the sphere |s|² = N; otherwise λ, an average over inputs, is off by the spread of their lengths.
        for row in &mut rows {
            let scale = (inputs as f64 / row.iter().map(|x| x * x).sum::<f64>()).sqrt();
            for x in row {
                *x *= scale;
            }
        }
        let all = solve(&rows, &labels, 1.0);
        for i in 0..m {
            let (mut r, mut y) = (rows.clone(), labels.clone());
            let s = r.remove(i);
            y.remove(i);
            let without = solve(&r, &y, 1.0);
            let dot: f64 = s.iter().zip(&without.weights).map(|(x, w)| x * w).sum();
            let (retrained, cavity) = (dot / (inputs as f64).sqrt(), all.z[i] * all.lambda[0].sqrt());
            errors.push(retrained - cavity);
            fields.push(retrained);
            if retrained * cavity <= 0.0 {
                flips.push(retrained.abs());
            }
        }
    }
    let rms = |x: &[f64]| (x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64).sqrt();
    let (error, field) = (rms(&errors), rms(&fields));
    assert_eq!(fields.len(), 560);
    assert!(error < 0.05 * field, "the cavity fields are off by {error} where fields are {field}");
    // Six differ; for none of the 56 others is the prediction undecided.
    assert!(flips.len() < 12, "{} of 560 predictions flipped", flips.len());
    assert!(
        flips.iter().all(|f| *f < 3.0 * error),
        "predictions flipped at fields of {flips:?}, errors {error}"
    );
    println!("{} of 560 flipped, at fields of {flips:?}; rms error {error}, rms field {field}", flips.len());
}

/// The table of the committee of three, integrated independently, to the printed digits.
#[test]
fn replica_theory_of_the_committee_of_three() {
    const PRINTED: f64 = 1e-5;
    let table = [
        (0.5, 0.36762, 0.38113),
        (1.0, 0.31223, 0.32657),
        (2.0, 0.22655, 0.23709),
        (3.0, 0.16235, 0.16851),
        (4.0, 0.12141, 0.12505),
        (5.0, 0.09590, 0.09822),
        (6.0, 0.07900, 0.08059),
        (8.0, 0.05828, 0.05916),
        (10.0, 0.04613, 0.04669),
    ];
    let likelihood = Likelihood::new(3, f64::INFINITY);
    for (alpha, bayes, opt) in table {
        let ours = theory::solve(&likelihood, alpha, 0.5);
        assert!((ours.bayes - bayes).abs() < PRINTED, "α={alpha}: Bayes {} instead of {bayes}", ours.bayes);
        assert!((ours.opt - opt).abs() < PRINTED, "α={alpha}: Opt {} instead of {opt}", ours.opt);
    }
}

/// Predictions for a training input by all weights that the labels allow, from weighted draws of the prior.
/// The tilted posterior is close to them, and closer than eq. (9), which assumes a Gaussian field.
#[test]
fn the_tilted_posterior_agrees_with_the_exact_posterior() {
    const DRAWS: usize = 40_000;
    for (hidden, inputs, m, beta) in [(1, 6, 9, 1.0), (1, 6, 9, 3.0), (3, 12, 9, 1.5)] {
        let likelihood = Likelihood::new(hidden, beta);
        let (mut tilted_square, mut gauss_square, mut count) = (0.0, 0.0, 0.0);
        for seed in 0..8 {
            let sphere = InputDistribution {
                branch: inputs / hidden,
                normalise: true,
                ..InputDistribution::white(inputs)
            };
            let rule = TeacherRule::Committee(hidden);
            let mut teacher = Teacher::draw(rule, sphere, likelihood.flip_probability(), Stream::of(seed, 9));
            let mut drawn = LabelledExamples::new(inputs);
            teacher.extend(&mut drawn, m);
            let problem = TrainingSet::new(&drawn, m, likelihood);
            let (state, ending) = SOLVER.solve(&problem);
            assert_eq!(ending, Ending::Converged);
            let solution = state.solution(&problem);
            let blocks: Vec<&[f64]> = drawn.blocks().collect();
            let fields = |w: &[f64], i: usize| -> Vec<f64> {
                let x = |j: usize| blocks[i / LANES][j * LANES + i % LANES];
                let n = inputs / hidden;
                let field = |k| (k * n..(k + 1) * n).map(|j| x(j) * w[j]).sum::<f64>() / (n as f64).sqrt();
                (0..hidden).map(field).collect()
            };
            let posterior =
                WeightPosterior::new(&drawn, hidden, likelihood.flip_probability(), InputCovariance::White);
            let mut stream = Stream::of(seed, 10);
            let (mut exact, mut total) = (vec![0.0; m], 0.0);
            for _ in 0..DRAWS {
                let (w, ln) = weighted_draw(&posterior, &mut stream);
                let weight = ln.exp();
                total += weight;
                for (i, sum) in exact.iter_mut().enumerate() {
                    let votes: f64 = fields(&w, i).iter().map(|h| h.signum()).sum();
                    *sum += weight * votes.signum();
                }
            }
            let labels = drawn.labels().to_vec();
            let tilted = solution.tilted_outputs(&labels, &likelihood);
            for i in 0..m {
                let z: Vec<f64> = (fields(&solution.weights, i).iter().zip(&solution.lambda))
                    .map(|(h, lambda)| h / lambda.sqrt())
                    .collect();
                let exact = exact[i] / total;
                tilted_square += (tilted[i] - exact).powi(2);
                gauss_square += (mean_output(&z) - exact).powi(2);
                count += 1.0;
            }
        }
        let (tilted, gauss) = ((tilted_square / count).sqrt(), (gauss_square / count).sqrt());
        println!("K={hidden} β={beta}: rms {tilted:.4} tilted, {gauss:.4} by eq. (9)");
        assert!(tilted < 0.06 && gauss > 3.0 * tilted, "K={hidden} β={beta}: {tilted} {gauss}");
    }
}

#[test]
fn the_tilted_posterior_at_either_end_of_the_noise() {
    for hidden in [1, 2, 3, 101] {
        for m in [1, 13] {
            let z: Vec<f64> = (0..m * hidden).map(|i| 40.0 * (1.3 * i as f64).sin() - 20.0).collect();
            let labels: Vec<f64> = (0..m).map(|i| if i % 4 == 1 { -1.0 } else { 1.0 }).collect();
            let lambda = vec![0.5; hidden];
            let solution =
                Solution { weights: vec![], lambda, g: vec![0.0; z.len()], z, sweeps: 0, adaptive: None };
            let at = |beta| Likelihood::new(hidden, beta);
            // Without noise every example is predicted by its label, whatever its cavity field.
            assert_eq!(solution.tilted_outputs(&labels, &at(f64::INFINITY)), labels);
            assert_eq!(solution.training_tilted_error(&labels, &at(f64::INFINITY)), 0.0);
            // With pure noise the label is uninformative: the prediction is that of the cavity.
            let cavity = solution.loo_bayes_error(&labels);
            assert!(cavity > 0.0 || m == 1);
            assert_eq!(solution.training_tilted_error(&labels, &at(0.0)), cavity, "K={hidden}");
            let outputs = solution.tilted_outputs(&labels, &at(50.0));
            assert!(outputs.iter().all(|o| o.abs() <= 1.0), "{outputs:?}");
        }
    }
}
