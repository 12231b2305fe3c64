//! The article of a page: controls in its sentences, links to settings, and the figure beside it.

use serde_json::Value;

use crate::support::page::{PATIENCE, SHORT, SOON, enter};
use crate::support::{Browser, Options};

/// Opens a page and waits for the controls in its article.
fn open() -> Option<Browser> {
    let browser = Browser::open(&Options::default())?;
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until("document.querySelector('.notes .inline-knob') !== null", SOON).unwrap();
    Some(browser)
}

#[test]
fn a_knob_in_a_sentence_sets_the_form_and_follows_it() {
    const KNOB: &str = "document.querySelector('.notes input[aria-label=\"Label reliability\"]')";
    let Some(browser) = open() else { return };
    let number = format!("{KNOB}.closest('.inline-knob').querySelector('b').textContent");
    browser.eval::<Value>(&format!(
        "(knob => {{
            knob.value = 1;
            for (const name of ['input', 'change']) knob.dispatchEvent(new Event(name, {{ bubbles: true }}));
            return null;
        }})({KNOB})"
    ));
    browser.wait_until("/beta=1(&|$)/.test(location.hash)", SOON).unwrap();
    assert_eq!(browser.eval::<String>("document.querySelector('#field-beta').value"), "1");
    assert_eq!(browser.eval::<String>(&number), "1");
    enter(&browser, "#field-beta", "inf");
    browser.wait_until(&format!("{number} === '∞'"), SOON).unwrap();
}

#[test]
fn a_link_to_the_same_page_leaves_the_text_where_it_is_beside_its_figure() {
    const LINK: &str = "document.querySelector('.notes a[href*=\"inputs=5&\"]')";
    const TOP: &str = "document.querySelector('.notes a[href*=\"inputs=5&\"]').getBoundingClientRect().top";
    let Some(browser) = open() else { return };
    browser.eval::<Value>(&format!("({LINK}.scrollIntoView({{ block: 'center' }}), null)"));
    browser.wait_until("document.querySelector('.beside canvas')?.checkVisibility()", SOON).unwrap();
    browser.wait_painted();
    let before: f64 = browser.eval(TOP);
    browser.eval::<Value>(&format!("({LINK}.click(), null)"));
    browser.wait_until("location.hash.includes('inputs=5&')", SOON).unwrap();
    browser.wait_painted();
    let after: f64 = browser.eval(TOP);
    assert!((after - before).abs() < 2.0, "the text moved from {before} to {after} px");
}
