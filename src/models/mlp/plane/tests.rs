//! Tests of the task with two weights, from specifications to figures.

use super::*;
use crate::data::Store;
use crate::figure::{Axis, Hue, Mark, tidy_csv};
use crate::lab::{Checked, Link, Live, Outcome, Progress, Raw, TypedTask, complete};
use crate::math::random::{Purpose, Stream};
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
    let titles: Vec<&str> = figures[0].all_panels().iter().map(|panel| panel.title.as_str()).collect();
    assert!(
        titles[1].contains("38.6") && titles[2].contains("2.20") && titles[3].contains("1.54"),
        "{titles:?}"
    );
    assert_eq!(TwoWeights::status(&spec(&[]), &snapshot).outcome, Outcome::Converged);
}

fn posterior(spec: &PlaneSpec) -> TwoWeightPosterior {
    let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
    TwoWeightPosterior::new(&x, &t, spec.alpha, spec.beta)
}

/// Returns ln of the posterior density, with erf from the mathematical library.
fn ln_density(spec: &PlaneSpec, ln_z: f64, (u, v): (f64, f64)) -> f64 {
    let error = |(x, t): (f64, f64)| t - v * libm::erf(u * x * std::f64::consts::FRAC_1_SQRT_2);
    let errors: f64 = spec.examples().into_iter().map(|example| error(example).powi(2)).sum();
    -0.5 * spec.beta * errors - 0.5 * spec.alpha * (u * u + v * v) - ln_z
}

/// Both limits at every u have the same density, which is that of the level, except where the interval has width 0.
#[test]
fn the_border_of_a_region_has_the_density_of_its_level() {
    for settings in
        [&[("hmc", "0")][..], &[("hmc", "0"), ("twin", "true")], &[("set", "saturated"), ("hmc", "0")]]
    {
        let spec = spec(settings);
        let exact = exact::exact_posterior(&spec);
        let mut before = f64::INFINITY;
        for region in &exact.regions {
            let wide: Vec<[f64; 3]> = region
                .iter()
                .map(|interval| interval.map(f64::from))
                .filter(|[_, lower, upper]| upper - lower > 1e-3)
                .collect();
            assert!(wide.len() > 30, "{}", wide.len());
            let levels = wide.iter().flat_map(|[u, lower, upper]| {
                [lower, upper].map(|v| ln_density(&spec, exact.ln_z, (*u, *v)))
            });
            let (low, high) =
                levels.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), level| (l.min(level), h.max(level)));
            assert!(high - low < 2e-2 && high < before, "{low} to {high}, outside {before}");
            before = low;
        }
        assert!((before - exact.ln_level).abs() < 2e-2, "{before} and {}", exact.ln_level);
        assert_eq!(exact.regions[2].iter().any(|[u, ..]| *u < 0.0), spec.twin);
    }
}

/// A region is closed: its first and last interval and those between two parts have width 0, or lie at u = 0 if one mode is shown.
#[test]
fn regions_are_closed() {
    for settings in [&[][..], &[("twin", "true")], &[("beta", "2")], &[("set", "held2"), ("alpha", "1.2")]] {
        let exact = exact::exact_posterior(&spec(settings));
        for region in &exact.regions {
            let size = exact.window[1].1 - exact.window[1].0;
            for [u, lower, upper] in [region[0], region[region.len() - 1]] {
                assert!(f64::from(upper - lower) < 1e-3 * size || u == 0.0, "{settings:?}: open at {u}");
            }
            assert!(region.is_sorted_by(|a, b| a[0] <= b[0]));
        }
    }
}

/// Each region has its share of many draws.
#[test]
fn regions_hold_their_share_of_the_draws() {
    let spec = spec(&[("twin", "true")]);
    let (posterior, exact) = (posterior(&spec), exact::exact_posterior(&spec));
    let mut stream = Stream::for_purpose(5, Purpose::MlpDraws, 0);
    let draws: Vec<(f64, f64)> = (0..4000).map(|_| posterior.draw(&mut stream)).collect();
    let outside =
        |ln_level: f64| draws.iter().filter(|draw| posterior.density().is_below(ln_level, **draw)).count();
    for share in exact::SHARES {
        let inside = 1.0 - outside(posterior.level(share).ln()) as f64 / draws.len() as f64;
        assert!(
            (inside - share).abs() < 4.0 * (share * (1.0 - share) / draws.len() as f64).sqrt(),
            "{share}: {inside}"
        );
    }
    let (us, vs): (Vec<f64>, Vec<f64>) = draws.into_iter().unzip();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (u, v) = posterior.means();
    assert!((mean(&us) - u).abs() < 0.05 && (mean(&vs) - v).abs() < 0.02);
    assert_eq!(exact.draws.len(), exact::DRAWS);
}

/// The probability outside the region agrees with the fraction of draws that are outside.
#[test]
fn the_excluded_share_is_that_of_many_draws() {
    let spec = spec(&[]);
    let posterior = posterior(&spec);
    let ln_level = posterior.level(0.99).ln();
    let (mean, [uu, uv, vv]) = ([0.5, 0.3], [0.2, -0.05, 0.02]);
    let share = posterior.density().mass_below(ln_level, mean, [uu, uv, vv]);
    let mut stream = Stream::for_purpose(6, Purpose::MlpDraws, 1);
    let (sd, rest) = (uu.sqrt(), (vv - uv * uv / uu).sqrt());
    let outside = (0..20_000).filter(|_| {
        let (a, b) = (stream.normal(), stream.normal());
        posterior.density().is_below(ln_level, (mean[0] + sd * a, mean[1] + uv / sd * a + rest * b))
    });
    let fraction = outside.count() as f64 / 20_000.0;
    assert!((fraction - share).abs() < 0.012, "{fraction} instead of {share}");
    // A point mass is inside or outside.
    let (u, v) = posterior.mode();
    assert!(posterior.density().mass_below(ln_level, [u, v], [0.0; 3]) < 1e-9);
    assert!(posterior.density().mass_below(ln_level, [u, -v], [0.0; 3]) > 1.0 - 1e-9);
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
    assert_eq!(status.outcome, Outcome::Partial);
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
    let exact = exact::exact_posterior(&spec(&[("twin", "true")]));
    for region in &exact.regions {
        let mirrored = region.iter().rev().map(|[u, lower, upper]| [-u, -upper, -lower]);
        let near = |(a, b): (&[f32; 3], [f32; 3])| {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3 * (1.0 + a.abs()))
        };
        assert!(region.iter().zip(mirrored).all(near));
    }
    let right = exact.draws.iter().filter(|(u, _)| *u > 0.0).count();
    assert!((4..=16).contains(&right), "draws from both modes: {right} of {}", exact.draws.len());
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

/// Returns the fraction of the window inside the region of 99 % of the mass.
fn coverage(spec: &PlaneSpec, exact: &ExactPosterior) -> f64 {
    exact::coverage(posterior(spec).density(), exact.ln_level, exact.window)
}

#[test]
fn the_posterior_and_every_optimum_are_visible_in_every_preset() {
    for label in spec::PRESETS.iter().map(|preset| preset.label) {
        let spec = preset(label);
        let snapshot = complete::<TwoWeights>(&spec, &Store::default()).unwrap();
        let exact = snapshot.exact.as_ref().unwrap();
        assert!(coverage(&spec, exact) > 0.045, "{label}: {}", coverage(&spec, exact));
        let figure = TwoWeights::figures(&spec, &snapshot).remove(0);
        let (x, y) = figure.axes(0);
        let inside = |at: f64, axis: &Axis| (axis.range.0..=axis.range.1).contains(&at);
        for row in &snapshot.fits {
            let PlaneFit { mean: [u, v], covariance: [uu, _, vv], .. } = row.details;
            let best = snapshot.best(row.method).unwrap().restart == row.restart;
            let ends = |mean: f64, var: f64| {
                let half = if best { 2.0 * var.sqrt() } else { 0.0 };
                [mean - half, mean + half]
            };
            let seen = ends(u, uu).map(|at| inside(at, x)) == [true; 2]
                && ends(v, vv).map(|at| inside(at, y)) == [true; 2];
            assert!(
                seen,
                "{label}: {} at ({u}, {v}) ± ({uu}, {vv}) in {:?} {:?}",
                row.method, x.range, y.range
            );
            let spans = [x, y].map(|axis| axis.range.1 - axis.range.0);
            let sizes = [4.0 * uu.sqrt() / spans[0], 4.0 * vv.sqrt() / spans[1]];
            assert!(sizes.iter().all(|size| *size > 0.03), "{label}: {} of {sizes:?}", row.method);
        }
        if spec.twin {
            assert!(x.range.0 <= -exact.window[0].1 && y.range.0 <= -exact.window[1].1, "both modes");
        }
    }
}

#[test]
fn every_panel_shows_its_marks_and_the_lower_ones_have_handles() {
    let spec = spec(&[("hmc", "0"), ("restarts", "1")]);
    let snapshot = complete::<TwoWeights>(&spec, &Store::default()).unwrap();
    let figure = TwoWeights::figures(&spec, &snapshot).remove(0);
    assert_eq!(figure.all_panels().len(), 8);
    for (index, panel) in figure.all_panels().iter().enumerate() {
        let (x, y) = figure.axes(index);
        let inside = |at: f64, axis: &Axis| (axis.range.0..=axis.range.1).contains(&at);
        let here = figure.marks.iter().filter(|mark| mark.info().panel == index && !mark.info().hidden);
        let seen = |mark: &&Mark| {
            // The few draws that the data exclude may lie far out.
            mark.is_empty()
                || mark.key().contains("excluded_draws")
                || mark.data().any(|datum| inside(datum.x, x) && inside(datum.y, y))
        };
        let unseen: Vec<&str> = here.filter(|mark| !seen(mark)).map(Mark::key).collect();
        assert!(unseen.is_empty(), "{}: {unseen:?}", panel.key);
        assert_eq!(figure.handles.as_ref().unwrap().in_panel(index), index >= 4);
    }
    // Each draw is a dot above and a curve below, in red if the data exclude it.
    for word in ["exact", "laplace", "diagonal", "full"] {
        let count = |key: &str| match figure.find(&format!("{word}_{key}")) {
            Some(Mark::Points(points)) => points.dots.len(),
            Some(Mark::Threads(threads)) => threads.threads.len(),
            _ => panic!("no {word}_{key}"),
        };
        assert_eq!(count("draws") + count("excluded_draws"), exact::DRAWS);
        assert_eq!(count("draws"), count("draws_curves"));
        assert_eq!(count("excluded_draws"), count("excluded_draws_curves"));
        assert_eq!(count("examples"), 4);
        assert_eq!(figure.find(&format!("{word}_excluded_draws")).unwrap().info().hue, Hue::Red);
    }
    let csv = tidy_csv(&figure);
    assert!(
        csv.starts_with("panel,series,x,y,")
            && csv.contains("\nlaplace_curves,laplace_examples,-1.17,-0.15,")
    );
    // Repeated, the draws are the same to the bit.
    assert_eq!(TwoWeights::figures(&spec, &snapshot).remove(0), figure);
}

#[test]
fn the_hatched_part_of_an_ellipse_is_inside_it_and_outside_the_region() {
    let spec = spec(&[("hmc", "0"), ("restarts", "1")]);
    let snapshot = complete::<TwoWeights>(&spec, &Store::default()).unwrap();
    let exact = snapshot.exact.as_ref().unwrap();
    let figure = TwoWeights::figures(&spec, &snapshot).remove(0);
    let PlaneFit { mean: [u, v], covariance: [uu, uv, vv], .. } =
        snapshot.best(Approximation::Laplace).unwrap().details;
    let mut area = 0.0;
    for side in ["above", "below"] {
        let Some(Mark::Band(band)) = figure.find(&format!("laplace_excluded_{side}")) else {
            panic!("a band")
        };
        for pair in band.intervals.windows(2) {
            area += 0.5
                * (pair[1].x - pair[0].x)
                * (pair[0].upper - pair[0].lower + pair[1].upper - pair[1].lower);
        }
        for interval in band.intervals.iter().filter(|interval| interval.upper - interval.lower > 1e-9) {
            let at = (interval.x, 0.5 * (interval.lower + interval.upper));
            assert!(ln_density(&spec, exact.ln_z, at) < exact.ln_level);
            let (a, b) = (at.0 - u, at.1 - v);
            let distance = (vv * a * a - 2.0 * uv * a * b + uu * b * b) / (uu * vv - uv * uv);
            assert!(distance <= 4.0 + 1e-9, "{distance}");
        }
    }
    let ellipse = 4.0 * std::f64::consts::PI * (uu * vv - uv * uv).sqrt();
    assert!((0.3..0.9).contains(&(area / ellipse)), "{area} of {ellipse}");
}

/// Under this prior, weights u up to 1,000 and v up to 1,400 are in the region of 99 % of the mass, which is thin everywhere.
#[test]
fn part_of_a_long_thin_posterior_is_visible() {
    for twin in ["false", "true"] {
        let broad = [("set", "saturated"), ("alpha", "0.000007"), ("beta", "42"), ("hmc", "0")];
        let snapshot = run(&[&broad[..], &[("restarts", "2"), ("twin", twin)]].concat());
        let exact = snapshot.exact.as_ref().unwrap();
        let spec = spec(&[&broad[..], &[("twin", twin)]].concat());
        assert!(coverage(&spec, exact) > 0.1 && exact.window[1].1 < 2.0, "{:?}", exact.window);
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
    let [stock, symmetric] = ["Paper, Figure 1: three Gaussians", "Symmetric modes"].map(first);
    assert!(stock.find("full_other").is_none() && symmetric.finding.contains("half of the probability"));
    assert!(
        stock.finding.contains(" comes closest: ") && stock.finding.contains(", Laplace "),
        "{}",
        stock.finding
    );
    assert!(stock.caption.contains(" % of Laplace’s mass, "), "{}", stock.caption);
    assert!(stock.finding != symmetric.finding && stock.finding != two.finding);
}
