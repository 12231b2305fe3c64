//! Running, pausing, stepping and stopping, and workers that crash.

use crate::storage::table;
use crate::support::page::{
    LONG, MEDIUM, PATIENCE, SENTENCE, SHORT, SOON, STATE, UNREADABLE, at_work, click_button, first_byte,
    numbers, recording, steady_progress, undisturbed, wait_state, wait_under_way,
};
use crate::support::{Browser, Maimed, Options, Server};
use meanfield::protocol::Command;
use serde_json::Value;
use std::time::Duration;
use thirtyfour::Key;

/// Steps until the progress exceeds `held`: a step is a slice of work, and a unit may need many.
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
fn pausing_stepping_and_resuming_change_no_number() {
    let Some(expected) = undisturbed(MEDIUM) else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    // The workers pause at once, not after their shards.
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
    let measured = numbers(&browser);
    assert_eq!((steady_progress(&browser), numbers(&browser)), (held, measured));

    step_until_seen(&browser, held, || click_button(&browser, "Step"));
    assert_eq!(browser.state(), "paused");

    click_button(&browser, "Resume");
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), expected);
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
    // When idle, S begins a run step by step.
    browser.press("S");
    wait_state(&browser, "paused");
    // Keys typed into a box are not shortcuts.
    browser.click("#field-seed");
    browser.press("r s");
    assert_eq!(browser.eval::<String>("document.querySelector('#field-seed').value"), "1r s");
    assert_eq!(browser.state(), "paused");
    browser.eval::<Value>(
        "(document.querySelector('#field-seed').value = '1', document.activeElement.blur(), null)",
    );
    click_button(&browser, "Restore defaults");
    browser
        .wait_until("location.hash.includes('inputs=50&') && location.hash.includes('runs=200&')", SOON)
        .unwrap();
    browser.wait_done(PATIENCE).unwrap();
}

/// Makes a worker of a paused run panic in the middle of its work.
///
/// If every worker has finished its part when the run is paused, none is at work: the run is resumed and paused again.
#[track_caller]
pub fn trap_one(browser: &Browser) {
    let trapped = format!(
        "(worker => {{
            worker?.postMessage(new Uint8Array({UNREADABLE:?}).buffer);
            return worker !== undefined;
        }})(workers.find({}))",
        at_work()
    );
    for _ in 0..10 {
        click_button(browser, "Pause");
        wait_state(browser, "paused");
        steady_progress(browser);
        if browser.eval(&trapped) {
            return;
        }
        click_button(browser, "Resume");
        wait_state(browser, "running");
    }
    panic!("paused ten times, and no worker was at work");
}

#[test]
fn a_trapped_worker_changes_nothing_but_a_notice() {
    let Some(expected) = undisturbed(MEDIUM) else { return };
    let Some(browser) = Browser::open(&recording()) else { return };
    browser.goto(MEDIUM);
    wait_under_way(&browser);
    trap_one(&browser);
    browser
        .wait_until("document.querySelector('.notices')?.textContent.includes('A worker crashed')", SOON)
        .unwrap();
    let notice = browser.text(".notices");
    assert!(notice.contains("cannot be read"), "{notice}");
    click_button(&browser, "Resume");
    browser.wait_done(PATIENCE).unwrap();
    assert_eq!(numbers(&browser), expected);
    assert!(browser.text(".notices").contains("A worker crashed"));
    assert!(browser.text(".sentence").contains("Done in"));
}

#[test]
fn work_that_crashes_every_worker_ends_the_run_but_not_the_page() {
    // A worker is trapped just before it gets a shard; later it might have finished a part of it.
    let start = Command::Start {
        job: 0,
        task: String::new(),
        values: meanfield::models::task("feedforward").unwrap().check(&[].into()).unwrap(),
        units: 0..0,
        before: Vec::new(),
        paused: false,
        record: false,
    };
    let trapping = format!(
        "(() => {{
            const post = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message, ...rest) {{
                const start = message instanceof ArrayBuffer && new Uint8Array(message)[0] === {};
                if (start && window.trapping) post.call(this, new Uint8Array({:?}).buffer);
                post.call(this, message, ...rest);
            }};
        }})()",
        first_byte(&start),
        UNREADABLE
    );
    let options = Options { scripts: vec![trapping], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    // Theory is drawn without the run; all figures of a single run belong to it.
    for (route, outlives) in [(SHORT, 0), ("#/feedforward.run?inputs=20", 1)] {
        browser.goto(route);
        browser.wait_done(PATIENCE).unwrap();
        let before = numbers(&browser);
        browser.eval::<Value>("(window.trapping = true, null)");
        click_button(&browser, "Run");
        wait_state(&browser, "failed");
        browser
            .wait_until(
                "document.querySelector('.sentence').textContent.includes('crashed on the same work')",
                SOON,
            )
            .unwrap();
        // A figure that is still shown is marked, once, as not being of the failed run.
        let outlived =
            "document.querySelector('figcaption').textContent.split('Faded: an earlier run').length - 1";
        browser.wait_until(&format!("{outlived} === {outlives}"), SOON).unwrap();
        browser.eval::<Value>("(window.trapping = false, null)");
        click_button(&browser, "Run");
        browser.wait_until(&format!("{STATE} !== 'failed'"), SOON).unwrap();
        browser.wait_done(PATIENCE).unwrap();
        assert_eq!(browser.eval::<usize>(outlived), 0);
        assert_eq!(numbers(&browser), before);
    }
}

/// Expected time and memory of large runs: shown at the beginning, and before another run with other settings.
#[test]
fn expected_time_and_memory_are_shown() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward?inputs=300&runs=10000");
    let minutes = format!("/, about [0-9.]+\\s(min|h)\\sleft/.test({SENTENCE})");
    browser.wait_until(&minutes, SOON).unwrap();
    // A change of settings does not restart a long run.
    std::thread::sleep(Duration::from_secs(3));
    click_button(&browser, "Stop");
    wait_state(&browser, "stopped");
    browser.eval::<Value>(
        "(input => { input.value = '290'; input.dispatchEvent(new Event('change', { bubbles: true })); return null; })(
            document.querySelector('#field-inputs'))",
    );
    let expected =
        "/Settings changed: run again. About [0-9.]+ (min|h) on this device with [0-9] workers?\\.$/";
    browser.wait_until(&format!("{expected}.test({SENTENCE})"), SOON).unwrap();

    // Matrices of 4000 × 4000 numbers.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("many-rows.csv");
    std::fs::write(&path, table(4_000)).unwrap();
    browser.goto("#/gp.data");
    browser.upload("#field-data", &path);
    browser
        .wait_until(&format!("/ · [0-9.]+ GB of memory, [0-9] workers?/.test({SENTENCE})"), PATIENCE)
        .unwrap();
    click_button(&browser, "Stop");
    wait_state(&browser, "stopped");
}

#[test]
fn a_missing_script_of_the_workers_is_reported() {
    let Some(maimed) = Maimed::new("worker.js") else { return };
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.allow_console_errors(); // the file that is missing
    let server = Server::start(&maimed.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(format!("{}{SHORT}", server.url())));
    browser.wait_until(&format!("{STATE} === 'failed'"), Duration::from_secs(30)).unwrap();
    let sentence = browser.text(".sentence");
    assert!(sentence.contains("cannot start a worker"), "{sentence}");
    // Another attempt fails in the same way and does not hang.
    click_button(&browser, "Run");
    browser.wait_painted();
    assert_eq!((browser.state().as_str(), browser.text(".sentence")), ("failed", sentence));
    // The browser may report the missing file; the page itself must not raise an error.
    let stumbled: Vec<_> =
        browser.take_console_errors().into_iter().filter(|error| error.contains("Uncaught")).collect();
    assert!(stumbled.is_empty(), "{stumbled:?}");
}
