//! Layout: elements in view, elements that must not move, and steps that can be undone.

use crate::support::page::{HASH, PATIENCE, SHORT, SHOWN, SOON, STATE, click_button, enter, wait_state};
use crate::support::{Browser, Device, Options};
use meanfield::lab::{Rank, Task};
use meanfield::models::catalog;
use serde_json::{Value, json};
use thirtyfour::Key;

/// The smallest laptop.
const LAPTOP: Device = Device { width: 1280, height: 720, ..Device::DESKTOP };
const BOX: &str = "(box => [box.top, box.bottom])";

/// Returns the upper and lower edge of an element.
#[track_caller]
fn edges(browser: &Browser, selector: &str) -> [f64; 2] {
    browser.eval(&format!("{BOX}(document.querySelector({}).getBoundingClientRect())", json!(selector)))
}

#[test]
fn the_main_control_and_the_first_figure_are_in_view() {
    let Some(browser) = Browser::open(&Options { device: LAPTOP, ..Options::default() }) else { return };
    let catalog = catalog();
    for model in catalog.models() {
        browser.goto(&format!("#/{}", model.id));
        browser.wait_done(PATIENCE).unwrap();
        let front: &dyn Task = catalog.page(model.id).unwrap();
        let knobs = front.fields().iter().filter(|field| field.rank == Rank::Knob);
        let knobs: Vec<String> = knobs.map(|field| format!("#field-{}", field.key)).collect();
        assert!(!knobs.is_empty(), "{} has no main control", model.id);
        for selector in
            knobs.iter().map(String::as_str).chain(["h1", ".exercises, .begin", "canvas", "button.main"])
        {
            let [top, bottom] = edges(&browser, selector);
            let inside = 0.0 <= top && top < bottom && bottom <= 720.0;
            assert!(inside, "{}: {selector} from {top} to {bottom}", model.id);
        }
    }
}

/// Words in the window and their styles; words of pictures and those that a box cuts off do not count.
const ABOVE_THE_FOLD: &str = "(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const styles = new Set();
    const range = document.createRange();
    let words = 0;
    while (walker.nextNode()) {
        const text = walker.currentNode;
        const parent = text.parentElement;
        if (parent.closest('.sr-only, option, script, style, svg')
            || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const isSeen = word => {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const { left, right, top, bottom, width, height } = range.getBoundingClientRect();
            if (width <= 1 || height <= 1 || top >= innerHeight || bottom <= 0 || left >= innerWidth || right <= 0) return false;
            for (let box = parent; box; box = box.parentElement) {
                const edges = box.getBoundingClientRect();
                const cut = top >= edges.bottom - 1 || bottom <= edges.top + 1;
                if (cut && getComputedStyle(box).overflow !== 'visible') return false;
            }
            return true;
        };
        const seen = [...text.textContent.matchAll(/\\S+/g)].filter(isSeen).length;
        if (seen === 0) continue;
        words += seen;
        const { fontFamily, fontSize, fontWeight, fontStyle } = getComputedStyle(parent);
        styles.add([fontFamily, fontSize, fontWeight, fontStyle].join());
    }
    return [words, styles.size];
})()";

#[test]
fn at_most_200_words_and_8_styles_of_text_stand_above_the_fold() {
    let Some(browser) = Browser::open(&Options { device: LAPTOP, ..Options::default() }) else { return };
    let catalog = catalog();
    for id in [""].into_iter().chain(catalog.every_page().map(|page| page.meta().id)) {
        browser.goto(&format!("#/{id}"));
        browser.wait_done(PATIENCE).unwrap();
        browser.wait_painted();
        let [words, styles]: [usize; 2] = browser.eval(ABOVE_THE_FOLD);
        assert!(words <= 200 && styles <= 8, "#/{id}: {words} words in {styles} styles");
    }
}

/// On a phone the second figure begins below the window, but its sentence stands above the drawing.
#[test]
fn on_a_phone_the_prediction_is_visible_with_the_drawing() {
    const VERDICT: &str = ".figure:nth-child(2) .finding";
    let Some(browser) = Browser::open(&Options { device: Device::PHONE, ..Options::default() }) else {
        return;
    };
    browser.goto("#/sbn?per_digit=20&test=50&missing=0.2&epochs=1&rates=0.02");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    browser.eval::<Value>("(scrollTo(0, 0), null)");
    let [drawing, end] = edges(&browser, ".figure:first-child canvas");
    let [top, bottom] = edges(&browser, VERDICT);
    let [tools, _] = edges(&browser, ".editor");
    let [bar, _] = edges(&browser, ".run-bar");
    let inside = 0.0 <= top && top < bottom && bottom <= drawing;
    assert!(inside, "verdict from {top} to {bottom}, drawing from {drawing}");
    assert!(end <= tools && tools < bar, "drawing to {end}, tools from {tools}, run bar from {bar}");
}

#[test]
fn on_a_phone_every_button_of_the_run_is_in_view() {
    const OUTSIDE: &str = "[...document.querySelectorAll('.buttons button')].filter(button => button.checkVisibility())
        .filter(button => { const { left, right } = button.getBoundingClientRect(); return left < 0 || right > innerWidth; })
        .map(button => button.textContent)";
    let Some(browser) = Browser::open(&Options { device: Device::PHONE, ..Options::default() }) else {
        return;
    };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<Vec<String>>(OUTSIDE), Vec::<String>::new());
    // One row: fingers need 44 pixels.
    let height: f64 = browser.eval("document.querySelector('.buttons').getBoundingClientRect().height");
    assert!(height < 60.0, "the buttons are {height} px high");
}

#[test]
fn a_page_that_waits_for_a_table_asks_for_it_once_and_offers_no_run() {
    const CHOOSERS: &str = "[...document.querySelectorAll('#app :is(.drop input[type=file], .begin button)')]
        .filter(chooser => chooser.checkVisibility() && (chooser.type === 'file' || chooser.textContent === 'Choose a file'))
        .length";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for page in ["feedforward.data", "gp.data", "gp.regression", "mlp.data", "nfa.data"] {
        browser.goto(&format!("#/{page}"));
        browser.wait_until(&format!("{STATE} === 'idle' && {CHOOSERS} > 0"), SOON).unwrap();
        let offered = "document.querySelector('button.main').checkVisibility()";
        let settings = "document.querySelector('.controls').checkVisibility()";
        assert_eq!(
            browser.eval::<(usize, bool, bool)>(&format!("[{CHOOSERS}, {offered}, {settings}]")),
            (1, false, false),
            "{page}"
        );
        let pictures = "document.querySelectorAll('.example-result svg').length";
        browser.wait_until(&format!("{pictures} === 1"), SOON).unwrap();
        let rows = "document.querySelectorAll('.example-rows tbody tr').length";
        browser.wait_until(&format!("{rows} === 5"), SOON).unwrap();
    }
}

#[test]
fn the_figure_stays_while_the_settings_scroll() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for device in [Device::DESKTOP, LAPTOP, Device { touch: false, ..Device::TABLET }] {
        browser.emulate(device);
        browser.goto(SHORT);
        browser.wait_done(PATIENCE).unwrap();
        // By script: the driver would scroll the page before it clicks.
        browser.eval::<Value>(
            "(document.querySelector('details.more').open = true,
             document.querySelector('.share').scrollIntoView({ block: 'nearest' }), null)",
        );
        browser.wait_painted();
        for selector in ["canvas", "button.main"] {
            let [top, bottom] = edges(&browser, selector);
            let (width, height) = (device.width, f64::from(device.height));
            assert!(bottom > 0.0 && top < 0.5 * height, "{selector} at {width} px: {top} to {bottom}");
        }
    }
}

#[test]
fn a_message_moves_nothing() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward?inputs=50&beta=1&alphas=1,2&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    let before = edges(&browser, "canvas");
    enter(&browser, "#field-hidden", "3");
    browser.wait_until("document.querySelector('.notices') !== null", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(edges(&browser, "canvas"), before);
    click_button(&browser, "Dismiss");
    browser.wait_until("document.querySelector('.notices') === null", SOON).unwrap();
}

#[test]
fn presets_have_small_pictures_of_their_own() {
    const PICTURES: &str =
        "[...document.querySelectorAll('.presets button')].map(b => b.querySelector('.thumbnail').innerHTML)";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    // Not the default settings, whose picture is ready-made.
    browser.goto("#/gp?examples=12&draws=100");
    let drawn = format!("{PICTURES}.length > 3 && {PICTURES}.every(picture => picture.length > 300)");
    browser.wait_until(&drawn, SOON).unwrap();
    let mut pictures: Vec<String> = browser.eval(PICTURES);
    let count = pictures.len();
    pictures.sort();
    pictures.dedup();
    assert!(browser.eval::<bool>(
        "document.querySelector('.presets button').checkVisibility({ visibilityProperty: true })"
    ));
    assert!(count > 3 && pictures.len() == count, "{} of {count} pictures differ", pictures.len());
}

#[test]
fn presets_are_steps_of_the_history_and_everything_can_be_undone() {
    const ACTIVE: &str =
        "[...document.querySelectorAll('.presets [aria-pressed=true]')].map(b => b.textContent).join()";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp?examples=12&draws=100&seed=5");
    browser.wait_done(PATIENCE).unwrap();
    let before: String = browser.eval(HASH);
    assert_eq!(browser.eval::<String>(ACTIVE), "");
    click_button(&browser, "Wrong labels");
    browser.wait_until(&format!("{HASH}.includes('set=xor') && {STATE} === 'done'"), PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(ACTIVE), "Wrong labels");
    browser.run(browser.driver().back());
    browser.wait_until(&format!("{HASH} === {}", json!(before)), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    // By keys after a preset, and by the button after the defaults.
    click_button(&browser, "Wrong labels");
    browser.wait_until(&format!("{HASH}.includes('set=xor')"), SOON).unwrap();
    browser.eval::<Value>("(document.activeElement.blur(), null)");
    browser.chord(Key::Control, 'z');
    browser.wait_until(&format!("{HASH}.includes('seed=5')"), SOON).unwrap();
    click_button(&browser, "Restore defaults");
    browser.wait_until(&format!("{HASH}.includes('seed=1') && {STATE} === 'done'"), PATIENCE).unwrap();
    browser.click(".undo");
    browser.wait_until(&format!("{HASH} === {} && {STATE} === 'done'", json!(before)), PATIENCE).unwrap();
}

#[test]
fn drawings_are_kept_during_a_visit_to_another_page() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp?examples=12&draws=100");
    browser.wait_done(PATIENCE).unwrap();
    browser.drag(".picture", (90, -60), (90, -60));
    browser.wait_until(&format!("{HASH}.includes('set=own') && {STATE} === 'done'"), PATIENCE).unwrap();
    let drawn: String = browser.eval(HASH);
    browser.click("header nav a:nth-child(1)");
    browser.wait_until(&format!("{HASH}.startsWith('#/feedforward')"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    browser.click("header nav a:nth-child(2)");
    browser.wait_until(&format!("{HASH} === {}", json!(drawn)), SOON).unwrap();
    wait_state(&browser, "done");
}

#[test]
fn help_opens_by_click_and_focus_and_closes_again() {
    let shown = |browser: &Browser| {
        browser.eval::<bool>("document.querySelector('#field-beta-help').checkVisibility()")
    };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    assert!(!shown(&browser));
    browser.eval::<Value>("(document.querySelector('[aria-controls=field-beta-help]').click(), null)");
    browser.wait_painted();
    assert!(shown(&browser));
    browser.eval::<Value>("(document.querySelector('[aria-controls=field-beta-help]').click(), null)");
    browser.wait_painted();
    assert!(!shown(&browser));
}

#[test]
fn an_embedded_page_is_no_higher_than_its_frame() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for (width, height) in [(720, 600), (480, 480)] {
        browser.emulate(Device { width, height, ..Device::DESKTOP });
        browser.goto("?embed&knob=beta,seed#/feedforward?inputs=20&runs=20&alphas=1,3");
        browser.wait_done(PATIENCE).unwrap();
        let [_, bottom] = edges(&browser, "canvas");
        assert!(bottom <= f64::from(height), "the figure ends at {bottom} of {height} px");
        let shown = "[...document.querySelectorAll('.control')].filter(c => c.checkVisibility()).length";
        assert_eq!(browser.eval::<usize>(shown), 2);
        assert!(browser.eval::<String>("document.querySelector('.embed-head a').href").contains("runs=20"));
    }
}
