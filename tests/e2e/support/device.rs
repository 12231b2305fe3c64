//! Emulated devices.

/// A screen and the preferences of its user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Device {
    /// Width of the viewport in CSS pixels.
    pub width: u32,
    /// Height of the viewport in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// True for a phone or tablet: touch events, no hover, the viewport of a mobile browser.
    pub touch: bool,
    /// True for `prefers-color-scheme: dark`.
    pub dark: bool,
    /// True for `prefers-reduced-motion: reduce`.
    pub still: bool,
}

impl Device {
    /// A laptop's screen. Motion is turned off, so that a page does not begin with a replay.
    pub const DESKTOP: Self =
        Self { width: 1440, height: 900, scale: 1.0, touch: false, dark: false, still: true };
    /// A tablet held upright.
    pub const TABLET: Self = Self { width: 768, height: 1024, scale: 2.0, touch: true, ..Self::DESKTOP };
    /// A phone.
    pub const PHONE: Self = Self { width: 390, height: 844, scale: 2.0, touch: true, ..Self::DESKTOP };
    /// The narrowest screen that the page must fit (WCAG 1.4.10, reflow).
    pub const NARROW: Self = Self { width: 320, height: 568, scale: 2.0, touch: true, ..Self::DESKTOP };
    /// A laptop's screen at 200 % zoom (WCAG 1.4.4).
    pub const ZOOMED: Self = Self { width: 720, height: 450, scale: 2.0, ..Self::DESKTOP };

    /// Returns the same device with motion.
    pub const fn moving(self) -> Self {
        Self { still: false, ..self }
    }

    /// The same device with the dark colour scheme.
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}
