//! The front page and the ledger of the papers: their contents, and links from and to them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::page::{PATIENCE, SOON, axe_faults};
use crate::support::{Browser, Device, Options};
use meanfield::lab::claim::Verdict;
use meanfield::ledger;
use meanfield::models::{MODELS, task};
use serde_json::{Value, json};
use thirtyfour::Key;

const HOME: &str =
    "document.documentElement.dataset.page === 'home' && document.querySelector('.card').checkVisibility()";
const FOCUSED: &str = "document.activeElement.getAttribute('href') ?? document.activeElement.id";
/// Number of visible rows of claims.
const ROWS: &str =
    "[...document.querySelectorAll('.ledger tr[class]')].filter(row => row.checkVisibility()).length";

/// Returns a browser whose user has not turned motion off.
fn moving() -> Options {
    Options { device: Device::DESKTOP.moving(), ..Options::default() }
}

#[test]
fn cards_look_like_links() {
    const LOOKS: &str = "[...document.querySelectorAll('.card h2:has(a)')].map(heading => [
        getComputedStyle(heading.querySelector('a')).textDecorationLine, getComputedStyle(heading, '::after').content])";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    let looks: Vec<[String; 2]> = browser.eval(LOOKS);
    assert_eq!(looks.len(), MODELS.len());
    assert!(looks.iter().all(|[line, after]| line == "underline" && after.contains('→')), "{looks:?}");
}

#[test]
fn the_picture_of_a_card_opens_its_page() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for model in MODELS.iter().copied() {
        browser.goto("#/");
        browser.wait_done(SOON).unwrap();
        let place = format!(".card:has(a[href='#/{}']) .sketch", model.id);
        browser.eval::<Value>(&format!(
            "(document.querySelector(\"{place}\").scrollIntoView({{ block: 'center' }}), null)"
        ));
        let sketch = browser.find(&place);
        let chain = browser.driver().action_chain();
        browser.run(chain.move_to_element_center(&sketch).click().perform());
        browser.wait_until(&format!("location.hash === '#/{}' && scrollY === 0", model.id), SOON).unwrap();
    }
}

#[test]
fn back_returns_to_the_place_in_the_ledger() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/papers");
    browser.wait_until(&format!("{ROWS} > 0"), SOON).unwrap();
    browser.click(".ledger tbody tr:nth-child(9) a");
    browser.wait_until("document.documentElement.dataset.page === 'model' && scrollY === 0", SOON).unwrap();
    browser.run(browser.driver().back());
    browser.wait_until(&format!("{ROWS} > 0 && scrollY > 300"), SOON).unwrap();
}

#[test]
fn every_card_can_be_followed_by_keyboard_and_left_again() {
    let Some(browser) = Browser::open(&moving()) else { return };
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    let links: Vec<String> = browser.eval(
        "[...document.querySelectorAll('.card h2 a')].filter(a => a.checkVisibility()).map(a => a.getAttribute('href'))",
    );
    assert_eq!(links, MODELS.iter().map(|model| format!("#/{}", model.id)).collect::<Vec<_>>());
    for model in MODELS.iter().copied() {
        let link = format!("#/{}", model.id);
        for _ in 0..40 {
            browser.press(Key::Tab + "");
            // The navigation has the same links.
            let card = "document.activeElement.closest('.card') !== null";
            if browser.eval::<String>(FOCUSED) == link && browser.eval::<bool>(card) {
                break;
            }
        }
        assert_eq!(browser.eval::<String>(FOCUSED), link, "it is not reached");
        browser.press(Key::Enter + "");
        let title = json!(task(model.id).unwrap().meta().question);
        // The heading is there at once, then the run.
        let heading = format!(
            "[...document.querySelectorAll('h1')].some(h => h.checkVisibility() && h.textContent === {title})"
        );
        browser.wait_until(&heading, SOON).unwrap();
        assert_eq!(browser.eval::<String>(FOCUSED), "main", "reading goes on where the page begins");
        browser.wait_until("document.querySelector('#app canvas')?.checkVisibility()", PATIENCE).unwrap();
        assert_eq!(browser.text("header nav [aria-current=page]"), model.name);
        browser.run(browser.driver().back());
        browser.wait_until(HOME, SOON).unwrap();
        assert!(!browser.eval::<bool>("document.querySelector('#app').checkVisibility()"));
        assert_eq!(browser.eval::<String>("document.title"), "Mean Field Lab");
    }
}

#[test]
fn the_cards_are_equal_in_height_and_their_pictures_have_few_words() {
    const HEIGHTS: &str = "[...new Set([...document.querySelectorAll('.card')].map(card => Math.round(card.getBoundingClientRect().height)))]";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    assert_eq!(browser.eval::<usize>("document.querySelectorAll('.card').length"), MODELS.len() + 1);
    for width in [1440, 1024] {
        browser.emulate(Device { width, ..Device::DESKTOP });
        browser.wait_painted();
        let heights: Vec<f64> = browser.eval(HEIGHTS);
        assert_eq!(heights.len(), 1, "at {width} px: {heights:?}");
    }
    // Names of what is drawn, no axes.
    assert_eq!(browser.eval::<usize>("document.querySelectorAll('.card svg:not(.words) text').length"), 0);
    let words: Vec<usize> = browser.eval(
        "[...document.querySelectorAll('.card .words')].map(words => words.querySelectorAll('text').length)",
    );
    assert_eq!(words.len(), MODELS.len());
    assert!(words.iter().all(|count| (1..=4).contains(count)), "{words:?}");
}

#[test]
fn a_followed_card_shows_its_picture_until_the_figure_is_drawn() {
    const SHOWN: &str =
        "[...document.querySelectorAll('.first-paint svg')].some(svg => svg.checkVisibility())";
    let Some(browser) = Browser::open(&moving()) else { return };
    browser.goto("#/");
    browser.wait_until(HOME, SOON).unwrap();
    browser.eval::<Value>(&format!(
        "(function look() {{ window.seen ||= {SHOWN}; requestAnimationFrame(look); }}(), null)"
    ));
    browser.follow("#/nfa");
    browser.wait_until("document.querySelector('#app canvas')?.checkVisibility()", PATIENCE).unwrap();
    assert!(browser.eval::<bool>("window.seen"));
    browser.wait_done(PATIENCE).unwrap();
    assert!(!browser.eval::<bool>(SHOWN));
}

/// The front page describes a file and marks the pages that accept it; the followed link receives it.
#[test]
fn a_file_chosen_on_the_front_page_is_handed_to_the_next() {
    const PAGES: &str = "[...document.querySelectorAll('#home .fits a')].map(a => a.getAttribute('href'))";
    let Some(browser) = Browser::open(&moving()) else { return };
    let path = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let numbers = path("line.csv");
    let text =
        (0..60).fold("a,b,y\n".to_owned(), |text, i| format!("{text}{i},{},{}\n", i % 7, 3 * i + i % 5));
    fs::write(&numbers, text).unwrap();
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    browser.upload("#own", &numbers);
    browser
        .wait_until("document.querySelector('#looked').textContent.includes('has numbers')", PATIENCE)
        .unwrap();
    assert_eq!(browser.text("#looked"), "line.csv: 3 columns. The last column, y, has numbers.");
    assert_eq!(browser.eval::<Vec<String>>(PAGES), ["#/mlp.data", "#/nfa.data"]);
    assert_eq!(axe_faults(&browser), Vec::<String>::new());
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/own.csv");
    browser.upload("#own", &own);
    browser
        .wait_until("document.querySelector('#looked').textContent.startsWith('own.csv')", PATIENCE)
        .unwrap();
    assert_eq!(browser.eval::<Vec<String>>(PAGES), ["#/feedforward.data", "#/gp.data", "#/nfa.data"]);
    browser.eval::<Value>("(document.querySelector('#home .fits a[href=\"#/gp.data\"]').click(), null)");
    browser.wait_until("document.querySelector('.preview summary') !== null", PATIENCE).unwrap();
    assert_eq!(browser.text(".preview summary"), "own.csv: 12 rows × 7 columns");
    browser.wait_done(PATIENCE).unwrap();
    assert!(browser.eval::<String>("location.hash").contains("data=own.csv"));
    let sent: Vec<String> = browser.server().requests();
    assert!(!sent.iter().any(|request| request.contains("own.csv") || request.contains("POST")), "{sent:?}");
    // The file was handed to that page: the front page no longer has it.
    browser.follow("#/");
    browser.wait_until(HOME, SOON).unwrap();
    assert_eq!(browser.eval::<usize>("document.querySelector('#own').files.length"), 0);
}

#[test]
fn the_ledger_shows_every_claim_and_filters_them_by_verdict() {
    let Some(browser) = Browser::open(&moving()) else { return };
    let sections = ledger::sections(MODELS).unwrap();
    let count = |verdict| ledger::count_verdict(&sections, verdict);
    browser.goto("#/papers");
    browser
        .wait_until(&format!("{ROWS} === {}", Verdict::ALL.map(count).iter().sum::<usize>()), SOON)
        .unwrap();
    assert_eq!(browser.eval::<String>("document.title"), "The papers · Mean Field Lab");
    for device in [Device::DESKTOP.moving(), Device::PHONE.moving()] {
        browser.emulate(device);
        for verdict in Verdict::ALL {
            let (filter, count) = (verdict.id(), count(verdict));
            browser.eval::<Value>(&format!("(document.querySelector('#only-{filter}').click(), null)"));
            assert_eq!(browser.eval::<usize>(ROWS), count, "{filter} at {} px", device.width);
        }
        browser.eval::<Value>("(document.querySelector('#only-all').click(), null)");
    }
    // Through its link on the front page, and from a claim to its run.
    browser.goto("#/");
    browser.wait_done(SOON).unwrap();
    browser.eval::<Value>("(document.querySelector('#home a[href=\"#/papers\"]').click(), null)");
    browser.wait_until(&format!("{ROWS} > 0"), SOON).unwrap();
    browser.eval::<Value>("(document.querySelector('.ledger tr[class] a').click(), null)");
    browser
        .wait_until(
            "location.hash.includes('runs=40') && document.querySelector('#app canvas') !== null",
            PATIENCE,
        )
        .unwrap();
}

/// Visible figures are computed one after another, without a click and without taking the focus.
#[test]
fn the_figures_become_live_one_at_a_time() {
    const ALIVE: &str = "[...document.querySelectorAll('.card.alive iframe')].map(frame => {
        const canvas = frame.contentDocument.querySelector('canvas:not([hidden])');
        return [frame.closest('.card').querySelector('a').hash, canvas !== null && canvas.width > 100];
    })";
    let Some(browser) = Browser::open(&moving()) else { return };
    browser.goto("#/");
    for model in &MODELS[..2] {
        let alive = format!("JSON.stringify({ALIVE}) === '{}'", json!([[format!("#/{}", model.id), true]]));
        browser.wait_until(&alive, PATIENCE).unwrap();
        assert_eq!(browser.eval::<usize>("document.querySelectorAll('iframe').length"), 1);
    }
    assert_eq!(axe_faults(&browser), [""; 0]);
    // It is a picture, which Tab skips.
    browser.eval::<Value>("(document.querySelector('.card.alive h2 a').focus(), null)");
    browser.press(Key::Tab + "");
    assert_eq!(
        browser.eval::<String>("document.activeElement.closest('.card').querySelector('a').hash"),
        "#/mlp"
    );
    // The card under the pointer or with the focus comes first.
    let pointed = format!("JSON.stringify({ALIVE}) === '{}'", json!([["#/mlp", true]]));
    browser.wait_until(&pointed, PATIENCE).unwrap();
    browser.follow("#/papers");
    browser.wait_until("document.querySelector('iframe') === null", SOON).unwrap();
}

#[test]
fn with_reduced_motion_the_figures_stay_still() {
    let Some(browser) = Browser::open(&Options { device: Device::DESKTOP, ..Options::default() }) else {
        return;
    };
    browser.goto("#/");
    // The program is compiled in a worker, whose requests only the server sees.
    let start = Instant::now();
    while !browser.server().requests().iter().any(|request| request.contains("_bg.wasm")) {
        assert!(start.elapsed() < PATIENCE, "{:?}", browser.server().requests());
        thread::sleep(Duration::from_millis(100));
    }
    thread::sleep(Duration::from_secs(3));
    assert_eq!(browser.eval::<usize>("document.querySelectorAll('iframe').length"), 0);
    assert!(!browser.server().requests().iter().any(|request| request.contains("alive.js")));
}
