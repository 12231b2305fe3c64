//! The built page without a network, and during a change of the build on its host.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use meanfield::lab::model_of;
use meanfield::models::{MODELS, catalog};
use serde_json::json;

use crate::support::page::{PATIENCE, SHORT, SOON};
use crate::support::{Browser, Engine, Maimed, Options, dist};

/// True if the build of this page is kept completely and no change is pending. The user's files are kept in
/// another store, which contains no page.
const KEPT: &str = "(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.active || registration.installing) return false;
    const builds = (await caches.keys()).filter(name => name !== 'meanfield own files');
    const whole = await Promise.all(builds.map(async name => (await caches.open(name)).match('./')));
    return navigator.serviceWorker.controller !== null && whole.length > 0 && whole.every(Boolean);
})()";

/// Number of builds that are kept.
const BUILDS: &str = "caches.keys().then(names => names.length)";

/// Files that this page has loaded so far, without their folder.
const LOADED: &str = "performance.getEntriesByType('resource').map(entry => entry.name.split('/lab/')[1])";

/// Name of the program, which contains its build.
const BUILD: &str = "new URL(document.querySelector('script[type=module]').src).searchParams.get('js')";

const EXPLAINED: &str = "document.querySelectorAll('.notes h2').length === 4";

fn offline() -> Options {
    Options { offline: true, ..Options::default() }
}

/// Waits until a promise resolves to true.
#[track_caller]
fn wait(browser: &Browser, promise: &str) {
    let start = Instant::now();
    while !browser.eval::<bool>(promise) {
        assert!(start.elapsed() < PATIENCE, "not so: {promise}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Follows a link inside the page, waits for the notes of its model (and not those of the previous
/// page), and returns their first heading, which distinguishes builds here.
#[track_caller]
fn heading_at(browser: &Browser, route: &str, title: &str) -> String {
    browser.follow(route);
    let there = format!("document.querySelector('.notes cite')?.textContent.includes({})", json!(title));
    browser.wait_until(&format!("{there} && {EXPLAINED}"), SOON).unwrap();
    heading(browser)
}

/// Returns the first heading of the notes.
fn heading(browser: &Browser) -> String {
    browser.eval("document.querySelector('.notes h2').textContent")
}

/// Makes another build of the files in a folder: the program's files have other names, and files without a hash in
/// their names have other contents.
fn rebuild(folder: &Path) {
    let index = fs::read_to_string(folder.join("index.html")).expect("a page");
    let (_, rest) = index.split_once("app-").expect("a program");
    // Without leading zeros: it may be shorter than sixteen digits.
    let hash = rest.split(|c: char| !c.is_ascii_hexdigit()).next().expect("its hash");
    let rename = |ending: &str| {
        let name = |hash: &str| folder.join(format!("app-{hash}{ending}"));
        fs::rename(name(hash), name("0123456789abcdef")).expect("a program");
    };
    rename(".js");
    rename("_bg.wasm");
    fs::write(folder.join("index.html"), index.replace(hash, "0123456789abcdef")).expect("room");
    for id in catalog().every_page().map(|page| page.meta().id) {
        let notes = folder.join(model_of(id)).join(format!("{id}.html"));
        let words = fs::read_to_string(&notes).expect("notes");
        fs::write(notes, words.replace("<h2>", "<h2>B: ")).expect("room");
    }
}

#[test]
fn after_the_first_visit_the_page_needs_no_network() {
    let Some(browser) = Browser::open(&offline()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    wait(&browser, KEPT);
    // It requests only files that may have changed.
    let before = browser.server().requests().len();
    browser.reload();
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(EXPLAINED, SOON).unwrap();
    let asked = browser.server().requests().split_off(before);
    assert!(asked.contains(&"/lab/".to_owned()), "{asked:?}");
    // WebKit prefetches the files that the page needed the last time.
    let ahead = browser.engine() == Engine::WebKit;
    let new = |target: &String| target == "/lab/" || target.starts_with("/lab/sw.js?");
    assert!(ahead || asked.iter().all(new), "{asked:?}");
    browser.allow_console_errors(); // the service worker's script is looked for
    browser.server().stop();
    // By a reload, and opened again with another model that has not been visited before.
    browser.reload();
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(EXPLAINED, SOON).unwrap();
    for route in ["#/gp", "#/feedforward.run", "?embed#/gp"] {
        browser.goto(route);
        browser.wait_done(PATIENCE).unwrap();
        browser.wait_until("document.querySelector('canvas') !== null", SOON).unwrap();
        if !route.contains("embed") {
            browser.wait_until(EXPLAINED, SOON).unwrap();
        }
    }
    browser.goto("#/papers");
    browser.wait_until("document.querySelector('.ledger')?.checkVisibility()", SOON).unwrap();
    browser.goto("#/");
    browser.wait_until("document.querySelector('.card')?.checkVisibility()", SOON).unwrap();
    // The only requests meanwhile are the browser's own, for a new service worker.
    let errors = browser.take_console_errors();
    assert!(errors.iter().all(|error| error.contains("sw.js")), "{errors:?}");
}

#[test]
fn a_visit_to_the_front_page_keeps_all_of_it() {
    let Some(browser) = Browser::open(&offline()) else { return };
    browser.goto("");
    wait(&browser, KEPT);
    browser.allow_console_errors(); // the service worker's script is looked for
    browser.server().stop();
    browser.goto("#/gp");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(EXPLAINED, SOON).unwrap();
}

#[test]
fn a_failed_file_is_requested_again() {
    const LATE: &str = "data/yield.csv";
    let Some(maimed) = Maimed::new(LATE) else { return };
    let Some(browser) = Browser::open(&Options { root: Some(maimed.0.clone()), ..offline() }) else { return };
    browser.allow_console_errors(); // the file that is missing at first
    browser.goto(SHORT);
    let start = Instant::now();
    while !browser.server().requests().iter().any(|request| request.starts_with(&format!("/lab/{LATE}"))) {
        assert!(start.elapsed() < PATIENCE, "it is not asked for");
        thread::sleep(Duration::from_millis(50));
    }
    fs::copy(dist().unwrap().join(LATE), maimed.0.join(LATE)).unwrap();
    wait(&browser, KEPT);
}

#[test]
fn a_stalled_host_does_not_block_the_page() {
    let Some(browser) = Browser::open(&offline()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    wait(&browser, KEPT);
    browser.server().fall_silent();
    browser.goto("#/gp");
    browser.wait_done(SOON).unwrap();
    browser.wait_until(EXPLAINED, SOON).unwrap();
}

#[test]
fn the_users_files_are_not_cached() {
    let Some(browser) = Browser::open(&offline()) else { return };
    browser.goto("#/feedforward.data");
    browser.upload("input[type=file]", Path::new("tests/data/own.csv"));
    wait(&browser, KEPT);
    let kept: Vec<String> = browser.eval(
        "(async () => (await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys())))
            .flat().map(request => request.url.split('/lab/')[1].split('?')[0]))()",
    );
    let (page, rest): (Vec<&str>, Vec<&str>) =
        kept.iter().map(String::as_str).partition(|file| file.is_empty() || !file.contains('/'));
    assert!(page.contains(&"") && page.contains(&"worker.js"), "{kept:?}");
    let comes_with_the_page = |file: &&str| {
        let folder = file.split('/').next().unwrap_or_default();
        ["data", "fonts", "pages"].contains(&folder) || MODELS.iter().any(|model| model.id == folder)
    };
    assert!(!rest.is_empty() && rest.iter().all(comes_with_the_page), "{kept:?}");
    for example in ["data/example.csv", "data/yield.csv"] {
        assert!(rest.contains(&example), "the examples need no network: {kept:?}");
    }
}

#[test]
fn an_embedded_page_caches_nothing() {
    let Some(browser) = Browser::open(&offline()) else { return };
    browser.goto(&format!("?embed{SHORT}"));
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<()>("new Promise(done => setTimeout(() => requestIdleCallback(() => done(null)), 500))");
    let registered: bool =
        browser.eval("navigator.serviceWorker.getRegistration().then(registration => !!registration)");
    assert!(!registered);
}

#[test]
fn builds_are_never_mixed() {
    let Some(copy) = Maimed::whole("builds") else { return };
    let Some(browser) = Browser::open(&Options { root: Some(copy.0.clone()), ..offline() }) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    wait(&browser, KEPT);
    let first: String = browser.eval(BUILD);
    rebuild(&copy.0);

    // The open page keeps its build, also for notes that were not visited before and for a new worker.
    assert_eq!(heading_at(&browser, "#/gp", "Gaussian"), "What you see");
    browser.wait_done(PATIENCE).unwrap();
    let asked = browser.server().requests().len();

    // Another tab gets the complete new build, while the old tab keeps the complete old one.
    let old = browser.run(browser.driver().window());
    let new = browser.run(browser.driver().new_tab());
    browser.run(browser.driver().switch_to_window(new));
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser
        .wait_until("document.querySelector('.notes h2')?.textContent === 'B: What you see'", SOON)
        .unwrap();
    let second: String = browser.eval(BUILD);
    assert_ne!(first, second);
    let loaded: Vec<String> = browser.eval(LOADED);
    assert!(loaded.iter().any(|file| file.contains("_bg.wasm")), "{loaded:?}");
    assert!(!loaded.iter().any(|file| file.contains(&first)), "{loaded:?}");
    let first_stem = first.trim_end_matches(".js");
    let requests = browser.server().requests().split_off(asked);
    assert!(
        !requests.iter().any(|request| request.contains(first_stem) && !request.contains("/sw.js")),
        "{requests:?}"
    );
    wait(&browser, &format!("{KEPT}.then(async kept => kept && await {BUILDS} === 2)"));
    browser.run(browser.driver().switch_to_window(old.clone()));
    assert_eq!(heading_at(&browser, "#/feedforward.run", "feed-forward"), "What you see");
    browser.wait_done(PATIENCE).unwrap();

    // After a reload it has the new build, also without a network.
    browser.reload();
    browser.wait_until(&format!("{BUILD} === '{second}'"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    // The old build is deleted when no tab uses it.
    browser.run(browser.driver().close_window());
    let tabs = browser.run(browser.driver().windows());
    browser.run(browser.driver().switch_to_window(tabs[0].clone()));
    browser.run(browser.driver().goto("about:blank"));
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    // (Firefox keeps left pages and their files for a while.)
    if browser.engine() != Engine::Firefox {
        wait(&browser, &format!("{BUILDS}.then(builds => builds === 1)"));
    }
    browser.allow_console_errors(); // the service worker's script is looked for
    browser.server().stop();
    browser.goto("#/gp");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(EXPLAINED, SOON).unwrap();
    assert_eq!(heading(&browser), "B: What you see");
    assert_eq!(browser.eval::<String>(BUILD), second);
}
