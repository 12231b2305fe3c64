//! Colours, fonts and scale of a drawing.

use std::fmt::Write as _;

use plotters::style::RGBColor;
use serde::{Deserialize, Serialize};

use crate::figure::Hue;

/// Font of the page, `assets/fonts/text.woff2`: the first of [`SERIF`].
pub(super) const FACE: &str = "Mean Field Serif";
/// Fonts of words, as on the page. No name may begin with a digit: a canvas would ignore the whole list.
pub(super) const SERIF: &str =
    "Mean Field Serif, Source Serif Pro, Charter, Bitstream Charter, Iowan Old Style, Georgia, serif";

/// Dark ink on light paper, or light ink on dark paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

impl Theme {
    /// Returns the colour of the background.
    pub fn paper(self) -> RGBColor {
        match self {
            Theme::Light => RGBColor(0xff, 0xfd, 0xf8),
            Theme::Dark => RGBColor(0x16, 0x18, 0x1c),
        }
    }

    /// Returns the colour of axes, ticks and text.
    pub fn ink(self) -> RGBColor {
        self.hue(Hue::Ink)
    }

    /// Returns a colour of the palette: the hues of Okabe and Ito and a red, with the lightness adjusted for a contrast of at least 3 : 1 with
    /// the paper.
    pub fn hue(self, hue: Hue) -> RGBColor {
        let [light, dark] = match hue {
            Hue::Ink => [0x1b_1b_1d, 0xe8_e6_e1],
            Hue::Orange => [0xc4_7f_00, 0xe6_9f_00],
            Hue::Sky => [0x2f_93_cf, 0x82_cb_f3],
            Hue::Green => [0x00_94_6b, 0x1f_b5_8a],
            Hue::Yellow => [0x9c_8a_00, 0xf0_e4_42],
            Hue::Blue => [0x00_72_b2, 0x5c_a6_f0],
            Hue::Vermilion => [0xd5_5e_00, 0xf5_82_3c],
            Hue::Purple => [0xc4_6a_9c, 0xdd_8f_bb],
            Hue::Red => [0xb3_00_1b, 0xff_5f_6b],
        };
        let rgb: u32 = if self == Theme::Light { light } else { dark };
        RGBColor((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// Returns the colour of a point at a fraction of the scale from dark to light, without the end that is close to the paper.
    pub(super) fn shade(self, fraction: f64) -> RGBColor {
        let (from, to) = match self {
            Theme::Light => (0.0, 0.88),
            Theme::Dark => (0.38, 1.0),
        };
        // In steps, because a drawing of equal colours is smaller.
        let step = (fraction.clamp(0.0, 1.0) * SHADES).round() / SHADES;
        viridis(from + (to - from) * step)
    }

    /// Returns the opacity of each of `count` thin lines that lie over each other: of many, each is fainter. Light lines on dark paper look
    /// thinner, so they are drawn less faint.
    pub(super) fn thread_opacity(self, count: usize) -> f64 {
        let opacity = 14.0 / count as f64;
        match self {
            Theme::Light => opacity.clamp(0.1, 0.7),
            Theme::Dark => (1.5 * opacity).clamp(0.2, 0.85),
        }
    }

    /// Limits the opacity of an area in the dark theme, where a dense area would be as bright as the lines on it.
    pub(super) fn area_opacity(self, opacity: f64) -> f64 {
        if self == Theme::Dark { opacity.min(0.4) } else { opacity }
    }

    /// Returns the palette as custom properties, `--paper:#fffdf8;--hue-ink:…`, for a style sheet. The markup of
    /// [`super::svg_for_page`] uses them.
    pub fn css(self) -> String {
        let mut css = format!("--paper:{};", hex(self.paper()));
        for hue in HUES {
            // Writing to a string cannot fail.
            let _ = write!(css, "{}:{};", property(hue), hex(self.hue(hue)));
        }
        css
    }
}

/// Number of steps of the colours of points.
const SHADES: f64 = 24.0;

/// All colours of the palette.
pub const HUES: [Hue; 9] = [
    Hue::Ink,
    Hue::Orange,
    Hue::Sky,
    Hue::Green,
    Hue::Yellow,
    Hue::Blue,
    Hue::Vermilion,
    Hue::Purple,
    Hue::Red,
];

/// Returns the CSS custom property of a colour, such as `--hue-blue`.
pub fn property(hue: Hue) -> &'static str {
    match hue {
        Hue::Ink => "--hue-ink",
        Hue::Orange => "--hue-orange",
        Hue::Sky => "--hue-sky",
        Hue::Green => "--hue-green",
        Hue::Yellow => "--hue-yellow",
        Hue::Blue => "--hue-blue",
        Hue::Vermilion => "--hue-vermilion",
        Hue::Purple => "--hue-purple",
        Hue::Red => "--hue-red",
    }
}

/// Colours of matplotlib's viridis at multiples of ⅛: equal steps in lightness from dark to light.
const VIRIDIS: [u32; 9] = [
    0x44_01_54, 0x47_2d_7b, 0x3b_52_8b, 0x2c_72_8e, 0x21_91_8c, 0x28_ae_80, 0x5e_c9_62, 0xad_dc_30,
    0xfd_e7_25,
];

/// Returns the colour at a fraction of the sequential scale.
pub(super) fn viridis(fraction: f64) -> RGBColor {
    let at = fraction.clamp(0.0, 1.0) * 8.0;
    let low = (at as usize).min(7);
    let channel = |shift: u32| {
        let of = |i: usize| f64::from((VIRIDIS[i] >> shift) & 0xff);
        (of(low) + (at - low as f64) * (of(low + 1) - of(low))).round() as u8
    };
    RGBColor(channel(16), channel(8), channel(0))
}

/// Formats a colour for CSS, such as `#0072b2`.
pub fn hex(colour: RGBColor) -> String {
    format!("#{:02x}{:02x}{:02x}", colour.0, colour.1, colour.2)
}

/// Colours, and the scale of a CSS pixel in units of the plotters backend.
///
/// Plotters has integer coordinates. The units are therefore several times finer than a pixel and the backend is scaled down, so
/// that curves are smooth and a line may be 1.6 pixels wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Theme of the colours.
    pub theme: Theme,
    /// Backend units per CSS pixel.
    pub scale: f64,
    /// Backend units per device pixel; axes lie exactly on device pixels to be sharp.
    pub pixel: f64,
    /// True if the background is painted.
    pub paper: bool,
}

impl Look {
    /// Returns the look for a backend whose unit is a device pixel, with `scale` units per CSS pixel.
    pub fn new(theme: Theme, scale: f64) -> Self {
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        Self { theme, scale, pixel: 1.0, paper: true }
    }

    /// Makes the units `n` times finer.
    #[must_use]
    pub fn finer(mut self, n: u32) -> Self {
        self.scale *= f64::from(n.max(1));
        self.pixel *= f64::from(n.max(1));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(c: RGBColor) -> f64 {
        let linear = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.039_28 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(c.0) + 0.7152 * linear(c.1) + 0.0722 * linear(c.2)
    }

    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_colour_has_enough_contrast() {
        for theme in [Theme::Light, Theme::Dark] {
            for hue in HUES {
                let c = contrast(theme.hue(hue), theme.paper());
                assert!(c >= 3.2, "{theme:?} {hue:?}: {c}");
            }
            assert!(contrast(theme.ink(), theme.paper()) >= 12.0);
        }
    }

    /// A line of one pixel that lies between two pixels covers a little more than half of either.
    #[test]
    fn thin_lines_are_visible_on_dark_paper() {
        let dark = Theme::Dark;
        let blended = |colour: RGBColor, opacity: f64| {
            let mix = |ink: u8, paper: u8| {
                (opacity * f64::from(ink) + (1.0 - opacity) * f64::from(paper)).round() as u8
            };
            let paper = dark.paper();
            RGBColor(mix(colour.0, paper.0), mix(colour.1, paper.1), mix(colour.2, paper.2))
        };
        for hue in HUES {
            let thin = contrast(blended(dark.hue(hue), 0.65), dark.paper());
            assert!(thin >= 3.0, "{hue:?}: {thin}");
            let single = contrast(blended(dark.hue(hue), dark.thread_opacity(1)), dark.paper());
            assert!(single >= 4.5, "{hue:?}: {single}");
        }
        assert!(dark.thread_opacity(200) > Theme::Light.thread_opacity(200));
    }

    #[test]
    fn points_of_every_shade_are_visible_and_their_order_is_that_of_lightness() {
        for theme in [Theme::Light, Theme::Dark] {
            let shades = (0..=24).map(|i| theme.shade(f64::from(i) / 24.0));
            let lightness: Vec<f64> = shades.map(luminance).collect();
            assert!(lightness.is_sorted());
            let ends = [theme.shade(0.0), theme.shade(1.0)];
            let least = ends.map(|c| contrast(c, theme.paper())).into_iter().fold(f64::INFINITY, f64::min);
            assert!(least > 1.5, "{theme:?}: {least}");
        }
    }

    #[test]
    fn colours_are_distinct() {
        for theme in [Theme::Light, Theme::Dark] {
            let mut all: Vec<String> = HUES.iter().map(|&h| hex(theme.hue(h))).collect();
            all.push(hex(theme.paper()));
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 10);
        }
    }

    #[test]
    fn the_sequential_scale_has_equal_steps_in_lightness() {
        // L* of CIELAB.
        let lightness = |c: RGBColor| 116.0 * luminance(c).cbrt() - 16.0;
        let all: Vec<f64> = (0..=24).map(|i| lightness(viridis(f64::from(i) / 24.0))).collect();
        let mean = (all[24] - all[0]) / 24.0;
        assert!(all.windows(2).all(|w| (w[1] - w[0] - mean).abs() < 0.4 * mean), "{all:?}");
    }

    #[test]
    fn the_style_sheet_has_every_colour() {
        let css = Theme::Dark.css();
        assert!(css.starts_with("--paper:#16181c;"));
        assert!(HUES.iter().all(|&h| css.contains(property(h))));
    }
}
