//! Wrong methods in place of those of VL00 and LH00.

use meanfield::lab::claim::Quantity::At;
use meanfield::math::Budget;
use meanfield::math::eigen::Eigen;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::nfa::fit::FactorFit;
use meanfield::models::nfa::simulated::{Mixing, SimulatedData, helix, mixtures};
use meanfield::models::nfa::solver::learning::{Options, UpdateRule};
use meanfield::models::nfa::solver::linear::column_means;
use meanfield::models::nfa::solver::moments::Moments;
use meanfield::models::nfa::solver::score::decibel;

use serde_json::Value;

use super::{Reports, Wrong, refute};

/// Returns the root mean squared residual of fitted values, averaged over the channels.
fn residual(rows: &[Vec<f64>], fitted: &[Vec<f64>]) -> f64 {
    let channels = rows[0].len();
    let rms = |channel: usize| {
        let squares = rows.iter().zip(fitted).map(|(row, fit)| (row[channel] - fit[channel]).powi(2));
        (squares.sum::<f64>() / rows.len() as f64).sqrt()
    };
    (0..channels).map(rms).sum::<f64>() / channels as f64
}

/// Returns the improvement of the variance of an output by (29) with two errors: each pair of hidden units is counted once, and (28) has
/// the whole variance g̃ of the hidden units in place of g̃*.
fn wrong_paths(reports: &Reports, link: &str) -> [f64; 2] {
    const SOURCE_VAR: f64 = 0.02;
    let report = reports.run(link, "");
    let at = |pointer: &str| report.pointer(pointer).and_then(Value::as_f64).unwrap();
    let slopes = (0..3).map(|source| at(&format!("/taylor/jacobian/{source}")));
    let counted_twice: f64 = slopes.map(|slope| slope * slope * SOURCE_VAR).sum();
    let (with, without) = (at("/taylor/f_var/0"), at("/taylor/f_var_without_interference/0"));
    let sampled = with / at("/grid/4/taylor_ratio");
    let off = |variance: f64| (1.0 - variance / sampled).abs();
    [0.5 * (with - without), counted_twice].map(|added| off(without) - off(without + added))
}

/// The remark states both wrong paths.
#[test]
fn sources_that_count_twice_fail_the_claim_on_interference() {
    let link = "#/nfa.moments?shape=wide&variance=0.02&weight_var=0.001&draws=400000";
    let [_, counted_twice] = wrong_paths(&Reports::default(), link);
    assert!((counted_twice + 0.093).abs() < 0.001, "{counted_twice}");
}

/// The cost does not simply return the number of the settings or the middle of the range, which are the true number in the claim.
#[test]
fn the_cost_chooses_the_true_number_of_other_ranges_and_data() {
    let reports = Reports::default();
    let chosen = |link: &str| reports.value(link, "", At("/best_sources"));
    let mixtures =
        "#/nfa?data=mixtures&hidden=20&compare=sources&weight_sd=1&restarts=1&sweeps=150&sources=3";
    assert_eq!(chosen(mixtures), 4.0);
    assert_eq!(chosen("#/nfa?data=helix&compare=sources&restarts=1&sources=2"), 1.0);
}

/// Returns the signal-to-noise ratio in dB of the best linear estimate of the sources, by regression on the measurements.
fn best_linear(data: &SimulatedData) -> f64 {
    let rows = &data.rows;
    let (n, d) = (rows.len() as f64, rows[0].len());
    let means = column_means(rows);
    let channels: Vec<Vec<f64>> =
        (0..d).map(|a| rows.iter().map(|row| row[a] - means[a]).collect()).collect();
    let moment = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / n;
    let Eigen { values, vectors } = Eigen::new(d, |a, b| moment(&channels[a], &channels[b]));
    let unexplained = |i: usize| {
        let source: Vec<f64> = data.sources.iter().map(|sources| sources[i]).collect();
        let explained = |k: usize| {
            let along: f64 = (0..d).map(|a| vectors[k][a] * moment(&channels[a], &source)).sum();
            along * along / values[k]
        };
        1.0 - (0..d).map(explained).sum::<f64>() / moment(&source, &source)
    };
    let sources = data.sources[0].len();
    decibel((0..sources).map(unexplained).sum::<f64>() / sources as f64)
}

/// The gain is not due to a bad linear method: it is also large over the best linear estimate, which knows the sources.
#[test]
fn nonlinear_analysis_is_better_than_every_linear_estimate() {
    let link = "#/nfa?data=mixtures&sources=4&hidden=20&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1&restarts=1";
    let ours = Reports::default().value(link, "", At("/snr_db/mixtures"));
    let linear = best_linear(&mixtures(1000, 2, Mixing::monotonic(15), 10, 1));
    let gain = ours - linear;
    assert!((gain - 3.3).abs() < 0.05, "{ours} {linear}");
}

/// Returns the number of components with the least Bayesian information criterion of probabilistic principal components, of 1 to 8.
fn best_components(rows: &[Vec<f64>]) -> usize {
    let (n, d) = (rows.len() as f64, rows[0].len());
    let means = column_means(rows);
    let covariance = |a: usize, b: usize| {
        rows.iter().map(|row| (row[a] - means[a]) * (row[b] - means[b])).sum::<f64>() / n
    };
    let variances = Eigen::new(d, covariance).values;
    let criterion = |q: usize| {
        let (kept, rest) = variances.split_at(q);
        let left = (d - q) as f64;
        let noise = rest.iter().sum::<f64>() / left;
        let ln_det = kept.iter().map(|v| v.ln()).sum::<f64>() + left * noise.ln();
        let parameters = (d * q - q * (q - 1) / 2 + 1) as f64;
        n * ln_det + parameters * n.ln()
    };
    (1..=8).min_by(|a, b| criterion(*a).total_cmp(&criterion(*b))).unwrap()
}

/// Returns the noise of the helix as the root mean squared residual at the posterior means of the sources, without their variances;
/// averaged over
/// the channels.
fn residual_at_the_means(_: &Reports, _: &str) -> Option<f64> {
    let rows = helix(1000, 1).rows;
    let options = Options {
        sources: 1,
        hidden: 16,
        components: 1,
        sweeps: 500,
        mixture_sweeps: 0,
        moments: Moments::Taylor,
        updates: UpdateRule::Block,
        weight_sd: 3.0,
    };
    let mut fit = FactorFit::new(&rows, options, Stream::for_purpose(1, Purpose::NfaInitialState, 0));
    while !fit.advance(&mut Budget::slice()) {}
    let fitted: Vec<_> = (0..rows.len()).map(|t| fit.reconstruction(t).0).collect();
    Some(residual(&rows, &fitted))
}

#[test]
fn wrong_methods_fail_the_claims_on_nonlinear_factor_analysis() {
    refute(
        "nfa",
        &[
            Wrong::stated(
                ("VL00, eqs. (28), (29)", "interference of paths in the variance of an output"),
                |reports, link| Some(wrong_paths(reports, link)[0]),
            ),
            Wrong::stated(("LH00", "the helix: noise found in three channels"), residual_at_the_means),
            Wrong::stated(
                ("LH00", "nonlinear beside linear component analysis, 4 sources in 10 channels"),
                |reports, link| Some(reports.value(link, "hidden=4", At("/gain_db"))),
            ),
            Wrong::stated(("LH00", "the cost chooses the number of sources"), |_, _| {
                Some(best_components(&mixtures(1000, 2, Mixing::monotonic(15), 10, 1).rows) as f64)
            }),
        ],
    );
}
