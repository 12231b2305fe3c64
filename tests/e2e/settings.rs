//! Settings: changed, invalid, in the address, shared.

use crate::support::page::{
    PATIENCE, PICTURE, RECORDING, SHORT, SOON, TABLE, clipboard, enter, export, numbers, picture,
    steady_progress, table,
};
use crate::support::{Browser, Device, Options};
use meanfield::lab::Link;
use serde_json::json;
use std::time::Duration;
use thirtyfour::By;

#[test]
fn a_changed_box_runs_again_and_is_in_the_address() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let before = numbers(&browser);
    enter(&browser, "#field-inputs", "20");
    browser.wait_until("location.hash.includes('inputs=20&')", SOON).unwrap();
    // Only then is the finished run the new one.
    browser.wait_until(r"/N\s=\s20,/.test(document.querySelector('figcaption').textContent)", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_ne!(numbers(&browser), before);
    assert!(!browser.text(".sentence").contains("Settings changed"));
}

#[test]
fn a_displaced_setting_is_restored() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward?inputs=50&beta=1&alphas=1,2&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    enter(&browser, "#field-hidden", "3");
    browser.wait_until("location.hash.includes('inputs=51&')", SOON).unwrap();
    assert_eq!(browser.eval::<String>("document.querySelector('#field-inputs').value"), "51");
    assert!(browser.text(".notices").contains("51 is used instead"), "{}", browser.text(".notices"));
    enter(&browser, "#field-hidden", "1");
    browser.wait_until("location.hash.includes('inputs=50&')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    // A value that the user sets is not restored to an earlier one.
    enter(&browser, "#field-hidden", "3");
    browser.wait_until("location.hash.includes('inputs=51&')", SOON).unwrap();
    enter(&browser, "#field-inputs", "60");
    browser.wait_until("location.hash.includes('inputs=60&')", SOON).unwrap();
    enter(&browser, "#field-hidden", "1");
    browser.wait_until("location.hash.includes('hidden=1&')", SOON).unwrap();
    assert!(browser.eval::<bool>("location.hash.includes('inputs=60&')"));
    browser.wait_done(PATIENCE).unwrap();
}

/// Returns every cell of the columns whose heading passes `which`.
fn columns(table: &str, which: impl Fn(&str) -> bool) -> Vec<Vec<&str>> {
    let mut rows = table.lines().map(|row| row.split(" | ").collect::<Vec<_>>());
    let wanted: Vec<bool> = rows.next().expect("a head").into_iter().map(which).collect();
    rows.map(|row| {
        row.into_iter().zip(&wanted).filter(|(_, wanted)| **wanted).map(|(cell, _)| cell).collect()
    })
    .collect()
}

#[test]
fn theory_follows_a_dragged_slider_and_the_run_waits_for_its_release() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let theory = |heading: &str| heading.starts_with("predicted");
    let measured = |heading: &str| !theory(heading) && !heading.starts_with("extra error");
    table(&browser);
    // The theory comes from another worker, coarse at first: when it is complete, every cell has a number.
    browser
        .wait_until(r"[...document.querySelectorAll('.data td')].every(cell => cell.textContent)", SOON)
        .unwrap();
    let (before, picture) = (table(&browser), picture(&browser));
    let hash: String = browser.eval("location.hash");

    let beta = browser.find("#field-beta");
    let slider = browser.run(beta.find(By::XPath("preceding-sibling::input[@type='range']")));
    let chain = || browser.driver().action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
    browser.run(chain().move_to_element_center(&slider).click_and_hold().move_by_offset(20, 0).perform());
    let change = format!(
        "!document.querySelector('.sentence').textContent.includes('Settings changed') && {TABLE} !== {}",
        json!(before)
    );
    browser.wait_until(&change, SOON).unwrap();
    steady_progress(&browser);
    let dragged = table(&browser);
    assert_ne!(columns(&dragged, theory), columns(&before, theory), "theory stands still");
    assert_eq!(columns(&dragged, measured), columns(&before, measured), "the run's points move");
    assert_eq!((browser.state().as_str(), browser.eval::<String>("location.hash")), ("done", hash.clone()));
    let held: String = browser.eval(PICTURE);
    assert_ne!(held, picture);

    browser.run(chain().release().perform());
    let restarted = "!document.querySelector('.sentence').textContent.includes('Settings changed')";
    browser.wait_until(&format!("location.hash !== {} && {restarted}", json!(hash)), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    let after = table(&browser);
    assert_ne!(columns(&after, measured), columns(&before, measured), "no new run");
    assert!(!browser.text(".sentence").contains("Settings changed"));
}

#[test]
fn an_invalid_entry_is_explained_and_keeps_the_result() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let before = numbers(&browser);
    enter(&browser, "#field-inputs", "abc");
    browser.wait_until("document.querySelector('#field-inputs').ariaInvalid === 'true'", SOON).unwrap();
    let said = browser.text(".control:has(#field-inputs) .problem");
    assert_eq!(said, "Enter a whole number from 2 to 1000.");
    assert_eq!(browser.eval::<usize>("document.querySelectorAll('[aria-invalid=true]').length"), 1);
    steady_progress(&browser);
    assert_eq!((browser.state().as_str(), numbers(&browser)), ("done", before.clone()));

    enter(&browser, "#field-inputs", "30");
    browser.wait_until("document.querySelector('#field-inputs').ariaInvalid === 'false'", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), before);
}

#[test]
fn a_permalink_gives_the_same_numbers_in_another_browser() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let Some(browser) = Browser::open(&Options::default()) else { return };
        browser.goto(SHORT);
        browser.wait_done(PATIENCE).unwrap();
        let hash: String = browser.eval("location.hash");
        assert!(hash.contains("inputs=30") && hash.contains("seed=7"), "{hash}");
        let table = table(&browser);
        assert_eq!(table.lines().count(), 3, "{table}");
        seen.push((numbers(&browser), hash));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn an_invalid_permalink_is_corrected_with_a_message() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward?inputs=1&beta=-3&colour=red&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    let notices: Vec<String> =
        browser.eval("[...document.querySelectorAll('.notices li')].filter(li => li.checkVisibility()).map(li => li.textContent)");
    let says = |field: &str, instead: &str| notices.iter().any(|n| n.contains(field) && n.contains(instead));
    assert!(says("Inputs N", "2 is used instead") && says("β", "0 is used instead"), "{notices:?}");
    assert!(says("colour", "left out"), "{notices:?}");
    assert_eq!(notices.len(), 3);
    assert!(browser.text("figcaption").contains("N = 2,"), "{}", browser.text("figcaption"));
    assert!(!browser.eval::<String>("location.hash").contains("colour"));

    browser.emulate(Device::PHONE);
    browser.goto("#/feedforward?inputs=1&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    let top: f64 = browser.eval("document.querySelector('.notices').getBoundingClientRect().top");
    assert!(top < f64::from(Device::PHONE.height), "on a phone the notice stands {top} px down the page");
}

/// Opens a browser whose clipboard is this JavaScript value, with a finished run and the share box open.
#[track_caller]
fn with_clipboard(value: &str) -> Option<Browser> {
    let browser = Browser::open(&Options { scripts: vec![clipboard(value)], ..Options::default() })?;
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.click("details.share > summary");
    Some(browser)
}

#[test]
fn a_run_can_be_shared() {
    let Some(browser) = with_clipboard(RECORDING) else { return };
    let address: String = browser.eval("location.href");
    assert!(address.contains("seed=7"));
    let route = &address[address.find('#').expect("a route")..];
    for (place, text) in
        [(".copyable:nth-of-type(1)", address.clone()), (".copyable:nth-of-type(2)", format!("-- '{route}'"))]
    {
        browser.click(&format!("{place} button"));
        browser
            .wait_until(&format!("document.querySelector('{place} button').textContent === 'Copied'"), SOON)
            .unwrap();
        let copied: String = browser.eval("window.copied");
        // The copied link has the revision of the results.
        let lasting = copied[copied.find('#').expect("a route")..].trim_end_matches('\'');
        let mut link = Link::parse(lasting);
        assert!(link.take_revision().is_some(), "{copied} names no revision");
        let settings = copied.replace(lasting, &link.to_string());
        assert!(settings.ends_with(&text), "{settings} does not end with {text}");
    }
}

#[test]
fn an_embedded_page_shows_only_the_run() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("?embed#/feedforward?inputs=20&runs=20&alphas=1,3");
    browser.wait_done(PATIENCE).unwrap();
    let shown = |selector: &str| -> bool {
        browser.eval(&format!("(document.querySelector('{selector}')?.getClientRects().length ?? 0) > 0"))
    };
    assert!(shown(".run-bar .main") && shown("canvas"));
    for hidden in ["header", "footer", ".title", ".controls", ".notes"] {
        assert!(!shown(hidden), "{hidden} is shown");
    }
}

#[test]
fn a_refused_clipboard_is_reported() {
    let refusing = "{ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }";
    let Some(browser) = with_clipboard(refusing) else { return };
    browser.click(".copyable button");
    steady_progress(&browser);
    assert_ne!(browser.text(".copyable button"), "Copied");
}

/// Pages over plain http from another machine have no clipboard.
#[test]
fn without_a_clipboard_the_page_works() {
    let Some(browser) = with_clipboard("undefined") else { return };
    browser.click(".copyable button");
    export(&browser, "Copy CSV");
    steady_progress(&browser);
    assert_ne!(browser.text(".copyable button"), "Copied");
    enter(&browser, "#field-seed", "8");
    browser.wait_until("location.hash.includes('seed=8&')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
}
