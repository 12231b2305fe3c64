//! On a page: drawing on a real canvas. (Real workers, a trapped one included, are driven by `tests/e2e/running.rs`.)
#![cfg(target_arch = "wasm32")]

use meanfield::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use meanfield::render::{DrawError, Drawing, FigureLayout, PlotGeometry, Theme};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

wasm_bindgen_test_configure!(run_in_browser);

fn drawing() -> Drawing {
    let points = (0..=10).map(|i| Point::new(f64::from(i), 0.5 / f64::from(i + 1)).with_se(0.01));
    let figure = Figure::new("f", "A figure")
        .x(Axis::linear("x", (0.0, 10.0)))
        .y(Axis::linear("y", (0.0, 0.6)))
        .summary("It falls.")
        .marks([Curve::new("c", "c", Hue::Blue).stroke(Stroke::Dashed).marker(Marker::Disc).points(points)]);
    Drawing::new(figure)
}

fn element() -> HtmlCanvasElement {
    let document = web_sys::window().unwrap().document().unwrap();
    document.create_element("canvas").unwrap().dyn_into().unwrap()
}

/// Draws the figure on a canvas and returns the geometry of its plot.
fn draw(
    element: &HtmlCanvasElement,
    size: (f64, f64),
    device_pixel_ratio: f64,
    theme: Theme,
) -> Result<PlotGeometry, DrawError> {
    let drawing = drawing();
    let layout = FigureLayout::new(&drawing, size);
    layout.draw_on_canvas(&drawing, element, device_pixel_ratio, theme, true)?;
    Ok(layout.geometry)
}

/// Returns the numbers of pixels with the colour at the corner of the canvas, and with another colour.
fn pixels(element: &HtmlCanvasElement) -> (usize, usize) {
    let context: CanvasRenderingContext2d = element.get_context("2d").unwrap().unwrap().dyn_into().unwrap();
    let (w, h) = (f64::from(element.width()), f64::from(element.height()));
    let data = context.get_image_data(0.0, 0.0, w, h).unwrap().data();
    let paper = &data[..4];
    let same = data.chunks_exact(4).filter(|pixel| *pixel == paper).count();
    (same, data.len() / 4 - same)
}

#[wasm_bindgen_test]
fn a_figure_is_sharp_at_two_device_pixels_per_css_pixel() {
    let element = element();
    let geometry = draw(&element, (600.0, 400.0), 2.0, Theme::Light).unwrap();
    assert_eq!((element.width(), element.height()), (1200, 800));
    let (paper, ink) = pixels(&element);
    assert!(ink > 5_000 && paper > 20 * ink / 2, "{paper} of paper, {ink} of ink");
    // The geometry is in CSS pixels on any screen.
    let (x, y) = geometry.to_px(5.0, 0.3).unwrap();
    assert!(x < 600.0 && y < 400.0);
    let hit = geometry.nearest(&drawing(), x, y).unwrap();
    assert_eq!(hit.mark, 0);
}

#[wasm_bindgen_test]
fn a_theme_changes_the_paper_and_drawing_again_clears() {
    let element = element();
    draw(&element, (300.0, 200.0), 1.0, Theme::Light).unwrap();
    let light = pixels(&element);
    draw(&element, (300.0, 200.0), 1.0, Theme::Dark).unwrap();
    draw(&element, (300.0, 200.0), 1.0, Theme::Light).unwrap();
    assert_eq!(pixels(&element), light);
}

#[wasm_bindgen_test]
fn a_canvas_without_size_does_not_panic() {
    let _ = draw(&element(), (0.0, 0.0), 3.0, Theme::Light);
    let _ = draw(&element(), (f64::NAN, 1.0), f64::NAN, Theme::Dark);
}
