//! Exercises above a picture, and the challenge beside it.

use crate::support::page::{HASH, PATIENCE, SOON, enter};
use crate::support::{Browser, Options};
use serde_json::json;

/// Ticks of the exercises of the page.
const DONE: &str =
    "[...document.querySelectorAll('#app .exercises li')].map(item => item.classList.contains('done'))";

#[test]
fn an_exercise_changes_the_setting_that_it_names() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp");
    browser.wait_done(PATIENCE).unwrap();
    // A refused value completes nothing.
    enter(&browser, "#field-sigma2", "-1");
    browser.wait_painted();
    assert_eq!(browser.eval::<[bool; 3]>(DONE), [false; 3]);
    browser.click("#app .exercises li:nth-child(2) button");
    browser.wait_until(&format!("{HASH}.includes('sigma2=0.1')"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<[bool; 3]>(DONE), [false, true, false]);
    browser.click(".undo");
    browser.wait_until(&format!("!{HASH}.includes('sigma2=0.1')"), SOON).unwrap();
}

#[test]
fn the_challenge_of_each_model_is_seen_and_compared_with_the_run() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for route in ["#/feedforward", "#/gp", "#/mlp", "#/nfa", "#/sbn"] {
        browser.goto(route);
        browser.wait_done(PATIENCE).unwrap();
        let seen = "(box => box?.checkVisibility() && box.querySelector('.now').textContent !== '')(document.querySelector('#app .challenge'))";
        browser.wait_until(seen, SOON).unwrap_or_else(|why| panic!("{}: {why}", json!(route)));
    }
}
