//! Known data sets from their public addresses: downloaded on request, checked, kept, and refused if their contents differ.

use std::fs;

use crate::common::needs::data_set;
use crate::support::page::{KEEP, PATIENCE, SHOWN, SOON, reload, wait_for};
use crate::support::{Browser, Maimed, Options};

const BEGIN: &str = "document.querySelector('#app .begin')?.innerText ?? ''";
const PAGE: &str = "#/gp.data?data=sonar&method=naive";

/// Answers requests to the public host from a folder of the test; all others are unchanged.
const ELSEWHERE: &str = "(() => {
    const real = window.fetch;
    window.fetch = (address, ...rest) => {
        const [, file] = String(address).match(/^https:.*raw\\.githubusercontent\\.com\\/.*\\/(.*)$/) ?? [];
        return real(file === undefined ? address : 'elsewhere/' + file, ...rest);
    };
})()";

/// A download that never ends.
const ENDLESS: &str = "(() => {
    const real = window.fetch;
    const piece = () => new Promise(done => setTimeout(() => done(new Uint8Array(1000)), 20));
    const stream = () => new ReadableStream({ pull: async to => to.enqueue(await piece()) });
    window.fetch = (address, ...rest) =>
        String(address).startsWith('https:') ? Promise.resolve(new Response(stream())) : real(address, ...rest);
})()";

fn with(script: &str) -> Options {
    Options { scripts: vec![script.to_owned()], ..Options::default() }
}

#[test]
fn a_known_set_is_downloaded_on_request_and_kept() {
    let Some(data) = data_set("sonar.csv") else { return };
    let Some(hosted) = Maimed::whole("elsewhere") else { return };
    hosted.put("elsewhere/sonar.csv", &fs::read(data).unwrap());
    let options = Options { root: Some(hosted.0.clone()), ..with(ELSEWHERE) };
    let Some(browser) = Browser::open(&options) else { return };
    let asked = || browser.server().requests().iter().filter(|target| target.contains("elsewhere")).count();
    browser.allow_console_errors(); // `data/` beside the page is looked into
    browser.goto(PAGE);
    wait_for(&browser, BEGIN, "Download from raw.githubusercontent.com (88 kB)");
    let words: String = browser.eval(BEGIN);
    for said in ["R. P. Gorman", "208 rows", "hash "] {
        assert!(words.contains(said), "{said} is not in {words}");
    }
    assert_eq!(asked(), 0, "it was fetched without being asked for");
    browser.click(".download");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(asked(), 1);
    reload(&browser);
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(asked(), 1, "what is kept was fetched again");
    wait_for(&browser, KEEP, "Forget");
    browser.click(".keep");
    wait_for(&browser, KEEP, "Keep");
    reload(&browser);
    wait_for(&browser, BEGIN, "Download from");
}

#[test]
fn a_missing_or_different_file_at_the_address_is_refused() {
    let Some(hosted) = Maimed::whole("elsewhere-changed") else { return };
    let options = Options { root: Some(hosted.0.clone()), ..with(ELSEWHERE) };
    let Some(browser) = Browser::open(&options) else { return };
    browser.allow_console_errors(); // `data/` beside the page is looked into
    browser.goto(PAGE);
    wait_for(&browser, BEGIN, "Download from");
    browser.click(".download");
    wait_for(&browser, BEGIN, "sonar.csv from raw.githubusercontent.com: the answer is 404.");
    hosted.put("elsewhere/sonar.csv", b"1,2,R\n3,4,M\n");
    browser.click(".download");
    wait_for(&browser, BEGIN, "the file has changed there (12 bytes, hash ");
    assert_eq!(browser.state(), "idle");
    wait_for(&browser, BEGIN, "Download from");
}

#[test]
fn a_download_shows_its_progress_and_can_be_cancelled() {
    let Some(browser) = Browser::open(&with(ENDLESS)) else { return };
    browser.allow_console_errors(); // `data/` beside the page is looked into
    browser.goto(PAGE);
    wait_for(&browser, BEGIN, "Download from");
    browser.click(".download");
    // Any number: it changes faster than a busy machine can check.
    browser.wait_until(&format!("/sonar.csv: [1-9][0-9]* kB of 88 kB/.test({BEGIN})"), SOON).unwrap();
    browser.click(".download");
    wait_for(&browser, BEGIN, "Download from");
    browser.wait_until(&format!("!({BEGIN}).includes('of 88 kB')"), SOON).unwrap();
}
