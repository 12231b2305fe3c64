//! Figures: reading values, downloads, switching curves on and off, pinned runs.

use crate::support::page::{PATIENCE, SHORT, SOON, click_button, enter, export, numbers, picture, table};
use crate::support::{Browser, Device, Options};
use serde_json::{Value, json};
use thirtyfour::{By, Key};

#[test]
fn arrow_keys_announce_values_of_the_figure() {
    const SPOKEN: &str = "document.querySelector('.figure [aria-live]').textContent";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(SPOKEN), "");
    browser.eval::<Value>("(document.querySelector('.picture').focus(), null)");
    let mut heard = Vec::new();
    for key in [Key::Right, Key::Right, Key::Up, Key::Left] {
        browser.press(key + "");
        browser.wait_painted();
        heard.push(browser.eval::<String>(SPOKEN));
    }
    assert!(heard[0].contains("±") && heard[0].contains("α = 1"), "{heard:?}");
    assert!(heard[1].contains("α = 2"), "{heard:?}");
    let curve = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    assert_eq!(curve(&heard[0]), curve(&heard[1]));
    assert_ne!(curve(&heard[1]), curve(&heard[2]), "{heard:?}");
    assert!(heard[3].contains("α = 1"), "{heard:?}");
    // The announced value is also in the table.
    let table = table(&browser);
    let value = heard[0].split(" = ").nth(1).and_then(|rest| rest.split(" at").next()).expect("a value");
    assert!(table.contains(value), "{value} is not in\n{table}");
}

#[test]
fn downloads_have_the_declared_contents() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let file = |name: &str, kind: &str| {
        export(&browser, name);
        browser.download(&format!("learning-curve.{kind}"), SOON).unwrap()
    };
    let csv = String::from_utf8(file("CSV", "csv")).expect("text");
    assert!(csv.starts_with("series,x,y,lower,upper,se,label\n"), "{csv}");
    let copied = numbers(&browser);
    assert!(copied.iter().all(|line| csv.contains(line)), "{copied:?} is not all in\n{csv}");
    let svg = String::from_utf8(file("SVG", "svg")).expect("text");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{}", &svg[..80]);
    // The file contains its typeface, which the browser uses.
    let face = svg.split_once("base64,").and_then(|(_, rest)| rest.split_once(')')).expect("a typeface").0;
    let loads = format!(
        "new FontFace('face', Uint8Array.from(atob({}), letter => letter.charCodeAt(0))).load().then(face => face.status)",
        json!(face)
    );
    assert!(browser.eval::<String>(&loads) == "loaded");
    let png = file("PNG 3×", "png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    // Three pixels for each of the 760 units of the picture.
    assert_eq!(u32::from_be_bytes([png[16], png[17], png[18], png[19]]), 2280);
}

#[test]
fn the_menu_of_exports_opens_within_the_window() {
    const ITEMS: &str = "document.querySelector('.menu .items')";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.emulate(Device { width: 1440, height: 900, ..Device::DESKTOP });
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    for block in ["end", "center"] {
        let scroll = json!({ "block": block });
        browser.eval::<Value>(&format!("(document.querySelector('.menu').scrollIntoView({scroll}), null)"));
        browser.click(".menu > button");
        browser.wait_painted();
        let [top, bottom]: [f64; 2] =
            browser.eval(&format!("(box => [box.top, box.bottom])({ITEMS}.getBoundingClientRect())"));
        assert!(0.0 <= top && top < bottom && bottom <= 900.0, "{block}: from {top} to {bottom}");
        // The next stop of the keyboard is its first entry, and Escape closes it.
        browser.press(Key::Tab + "");
        assert!(browser.eval::<bool>(&format!("{ITEMS}.firstElementChild === document.activeElement")));
        browser.press(Key::Escape + "");
        browser.wait_until(&format!("{ITEMS}.hidden"), SOON).unwrap();
    }
}

#[test]
fn a_map_is_read_between_its_points() {
    const SPOKEN: &str = "document.querySelector('.figure [aria-live]').textContent";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp?draws=200");
    browser.wait_done(PATIENCE).unwrap();
    // At the upper left of the plot, where there is no point.
    browser.eval::<Value>(
        "(canvas => {
            const { left, top, width, height } = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new PointerEvent('pointermove', {
                bubbles: true, clientX: left + .15 * width, clientY: top + .15 * height,
            }));
        })(document.querySelector('canvas'))",
    );
    browser.wait_until(&format!("{SPOKEN}.startsWith('probability of +1 0.')"), SOON).unwrap();
    export(&browser, "CSV");
    let csv = browser.download("probability-of-1-by-tap.csv", SOON).unwrap();
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.lines().filter(|line| line.starts_with("map,-")).count() > 1000, "{}", &csv[..200]);
}

#[test]
fn figures_of_the_previous_run_are_removed() {
    const TITLES: &str = "[...document.querySelectorAll('figcaption')].map(caption => caption.textContent)";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let fewer = "#/feedforward.run?beta=inf&teacher=parity&alpha=4&warm_start=false";
    browser.goto(fewer);
    browser.wait_done(PATIENCE).unwrap();
    let alone: Vec<String> = browser.eval(TITLES);
    browser.goto("#/feedforward.run");
    browser.wait_done(PATIENCE).unwrap();
    assert!(browser.eval::<Vec<String>>(TITLES).len() > alone.len());
    click_button(&browser, "Unlearnable rule");
    browser
        .wait_until(
            &format!("location.hash.includes('teacher=parity') && {TITLES}.length === {}", alone.len()),
            PATIENCE,
        )
        .unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<Vec<String>>(TITLES), alone);
}

/// Selects the button of a curve by its text.
#[track_caller]
fn toggle(browser: &Browser, label: &str) {
    // Elsewhere the run bar, which sticks to the edge, may cover the names.
    browser.eval::<Value>("(scrollTo(0, 0), null)");
    let path = format!("//div[@class='legend']/button[@aria-label=\"{label}\"]");
    browser.run(async { browser.driver().find(By::XPath(path)).await?.click().await });
    browser.wait_painted();
}

#[test]
fn a_curve_can_be_switched_off_and_stays_off_while_the_task_is_open() {
    const OWN: &str = "the learner's own estimate, without a test set";
    const PRESSED: &str = "[...document.querySelectorAll('.legend button')]
        .filter(button => button.ariaPressed === 'true').map(button => button.ariaLabel)";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let all: Vec<String> = browser.eval(PRESSED);
    assert!(all.len() > 3 && all.iter().any(|label| label == OWN), "{all:?}");
    let (before, numbers_before) = (picture(&browser), numbers(&browser));
    toggle(&browser, OWN);
    let without = picture(&browser);
    assert_ne!(without, before);
    assert_eq!(browser.eval::<Vec<String>>(PRESSED).len(), all.len() - 1);
    // The button keeps the focus; the numbers stay in table and file.
    assert!(browser.eval::<bool>(&format!("document.activeElement.ariaLabel === {}", json!(OWN))));
    assert!(table(&browser).contains(OWN));
    assert_eq!(numbers(&browser), numbers_before);
    // Arrow keys skip it.
    browser.eval::<Value>("(document.querySelector('.picture').focus(), null)");
    let mut heard = String::new();
    for _ in 0..8 {
        browser.press(Key::Up + "");
        browser.wait_painted();
        heard += &browser.eval::<String>("document.querySelector('.figure [aria-live]').textContent");
    }
    assert!(heard.contains("error on true labels") && !heard.contains(OWN), "{heard}");
    // The choice is kept after a new run.
    enter(&browser, "#field-seed", "8");
    browser.wait_until("location.hash.includes('seed=8&')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<Vec<String>>(PRESSED).len(), all.len() - 1);
    toggle(&browser, OWN);
    assert_eq!(browser.eval::<Vec<String>>(PRESSED), all);
}

/// Returns the table of pinned runs, one line per row; empty without pins.
const PINS: &str = r"[...document.querySelectorAll('.pins tr')].filter(row => row.checkVisibility())
    .map(row => [...row.cells].slice(0, -1).filter((_, i) => i !== 1).map(cell => cell.textContent.trim()).join(' | ')).join('\n')";

#[track_caller]
fn run_with_seed(browser: &Browser, seed: usize) {
    enter(browser, "#field-seed", &seed.to_string());
    browser.wait_until(&format!("location.hash.includes('seed={seed}&')"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
}

#[test]
fn pinned_runs_are_drawn_under_the_present_one_and_can_be_restored() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(PINS), "");
    let before = (numbers(&browser), browser.eval::<String>("location.hash"));
    click_button(&browser, "Pin to compare");
    browser.wait_until(&format!("{PINS} !== ''"), SOON).unwrap();
    assert_eq!(browser.eval::<String>(PINS), "Run\nPin 1\nShown now");
    let results: Vec<String> = browser.eval(
        "[...document.querySelectorAll('.pins tr')].map(row => row.cells[row.cells.length - 1].textContent)",
    );
    let headline = browser.eval::<String>("document.querySelector('.finding strong').textContent");
    assert_eq!(results, ["Result".to_owned(), headline.clone(), headline]);
    enter(&browser, "#field-inputs", "10");
    browser.wait_until("location.hash.includes('inputs=10&')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until(&format!("{PINS}.endsWith('10')"), SOON).unwrap();
    assert_eq!(browser.eval::<String>(PINS), "Run | Inputs\nPin 1 | 30\nShown now | 10");
    // Its values can be read with its name; the table of the present run does not contain it.
    browser.eval::<Value>("(document.querySelector('.picture').focus(), null)");
    let mut heard = String::new();
    for _ in 0..10 {
        browser.press(Key::Up + "");
        browser.wait_painted();
        heard += &browser.eval::<String>("document.querySelector('.figure [aria-live]').textContent");
    }
    assert!(heard.contains("Pin 1: N\u{a0}30, "), "{heard}");
    assert!(numbers(&browser).iter().all(|line| !line.contains("pin")));
    assert!(!table(&browser).contains("Pin 1"));

    browser.click("[aria-label='Show again: pin 1']");
    assert!(browser.eval::<bool>("document.activeElement.closest('.pins') !== null"));
    browser.wait_until(&format!("location.hash === {}", serde_json::json!(before.1)), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), before.0);

    browser.click("[aria-label='Remove: pin 1']");
    browser.wait_until(&format!("{PINS} === ''"), SOON).unwrap();
}

#[test]
fn a_fifth_pin_is_refused_with_advice_and_a_reload_clears_all() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    for seed in 1..=4 {
        run_with_seed(&browser, seed);
        click_button(&browser, "Pin to compare");
        browser.wait_until(&format!("{PINS}.includes('Pin {seed}')"), SOON).unwrap();
    }
    assert!(!browser.eval::<bool>("document.querySelector('.notices') !== null"));
    run_with_seed(&browser, 5);
    click_button(&browser, "Pin to compare");
    browser.wait_until("document.querySelector('.notices') !== null", SOON).unwrap();
    let notice = browser.text(".notices");
    assert!(notice.contains(" 4 runs") && notice.contains("remove one"), "{notice}");
    assert_eq!(
        browser.eval::<String>(PINS),
        "Run | Seed\nPin 1 | 1\nPin 2 | 2\nPin 3 | 3\nPin 4 | 4\nShown now | 5"
    );
    // The next pin takes the freed slot.
    browser.click("[aria-label='Remove: pin 2']");
    browser.wait_until(&format!("!{PINS}.includes('Pin 2')"), SOON).unwrap();
    click_button(&browser, "Pin to compare");
    browser.wait_until(&format!("{PINS}.includes('Pin 2 | 5')"), SOON).unwrap();
    browser.reload();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(PINS), "");
}

/// Far below the window, drawing would block a slow phone.
#[test]
fn a_figure_is_drawn_when_it_comes_near_the_window() {
    const LAST: &str = "[...document.querySelectorAll('figure canvas')].at(-1)";
    let drawn = format!(
        "(canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0))({LAST})"
    );
    let options = Options { device: Device::PHONE, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto("#/gp.curve");
    browser.wait_done(PATIENCE).unwrap();
    assert!(!browser.eval::<bool>(&drawn));
    browser.eval::<Value>(&format!("({LAST}.scrollIntoView(), null)"));
    browser.wait_until(&drawn, SOON).unwrap();
}
