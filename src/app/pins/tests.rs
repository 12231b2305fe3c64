use super::*;
use crate::figure::{
    Axis, Cloud, Colours, Curve, Dot, Ellipse, Ellipses, Handles, Marker, Panel, Point, Points,
};
use crate::lab::Link;
use crate::lab::Task;
use crate::models::task;

const ID: &str = "feedforward";

fn the_task() -> &'static dyn Task {
    task(ID).unwrap()
}

fn values(query: &str) -> Values {
    the_task().check(&Link::parse(&format!("#/{ID}?{query}")).raw).unwrap()
}

fn figure(id: &str) -> Figure {
    let points = || [Point::new(1.0, 0.5).with_se(0.1)];
    Figure::new(id, "")
        .x(Axis::linear("x", (0.0, 1.0)))
        .y(Axis::linear("y", (0.0, 1.0)))
        .mark(Curve::new("theory", "theory", Hue::Blue).stroke(Stroke::Dashed).points(points()))
        .mark(Curve::new("training", "training", Hue::Green).marker(Marker::Disc).points(points()))
        .mark(Curve::new("error", "error", Hue::Blue).marker(Marker::Disc).points(points()))
}

fn under(pins: &Pins, task: &str, present: &Values) -> Drawing {
    let mut drawing = Drawing::new(figure("curve"));
    pins.lay_under(&mut drawing, task, the_task().fields(), Some(present));
    drawing
}

fn keys(drawing: &Drawing) -> Vec<&str> {
    drawing.figure.marks.iter().map(Mark::key).collect()
}

fn names(drawing: &Drawing) -> Vec<&str> {
    drawing.styles.iter().filter_map(|style| style.name.as_deref()).collect()
}

#[test]
fn only_settings_that_differ_are_compared() {
    let mut pins = Pins::default();
    let result = figure("curve").finding("Far.");
    assert_eq!(pins.add(ID, values("inputs=15"), vec![result]), Some(1));
    assert_eq!(pins.add(ID, values("inputs=15&beta=inf"), vec![]), Some(2));
    let present = values("inputs=30");
    let table = pins.compared(ID, the_task().fields(), Some((&present, "Close.".to_owned())));
    assert_eq!(table.columns, ["Inputs", "Label reliability", "Result"]);
    let row = |number, cells: [&str; 3]| (number, cells.map(str::to_owned).to_vec());
    assert_eq!(
        table.rows,
        [row(Some(1), ["15", "2", "Far."]), row(Some(2), ["15", "∞", ""]), row(None, ["30", "2", "Close."])]
    );
    assert!(pins.compared("gp", &[], None).rows.is_empty());
    assert_eq!(table.pins(), 2);
}

#[test]
fn measured_curves_lie_thin_under_the_figure_and_each_pin_is_named_once() {
    let mut pins = Pins::default();
    pins.add(ID, values("inputs=15"), vec![figure("other"), figure("curve")]);
    let drawn = under(&pins, ID, &values(""));
    assert_eq!(keys(&drawn), ["pin1 training", "pin1 error", "theory", "training", "error"]);
    assert!(drawn.styles[..2].iter().all(|style| style.thin == Some(Stroke::Solid) && !style.hidden));
    assert!(drawn.styles[2..].iter().all(|style| *style == MarkStyle::default()));
    let (below, own) = drawn.figure.marks.split_at(2);
    assert!(below.iter().all(|pinned| pinned.info().hue == hue(1)));
    assert_eq!(names(&drawn), ["", "Pin 1: N\u{a0}15"]);
    assert_eq!(below[0].info().label, "Pin 1: N\u{a0}15, training");
    assert_eq!(own, figure("curve").marks);
    // Equal settings: the name has no setting.
    assert_eq!(names(&under(&pins, ID, &values("inputs=15"))), ["", "Pin 1"]);
    // A map without contours is not compared.
    let grid = |at: f32| {
        let plane = ((0.0, 1.0), (0.0, 1.0));
        Grid::map("map", "p", 2, vec![0.0, at, 0.0, at], plane, Colours::Probability)
    };
    let mut map = Drawing::new(figure("curve").mark(grid(1.0)));
    let before = map.clone();
    pins.lay_under(&mut map, ID, the_task().fields(), Some(&values("")));
    assert_eq!(map, before);
    // A map with contours is compared by its contours.
    pins.add(ID, values("inputs=20"), vec![figure("curve").mark(grid(0.8).contours([0.1, 0.5]))]);
    pins.lay_under(&mut map, ID, the_task().fields(), Some(&values("")));
    assert_eq!(map.figure.marks.len(), before.figure.marks.len() + 1);
    let Mark::Segments(line) = &map.figure.marks[0] else { panic!("{:?}", map.figure.marks[0]) };
    let x = line.lines[0][0].0;
    assert!(line.lines.len() == 1 && (x - (0.25 + 0.5 * 0.5 / 0.8)).abs() < 1e-6, "{line:?}");
    assert_eq!((line.info.hue, map.styles[0].name.as_deref()), (hue(2), Some("Pin 2: N\u{a0}20")));
    pins.remove(ID, 2);
    // A mark that is switched off is hidden in the pin as well.
    let mut quieter = Drawing::new(figure("curve"));
    quieter.styles[1].hidden = true;
    pins.lay_under(&mut quieter, ID, the_task().fields(), Some(&values("")));
    assert_eq!(keys(&quieter)[0], "pin1 error");
    // The figures of another task do not change.
    assert_eq!(under(&pins, "feedforward.run", &values("")), Drawing::new(figure("curve")));
}

#[test]
fn a_figure_of_lines_alone_is_kept_whole_and_other_axes_are_not_mixed() {
    let mut lines = figure("curve");
    for mark in &mut lines.marks {
        let Mark::Curve(curve) = mark else { panic!("a curve") };
        curve.marker = None;
    }
    lines.y.range = (-1.0, 3.0);
    let mut pins = Pins::default();
    pins.add(ID, values("seed=2"), vec![lines.clone()]);
    let drawn = under(&pins, ID, &values(""));
    assert_eq!(drawn.figure.marks.len(), 6);
    assert_eq!(drawn.figure.y.range, (-1.0, 3.0));
    lines.y.label = "log-likelihood".into();
    pins.remove(ID, 1);
    pins.add(ID, values("seed=2"), vec![lines]);
    assert_eq!(under(&pins, ID, &values("")), Drawing::new(figure("curve")));
}

/// Regression: the examples were joined by a line, and the fit was not pinned.
#[test]
fn of_a_figure_with_points_to_edit_the_fit_is_kept() {
    let edited = || figure("curve").handles(Handles::new("points", &""));
    let mut pins = Pins::default();
    pins.add(ID, values("seed=2"), vec![edited()]);
    let mut drawing = Drawing::new(edited());
    pins.lay_under(&mut drawing, ID, the_task().fields(), Some(&values("")));
    assert_eq!(keys(&drawing), ["pin1 theory", "theory", "training", "error"]);
}

#[test]
fn four_are_the_most_and_a_place_that_is_free_is_taken_again() {
    let mut pins = Pins::default();
    let mut add = |seed: usize| pins.add(ID, values(&format!("seed={seed}")), vec![figure("curve")]);
    assert_eq!([1, 2, 3, 4, 5].map(&mut add), [Some(1), Some(2), Some(3), Some(4), None]);
    pins.remove(ID, 2);
    assert_eq!(pins.settings(ID, 2), None);
    assert_eq!(pins.add(ID, values("seed=6"), vec![]), Some(2));
    assert_eq!(pins.settings(ID, 2).unwrap()["seed"], "6");
    let numbers: Vec<_> = pins.compared(ID, the_task().fields(), None).rows.iter().map(|r| r.0).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);
    // Each task has four pins of its own.
    assert_eq!(pins.add("feedforward.run", values(""), vec![]), Some(1));
    let strokes: Vec<_> = STROKES.map(|s| format!("{s:?}")).to_vec();
    assert!(strokes.iter().all(|s| strokes.iter().filter(|t| *t == s).count() == 1));
}

#[test]
fn long_values_are_cut() {
    let many = values("alphas=0.25,0.5,0.75,1,1.25,1.5,1.75,2");
    let field = the_task().fields().iter().find(|f| f.key == "alphas").unwrap();
    assert_eq!(read(field, &many), "0.25,0.5,0.75,1,1.25,1.5…");
}

/// Regression: the draws from two fits lay over each other, and the ellipses were left out.
#[test]
fn panels_with_ellipses_are_compared_by_their_ellipses() {
    let axis = || Axis::linear("u", (0.0, 1.0));
    let ellipse = Ellipse { mean: (0.5, 0.5), covariance: [0.1, 0.0, 0.1], label: String::new() };
    let dot = Dot::new(Point::new(0.5, 0.5), "");
    let panels = Figure::new("curve", "")
        .panels(2, ["exact", "fit"].map(|key| Panel::new(key, axis(), axis())))
        .on(0, [Points::new("draws", "draws", Hue::Ink, Marker::Disc, [dot])])
        .on(1, [Ellipses::new("fit", "fit", Hue::Blue, 2.0, [ellipse])]);
    let mut pins = Pins::default();
    pins.add(ID, values("seed=2"), vec![panels.clone()]);
    let mut drawing = Drawing::new(panels);
    pins.lay_under(&mut drawing, ID, the_task().fields(), Some(&values("")));
    assert_eq!(keys(&drawing), ["pin1 fit", "draws", "fit"]);
    assert_eq!(drawing.figure.marks[0].info().panel, 1);
}

/// Regression: scattered measurements were joined by a line.
#[test]
fn only_lines_and_small_sets_of_points_are_joined() {
    let line = |count: usize| {
        let points = (0..count).map(|i| Point::new(i as f64, 0.0));
        let curve: Mark = Curve::new("a", "a", Hue::Blue).marker(Marker::Disc).points(points).into();
        let Mark::Curve(curve) = pinned(&curve, 1, "Pin 1") else { panic!("a curve") };
        (curve.stroke, curve.marker)
    };
    assert_eq!(line(1), (None, Some(Marker::Disc)));
    assert_eq!(line(10), (Some(Stroke::Solid), None));
    assert_eq!(line(MANY), (None, Some(Marker::Disc)));
    let cloud = |key: &str| Cloud::new(key, key, Hue::Sky).points([[0.0; 3], [1.0; 3]]);
    let space = Figure::new("curve", "")
        .z(Axis::linear("z", (0.0, 1.0)))
        .mark(cloud("data").marker(Marker::Disc))
        .mark(cloud("fit").stroke(Stroke::Solid));
    let mut pins = Pins::default();
    pins.add(ID, values("seed=2"), vec![space.clone()]);
    let mut drawing = Drawing::new(space);
    pins.lay_under(&mut drawing, ID, the_task().fields(), Some(&values("")));
    assert_eq!(keys(&drawing), ["pin1 fit", "data", "fit"]);
}
