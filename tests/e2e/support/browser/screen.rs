//! The emulated screen, and screenshots.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use thirtyfour::common::command::{Command, ExtensionCommand};

use super::super::engine::screen_preferences;
use super::{Browser, Device, Engine};

/// Context of scripts in Firefox: the page (`content`) or the browser's window (`chrome`).
#[derive(Debug)]
struct Context(&'static str);

impl ExtensionCommand for Context {
    fn parameters_json(&self) -> Option<Value> {
        Some(json!({ "context": self.0 }))
    }

    fn method(&self) -> Method {
        Method::POST
    }

    fn endpoint(&self) -> Arc<str> {
        "/moz/context".into()
    }
}

/// Sets preferences and size of the page in Firefox's window, also for screens narrower than the smallest window.
const IN_FIREFOX: &str = "const [preferences, width, height, touch] = arguments;
    for (const [name, value] of preferences) {
        if (typeof value === 'string') Services.prefs.setStringPref(name, value);
        else Services.prefs.setIntPref(name, value);
    }
    const page = gBrowser.selectedBrowser;
    for (const [side, length] of [['width', width], ['height', height]]) {
        page.style.setProperty('min-' + side, length + 'px');
        page.style.setProperty('max-' + side, length + 'px');
    }
    page.browsingContext.touchEventsOverride = touch ? 'enabled' : 'none';";

impl Browser {
    /// Changes the screen and the preferences of this and later documents.
    ///
    /// # Panics
    /// If the engine cannot emulate such a screen ([`Engine::has`]).
    #[track_caller]
    pub fn emulate(&self, device: Device) {
        match self.engine {
            Engine::Chromium => self.emulate_by_devtools(device),
            Engine::Firefox => self.emulate_by_preferences(device),
            Engine::WebKit => {
                assert!(self.engine.has(device), "{device:?}");
                self.resize(device);
            }
        }
    }

    #[track_caller]
    fn emulate_by_devtools(&self, device: Device) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({
                "width": device.width,
                "height": device.height,
                "deviceScaleFactor": device.scale,
                "mobile": device.touch,
                "screenWidth": device.width,
                "screenHeight": device.height,
            }),
        );
        self.cdp(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": device.touch, "maxTouchPoints": 5 }),
        );
        self.cdp(
            "Emulation.setEmulatedMedia",
            json!({ "features": [
                { "name": "prefers-color-scheme", "value": if device.dark { "dark" } else { "light" } },
                { "name": "prefers-reduced-motion", "value": if device.still { "reduce" } else { "no-preference" } },
            ] }),
        );
    }

    #[track_caller]
    fn emulate_by_preferences(&self, device: Device) {
        self.run(self.driver().set_window_rect(0, 0, device.width + 100, device.height + 200));
        self.context("chrome");
        let arguments = vec![
            json!(screen_preferences(device)),
            json!(device.width),
            json!(device.height),
            json!(device.touch),
        ];
        self.run(self.driver().execute(IN_FIREFOX, arguments));
        self.context("content");
    }

    #[track_caller]
    fn context(&self, context: &'static str) {
        self.run(self.driver().cmd(Command::ExtensionCommand(Box::new(Context(context)))));
    }

    /// Resizes the window so that the page has the size of the device.
    #[track_caller]
    fn resize(&self, device: Device) {
        let driver = self.driver();
        self.run(driver.set_window_rect(0, 0, device.width, device.height));
        let [width, height]: [u32; 2] = self.eval("[innerWidth, innerHeight]");
        let frame = (device.width.saturating_sub(width), device.height.saturating_sub(height));
        self.run(driver.set_window_rect(0, 0, device.width + frame.0, device.height + frame.1));
    }

    /// Writes the visible part of the page to a PNG file.
    #[track_caller]
    pub fn screenshot(&self, path: &Path) {
        self.wait_painted();
        let png = self.run(self.driver().screenshot_as_png());
        write_file(path, &png);
    }

    /// Writes the whole page to a PNG file.
    #[track_caller]
    pub fn screenshot_of_page(&self, path: &Path) {
        self.wait_painted();
        let size = &self.cdp("Page.getLayoutMetrics", json!({}))["cssContentSize"];
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let shot = self.cdp("Page.captureScreenshot", json!({ "captureBeyondViewport": true, "clip": clip }));
        let png = thirtyfour::support::base64_decode(shot["data"].as_str().expect("a picture in base64"));
        write_file(path, &png.expect("a picture in base64"));
    }
}

#[track_caller]
fn write_file(path: &Path, bytes: &[u8]) {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    assert!(written.is_ok(), "{}: {written:?}", path.display());
}
