//! Figures as SVG: a file that opens anywhere, and a picture for the page that takes its colours from it.

use std::cell::RefCell;
use std::fmt::Write as _;

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle};

use super::pen::{Pen, Surface, Unit};
use super::theme::{FACE, SERIF};
use super::{DrawError, Drawing, HUES, Look, Theme, draw_with, hex, property};
use crate::figure::Hue;

/// Units per CSS pixel: curves keep a tenth of a pixel.
const FINE: u32 = 10;

/// The figure as a standalone SVG file on a background, `width` × `height` CSS pixels.
pub fn svg(drawing: &Drawing, width: u32, height: u32, theme: Theme) -> String {
    file(drawing, (width, height), theme, "")
}

/// The same with its typeface, so that it looks the same everywhere: its WOFF2 file in base64.
pub fn svg_with_face(drawing: &Drawing, width: u32, height: u32, theme: Theme, woff2: &str) -> String {
    let face = format!(
        "<style>@font-face{{font-family:\"{FACE}\";font-weight:400 700;src:url(data:font/woff2;base64,{woff2})}}</style>\n"
    );
    file(drawing, (width, height), theme, &face)
}

fn file(drawing: &Drawing, (width, height): (u32, u32), theme: Theme, face: &str) -> String {
    let (width, height) = (width.clamp(1, 20_000), height.clamp(1, 20_000));
    let size = (f64::from(width), f64::from(height));
    let body = group(theme, true, FINE, &hex, |pen| {
        draw_with(drawing, pen, size);
    });
    let (title, summary) = (escape(&drawing.figure.title), escape(&drawing.figure.described()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{summary}\">\n\
         <title>{title}</title>\n<desc>{summary}</desc>\n{face}{body}</svg>\n"
    )
}

/// The figure as markup for the page, laid out for `width` × `height` CSS pixels and as wide as its container.
///
/// It lies on no paper of its own. Its ink is `currentColor`, its colours are `var(--hue-…)`, and what lies under words is
/// `var(--paper)`, with those of the light theme to fall back on ([`Theme::css`] defines them), so that one picture serves
/// both themes. There are no style attributes, which a strict Content-Security-Policy would refuse, and no `<title>`, which
/// browsers show as a tooltip.
pub fn svg_for_page(drawing: &Drawing, width: u32, height: u32) -> String {
    let size = (f64::from(width), f64::from(height));
    let label = drawing.figure.described();
    markup_for_page(&label, width, height, FINE, |pen| {
        draw_with(drawing, pen, size);
    })
}

/// The same around whatever is drawn, in `fine` units per CSS pixel.
pub(super) fn markup_for_page(
    label: &str,
    width: u32,
    height: u32,
    fine: u32,
    draw: impl FnOnce(&Pen),
) -> String {
    let theme = Theme::Light;
    let colour = |colour| {
        let plain = hex(colour);
        match HUES.into_iter().find(|&h| theme.hue(h) == colour) {
            Some(Hue::Ink) => "currentColor".into(),
            Some(hue) => format!("var({},{plain})", property(hue)),
            None if colour == theme.paper() => format!("var(--paper,{plain})"),
            None => plain,
        }
    };
    let body = group(theme, false, fine, &colour, draw);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{}\">\n{body}</svg>\n",
        escape(label)
    )
}

/// What is drawn, in a group of its own.
fn group(
    theme: Theme,
    paper: bool,
    fine: u32,
    colour: &dyn Fn(RGBColor) -> String,
    draw: impl FnOnce(&Pen),
) -> String {
    let look = Look { paper, ..Look::new(theme, 1.0).finer(fine) };
    let sheet = Sheet { colour, written: RefCell::default() };
    // Writing to a string does not fail, so neither does drawing.
    draw(&Pen::new(&sheet, &look));
    format!(
        "<g transform=\"scale({})\" font-family=\"{SERIF}\" stroke-linejoin=\"round\">\n{}</g>\n",
        1.0 / f64::from(fine),
        sheet.written.into_inner().end()
    )
}

/// Writes what is drawn, with how colours are written.
struct Sheet<'a> {
    colour: &'a dyn Fn(RGBColor) -> String,
    written: RefCell<Written>,
}

/// The elements so far, and a path that may still grow: neighbours of one style are joined to one path.
#[derive(Default)]
struct Written {
    out: String,
    style: String,
    d: String,
}

impl Written {
    fn path(&mut self, style: String, d: &str) {
        if style != self.style {
            self.close();
            self.style = style;
        }
        self.d.push_str(d);
    }

    fn close(&mut self) {
        if !self.d.is_empty() {
            let _ = writeln!(self.out, "<path {} d=\"{}\"/>", self.style, self.d);
        }
        self.d.clear();
        self.style.clear();
    }

    fn end(mut self) -> String {
        self.close();
        self.out
    }
}

impl Sheet<'_> {
    /// `name="colour"`, and the opacity where there is some.
    fn paint(&self, name: &str, colour: RGBAColor) -> String {
        let opacity = (colour.3 * 1e3).round() / 1e3;
        let opacity = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
        format!("{name}=\"{}\"{opacity}", (self.colour)(RGBColor(colour.0, colour.1, colour.2)))
    }

    fn add(&self, style: String, d: &str) {
        self.written.borrow_mut().path(style, d);
    }
}

/// A line through places; steps are shorter to write than places.
fn outline(through: &[Unit]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in through.iter().enumerate() {
        let _ = match i.checked_sub(1).map(|before| through[before]) {
            None => write!(d, "M{x} {y}"),
            Some((a, b)) => write!(d, "l{} {}", x - a, y - b),
        };
    }
    d
}

impl Surface for Sheet<'_> {
    fn rectangle(&self, [(x0, y0), (x1, y1)]: [Unit; 2], colour: RGBAColor) -> Result<(), DrawError> {
        let (w, h) = (x1 - x0, y1 - y0);
        self.add(self.paint("fill", colour), &format!("M{x0} {y0}h{w}v{h}h{}z", -w));
        Ok(())
    }

    fn path(&self, through: Vec<Unit>, style: ShapeStyle) -> Result<(), DrawError> {
        let paint = self.paint("stroke", style.color);
        self.add(
            format!("fill=\"none\" {paint} stroke-width=\"{}\"", style.stroke_width),
            &outline(&through),
        );
        Ok(())
    }

    fn dashed(&self, through: &[Unit], style: ShapeStyle, pattern: &[u32]) -> Option<Result<(), DrawError>> {
        let lengths: Vec<String> = pattern.iter().map(ToString::to_string).collect();
        let paint = self.paint("stroke", style.color);
        let (width, dashes) = (style.stroke_width, lengths.join(" "));
        let style = format!("fill=\"none\" {paint} stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"");
        self.add(style, &outline(through));
        Some(Ok(()))
    }

    fn polygon(&self, corners: Vec<Unit>, colour: RGBAColor) -> Result<(), DrawError> {
        self.add(self.paint("fill", colour), &format!("{}z", outline(&corners)));
        Ok(())
    }

    fn circle(&self, (x, y): Unit, radius: u32, style: ShapeStyle) -> Result<(), DrawError> {
        let paint = if style.filled {
            self.paint("fill", style.color)
        } else {
            format!(
                "fill=\"none\" {} stroke-width=\"{}\"",
                self.paint("stroke", style.color),
                style.stroke_width
            )
        };
        let mut written = self.written.borrow_mut();
        written.close();
        let _ = writeln!(written.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>");
        Ok(())
    }

    fn text(&self, s: &str, style: &TextStyle, (x, y): Unit) -> Result<(), DrawError> {
        let anchor = match style.pos.h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=\"middle\"",
            HPos::Right => " text-anchor=\"end\"",
        };
        let face = match style.font.get_name() {
            SERIF => String::new(),
            other => format!(" font-family=\"{other}\""),
        };
        let turn = match style.font.get_transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(270 {x} {y})\""),
            _ => String::new(),
        };
        let rgb = style.color.rgb;
        let paint = self.paint("fill", RGBColor(rgb.0, rgb.1, rgb.2).mix(style.color.alpha));
        let mut written = self.written.borrow_mut();
        written.close();
        // Half an x height lower, the middle of the small letters stands at y.
        let _ = writeln!(
            written.out,
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\"{anchor}{face} font-size=\"{:.0}\" {paint}{turn}>{}</text>",
            style.font.get_size(),
            escape(s)
        );
        Ok(())
    }
}

/// Text as it may stand in an element or an attribute of XML or HTML.
pub fn escape(text: &str) -> String {
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
