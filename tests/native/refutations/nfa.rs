//! Wrong methods in place of those of VL00 and LH00.

use meanfield::lab::claim::Quantity::At;
use meanfield::math::Budget;
use meanfield::math::eigen::Eigen;
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::nfa::fit::FactorFit;
use meanfield::models::nfa::simulated::{Mixing, helix, mixtures};
use meanfield::models::nfa::solver::learning::{Options, UpdateRule};
use meanfield::models::nfa::solver::linear::column_means;
use meanfield::models::nfa::solver::moments::Moments;

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

/// Returns by how much (29) improves the variance of an output if (28) then has the whole variance g̃ of the hidden units.
fn sources_counted_twice(reports: &Reports, link: &str) -> Option<f64> {
    const SOURCE_VAR: f64 = 0.02;
    let report = reports.run(link, "");
    let at = |pointer: &str| report.pointer(pointer).and_then(Value::as_f64).unwrap();
    let jacobian = report.pointer("/taylor/jacobian").and_then(Value::as_array)?;
    let slopes = jacobian.iter().take(3).map(|slope| slope.as_f64().unwrap());
    let interference: f64 = slopes.map(|slope| slope * slope * SOURCE_VAR).sum();
    let without = at("/taylor/f_var_without_interference/0");
    let sampled = at("/taylor/f_var/0") / at("/grid/4/taylor_ratio");
    let off = |variance: f64| (1.0 - variance / sampled).abs();
    Some(off(without) - off(without + interference))
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
                sources_counted_twice,
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
