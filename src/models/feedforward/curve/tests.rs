//! Tests of the figure.

use super::figures::MAX_THREADS;
use super::spec::PRESETS;
use super::{CurveSnapshot, CurveSpec, LearningCurve, TheoryCurve};
use crate::data::Store;
use crate::figure::{Curve, Figure, Mark, Marker, Stroke};
use crate::lab::{Checked, Link, TypedTask, complete};

fn spec(query: &str) -> Checked<CurveSpec> {
    Checked::new(&Link::parse(&format!("#/feedforward?{query}")).raw).unwrap()
}

fn figure(query: &str) -> Figure {
    let spec = spec(query);
    let snapshot = complete::<LearningCurve>(&spec, &Store::default()).unwrap();
    LearningCurve::figures(&spec, &snapshot).remove(0)
}

/// Keys and strokes of the curves that are shown at first.
fn shown(figure: &Figure) -> Vec<(&str, Option<Stroke>)> {
    let shown = figure.curves().filter(|curve| !curve.info.hidden);
    shown.map(|curve| (curve.info.key.as_str(), curve.stroke)).collect()
}

/// Returns the settings of a preset with few runs.
fn preset(label: &str) -> String {
    let known = PRESETS.iter().find(|preset| preset.label.starts_with(label)).unwrap();
    known.query.replace("runs=200", "runs=3")
}

#[test]
fn the_presets_of_the_papers_figures_show_the_curves_of_their_captions() {
    let solid = Some(Stroke::Solid);
    let one = figure(&preset("Paper, Figure 1"));
    let (dashed, dotted) = (Some(Stroke::Dashed), Some(Stroke::Dotted));
    assert_eq!(
        shown(&one),
        [
            ("theory_clean", dashed),
            ("theory_noisy", dashed),
            ("training", solid),
            ("clean", solid),
            ("noisy", solid),
            ("moving_control", dotted),
        ]
    );
    let two = figure(&preset("Paper, Figure 2"));
    assert_eq!(
        shown(&two),
        [
            ("training", solid),
            ("moving_control_opt", Some(Stroke::DashDot)),
            ("opt", dotted),
            ("clean", solid),
            ("moving_control", dashed),
        ]
    );
    for figure in [one, two] {
        assert!(figure.find("learners").unwrap().info().hidden);
        assert!(figure.find("label_noise").is_none_or(|band| band.info().hidden));
    }
    let companion = spec(&preset("Paper, Figure 2"));
    let theory = complete::<TheoryCurve>(&companion, &Store::default()).unwrap();
    let theory = TheoryCurve::figures(&companion, &theory).remove(0);
    assert!(shown(&theory).is_empty() && theory.notes.is_empty());
}

#[test]
fn theory_and_label_noise_are_drawn_before_the_first_run() {
    let spec = spec("beta=2&runs=3");
    let snapshot = complete::<LearningCurve>(&spec, &Store::default()).unwrap();
    let before = CurveSnapshot { runs: Vec::new(), ..snapshot };
    let figure = LearningCurve::figures(&spec, &before).remove(0);
    assert!(["theory_clean", "theory_noisy"].iter().all(|key| figure.curve(key).unwrap().points.len() == 9));
    let Some(Mark::Band(band)) = figure.find("label_noise") else { panic!("a band") };
    assert!(
        figure.caption.contains("12\u{a0}% of the labels flipped"),
        "1/(1 + e²) = 12 %: {}",
        figure.caption
    );
    let ends = |at: &crate::figure::Interval| (at.lower, at.upper);
    let curve = |key: &str| figure.curve(key).unwrap().points.iter().map(|p| p.y).collect::<Vec<_>>();
    let both: Vec<_> = curve("theory_clean").into_iter().zip(curve("theory_noisy")).collect();
    assert_eq!(band.intervals.iter().map(ends).collect::<Vec<_>>(), both);
    assert!(figure.find("learners").unwrap().is_empty() && figure.notes.len() == 1);
}

#[test]
fn the_first_runs_are_threads_and_the_estimate_is_a_ring_around_the_error() {
    let figure = figure("inputs=10&alphas=1,0.5&runs=60");
    let Some(Mark::Threads(runs)) = figure.find("learners") else { panic!("threads") };
    assert_eq!(runs.threads.len(), MAX_THREADS);
    assert_eq!(runs.threads[MAX_THREADS - 1].label, format!("run {MAX_THREADS}"));
    assert!(runs.threads.iter().all(|thread| thread.points.iter().map(|p| p.0).eq([0.5, 1.0])));
    assert!(figure.caption.contains(&format!("the first {MAX_THREADS} of 60")), "{}", figure.caption);
    let ring = figure.curve("moving_control").unwrap();
    assert_eq!((ring.marker, ring.stroke), (Some(Marker::Ring), None));
    let xs = |curve: &Curve| curve.points.iter().map(|p| p.x).collect::<Vec<_>>();
    assert_eq!(xs(ring), xs(figure.curve("noisy").unwrap()));
}
