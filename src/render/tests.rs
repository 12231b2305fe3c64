//! Tests of complete figures.

use super::*;
use crate::figure::{
    Axis, Band, Colours, Curve, Figure, Grid, Hue, Interval, Mark, Marker, Point, Scale, Stroke,
};

fn figure(curves: Vec<Curve>) -> Figure {
    Figure::new("curve", "Learning curve")
        .summary("Errors fall from 0.46 to 0.32 & <more>.")
        .x(Axis::linear("examples per weight, α = m/N", (0.0, 10.0)))
        .y(Axis::linear("error", (0.0, 0.55)))
        .marks(curves)
}

fn drawn(figure: &Figure) -> Drawing {
    Drawing::new(figure.clone())
}

fn curve(figure: &mut Figure, index: usize) -> &mut Curve {
    let Mark::Curve(curve) = &mut figure.marks[index] else { panic!("a curve") };
    curve
}

fn file(figure: &Figure, width: u32, height: u32, theme: Theme) -> String {
    svg(&drawn(figure), width, height, theme)
}

fn points(ys: &[f64]) -> Vec<Point> {
    ys.iter().enumerate().map(|(i, &y)| Point::new(i as f64, y).with_se(0.01)).collect()
}

fn full() -> Figure {
    let ys = [0.456, 0.439, 0.414, 0.396, 0.381, 0.368, 0.356, 0.337];
    figure(vec![
        Curve::new("a", "noise-free error <ε>", Hue::Blue)
            .stroke(Stroke::Solid)
            .marker(Marker::Disc)
            .points(points(&ys)),
        Curve::new("b", "replica theory", Hue::Blue).stroke(Stroke::Dashed).points(points(&ys)),
        Curve::new("c", "printed", Hue::Vermilion).marker(Marker::Circle).points(points(&ys)),
        Curve::new("d", "axis", Hue::Ink).stroke(Stroke::DashDot).points(points(&ys)).stroke(Stroke::Dotted),
    ])
}

/// Checks that every element is closed in order and every number is finite.
fn check(svg: &str) {
    assert!(svg.starts_with("<svg "));
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("every tag is closed");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf\"") && !tag.contains("inf "), "{tag}");
        assert!(!tag.contains("style="), "a strict policy refuses style attributes");
    }
    assert!(open.is_empty());
    assert_eq!(svg.matches("viewBox").count(), 1);
}

/// Returns how many of the names are in the picture, and how many of these run upwards.
fn names_in(svg: &str, names: &[String]) -> (usize, usize) {
    let here = |name: &String| svg.split("<text").find(|part| part.contains(&format!(">{name}</text>")));
    let drawn: Vec<&str> = names.iter().filter_map(here).collect();
    (drawn.len(), drawn.iter().filter(|part| part.contains("rotate(270")).count())
}

fn geometry_of(drawing: &Drawing, size: (f64, f64)) -> PlotGeometry {
    FigureLayout::new(drawing, size).geometry
}

#[test]
fn names_of_an_axis_run_upwards_or_are_thinned_for_lack_of_room() {
    let named = |count: usize, width: u32| {
        let names: Vec<String> = (1..=count).map(|i| format!("column {i}.")).collect();
        let mut f = figure(vec![Curve::new("a", "", Hue::Blue).marker(Marker::Disc).points(points(&[0.1]))]);
        f.x = Axis::categories("column", names.clone());
        let svg = file(&f, width, 440, Theme::Light);
        check(&svg);
        names_in(&svg, &names)
    };
    assert_eq!(named(4, 720), (4, 0));
    assert_eq!(named(20, 720), (20, 20));
    let (drawn, turned) = named(200, 720);
    assert!(drawn == turned && (20..60).contains(&drawn), "{drawn} of 200 names");
    check(&file(&figure(Vec::new()), 20, 20, Theme::Light));
}

/// A name of a mark without data would name nothing in the picture. The plot is as large as with all names.
#[test]
fn a_mark_without_data_is_not_named_and_its_name_does_not_move_the_plot() {
    let with = |ys: &[f64]| {
        figure(vec![
            Curve::new("a", "measured", Hue::Blue).stroke(Stroke::Solid).points(points(&[0.3, 0.2])),
            Curve::new("b", "unreliable", Hue::Ink).marker(Marker::Diamond).points(points(ys)),
        ])
    };
    for (width, height) in [(760.0, 480.0), (358.0, 300.0)] {
        let layouts = [with(&[]), with(&[0.4])].map(|figure| {
            let layout = FigureLayout::new(&drawn(&figure).with_switches(), (width, height));
            (layout.names.iter().map(|name| name.mark).collect::<Vec<_>>(), layout.geometry.plot)
        });
        assert_eq!([&layouts[0].0[..], &layouts[1].0[..]], [&[0][..], &[0, 1]]);
        assert_eq!(layouts[0].1, layouts[1].1);
    }
    let hidden = Curve::new("c", "more", Hue::Ink).hidden();
    assert_eq!(drawn(&with(&[]).mark(hidden.clone())).more_marks(), 0);
    assert_eq!(drawn(&with(&[]).mark(hidden.points(points(&[0.1])))).more_marks(), 1);
}

/// Points on lines and on other points are told apart by an outline in the colour of the paper.
#[test]
fn a_few_markers_have_an_outline_of_paper_and_many_have_none() {
    let circles = |count: usize, theme: Theme| {
        let ys = vec![0.3; count];
        let exact = points(&ys).into_iter().map(|point| Point { se: None, ..point });
        let f = figure(vec![Curve::new("a", "", Hue::Blue).marker(Marker::Disc).points(exact)]);
        let svg = file(&f.x(Axis::linear("x", (-1.0, count as f64))), 720, 440, theme);
        let paper = hex(theme.paper());
        let is_paper = |part: &&str| part.split("/>").next().is_some_and(|tag| tag.contains(&paper));
        let all: Vec<&str> = svg.split("<circle").skip(1).collect();
        (all.len(), all.iter().filter(|part| is_paper(part)).count())
    };
    for theme in [Theme::Light, Theme::Dark] {
        assert_eq!([circles(20, theme), circles(1_000, theme)], [(40, 20), (1_000, 0)]);
    }
}

#[test]
fn a_full_figure_is_well_formed_in_every_size_and_theme() {
    for (w, h) in [(720, 440), (358, 300), (320, 200), (60, 40), (1, 1), (0, 0)] {
        for theme in [Theme::Light, Theme::Dark] {
            check(&file(&full(), w, h, theme));
        }
        check(&svg_for_page(&drawn(&full()), w, h));
    }
    let text = file(&full(), 720, 440, Theme::Light);
    assert!(text.contains("xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(text.contains("&lt;more&gt;") && text.contains("&lt;ε&gt;"));
    assert!(text.contains(&hex(Theme::Light.paper())));
}

#[test]
fn the_markup_for_the_page_uses_colours_of_the_style_sheet() {
    let mut figure = full();
    curve(&mut figure, 1).marker = Some(Marker::Rimmed);
    let text = svg_for_page(&drawn(&figure), 720, 440);
    assert!(text.contains("currentColor"));
    let colours = ["var(--hue-blue,#0072b2)", "var(--hue-vermilion,#d55e00)", "var(--paper,#fffdf8)"];
    let without = colours.into_iter().fold(text, |text, colour| {
        assert!(text.contains(colour), "{colour}");
        text.replace(colour, "")
    });
    assert!(!without.contains('#'), "no colour is written down: {without}");
}

#[test]
fn a_theory_far_below_the_measurements_does_not_stretch_a_log_axis() {
    let mut f = full();
    f.y.scale = Scale::Log;
    curve(&mut f, 1).points.push(Point::new(9.0, 1e-14));
    let (lo, hi) = geometry_of(&drawn(&f), (720.0, 440.0)).y.range;
    assert!(lo > 0.1 && lo < 0.337 && hi > 0.456, "{lo} to {hi}");
}

#[test]
fn an_empty_figure_has_its_axes_and_its_size() {
    let empty = figure(vec![Curve::new("a", "noise-free error", Hue::Blue).stroke(Stroke::Solid)]);
    let text = file(&empty, 720, 440, Theme::Light);
    check(&text);
    assert!(text.contains(">0.5</text>") && text.contains("α = m/N"));
    check(&file(&figure(vec![]), 720, 440, Theme::Light));
}

#[test]
fn extreme_values_do_not_panic() {
    let wild = [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 5e-324];
    for scale in [Scale::Linear, Scale::Log] {
        for a in wild {
            for b in wild {
                let mut f = full();
                f.x = Axis { scale, ..Axis::linear("x", (a, b)) };
                f.y = Axis { scale, ..Axis::linear("y", (b, a)) };
                curve(&mut f, 0).points = wild.map(|y| Point { x: a, y, se: Some(b) }).to_vec();
                curve(&mut f, 1).points = wild.map(|x| Point::new(x, b)).to_vec();
                check(&file(&f, 600, 300, Theme::Dark));
            }
        }
    }
}

#[test]
fn the_plot_does_not_jump_while_a_run_grows() {
    let (all, mut early) = (full(), full());
    (0..4).for_each(|i| curve(&mut early, i).points.truncate(2));
    for size in [(720.0, 440.0), (358.0, 300.0)] {
        assert_eq!(geometry_of(&drawn(&all), size), geometry_of(&drawn(&early), size));
    }
}

#[test]
fn many_names_leave_room_for_the_plot() {
    let curves = (0..40).map(|i| Curve::new(format!("{i}"), format!("run number {i}"), Hue::Blue)).collect();
    let many = drawn(&figure(curves));
    for size in [(720.0, 440.0), (358.0, 300.0)] {
        assert!(geometry_of(&many, size).plot.height() > 0.3 * size.1);
    }
}

#[test]
fn a_hidden_curve_is_neither_drawn_nor_named_nor_read() {
    let mut figure = full();
    curve(&mut figure, 2).points = vec![Point::new(5.0, 0.1)];
    let (all, mut without) = (drawn(&figure), drawn(&figure));
    without.styles[2].hidden = true;
    let text = svg(&without, 720, 440, Theme::Light);
    check(&text);
    assert!(svg(&all, 720, 440, Theme::Light).contains(">printed</text>"));
    assert!(!text.contains(">printed") && !text.contains("#d55e00"), "{text}");
    let geometry = geometry_of(&all, (720.0, 440.0));
    let (x, y) = geometry.to_px(5.0, 0.1).unwrap();
    let here = |drawing: &Drawing| geometry.nearest(drawing, x, y).unwrap().mark;
    assert_eq!(here(&all), 2);
    assert_ne!(here(&without), 2);
    // Without marks there are still axes.
    without.styles.iter_mut().for_each(|style| style.hidden = true);
    check(&svg(&without, 720, 440, Theme::Light));
    assert_eq!(geometry_of(&without, (720.0, 440.0)).nearest(&without, 100.0, 100.0), None);
}

#[test]
fn a_thin_curve_has_no_error_bars_and_may_be_renamed() {
    let mut figure = full();
    figure.marks.truncate(1);
    let weight = |thin: bool, name: &str| {
        let mut drawing = drawn(&figure);
        drawing.styles[0].thin = thin.then_some(Stroke::Solid);
        drawing.styles[0].name = Some(name.to_owned());
        svg(&drawing, 720, 440, Theme::Light)
    };
    let (bold, thin) = (weight(false, "pin 1"), weight(true, "pin 1"));
    // Eight bars of a line and two caps each.
    let lines = |svg: &str| svg.matches('M').count();
    assert!(lines(&thin) + 16 < lines(&bold), "{} and {}", lines(&thin), lines(&bold));
    assert!(thin.contains(">pin 1</text>") && !thin.contains(">noise-free"));
    assert!(!weight(true, "").contains("pin"));
}

#[test]
fn a_swatch_has_line_and_marker_in_the_colours_of_the_page() {
    for curve in full().curves() {
        let svg = swatch(&curve.clone().into(), &MarkStyle::default());
        check(&svg);
        assert!(svg.contains(property(curve.info.hue)) && !svg.contains('#'), "{svg}");
        assert_eq!(svg.contains("<path"), curve.stroke.is_some());
        assert_eq!(svg.contains("<circle"), matches!(curve.marker, Some(Marker::Disc | Marker::Circle)));
    }
}

#[test]
fn the_sample_of_a_band_is_as_dense_as_the_band() {
    let interval = |x| Interval { x, lower: 0.1, upper: 0.4 };
    let band = |opacity| Band::new("b", "95 %", Hue::Blue, [0.0, 10.0].map(interval)).opacity(opacity);
    for opacity in [0.11, 0.37] {
        let text = svg(&Drawing::new(figure(Vec::new()).mark(band(opacity))), 720, 440, Theme::Light);
        let areas =
            text.split(&format!("opacity=\"{opacity}\" d=\"")).nth(1).and_then(|rest| rest.split('"').next());
        // The band and its sample.
        assert_eq!(areas.map(|areas| areas.matches('z').count()), Some(2), "{text}");
    }
}

#[test]
fn maps_have_cells_contours_and_a_colour_scale() {
    let values: Vec<f32> = (0..16).map(|i| (i % 4) as f32).collect();
    let grid = |colours| Grid::map("m", "height", 4, values.clone(), ((0.0, 10.0), (0.0, 0.55)), colours);
    let size = |svg: &str| svg.len();
    let sequential = Colours::Sequential { low: 0.0, high: 3.0 };
    for colours in [
        sequential,
        Colours::Diverging { low: -3.0, centre: 1.0, high: 3.0 },
        Colours::Grey { low: 0.0, high: 3.0 },
        Colours::Probability,
    ] {
        let text = file(&figure(Vec::new()).mark(grid(colours).unit("km")), 720, 440, Theme::Light);
        check(&text);
        assert!(text.contains(">height (km)</text>"), "{text}");
    }
    let text = file(&figure(Vec::new()).mark(grid(sequential)), 720, 440, Theme::Dark);
    // Both ends of the scale are drawn.
    assert!(text.contains("#440154") && text.contains("#fde725") && text.contains(">3</text>"));
    let smooth = file(&figure(Vec::new()).mark(grid(sequential).smooth()), 720, 440, Theme::Dark);
    check(&smooth);
    assert!(size(&smooth) > 2 * size(&text), "{} and {}", size(&smooth), size(&text));
    let lines = file(&figure(Vec::new()).mark(grid(sequential).contours([0.5, 1.5])), 720, 440, Theme::Dark);
    let of_width = |svg: &str, width: u32| svg.matches(&format!("stroke-width=\"{width}\"")).count();
    assert!(of_width(&lines, 12) > 0 && of_width(&text, 12) == 0 && of_width(&lines, 22) == 0);
    // The contour at probability ½ is heavier.
    let odds =
        Grid::map("m", "p", 2, vec![0.1, 0.9, 0.1, 0.9], ((0.0, 10.0), (0.0, 0.55)), Colours::Probability);
    let odds = file(&figure(Vec::new()).mark(odds.contours([0.25, 0.5])), 720, 440, Theme::Light);
    assert!(of_width(&odds, 12) > 0 && of_width(&odds, 22) > 0, "{odds}");
    check(&file(
        &figure(Vec::new()).mark(Grid { values: vec![f32::NAN; 7], ..grid(sequential) }),
        9,
        9,
        Theme::Dark,
    ));
}

#[test]
fn a_note_without_empty_space_near_it_is_left_out() {
    let noted = |marks: Vec<Curve>| figure(marks).note((5.0, 0.3), "words here");
    let is_drawn =
        |figure: &Figure, width| file(figure, width, 440, Theme::Light).contains(">words here</text>");
    assert!(is_drawn(&noted(Vec::new()), 720));
    assert!(!is_drawn(&noted(Vec::new()), 110), "wider than the plot");
    let dense = (0..2_000).map(|i| Point::new(f64::from(i) / 200.0, f64::from(i % 23) / 40.0));
    let cloud = Curve::new("a", "", Hue::Blue).marker(Marker::Disc).points(dense);
    assert!(!is_drawn(&noted(vec![cloud]), 720));
}
