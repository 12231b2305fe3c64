//! Whole figures.

use super::*;
use crate::figure::{Axis, Curve, Hue, Marker, Point, Scale, Stroke};

fn figure(curves: Vec<Curve>) -> Figure {
    Figure {
        id: "curve".into(),
        title: "Learning curve".into(),
        caption: String::new(),
        summary: "Errors fall from 0.46 to 0.32 & <more>.".into(),
        x: Axis::linear("examples per weight, α = m/N", (0.0, 10.0)),
        y: Axis::linear("error", (0.0, 0.55)),
        heat: None,
        handles: None,
        curves,
    }
}

fn points(ys: &[f64]) -> Vec<Point> {
    ys.iter().enumerate().map(|(i, &y)| Point { x: i as f64, y, se: Some(0.01) }).collect()
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

/// Every element is closed, in order, and nothing in it is not a number.
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

/// The texts of a picture, with their anchors and whether they are turned.
fn names_in(svg: &str, names: &[String]) -> (usize, usize) {
    let here = |name: &String| svg.split("<text").find(|part| part.contains(&format!(">{name}</text>")));
    let drawn: Vec<&str> = names.iter().filter_map(here).collect();
    (drawn.len(), drawn.iter().filter(|part| part.contains("rotate(270")).count())
}

#[test]
fn names_stand_side_by_side_or_upright_and_thin_out() {
    let named = |count: usize, width: u32| {
        let names: Vec<String> = (1..=count).map(|i| format!("column {i}.")).collect();
        let mut f = figure(vec![Curve::new("a", "", Hue::Blue).marker(Marker::Disc).points(points(&[0.1]))]);
        f.x = Axis::linear("column", (0.5, count as f64 + 0.5)).named(names.clone());
        let svg = svg(&f, width, 440, Theme::Light);
        check(&svg);
        names_in(&svg, &names)
    };
    assert_eq!(named(4, 720), (4, 0));
    assert_eq!(named(20, 720), (20, 20));
    let (drawn, turned) = named(200, 720);
    assert!(drawn == turned && (20..60).contains(&drawn), "{drawn} of 200 names");
    check(&svg(&figure(Vec::new()), 20, 20, Theme::Light));
}

#[test]
fn a_full_figure_is_well_formed_in_every_size_and_theme() {
    for (w, h) in [(720, 440), (358, 300), (320, 200), (60, 40), (1, 1), (0, 0)] {
        for theme in [Theme::Light, Theme::Dark] {
            check(&svg(&full(), w, h, theme));
        }
        check(&svg_for_page(&full(), w, h));
    }
    let text = svg(&full(), 720, 440, Theme::Light);
    assert!(text.contains("xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(text.contains("&lt;more&gt;") && text.contains("&lt;ε&gt;"));
    assert!(text.contains(&hex(Theme::Light.paper())));
}

#[test]
fn the_picture_of_the_page_takes_its_colours_from_the_page() {
    let text = svg_for_page(&full(), 720, 440);
    assert!(text.contains("currentColor"));
    assert!(text.contains("var(--hue-blue,#0072b2)"));
    let without = text.replace("var(--hue-blue,#0072b2)", "").replace("var(--hue-vermilion,#d55e00)", "");
    assert!(!without.contains('#'), "no colour is written down: {without}");
}

#[test]
fn a_theory_far_below_what_was_measured_does_not_stretch_a_log_axis() {
    let mut f = full();
    f.y.scale = Scale::Log;
    f.curves[1].points.push(Point { x: 9.0, y: 1e-14, se: None });
    let (lo, hi) = super::layout::layout(&f, (720.0, 440.0)).frame.y.range;
    assert!(lo > 0.1 && lo < 0.337 && hi > 0.456, "{lo} to {hi}");
}

#[test]
fn an_empty_figure_has_its_axes_and_its_size() {
    let empty = figure(vec![Curve::new("a", "noise-free error", Hue::Blue).stroke(Stroke::Solid)]);
    let text = svg(&empty, 720, 440, Theme::Light);
    check(&text);
    assert!(text.contains(">0.5</text>") && text.contains("α = m/N"));
    check(&svg(&figure(vec![]), 720, 440, Theme::Light));
}

#[test]
fn nothing_that_a_run_may_give_makes_it_panic() {
    let wild = [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 5e-324];
    for scale in [Scale::Linear, Scale::Log] {
        for a in wild {
            for b in wild {
                let mut f = full();
                f.x = Axis { scale, ..Axis::linear("x", (a, b)) };
                f.y = Axis { scale, ..Axis::linear("y", (b, a)) };
                f.curves[0].points = wild.map(|y| Point { x: a, y, se: Some(b) }).to_vec();
                f.curves[1].points = wild.map(|x| Point { x, y: b, se: None }).to_vec();
                check(&svg(&f, 600, 300, Theme::Dark));
            }
        }
    }
}

#[test]
fn the_plot_does_not_jump_while_a_run_grows() {
    let (all, mut early) = (full(), full());
    early.curves.iter_mut().for_each(|c| c.points.truncate(2));
    for size in [(720.0, 440.0), (358.0, 300.0)] {
        assert_eq!(layout(&all, size).frame, layout(&early, size).frame);
    }
}

#[test]
fn a_figure_of_many_pinned_runs_keeps_most_of_its_height() {
    let curves = (0..40).map(|i| Curve::new(format!("{i}"), format!("run number {i}"), Hue::Blue)).collect();
    let many = figure(curves);
    for size in [(720.0, 440.0), (358.0, 300.0)] {
        assert!(layout(&many, size).frame.plot.height() > 0.3 * size.1);
    }
}

#[test]
fn a_curve_that_is_not_shown_is_neither_drawn_nor_named_nor_read() {
    let (all, mut without) = (full(), full());
    without.curves[2].shown = false;
    let text = svg(&without, 720, 440, Theme::Light);
    check(&text);
    assert!(svg(&all, 720, 440, Theme::Light).contains(">printed</text>"));
    assert!(!text.contains("printed") && !text.contains("#d55e00"), "{text}");
    let frame = layout(&all, (720.0, 440.0)).frame;
    let here = |figure: &Figure| {
        let mut figure = figure.clone();
        figure.curves[2].points = vec![Point { x: 5.0, y: 0.1, se: None }];
        let (x, y) = frame.to_px(5.0, 0.1).unwrap();
        frame.nearest(&figure, x, y).unwrap().curve
    };
    assert_eq!(here(&all), 2);
    assert_ne!(here(&without), 2);
    // With none left there are still axes.
    without.curves.iter_mut().for_each(|c| c.shown = false);
    check(&svg(&without, 720, 440, Theme::Light));
    assert_eq!(layout(&without, (720.0, 440.0)).frame.nearest(&without, 100.0, 100.0), None);
}

#[test]
fn a_thin_curve_has_no_bars_and_may_be_named_otherwise() {
    let weight = |thin, tag: Option<&str>| {
        let mut f = figure(vec![full().curves[0].clone()]);
        f.curves[0].thin = thin;
        f.curves[0].tag = tag.map(str::to_owned);
        svg(&f, 720, 440, Theme::Light)
    };
    let (bold, thin) = (weight(false, Some("pin 1")), weight(true, Some("pin 1")));
    // Eight bars of a line and two caps each.
    let lines = |svg: &str| svg.matches('M').count();
    assert!(lines(&thin) + 16 < lines(&bold), "{} and {}", lines(&thin), lines(&bold));
    assert!(thin.contains(">pin 1</text>") && !thin.contains("noise-free"));
    assert!(!weight(true, Some("")).contains("pin"));
}

#[test]
fn a_swatch_shows_line_and_sign_in_the_colours_of_the_page() {
    for curve in full().curves {
        let svg = swatch(&curve);
        check(&svg);
        assert!(svg.contains(property(curve.hue)) && !svg.contains('#'), "{svg}");
        assert_eq!(svg.contains("<path"), curve.stroke.is_some());
        assert_eq!(svg.contains("<circle"), matches!(curve.marker, Some(Marker::Disc | Marker::Circle)));
    }
}
