//! Measurements of time: these tests run one after another, with nothing else running.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::data::load;
use crate::support::budget::Budget;
use crate::support::page::{
    LONG, PATIENCE, PROGRESS, SENTENCE, SHOWN, SOON, STATE, TABLE, at_best, at_work, click_button, recording,
    run_if_asked, steady_progress, table, wait_for, wait_state, wait_under_way,
};
use crate::support::{Browser, Options};
use serde::Deserialize;
use serde_json::json;

const fn ms(what: &'static str, bar: f64, slack: f64) -> Budget {
    Budget { what, unit: "ms", bar, slack }
}

const SAID: Budget = ms("Stop → the page says so", 50.0, 100.0);
const IDLE: Budget = ms("Stop → ready to run again", 100.0, 200.0);
const WARM: Budget = ms("Run → first point, worker there", 150.0, 1000.0);
const COLD_POINT: Budget = ms("Run → first point, new worker", 500.0, 5000.0);
const PAINT: Budget = ms("first paint, server on this machine", 500.0, 5000.0);
const FRAMES: Budget = ms("frames while solving, 95th percentile", 33.0, 60.0);
const TASK: Budget = ms("longest task of the page while solving", 50.0, 100.0);
/// Factor by which the page's thread is slowed, as on a phone.
const SLOWER: f64 = 6.0;
const SLOW_TASK: Budget = ms("longest task of the page, slowed down 6 ×", 50.0, 200.0);
const MESSAGES: Budget =
    Budget { what: "messages of all workers a second", unit: "messages", bar: 60.0, slack: 60.0 };
const PAUSE: Budget = ms("longest pause while 10 MB are read", 50.0, 250.0);

/// Stops a run and returns the milliseconds until the page is stopped and all workers are idle or terminated.
#[track_caller]
fn time_of_stop(browser: &Browser) -> [f64; 2] {
    browser.eval(&format!(
        "(async () => {{
            const busy = () => workers.some({});
            const stop = [...document.querySelectorAll('button')].find(button => button.textContent === 'Stop');
            const turn = () => new Promise(done => setTimeout(done));
            while (!busy()) await turn();
            const clicked = performance.now();
            stop.click();
            while ({STATE} !== 'stopped') await turn();
            const said = performance.now() - clicked;
            while (busy()) await turn();
            return [said, performance.now() - clicked];
        }})()",
        at_work()
    ))
}

#[test]
fn points_appear_during_a_run_and_stop_is_immediate() {
    let Some(browser) = Browser::open(&recording()) else { return };
    browser.goto(LONG);
    wait_under_way(&browser);
    let early = table(&browser);
    browser.wait_until(&format!("{TABLE} !== {}", json!(early)), PATIENCE).unwrap();
    assert_eq!(browser.state(), "running");

    let share = |&[said, idle]: &[f64; 2]| SAID.share(said).max(IDLE.share(idle));
    let times = at_best(share, || {
        if browser.state() == "stopped" {
            click_button(&browser, "Run");
            wait_under_way(&browser);
        }
        time_of_stop(&browser)
    });
    SAID.check(times[0]);
    IDLE.check(times[1]);
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

/// In milliseconds, except for the counts of drawings and messages.
#[derive(Deserialize)]
struct Frames {
    first: f64,
    p95: f64,
    longest_task: f64,
    drawn: f64,
    messages: f64,
}

/// Runs the shown task and observes the page for two seconds. Long tasks take 50 ms or more; 0 means that there was none.
const MEASURE: &str = "(async () => {
    const root = document.documentElement, bar = document.querySelector('progress');
    const frame = () => new Promise(requestAnimationFrame);
    let longest = 0, messages = 0;
    const observer = new PerformanceObserver(list => list.getEntries().forEach(entry => {
        longest = Math.max(longest, entry.duration);
    }));
    observer.observe({ type: 'longtask' });
    workers.forEach(worker => worker.addEventListener('message', () => { messages += 1; }));
    await frame();
    const clicked = performance.now();
    document.querySelector('.run-bar button.main').click();
    do { await frame(); } while (!(root.dataset.state === 'running' && bar.value > 0));
    const first = performance.now() - clicked;
    const times = [await frame()];
    let [drawn, value] = [0, bar.value];
    messages = 0;
    while (times.at(-1) < times[0] + 2000) {
        times.push(await frame());
        if (bar.value !== value) [drawn, value] = [drawn + 1, bar.value];
    }
    const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
    return { first, p95: gaps[Math.floor(0.95 * gaps.length)], longest_task: longest, drawn, messages: messages / 2 };
})()";

const TEN_THOUSAND: &str = "#/feedforward?inputs=300&runs=10000";

#[test]
fn the_page_stays_smooth_while_it_runs() {
    let Some(browser) = Browser::open(&recording()) else { return };
    for route in [LONG, TEN_THOUSAND] {
        browser.goto(route);
        wait_under_way(&browser);
        let share = |frames: &Frames| {
            let times = [FRAMES.share(frames.p95), TASK.share(frames.longest_task), WARM.share(frames.first)];
            times.into_iter().fold(10.0 / frames.drawn, f64::max)
        };
        let frames = at_best(share, || {
            browser.click(".run-bar button[title^=Stop]");
            wait_state(&browser, "stopped");
            steady_progress(&browser);
            let frames = browser.eval(MEASURE);
            assert_eq!(browser.state(), "running", "{route} is over too soon to be measured");
            frames
        });
        WARM.check(frames.first);
        FRAMES.check(frames.p95);
        TASK.check(frames.longest_task);
        MESSAGES.check(frames.messages);
        assert!(frames.drawn >= 10.0, "only {} pictures in two seconds", frames.drawn);
    }
}

/// A phone's processor: the page's thread is slowed down and has its own core, as on a phone. With a worker on each
/// core of this machine, the system would interrupt its tasks.
#[test]
fn no_task_is_long_on_a_slow_phone() {
    const CORES: &str = "Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })";
    let mut options = Options { chromium_only: Some("slows a page down"), ..recording() };
    options.scripts.push(CORES.to_owned());
    let Some(browser) = Browser::open(&options) else { return };
    browser.goto(TEN_THOUSAND);
    wait_under_way(&browser);
    browser.slow_down(SLOWER);
    let frames = at_best(
        |frames: &Frames| SLOW_TASK.share(frames.longest_task),
        || {
            browser.click(".run-bar button[title^=Stop]");
            wait_state(&browser, "stopped");
            steady_progress(&browser);
            browser.eval::<Frames>(MEASURE)
        },
    );
    assert_eq!(browser.state(), "running");
    SLOW_TASK.check(frames.longest_task);
}

#[test]
fn the_page_opens_quickly() {
    // Measured from the request for the first worker.
    const COLD: &str = "(() => {
        const Real = Worker;
        window.Worker = class extends Real {
            constructor(...given) { super(...given); window.asked ??= performance.now(); }
        };
        addEventListener('DOMContentLoaded', () => {
            const look = () => {
                const running = document.querySelector('progress')?.value > 0;
                if (running) window.seen = performance.now(); else requestAnimationFrame(look);
            };
            look();
        });
    })()";
    let options = Options { scripts: vec![COLD.to_owned()], ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    let [paint, cold] = at_best(
        |&[paint, cold]: &[f64; 2]| PAINT.share(paint).max(COLD_POINT.share(cold)),
        || {
            browser.goto(LONG);
            browser.wait_until("window.seen !== undefined", PATIENCE).unwrap();
            browser
                .eval("[performance.getEntriesByName('first-contentful-paint')[0].startTime, seen - asked]")
        },
    );
    PAINT.check(paint);
    COLD_POINT.check(cold);
}

/// Starts to measure the longest time between two turns of the page's event loop.
fn watch_pauses(browser: &Browser) {
    browser.eval::<serde_json::Value>(
        "(window.longest = 0, (function look(last) {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last);
            setTimeout(look, 0, now);
        })(performance.now()), null)",
    );
}

/// The file is written outside the page: a text of 10 MB that is built in it leaves garbage, whose collection takes longer than the
/// budget.
#[test]
fn ten_megabytes_do_not_block_the_page() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let mut text = format!("y,{}\n", (0..60).map(|j| format!("c{j}")).collect::<Vec<_>>().join(","));
    for i in 0..24_000_u64 {
        text += &(i % 2).to_string();
        for j in 0..60 {
            let value = (i * 7919 + j * 104_729) % 9973;
            write!(text, ",{:.4}", value as f64 / 1e4).unwrap();
        }
        text.push('\n');
    }
    assert!(text.len() > 10_000_000);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("big.csv");
    fs::write(&path, text).unwrap();
    let longest: f64 = at_best(
        |&longest| PAUSE.share(longest),
        || {
            load(&browser);
            watch_pauses(&browser);
            browser.upload("#field-data", &path);
            wait_for(
                &browser,
                "document.querySelector('.preview summary')?.textContent ?? ''",
                "24,000 rows",
            );
            browser.eval("window.longest")
        },
    );
    PAUSE.check(longest);
}

/// 47 MB of images, the size of MNIST, with their labels in a second file: read while the page keeps drawing frames.
#[test]
fn a_large_file_of_images_does_not_block_the_page() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let idx = |name: &str, sizes: &[u32], byte: &dyn Fn(usize) -> u8| {
        let mut bytes = vec![0, 0, 8, sizes.len() as u8];
        bytes.extend(sizes.iter().flat_map(|n| n.to_be_bytes()));
        let count: usize = sizes.iter().map(|n| *n as usize).product();
        bytes.extend((0..count).map(byte));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    // The bar in the row of the digit.
    let bar = |p: usize| if p % 784 / 28 / 2 == p / 784 % 10 + 2 { 255 } else { 0 };
    let images = idx("own-images.idx", &[60_000, 28, 28], &bar);
    let labels = idx("own-labels.idx", &[60_000], &|i| (i % 10) as u8);
    browser.goto("#/sbn?per_digit=20&test=50&missing=0.2&epochs=1&rates=0.02");
    browser.wait_done(PATIENCE).unwrap();
    watch_pauses(&browser);
    browser.upload("#field-data", &images);
    wait_for(&browser, SENTENCE, "Labels of the images");
    browser.upload("#field-labels", &labels);
    browser.wait_until("location.hash.includes('labels=own-labels.idx')", PATIENCE).unwrap();
    run_if_asked(&browser);
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert!(browser.text("main").contains("own-images.idx"));
    let longest: f64 = browser.eval("window.longest");
    assert!(longest < 1500.0, "the page paused for {longest} ms");
    let sent = browser.server().requests();
    assert!(!sent.iter().any(|request| request.contains("own-")), "{sent:?}");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}
