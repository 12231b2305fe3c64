//! Details that can be copied for a report after a crash of a worker or of the page.

use crate::running::trap_one;
use crate::support::page::{
    MEDIUM, PATIENCE, RECORD_WORKERS, RECORDING, SOON, click_button, clipboard, wait_for, wait_under_way,
};
use crate::support::{Browser, Options};
use meanfield::protocol::VERSION;
use serde_json::Value;

/// Number of buttons that offer details.
const OFFERED: &str =
    "[...document.querySelectorAll('.copy-details')].filter(button => button.checkVisibility()).length";

/// Opens a page whose clipboard is recorded.
fn open(scripts: &[&str]) -> Option<Browser> {
    let scripts = scripts.iter().map(|script| (*script).to_owned()).chain([clipboard(RECORDING)]);
    Browser::open(&Options { scripts: scripts.collect(), ..Options::default() })
}

/// Clicks a button, checks version, browser and the beginning of the state, and returns the copied text.
#[track_caller]
fn copied(browser: &Browser, button: &str, state: &str) -> String {
    browser.click(button);
    wait_for(browser, &format!("document.querySelector('{button}').textContent"), "Copied");
    let details: String = browser.eval("window.copied");
    let agent: String = browser.eval("navigator.userAgent");
    let said =
        [format!("Version {VERSION} (app-"), format!("\nState: {state}"), format!("\nBrowser: {agent}")];
    for said in said {
        assert!(details.contains(&said), "{said} is not in {details}");
    }
    details
}

#[test]
fn the_crash_of_a_worker_can_be_copied() {
    let Some(browser) = open(&[RECORD_WORKERS]) else { return };
    browser.goto(MEDIUM);
    wait_under_way(&browser);
    assert_eq!(browser.eval::<usize>(OFFERED), 0, "nothing has crashed");
    trap_one(&browser);
    wait_for(&browser, "document.querySelector('.messages').textContent", "A worker crashed");
    let details = copied(&browser, ".messages .copy-details", "paused");
    assert!(details.contains("Crash: panicked at src/worker/web.rs:"), "{details}");
    assert!(details.contains("cannot be read") && details.contains("Link: #/feedforward?"), "{details}");
    assert!(details.contains("Paused at"), "{details}");
    // The next run has not crashed.
    click_button(&browser, "Resume");
    browser.wait_done(PATIENCE).unwrap();
    click_button(&browser, "Run");
    browser.wait_until(&format!("{OFFERED} === 0"), SOON).unwrap();
}

#[test]
fn the_crash_of_the_page_can_be_copied_and_names_no_file() {
    let Some(browser) = open(&[]) else { return };
    browser.allow_console_errors(); // the crash
    browser.goto("#/gp?examples=14&draws=100");
    browser.wait_done(PATIENCE).unwrap();
    // Elements can no longer be created, and another page needs some.
    browser.eval::<Value>(
        "(Document.prototype.createElement = Node.prototype.cloneNode = () => { throw new Error('no more'); }, null)",
    );
    browser.follow("#/gp.data?data=own.csv@bf66ff99ccb91883");
    browser.wait_until("document.querySelector('.crashed')?.checkVisibility()", SOON).unwrap();
    assert!(browser.text(".crashed").contains("The page has crashed: reload it to go on."));
    let details = copied(&browser, ".crashed .copy-details", "");
    assert!(details.contains("Crash: panicked at "), "{details}");
    assert!(details.contains("=file@bf66ff99ccb91883") && !details.contains("own.csv"), "{details}");
    // The address is complete.
    browser.reload();
    browser.wait_until(&format!("{OFFERED} === 0"), SOON).unwrap();
}
