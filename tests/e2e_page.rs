//! The built page as a visitor meets it: first paint, running, stopping, changing, sharing, and what goes wrong.
#![cfg(not(target_arch = "wasm32"))]

#[path = "e2e/support.rs"]
mod support;

use meanfield::protocol::{Command, Event, encode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use support::{Browser, Device, Options, Server, dist};
use thirtyfour::{By, Key};

const PATIENCE: Duration = Duration::from_mins(2);
/// For what takes a frame or two; generous, because the machine may be busy with other things.
const SOON: Duration = Duration::from_secs(15);

/// Goes on for longer than any test looks at it.
const LONG: &str = "#/feedforward?inputs=100&runs=10000";
/// A few seconds: long enough to be interrupted, short enough to be waited for.
const MEDIUM: &str = "#/feedforward?inputs=60&alphas=1,2,4,8&runs=3000&seed=3";
/// Over at once.
const SHORT: &str = "#/feedforward?inputs=30&beta=1&alphas=1,2&runs=20&seed=7";

const STATE: &str = "document.documentElement.dataset.state";
const PROGRESS: &str = "document.querySelector('progress').value";
/// The data table as text, a line a row.
const TABLE: &str = r"[...document.querySelectorAll('.data tr')]
    .map(row => [...row.cells].map(cell => cell.textContent).join(' | ')).join('\n')";
/// How many pixels of the canvas have another colour than its corner.
const INK: &str = "(canvas => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Uint32Array(pixels.buffer);
    return colours.filter(colour => colour !== colours[0]).length;
})(document.querySelector('canvas'))";

/// Keeps hold of every worker: what it said last, and whether the page has ended it.
const RECORD_WORKERS: &str = "(() => {
    const Real = Worker;
    window.workers = [];
    window.Worker = class extends Real {
        constructor(...given) {
            super(...given);
            workers.push(this);
            this.addEventListener('message', event => { this.said = new Uint8Array(event.data)[0]; });
        }
        terminate() {
            this.ended = true;
            super.terminate();
        }
    };
})()";

fn recording() -> Options {
    Options { scripts: vec![RECORD_WORKERS.to_owned()], ..Options::default() }
}

/// Which kind of message it is, as it stands in its first byte.
fn first_byte(message: &impl Serialize) -> u8 {
    encode(message)[0]
}

/// Clicks the button with these words on it.
#[track_caller]
fn click_button(browser: &Browser, words: &str) {
    let path = format!("//button[normalize-space()='{words}']");
    browser.run(async { browser.driver().find(By::XPath(path)).await?.click().await });
}

/// Types into a box in place of what stands there and leaves it, as a person does.
#[track_caller]
fn enter(browser: &Browser, selector: &str, text: &str) {
    browser.click(selector);
    let keys = Key::Control + "a";
    browser.run(async {
        let element = browser.driver().find(By::Css(selector)).await?;
        element.send_keys(keys).await?;
        element.send_keys(text).await?;
        element.send_keys(Key::Tab + "").await
    });
}

/// Waits until the page is in a state.
#[track_caller]
fn wait_state(browser: &Browser, state: &str) {
    browser.wait_until(&format!("{STATE} === '{state}'"), PATIENCE).unwrap();
}

/// Waits until a run is under way and something of it has come in.
#[track_caller]
fn wait_under_way(browser: &Browser) {
    browser.wait_until(&format!("{STATE} === 'running' && {PROGRESS} > 0"), PATIENCE).unwrap();
}

/// Waits until nothing has changed the progress for many frames, and returns it.
#[track_caller]
fn steady_progress(browser: &Browser) -> f64 {
    browser.eval(
        "(async () => {
            const bar = document.querySelector('progress');
            let value = bar.value;
            for (let same = 0; same < 30; same++) {
                await new Promise(requestAnimationFrame);
                if (bar.value !== value) [value, same] = [bar.value, 0];
            }
            return value;
        })()",
    )
}

/// The data table, opened if need be, when it has rows.
#[track_caller]
fn table(browser: &Browser) -> String {
    if !browser.eval::<bool>("document.querySelector('details.data').open") {
        browser.click("details.data > summary");
    }
    browser.wait_until("document.querySelector('.data td') !== null", PATIENCE).unwrap();
    browser.eval(TABLE)
}

/// Every cell of the columns whose heading passes `which`.
fn columns(table: &str, which: impl Fn(&str) -> bool) -> Vec<Vec<&str>> {
    let mut rows = table.lines().map(|row| row.split(" | ").collect::<Vec<_>>());
    let wanted: Vec<bool> = rows.next().expect("a head").into_iter().map(which).collect();
    rows.map(|row| {
        row.into_iter().zip(&wanted).filter(|(_, wanted)| **wanted).map(|(cell, _)| cell).collect()
    })
    .collect()
}

/// The measured numbers of the finished run with all their digits, from the page's own CSV. (The theory's grid
/// comes from another worker and may be a moment later.)
#[track_caller]
fn numbers(browser: &Browser) -> Vec<String> {
    let csv: String = browser.eval(
        "(() => {
            let copied = '';
            navigator.clipboard.writeText = async text => { copied = text; };
            document.querySelector('.tools button[title^=Copy]').click();
            return copied;
        })()",
    );
    let measured: Vec<String> =
        csv.lines().filter(|line| !line.starts_with("theory")).map(str::to_owned).collect();
    assert!(measured.len() > 4, "{csv}");
    measured
}

/// Runs a specification to its end on an undisturbed page.
#[track_caller]
fn undisturbed(route: &str) -> Option<Vec<String>> {
    let browser = Browser::open(&Options::default())?;
    browser.goto(route);
    browser.wait_done(PATIENCE).unwrap();
    Some(numbers(&browser))
}

/// A copy of the built page without some of its files; removed when dropped.
struct Maimed(PathBuf);

impl Maimed {
    fn new(missing: &str) -> Option<Self> {
        let whole = dist()?;
        let folder = std::env::temp_dir().join(format!("meanfield-without-{missing}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let maimed = Self(folder);
        for file in fs::read_dir(whole).expect("the built page").map(|entry| entry.expect("a file").path()) {
            let name = file.file_name().expect("a name");
            if file.is_file() && name != missing {
                fs::copy(&file, maimed.0.join(name)).expect("room for a copy");
            }
        }
        Some(maimed)
    }
}

impl Drop for Maimed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_finished_picture_is_there_before_the_program() {
    const VISIBLE: &str = "[...document.querySelectorAll('.first-paint svg')]
        .filter(svg => svg.checkVisibility() && svg.getBoundingClientRect().width > 300 && svg.textContent.includes('ε'))
        .length";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.cdp("Network.enable", json!({}));
    browser.cdp("Network.setBlockedURLs", json!({ "urls": ["*.wasm"] }));
    for device in [Device::DESKTOP, Device::PHONE] {
        browser.emulate(device);
        browser.goto("");
        assert_eq!(browser.eval::<usize>(VISIBLE), 1, "at {} px", device.width);
    }
    // The program was kept away, and the console says so.
    assert!(!browser.take_console_errors().is_empty());
    // All of it is in the page itself: no picture, no font, no other host was asked for.
    let html: bool = browser.eval(
        "fetch(location.pathname).then(page => page.text()).then(text =>
            new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.first-paint svg').length === 2)",
    );
    assert!(html);
    for request in browser.server().requests() {
        let file = request.trim_start_matches("/lab/").split('?').next().unwrap_or_default();
        let ending = file.rsplit('.').next().unwrap_or_default();
        assert!(file.is_empty() || ["css", "js"].contains(&ending), "{request} before the first paint");
    }
}

#[test]
fn the_page_opens_with_a_run_that_ends() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("");
    browser.wait_done(PATIENCE).unwrap();
    assert!(browser.text(".sentence").contains("Converged"), "{}", browser.text(".sentence"));
    browser.wait_until("document.querySelector('canvas').checkVisibility()", SOON).unwrap();
    assert!(!browser.eval::<bool>("document.querySelector('.first-paint svg') !== null"));
    let (ink, area): (usize, usize) = browser.eval(&format!(
        "[{INK}, document.querySelector('canvas').width * document.querySelector('canvas').height]"
    ));
    assert!(ink > 2_000 && ink < area / 2, "{ink} of {area} pixels");
    assert_eq!(browser.eval::<f64>(PROGRESS), 1.0);
    // Nothing is asked of any other host.
    let asked: Vec<String> =
        browser.eval("performance.getEntriesByType('resource').map(entry => entry.name)");
    assert!(
        !asked.is_empty() && asked.iter().all(|url| url.starts_with(&browser.server().url())),
        "{asked:?}"
    );
}

#[test]
fn nothing_jumps_while_the_page_loads() {
    const SHIFTS: &str = "window.shifts = 0;
        new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifts += entry.value; }))
            .observe({ type: 'layout-shift', buffered: true })";
    let options = Options { scripts: vec![SHIFTS.to_owned()], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    for device in [Device::DESKTOP, Device::PHONE] {
        for route in ["", SHORT] {
            browser.emulate(device);
            browser.goto(route);
            browser.wait_done(PATIENCE).unwrap();
            browser.wait_painted();
            let shifts: f64 = browser.eval("window.shifts");
            println!("layout shift at {} px, {route:?}: {shifts:.4}", device.width);
            assert!(shifts < 0.1, "{route:?} at {} px jumps by {shifts}", device.width);
        }
    }
}

#[test]
fn points_come_while_it_runs_and_stop_stops_at_once() {
    let Some(browser) = Browser::open(&recording()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    let early = table(&browser);
    browser.wait_until(&format!("{TABLE} !== {}", json!(early)), PATIENCE).unwrap();
    assert_eq!(browser.state(), "running");

    let at_work =
        first_byte(&Event::Snapshot { job: 0, fraction: 0.0, note: String::new(), bytes: Vec::new() });
    let [said, idle]: [f64; 2] = browser.eval(&format!(
        "(async () => {{
            const busy = () => workers.some(worker => !worker.ended && worker.said === {at_work});
            const stop = [...document.querySelectorAll('button')].find(button => button.textContent === 'Stop');
            const turn = () => new Promise(done => setTimeout(done));
            if (!busy()) return [-1, -1];
            const clicked = performance.now();
            stop.click();
            while ({STATE} !== 'stopped') await turn();
            const said = performance.now() - clicked;
            while (busy()) await turn();
            return [said, performance.now() - clicked];
        }})()"
    ));
    println!("Stop: said after {said:.1} ms, all workers idle or ended after {idle:.1} ms");
    assert!((0.0..100.0).contains(&said) && (0.0..200.0).contains(&idle), "{said} ms, {idle} ms");
    let kept = steady_progress(&browser);
    assert!(kept > 0.0 && kept < 1.0, "{kept}");
    assert_eq!(browser.state(), "stopped");
    assert!(browser.text(".sentence").starts_with("Stopped at"), "{}", browser.text(".sentence"));
    assert!(browser.eval::<bool>("[...document.querySelectorAll('.run-bar button')][2].disabled"));

    click_button(&browser, "Run");
    browser.wait_until(&format!("{STATE} === 'running' && {PROGRESS} < {kept}"), SOON).unwrap();
    wait_under_way(&browser);
    browser.wait_until(&format!("{PROGRESS} > {kept}"), PATIENCE).unwrap();
    assert_eq!(browser.state(), "running");
}

#[test]
fn a_changed_box_runs_again_and_is_in_the_address() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let before = numbers(&browser);
    enter(&browser, "#field-inputs", "20");
    browser.wait_until("location.hash.includes('inputs=20&')", SOON).unwrap();
    // Only then is the run that is done the new one.
    browser.wait_until(r"/N\s=\s20,/.test(document.querySelector('figcaption').textContent)", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_ne!(numbers(&browser), before);
    assert!(!browser.text(".sentence").contains("Settings changed"));
}

#[test]
fn theory_follows_a_dragged_slider_and_the_run_waits_for_its_release() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let theory = |heading: &str| heading.starts_with("theory");
    let measured = |heading: &str| !heading.starts_with("theory");
    table(&browser);
    // The theory comes from another worker, coarse at first: every cell has its number when it is all there.
    browser
        .wait_until(r"[...document.querySelectorAll('.data td')].every(cell => cell.textContent)", SOON)
        .unwrap();
    let (before, picture) = (table(&browser), picture(&browser));
    let hash: String = browser.eval("location.hash");

    let beta = browser.find("#field-beta");
    let slider = browser.run(beta.find(By::XPath("preceding-sibling::input[@type='range']")));
    let chain = || browser.driver().action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
    browser.run(chain().move_to_element_center(&slider).click_and_hold().move_by_offset(20, 0).perform());
    let change = format!(
        "document.querySelector('.sentence').textContent.includes('Settings changed') && {TABLE} !== {}",
        json!(before)
    );
    browser.wait_until(&change, SOON).unwrap();
    steady_progress(&browser);
    let dragged = table(&browser);
    assert_ne!(columns(&dragged, theory), columns(&before, theory), "theory stands still");
    assert_eq!(columns(&dragged, measured), columns(&before, measured), "the run's points move");
    assert_eq!((browser.state().as_str(), browser.eval::<String>("location.hash")), ("done", hash.clone()));
    let held: String = browser.eval(PICTURE);
    assert_ne!(held, picture);

    browser.run(chain().release().perform());
    let restarted = "!document.querySelector('.sentence').textContent.includes('Settings changed')";
    browser.wait_until(&format!("location.hash !== {} && {restarted}", json!(hash)), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    let after = table(&browser);
    assert_ne!(columns(&after, measured), columns(&before, measured), "no new run");
    assert!(!browser.text(".sentence").contains("Settings changed"));
}

#[test]
fn a_permalink_gives_the_same_numbers_in_another_browser() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let Some(browser) = Browser::open(&Options::default()) else { return };
        browser.goto(SHORT);
        browser.wait_done(PATIENCE).unwrap();
        let hash: String = browser.eval("location.hash");
        assert!(hash.contains("inputs=30") && hash.contains("seed=7"), "{hash}");
        let table = table(&browser);
        assert_eq!(table.lines().count(), 3, "{table}");
        seen.push((numbers(&browser), hash));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_permalink_that_makes_no_sense_is_mended_and_says_so() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward?inputs=1&beta=-3&colour=red&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    let notices: Vec<String> =
        browser.eval("[...document.querySelectorAll('.notices li')].filter(li => li.checkVisibility()).map(li => li.textContent)");
    let says = |field: &str, instead: &str| notices.iter().any(|n| n.contains(field) && n.contains(instead));
    assert!(says("inputs", "2 is used instead") && says("beta", "0 is used instead"), "{notices:?}");
    assert!(says("colour", "left out"), "{notices:?}");
    assert_eq!(notices.len(), 3);
    assert!(browser.text("figcaption").contains("N = 2,"), "{}", browser.text("figcaption"));
    assert!(!browser.eval::<String>("location.hash").contains("colour"));

    browser.emulate(Device::PHONE);
    browser.goto("#/feedforward?inputs=1&runs=20");
    browser.wait_done(PATIENCE).unwrap();
    let top: f64 = browser.eval("document.querySelector('.notices').getBoundingClientRect().top");
    assert!(top < f64::from(Device::PHONE.height), "on a phone the notice stands {top} px down the page");
}

#[test]
fn a_page_that_does_not_exist_says_so() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/nothing");
    browser.wait_done(SOON).unwrap();
    let text = browser.text("main");
    assert!(text.contains("No such page") && text.contains("nothing"), "{text}");
    // And the way back works.
    browser.click("nav a");
    browser.wait_done(PATIENCE).unwrap();
    browser.wait_until("document.querySelector('canvas')?.checkVisibility()", SOON).unwrap();
}

#[test]
fn a_bad_entry_is_explained_and_leaves_the_result_alone() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let before = numbers(&browser);
    enter(&browser, "#field-inputs", "abc");
    browser.wait_until("document.querySelector('#field-inputs').ariaInvalid === 'true'", SOON).unwrap();
    let said = browser.text(".control:has(#field-inputs) .problem");
    assert_eq!(said, "Accepted: a whole number from 2 to 1000.");
    assert_eq!(browser.eval::<usize>("document.querySelectorAll('[aria-invalid=true]').length"), 1);
    steady_progress(&browser);
    assert_eq!((browser.state().as_str(), numbers(&browser)), ("done", before.clone()));

    enter(&browser, "#field-inputs", "30");
    browser.wait_until("document.querySelector('#field-inputs').ariaInvalid === 'false'", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), before);
}

/// Makes a worker panic in the middle of its work.
#[track_caller]
fn trap_one(browser: &Browser) {
    let trap = encode(&Command::Trap);
    // Who has just sent a snapshot is at work.
    let snapshot =
        first_byte(&Event::Snapshot { job: 0, fraction: 0.0, note: String::new(), bytes: Vec::new() });
    let trapped = format!(
        "(worker => worker && (worker.postMessage(new Uint8Array({trap:?}).buffer), true))(
            workers.find(worker => !worker.ended && worker.said === {snapshot}))"
    );
    browser.wait_until(&trapped, SOON).unwrap();
}

#[test]
fn a_trapped_worker_changes_nothing_but_a_notice() {
    let Some(expected) = undisturbed(MEDIUM) else { return };
    let Some(browser) = Browser::open(&recording()) else { return };
    browser.goto(MEDIUM);
    wait_under_way(&browser);
    trap_one(&browser);
    browser
        .wait_until("document.querySelector('.notices')?.textContent.includes('A worker stopped')", SOON)
        .unwrap();
    let notice = browser.text(".notices");
    assert!(notice.contains("asked to trap"), "{notice}");
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), expected);
    assert!(browser.text(".notices").contains("A worker stopped"));
    assert!(browser.text(".sentence").contains("Converged"));
}

#[test]
fn work_that_kills_every_worker_ends_the_run_but_not_the_page() {
    // A worker is trapped as soon as it is given a part of a run to do.
    let start = Command::Start { job: 0, task: String::new(), spec: [].into(), units: 0..0, paused: false };
    let trapping = format!(
        "(() => {{
            const post = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message, ...rest) {{
                const start = new Uint8Array(message)[0] === {};
                post.call(this, message, ...rest);
                if (start && window.trapping) post.call(this, new Uint8Array({:?}).buffer);
            }};
        }})()",
        first_byte(&start),
        encode(&Command::Trap)
    );
    let options = Options { scripts: vec![trapping], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let before = numbers(&browser);
    browser.eval::<Value>("(window.trapping = true, null)");
    click_button(&browser, "Run");
    wait_state(&browser, "failed");
    browser
        .wait_until("document.querySelector('.sentence').textContent.includes('crashed twice')", SOON)
        .unwrap();
    browser.eval::<Value>("(window.trapping = false, null)");
    click_button(&browser, "Run");
    browser.wait_until(&format!("{STATE} !== 'failed'"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), before);
}

#[track_caller]
fn a_page_without(missing: &str) {
    let Some(maimed) = Maimed::new(missing) else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let server = Server::start(&maimed.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(format!("{}{SHORT}", server.url())));
    browser.wait_until(&format!("{STATE} === 'failed'"), Duration::from_secs(30)).unwrap();
    let sentence = browser.text(".sentence");
    assert!(sentence.contains("cannot start a worker"), "{sentence}");
    // Asked again it says so again, and does not hang either.
    click_button(&browser, "Run");
    browser.wait_painted();
    assert_eq!((browser.state().as_str(), browser.text(".sentence")), ("failed", sentence));
    // The browser may report the missing file; the page itself must not stumble over it.
    let stumbled: Vec<_> =
        browser.take_console_errors().into_iter().filter(|error| error.contains("Uncaught")).collect();
    assert!(stumbled.is_empty(), "{stumbled:?}");
}

#[test]
fn without_the_loader_of_its_workers_the_page_says_so() {
    a_page_without("worker_loader.js");
}

#[test]
fn without_the_script_of_its_workers_the_page_says_so() {
    a_page_without("worker.js");
}

#[test]
fn without_the_program_of_its_workers_the_page_says_so() {
    a_page_without("worker_bg.wasm");
}

#[test]
fn without_its_own_program_the_page_says_so() {
    let Some(dist) = dist() else { return };
    let names = fs::read_dir(dist).expect("the built page").map(|entry| entry.expect("a file").file_name());
    let mut names = names.filter_map(|name| name.into_string().ok());
    let program = names
        .find(|name| name.strip_suffix(".wasm").is_some_and(|stem| stem.starts_with("app")))
        .expect("a program");
    let Some(maimed) = Maimed::new(&program) else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let server = Server::start(&maimed.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(server.url()));
    let says =
        format!("{STATE} === 'failed' && document.querySelector('.sentence').textContent.includes('reload')");
    let said = browser.wait_until(&says, SOON);
    browser.take_console_errors();
    said.unwrap();
}

/// Steps until the progress is beyond `held`: a step is a slice of work, and one run may take many.
#[track_caller]
fn step_until_seen(browser: &Browser, held: f64, step: impl Fn()) {
    for _ in 0..100 {
        step();
        if steady_progress(browser) > held {
            return;
        }
    }
    panic!("a hundred steps and nothing done");
}

#[test]
fn pause_step_and_go_on_change_no_number() {
    let Some(expected) = undisturbed(MEDIUM) else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    // The workers hold at once, not only when they are through with what they were given.
    browser.goto(LONG);
    wait_under_way(&browser);
    click_button(&browser, "Pause");
    wait_state(&browser, "paused");
    let holds: bool = browser.eval(
        "(async () => {
            const bar = document.querySelector('progress');
            const frames = async count => { while (count--) await new Promise(requestAnimationFrame); };
            await frames(12);
            const value = bar.value;
            await frames(30);
            return bar.value === value;
        })()",
    );
    assert!(holds, "a paused run goes on");

    browser.goto(MEDIUM);
    wait_under_way(&browser);
    click_button(&browser, "Pause");
    wait_state(&browser, "paused");
    let held = steady_progress(&browser);
    assert!(held > 0.0 && held < 1.0, "{held}");
    assert!(browser.text(".sentence").starts_with("Paused at"), "{}", browser.text(".sentence"));
    let picture = picture(&browser);
    assert_eq!((steady_progress(&browser), browser.eval::<String>(PICTURE)), (held, picture));

    step_until_seen(&browser, held, || click_button(&browser, "Step"));
    assert_eq!(browser.state(), "paused");

    click_button(&browser, "Go on");
    wait_state(&browser, "running");
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), expected);
}

/// The canvas as a picture file in text.
const PICTURE: &str = "document.querySelector('canvas').toDataURL()";

#[track_caller]
fn picture(browser: &Browser) -> String {
    browser.eval(PICTURE)
}

#[test]
fn keys_run_step_stop_and_reset() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    browser.press(" ");
    wait_state(&browser, "paused");
    let held = steady_progress(&browser);
    step_until_seen(&browser, held, || browser.press("s"));
    assert_eq!(browser.state(), "paused");
    browser.press(" ");
    wait_state(&browser, "running");
    browser.press(Key::Escape + "");
    wait_state(&browser, "stopped");
    // From a standstill, S begins a run by hand.
    browser.press("S");
    wait_state(&browser, "paused");
    // What is typed into a box is no command.
    browser.click("#field-seed");
    browser.press("r s");
    assert_eq!(browser.eval::<String>("document.querySelector('#field-seed').value"), "1r s");
    assert_eq!(browser.state(), "paused");
    browser.eval::<Value>(
        "(document.querySelector('#field-seed').value = '1', document.activeElement.blur(), null)",
    );
    browser.press("r");
    browser
        .wait_until("location.hash.includes('inputs=50&') && location.hash.includes('runs=200&')", SOON)
        .unwrap();
    browser.wait_done(PATIENCE).unwrap();
}

#[test]
fn arrow_keys_read_the_figure_aloud() {
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
    assert!(heard[0].contains("±") && heard[0].contains("α = 1.000"), "{heard:?}");
    assert!(heard[1].contains("α = 2.000"), "{heard:?}");
    let curve = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    assert_eq!(curve(&heard[0]), curve(&heard[1]));
    assert_ne!(curve(&heard[1]), curve(&heard[2]), "{heard:?}");
    assert!(heard[3].contains("α = 1.000"), "{heard:?}");
    // What is said is in the table, too.
    let table = table(&browser);
    let value = heard[0].split(" = ").nth(1).and_then(|rest| rest.split(" at").next()).expect("a value");
    assert!(table.contains(value), "{value} is not in\n{table}");
}

#[test]
fn downloads_are_what_they_say() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let file = |kind: &str| {
        click_button(&browser, &kind.to_uppercase());
        browser.download(&format!("learning-curve.{kind}"), SOON).unwrap()
    };
    let csv = String::from_utf8(file("csv")).expect("text");
    assert!(csv.starts_with("curve,x,y,se\n"), "{csv}");
    let copied = numbers(&browser);
    assert!(copied.iter().all(|line| csv.contains(line)), "{copied:?} is not all in\n{csv}");
    let svg = String::from_utf8(file("svg")).expect("text");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{}", &svg[..80]);
    let png = file("png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    // Three pixels for each of the picture's 760.
    assert_eq!(u32::from_be_bytes([png[16], png[17], png[18], png[19]]), 2280);
}

/// In milliseconds, but for how often something new was drawn.
#[derive(Deserialize)]
struct Frames {
    first: f64,
    p95: f64,
    worst: f64,
    longest_task: f64,
    drawn: usize,
}

#[test]
fn the_page_stays_smooth_while_it_runs() {
    // Long tasks are those of 50 ms and more: 0 says that there was none.
    const MEASURE: &str = "(async () => {
        const root = document.documentElement, bar = document.querySelector('progress');
        const frame = () => new Promise(requestAnimationFrame);
        let longest = 0;
        const observer = new PerformanceObserver(list => list.getEntries().forEach(entry => {
            longest = Math.max(longest, entry.duration);
        }));
        observer.observe({ type: 'longtask' });
        await frame();
        const clicked = performance.now();
        document.querySelector('.run-bar button.main').click();
        do { await frame(); } while (!(root.dataset.state === 'running' && bar.value > 0));
        const first = performance.now() - clicked;
        const times = [await frame()];
        let [drawn, value] = [0, bar.value];
        while (times.at(-1) < times[0] + 2000) {
            times.push(await frame());
            if (bar.value !== value) [drawn, value] = [drawn + 1, bar.value];
        }
        const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
        return { first, p95: gaps[Math.floor(0.95 * gaps.length)], worst: gaps.at(-1), longest_task: longest, drawn };
    })()";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for route in [LONG, "#/feedforward?inputs=300&runs=10000"] {
        browser.goto(route);
        wait_under_way(&browser);
        browser.click(".run-bar button[title^=Stop]");
        wait_state(&browser, "stopped");
        steady_progress(&browser);
        let Frames { first, p95, worst, longest_task, drawn } = browser.eval(MEASURE);
        assert_eq!(browser.state(), "running", "{route} is over too soon to be measured");
        println!(
            "{route}: first points after {first:.0} ms, frames p95 {p95:.1} ms and at worst {worst:.1} ms, \
             longest task {longest_task:.0} ms, {drawn} pictures in 2 s"
        );
        // Far from the 17 ms of an idle machine: test machines are shared.
        assert!(p95 <= 60.0, "95 % of the frames took up to {p95} ms");
        assert!(first <= 1000.0, "the first points came after {first} ms");
        assert!(drawn >= 10, "only {drawn} pictures in two seconds");
    }
}

#[test]
fn models_that_are_not_built_say_so() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    for (place, id) in ["gp", "mlp", "nfa", "sbn"].into_iter().enumerate() {
        browser.click(&format!("nav a:nth-child({})", place + 2));
        browser
            .wait_until(&format!("location.hash === '#/{id}' && document.querySelector('.not-yet')"), SOON)
            .unwrap();
        let text = browser.text("main");
        assert!(text.contains("Not built yet"), "{text}");
        let name = browser.text("nav a[aria-current=page]");
        assert!(text.contains(&name), "{name} is not the head of {text}");
        let title: String = browser.eval("document.title");
        assert_eq!(title, format!("{name} · Mean Field Lab"));
    }
    browser.run(browser.driver().back());
    browser.wait_until("location.hash === '#/nfa'", SOON).unwrap();
    // Opened directly, too.
    browser.goto("#/gp");
    browser.wait_done(SOON).unwrap();
    assert!(browser.text("main").contains("Not built yet"));
}

#[test]
fn the_theme_goes_round_and_is_remembered() {
    const LOOK: &str =
        "[document.documentElement.dataset.theme, document.querySelector('.theme').textContent.trim(),
        getComputedStyle(document.body.parentElement).backgroundColor]";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    let mut seen: Vec<[String; 3]> = Vec::new();
    let mut pictures = Vec::new();
    for _ in 0..4 {
        browser.wait_painted();
        seen.push(browser.eval(LOOK));
        pictures.push(picture(&browser));
        browser.click(".theme");
    }
    let themes: Vec<&str> = seen.iter().map(|look| look[0].as_str()).collect();
    assert_eq!(themes, ["auto", "light", "dark", "auto"]);
    assert!(seen[1][2] == seen[0][2] && seen[2][2] != seen[0][2], "{seen:?}");
    assert!(pictures[1] == pictures[0] && pictures[2] != pictures[0], "the figure does not follow");
    // Now light; dark is what has to be remembered.
    browser.click(".theme");
    browser.run(browser.driver().refresh());
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(browser.eval::<[String; 3]>(LOOK), seen[2]);
}

#[test]
fn run_is_within_reach_on_a_phone() {
    const BUTTON: &str = "(box => [box.top, box.bottom, box.left, box.right, innerWidth, innerHeight])(
        document.querySelector('button.main').getBoundingClientRect())";
    let Some(browser) = Browser::open(&Options { device: Device::PHONE, ..Options::default() }) else {
        return;
    };
    browser.goto("");
    browser.wait_done(PATIENCE).unwrap();
    let [top, bottom, left, right, width, height]: [f64; 6] = browser.eval(BUTTON);
    assert!(top >= 0.0 && bottom <= height && left >= 0.0 && right <= width, "{top} {bottom} of {height}");
    assert!(bottom - top >= 44.0 && right - left >= 44.0, "too small for a thumb");
}

/// A browser whose clipboard is this JavaScript value, with a finished run and the share box open.
#[track_caller]
fn with_clipboard(value: &str) -> Option<Browser> {
    let script = format!("Object.defineProperty(navigator, 'clipboard', {{ value: {value} }})");
    let browser = Browser::open(&Options { scripts: vec![script], ..Options::default() })?;
    browser.goto(SHORT);
    browser.wait_done(PATIENCE).unwrap();
    browser.click("details.share > summary");
    Some(browser)
}

#[test]
fn a_run_can_be_shared() {
    let recording = "{ writeText: async text => { window.copied = text; } }";
    let Some(browser) = with_clipboard(recording) else { return };
    let address: String = browser.eval("location.href");
    assert!(address.contains("seed=7"));
    for (place, text) in [
        (".copyable:nth-of-type(1)", address.clone()),
        (".copyable:nth-of-type(2)", format!("-- '{}'", &address[address.find('#').expect("a route")..])),
    ] {
        browser.click(&format!("{place} button"));
        browser
            .wait_until(&format!("document.querySelector('{place} button').textContent === 'Copied'"), SOON)
            .unwrap();
        let copied: String = browser.eval("window.copied");
        assert!(copied.ends_with(&text), "{copied} does not end with {text}");
    }
}

#[test]
fn a_refused_clipboard_is_not_called_copied() {
    let refusing = "{ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }";
    let Some(browser) = with_clipboard(refusing) else { return };
    browser.click(".copyable button");
    steady_progress(&browser);
    assert_ne!(browser.text(".copyable button"), "Copied");
}

/// Pages that come over plain http from another machine have no clipboard.
#[test]
fn without_a_clipboard_the_page_lives_on() {
    let Some(browser) = with_clipboard("undefined") else { return };
    browser.click(".copyable button");
    click_button(&browser, "Copy CSV");
    steady_progress(&browser);
    assert_ne!(browser.text(".copyable button"), "Copied");
    enter(&browser, "#field-seed", "8");
    browser.wait_until("location.hash.endsWith('seed=8')", SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
}

/// Needs axe-core, which is too big to be kept here: `npm pack axe-core` and name its `axe.min.js`.
#[test]
fn axe_finds_nothing() {
    const RUN: &str = "axe.run().then(found => found.violations.flatMap(rule =>
        rule.nodes.map(node => `${rule.id} (${rule.impact}): ${node.target.join(' ')}`)))";
    let Some(axe) = std::env::var_os("MEANFIELD_AXE").map(fs::read_to_string) else { return };
    let axe = axe.expect("axe.min.js, as MEANFIELD_AXE says");
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let mut faults = Vec::new();
    for device in [Device::DESKTOP, Device::DESKTOP.dark(), Device::PHONE, Device::PHONE.dark()] {
        browser.emulate(device);
        for route in [SHORT, "#/feedforward?inputs=1&colour=red&runs=20", "#/gp", "#/nothing"] {
            browser.goto(route);
            browser.wait_done(PATIENCE).unwrap();
            browser.run(async { browser.driver().execute(axe.as_str(), Vec::new()).await });
            let mut found: Vec<String> = browser.eval(RUN);
            // And with everything open and something wrong.
            browser.eval::<Value>(
                "(document.querySelectorAll('details').forEach(box => { box.open = true; }), null)",
            );
            if browser.eval("document.querySelector('#field-seed') !== null") {
                enter(&browser, "#field-seed", "abc");
            }
            browser.wait_painted();
            found.extend(browser.eval::<Vec<String>>(RUN));
            let screen = format!("{} px, {}", device.width, if device.dark { "dark" } else { "light" });
            faults.extend(found.into_iter().map(|fault| format!("{route} at {screen}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
