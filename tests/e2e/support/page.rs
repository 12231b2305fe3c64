//! Actions on the page: runs of several lengths, its form, its numbers.

use std::time::Duration;

use meanfield::protocol::{Event, encode};
use serde::Serialize;
use serde_json::json;
use thirtyfour::{By, Key};

use super::{Browser, Options};

pub const PATIENCE: Duration = Duration::from_mins(2);
/// Time limit for changes that take a frame or two; generous for busy machines.
pub const SOON: Duration = Duration::from_secs(30);
/// Time for a click to show its effect, and number of clicks.
const A_MOMENT: Duration = Duration::from_secs(10);
const TRIES: usize = 3;

/// A run longer than any test.
pub const LONG: &str = "#/feedforward?inputs=100&beta=0.5&runs=10000";
/// A run of a few seconds: long enough to be interrupted, short enough to be waited for.
pub const MEDIUM: &str = "#/feedforward?inputs=60&beta=0.5&alphas=1,2,4,8&runs=3000&seed=3";
/// A run of less than a second.
pub const SHORT: &str = "#/feedforward?inputs=30&beta=1&alphas=1,2&runs=20&seed=7";

/// The hash of the address, readable.
pub const HASH: &str = "decodeURIComponent(location.hash)";
pub const STATE: &str = "document.documentElement.dataset.state";
pub const PROGRESS: &str = "document.querySelector('progress').value";
/// The data table as text, one line per row, in JavaScript.
pub const TABLE: &str = r"[...document.querySelectorAll('.data tr')]
    .map(row => [...row.cells].map(cell => cell.textContent).join(' | ')).join('\n')";
pub const SENTENCE: &str = "document.querySelector('.sentence').textContent";
/// True if the run is done and all figures are drawn, one per frame, in JavaScript.
pub const SHOWN: &str =
    "document.documentElement.dataset.state === 'done' && document.querySelector('[aria-busy]') === null";
/// Text of the button that keeps a file in the browser or forgets it; empty while it is hidden.
pub const KEEP: &str = "document.querySelector('.keep:not([hidden])')?.textContent ?? ''";
/// Number of pixels of the canvas with another colour than its corner.
pub const INK: &str = "(canvas => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Uint32Array(pixels.buffer);
    return colours.filter(colour => colour !== colours[0]).length;
})(document.querySelector('canvas'))";

/// Records every worker: its last message, and whether the page has terminated it.
pub const RECORD_WORKERS: &str = "(() => {
    const Real = Worker;
    window.workers = [];
    window.Worker = class extends Real {
        constructor(...given) {
            super(...given);
            workers.push(this);
            this.addEventListener('message', event => { this.said = new Uint8Array(event.data)[0]; });
        }
        terminate() {
            this.ended = true;
            super.terminate();
        }
    };
})()";

/// A message that no build can decode: the worker panics.
pub const UNREADABLE: [u8; 8] = [255; 8];

pub fn recording() -> Options {
    Options { scripts: vec![RECORD_WORKERS.to_owned()], ..Options::default() }
}

/// Returns the first byte of a message, which is its kind.
pub fn first_byte(message: &impl Serialize) -> u8 {
    encode(message)[0]
}

/// Returns a JavaScript function: true if a recorded worker is at work, which is so if its last message is a snapshot.
pub fn at_work() -> String {
    let snapshot =
        first_byte(&Event::Snapshot { job: 0, fraction: 0.0, note: String::new(), bytes: Vec::new() });
    format!("worker => !worker.ended && worker.said === {snapshot}")
}

/// Clicks the button with this text.
#[track_caller]
pub fn click_button(browser: &Browser, words: &str) {
    let path = format!("//button[normalize-space()='{words}']");
    browser.run(async { browser.driver().find(By::XPath(path)).await?.click().await });
}

/// Clicks an entry of the first figure's menu of exports.
#[track_caller]
pub fn export(browser: &Browser, words: &str) {
    const OPEN: &str = "document.querySelector('.menu > button[aria-expanded=true]') !== null";
    // WebKitGTK's driver can click where the button was before the page scrolled.
    let opened = (0..TRIES).any(|_| {
        browser.click(".menu > button");
        browser.wait_until(OPEN, A_MOMENT).is_ok()
    });
    assert!(opened, "the menu opens");
    click_button(browser, words);
    browser.press(Key::Escape + "");
}

/// Replaces the text of a box by typing, and leaves the box.
#[track_caller]
pub fn enter(browser: &Browser, selector: &str, text: &str) {
    browser.click(selector);
    let keys = Key::Control + "a";
    browser.run(async {
        let element = browser.driver().find(By::Css(selector)).await?;
        element.send_keys(keys).await?;
        element.send_keys(text).await?;
        element.send_keys(Key::Tab + "").await
    });
    run_if_asked(browser);
}

/// Presses “Run again” if needed: after a long run, as on a busy machine, a change of settings does not start another.
/// The focus does not move.
#[track_caller]
pub fn run_if_asked(browser: &Browser) {
    const PRESS: &str = "(main => {
        if (main.textContent === 'Run again' && !main.disabled) main.click();
        return null;
    })(document.querySelector('.run-bar .main'))";
    browser.eval::<serde_json::Value>(PRESS);
}

/// Waits until the page is in a state.
#[track_caller]
pub fn wait_state(browser: &Browser, state: &str) {
    browser.wait_until(&format!("{STATE} === '{state}'"), PATIENCE).unwrap();
}

/// Waits until a run is under way and has results.
#[track_caller]
pub fn wait_under_way(browser: &Browser) {
    browser.wait_until(&format!("{STATE} === 'running' && {PROGRESS} > 0"), PATIENCE).unwrap();
}

#[track_caller]
pub fn wait_for(browser: &Browser, what: &str, words: &str) {
    browser.wait_until(&format!("({what}).includes({})", json!(words)), SOON).unwrap_or_else(|why| {
        panic!("{why}: {}", browser.eval::<String>(what));
    });
}

/// Reloads the page at its present address.
#[track_caller]
pub fn reload(browser: &Browser) {
    browser.reload();
    browser.wait_until(&format!("{SENTENCE} !== ''"), SOON).unwrap();
}

/// Waits until the progress has been constant for many frames, and returns it.
#[track_caller]
pub fn steady_progress(browser: &Browser) -> f64 {
    browser.eval(
        "(async () => {
            const bar = document.querySelector('progress');
            let value = bar.value;
            for (let same = 0; same < 30; same++) {
                await new Promise(requestAnimationFrame);
                if (bar.value !== value) [value, same] = [bar.value, 0];
            }
            return value;
        })()",
    )
}

/// Opens the data table if needed, waits until it has rows, and returns it.
#[track_caller]
pub fn table(browser: &Browser) -> String {
    if !browser.eval::<bool>("document.querySelector('details.data').open") {
        browser.click("details.data > summary");
    }
    browser.wait_until("document.querySelector('.data td') !== null", PATIENCE).unwrap();
    browser.eval(TABLE)
}

/// Returns the measured numbers of the finished run with all digits, from the page's CSV. (The theory's grid, and the band of the label
/// noise on it, come from another worker and may be a moment later.)
#[track_caller]
pub fn numbers(browser: &Browser) -> Vec<String> {
    let csv: String = browser.eval(
        "(() => {
            let copied = '';
            navigator.clipboard.writeText = async text => { copied = text; };
            document.querySelector('.menu button[title^=Copy]').click();
            return copied;
        })()",
    );
    let measured: Vec<String> = csv
        .lines()
        .filter(|line| !["theory", "label_noise"].iter().any(|of_live| line.starts_with(of_live)))
        .map(str::to_owned)
        .collect();
    assert!(measured.len() > 2, "{csv}");
    measured
}

/// Runs a specification to its end on a fresh page.
#[track_caller]
pub fn undisturbed(route: &str) -> Option<Vec<String>> {
    let browser = Browser::open(&Options::default())?;
    browser.goto(route);
    browser.wait_done(PATIENCE).unwrap();
    Some(numbers(&browser))
}

/// Measures up to three times, until all budgets are met, and returns the measurement nearest to them: other load on a shared machine
/// can only lengthen a time. `share` returns the largest measured share of a budget.
pub fn at_best<T>(share: impl Fn(&T) -> f64, mut measure: impl FnMut() -> T) -> T {
    let mut best = measure();
    for _ in 0..2 {
        if share(&best) <= 1.0 {
            break;
        }
        let next = measure();
        if share(&next) < share(&best) {
            best = next;
        }
    }
    best
}

/// Returns the canvas as a data URL.
pub const PICTURE: &str = "document.querySelector('canvas').toDataURL()";

#[track_caller]
pub fn picture(browser: &Browser) -> String {
    browser.eval(PICTURE)
}

/// Returns the faults of the present page found by axe-core (`axe.min.js`, installed by `scripts/setup --browser`, or
/// `MEANFIELD_AXE`).
///
/// # Panics
/// If axe-core is missing.
#[track_caller]
pub fn axe_faults(browser: &Browser) -> Vec<String> {
    // Describing only violations saves time. The bar and the picture at the edges of the window cover what is scrolled under them, so
    // that a control is large enough or not by the place of the page: they are put into their places meanwhile.
    const RUN: &str = "(stuck => {
        stuck.forEach(element => Object.assign(element.style, { position: 'relative', inset: 'auto' }));
        return axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(found => {
            stuck.forEach(element => Object.assign(element.style, { position: '', inset: '' }));
            return found.violations.flatMap(rule =>
                rule.nodes.map(node => `${rule.id} (${rule.impact}): ${node.target.join(' ')}`));
        });
    })([...document.querySelectorAll('.run-row, .run-bar, .figure:first-child > .picture')])";
    const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.tools/node_modules/axe-core/axe.min.js");
    if !browser.eval::<bool>("'axe' in window") {
        let path = std::env::var_os("MEANFIELD_AXE").unwrap_or_else(|| INSTALLED.into());
        let axe = std::fs::read_to_string(&path)
            .unwrap_or_else(|why| panic!("{}: {why}; scripts/setup --browser installs it", path.display()));
        browser.run(async { browser.driver().execute(axe.as_str(), Vec::new()).await });
    }
    browser.eval(RUN)
}

/// Returns JavaScript that replaces the clipboard before the page starts.
pub fn clipboard(value: &str) -> String {
    format!("Object.defineProperty(navigator, 'clipboard', {{ value: {value} }})")
}

/// A clipboard that keeps its text in `window.copied`.
pub const RECORDING: &str = "{ writeText: async text => { window.copied = text; } }";
