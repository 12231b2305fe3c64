//! Samples of marks as markup for the page.

use std::fmt::Write as _;

use super::drawing::MarkStyle;
use super::marks::{MarkerOutline, line_and_marker, line_width, outline};
use super::property;
use super::stroke::pattern;
use crate::figure::Mark;

/// Radius of the marker.
const RADIUS: f64 = 3.5;

/// Returns line and marker of a mark as markup for the page. Like that of [`super::svg_for_page`], it takes its colour from
/// `--hue-…` and has no style attributes.
pub fn swatch(mark: &Mark, style: &MarkStyle) -> String {
    let (stroke, marker) = line_and_marker(mark);
    let stroke = stroke.map(|stroke| style.stroke(stroke));
    let colour = format!("var({})", property(mark.info().hue));
    let mut svg = String::from("<svg width=\"28\" height=\"12\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">");
    // Writing to a string cannot fail.
    if let Some(stroke) = stroke {
        let width = line_width(marker, style);
        let _ = write!(
            svg,
            "<path d=\"M1 6h26\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\""
        );
        for length in pattern(stroke, width) {
            let _ = write!(svg, "{length:.1} ");
        }
        svg.push_str("\"/>");
    }
    match marker.map(outline) {
        None => {}
        Some(MarkerOutline::Disc) => {
            let _ = write!(svg, "<circle cx=\"14\" cy=\"6\" r=\"{RADIUS}\" fill=\"{colour}\"/>");
        }
        Some(MarkerOutline::Rimmed(larger)) => {
            let r = larger * RADIUS;
            let _ = write!(svg, "<circle cx=\"14\" cy=\"6\" r=\"{r:.1}\" fill=\"{colour}\"/>");
        }
        Some(MarkerOutline::Ring { radius, width }) => {
            // A larger ring would be cut at the border.
            let r = (radius * RADIUS).min(6.0 - 0.5 * width);
            let _ = write!(
                svg,
                "<circle cx=\"14\" cy=\"6\" r=\"{r:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
            );
        }
        Some(MarkerOutline::Corners(corners)) => {
            let _ = write!(svg, "<polygon fill=\"{colour}\" points=\"");
            for (dx, dy) in corners {
                let _ = write!(svg, "{:.1},{:.1} ", 14.0 + RADIUS * dx, 6.0 + RADIUS * dy);
            }
            svg.push_str("\"/>");
        }
    }
    svg + "</svg>"
}
