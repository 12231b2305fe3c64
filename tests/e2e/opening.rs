//! Opening the built page: first paint, first run, missing pages, missing files.

use std::fs;

use crate::screenshots::every_page;
use crate::support::budget::Budget;
use crate::support::page::{INK, PATIENCE, PROGRESS, SHORT, SOON, STATE, click_button, export};
use crate::support::{Browser, Device, Maimed, Options, Server, dist};
use meanfield::app::own_data;
use meanfield::lab::{Raw, model_of};
use meanfield::models::{MODELS, catalog};
use serde_json::Value;

/// The page's program and those of the models.
const PROGRAMS: &str = "_bg.wasm";

/// True if a ready-made picture is in view.
const PICTURE_SHOWN: &str =
    "[...document.querySelectorAll('.first-paint svg')].some(svg => svg.checkVisibility())";

#[test]
fn the_front_page_is_there_before_any_program() {
    const VISIBLE: &str = "[...document.querySelectorAll('.card svg:not(.words)')]
        .filter(svg => svg.checkVisibility() && svg.getBoundingClientRect().width > 200).length";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.block(&[PROGRAMS]);
    for device in [Device::DESKTOP, Device::PHONE] {
        browser.emulate(device);
        browser.goto("");
        browser.wait_until(&format!("{VISIBLE} === {}", MODELS.len()), SOON).unwrap();
        browser.wait_done(SOON).unwrap();
        browser
            .wait_until("performance.getEntriesByName('first-contentful-paint').length === 1", SOON)
            .unwrap();
    }
    // Everything is in the page itself: no request for a picture or to another host. Nothing waits for the font (font-display).
    let html: usize = browser.eval(
        "fetch(location.pathname).then(page => page.text()).then(text =>
            new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.card svg:not(.words)').length)",
    );
    assert_eq!(html, MODELS.len());
    let early: Vec<String> = browser.eval(
        "performance.getEntriesByType('resource')
            .filter(asked => asked.startTime < performance.getEntriesByName('first-contentful-paint')[0].startTime)
            .map(asked => new URL(asked.name).pathname)",
    );
    assert!(early.iter().any(|file| file.contains(".css")), "{early:?}");
    // In Firefox the test's own script sends the errors in the console.
    for file in early.into_iter().filter(|file| !file.ends_with("/test-error")) {
        let ending = file.rsplit('.').next().unwrap_or_default();
        assert!(["css", "js", "woff2"].contains(&ending), "{file} before the first paint");
    }
}

#[test]
fn every_page_shows_its_picture_before_the_program() {
    const SHOWN: &str = "[...document.querySelectorAll('h1, .first-paint svg, .begin, nav [aria-current]')]
        .filter(element => element.checkVisibility({ visibilityProperty: true }))
        .map(element => element.tagName === 'svg' ? element.ariaLabel : element.textContent)";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.block(&[PROGRAMS]);
    let shown = |route: &str, what: usize| {
        // Loads another document, not only another hash.
        browser.goto(&format!("?{}{route}", route.len()));
        let there = browser.wait_until(&format!("{SHOWN}.length >= {what}"), SOON);
        there.unwrap_or_else(|_| panic!("{route} shows only {:?}", browser.eval::<Vec<String>>(SHOWN)));
        browser.eval::<Vec<String>>(SHOWN)
    };
    let catalog = catalog();
    for (task, device) in
        catalog.every_page().flat_map(|page| [Device::DESKTOP, Device::PHONE].map(|device| (page, device)))
    {
        browser.emulate(device);
        let meta = task.meta();
        let [name, tab, question, summary] =
            shown(&format!("#/{}", meta.id), 4).try_into().expect("four things");
        let model = catalog.model(model_of(meta.id)).unwrap();
        assert_eq!([&*name, &*question, &*tab], [model.name, meta.question, meta.tab.unwrap()]);
        assert!(summary.len() > 20, "{summary}");
        let waits = task.check(&Raw::new()).unwrap().lacks_data();
        assert_eq!(summary.contains(own_data::CHOOSE), waits, "{summary}");
        if !waits {
            let asked = format!("#/{}?seed=2", meta.id);
            assert_eq!(shown(&asked, 3), [name, tab, question], "the picture is of another run");
        }
    }
    // A missing page does not have the heading of another page.
    browser.wait_until(&format!("{STATE} === 'failed'"), SOON).unwrap();
    assert_eq!(shown("#/nowhere", 0), [""; 0]);
}

#[test]
fn the_page_opens_with_a_run_that_ends() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward");
    browser.wait_done(PATIENCE).unwrap();
    assert!(browser.text(".sentence").starts_with("Done in"), "{}", browser.text(".sentence"));
    browser.wait_until("document.querySelector('canvas').checkVisibility()", SOON).unwrap();
    assert!(!browser.eval::<bool>(PICTURE_SHOWN));
    let (ink, area): (usize, usize) = browser.eval(&format!(
        "[{INK}, document.querySelector('canvas').width * document.querySelector('canvas').height]"
    ));
    assert!(ink > 2_000 && ink < area / 2, "{ink} of {area} pixels");
    assert_eq!(browser.eval::<f64>(PROGRESS), 1.0);
    // There are no requests to other hosts.
    let asked: Vec<String> =
        browser.eval("performance.getEntriesByType('resource').map(entry => entry.name)");
    assert!(
        !asked.is_empty() && asked.iter().all(|url| url.starts_with(&browser.server().url())),
        "{asked:?}"
    );
}

#[test]
fn nothing_jumps_while_the_page_loads() {
    // The amount of the shift, and the elements that moved.
    const SHIFTS: &str = "[window.shifts, window.moved] = [0, []];
        new PerformanceObserver(list => list.getEntries().forEach(entry => {
            window.shifts += entry.value;
            const name = node => node?.parentElement ? `${node.nodeName}.${node.className ?? node.parentElement.className}` : '?';
            const at = rect => [rect.left, rect.top, rect.right, rect.bottom].map(Math.round).join(' ');
            const went = source => `${name(source.node)} ${at(source.previousRect)} → ${at(source.currentRect)}`;
            moved.push(`${entry.value.toFixed(4)} (${entry.sources.map(went).join(', ')})`);
        })).observe({ type: 'layout-shift', buffered: true })";
    let options = Options { scripts: vec![SHIFTS.to_owned()], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    let mut worst = 0.0_f64;
    for device in [Device::DESKTOP, Device::PHONE] {
        for route in every_page().into_iter().chain([SHORT.to_owned()]) {
            browser.emulate(device);
            browser.goto(&route);
            browser.wait_done(PATIENCE).unwrap();
            browser
                .wait_until(
                    "document.querySelector('#app .notes') === null || document.querySelector('.notes h2')",
                    SOON,
                )
                .unwrap();
            browser.wait_painted();
            let (shifts, moved): (f64, Vec<String>) = browser.eval("[window.shifts, window.moved]");
            worst = worst.max(shifts);
            println!("layout shift at {} px, {route}: {shifts:.4} {}", device.width, moved.join(", "));
        }
    }
    Budget { what: "layout shift while a page loads", unit: "", bar: 0.02, slack: 0.04 }.check(worst);
}

#[test]
fn a_missing_page_shows_a_message() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/nothing");
    browser.wait_done(SOON).unwrap();
    let text = browser.text("main");
    assert!(text.contains("No such page") && text.contains("nothing"), "{text}");
    // The way back works.
    browser.click("nav a");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until("document.querySelector('canvas')?.checkVisibility()", SOON).unwrap();
}

/// A page without one of its files shows a message beside the ready-made picture.
#[track_caller]
fn says_so_without(file: &str) {
    let Some(maimed) = Maimed::new(file) else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.allow_console_errors(); // the file that is missing
    let server = Server::start(&maimed.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(format!("{}#/feedforward", server.url())));
    let says =
        format!("{STATE} === 'failed' && document.querySelector('.sentence').textContent.includes('reload')");
    browser.wait_until(&says, SOON).unwrap();
    browser.wait_until(PICTURE_SHOWN, SOON).unwrap();
}

#[test]
fn a_missing_program_is_reported() {
    let Some(dist) = dist() else { return };
    let names = fs::read_dir(dist).expect("the built page").map(|entry| entry.expect("a file").file_name());
    let mut names = names.filter_map(|name| name.into_string().ok());
    let program = names
        .find(|name| name.strip_suffix(".wasm").is_some_and(|stem| stem.starts_with("app")))
        .expect("a program");
    says_so_without(&program);
}

#[test]
fn the_notes_load_after_the_page_and_can_be_retried() {
    const READ: &str =
        "[...document.querySelectorAll('.notes h2')].map(heading => heading.textContent).join()";
    const ALL: &str = "What you see,Why it works,Where it fails,Paper";
    let Some(maimed) = Maimed::new("feedforward/feedforward.html") else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.allow_console_errors(); // the file that is missing
    let server = Server::start(&maimed.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(format!("{}{SHORT}", server.url())));
    browser.wait_until("document.querySelector('.notes button') !== null", SOON).unwrap();
    assert!(browser.text(".notes").starts_with("The explanation could not be loaded."));
    assert_eq!(browser.eval::<String>(READ), "");
    // The run does not depend on the notes.
    browser.wait_done(PATIENCE).unwrap();
    // The missing file becomes available.
    fs::copy(
        dist().unwrap().join("feedforward/feedforward.html"),
        maimed.0.join("feedforward/feedforward.html"),
    )
    .unwrap();
    browser.click(".notes button");
    browser.wait_until(&format!("{READ} === '{ALL}'"), SOON).unwrap();
    assert!(!browser.eval::<bool>("document.querySelector('.notes').textContent.includes('could not')"));
    assert!(browser.eval::<bool>("document.querySelectorAll('.notes math').length === 5"));
    // It was requested under the name of this build, and is not requested again.
    let asked = |server: &Server| {
        server.requests().iter().filter(|r| r.contains("/feedforward/feedforward.html")).count()
    };
    assert!(server.requests().iter().any(|r| r.contains("feedforward/feedforward.html?v=")));
    let before = asked(&server);
    browser.follow("#/nowhere");
    browser.wait_until("document.querySelector('.not-found') !== null", SOON).unwrap();
    browser.follow(SHORT);
    browser.wait_until(&format!("{READ} === '{ALL}'"), SOON).unwrap();
    assert_eq!(asked(&server), before);
}

#[test]
fn the_policy_blocks_an_injected_script() {
    const RECORD: &str = "window.violations = [];
        document.addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective));";
    let options = Options { scripts: vec![RECORD.to_owned()], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.click("details.data > summary");
    for kind in ["CSV", "SVG", "PNG 2×"] {
        export(&browser, kind);
    }
    click_button(&browser, "Pin to compare");
    browser.wait_painted();
    assert_eq!(browser.eval::<Vec<String>>("violations"), Vec::<String>::new());
    assert_eq!(browser.console_errors(), Vec::<String>::new());
    browser.eval::<Value>(
        "(() => {
            const script = document.createElement('script');
            script.textContent = 'window.injected = true';
            document.body.append(script);
            document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.injected = true\">');
            return null;
        })()",
    );
    browser.wait_until("violations.length >= 2", SOON).unwrap();
    assert!(browser.eval::<bool>("window.injected === undefined"));
    assert!(!browser.take_console_errors().is_empty());
}
