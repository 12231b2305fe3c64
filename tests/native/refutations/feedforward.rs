//! Wrong methods in place of those of OW96.

use std::f64::consts::PI;

use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::lab::claim::Quantity::{At, Max, Over};
use meanfield::math::random::Stream;
use meanfield::math::special::{density, phi};
use meanfield::math::stats::mean;

use super::{Reports, Wrong, column, largest, refute};

/// Number of runs of a short simulation.
const FEW: &str = "runs=20";
const FEW_RUNS: f64 = 20.0;

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

/// Returns the largest distance of Hebb's rule, in standard errors of ten times as many runs as are made here.
fn hebb_in_errors(reports: &Reports, link: &str) -> Option<f64> {
    let all = hebb(reports, (link, 1.5), 4);
    Some(largest(all.into_iter().map(|(distance, se)| 10.0_f64.sqrt() * distance / se)))
}

fn hebb_with_less_noise(reports: &Reports, link: &str) -> Option<f64> {
    Some(largest(hebb(reports, (link, 2.0), 2).into_iter().map(|(distance, _)| distance)))
}

/// Cosine of the weights of Hebb's rule and the posterior mean, R/√q for N → ∞.
fn hebb_cosine(reports: &Reports, _: &str) -> Option<f64> {
    let link = "#/feedforward?hidden=1&inputs=50&beta=2&alphas=4&runs=2";
    Some(hebb_overlap(4.0, 2.0) / reports.value(link, "", At("/curve/0/theory_q")).sqrt())
}

/// A number computed from the numbers of a row of the report, by name.
type OfRow = fn(&dyn Fn(&str) -> f64) -> f64;

/// Largest value over α of a number of each row of the report.
fn over_curve(reports: &Reports, link: &str, settings: &str, of: OfRow) -> f64 {
    let report = reports.run(link, settings);
    let rows = report["curve"].as_array().unwrap();
    largest(rows.iter().map(|row| of(&|key: &str| row[key].as_f64().unwrap())))
}

/// Returns the distance of the training error from the test error, in standard errors of the claim's number of runs.
fn training_error(reports: &Reports, link: &str) -> Option<f64> {
    let distance =
        |at: &dyn Fn(&str) -> f64| (at("train_bayes") - at("bayes_noisy")).abs() / at("loo_bias_se");
    let runs: f64 = link.rsplit_once("runs=")?.1.parse().ok()?;
    Some((runs / FEW_RUNS).sqrt() * over_curve(reports, link, FEW, distance))
}

fn theory_of_the_mean_network(reports: &Reports, link: &str) -> Option<f64> {
    Some(over_curve(reports, link, FEW, |at| (at("bayes") - at("theory_opt")).abs()))
}

/// Predictions of a committee by its mean outputs and by its mean weights, exchanged.
fn exchanged(reports: &Reports, link: &str) -> Option<f64> {
    Some(-over_curve(reports, link, FEW, |at| at("opt") - at("bayes")))
}

/// A plain perceptron or committee on noise-free or noisy examples of its own kind.
struct Problem {
    hidden: usize,
    beta: f64,
    rows: Vec<Vec<f64>>,
    labels: Vec<f64>,
}

impl Problem {
    fn draw((hidden, inputs): (usize, usize), beta: f64, examples: usize, seed: u64) -> Self {
        let flips = 1.0 / (1.0 + beta.exp());
        let inputs_of = InputDistribution::white(inputs);
        let rule = TeacherRule::Committee(hidden);
        let mut teacher = Teacher::draw(rule, inputs_of, flips, Stream::of(seed, 0));
        let mut drawn = LabelledExamples::new(inputs);
        teacher.extend(&mut drawn, examples);
        let rows = drawn.rows().chunks_exact(inputs).map(<[f64]>::to_vec).collect();
        Self { hidden, beta, rows, labels: drawn.labels().to_vec() }
    }

    /// ∂ ln⟨F⟩/∂z_k, eq. (7).
    fn slope(&self, z: &[f64], y: f64, k: usize) -> f64 {
        let floor = (-self.beta).exp();
        let (mut f, mut derivative) = (floor, 0.0);
        for outputs in 0..1_u32 << z.len() {
            let sign = |j: usize| if outputs >> j & 1 == 1 { 1.0 } else { -1.0 };
            if y * (0..z.len()).map(sign).sum::<f64>() > 0.0 {
                let others: f64 = (0..z.len()).filter(|j| *j != k).map(|j| phi(sign(j) * z[j])).product();
                f += (1.0 - floor) * others * phi(sign(k) * z[k]);
                derivative += (1.0 - floor) * others * sign(k) * density(z[k]);
            }
        }
        derivative / f
    }

    /// Returns the number of parallel iterations of eqs. (4)–(8) with this damping until no weight changes by more than 10⁻⁸; `None` if
    /// they fail.
    fn iterations(&self, damping: f64) -> Option<usize> {
        let n = self.rows[0].len() / self.hidden;
        let root = (n as f64).sqrt();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut w, mut g) = (vec![vec![0.0; n]; self.hidden], vec![vec![0.0; self.hidden]; self.rows.len()]);
        for sweep in 1..=500 {
            let lambda: Vec<f64> = w.iter().map(|w| 1.0 - dot(w, w) / n as f64).collect();
            if !lambda.iter().all(|lambda| *lambda > 0.0) {
                return None;
            }
            for (row, (g, y)) in self.rows.iter().zip(g.iter_mut().zip(&self.labels)) {
                let field = |k: usize| dot(&row[k * n..(k + 1) * n], &w[k]) / root - lambda[k] * g[k];
                let z: Vec<f64> = (0..self.hidden).map(|k| field(k) / lambda[k].sqrt()).collect();
                *g = (0..self.hidden).map(|k| self.slope(&z, *y, k) / lambda[k].sqrt()).collect();
            }
            let mut change = 0.0_f64;
            for (k, w) in w.iter_mut().enumerate() {
                for (j, w) in w.iter_mut().enumerate() {
                    let sum: f64 = self.rows.iter().zip(&g).map(|(row, g)| row[k * n + j] * g[k]).sum();
                    let step = damping * (sum / root - *w);
                    *w += step;
                    change = change.max(step.abs());
                }
            }
            if change < 1e-8 {
                return Some(sweep);
            }
        }
        None
    }
}

/// Share of training sets, at the α where it is largest, on which a plain undamped iteration fails.
fn undamped(_: &Reports, _: &str) -> Option<f64> {
    let failed = |alpha: f64| {
        let set = |seed| Problem::draw((3, 60), f64::INFINITY, (60.0 * alpha) as usize, seed);
        (1..=5).filter(|seed| set(*seed).iterations(1.0).is_none()).count() as f64 / 5.0
    };
    Some(largest([0.5, 3.0].map(failed)))
}

const FAILED: meanfield::lab::claim::Quantity = Over(&Max(&At("/curve/*/unconverged")), &At("/runs"));

/// Wrong methods, in the order of the claims.
const WRONG: &[Wrong] = &[
    Wrong::rough(0.5, ("Abstract", "the limit of large N"), hebb_in_errors),
    Wrong::stated(("Abstract", "the posterior mean of one run"), hebb_cosine),
    // The same prediction twice has no difference.
    Wrong::stated(("Eq. (9)", "Bayes and Opt, K = 3"), |_, _| Some(0.0)),
    Wrong::rough(0.3, ("Eq. (9)", "Bayes is the better one"), exchanged),
    Wrong::rough(0.5, ("Moving control", "bias of leave-one-out, K = 1"), training_error),
    Wrong::rough(0.5, ("Moving control", "bias of leave-one-out, K = 3"), training_error),
    Wrong::rough(
        0.5,
        ("Moving control", "bias of leave-one-out, K = 3, examples of one length"),
        training_error,
    ),
    Wrong::stated(("Simulations", "the equations can be solved"), undamped),
    Wrong::stated(("Figure 1", "theory and simulation, less noise"), hebb_with_less_noise),
    // An estimate from the first examples only has the same error at every α.
    Wrong::stated(("Figure 1", "spread of leave-one-out"), |_, _| Some(1.0)),
    Wrong::rough(0.3, ("Figure 2", "theory and simulation"), theory_of_the_mean_network),
    // A difference that does not depend on α.
    Wrong::stated(("Figure 2", "Bayes and Opt at large α"), |_, _| Some(1.0)),
    Wrong::rough(0.1, ("Figure 2", "variance at large α"), |reports, link| {
        Some(1.0 - reports.value(link, FEW, At("/curve/4/q")))
    }),
    Wrong::stated(("Outlook", "a rule that cannot be learnt"), |reports, link| {
        Some(reports.value(&link.replace("teacher=random", "teacher=matched"), FEW, FAILED))
    }),
    Wrong::stated(("Outlook", "a rule that cannot be learnt, noise assumed"), |reports, _| {
        let short = "#/feedforward.solutions?teacher=matched&alphas=8&sets=2&starts=4";
        Some(reports.value(short, "", At("/rows/0/solved")))
    }),
];

/// Returns the mean generalization error of Hebb's rule in simulations.
fn hebb_simulated((inputs, examples): (usize, usize), beta: f64, runs: u64) -> f64 {
    let flips = 1.0 / (1.0 + beta.exp());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let error = |seed| {
        let inputs_of = InputDistribution::white(inputs);
        let mut teacher = Teacher::draw(TeacherRule::Committee(1), inputs_of, flips, Stream::of(seed, 0));
        let mut drawn = LabelledExamples::new(inputs);
        teacher.extend(&mut drawn, examples);
        let mut weights = vec![0.0; inputs];
        for (row, label) in drawn.rows().chunks_exact(inputs).zip(drawn.labels()) {
            weights.iter_mut().zip(row).for_each(|(w, x)| *w += label * x);
        }
        let true_weights = teacher.weights();
        let norms = (dot(&weights, &weights) * dot(true_weights, true_weights)).sqrt();
        (dot(&weights, true_weights) / norms).acos() / PI
    };
    mean((0..runs).map(error)).mean
}

/// Claims at the noise of Figure 1 cannot be checked because Hebb's rule passes, too: in theory, and for N = 15 in simulations.
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

#[test]
fn wrong_methods_fail_the_claims_of_the_letter() {
    refute("feedforward", WRONG);
}
