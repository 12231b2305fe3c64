//! Figures as SVG: a file that opens anywhere, and a picture for the page that takes its colours from it.

use std::fmt::Write as _;

use plotters::drawing::IntoDrawingArea;
use plotters_svg::SVGBackend;

use super::theme::SERIF;
use super::{HUES, Look, Theme, draw, hex, property};
use crate::figure::{Figure, Hue};

/// Backend units per CSS pixel: curves keep a tenth of a pixel.
const FINE: u32 = 10;

/// The figure as a file of its own, on paper, `width` × `height` CSS pixels.
pub fn svg(figure: &Figure, width: u32, height: u32, theme: Theme) -> String {
    let body = body(figure, width, height, theme, true, &str::to_ascii_lowercase);
    let (title, summary) = (escape(&figure.title), escape(summary(figure)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{summary}\">\n\
         <title>{title}</title>\n<desc>{summary}</desc>\n{body}</svg>\n"
    )
}

/// The figure as markup for the page, laid out for `width` × `height` CSS pixels and as wide as its container.
///
/// It has no paper, its ink is `currentColor` and its colours are `var(--hue-…)` with those of the light theme to fall
/// back on ([`Theme::css`] defines them), so that one picture serves both themes. There are no style attributes, which
/// a strict Content-Security-Policy would refuse, and no `<title>`, which browsers show as a tooltip.
pub fn svg_for_page(figure: &Figure, width: u32, height: u32) -> String {
    let theme = Theme::Light;
    let body = body(figure, width, height, theme, false, &|colour| {
        let colour = colour.to_ascii_lowercase();
        match HUES.into_iter().find(|&h| hex(theme.hue(h)) == colour) {
            Some(Hue::Ink) => "currentColor".into(),
            Some(hue) => format!("var({},{colour})", property(hue)),
            None => colour,
        }
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{}\">\n{body}</svg>\n",
        escape(summary(figure))
    )
}

fn summary(figure: &Figure) -> &str {
    if figure.summary.trim().is_empty() { &figure.title } else { &figure.summary }
}

fn body(
    figure: &Figure,
    width: u32,
    height: u32,
    theme: Theme,
    paper: bool,
    colour: &dyn Fn(&str) -> String,
) -> String {
    let (width, height) = (width.clamp(1, 20_000), height.clamp(1, 20_000));
    let mut raw = String::new();
    let area = SVGBackend::with_string(&mut raw, (width * FINE, height * FINE)).into_drawing_area();
    let look = Look { text: 1.24, paper, ..Look::new(theme, 1.0).finer(FINE) };
    // Writing to a string does not fail, so neither does drawing.
    let _ = draw(figure, &area, &look).and_then(|_| Ok(area.present()?));
    drop(area);
    format!(
        "<g transform=\"scale({})\" font-family=\"{SERIF}\" stroke-linejoin=\"round\">\n{}</g>\n",
        1.0 / f64::from(FINE),
        tidy(&raw, colour)
    )
}

/// What the backend wrote, with neighbours of one style joined to one path (a dashed curve is hundreds of lines),
/// defaults left out and colours replaced. The backend writes one element a line.
fn tidy(raw: &str, colour: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut path = Path::default();
    for line in raw.lines() {
        if line.starts_with("<svg") || line.starts_with("</svg") {
            continue;
        }
        if let Some((style, d)) = as_path(line, colour) {
            path.add(&mut out, style, &d);
            continue;
        }
        path.close(&mut out);
        match line.strip_prefix('<') {
            Some("/text>") => out.push_str("</text>\n"),
            Some(tag) => {
                element(&mut out, tag, colour);
                if !tag.starts_with("text") {
                    out.push('\n');
                }
            }
            // The words themselves.
            None => out.push_str(line),
        }
    }
    path.close(&mut out);
    out
}

/// A path that may still grow.
#[derive(Default)]
struct Path {
    style: String,
    d: String,
}

impl Path {
    fn add(&mut self, out: &mut String, style: String, d: &str) {
        if style != self.style {
            self.close(out);
            self.style = style;
        }
        self.d.push_str(d);
    }

    fn close(&mut self, out: &mut String) {
        if !self.d.is_empty() {
            let _ = writeln!(out, "<path {} d=\"{}\"/>", self.style, self.d);
        }
        self.d.clear();
        self.style.clear();
    }
}

/// The attributes of a tag, names with their values.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut parts = tag.split('"');
    std::iter::from_fn(move || {
        let name = parts.next()?.trim().trim_end_matches('=');
        let value = parts.next()?;
        Some((name.rsplit(' ').next().unwrap_or(name), value))
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    attributes(tag).find(|(n, _)| *n == name).map(|(_, v)| v)
}

/// Style and outline of a polyline, polygon or filled rectangle.
fn as_path(line: &str, colour: &dyn Fn(&str) -> String) -> Option<(String, String)> {
    let of = |name| attribute(line, name);
    let number = |name| of(name).and_then(|v| v.parse::<i64>().ok());
    let mut style = String::new();
    let mut d = String::new();
    if line.starts_with("<rect ") {
        let (x, y, w, h) = (number("x")?, number("y")?, number("width")?, number("height")?);
        let _ = write!(style, "fill=\"{}\"", colour(of("fill")?));
        let _ = write!(d, "M{x} {y}h{w}v{h}h{}z", -w);
    } else if line.starts_with("<polyline ") || line.starts_with("<polygon ") {
        let closed = line.starts_with("<polygon ");
        if closed {
            let _ = write!(style, "fill=\"{}\"", colour(of("fill")?));
        } else {
            let width = of("stroke-width")?;
            let _ =
                write!(style, "fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"", colour(of("stroke")?));
        }
        let mut last = None;
        for pair in of("points")?.split_whitespace() {
            let (x, y) = pair.split_once(',')?;
            let (x, y): (i64, i64) = (x.parse().ok()?, y.parse().ok()?);
            // Steps are shorter to write than places.
            let _ = match last {
                None => write!(d, "M{x} {y}"),
                Some((a, b)) => write!(d, "l{} {}", x - a, y - b),
            };
            last = Some((x, y));
        }
        if closed {
            d.push('z');
        }
    } else {
        return None;
    }
    if let Some(opacity) = of("opacity").filter(|o| *o != "1") {
        let _ = write!(style, " opacity=\"{opacity}\"");
    }
    Some((style, d))
}

fn element(out: &mut String, tag: &str, colour: &dyn Fn(&str) -> String) {
    let name = tag.split([' ', '/', '>']).next().unwrap_or_default();
    let _ = write!(out, "<{name}");
    for (key, value) in attributes(tag.trim_start_matches(name)) {
        let _ = match (key, value) {
            ("opacity", "1") | ("stroke", "none") | ("text-anchor", "start") | ("font-family", SERIF) => {
                continue;
            }
            ("stroke-width", _) if attribute(tag, "stroke") == Some("none") => continue,
            ("fill", "none") => write!(out, " {key}=\"none\""),
            ("fill" | "stroke", c) => write!(out, " {key}=\"{}\"", colour(c)),
            ("font-size", v) => write!(out, " {key}=\"{:.0}\"", v.parse::<f64>().unwrap_or(120.0)),
            _ => write!(out, " {key}=\"{value}\""),
        };
    }
    out.push_str(if tag.ends_with("/>") { "/>" } else { ">" });
}

/// Text as it may stand in an element or an attribute of XML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
