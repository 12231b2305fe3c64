//! Figures as SVG: standalone files, and markup for the page that takes its colours from the style sheet.

use std::cell::RefCell;
use std::fmt::Write as _;

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, FontStyle, FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle};

use super::pen::{DevicePoint, Pen, Surface};
use super::theme::{FACE, SERIF};
use super::{DrawError, Drawing, FigureLayout, HUES, Look, Theme, hex, property};
use crate::figure::Hue;

/// Units per CSS pixel. Integers keep the file small; curves are rounded to a tenth of a pixel.
const FINE: u32 = 10;

/// Returns the figure as a standalone SVG file of `width` × `height` CSS pixels with a background.
pub fn svg(drawing: &Drawing, width: u32, height: u32, theme: Theme) -> String {
    file(drawing, (width, height), theme, "")
}

/// Returns the file of [`svg`] with an embedded font: its WOFF2 file in base64.
pub fn svg_with_face(drawing: &Drawing, width: u32, height: u32, theme: Theme, woff2: &str) -> String {
    let face = format!(
        "<style>@font-face{{font-family:\"{FACE}\";font-weight:400 700;src:url(data:font/woff2;base64,{woff2})}}</style>\n"
    );
    file(drawing, (width, height), theme, &face)
}

fn file(drawing: &Drawing, (width, height): (u32, u32), theme: Theme, face: &str) -> String {
    let (width, height) = (width.clamp(1, 20_000), height.clamp(1, 20_000));
    let size = (f64::from(width), f64::from(height));
    let layout = FigureLayout::new(drawing, size);
    let body = group(theme, true, FINE, &hex, |pen| layout.draw_with(drawing, pen));
    let (title, summary) = (escape(&drawing.figure.title), escape(&drawing.figure.described()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{summary}\">\n\
         <title>{title}</title>\n<desc>{summary}</desc>\n{face}{body}</svg>\n"
    )
}

/// Returns the figure as markup for the page, laid out for `width` × `height` CSS pixels and as wide as its container.
///
/// The background is transparent. Ink is `currentColor`, colours are `var(--hue-…)`, and the ground of words is `var(--paper)`, with
/// the light theme as fallback (see [`Theme::css`]), so that one picture serves both themes. There are no style attributes, which a
/// strict Content-Security-Policy would refuse, and no `<title>`, which browsers show as a tooltip.
pub fn svg_for_page(drawing: &Drawing, width: u32, height: u32) -> String {
    let size = (f64::from(width), f64::from(height));
    let layout = FigureLayout::new(drawing, size);
    markup_for_page(&drawing.figure.described(), width, height, FINE, |pen| layout.draw_with(drawing, pen))
}

/// Returns markup for the page around a drawing with `fine` units per CSS pixel.
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

/// Returns a drawing as an SVG group.
fn group(
    theme: Theme,
    paper: bool,
    fine: u32,
    colour: &dyn Fn(RGBColor) -> String,
    draw: impl FnOnce(&Pen),
) -> String {
    let look = Look { paper, ..Look::new(theme, 1.0).finer(fine) };
    let surface = SvgSurface { colour, written: RefCell::default() };
    // Writing to a string cannot fail, and neither can drawing.
    draw(&Pen::new(&surface, &look));
    format!(
        "<g transform=\"scale({})\" font-family=\"{SERIF}\" stroke-linejoin=\"round\">\n{}</g>\n",
        1.0 / f64::from(fine),
        surface.written.into_inner().end()
    )
}

/// Drawing surface that writes SVG elements.
struct SvgSurface<'a> {
    /// Returns a colour as an attribute.
    colour: &'a dyn Fn(RGBColor) -> String,
    written: RefCell<Written>,
}

/// Elements so far, and an open path: consecutive paths of one style are joined.
#[derive(Default)]
struct Written {
    out: String,
    /// Attributes of the open path.
    style: String,
    /// Commands of the open path.
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

impl SvgSurface<'_> {
    /// Returns `name="colour"`, and the opacity if it is not 1.
    fn paint(&self, name: &str, colour: RGBAColor) -> String {
        let opacity = (colour.3 * 1e3).round() / 1e3;
        let opacity = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
        format!("{name}=\"{}\"{opacity}", (self.colour)(RGBColor(colour.0, colour.1, colour.2)))
    }

    fn add(&self, style: String, d: &str) {
        self.written.borrow_mut().path(style, d);
    }
}

/// Returns path commands through points, relative after the first.
fn outline(through: &[DevicePoint]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in through.iter().enumerate() {
        let _ = match i.checked_sub(1).map(|before| through[before]) {
            None => write!(d, "M{x} {y}"),
            Some((a, b)) => write!(d, "l{} {}", x - a, y - b),
        };
    }
    d
}

impl Surface for SvgSurface<'_> {
    fn rectangle(&self, [(x0, y0), (x1, y1)]: [DevicePoint; 2], colour: RGBAColor) -> Result<(), DrawError> {
        let (w, h) = (x1 - x0, y1 - y0);
        self.add(self.paint("fill", colour), &format!("M{x0} {y0}h{w}v{h}h{}z", -w));
        Ok(())
    }

    fn path(&self, through: Vec<DevicePoint>, style: ShapeStyle) -> Result<(), DrawError> {
        let paint = self.paint("stroke", style.color);
        self.add(
            format!("fill=\"none\" {paint} stroke-width=\"{}\"", style.stroke_width),
            &outline(&through),
        );
        Ok(())
    }

    fn dashed(&self, through: &[DevicePoint], style: ShapeStyle, pattern: &[u32]) -> Result<(), DrawError> {
        let lengths: Vec<String> = pattern.iter().map(ToString::to_string).collect();
        let paint = self.paint("stroke", style.color);
        let (width, dashes) = (style.stroke_width, lengths.join(" "));
        let style = format!("fill=\"none\" {paint} stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"");
        self.add(style, &outline(through));
        Ok(())
    }

    fn polygon(&self, corners: Vec<DevicePoint>, colour: RGBAColor) -> Result<(), DrawError> {
        self.add(self.paint("fill", colour), &format!("{}z", outline(&corners)));
        Ok(())
    }

    fn circle(&self, (x, y): DevicePoint, radius: u32, style: ShapeStyle) -> Result<(), DrawError> {
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

    fn text(&self, s: &str, style: &TextStyle, (x, y): DevicePoint) -> Result<(), DrawError> {
        let anchor = match style.pos.h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=\"middle\"",
            HPos::Right => " text-anchor=\"end\"",
        };
        let face = match style.font.get_name() {
            SERIF => String::new(),
            other => format!(" font-family=\"{other}\""),
        };
        let weight = match style.font.get_style() {
            FontStyle::Bold => " font-weight=\"bold\"",
            _ => "",
        };
        let turn = match style.font.get_transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(270 {x} {y})\""),
            _ => String::new(),
        };
        let rgb = style.color.rgb;
        let paint = self.paint("fill", RGBColor(rgb.0, rgb.1, rgb.2).mix(style.color.alpha));
        let mut written = self.written.borrow_mut();
        written.close();
        // The middle of small letters is at y.
        let _ = writeln!(
            written.out,
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\"{anchor}{face}{weight} font-size=\"{:.0}\" {paint}{turn}>{}</text>",
            style.font.get_size(),
            escape(s)
        );
        Ok(())
    }
}

/// Escapes text for an element or an attribute of XML or HTML.
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
