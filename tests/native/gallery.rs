//! A toy gallery: each kind of mark and frame that no model uses yet, drawn and read. With `MEANFIELD_GALLERY=folder` the
//! pictures are written there, to be looked at.

use std::f64::consts::TAU;

use meanfield::app::readout::{describe, step, under};
use meanfield::figure::{
    Axis, Band, Bar, Bars, Cloud, Colours, CrossSection, Curve, DataTable, Dot, Ellipse, Ellipses, Figure,
    Grid, Hue, Interval, Mark, Marker, Panel, Point, Points, Segments, Stroke, Tube, tidy_csv,
};
use meanfield::lab::{Confusion, confusion_figure};
use meanfield::render::{Drawing, FigureLayout, PlotGeometry, Theme, Turn, svg, svg_for_page};

/// Returns a regression with its uncertainty, components of a mixture, and parts of a whole.
fn plane() -> Figure {
    let x = |i: u32| f64::from(i) / 10.0;
    let mean = |x: f64| 0.5 + 0.3 * (2.0 * x).sin();
    let band = (0..=30).map(|i| Interval { x: x(i), lower: mean(x(i)) - 0.1, upper: mean(x(i)) + 0.1 });
    let ellipse = |mean, covariance, label: &str| Ellipse { mean, covariance, label: label.into() };
    let bars = |values: [f64; 3]| (0..3_u32).zip(values).map(|(i, v)| Bar::new(f64::from(i) + 0.5, v));
    let raised = |bar: Bar| Bar { base: 0.1, ..bar };
    Figure::new("plane", "Marks of the plane")
        .x(Axis::linear("input, x", (0.0, 3.0)))
        .y(Axis::linear("output, y", (0.0, 1.5)))
        .equal()
        .mark(Band::new("deviation", "± one deviation", Hue::Blue, band))
        .mark(
            Curve::new("mean", "mean", Hue::Blue)
                .stroke(Stroke::Solid)
                .points((0..=30).map(|i| Point::new(x(i), mean(x(i))))),
        )
        .mark(Bars::new("upright", "upright", Hue::Green, 0.4, bars([0.1, 0.2, 0.05])))
        .mark(Bars::new("raised", "raised", Hue::Orange, 0.4, bars([0.15, 0.3, 0.2]).map(raised)))
        .mark(Bars::new("lying", "lying", Hue::Purple, 0.1, [Bar::new(1.4, 0.8).with_se(0.2)]).horizontal())
        .mark(Ellipses::new(
            "components",
            "components",
            Hue::Vermilion,
            2.0,
            [
                ellipse((1.0, 1.0), [0.04, 0.01, 0.01], "first"),
                ellipse((2.2, 0.9), [0.01, 0.0, 0.02], "second"),
            ],
        ))
        .mark(Points::new(
            "data",
            "data",
            Hue::Ink,
            Marker::Disc,
            [
                Dot::new(Point::new(0.5, 0.8).with_se(0.05), "one").size(2.0),
                Dot::new(Point::new(f64::NAN, 0.8), "gone"),
            ],
        ))
        .mark(Segments::new("threshold", "threshold", Hue::Ink, Stroke::Dotted, [[(-5.0, 1.2), (2.8, 1.2)]]))
}

/// Returns ten digits of four by five pixels, one of them incomplete.
fn pictures() -> Figure {
    let pixels = |seed: usize| {
        (0..20).map(move |i| if i == 7 && seed == 3 { f32::NAN } else { ((i * seed) % 5) as f32 / 4.0 })
    };
    let grey = Colours::Grey { low: 0.0, high: 1.0 };
    let picture = |seed: usize| {
        Grid::image(format!("p{seed}"), format!("{seed}"), 4, &pixels(seed).collect::<Vec<_>>(), grey)
    };
    Figure::new("pictures", "Samples").pictures(0).marks((0..10).map(picture))
}

/// Returns a spiral with a tube around it and a cloud.
fn space() -> Figure {
    let at = |t: f64| [(TAU * t).cos(), (TAU * t).sin(), 2.0 * t - 1.0];
    let along = |t: f64| [-TAU * (TAU * t).sin(), TAU * (TAU * t).cos(), 2.0];
    let times = || (0..=40).map(|i| f64::from(i) / 40.0);
    let sections = times().step_by(4).map(|t| CrossSection { centre: at(t), along: along(t), radius: 0.15 });
    let axis = |label: &str| Axis::linear(label, (-1.5, 1.5));
    Figure::new("space", "A spiral")
        .x(axis("first, s₁"))
        .y(axis("second, s₂"))
        .z(axis("third, s₃"))
        .mark(Tube::new("tube", "one deviation", Hue::Sky, sections))
        .mark(Cloud::new("path", "mean", Hue::Blue).stroke(Stroke::Solid).points(times().map(at)))
        .mark(
            Cloud::new("guide", "axis", Hue::Ink)
                .stroke(Stroke::Dashed)
                .points([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]),
        )
        .mark(
            Cloud::new("draws", "draws", Hue::Orange).marker(Marker::Disc).points(times().step_by(5).map(at)),
        )
}

/// Returns two tables of printed counts.
fn counts() -> Figure {
    let rows = |cells: [[usize; 2]; 2]| {
        let cells = cells.into_iter().enumerate();
        cells.flat_map(|(is, row)| (0..2).flat_map(move |said| vec![(is, Some(said)); row[said]]))
    };
    let test = Confusion::new(2, rows([[10, 2], [3, 1450]]));
    let left_out = Confusion::new(2, rows([[30, 0], [7, 41]]));
    let sources = [("test", "Test rows", test), ("left_out", "Leave-one-out", left_out)];
    let classes = ["ill", "well"].map(str::to_owned);
    confusion_figure(Figure::new("counts", "Confusion matrix"), "diagnosis", &classes, &sources)
}

/// Returns four panels with their own axes: a mean with a hatched band, points with rims, a map, and bars.
fn panels() -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.0, 3.0));
    let panel = |key: &str| Panel::new(key, axis("input, x"), axis("output, y"));
    let band =
        (0..=30).map(|i| f64::from(i) / 10.0).map(|x| Interval { x, lower: 1.0, upper: 1.0 + x.sin().abs() });
    let extent = ((0.5, 2.5), (0.5, 2.5));
    let dots = [0.5, 1.0, 2.0].map(|x| Dot::new(Point::new(x, x), "a point"));
    Figure::new("panels", "Panels")
        .panels(2, [panel("band").titled("Hatched", Hue::Red), panel("dots"), panel("map"), panel("bars")])
        .on(0, [Band::new("hatched", "wrong", Hue::Red, band).hatched()])
        .on(1, [Points::new("rimmed", "points", Hue::Green, Marker::Rimmed, dots)])
        .on(2, [Grid::map("map", "p", 2, vec![0.1, 0.4, 0.6, 0.9], extent, Colours::Probability)])
        .on(3, [Bars::new("tall", "bars", Hue::Blue, 0.4, [Bar::new(1.0, 2.0), Bar::new(2.0, 1.0)])])
        .note_on(3, (2.0, 1.0), "a note")
}

fn all() -> [Figure; 5] {
    [plane(), pictures(), space(), counts(), panels()]
}

const SIZE: (f64, f64) = (760.0, 480.0);

#[test]
fn every_mark_is_drawn_with_finite_numbers_in_both_themes() {
    for figure in all() {
        assert!(figure.non_finite().is_empty(), "{}: {:?}", figure.id, figure.non_finite());
        let drawing = Drawing::new(figure.clone());
        for theme in [Theme::Light, Theme::Dark] {
            for (width, height) in [(760, 480), (358, 340), (20, 20)] {
                // A point that is not finite panics in debug builds.
                let picture = svg(&drawing, width, height, theme);
                assert!(!picture.contains("NaN") && !picture.contains("inf"), "{}", figure.id);
            }
        }
        assert!(
            svg_for_page(&drawing, 760, 480).contains("var(--hue-")
                || ["pictures", "counts"].contains(&figure.id.as_str())
        );
        if let Ok(folder) = std::env::var("MEANFIELD_GALLERY") {
            for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
                std::fs::write(format!("{folder}/{}-{name}.svg", figure.id), svg(&drawing, 760, 480, theme))
                    .unwrap();
            }
        }
        // A mark that is hidden leaves the picture.
        let whole = svg(&drawing, 760, 480, Theme::Light).len();
        for index in 0..figure.marks.len() {
            let mut fewer = drawing.clone();
            fewer.styles[index].hidden = true;
            assert_ne!(
                svg(&fewer, 760, 480, Theme::Light).len(),
                whole,
                "{}: {}",
                figure.id,
                figure.marks[index].key()
            );
        }
    }
}

fn frame(drawing: &Drawing) -> PlotGeometry {
    FigureLayout::new(drawing, SIZE).geometry
}

#[test]
fn a_unit_is_as_long_on_both_axes_where_the_figure_asks_for_it() {
    let frame = frame(&Drawing::new(plane()));
    let (origin, x, y) =
        (frame.to_px(0.0, 0.0).unwrap(), frame.to_px(1.0, 0.0).unwrap(), frame.to_px(0.0, 1.0).unwrap());
    assert!(((x.0 - origin.0) - (origin.1 - y.1)).abs() < 1.0, "{origin:?} {x:?} {y:?}");
}

#[test]
fn every_datum_can_be_read_where_it_is_drawn() {
    for figure in all() {
        let drawing = Drawing::new(figure);
        let frame = frame(&drawing);
        for (index, mark) in drawing.figure.marks.iter().enumerate() {
            let mut read = 0;
            for datum in 0..mark.len() {
                let Some(at) = frame.position(&drawing, index, datum) else { continue };
                let reading = under(&drawing, &frame, at).expect("something is there");
                let text = describe(&drawing, reading);
                // A missing pixel has nothing to say.
                assert!(text.is_some() || mark.datum(datum).is_none());
                assert!(!text.unwrap_or_default().contains("NaN"));
                read += 1;
            }
            assert!(read > 0, "{}: nothing of it is seen", mark.key());
        }
    }
}

#[test]
fn each_mark_has_its_own_reading() {
    let say = |figure: Figure, key: &str, datum: usize| {
        let drawing = Drawing::new(figure);
        let mark = drawing.figure.marks.iter().position(|mark| mark.key() == key).unwrap();
        let at = frame(&drawing).position(&drawing, mark, datum).unwrap();
        describe(&drawing, meanfield::app::readout::Readout { mark, datum, at }).unwrap()
    };
    assert_eq!(say(plane(), "deviation", 0), "± one deviation: y from 0.4000 to 0.6000 at x = 0");
    assert_eq!(say(plane(), "data", 0), "data: y = 0.8000 ± 0.0500 at x = 0.500 (one)");
    let ellipse = say(plane(), "components", 0);
    assert_eq!(
        ellipse,
        "components: mean x = 1, y = 1; standard deviations 0.200 and 0.100, correlation 0.500 (first)"
    );
    // Rows are counted from above: the first value kept is in the lowest row.
    assert_eq!(say(pictures(), "p1", 0), "1: 0.250 at column 1, row 5");
    assert_eq!(say(counts(), "test", 0), "Test rows: 3; true diagnosis well, predicted diagnosis ill");
    assert_eq!(say(space(), "tube", 0), "one deviation: s₁ = 1, s₂ = 0, s₃ = −1, radius 0.150");
}

#[test]
fn categories_are_named_on_both_axes() {
    let picture = svg(&Drawing::new(counts()), 760, 480, Theme::Light);
    // Across twice, once a table, and up once.
    for class in [">ill<", ">well<"] {
        assert_eq!(picture.matches(class).count(), 3, "{class}");
    }
}

#[test]
fn arrow_keys_step_through_the_pixels_of_a_picture() {
    let drawing = Drawing::new(pictures());
    let frame = frame(&drawing);
    let first = step(&drawing, &frame, None, 1, 0).unwrap();
    assert_eq!((first.mark, first.datum), (9, 0));
    let go = |across, up| step(&drawing, &frame, Some(first), across, up).map(|r| (r.mark, r.datum));
    assert_eq!((go(1, 0), go(0, 1), go(-1, 0)), (Some((9, 1)), Some((9, 4)), None));
}

#[test]
fn the_scale_of_pictures_is_as_high_as_they_are() {
    let drawing = Drawing::new(pictures());
    let bottom = |columns: usize| {
        let drawing = Drawing { figure: drawing.figure.clone().pictures(columns), ..drawing.clone() };
        frame(&drawing).plot.bottom
    };
    // Ten in a row are lower than as many rows as fit.
    assert!(bottom(10) < 0.6 * bottom(0), "{} of {}", bottom(10), bottom(0));
    assert!(bottom(1) <= frame(&drawing).size.1);
}

#[test]
fn a_figure_in_space_is_turned_and_its_axes_stay() {
    let still = Drawing::new(space());
    let turned = Drawing { turn: Turn::default().by(0.5, 0.2), ..still.clone() };
    let [before, after] = [&still, &turned].map(|drawing| svg(drawing, 760, 480, Theme::Light));
    assert_ne!(before, after);
    for label in ["first, s₁", "second, s₂", "third, s₃"] {
        assert!(before.contains(label) && after.contains(label));
    }
    let home = Drawing { turn: turned.turn.by(-0.5, -0.2), ..still.clone() };
    let far = |a: &Drawing, b: &Drawing| {
        let [a, b] = [a, b].map(|drawing| frame(drawing).position(drawing, 1, 7).unwrap());
        (a.0 - b.0).hypot(a.1 - b.1)
    };
    assert!(far(&home, &still) < 1e-6 && far(&turned, &still) > 5.0);
}

#[test]
fn the_numbers_of_every_mark_are_in_its_table_and_csv() {
    for figure in all() {
        let csv = tidy_csv(&figure);
        assert!(!csv.contains("NaN") && !figure.described().contains("NaN"));
        for mark in &figure.marks {
            let panel = figure.all_panels().get(mark.info().panel);
            let start = panel.map_or(String::new(), |panel| format!("{},", panel.key)) + mark.key() + ",";
            let rows = csv.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(rows, mark.data().count(), "{}", mark.key());
            assert!(mark.data().count() > 0);
        }
        assert!(!DataTable::of(&figure).rows.is_empty());
    }
    assert!(tidy_csv(&space()).starts_with("series,x,y,z,radius\n"));
    let incomplete = pictures()
        .marks
        .iter()
        .filter_map(|mark| if let Mark::Grid(grid) = mark { Some(grid) } else { None })
        .filter(|grid| grid.values.iter().any(|v| v.is_nan()))
        .count();
    assert_eq!((incomplete, DataTable::of(&pictures()).rows.len()), (1, 10));
}
