//! The browser engines, and the settings of each.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use thirtyfour::{Capabilities, LoggingPrefsLogLevel};

use super::Device;

/// A browser engine. `MEANFIELD_ENGINE` chooses the one that tests run in: `chromium` (default), `firefox` or `webkit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Chromium or Chrome, through chromedriver.
    Chromium,
    /// Firefox, through geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser, through WebKitWebDriver, on its own screen (Xvfb).
    WebKit,
}

impl Engine {
    /// Returns the engine in `MEANFIELD_ENGINE`.
    ///
    /// # Panics
    /// If it is not an engine.
    pub fn chosen() -> Self {
        match env::var("MEANFIELD_ENGINE").as_deref() {
            Err(_) | Ok("chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok("webkit") => Self::WebKit,
            Ok(other) => panic!("MEANFIELD_ENGINE is {other}: expected chromium, firefox or webkit"),
        }
    }

    /// Returns the environment variable with the path of its driver, and the default.
    fn driver_names(self) -> (&'static str, &'static str) {
        match self {
            Self::Chromium => ("CHROMEDRIVER", "chromedriver"),
            Self::Firefox => ("GECKODRIVER", "geckodriver"),
            Self::WebKit => ("WEBKITDRIVER", "WebKitWebDriver"),
        }
    }

    /// Returns the path of its driver.
    pub fn driver(self) -> OsString {
        let (variable, name) = self.driver_names();
        env::var_os(variable).unwrap_or_else(|| name.into())
    }

    /// Arguments of its driver for a port.
    pub fn driver_arguments(self, port: u16) -> Vec<String> {
        let port = format!("--port={port}");
        match self {
            Self::Chromium | Self::WebKit => vec![port],
            // Allows changes of preferences while it runs.
            Self::Firefox => vec![port, "--allow-system-access".to_owned()],
        }
    }

    /// Returns true if it can emulate such a screen. Motion cannot be turned off in WebKitGTK: there a page begins with a replay.
    pub fn has(self, device: Device) -> bool {
        match self {
            Self::Chromium | Self::Firefox => true,
            Self::WebKit => !device.touch && !device.dark,
        }
    }

    /// Capabilities requested for a session.
    ///
    /// # Errors
    /// If a capability cannot be set.
    pub fn capabilities(self, profile: &Path, downloads: &Path) -> WebDriverResult<Capabilities> {
        match self {
            Self::Chromium => chromium(profile),
            Self::Firefox => firefox(downloads),
            Self::WebKit => webkit(),
        }
    }
}

fn chromium(profile: &Path) -> WebDriverResult<Capabilities> {
    let mut capabilities = DesiredCapabilities::chrome();
    for argument in [
        "--headless",
        "--no-sandbox", // containers rarely allow it; only the project's own page is loaded
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--no-proxy-server",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-component-update",
        "--disable-sync",
        "--force-color-profile=srgb",
        // Emulates a mouse (fine pointer, hover) on machines without one; emulated touch takes precedence.
        "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
        "--window-size=1440,900",
        &format!("--user-data-dir={}", profile.display()),
    ] {
        capabilities.add_arg(argument)?;
    }
    if let Some(browser) = env::var_os("CHROME") {
        capabilities.set_binary(&browser.to_string_lossy())?;
    }
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    Ok(capabilities.into())
}

fn firefox(downloads: &Path) -> WebDriverResult<Capabilities> {
    let mut capabilities = DesiredCapabilities::firefox();
    capabilities.add_arg("-headless")?;
    if let Some(browser) = env::var_os("FIREFOX") {
        capabilities.set_firefox_binary(&browser.to_string_lossy())?;
    }
    let mut capabilities: Capabilities = capabilities.into();
    let mut preferences = json!({
        "browser.download.dir": downloads.to_string_lossy(),
        "browser.download.folderList": 2,
        "browser.download.useDownloadDir": true,
        "browser.download.always_ask_before_handling_new_types": false,
        "browser.download.alwaysOpenPanel": false,
        "network.proxy.type": 0,
    });
    for (name, value) in screen_preferences(Device::DESKTOP) {
        preferences[name] = value;
    }
    let options = capabilities.get_mut("moz:firefoxOptions").and_then(Value::as_object_mut);
    options.expect("its options").insert("prefs".to_owned(), preferences);
    Ok(capabilities)
}

/// Preferences of Firefox for a device.
pub fn screen_preferences(device: Device) -> [(&'static str, Value); 5] {
    // Bits of a pointer: coarse 1, fine 2, hover 4.
    let pointer = if device.touch { 1 } else { 6 };
    [
        ("layout.css.prefers-color-scheme.content-override", json!(i32::from(!device.dark))),
        ("layout.css.devPixelsPerPx", json!(device.scale.to_string())),
        ("ui.prefersReducedMotion", json!(i32::from(device.still))),
        ("ui.primaryPointerCapabilities", json!(pointer)),
        ("ui.allPointerCapabilities", json!(pointer)),
    ]
}

fn webkit() -> WebDriverResult<Capabilities> {
    const FOLDERS: [&str; 3] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"];
    let browser = env::var_os("WEBKIT").map(Into::into).or_else(|| {
        FOLDERS
            .iter()
            .flat_map(|folder| {
                ["4.1", "4.0"].map(|version| format!("{folder}/webkit2gtk-{version}/MiniBrowser"))
            })
            .map(std::path::PathBuf::from)
            .find(|path| path.is_file())
    });
    let browser =
        browser.expect("WebKitGTK's MiniBrowser; scripts/setup --browser installs it, or set WEBKIT");
    let mut capabilities = Capabilities::new();
    capabilities.set("browserName", "MiniBrowser")?;
    capabilities.set("webkitgtk:browserOptions", json!({ "binary": browser, "args": ["--automation"] }))?;
    Ok(capabilities)
}
