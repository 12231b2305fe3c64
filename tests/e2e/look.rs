//! Themes, phones, accessibility, navigation.

use std::time::Duration;

use crate::common::small;
use crate::support::page::{
    LONG, PATIENCE, SHORT, SOON, axe_faults, enter, picture, wait_state, wait_under_way,
};
use crate::support::{Browser, Device, Options};
use meanfield::app::own_data;
use meanfield::lab::{Link, Meta, Task};
use meanfield::models::catalog;
use serde_json::{Value, json};

#[test]
fn the_theme_cycles_and_is_remembered() {
    const LOOK: &str =
        "[document.documentElement.dataset.theme, document.querySelector('.theme').textContent.trim(),
        getComputedStyle(document.body.parentElement).backgroundColor]";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    // The figure is redrawn a few frames after the page: waits until it has been constant for a while.
    let (mut first, mut same) = (picture(&browser), 0);
    while same < 5 {
        std::thread::sleep(Duration::from_millis(300));
        let now = picture(&browser);
        same = if now == first { same + 1 } else { 0 };
        first = now;
    }
    let follows = |same: bool| {
        (0..100).any(|_| {
            browser.wait_painted();
            (picture(&browser) == first) == same
        })
    };
    let mut seen: Vec<[String; 3]> = Vec::new();
    for theme in ["auto", "light", "dark", "auto"] {
        seen.push(browser.eval(LOOK));
        assert!(follows(theme != "dark"), "the figure does not follow {theme}");
        browser.click(".theme");
    }
    let themes: Vec<&str> = seen.iter().map(|look| look[0].as_str()).collect();
    assert_eq!(themes, ["auto", "light", "dark", "auto"]);
    assert!(seen[1][2] == seen[0][2] && seen[2][2] != seen[0][2], "{seen:?}");
    // The theme is now light; dark has to be remembered.
    browser.click(".theme");
    browser.reload();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<[String; 3]>(LOOK), seen[2]);
}

#[test]
fn printing_is_light_in_every_theme() {
    const GROUND: &str = "getComputedStyle(document.documentElement).backgroundColor";
    // The canvas at the end of the event is printed: no frame comes in between.
    const PRINTED: &str = "new Promise(async done => {
        const canvas = document.querySelector('canvas');
        dispatchEvent(new Event('beforeprint'));
        for (let task = 0; task < 100; task++) await null;
        done([getComputedStyle(document.documentElement).backgroundColor, canvas.toDataURL()]);
    })";
    let options = Options { device: Device::DESKTOP.dark(), ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_painted();
    let (dark, drawn) = (browser.eval::<String>(GROUND), picture(&browser));
    let [ground, printed]: [String; 2] = browser.eval(PRINTED);
    assert!(ground != dark && printed != drawn, "{ground}");
    browser.eval::<Value>("(dispatchEvent(new Event('afterprint')), null)");
    assert_eq!(browser.eval::<String>(GROUND), dark);
}

#[test]
fn run_is_within_reach_on_a_phone() {
    const BUTTON: &str = "(box => [box.top, box.bottom, box.left, box.right, innerWidth, innerHeight])(
        document.querySelector('button.main').getBoundingClientRect())";
    let Some(browser) = Browser::open(&Options { device: Device::PHONE, ..Options::default() }) else {
        return;
    };
    browser.goto("#/feedforward");
    browser.wait_done(PATIENCE).unwrap();
    let [top, bottom, left, right, width, height]: [f64; 6] = browser.eval(BUTTON);
    assert!(top >= 0.0 && bottom <= height && left >= 0.0 && right <= width, "{top} {bottom} of {height}");
    assert!(bottom - top >= 44.0 && right - left >= 44.0, "too small for a thumb");
}

#[test]
fn the_navigation_shows_the_present_model() {
    const SEEN: &str = "(() => {
        const [link, row] = ['header nav [aria-current]', 'header']
            .map(part => document.querySelector(part).getBoundingClientRect());
        return [link.left - row.left, row.right - link.right, row.height];
    })()";
    let narrow = Device { width: 320, ..Device::PHONE };
    for device in [Device::PHONE, narrow] {
        let Some(browser) = Browser::open(&Options { device, ..Options::default() }) else { return };
        for model in catalog().models() {
            browser.goto(&format!("#/{}", model.id));
            let [left, right, high]: [f64; 3] = browser.eval(SEEN);
            let width = device.width;
            assert!(
                left > -1.0 && right > -1.0 && high < 60.0,
                "{}, {width} px: {left} {right} {high}",
                model.id
            );
        }
    }
}

/// Returns the pages without a program, every page with a short run, a missing page, and a page with invalid
/// settings.
fn routes() -> Vec<String> {
    let catalog = catalog();
    let others = ["#/", "#/papers", "#/nothing", "#/feedforward?inputs=1&colour=red&runs=20"];
    let mut routes: Vec<String> = others.map(str::to_owned).to_vec();
    for model in catalog.models() {
        let pages: Vec<&dyn Task> = catalog.pages(model.id).collect();
        if pages.is_empty() {
            routes.push(format!("#/{}", model.id));
        }
        for task in pages {
            let page = task.meta();
            routes.push(match own_data::example(task.fields(), page.presets) {
                Some(example) => format!("#/{}?{}", page.id, example.query),
                None => Link { task: page.id.to_owned(), raw: small(page.id) }.to_string(),
            });
            if routes.last().is_some_and(|route| route.contains("data=")) {
                routes.push(format!("#/{}", page.id)); // waits for a file
            }
        }
    }
    routes
}

#[test]
fn axe_finds_nothing() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let mut faults = Vec::new();
    for route in routes() {
        browser.emulate(Device::DESKTOP);
        browser.goto(&route);
        browser.wait_done(PATIENCE).unwrap();
        for opened in [false, true] {
            if opened {
                // Everything open, a run pinned, a curve off, and an invalid field.
                browser.eval::<Value>(
                    "(document.querySelectorAll('details').forEach(box => { box.open = true; }),
                      document.querySelector('button.pin')?.click(),
                      document.querySelectorAll('.menu > button').forEach(button => button.click()),
                      document.querySelector('.legend button')?.click(), null)",
                );
                if browser.eval("document.querySelector('#field-seed')?.checkVisibility() ?? false") {
                    enter(&browser, "#field-seed", "abc");
                }
            }
            // The opened page has all elements of the closed one: it is checked in both themes.
            let light = [Device::DESKTOP, Device::PHONE];
            let dark = light.map(Device::dark).into_iter().filter(|_| opened);
            for device in light.into_iter().chain(dark) {
                browser.emulate(device);
                browser.wait_painted();
                let screen = format!("{} px, {}", device.width, if device.dark { "dark" } else { "light" });
                let found = axe_faults(&browser).into_iter();
                faults.extend(found.map(|fault| format!("{route} at {screen}, opened {opened}: {fault}")));
            }
        }
    }
    // The page looks for known data sets on the host, which has none.
    let errors = browser.take_console_errors();
    assert!(errors.iter().all(|error| error.contains("/lab/data/")), "{errors:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_plot_stays_in_view_on_a_phone_and_leaves_half_of_the_screen() {
    const SEEN: &str = "(() => {
        const edge = (selector, side) => document.querySelector(selector).getBoundingClientRect()[side];
        return [edge('canvas', 'bottom'), edge('.run-bar', 'top'), edge('.run-bar', 'bottom'), innerHeight];
    })()";
    let Some(browser) = Browser::open(&Options { device: Device::PHONE, ..Options::default() }) else {
        return;
    };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser
        .eval::<Value>("(document.querySelector('#field-runs').scrollIntoView({ block: 'center' }), null)");
    browser.wait_painted();
    let [picture, bar, end, screen]: [f64; 4] = browser.eval(SEEN);
    assert!(picture > 150.0, "the plot is gone: it ends at {picture} px");
    assert!(end <= screen + 1.0, "the run bar is gone: it ends at {end} px");
    assert!(bar - picture >= 0.5 * screen, "{} of {screen} px are left for the settings", bar - picture);
    // Nothing covers the active box.
    enter(&browser, "#field-runs", "25");
    browser.wait_until("location.hash.includes('runs=25&')", SOON).unwrap();
    // Further down, the figure beside the article takes its place.
    browser.eval::<Value>("(document.querySelector('.notes section:last-of-type').scrollIntoView(), null)");
    browser.wait_painted();
    let [picture, ..]: [f64; 4] = browser.eval(SEEN);
    assert!(picture <= 0.0, "the plot covers the explanation down to {picture} px");
}

#[test]
fn single_key_shortcuts_can_be_switched_off() {
    const BOX: &str = "footer input[type=checkbox]";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    browser.click(BOX);
    let quiet = |browser: &Browser| {
        browser.eval::<Value>("(document.activeElement.blur(), null)");
        for key in ["r", "s", " "] {
            browser.press(key);
            browser.wait_painted();
        }
        assert_eq!(browser.state(), "running");
        assert!(browser.eval::<bool>("location.hash.includes('runs=10000')"));
    };
    quiet(&browser);
    browser.reload();
    wait_under_way(&browser);
    quiet(&browser);
    browser.click(BOX);
    browser.eval::<Value>("(document.activeElement.blur(), null)");
    browser.press(" ");
    wait_state(&browser, "paused");
}

#[test]
fn every_page_of_a_model_is_a_link_among_its_tabs() {
    const TABS: &str = "[...document.querySelectorAll('#app .tabs a')].map(link => link.textContent.trim())";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let catalog = catalog();
    for model in catalog.models() {
        let all: Vec<&Meta> = catalog.pages(model.id).map(Task::meta).collect();
        let tabs: Vec<&str> = all.iter().filter_map(|meta| meta.tab).collect();
        for meta in &all {
            browser.goto(&format!("#/{}", meta.id));
            // Of another model the program comes first.
            let title = format!("document.querySelector('h1').textContent === {}", json!(meta.question));
            browser
                .wait_until(
                    &format!("{title} && document.querySelector('#app .run-bar button.main') !== null"),
                    SOON,
                )
                .unwrap();
            assert_eq!(browser.text("header nav [aria-current=page]"), model.name);
            if let [_] = all[..] {
                assert_eq!(browser.eval::<Vec<String>>(TABS), Vec::<String>::new());
            } else {
                assert_eq!(browser.eval::<Vec<String>>(TABS), tabs);
                assert_eq!(Some(browser.text("#app .tabs [aria-current=page]").as_str()), meta.tab);
            }
        }
        // To the next page and back: the settings are kept.
        if let [first, second, ..] = all[..] {
            // A short run, which restarts by itself after a change.
            browser.goto(&Link { task: first.id.to_owned(), raw: small(first.id) }.to_string());
            browser.wait_done(PATIENCE).unwrap();
            enter(&browser, "#field-seed", "77");
            browser.wait_until("location.hash.includes('seed=77')", SOON).unwrap();
            browser.click("#app .tabs a:nth-child(2)");
            browser.wait_until(&format!("location.hash.startsWith('#/{}')", second.id), SOON).unwrap();
            browser.wait_until("!location.hash.includes('seed=77')", SOON).unwrap();
            assert!(browser.eval::<bool>("document.activeElement.closest('.tabs') !== null"));
            browser.click("#app .tabs a:nth-child(1)");
            // The address changes with the click, the form after it.
            browser.wait_until("document.querySelector('#field-seed')?.value === '77'", SOON).unwrap();
            assert!(browser.eval::<bool>("location.hash.includes('seed=77')"));
        }
    }
    browser.goto("#/feedforward.nonsense");
    browser.wait_done(SOON).unwrap();
    let text = browser.text("main");
    assert!(text.contains("No such page") && text.contains("feedforward.nonsense"), "{text}");
    // A task that accompanies a page is not a page.
    browser.goto("#/feedforward.theory");
    browser.wait_done(SOON).unwrap();
    assert!(browser.text("main").contains("No such page"));
}
