//! Tests of the regression in one dimension, from specifications to figures and reports.

use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{Checked, Live, Raw, TypedTask, complete};

fn spec(pairs: &[(&str, &str)]) -> Checked<RegressionSpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

fn run(pairs: &[(&str, &str)]) -> (Checked<RegressionSpec>, RegressionSnapshot) {
    let spec = spec(pairs);
    let snapshot = complete::<CurveRegression>(&spec, &Store::default()).unwrap();
    (spec, snapshot)
}

/// Returns a preset's settings.
fn preset(label: &str) -> Vec<(&'static str, &'static str)> {
    let preset = CurveRegression::META.presets.iter().find(|preset| preset.label == label).unwrap();
    preset.query.split('&').filter_map(|pair| pair.split_once('=')).collect()
}

#[test]
fn leave_one_out_equals_retraining_to_rounding_in_the_report() {
    let (spec, snapshot) = run(&[("examples", "40"), ("kernel", "matern52")]);
    let report = CurveRegression::report(&spec, &snapshot);
    let difference = report["leave_one_out"]["largest_difference_from_retraining"].as_f64().unwrap();
    assert!(difference < 1e-11, "{difference}");
    assert_eq!(snapshot.retrained.len(), 40);
    assert_eq!(report["leave_one_out"]["count"], 40);
}

/// The network is fitted separately, does not change the Gaussian process, and is drawn in the same figure.
#[test]
fn a_network_is_fitted_beside_the_gaussian_process() {
    let (plain, alone) = run(&[]);
    let (beside, both) = run(&[("network", "3")]);
    assert_eq!((both.networks.len(), alone.networks.len()), (3, 0));
    assert_eq!((&both.result, &both.retrained), (&alone.result, &alone.retrained));
    let units = |spec| CurveRegression::plan(spec, None).units();
    assert_eq!([units(&plain), units(&beside)], [1, 4]);
    let best = both.network().unwrap();
    assert!(both.networks.iter().all(|start| start.negative_elbo >= best.negative_elbo));
    let keys = |spec, snapshot| -> Vec<String> {
        let figures = CurveRegression::figures(spec, snapshot);
        let keys = figures[0].marks.iter().map(|mark| mark.key().to_owned());
        keys.filter(|key| key.starts_with("network")).collect()
    };
    assert_eq!(keys(&beside, &both), ["network_95", "network"]);
    assert!(keys(&plain, &alone).is_empty());
    let figure = &CurveRegression::figures(&beside, &both)[0];
    assert!(figure.caption.contains("3 hidden units") && figure.finding.contains("the network ±"));
    // The network passes near the points as well.
    let targets = beside.points();
    let error = |(x, t): &(f64, f64)| {
        let inputs = beside.inputs(&targets);
        let nearest = (0..RegressionSpec::DRAWN)
            .min_by(|a, b| (inputs[*a] - x).abs().total_cmp(&(inputs[*b] - x).abs()))
            .unwrap();
        (best.predicted[nearest].0 - t).abs()
    };
    let mean = targets.iter().map(error).sum::<f64>() / targets.len() as f64;
    let spread = targets.iter().map(|(_, t)| t.abs()).sum::<f64>() / targets.len() as f64;
    assert!(mean < 0.3 * spread, "{mean} of {spread}");
}

/// The 50-digit references of the tests of the method: the user's own points, Matérn 5/2.
#[test]
fn the_report_agrees_with_dense_formulas() {
    let (spec, snapshot) = run(&[
        ("set", "own"),
        ("points", "-1.7,0.2,-0.9,-0.8,-0.4,-0.7,0.3,0.9,0.8,0.6,1.6,-0.5"),
        ("kernel", "matern52"),
        ("amplitude", "1.2"),
        ("predict", "0.1,2.4"),
    ]);
    let report = CurveRegression::report(&spec, &snapshot);
    let near = |value: &serde_json::Value, exact: f64| {
        let ours = value.as_f64().unwrap();
        assert!((ours - exact).abs() < 1e-10, "{ours} instead of {exact}");
    };
    near(&report["ln_evidence"], -6.984_473_333_425_516);
    near(&report["leave_one_out"]["ln_density"], -6.149_512_229_363_952);
    near(&report["predictions"][0]["mean"], 0.534_609_567_812_990_3);
    near(&report["predictions"][1]["sd"], 1.308_189_870_917_466_f64.sqrt());
    let both: f64 = 1.308_189_870_917_466 + 0.15 * 0.15;
    near(&report["predictions"][1]["sd_observation"], both.sqrt());
    assert!(report["coverage"].is_null());
}

#[test]
fn the_band_of_an_overfitted_model_holds_too_few_points_and_that_of_an_underfitted_one_too_many() {
    let coverage = |label: &str| {
        let (spec, snapshot) = run(&preset(label));
        snapshot.result.unwrap().coverage(&spec, &spec.points()).unwrap()
    };
    let [right, over, under] = ["A smooth function", "Overfitting", "Underfitting"].map(coverage);
    assert!((0.9..0.98).contains(&right) && over < 0.6 && under > 0.98, "{right} {over} {under}");
}

#[test]
fn the_evidence_prefers_the_kernel_that_fits() {
    let evidence = |label: &str| run(&preset(label)).1.result.unwrap().ln_evidence;
    let [rbf, matern] = ["Steps, RBF", "Steps, Matérn 3/2"].map(evidence);
    assert!(matern > rbf + 1.0, "{matern} {rbf}");
    let [rbf, periodic] = ["Beyond the data, wrong kernel", "Beyond the data, periodic kernel"].map(evidence);
    assert!(periodic > rbf + 1.0, "{periodic} {rbf}");
}

/// A run with the fitted settings has the fitted model.
#[test]
fn found_settings_give_the_fitted_model() {
    let (spec, fitted) = run(&preset("Tuned by the evidence"));
    let found = CurveRegression::found(&spec, &fitted);
    let again = Checked::new(&found).unwrap();
    let again = complete::<CurveRegression>(&again, &Store::default()).unwrap().result.unwrap();
    let fitted = fitted.result.unwrap();
    assert_eq!(again.hyper, fitted.hyper);
    assert!((again.ln_evidence - fitted.ln_evidence).abs() < 1e-9);
    let start = run(&[("sigma2", "0.01"), ("noise", "0.02")]).1.result.unwrap();
    assert!(fitted.ln_evidence > start.ln_evidence + 10.0);
}

#[test]
fn the_live_companion_draws_the_same_without_retraining() {
    let settings = [("set", "gap"), ("draws", "3")];
    let (spec, whole) = run(&settings);
    let live = complete::<Live<CurveRegression>>(&spec, &Store::default()).unwrap();
    assert_eq!(live.result, whole.result);
    assert!(live.retrained.is_empty() && live.largest_difference().is_none());
    let figures = Live::<CurveRegression>::figures(&spec, &live);
    let threads = figures[1].marks.iter().filter_map(|mark| match mark {
        Mark::Threads(threads) => Some(threads.threads.len()),
        _ => None,
    });
    assert_eq!(threads.collect::<Vec<_>>(), [3, 3]);
    assert!(figures.iter().all(|figure| figure.non_finite().is_empty()));
}

#[test]
fn a_matrix_that_cannot_be_factored_is_reported() {
    let settings = [
        ("set", "own"),
        ("points", "100,1,100,2,100,3,100,4,99,1"),
        ("kernel", "linear"),
        ("sigma2", "0.001"),
        ("amplitude", "1000"),
        ("noise", "0.001"),
    ];
    let (spec, snapshot) = run(&settings);
    assert!(snapshot.failed && snapshot.result.is_none());
    let status = CurveRegression::status(&spec, &snapshot);
    assert_eq!(status.outcome, Outcome::NoResult);
    assert!(CurveRegression::figures(&spec, &snapshot).iter().all(|figure| figure.non_finite().is_empty()));
}

/// The axis holds the band of new points, unless the band is so wide that the points would look flat.
#[test]
fn the_axis_holds_the_band_but_the_points_are_not_flat() {
    let axis = |pairs: &[(&str, &str)]| {
        let (spec, snapshot) = run(pairs);
        let figure = CurveRegression::figures(&spec, &snapshot).remove(0);
        let targets: Vec<f64> = spec.points().iter().map(|(_, t)| *t).collect();
        let span = targets.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - targets.iter().copied().fold(f64::INFINITY, f64::min);
        let band = figure.find("new_95").and_then(Mark::vertical_extent).unwrap();
        (figure.y.range, band, span)
    };
    let ((low, high), band, _) = axis(&[]);
    assert!(low < band.0 && high > band.1, "{low} {high} {band:?}");
    assert!(low > -2.4 && high < 2.4, "{low} {high}");
    let (spec, snapshot) = run(&[]);
    let finding = CurveRegression::figures(&spec, &snapshot).remove(0).finding;
    assert!(
        finding.starts_with("The 95 % band of the curve is ±0.16 near the points, widening to ±2.0."),
        "{finding}"
    );
    let ((low, high), band, span) = axis(&[("amplitude", "10"), ("noise", "0.1")]);
    assert!(band.1 - band.0 > 4.0 * span && high - low <= 3.0 * span + 1e-9, "{low} {high} {band:?}");
}
