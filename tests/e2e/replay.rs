//! Replay of a finished run.

use serde_json::Value;

use crate::support::page::{HASH, PATIENCE, SOON, STATE, click_button};
use crate::support::{Browser, Device, Options};

/// The pictures of the first two figures, in JavaScript.
const PICTURES: &str =
    "[...document.querySelectorAll('.figure canvas')].slice(0, 2).map(canvas => canvas.toDataURL()).join()";
/// The words beside the position.
const FRAME: &str = "document.querySelector('.transport .frame')?.textContent ?? ''";

/// Returns true at the last frame, in JavaScript.
fn at_end() -> String {
    format!(r"(([frame, of]) => of && frame === of)(({FRAME}).match(/\d+/g) ?? [])")
}

#[test]
fn the_first_view_of_a_page_plays_its_run_once() {
    let moving = Options { device: Device::DESKTOP.moving(), ..Options::default() };
    let Some(browser) = Browser::open(&moving) else { return };
    browser.goto("#/nfa");
    browser
        .wait_until(&format!("{STATE} === 'replaying' && ({FRAME}).startsWith('Frame ')"), PATIENCE)
        .unwrap();
    let early: String = browser.eval(PICTURES);
    browser.wait_done(PATIENCE).unwrap();
    assert_ne!(browser.eval::<String>(PICTURES), early);
    // A second run is not played.
    browser.eval::<Value>(
        "(window.states = new Set(), new MutationObserver(() => states.add(document.documentElement.dataset.state))
            .observe(document.documentElement, { attributes: true }), null)",
    );
    click_button(&browser, "Run");
    browser.wait_until("states.has('running') && states.has('done')", PATIENCE).unwrap();
    browser.wait_painted();
    assert!(!browser.eval::<bool>("states.has('replaying')"));
}

/// On each page a step shows another picture, and the end of the replay is the end of the run.
#[test]
fn the_iterations_of_every_model_can_be_stepped_and_played() {
    // With one start of each fit: a second one that ends at the same optimum shows the same picture.
    const PLANE: &str = "#/mlp?restarts=1";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for page in
        ["#/feedforward?runs=20", "#/feedforward.run", "#/gp", PLANE, "#/nfa", "#/nfa.moments", "#/sbn"]
    {
        browser.goto(page);
        browser.wait_done(PATIENCE).unwrap();
        browser
            .wait_until(&format!("({FRAME}).startsWith('Frame ')"), SOON)
            .unwrap_or_else(|why| panic!("{page}: {why}"));
        browser.wait_painted();
        let end: String = browser.eval(PICTURES);
        let mut before = end.clone();
        for step in 1..=3 {
            click_button(&browser, "Step");
            browser.wait_painted();
            let picture: String = browser.eval(PICTURES);
            assert!(picture != before, "{page}: step {step} shows the same picture");
            before = picture;
        }
        assert_eq!(browser.state(), "done");
        click_button(&browser, "Replay");
        browser.wait_until(&format!("{STATE} === 'done' && {}", at_end()), PATIENCE).unwrap();
        browser.wait_painted();
        assert!(browser.eval::<String>(PICTURES) == end, "{page}: the replay ends with another picture");
    }
}

#[test]
fn the_position_of_a_replay_can_be_set_and_a_changed_control_ends_it() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/nfa?sweeps=20");
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<Value>(
        "(bar => { bar.value = 2; bar.dispatchEvent(new Event('input', { bubbles: true })); return null; })
            (document.querySelector('.transport input'))",
    );
    browser
        .wait_until(&format!("({FRAME}).startsWith('Frame 3/') && document.querySelector('.sentence').textContent.includes('sweep')"), SOON)
        .unwrap();
    click_button(&browser, "New seed");
    browser.wait_done(PATIENCE).unwrap();
    // A run of more than three seconds does not start again by itself.
    if !browser.eval::<bool>(&format!("!!{}", at_end())) {
        click_button(&browser, "Run");
        browser.wait_done(PATIENCE).unwrap();
    }
    browser.wait_until(&at_end(), SOON).unwrap();
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}

/// The frames of an exact method are alike in the first picture.
#[test]
fn step_goes_through_frames_that_are_alike() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp.curve");
    browser.wait_done(PATIENCE).unwrap();
    browser.click(".run-bar .buttons button:nth-child(2)");
    browser.wait_until(&format!("({FRAME}).startsWith('Frame 1/')"), SOON).unwrap();
    assert!(browser.text(".sentence").contains("final result"));
}

/// Regression: the frames of the companion were lost after a change that concerns it alone.
#[test]
fn a_new_drawing_can_be_replayed() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/sbn");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(&format!("({FRAME}).startsWith('Frame')"), SOON).unwrap();
    let frames: String = browser.eval(&format!("({FRAME}).split('/')[1]"));
    browser.drag(".picture", (-60, -60), (60, 60));
    let replayed = format!("({FRAME}).split('/')[1] === {frames:?} && {HASH}.includes('drawing=10x10')");
    browser.wait_until(&replayed, PATIENCE).unwrap();
}
