//! A browser controlled by standard `WebDriver` commands; `screen` and `console` have the rest.

mod console;
mod screen;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs;
use std::future::Future;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use thirtyfour::TypingData;
use thirtyfour::prelude::*;
use tokio::runtime::{Builder, Runtime};

use console::with_errors;

use super::process::{Driver, TempDir};
use super::{Device, Engine, Server, dist};

/// Options of a [`Browser`].
#[derive(Debug, Clone)]
pub struct Options {
    /// Initial screen; [`Browser::emulate`] changes it.
    pub device: Device,
    /// Folder of the page on the host, with a slash at both ends.
    pub folder: &'static str,
    /// Folder whose files are served, if not that of the built page.
    pub root: Option<PathBuf>,
    /// True if the page may have a service worker. Tests that change, block or count requests must not read from its cache.
    pub offline: bool,
    /// Scripts that run before any of the page's, in every document.
    pub scripts: Vec<String>,
    /// Reason why the test can only run in Chromium: it is skipped in other engines.
    pub chromium_only: Option<&'static str>,
}

impl Default for Options {
    /// Returns a desktop, and a page in a folder, as on many static hosts.
    fn default() -> Self {
        Self {
            device: Device::DESKTOP,
            folder: "/lab/",
            root: None,
            offline: false,
            scripts: Vec::new(),
            chromium_only: None,
        }
    }
}

/// Script that removes the service worker, as in a window without one.
const NO_SERVICE_WORKER: &str =
    "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })";

/// Time limit for reloading a page.
const RELOAD: Duration = Duration::from_mins(1);

/// A browser with the built page, served by this process. Both end when it is dropped.
pub struct Browser {
    engine: Engine,
    // Dropped in this order; the session is ended in `drop`.
    driver: Option<WebDriver>,
    runtime: Runtime,
    _process: Driver,
    profile: TempDir,
    server: Server,
    console_errors: RefCell<Vec<String>>,
    provoked: Cell<bool>,
}

impl Browser {
    /// Serves the built page and opens a browser with an empty page; `None` without a built page, or if the engine
    /// cannot run this test.
    ///
    /// # Panics
    /// If the browser does not start, and on a CI machine if there is no built page.
    #[track_caller]
    pub fn open(options: &Options) -> Option<Self> {
        let engine = Engine::chosen();
        let root = dist()?;
        let root = options.root.as_ref().unwrap_or(&root);
        let lacking = options.chromium_only.filter(|_| engine != Engine::Chromium);
        if let Some(why) =
            lacking.or_else(|| (!engine.has(options.device)).then_some("a screen it cannot be given"))
        {
            let test = thread::current().name().unwrap_or("a test").to_owned();
            // Written to the process's own stderr: the test harness hides the output of passing tests.
            let _ = writeln!(io::stderr(), "{test}: skipped in {engine:?}: {why}");
            return None;
        }
        let alone = (!options.offline).then(|| NO_SERVICE_WORKER.to_owned());
        let scripts: Vec<&String> = alone.iter().chain(&options.scripts).collect();
        // Chromium runs them before each document; for other engines they are part of the page.
        let served = if engine == Engine::Chromium { String::new() } else { with_errors(&scripts) };
        let server = Server::with_script(root, options.folder, served);
        let server = server.expect("a port on 127.0.0.1 to serve the page on");
        let profile = TempDir::new().expect("a temporary folder for the browser's profile");
        let downloads = profile.0.join("downloads");
        let process = Driver::start(engine, &profile.0);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let address = format!("http://127.0.0.1:{}", process.port);
        let driver = runtime
            .block_on(async { WebDriver::new(address, engine.capabilities(&profile.0, &downloads)?).await });
        let driver = or_panic(driver, "the driver did not start a browser");
        let browser = Self {
            engine,
            driver: Some(driver),
            runtime,
            _process: process,
            profile,
            server,
            console_errors: RefCell::default(),
            provoked: Cell::default(),
        };
        if engine == Engine::Chromium {
            browser.prepare(&scripts, &downloads);
        }
        browser.emulate(options.device);
        Some(browser)
    }

    /// Settings by the Chrome `DevTools` protocol before a page is opened.
    fn prepare(&self, scripts: &[&String], downloads: &Path) {
        for script in scripts {
            self.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
        }
        self.cdp(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": downloads.to_string_lossy() }),
        );
        // Tests that depend on a fast machine fail with this.
        if let Some(rate) = std::env::var_os("MEANFIELD_SLOWER") {
            let rate = rate.to_str().and_then(|rate| rate.parse::<f64>().ok());
            let rate = rate.expect("MEANFIELD_SLOWER: how many times slower than it is, a number from 1");
            self.slow_down(rate);
        }
    }

    /// Slows the page's thread by this factor.
    pub fn slow_down(&self, rate: f64) {
        self.cdp("Emulation.setCPUThrottlingRate", json!({ "rate": rate }));
    }

    /// Returns the engine under test.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the thirtyfour session, for commands without a method here; await its futures with [`Browser::run`].
    pub fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("there is a session until drop")
    }

    /// Awaits one of the session's futures.
    ///
    /// # Panics
    /// If it fails.
    #[track_caller]
    pub fn run<T>(&self, future: impl Future<Output = WebDriverResult<T>>) -> T {
        or_panic(self.runtime.block_on(future), "a WebDriver command failed")
    }

    /// Sends a command of the Chrome `DevTools` protocol (Chromium only).
    #[track_caller]
    pub fn cdp(&self, method: &str, parameters: Value) -> Value {
        self.run(self.driver().cdp().send_raw(method, parameters))
    }

    /// Returns the static host.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Loads the page at a route, `#/feedforward?runs=20` or `""`, and returns when its `load` event has
    /// fired; the run continues ([`Browser::wait_done`]).
    #[track_caller]
    pub fn goto(&self, route: &str) {
        self.eval::<Value>("(window.left = true, null)");
        // Through an empty page: changing only the hash would not load anything.
        self.run(self.driver().goto("about:blank"));
        self.run(self.driver().goto(format!("{}{route}", self.server.url())));
    }

    /// Reloads the page from its own script. (The driver's command makes Firefox bypass the service worker.)
    #[track_caller]
    pub fn reload(&self) {
        self.eval::<Value>("(window.left = true, location.reload(), null)");
        self.wait_until("window.left === undefined && document.readyState === 'complete'", RELOAD).unwrap();
    }

    /// Follows a route inside the loaded page, as a click on a link does.
    #[track_caller]
    pub fn follow(&self, route: &str) {
        self.eval::<Value>(&format!("(location.hash = {}, null)", json!(route)));
    }

    /// Returns the value of a JavaScript expression; a promise is awaited.
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
    /// If it is not true within the time limit, or always throws.
    pub fn wait_until(&self, condition: &str, timeout: Duration) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let last = match self.try_eval::<bool>(&format!("!!({condition})")) {
                Ok(true) => return Ok(()),
                Ok(false) => String::new(),
                Err(error) => format!("\n{}", plain(&error)),
            };
            if start.elapsed() > timeout {
                let at = "`${location.hash}: ${document.querySelector('.sentence')?.textContent}`";
                let (at, state) = (self.try_eval::<String>(at).unwrap_or_default(), self.state());
                let errors = self.console_errors();
                return Err(format!(
                    "still false after {timeout:?}: {condition}\nat {at}\nstate: {state}, console: {errors:?}{last}"
                ));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the state of the page: `data-state` of `<html>`.
    pub fn state(&self) -> String {
        self.try_eval("document.documentElement.dataset.state ?? ''").unwrap_or_default()
    }

    /// Waits until the run of the page is done.
    ///
    /// # Errors
    /// If the run fails or exceeds the time limit.
    pub fn wait_done(&self, timeout: Duration) -> Result<(), String> {
        // A page that waits for a file has nothing to run. Figures are drawn one per frame.
        let done = "document.querySelector('[aria-busy]') === null
            && (state => ['done', 'failed'].includes(state)
            || state === 'idle' && document.querySelector('#app .begin:not([hidden])') !== null)(document.documentElement.dataset.state)";
        self.wait_until(done, timeout)?;
        match self.state().as_str() {
            "failed" => {
                let sentence = self.text(".sentence");
                Err(format!("the page says “{sentence}”; console: {:?}", self.console_errors()))
            }
            _ => Ok(()),
        }
    }

    /// Waits until recent changes are on the screen.
    #[track_caller]
    pub fn wait_painted(&self) {
        self.eval::<Value>(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
        );
    }

    /// Returns the first element that matches a CSS selector.
    #[track_caller]
    pub fn find(&self, selector: &str) -> WebElement {
        or_panic(self.runtime.block_on(self.driver().find(By::Css(selector))), selector)
    }

    /// Returns the visible text of an element.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        self.run(self.find(selector).text())
    }

    /// Clicks an element with the mouse; fails if something else lies over it.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        // Away from sticky elements at the edges of the screen.
        let look = format!(
            "(document.querySelector({})?.scrollIntoView({{ block: 'center' }}), null)",
            json!(selector)
        );
        self.eval::<Value>(&look);
        self.run(self.find(selector).click());
    }

    /// Replaces the text of a text or number field.
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
        self.wait_until(
            &format!("document.querySelector({}) !== null", json!(selector)),
            Duration::from_secs(20),
        )
        .unwrap();
        self.run(self.find(selector).send_keys(file.to_string_lossy().as_ref()));
    }

    /// Presses and releases keys (`"s"`, [`Key::Tab`]) where the focus is.
    #[track_caller]
    pub fn press(&self, keys: impl Into<TypingData>) {
        self.run(self.driver().action_chain().send_keys(keys).perform());
    }

    /// Presses a key while `held` is down.
    pub fn chord(&self, held: Key, key: char) {
        self.run(
            self.driver()
                .action_chain()
                .key_down(held.clone())
                .send_keys(key.to_string())
                .key_up(held)
                .perform(),
        );
    }

    /// Drags with the mouse from one point to another; both are in CSS pixels from the centre of the element.
    #[track_caller]
    pub fn drag(&self, selector: &str, from: (i64, i64), to: (i64, i64)) {
        // Offsets count from the centre of the visible part: all of the element must be in view.
        let element = self.find(selector);
        self.run(element.scroll_into_view());
        let chain = self.driver().action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
        let chain = chain.move_to_element_center(&element).move_by_offset(from.0, from.1).click_and_hold();
        let half = ((to.0 - from.0) / 2, (to.1 - from.1) / 2);
        let rest = (to.0 - from.0 - half.0, to.1 - from.1 - half.1);
        self.run(chain.move_by_offset(half.0, half.1).move_by_offset(rest.0, rest.1).release().perform());
    }

    /// Waits for a downloaded file and reads it.
    ///
    /// # Errors
    /// If it does not arrive within the time limit.
    pub fn download(&self, name: &str, timeout: Duration) -> Result<Vec<u8>, String> {
        let start = Instant::now();
        let folder = self.profile.0.join("downloads");
        loop {
            // The browser reserves the name with an empty file, and moves the complete download there.
            if let Some(bytes) = fs::read(folder.join(name)).ok().filter(|bytes| !bytes.is_empty()) {
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
}

impl Drop for Browser {
    fn drop(&mut self) {
        let errors = self.console_errors();
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(driver.quit());
        }
        if !thread::panicking() {
            assert!(
                errors.is_empty() || self.provoked.get(),
                "errors in the console:\n{}",
                errors.join("\n")
            );
        } else if !errors.is_empty() {
            eprintln!("errors in the console:\n{}", errors.join("\n"));
        }
    }
}

/// Returns the text of an error without the driver's stack trace.
fn plain(error: &WebDriverError) -> String {
    let text = error.to_string();
    text.split("Stacktrace:").next().unwrap_or_default().trim().to_owned()
}

/// Returns the value, or panics at the line of the test.
#[track_caller]
fn or_panic<T>(result: WebDriverResult<T>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{what}: {}", plain(&error)),
    }
}
