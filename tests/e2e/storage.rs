//! Files kept by the browser; a browser without storage; and files that are too large, damaged or truncated: each is reported, and the
//! page keeps working.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::data::{TABLES, load, open, own};
use crate::support::page::{KEEP, PATIENCE, SENTENCE, SHORT, SHOWN, SOON, click_button, reload, wait_for};
use crate::support::{Browser, Options};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

const SAID: &str = "document.querySelector('.messages').textContent";
const LOOKED: &str = "document.querySelector('#looked').textContent";

fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Returns a table of so many rows with a column of classes.
pub fn table(rows: usize) -> String {
    (0..rows).fold("a,b,y\n".to_owned(), |table, i| format!("{table}{},{},{}\n", i % 97, i % 89, i % 2))
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn without_storage_for_preferences_the_page_works() {
    const FULL: &str =
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }";
    let Some(browser) = Browser::open(&Options { scripts: vec![FULL.to_owned()], ..Options::default() })
    else {
        return;
    };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let theme = || browser.eval::<String>("document.documentElement.dataset.theme");
    let before = theme();
    browser.click(".theme");
    assert_ne!(theme(), before);
    browser.eval::<Value>("(document.querySelector('#shortcuts').click(), null)");
    click_button(&browser, "Run");
    browser.wait_done(PATIENCE).unwrap();
}

/// The browser's quota is exceeded by the page and by the user's file.
#[test]
fn without_storage_for_files_the_page_works() {
    let quota = Some("the quota comes from the DevTools protocol");
    let options = Options { offline: true, chromium_only: quota, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    let url = browser.server().url();
    let origin = url.trim_end_matches("/lab/");
    browser.cdp("Storage.overrideQuotaForOrigin", json!({ "origin": origin, "quotaSize": 20_000 }));
    load(&browser);
    browser.upload("#field-data", &temporary("no-room.csv", table(10_000).as_bytes()));
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    wait_for(&browser, KEEP, "Keep");
    browser.click(".keep");
    wait_for(&browser, SAID, "This browser has no room for the file.");
    wait_for(&browser, KEEP, "Keep");
    // Not kept for offline visits, and still correct.
    let kept: usize = browser.eval(
        "(async () => (await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).match('./')))).filter(Boolean).length)()",
    );
    assert_eq!(kept, 0);
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
}

/// Gives a field a file of so many bytes with repeated rows, made in the browser.
fn give_large(browser: &Browser, selector: &str, megabytes: usize) {
    browser.eval::<Value>(&format!(
        "(input => {{
            const rows = '12.5,7.25,0\\n3.5,1.75,1\\n'.repeat(43479).slice(0, 1e6);
            const carried = new DataTransfer();
            carried.items.add(new File(['a,b,y\\n', ...Array({megabytes}).fill(rows)], 'large.csv'));
            input.files = carried.files;
            input.dispatchEvent(new Event('change', {{ bubbles: true }}));
            return null;
        }})(document.querySelector('{selector}'))"
    ));
}

#[test]
fn a_file_of_200_mb_is_refused_with_advice() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    load(&browser);
    give_large(&browser, "#field-data", 200);
    wait_for(
        &browser,
        SAID,
        "large.csv has 200 MB; the page reads at most 64. Leave out rows or columns, or use the command line.",
    );
    // A smaller one is accepted after it.
    browser.upload("#field-data", Path::new("tests/data/own.csv"));
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    // The front page reads only its beginning.
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    give_large(&browser, "#own", 200);
    wait_for(&browser, LOOKED, "large.csv: 3 columns. The last column, y, has two values: 0 and 1.");
}

#[test]
fn a_truncated_compressed_file_is_refused() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let whole = zipped(table(2_000).as_bytes());
    let cut = temporary("cut.csv.gz", &whole[..whole.len() - 20]);
    load(&browser);
    browser.upload("#field-data", &cut);
    wait_for(&browser, SAID, "cut.csv.gz: This compressed file is damaged or cut short.");
    browser.upload("#field-data", &temporary("whole.csv.gz", &whole));
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    browser.upload("#own", &cut);
    wait_for(&browser, LOOKED, "cut.csv.gz could not be read: it may be damaged or cut short.");
}

#[test]
fn a_file_is_kept_over_a_reload_and_after_the_visit_on_request() {
    let Some(browser) = open() else { return };
    browser.upload("#field-data", &own());
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    let tables: String = browser.eval(TABLES);
    reload(&browser);
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(TABLES), tables);
    let close_the_tab = "sessionStorage.clear(), true";
    browser.eval::<bool>(close_the_tab);
    reload(&browser);
    wait_for(&browser, SENTENCE, "Waiting for own.csv");
    browser.upload("#field-data", &own());
    wait_for(&browser, KEEP, "Keep");
    browser.click(".keep");
    wait_for(&browser, KEEP, "Forget");
    browser.eval::<bool>(close_the_tab);
    reload(&browser);
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(TABLES), tables);
    wait_for(&browser, KEEP, "Forget");
    browser.click(".keep");
    wait_for(&browser, KEEP, "Keep");
    reload(&browser);
    wait_for(&browser, SENTENCE, "Waiting for own.csv");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}
