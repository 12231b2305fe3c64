//! The experiments of two weights, from a specification to what is seen.

use super::*;
use crate::data::Store;
use crate::figure::Mark;
use crate::lab::{Checked, Live, Outcome, Progress, Raw, Run, complete};
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
fn figure_1_by_default() {
    let snapshot = run(&[("hmc", "500")]);
    for (method, expected) in FITTED.into_iter().zip([38.5535, 2.1957, 1.5382]) {
        assert!((kl(&snapshot, method) - expected).abs() < 1e-4, "{method}: {}", kl(&snapshot, method));
    }
    assert_eq!((snapshot.fits.len(), snapshot.chains.len()), (9, 4));
    let chains = snapshot.sampled().unwrap();
    let truth = snapshot.truth.as_ref().unwrap();
    for (ours, exact) in chains.predicted.iter().zip(&truth.predicted) {
        assert!((ours.0 - exact.0).abs() < 0.5 * exact.1 + 1e-9, "{ours:?} {exact:?}");
    }
    let figures = TwoWeights::figures(&spec(&[]), &snapshot);
    assert!(figures[0].finding.contains("38.6 nats") && figures[0].caption.contains("neither its data"));
    assert_eq!(TwoWeights::status(&spec(&[]), &snapshot).outcome, Outcome::Converged);
    // The contours hold what they say: cells above them, times their size, on one of the twins.
    let [(left, right), (low, high)] = truth.window;
    let cell = (right - left) * (high - low) / truth.map.len() as f64;
    for (level, share) in truth.levels.iter().zip([0.5, 0.9, 0.99]) {
        let mass: f64 = truth
            .map
            .iter()
            .filter(|density| *density >= level)
            .map(|density| f64::from(*density) * cell)
            .sum();
        assert!((2.0 * mass - share).abs() < 0.02, "{share}: {mass}");
    }
}

/// Both ends of every piece have the density of one of the levels, and there are pieces of each.
#[test]
fn contours_are_where_the_density_is_that_of_their_level() {
    for settings in
        [&[("hmc", "0")][..], &[("hmc", "0"), ("twin", "true")], &[("set", "saturated"), ("hmc", "0")]]
    {
        let spec = spec(settings);
        let snapshot = run(&[settings, &[("restarts", "1")]].concat());
        let truth = snapshot.truth.as_ref().unwrap();
        let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
        let plane = TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta);
        let mut seen = [0; 3];
        for (u, v) in truth.contours.iter().flatten() {
            let density = plane.densities(&[f64::from(*u)], &[f64::from(*v)])[0];
            let near = |level: &f32| (density / f64::from(*level) - 1.0).abs() < 1e-2;
            let level = truth.levels.iter().position(near);
            seen[level.unwrap_or_else(|| panic!("{density} at ({u}, {v}): {:?}", truth.levels))] += 1;
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
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
fn fits_can_be_seen_on_their_way() {
    let started = spec(&[("hmc", "0"), ("restarts", "1")]);
    let mut work = TwoWeights::start(&started, 0..4, &Store::default(), None).unwrap();
    let mut pictures = Vec::new();
    while work.advance() != Progress::Done {
        let snapshot: PlaneSnapshot = work.snapshot();
        pictures.extend(snapshot.best(Approximation::Full).map(|row| row.mean));
    }
    pictures.dedup();
    assert!(pictures.len() > 5, "{} ellipses", pictures.len());
    let stopped = spec(&[("hmc", "0"), ("evaluations", "3")]);
    let early = run(&[("hmc", "0"), ("evaluations", "3")]);
    let status = TwoWeights::status(&stopped, &early);
    assert!(status.outcome == Outcome::MaxIterations && status.reason.unwrap().contains("3 evaluations"));
}

#[test]
fn live_fits_are_shown_when_all_are_there() {
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
fn the_twin_is_the_other_half() {
    let snapshot = run(&[("twin", "true"), ("hmc", "0"), ("restarts", "1")]);
    let truth = snapshot.truth.as_ref().unwrap();
    let turned: Vec<f32> = truth.map.iter().rev().copied().collect();
    assert!(truth.map.iter().zip(&turned).all(|(a, b)| (a - b).abs() <= 1e-4 * a.max(*b)));
    let figures = TwoWeights::figures(&spec(&[("twin", "true")]), &snapshot);
    let twins = figures[0].marks.iter().filter(|mark| matches!(mark, Mark::Ellipses(_))).count();
    assert_eq!(twins, 6);
}

#[test]
fn own_points_must_be_there() {
    let none: Raw = [("set".to_owned(), "own".to_owned())].into();
    let problem = Checked::<PlaneSpec>::new(&none).unwrap_err().remove(0);
    assert_eq!((problem.field.as_str(), problem.nearest.as_deref()), ("set", Some("figure1")));
}
