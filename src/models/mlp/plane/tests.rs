//! Tests of the task with two weights, from specifications to figures.

use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{Checked, Link, Live, Outcome, Progress, Raw, Run, complete};
use crate::models::mlp::exact::two_weights::TwoWeightPosterior;

fn spec(pairs: &[(&str, &str)]) -> Checked<PlaneSpec> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Checked::new(&raw).unwrap()
}

fn run(pairs: &[(&str, &str)]) -> PlaneSnapshot {
    complete::<TwoWeights>(&spec(pairs), &Store::default()).unwrap()
}

fn kl(snapshot: &PlaneSnapshot, method: Approximation) -> f64 {
    snapshot.kl(snapshot.best(method).unwrap()).unwrap()
}

#[test]
fn the_defaults_reproduce_figure_1() {
    let snapshot = run(&[("hmc", "500")]);
    for (method, expected) in FITTED.into_iter().zip([38.5535, 2.1957, 1.5382]) {
        assert!((kl(&snapshot, method) - expected).abs() < 1e-4, "{method}: {}", kl(&snapshot, method));
    }
    assert_eq!((snapshot.fits.len(), snapshot.chains.len()), (9, 4));
    let chains = snapshot.sampled().unwrap();
    let exact = snapshot.exact.as_ref().unwrap();
    for ((mean, _), (expected, sd)) in chains.predicted.iter().zip(&exact.predicted) {
        assert!((mean - expected).abs() < 0.5 * sd + 1e-9, "{mean} instead of {expected} ± {sd}");
    }
    let figures = TwoWeights::figures(&spec(&[]), &snapshot);
    assert!(figures[0].finding.contains("38.6"), "{}", figures[0].finding);
    assert_eq!(TwoWeights::status(&spec(&[]), &snapshot).outcome, Outcome::Converged);
    // Mass above each level, by the sum over the cells of the map; the window shows one of the two modes.
    let [(left, right), (low, high)] = exact.window;
    let cell = (right - left) * (high - low) / exact.map.len() as f64;
    for (level, share) in exact.levels.iter().zip([0.5, 0.9, 0.99]) {
        let above = exact.map.iter().filter(|density| *density >= level);
        let mass: f64 = above.map(|density| f64::from(*density) * cell).sum();
        assert!((2.0 * mass - share).abs() < 0.02, "{share}: {mass}");
    }
}

/// Both ends of every segment have the density of one of the levels, and every level has segments.
#[test]
fn contours_have_the_density_of_their_level() {
    for settings in
        [&[("hmc", "0")][..], &[("hmc", "0"), ("twin", "true")], &[("set", "saturated"), ("hmc", "0")]]
    {
        let spec = spec(settings);
        let snapshot = run(&[settings, &[("restarts", "1")]].concat());
        let exact = snapshot.exact.as_ref().unwrap();
        let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
        let posterior = TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta);
        let mut counts = [0; 3];
        for (u, v) in exact.contours.iter().flatten() {
            let density = posterior.densities(&[f64::from(*u)], &[f64::from(*v)])[0];
            let near = |level: &f32| (density / f64::from(*level) - 1.0).abs() < 1e-2;
            let level = exact.levels.iter().position(near);
            counts[level.unwrap_or_else(|| panic!("{density} at ({u}, {v}): {:?}", exact.levels))] += 1;
        }
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }
}

/// The axes can be wider than the window, and a contour must not end in between: each end of a segment is that of another one, or
/// at u = 0 if one mode is shown.
#[test]
fn contours_are_closed() {
    for settings in [&[][..], &[("twin", "true")], &[("beta", "2")], &[("set", "held2"), ("alpha", "1.2")]] {
        let snapshot = run(&[settings, &[("hmc", "0"), ("restarts", "1")]].concat());
        let exact = snapshot.exact.as_ref().unwrap();
        let [(left, right), (low, high)] = exact.window;
        let near = |a: (f32, f32), b: (f32, f32)| {
            f64::from((a.0 - b.0).abs()) < 1e-4 * (right - left)
                && f64::from((a.1 - b.1).abs()) < 1e-4 * (high - low)
        };
        let ends: Vec<(f32, f32)> = exact.contours.iter().flatten().copied().collect();
        let met = |end: (f32, f32)| ends.iter().filter(|other| near(end, **other)).count() > 1;
        let open: Vec<_> = ends.iter().filter(|end| !met(**end) && (left < 0.0 || end.0 > 0.0)).collect();
        assert!(open.is_empty(), "{settings:?}: {open:?} in {:?}", exact.window);
    }
}

#[test]
fn more_starts_find_the_better_optimum() {
    let trap = [("set", "saturated"), ("alpha", "0.000007"), ("beta", "42"), ("hmc", "0")];
    let one = run(&[&trap[..], &[("restarts", "1")]].concat());
    let many = run(&[&trap[..], &[("restarts", "4")]].concat());
    assert!((kl(&one, Approximation::Full) - 3.9101).abs() < 1e-3);
    assert!((kl(&many, Approximation::Full) - 1.5046).abs() < 1e-3);
}

#[test]
fn fits_are_shown_before_they_converge() {
    let started = spec(&[("hmc", "0"), ("restarts", "1")]);
    let mut work = TwoWeights::start(&started, 0..4, &Store::default(), None).unwrap();
    let mut means = Vec::new();
    while work.advance() != Progress::Done {
        let snapshot: PlaneSnapshot = work.snapshot();
        means.extend(snapshot.best(Approximation::Full).map(|row| row.details.mean));
    }
    means.dedup();
    assert!(means.len() > 5, "{} ellipses", means.len());
    let stopped = spec(&[("hmc", "0"), ("evaluations", "3")]);
    let early = run(&[("hmc", "0"), ("evaluations", "3")]);
    let status = TwoWeights::status(&stopped, &early);
    assert_eq!(status.outcome, Outcome::MaxIterations);
    assert!(early.fits.iter().filter(|row| row.method.is_ensemble()).all(|row| row.evaluations == 3));
}

#[test]
fn live_fits_are_shown_only_when_all_are_done() {
    let started = spec(&[]);
    let plan = Live::<TwoWeights>::plan(&started, None);
    let mut work = Live::<TwoWeights>::start(&started, 0..plan.units(), &Store::default(), None).unwrap();
    while let Progress::Running { shown, .. } = work.advance() {
        assert!(!shown || work.snapshot().fits.len() == 6);
    }
    let snapshot: PlaneSnapshot = work.snapshot();
    assert_eq!(snapshot.fits.len(), 6);
    let figures = Live::<TwoWeights>::figures(&started, &snapshot);
    assert!(
        figures[1].handles.as_ref().unwrap().shown.starts_with("-1.17,-0.15")
            && figures[0].find("full").is_some()
    );
}

#[test]
fn the_symmetric_mode_mirrors_the_posterior() {
    let snapshot = run(&[("twin", "true"), ("hmc", "0"), ("restarts", "1")]);
    let exact = snapshot.exact.as_ref().unwrap();
    let rotated: Vec<f32> = exact.map.iter().rev().copied().collect();
    assert!(exact.map.iter().zip(&rotated).all(|(a, b)| (a - b).abs() <= 1e-4 * a.max(*b)));
    let figures = TwoWeights::figures(&spec(&[("twin", "true")]), &snapshot);
    let ellipses = figures[0].marks.iter().filter(|mark| matches!(mark, Mark::Ellipses(_))).count();
    assert_eq!(ellipses, 6);
}

#[test]
fn the_set_of_own_points_must_not_be_empty() {
    let empty: Raw = [("set".to_owned(), "own".to_owned())].into();
    let error = Checked::<PlaneSpec>::new(&empty).unwrap_err().remove(0);
    assert_eq!((error.field.as_str(), error.nearest.as_deref()), ("set", Some("figure1")));
}

/// Returns the settings of a preset, without chains.
fn preset(label: &str) -> Checked<PlaneSpec> {
    let preset = spec::PRESETS.iter().find(|preset| preset.label == label).unwrap();
    Checked::new(&Link::parse(&format!("#/mlp?{}&hmc=0", preset.query)).raw).unwrap()
}

/// Returns the fraction of the window inside the contour of 99 % of the mass.
fn coverage(ExactPosterior { map, levels, .. }: &ExactPosterior) -> f64 {
    map.iter().filter(|density| **density > levels[2]).count() as f64 / map.len() as f64
}

#[test]
fn the_posterior_and_every_optimum_are_visible_in_every_preset() {
    for label in spec::PRESETS.iter().map(|preset| preset.label) {
        let spec = preset(label);
        let snapshot = complete::<TwoWeights>(&spec, &Store::default()).unwrap();
        let exact = snapshot.exact.as_ref().unwrap();
        assert!(coverage(exact) > 0.045, "{label}: {}", coverage(exact));
        let figure = TwoWeights::figures(&spec, &snapshot).remove(0);
        let spans = [figure.x.range, figure.y.range].map(|(low, high)| high - low);
        let mirrored = if spec.twin { &[1.0, -1.0][..] } else { &[1.0] };
        for row in &snapshot.fits {
            let PlaneFit { mean: [u, v], covariance: [uu, _, vv], .. } = row.details;
            for sign in mirrored {
                let inside = |at: f64, (low, high): (f64, f64)| (low..=high).contains(&at);
                let seen = inside(sign * u, figure.x.range) && inside(sign * v, figure.y.range);
                assert!(seen, "{label}: {} at ({u}, {v})", row.method);
            }
            let sizes = [4.0 * uu.sqrt() / spans[0], 4.0 * vv.sqrt() / spans[1]];
            assert!(sizes.iter().all(|size| *size > 0.03), "{label}: {} of {sizes:?}", row.method);
        }
    }
}

/// Under this prior, weights u up to 1,000 and v up to 1,400 are in the region of 99 % of the mass, which is thin everywhere.
#[test]
fn part_of_a_long_thin_posterior_is_visible() {
    for twin in ["false", "true"] {
        let broad = [("set", "saturated"), ("alpha", "0.000007"), ("beta", "42"), ("hmc", "0")];
        let snapshot = run(&[&broad[..], &[("restarts", "2"), ("twin", twin)]].concat());
        let exact = snapshot.exact.as_ref().unwrap();
        assert!(coverage(exact) > 0.1 && exact.window[1].1 < 2.0, "{:?}", exact.window);
    }
}

#[test]
fn other_optima_and_symmetric_modes_have_headlines_of_their_own() {
    let first = |label: &str| {
        let spec = preset(label);
        let snapshot = complete::<TwoWeights>(&spec, &Store::default()).unwrap();
        TwoWeights::figures(&spec, &snapshot).remove(0)
    };
    let two = first("Two optima");
    assert!(two.find("full_other").is_some() && two.finding.contains("of 6 starts"), "{}", two.finding);
    let [stock, symmetric] = ["Figure 1: Laplace against ensemble learning", "Symmetric modes"].map(first);
    assert!(stock.find("full_other").is_none() && stock.find("full_twin").is_none());
    assert!(symmetric.find("full_twin").is_some() && symmetric.finding.contains("0.693"));
    assert!(stock.finding != symmetric.finding && stock.finding != two.finding);
}
