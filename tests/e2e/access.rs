//! The page by keyboard alone, by touch, without motion, in forced colours, and in print.

use crate::support::page::{LONG, PATIENCE, SHORT, SOON, STATE, wait_under_way};
use crate::support::{Browser, Device, Options};
use meanfield::models::catalog;
use serde_json::{Value, json};
use thirtyfour::Key;

/// Presses Tab until the selected element has the focus, and checks that the focus is always visible.
#[track_caller]
fn tab_to(browser: &Browser, selector: &str) {
    const SEEN: &str = "(at => {
        const framed = at.matches('.switch input') ? at.parentElement : at;
        const { outlineStyle, outlineWidth } = getComputedStyle(framed);
        const { top, bottom, left, right } = framed.getBoundingClientRect();
        const inside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
        return at === document.body || inside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    })(document.activeElement)";
    for _ in 0..200 {
        browser.press(Key::Tab + "");
        let at = "document.activeElement.outerHTML.slice(0, 200)";
        assert!(browser.eval::<bool>(SEEN), "the focus is not seen: {}", browser.eval::<String>(at));
        if browser.eval(&format!("document.activeElement.matches({})", json!(selector))) {
            return;
        }
    }
    panic!("{selector} is not reached by Tab");
}

#[test]
fn keys_alone_go_from_a_preset_to_an_exported_file() {
    // Records every state since loading: a run may be over between two checks.
    const STATES: &str = "(() => {
        window.states = [];
        new MutationObserver(() => states.push(document.documentElement.dataset.state))
            .observe(document, { attributes: true, subtree: true, attributeFilter: ['data-state'] });
    })()";
    const SPOKEN: &str = "document.querySelector('.figure [aria-live]').textContent";
    let ran = format!("states.includes('running') && {STATE} === 'done'");
    let unfocused = Some("under WebDriver, Firefox does not match :focus");
    let options =
        Options { scripts: vec![STATES.to_owned()], chromium_only: unfocused, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto("#/gp?examples=12&draws=200");
    browser.wait_done(PATIENCE).unwrap();
    browser.eval::<Value>("(states = [], null)");
    tab_to(&browser, ".presets button[title^='One label in ten']");
    browser.press(Key::Enter + "");
    browser.wait_until(&format!("location.hash.includes('set=xor') && {ran}"), PATIENCE).unwrap();
    browser.eval::<Value>("(states = [], null)");
    tab_to(&browser, "#app button.main");
    browser.press(Key::Enter + "");
    browser.wait_until(&ran, PATIENCE).unwrap();
    tab_to(&browser, "#app .picture");
    browser.press(Key::Right + "");
    browser.wait_until(&format!("/\\d/.test({SPOKEN})"), SOON).unwrap();
    let spoken: String = browser.eval(SPOKEN);
    assert_eq!(browser.text(".value"), spoken);
    tab_to(&browser, ".menu > button");
    browser.press(Key::Enter + "");
    tab_to(&browser, ".menu .items button[title='Download every point as CSV']");
    browser.press(Key::Enter + "");
    let csv = browser.download("probability-of-1-by-tap.csv", SOON).unwrap();
    let csv = String::from_utf8(csv).expect("text");
    assert!(browser.eval::<bool>("document.querySelector('.menu .items').hidden"));
    assert!(csv.starts_with("series,x,y") && csv.lines().count() > 1000, "{}", &csv[..100]);
}

#[test]
fn the_figure_stays_in_view_while_a_finger_drags_a_slider() {
    const SLIDER: &str = "[...document.querySelectorAll('.controls input[type=range]')].find(slider => slider.checkVisibility())";
    let fingers = Some("fingers come from the DevTools protocol");
    let options = Options { device: Device::PHONE, chromium_only: fingers, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    let touch = |kind: &str, points: Value| {
        browser.cdp("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    };
    for model in catalog().models() {
        browser.goto(&format!("#/{}", model.id));
        browser.wait_done(PATIENCE).unwrap();
        browser.eval::<Value>(&format!(
            "(document.querySelectorAll('.more').forEach(box => {{ box.open ||= !({SLIDER}); }}),
              {SLIDER}.scrollIntoView({{ block: 'center' }}), null)"
        ));
        browser.wait_painted();
        // The middle of the slider's thumb, which is as wide as it is high.
        let [x, y, fraction]: [f64; 3] = browser.eval(&format!(
            "(slider => {{
                const {{ left, width, top, height }} = slider.getBoundingClientRect();
                const fraction = (slider.value - slider.min) / (slider.max - slider.min);
                return [left + 8 + fraction * (width - 16), top + height / 2, fraction];
            }})({SLIDER})"
        ));
        let look = || -> [f64; 3] {
            browser.eval(&format!(
                "[document.querySelector('canvas').getBoundingClientRect().bottom, {SLIDER}.getBoundingClientRect().top,
                  Number({SLIDER}.value)]"
            ))
        };
        let [_, top, before] = look();
        touch("touchStart", json!([{ "x": x, "y": y }]));
        let way = if fraction < 0.5 { 1.0 } else { -1.0 };
        for step in 1..=5 {
            // A finger does not move exactly horizontally.
            let at = (x + 12.0 * way * f64::from(step), y + f64::from(step));
            touch("touchMove", json!([{ "x": at.0, "y": at.1 }]));
            browser.wait_painted();
            let [bottom, now, _] = look();
            assert!(
                bottom > 150.0 && bottom < y,
                "{}: the plot ends at {bottom}, the slider is at {y}",
                model.id
            );
            assert!(
                (now - top).abs() < 3.0,
                "{}: the slider moves under the finger from {top} to {now}",
                model.id
            );
        }
        let [.., after] = look();
        assert!((after - before) * way > 0.0, "{}: from {before} to {after}", model.id);
        touch("touchEnd", json!([]));
    }
}

#[test]
fn with_reduced_motion_nothing_moves_by_itself() {
    // Rules that move elements regardless of the preference.
    const MOVING: &str = "(() => {
        const all = rules => [...rules].flatMap(rule =>
            rule.conditionText?.includes('prefers-reduced-motion: no-preference') ? []
                : rule.cssRules?.length ? all(rule.cssRules) : [rule]);
        return [...document.styleSheets].flatMap(sheet => all(sheet.cssRules))
            .filter(rule => rule.style?.transition || rule.style?.animation || rule.style?.scrollBehavior)
            .map(rule => rule.cssText);
    })()";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    assert_eq!(browser.eval::<Vec<String>>(MOVING), Vec::<String>::new());
    for _ in 0..10 {
        browser.wait_painted();
        assert_eq!(browser.eval::<usize>("document.getAnimations({ subtree: true }).length"), 0);
    }
}

/// Emulates media features that [`Device`] lacks.
#[track_caller]
fn emulate_media(browser: &Browser, media: &str, features: &Value) {
    browser.cdp("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    browser.wait_painted();
}

#[test]
fn in_forced_colours_chosen_elements_are_distinguishable() {
    // Properties that distinguish elements in forced colours.
    const LOOK: &str = "(selector => {
        const { backgroundColor, textDecorationLine, color } = getComputedStyle(document.querySelector(selector));
        return [backgroundColor, textDecorationLine, color];
    })";
    let options =
        Options { chromium_only: Some("colours come from the DevTools protocol"), ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto("#/gp?examples=12&draws=100");
    browser.wait_done(PATIENCE).unwrap();
    emulate_media(&browser, "", &json!([{ "name": "forced-colors", "value": "active" }]));
    assert!(browser.eval::<bool>("matchMedia('(forced-colors: active)').matches"));
    for [chosen, other] in [
        ["header nav [aria-current]", "header nav a:not([aria-current])"],
        [".tabs [aria-current]", ".tabs a:not([aria-current])"],
        [".editor [aria-pressed=true]", ".editor [aria-pressed=false]"],
        [".switch label:has(:checked)", ".switch label:not(:has(:checked))"],
    ] {
        let look = |selector: &str| browser.eval::<[String; 3]>(&format!("{LOOK}({})", json!(selector)));
        assert_ne!(look(chosen), look(other), "{chosen} looks like {other}");
    }
    // A figure keeps its colours and therefore its background.
    let ground = "getComputedStyle(document.querySelector('.picture')).backgroundColor";
    assert_eq!(browser.eval::<String>(ground), "rgb(255, 253, 248)");
}

#[test]
fn a_printed_page_has_figures_and_text_but_no_controls() {
    const SHOWN: &str = "['h1', '.title p', 'canvas', '.finding', '.notes h2']
        .filter(selector => document.querySelector(selector)?.checkVisibility())";
    const CONTROLS: &str =
        "[...document.querySelectorAll('button, input, select, textarea, summary, nav, progress')]
        .filter(element => element.checkVisibility() && !element.closest('.legend'))
        .map(element => element.outerHTML.slice(0, 120))";
    const CUT: &str = "[...document.querySelectorAll('figcaption p')].some(text => text.scrollHeight > text.clientHeight + 1)";
    let options =
        Options { chromium_only: Some("paper comes from the DevTools protocol"), ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    for route in [SHORT, "#/papers", "#/"] {
        browser.emulate(Device::DESKTOP);
        browser.goto(route);
        browser.wait_done(PATIENCE).unwrap();
        emulate_media(&browser, "print", &json!([]));
        assert_eq!(browser.eval::<Vec<String>>(CONTROLS), Vec::<String>::new(), "{route}");
        if route == SHORT {
            assert_eq!(browser.eval::<Vec<String>>(SHOWN).len(), 5);
            assert!(!browser.eval::<bool>(CUT));
        }
        let pdf = browser.cdp("Page.printToPDF", json!({}));
        let pdf = thirtyfour::support::base64_decode(pdf["data"].as_str().expect("a file in base64"));
        assert!(pdf.expect("a file in base64").starts_with(b"%PDF-"), "{route}");
    }
}
