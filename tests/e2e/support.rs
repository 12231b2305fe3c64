//! What the end-to-end tests share: a static host for the built page, and Chromium driven through chromedriver.
//!
//! Include it with `#[path = "e2e/support.rs"] mod support;`. A test begins with
//!
//! ```ignore
//! let Some(browser) = Browser::open(&Options::default()) else { return };
//! browser.goto("#/feedforward?runs=20");
//! browser.wait_done(Duration::from_secs(30)).unwrap();
//! ```
//!
//! and is skipped, with a message, when `MEANFIELD_DIST` does not name a built page. A console error that the
//! test did not ask for with [`Browser::take_console_errors`] fails it when the browser is dropped.

#![allow(dead_code)] // every test binary uses its own part of this file

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::future::Future;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;
use thirtyfour::{BrowserLogEntry, LoggingPrefsLogLevel, TypingData};
use tokio::runtime::{Builder, Runtime};

/// The folder of the built page, from `MEANFIELD_DIST`. Without it the test has nothing to look at: it says so,
/// and fails on a CI machine, where nobody would read it.
pub fn dist() -> Option<PathBuf> {
    let Some(dist) = std::env::var_os("MEANFIELD_DIST") else {
        let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!ci, "MEANFIELD_DIST is not set: CI must test the built page");
        let test = thread::current().name().unwrap_or("a browser test").to_owned();
        // Written past the test harness, which would swallow the message of a passing test.
        let _ =
            writeln!(io::stderr(), "{test}: skipped, MEANFIELD_DIST names no built page (see scripts/test)");
        return None;
    };
    let dist = PathBuf::from(dist);
    assert!(dist.join("index.html").is_file(), "MEANFIELD_DIST has no index.html: {}", dist.display());
    Some(dist)
}

/// A screen and what its owner prefers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Device {
    /// Width of the viewport in CSS pixels.
    pub width: u32,
    /// Height of the viewport in CSS pixels.
    pub height: u32,
    /// Device pixels to a CSS pixel.
    pub scale: f64,
    /// A phone or tablet: touch events, no hover, the viewport of a mobile browser.
    pub touch: bool,
    /// `prefers-color-scheme: dark` rather than `light`.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`.
    pub still: bool,
}

impl Device {
    /// A laptop's screen.
    pub const DESKTOP: Self =
        Self { width: 1440, height: 900, scale: 1.0, touch: false, dark: false, still: false };
    /// A tablet held upright.
    pub const TABLET: Self = Self { width: 768, height: 1024, scale: 2.0, touch: true, ..Self::DESKTOP };
    /// A phone.
    pub const PHONE: Self = Self { width: 390, height: 844, scale: 2.0, touch: true, ..Self::DESKTOP };
    /// The narrowest screen the page has to fit (WCAG 1.4.10, reflow).
    pub const NARROW: Self = Self { width: 320, height: 568, scale: 2.0, touch: true, ..Self::DESKTOP };

    /// The same device with the dark colour scheme.
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}

/// How a [`Browser`] starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The screen at first; [`Browser::emulate`] changes it.
    pub device: Device,
    /// The folder of the host the page lies in, with a slash at both ends.
    pub folder: &'static str,
    /// Scripts that run before any of the page's, in every document.
    pub scripts: Vec<String>,
}

impl Default for Options {
    /// A desktop, and a page that lies in a folder, as it does on many static hosts.
    fn default() -> Self {
        Self { device: Device::DESKTOP, folder: "/lab/", scripts: Vec::new() }
    }
}

/// Chromium with the built page, served from this process. Everything ends when it is dropped.
pub struct Browser {
    // Dropped in this order; the session is ended in `drop`.
    driver: Option<WebDriver>,
    runtime: Runtime,
    _process: Chromedriver,
    profile: TempDir,
    server: Server,
    console_errors: RefCell<Vec<String>>,
}

impl Browser {
    /// Serves the built page and opens a browser (still on an empty page); `None` if there is no built page.
    ///
    /// # Panics
    /// If the browser does not start, and on a CI machine if there is no built page.
    #[track_caller]
    pub fn open(options: &Options) -> Option<Self> {
        let server =
            Server::start(&dist()?, options.folder).expect("a port on 127.0.0.1 to serve the page on");
        let profile = TempDir::new().expect("a temporary folder for the browser's profile");
        let process = Chromedriver::start(&profile.0);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let address = format!("http://127.0.0.1:{}", process.port);
        let driver = runtime.block_on(async { WebDriver::new(address, capabilities(&profile.0)?).await });
        let driver = or_panic(driver, "chromedriver starts no browser");
        let browser = Self {
            driver: Some(driver),
            runtime,
            _process: process,
            profile,
            server,
            console_errors: RefCell::default(),
        };
        for script in &options.scripts {
            browser.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
        }
        let downloads = browser.profile.0.join("downloads");
        browser.cdp(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": downloads.to_string_lossy() }),
        );
        browser.emulate(options.device);
        Some(browser)
    }

    /// The thirtyfour session, for what has no method here; await its futures with [`Browser::run`].
    pub fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("there is a session until drop")
    }

    /// Awaits one of the session's futures.
    ///
    /// # Panics
    /// If it fails.
    #[track_caller]
    pub fn run<T>(&self, future: impl Future<Output = WebDriverResult<T>>) -> T {
        or_panic(self.runtime.block_on(future), "the browser refuses")
    }

    /// Sends a command of the Chrome `DevTools` protocol.
    #[track_caller]
    pub fn cdp(&self, method: &str, parameters: Value) -> Value {
        self.run(self.driver().cdp().send_raw(method, parameters))
    }

    /// The static host.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Changes the screen and the preferences, of this document and of those to come.
    #[track_caller]
    pub fn emulate(&self, device: Device) {
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

    /// Loads the page afresh at a route, `#/feedforward?runs=20` or `""`, and returns when its `load` event has
    /// fired; the run goes on ([`Browser::wait_done`]).
    #[track_caller]
    pub fn goto(&self, route: &str) {
        // By way of an empty page: changing only what follows the # would not load anything.
        self.run(self.driver().goto("about:blank"));
        self.run(self.driver().goto(format!("{}{route}", self.server.url())));
    }

    /// Follows a route inside the loaded page, as a click on a link does.
    #[track_caller]
    pub fn follow(&self, route: &str) {
        self.eval::<Value>(&format!("(location.hash = {}, null)", json!(route)));
    }

    /// The value of a JavaScript expression; a promise is awaited.
    #[track_caller]
    pub fn eval<T: DeserializeOwned>(&self, expression: &str) -> T {
        or_panic(self.try_eval(expression), expression)
    }

    fn try_eval<T: DeserializeOwned>(&self, expression: &str) -> WebDriverResult<T> {
        let script = format!("return (\n{expression}\n);");
        self.runtime.block_on(async { self.driver().execute(script, Vec::new()).await?.convert() })
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Errors
    /// If it is not in time, or throws all the while.
    pub fn wait_until(&self, condition: &str, timeout: Duration) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let last = match self.try_eval::<bool>(&format!("!!({condition})")) {
                Ok(true) => return Ok(()),
                Ok(false) => String::new(),
                Err(error) => format!("\n{}", plain(&error)),
            };
            if start.elapsed() > timeout {
                let state = self.state();
                let errors = self.console_errors();
                return Err(format!(
                    "not so after {timeout:?}: {condition}\nstate: {state}, console: {errors:?}{last}"
                ));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page says of itself: `data-state` of `<html>`.
    pub fn state(&self) -> String {
        self.try_eval("document.documentElement.dataset.state ?? ''").unwrap_or_default()
    }

    /// Waits until the page says that its run is done.
    ///
    /// # Errors
    /// If the run fails, or is not done in time.
    pub fn wait_done(&self, timeout: Duration) -> Result<(), String> {
        self.wait_until("['done', 'failed'].includes(document.documentElement.dataset.state)", timeout)?;
        match self.state().as_str() {
            "failed" => {
                Err(format!("the page says that its run failed; console: {:?}", self.console_errors()))
            }
            _ => Ok(()),
        }
    }

    /// Waits until what was just changed is on the screen.
    #[track_caller]
    pub fn wait_painted(&self) {
        self.eval::<Value>(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
        );
    }

    /// The first element that a CSS selector finds.
    #[track_caller]
    pub fn find(&self, selector: &str) -> WebElement {
        or_panic(self.runtime.block_on(self.driver().find(By::Css(selector))), selector)
    }

    /// The visible text of an element.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        self.run(self.find(selector).text())
    }

    /// Clicks an element with the mouse; fails if something else lies over it.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.run(self.find(selector).click());
    }

    /// Replaces what stands in a text or number field.
    #[track_caller]
    pub fn fill(&self, selector: &str, text: &str) {
        let element = self.find(selector);
        self.run(element.clear());
        self.run(element.send_keys(text));
    }

    /// Gives a file to an `<input type="file">`.
    #[track_caller]
    pub fn upload(&self, selector: &str, file: &Path) {
        let file = fs::canonicalize(file).expect("a file to upload");
        self.run(self.find(selector).send_keys(file.to_string_lossy().as_ref()));
    }

    /// Presses and releases keys (`"s"`, [`Key::Tab`]) where the focus is.
    #[track_caller]
    pub fn press(&self, keys: impl Into<TypingData>) {
        self.run(self.driver().action_chain().send_keys(keys).perform());
    }

    /// Drags with the mouse from one point to another; both are in CSS pixels from the centre of the element.
    #[track_caller]
    pub fn drag(&self, selector: &str, from: (i64, i64), to: (i64, i64)) {
        let element = self.find(selector);
        let chain = self.driver().action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
        let chain = chain.move_to_element_center(&element).move_by_offset(from.0, from.1).click_and_hold();
        let half = ((to.0 - from.0) / 2, (to.1 - from.1) / 2);
        let rest = (to.0 - from.0 - half.0, to.1 - from.1 - half.1);
        self.run(chain.move_by_offset(half.0, half.1).move_by_offset(rest.0, rest.1).release().perform());
    }

    /// Waits for a file that the page offered as a download, and reads it.
    ///
    /// # Errors
    /// If it has not come in time.
    pub fn download(&self, name: &str, timeout: Duration) -> Result<Vec<u8>, String> {
        let start = Instant::now();
        let folder = self.profile.0.join("downloads");
        loop {
            // The browser gives a download its name when it is complete.
            if let Ok(bytes) = fs::read(folder.join(name)) {
                return Ok(bytes);
            }
            if start.elapsed() > timeout {
                let there: Vec<_> = fs::read_dir(&folder)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.file_name())
                    .collect();
                return Err(format!("no download {name} after {timeout:?}; there is {there:?}"));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Writes what is on the screen to a PNG file.
    #[track_caller]
    pub fn screenshot(&self, path: &Path) {
        self.wait_painted();
        let png = self.run(self.driver().screenshot_as_png());
        write_file(path, &png);
    }

    /// Writes the whole page, however long, to a PNG file.
    #[track_caller]
    pub fn screenshot_of_page(&self, path: &Path) {
        self.wait_painted();
        let size = &self.cdp("Page.getLayoutMetrics", json!({}))["cssContentSize"];
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1 });
        let shot = self.cdp("Page.captureScreenshot", json!({ "captureBeyondViewport": true, "clip": clip }));
        let png = thirtyfour::support::base64_decode(shot["data"].as_str().expect("a picture in base64"));
        write_file(path, &png.expect("a picture in base64"));
    }

    /// The errors in the console so far: uncaught exceptions, failed requests, `console.error`.
    pub fn console_errors(&self) -> Vec<String> {
        let entries = self.runtime.block_on(self.driver().browser_log()).unwrap_or_default();
        let severe = |entry: BrowserLogEntry| (entry.level == "SEVERE").then_some(entry.message);
        self.console_errors.borrow_mut().extend(entries.into_iter().filter_map(severe));
        self.console_errors.borrow().clone()
    }

    /// The errors in the console so far, which are then forgotten: for a test that provokes them.
    pub fn take_console_errors(&self) -> Vec<String> {
        self.console_errors();
        self.console_errors.take()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let errors = self.console_errors();
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(driver.quit());
        }
        if !thread::panicking() {
            assert!(errors.is_empty(), "errors in the console:\n{}", errors.join("\n"));
        } else if !errors.is_empty() {
            eprintln!("errors in the console:\n{}", errors.join("\n"));
        }
    }
}

fn capabilities(profile: &Path) -> WebDriverResult<Capabilities> {
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

/// An error without chromedriver's stack trace of itself.
fn plain(error: &WebDriverError) -> String {
    let text = error.to_string();
    text.split("Stacktrace:").next().unwrap_or_default().trim().to_owned()
}

/// The value, or a panic at the test's own line.
#[track_caller]
fn or_panic<T>(result: WebDriverResult<T>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{what}: {}", plain(&error)),
    }
}

#[track_caller]
fn write_file(path: &Path, bytes: &[u8]) {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    assert!(written.is_ok(), "{}: {written:?}", path.display());
}

/// A running chromedriver, killed when dropped.
struct Chromedriver {
    child: Child,
    port: u16,
}

impl Chromedriver {
    #[track_caller]
    fn start(temporary: &Path) -> Self {
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
struct TempDir(PathBuf);

impl TempDir {
    fn new() -> io::Result<Self> {
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

/// A static host on 127.0.0.1 that knows files and nothing else: no rewrites, no listings, no compression.
/// It stops when dropped.
pub struct Server {
    address: SocketAddr,
    folder: String,
    stop: Arc<AtomicBool>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves the files of `root` at `folder` (`"/"`, `"/lab/"`), on a free port.
    ///
    /// # Errors
    /// If no port can be had.
    pub fn start(root: &Path, folder: &str) -> io::Result<Self> {
        assert!(folder.starts_with('/') && folder.ends_with('/'), "a slash at both ends: {folder}");
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let server = Self {
            address: listener.local_addr()?,
            folder: folder.to_owned(),
            stop: Arc::default(),
            requests: Arc::default(),
        };
        let (root, folder) = (root.canonicalize()?, server.folder.clone());
        let (stop, requests) = (Arc::clone(&server.stop), Arc::clone(&server.requests));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (root, folder, requests) = (root.clone(), folder.clone(), Arc::clone(&requests));
                thread::spawn(move || answer(stream, &root, &folder, &requests));
            }
        });
        Ok(server)
    }

    /// Address of the page, ending with a slash.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.folder)
    }

    /// The targets asked for so far, with query, in order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no thread panics with it").clone()
    }

    /// Answers nothing from now on, as if the network were gone.
    pub fn stop(&self) {
        if !self.stop.swap(true, Ordering::Relaxed) {
            let _ = TcpStream::connect(self.address); // wakes the listener, which then leaves
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(mut stream: TcpStream, root: &Path, folder: &str, requests: &Mutex<Vec<String>>) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let Some((method, target)) = read_request(&stream) else { return };
    requests.lock().expect("no thread panics with it").push(target.clone());
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let (status, kind, body) = if format!("{path}/") == folder {
        (format!("301 Moved Permanently\r\nLocation: {folder}"), "text/plain", Vec::new())
    } else {
        match path.strip_prefix(folder).and_then(|file| read_file(root, file)) {
            Some((kind, body)) => ("200 OK".to_owned(), kind, body),
            None => ("404 Not Found".to_owned(), "text/plain", b"not found\n".to_vec()),
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    if method != "HEAD" {
        let _ = stream.write_all(&body);
    }
}

fn read_request(stream: &TcpStream) -> Option<(String, String)> {
    let mut lines = BufReader::new(stream.take(64 * 1024)).lines().map_while(Result::ok);
    let request = lines.next()?;
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    let mut words = request.split(' ');
    Some((words.next()?.to_owned(), words.next()?.to_owned()))
}

fn read_file(root: &Path, file: &str) -> Option<(&'static str, Vec<u8>)> {
    let file = match percent_decoded(file)? {
        file if file.is_empty() || file.ends_with('/') => file + "index.html",
        file => file,
    };
    let path = root.join(file).canonicalize().ok().filter(|path| path.starts_with(root) && path.is_file())?;
    let kind = media_type(path.extension().and_then(|extension| extension.to_str()).unwrap_or_default());
    Some((kind, fs::read(path).ok()?))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

fn media_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "csv" => "text/csv",
        "gz" => "application/gzip",
        "txt" | "md" | "bib" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
