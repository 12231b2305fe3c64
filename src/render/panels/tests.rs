//! Tests of panels.

use super::*;
use crate::figure::{Colours, Curve, Figure, Grid, Hue, Marker, Point};
use crate::render::height::USUAL;
use crate::render::{Theme, height, least_height, svg, svg_for_page};

/// Returns four columns of two rows: a plane of (u, v) above one of (x, f) with other axes.
fn drawing() -> Drawing {
    let axis = |label: &str, high| Axis::linear(label, (-1.0, high));
    let panel = |index: usize| {
        let key = format!("p{index}");
        match index {
            0..4 => Panel::new(key, axis("input weight, u", 1.0), axis("output weight, v", 2.0))
                .titled(format!("Panel {index}, a title of some words"), Hue::Blue),
            4 => Panel::new(key, axis("input, x", 3.0), axis("output, f", 1.0))
                .with_row_heading("Curves of each"),
            _ => Panel::new(key, axis("input, x", 3.0), axis("output, f", 1.0)),
        }
    };
    let curve = |index: usize| {
        Curve::new(format!("c{index}"), "points", Hue::Green)
            .marker(Marker::Disc)
            .points([Point::new(-0.5, 0.5), Point::new(0.75, -0.5)])
            .unnamed()
    };
    let figure = Figure::new("f", "Panels").panels(4, (0..8).map(panel));
    Drawing::new((0..8).fold(figure, |figure, index| figure.on(index, [curve(index)])))
}

fn planes(drawing: &Drawing, width: f64) -> (FigureLayout, Vec<Rect>) {
    let layout = FigureLayout::new(drawing, (width, height(width, drawing, USUAL)));
    let planes = (0..8).map(|index| layout.geometry.panel(index).unwrap().plot).collect();
    (layout, planes)
}

#[test]
fn plots_can_be_read_at_the_least_height() {
    let drawing = drawing();
    for width in [1100.0, 960.0, 570.0, 358.0] {
        let least = least_height(width, &drawing);
        assert!(least <= height(width, &drawing, USUAL), "{width}");
        let layout = FigureLayout::new(&drawing, (width, least));
        for panel in 0..8 {
            assert!(layout.geometry.panel(panel).unwrap().plot.height() > LEAST_PLOT - 2.0, "{width}");
        }
    }
}

#[test]
fn panels_have_equal_plots_inside_the_figure_in_rows_and_columns() {
    let drawing = drawing();
    for (width, columns, rows) in [(1100.0, 4, 2), (358.0, 2, 4)] {
        let (layout, planes) = planes(&drawing, width);
        let distinct = |of: fn(&Rect) -> f64| {
            let mut ends: Vec<f64> = planes.iter().map(of).collect();
            ends.sort_by(f64::total_cmp);
            ends.dedup();
            ends.len()
        };
        assert_eq!((distinct(|plot| plot.left), distinct(|plot| plot.top)), (columns, rows), "{width}");
        let (w, h) = layout.geometry.size;
        for plot in &planes {
            assert!(plot.left > 0.0 && plot.top > 0.0 && plot.right < w && plot.bottom < h, "{plot:?}");
            assert!((plot.height() / (plot.right - plot.left) - ASPECT).abs() < 0.03, "{plot:?}");
            assert!(plot.right - plot.left > if width > 1000.0 { 200.0 } else { 130.0 }, "{plot:?}");
        }
        // The planes of all weights are above those of the curves, in the same order.
        for index in 0..4 {
            assert_eq!(planes[index].left, planes[index + 4].left);
            assert!((4..8).all(|curves| planes[index].bottom < planes[curves].top));
        }
        let heading = layout.titles.iter().find(|title| title.lines == ["Curves of each"]).unwrap();
        let lowest = planes[..4].iter().map(|plot| plot.bottom).fold(0.0, f64::max);
        assert!(heading.at.0 == planes[4].left && (lowest..planes[4].top).contains(&heading.at.1));
    }
}

#[test]
fn numbers_and_labels_are_drawn_once_per_row_and_column() {
    let drawing = drawing();
    let (layout, _) = planes(&drawing, 1100.0);
    let numbered = |index: usize| {
        let PlaneAxes { x_ticks, y_ticks, x_label, y_label, .. } = &layout.axes[index];
        let any = |ticks: &Ticks| ticks.major.iter().any(|(_, number)| !number.is_empty());
        [any(x_ticks), any(y_ticks), !x_label.is_empty(), !y_label.is_empty()]
    };
    assert_eq!([numbered(0), numbered(1)], [[true; 4], [true, false, true, false]]);
    assert_eq!([numbered(4), numbered(7)], [[true; 4], [true, false, true, false]]);
    let mut same = drawing;
    let FigureLayout { axes, .. } = {
        let axis = || Axis::linear("common", (0.0, 1.0));
        let all = (0..4).map(|index| Panel::new(format!("{index}"), axis(), axis()));
        same.figure = same.figure.panels(2, all);
        FigureLayout::new(&same, (700.0, 500.0))
    };
    let has_x: Vec<bool> = axes.iter().map(|axes| !axes.x_label.is_empty()).collect();
    assert_eq!(has_x, [false, false, true, true], "the panel below has the same axis");
}

/// Regression: on a phone a row had no numbers, as if a row of another axis below had them, and labels were cut.
#[test]
fn in_a_narrow_picture_rows_of_different_axes_have_their_numbers_and_labels_are_whole() {
    let drawing = drawing();
    let layout = FigureLayout::new(&drawing, (358.0, 480.0));
    let has_x = |index: usize| !layout.axes[index].x_label.is_empty();
    // From above: 0 and 1, then 2 and 3; their curves 4 and 5, then 6 and 7.
    assert_eq!([0, 2, 4, 6].map(has_x), [false, true, false, true], "below another axis");
    assert_eq!(layout.axes[0].y_label, ["v"], "the label does not fit");
    let (tall, _) = planes(&drawing, 358.0);
    assert_eq!(tall.axes[0].y_label, ["output weight, v"]);
}

#[test]
fn a_column_of_panels_is_somewhat_higher_than_a_figure() {
    let panel = |key: &str| Panel::new(key, Axis::linear("x", (0.0, 1.0)), Axis::linear("y", (0.0, 1.0)));
    let figure = Figure::new("f", "");
    let plain = Drawing::new(figure.clone());
    let column = Drawing::new(figure.panels(1, [panel("a"), panel("b")]));
    for width in [358.0, 900.0] {
        let [one, two] = [&plain, &column].map(|drawing| height(width, drawing, USUAL));
        assert!(one < two && two < 1.3 * one, "{one} {two}");
        let layout = FigureLayout::new(&column, (width, two));
        let [a, b] = [0, 1].map(|index| layout.geometry.panel(index).unwrap().plot);
        assert!(a.bottom < b.top && a.left == b.left && a.height() > 0.3 * one, "{a:?} {b:?}");
    }
}

#[test]
fn a_pixel_is_read_in_its_panel() {
    let drawing = drawing();
    for width in [1100.0, 358.0] {
        let (layout, planes) = planes(&drawing, width);
        let geometry = &layout.geometry;
        for (index, plot) in planes.iter().enumerate() {
            let middle = (0.5 * (plot.left + plot.right), 0.5 * (plot.top + plot.bottom));
            assert_eq!(geometry.panel_at(middle).unwrap().0, index);
            assert_eq!(geometry.nearest(&drawing, middle.0, middle.1).unwrap().mark, index);
            let at = geometry.position(&drawing, index, 1).unwrap();
            assert!(plot.contains(at));
            assert_eq!(geometry.panel(index).unwrap().to_px(0.75, -0.5), Some(at));
        }
        assert_eq!((geometry.panel_at((1.0, 1.0)), geometry.nearest(&drawing, 1.0, 1.0)), (None, None));
    }
}

#[test]
fn maps_of_one_scale_have_a_common_colour_scale() {
    let map = |index: usize| {
        let extent = ((-1.0, 1.0), (-1.0, 1.0));
        Grid::map(format!("m{index}"), "p", 2, vec![0.0, 0.5, 0.25, 1.0], extent, Colours::Probability)
    };
    let mut drawing = drawing();
    let plain = FigureLayout::new(&drawing, (1100.0, 500.0)).scale.width;
    drawing = Drawing::new(drawing.figure.on(0, [map(0)]).on(1, [map(1)]));
    let layout = FigureLayout::new(&drawing, (1100.0, 500.0));
    assert!(plain == 0.0 && layout.scale.width > 0.0);
    let at = layout.geometry.panel(1).unwrap().to_px(-0.9, -0.9).unwrap();
    assert_eq!(layout.geometry.cell(&drawing, at.0, at.1), Some((9, 0)), "the map of the panel of the pixel");
    assert_eq!(layout.geometry.centre(&drawing, 9, 0), layout.geometry.panel(1).unwrap().to_px(-0.5, -0.5));
}

#[test]
fn panels_are_drawn_in_every_size() {
    let drawing = drawing();
    let picture = svg(&drawing, 1100, 520, Theme::Light);
    assert_eq!(picture.matches("font-weight=\"bold\"").count(), 4, "a line for each title");
    assert_eq!(picture.matches(">output weight, v</text>").count(), 1);
    assert_eq!(picture.matches(">input weight, u</text>").count(), 4);
    assert!(!picture.contains(">points</text>"), "unnamed marks have no names");
    for (width, height) in [(358, 700), (60, 40), (1, 1), (0, 0)] {
        assert!(svg_for_page(&drawing, width, height).starts_with("<svg"));
    }
    let sketch = FigureLayout::new(&drawing.into_sketch(), (300.0, 200.0)).geometry;
    assert!(sketch.panel(3).is_some() && sketch.panel(4).is_none(), "the first row");
}
