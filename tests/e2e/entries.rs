//! Entries into fields: undo and redo, Escape, and buttons pressed right after an entry.

use crate::support::page::{HASH, LONG, PATIENCE, SHORT, SOON, STATE, enter, wait_state, wait_under_way};
use crate::support::{Browser, Options};
use serde_json::Value;
use thirtyfour::Key;

const RUNS: &str = "#field-runs";

/// Types a text in place of that of the field, without ending the entry.
fn type_runs(browser: &Browser, text: &str) {
    browser.click(RUNS);
    browser.chord(Key::Control, 'a');
    browser.press(text);
}

/// Waits until a run with that number of runs is done.
#[track_caller]
fn wait_runs(browser: &Browser, runs: usize) {
    let done = format!("{HASH}.includes('runs={runs}&') && {STATE} === 'done'");
    browser.wait_until(&done, PATIENCE).unwrap();
}

/// Regression: both entries were undone together.
#[test]
fn each_entry_into_a_field_is_undone_and_redone_by_itself() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    for runs in [21, 22] {
        enter(&browser, RUNS, &runs.to_string());
        wait_runs(&browser, runs);
    }
    for runs in [21, 20] {
        browser.click(".undo");
        wait_runs(&browser, runs);
    }
    browser.eval::<Value>("(document.activeElement.blur(), null)");
    browser.chord(Key::Control, 'y');
    wait_runs(&browser, 21);
    browser.click(".redo");
    wait_runs(&browser, 22);
    assert!(browser.eval::<bool>("document.querySelector('.redo').hidden"));
}

/// Regression: leaving the field started the run, which the click then paused.
#[test]
fn a_click_on_run_after_an_entry_does_not_pause() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    type_runs(&browser, "400");
    browser.click(".run-bar .main");
    wait_runs(&browser, 400);
}

#[test]
fn escape_takes_back_an_entry() {
    const VALUE: &str = "document.querySelector('#field-runs').value";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    type_runs(&browser, "77");
    browser.press(Key::Escape + "");
    assert_eq!(browser.eval::<String>(VALUE), "20", "before it is made");
    enter(&browser, RUNS, "many");
    browser.wait_until("document.querySelector('#field-runs').ariaInvalid === 'true'", SOON).unwrap();
    browser.click(RUNS);
    browser.press(Key::Escape + "");
    browser.wait_until(&format!("{VALUE} === '20'"), SOON).unwrap();
    assert!(browser.eval::<bool>("document.querySelector('#field-runs').ariaInvalid === 'false'"));
}

#[test]
fn a_number_is_stepped_by_arrow_keys_and_corrected_by_a_click() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.click(RUNS);
    browser.press(Key::Up + "");
    wait_runs(&browser, 21);
    browser.press(Key::Down + "");
    wait_runs(&browser, 20);
    enter(&browser, "#field-beta", "1,5");
    let corrected = "document.querySelector('.nearest:not([hidden])')?.textContent.trim()";
    browser.wait_until(&format!("{corrected} === 'Use 1.5'"), SOON).unwrap();
    browser.click(".nearest:not([hidden])");
    browser.wait_until(&format!("{HASH}.includes('beta=1.5&') && {STATE} === 'done'"), PATIENCE).unwrap();
    assert!(browser.eval::<bool>("document.querySelector('.nearest:not([hidden])') === null"));
}

/// Regression: a button that is switched off by its own click lost the focus.
#[test]
fn the_focus_stays_in_the_bar_after_a_stop() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    browser.eval::<Value>("(document.querySelector('.stop').focus(), null)");
    browser.press(Key::Enter + "");
    wait_state(&browser, "stopped");
    assert!(browser.eval::<bool>("document.activeElement.matches('.run-bar .main')"));
}

#[test]
fn keys_of_a_figure_are_described_while_it_has_the_focus() {
    const SHOWN: &str = "document.querySelector('.by-keys').checkVisibility()";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp?examples=12&draws=100");
    browser.wait_done(PATIENCE).unwrap();
    assert!(!browser.eval::<bool>(SHOWN));
    // A script's focus is visible after a key.
    browser.press(Key::Tab + "");
    browser.eval::<Value>("(document.querySelector('.picture').focus(), null)");
    assert!(browser.eval::<bool>(SHOWN));
}

/// Regression: the undo of a stroke trained ten networks.
#[test]
fn the_undo_of_a_change_that_does_not_concern_the_run_starts_none() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/sbn?per_digit=20&test=50&missing=0.2&epochs=1&rates=0.02");
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<Value>(
        "(window.runs = 0, new MutationObserver(() => { window.runs += document.documentElement.dataset.state === 'running'; })
            .observe(document.documentElement, { attributeFilter: ['data-state'] }), null)",
    );
    browser.drag(".picture", (40, -60), (60, -20));
    browser.wait_until(&format!("{HASH}.includes('drawing=')"), SOON).unwrap();
    browser.click(".undo");
    browser.wait_until(&format!("!{HASH}.includes('drawing=10x10')"), SOON).unwrap();
    browser.wait_painted();
    assert_eq!(browser.eval::<usize>("window.runs"), 0);
}

#[test]
fn a_slider_snaps_to_the_nearest_valid_value() {
    const SLIDER: &str = "document.querySelector('input[type=range][aria-label=Sources]')";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/nfa?samples=100&sweeps=50");
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<Value>(&format!(
        "(slider => {{
            slider.value = slider.max;
            slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
            slider.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})({SLIDER})"
    ));
    browser.wait_until(&format!("{HASH}.includes('sources=3&') && {STATE} === 'done'"), PATIENCE).unwrap();
    let slider: (String, f64) = browser.eval(&format!("[{SLIDER}.value, Number({SLIDER}.max)]"));
    assert!(slider.0 == "3" && slider.1 > 3.0, "{slider:?}");
}

#[test]
fn arrow_keys_move_through_the_menu_of_exports() {
    const FOCUSED: &str = "document.activeElement.textContent";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<Value>("(document.querySelector('.menu > button').focus(), null)");
    browser.press(Key::Enter + "");
    let mut seen = Vec::new();
    for _ in 0..2 {
        browser.press(Key::Down + "");
        seen.push(browser.eval::<String>(FOCUSED));
    }
    assert!(seen[0] != seen[1] && !seen.contains(&"Export".to_owned()), "{seen:?}");
    browser.press(Key::Escape + "");
    assert_eq!(browser.eval::<String>(FOCUSED), "Export");
    assert!(browser.eval::<bool>("document.querySelector('.menu .items').hidden"));
}

/// Regression: the page crashed when the focus left a removed menu.
#[test]
fn a_page_with_an_open_menu_can_be_left() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.click(".menu > button");
    browser.wait_until("!document.querySelector('.menu .items').hidden", SOON).unwrap();
    browser.eval::<Value>("(location.hash = '#/gp.curve', null)");
    browser.wait_until("document.title.startsWith('Curve')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.console_errors(), [""; 0]);
}

/// Regression: the purpose of the preset and the numbers of the challenge disappeared, and the second click met another control.
#[test]
fn the_first_change_of_a_preset_moves_no_setting() {
    // Apart from scrolling.
    const TOP: &str = "document.querySelector('#field-seed').getBoundingClientRect().top
        - document.querySelector('.preset-box').getBoundingClientRect().top";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until("document.querySelector('.now').textContent.startsWith('Now')", SOON).unwrap();
    let before: f64 = browser.eval(TOP);
    enter(&browser, "#field-seed", "12");
    browser.wait_until(&format!("{HASH}.includes('seed=12')"), PATIENCE).unwrap();
    assert!((browser.eval::<f64>(TOP) - before).abs() < 1.0);
}

/// Regression: a curve that was switched off left its place, and a second click switched off another one.
#[test]
fn a_curve_is_switched_on_where_it_was_switched_off() {
    const NAME: &str =
        "document.querySelector('.figure:first-child .legend [aria-label=\"error on noisy labels\"]')";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let top = format!("{NAME}.getBoundingClientRect().top");
    browser.wait_until(&format!("{NAME} !== null"), SOON).unwrap();
    let before: f64 = browser.eval(&top);
    for pressed in ["false", "true"] {
        browser.eval::<Value>(&format!("({NAME}.click(), null)"));
        browser.wait_until(&format!("{NAME}.ariaPressed === '{pressed}'"), SOON).unwrap();
        assert!((browser.eval::<f64>(&top) - before).abs() < 1.0, "{pressed}");
    }
}
