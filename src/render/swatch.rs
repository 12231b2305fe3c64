//! The sample of a curve on a button: its line and sign, in the colours of the page.

use std::fmt::Write as _;

use super::drawing::Style;
use super::marks::{Outline, line_width, outline, sample};
use super::property;
use super::stroke::pattern;
use crate::figure::Mark;

/// Radius of the sign.
const RADIUS: f64 = 3.5;

/// Line and sign of a mark as markup for the page. Like [`super::svg_for_page`] it takes its colour from the page's
/// `--hue-…` and has no style attributes.
pub fn swatch(mark: &Mark, style: &Style) -> String {
    let (stroke, marker) = sample(mark);
    let stroke = style.thin.or(stroke);
    let colour = format!("var({})", property(mark.entry().hue));
    let mut svg = String::from("<svg width=\"28\" height=\"12\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">");
    // Writing to a string does not fail.
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
        Some(Outline::Disc) => {
            let _ = write!(svg, "<circle cx=\"14\" cy=\"6\" r=\"{RADIUS}\" fill=\"{colour}\"/>");
        }
        Some(Outline::Ring(larger)) => {
            let r = larger * RADIUS;
            let _ =
                write!(svg, "<circle cx=\"14\" cy=\"6\" r=\"{r:.1}\" fill=\"none\" stroke=\"{colour}\"/>");
        }
        Some(Outline::Corners(corners)) => {
            let _ = write!(svg, "<polygon fill=\"{colour}\" points=\"");
            for (dx, dy) in corners {
                let _ = write!(svg, "{:.1},{:.1} ", 14.0 + RADIUS * dx, 6.0 + RADIUS * dy);
            }
            svg.push_str("\"/>");
        }
    }
    svg + "</svg>"
}
