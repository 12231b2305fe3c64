//! Points of a figure are moved, added, relabelled and deleted.

use crate::support::page::{HASH, PATIENCE, SOON, STATE, reload, run_if_asked};
use crate::support::{Browser, Device, Options};
use thirtyfour::Key;

/// A quick run of twelve points.
const ROUTE: &str = "#/gp?examples=12&draws=100";
/// Splits the text of the points in the address into rows of x, y and label.
const POINTS: &str = "(() => {
    const text = new URLSearchParams(location.hash.split('?')[1]).get('points') || '';
    const numbers = text === '' ? [] : text.split(',').map(Number);
    return numbers.filter((_, i) => i % 3 === 2).map((label, i) => [numbers[3 * i], numbers[3 * i + 1], label]);
})()";

/// Offset of a pixel over a point from the centre of the first picture, found by its pointer.
const GRASPED: &str = "(async () => {
    const picture = document.querySelector('.picture');
    const { left, top, width, height } = picture.getBoundingClientRect();
    for (let x = 60; x < width - 250; x += 12) for (let y = 20; y < height - 60; y += 12) {
        picture.dispatchEvent(new PointerEvent('pointermove', { clientX: left + x, clientY: top + y, bubbles: true }));
        await Promise.resolve();
        if (picture.classList.contains('grasps')) return [Math.round(x - width / 2), Math.round(y - height / 2)];
    }
})()";

fn open() -> Option<Browser> {
    let browser = Browser::open(&Options::default())?;
    browser.goto(ROUTE);
    browser.wait_until(&format!("{STATE} === 'done'"), PATIENCE).unwrap();
    Some(browser)
}

/// Returns the points in the address.
fn points(browser: &Browser) -> Vec<(f64, f64, f64)> {
    browser.eval(POINTS)
}

/// Waits until the address has so many points and their run is done.
#[track_caller]
fn wait_for(browser: &Browser, count: usize) {
    run_if_asked(browser);
    browser.wait_until(&format!("{POINTS}.length === {count} && {STATE} === 'done'"), PATIENCE).unwrap();
}

/// Regression: the axis followed a point held at its edge, and the point moved away from the pointer without end.
#[test]
fn a_point_held_beyond_its_panel_stays_at_the_edge() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp.curve");
    browser.wait_done(PATIENCE).unwrap();
    let picture = browser.find(".picture");
    browser.run(picture.scroll_into_view());
    let (dx, dy) = browser.eval::<(i64, i64)>(GRASPED);
    let chain = browser.driver().action_chain();
    let chain = chain.move_to_element_center(&picture).move_by_offset(dx, dy).click_and_hold();
    // To above the picture, and then to and fro.
    let mut chain = chain.move_by_offset(0, -dy - 250);
    for step in [1, -1, 1, -1, 1, -1, 1, -1] {
        chain = chain.move_by_offset(step, 0);
    }
    browser.run(chain.release().perform());
    browser.wait_until(&format!("{HASH}.includes('points=')"), SOON).unwrap();
    let points: Vec<f64> = browser
        .eval(&format!("new URLSearchParams({HASH}.split('?')[1]).get('points').split(',').map(Number)"));
    let highest = points.iter().skip(1).step_by(2).copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((1.5..4.0).contains(&highest), "{highest}");
}

#[test]
fn a_click_adds_a_point_and_undo_removes_it() {
    let Some(browser) = open() else { return };
    assert!(points(&browser).is_empty());
    browser.drag(".picture", (90, -60), (90, -60));
    wait_for(&browser, 13);
    let hash: String = browser.eval(HASH);
    assert!(hash.contains("set=own"), "{hash}");
    assert_eq!(points(&browser)[12].2, 1.0);
    browser.click(".editor button:nth-of-type(2)");
    browser.drag(".picture", (-300, -230), (-300, -230));
    wait_for(&browser, 14);
    assert_eq!(points(&browser)[13].2, -1.0);
    let before = points(&browser);
    browser.click(".undo");
    wait_for(&browser, 13);
    // Also by keys.
    browser.eval::<serde_json::Value>("(document.activeElement.blur(), null)");
    browser.chord(Key::Control, 'z');
    run_if_asked(&browser);
    browser.wait_until(&format!("{HASH}.includes('set=moons') && {STATE} === 'done'"), PATIENCE).unwrap();
    // The address alone gives the same points.
    browser.goto(&hash);
    wait_for(&browser, 13);
    assert_eq!(points(&browser), before[..13]);
}

#[test]
fn the_map_follows_a_point_while_it_is_dragged() {
    let Some(browser) = open() else { return };
    browser.drag(".picture", (40, -60), (40, -60));
    wait_for(&browser, 13);
    let start = points(&browser)[12];
    browser.drag(".picture", (40, -60), (110, -60));
    run_if_asked(&browser);
    browser.wait_until(&format!("{POINTS}[12][0] > {}", start.0 + 0.2), PATIENCE).unwrap();
    let moved = points(&browser);
    assert!((moved[12].1 - start.1).abs() < 0.02 && moved.len() == 13, "{start:?} {moved:?}");
    // Flip and delete it.
    browser.click(".editor button:nth-of-type(3)");
    browser.drag(".picture", (110, -60), (110, -60));
    run_if_asked(&browser);
    browser.wait_until(&format!("{POINTS}[12][2] === -1"), PATIENCE).unwrap();
    browser.click(".editor button:nth-of-type(4)");
    browser.drag(".picture", (110, -60), (110, -60));
    wait_for(&browser, 12);
}

#[test]
fn points_are_edited_by_keys() {
    let Some(browser) = open() else { return };
    browser.eval::<serde_json::Value>("(document.querySelector('.picture').focus(), null)");
    browser.press(Key::Right);
    browser.wait_until("document.querySelector('.value') !== null", SOON).unwrap();
    browser.press("f");
    run_if_asked(&browser);
    browser.wait_until(&format!("{POINTS}.length === 12"), PATIENCE).unwrap();
    let flipped = points(&browser);
    assert_ne!(flipped.iter().filter(|p| p.2 > 0.0).count(), 6, "{flipped:?}");
    browser.press(Key::Delete);
    wait_for(&browser, 11);
}

/// Only the live companion follows the drawing, so no run puts it into the address.
#[test]
fn a_drawing_survives_a_reload() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/sbn?per_digit=20&test=50&missing=0.2&epochs=1&rates=0.02");
    browser.wait_done(PATIENCE).unwrap();
    assert!(!browser.eval::<String>(HASH).contains("drawing=10x10"));
    browser.drag(".picture", (-60, -60), (60, 60));
    browser.wait_until(&format!("{HASH}.includes('drawing=10x10')"), SOON).unwrap();
    let drawn: String = browser.eval(HASH);
    reload(&browser);
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(HASH), drawn);
}

#[test]
fn a_finger_drags_a_point_and_scrolls_beside_it() {
    let fingers = Some("fingers come from the DevTools protocol");
    let options = Options { device: Device::PHONE, chromium_only: fingers, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto("#/gp?set=own&points=0,0,1,1.5,1,-1,-1.5,1,1&examples=3&draws=100");
    browser.wait_until(&format!("{STATE} === 'done'"), PATIENCE).unwrap();
    let at = |place: usize| -> [f64; 2] {
        // The reading beside a point gives its place: arrow keys go from point to point.
        browser.eval::<serde_json::Value>("(document.querySelector('.picture').focus(), null)");
        (0..=place).for_each(|_| browser.press(Key::Right + ""));
        browser.wait_until("document.querySelector('.ring') !== null", SOON).unwrap();
        browser.eval(
            "(box => [box.left + box.width / 2, box.top + box.height / 2])(
                document.querySelector('.ring').getBoundingClientRect())",
        )
    };
    let [x, y] = at(0);
    let before = points(&browser);
    let touch = |kind: &str, points: serde_json::Value| {
        browser.cdp("Input.dispatchTouchEvent", serde_json::json!({ "type": kind, "touchPoints": points }));
    };
    touch("touchStart", serde_json::json!([{ "x": x, "y": y }]));
    for step in 1..=4 {
        touch(
            "touchMove",
            serde_json::json!([{ "x": x + 10.0 * f64::from(step), "y": y + 8.0 * f64::from(step) }]),
        );
    }
    touch("touchEnd", serde_json::json!([]));
    run_if_asked(&browser);
    browser.wait_until(&format!("{STATE} === 'done'"), PATIENCE).unwrap();
    let after = points(&browser);
    let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert_eq!((before.len(), after.len(), moved), (3, 3, 1), "{before:?} {after:?}");
    assert_eq!(browser.eval::<f64>("scrollY"), 0.0, "the page scrolled under the finger");
}
