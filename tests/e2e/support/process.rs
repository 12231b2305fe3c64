//! The programs behind a browser under test, and where they leave their files.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use thirtyfour::LoggingPrefsLogLevel;
use thirtyfour::prelude::*;

pub fn capabilities(profile: &Path) -> WebDriverResult<Capabilities> {
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
        // A mouse (fine pointer, hover), which a machine without one lacks; emulated touch goes before it.
        "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
        "--window-size=1440,900",
        &format!("--user-data-dir={}", profile.display()),
    ] {
        capabilities.add_arg(argument)?;
    }
    if let Some(browser) = std::env::var_os("CHROME") {
        capabilities.set_binary(&browser.to_string_lossy())?;
    }
    capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    Ok(capabilities.into())
}
/// A running chromedriver, killed when dropped.
pub struct Chromedriver {
    child: Child,
    pub port: u16,
}

impl Chromedriver {
    #[track_caller]
    pub fn start(temporary: &Path) -> Self {
        let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut command = Command::new(&program);
        command.arg("--port=0"); // any free port; it prints which
        if cfg!(target_os = "linux") {
            // It leaves things behind. (Elsewhere the path may be too long for the browser's socket.)
            command.env("TMPDIR", temporary);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.unwrap_or_else(|error| {
            panic!("{}: {error}; scripts/setup --browser installs it, or set CHROMEDRIVER", program.display())
        });
        let mut started = Self { child, port: 0 };
        let mut lines = BufReader::new(started.child.stdout.take().expect("its output is piped")).lines();
        started.port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok())
            .expect("chromedriver says which port it listens on");
        // Whatever else it says must not fill the pipe.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        started
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder in the system's temporary folder, removed when dropped.
pub struct TempDir(pub PathBuf);

impl TempDir {
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("meanfield-{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
