//! Long sessions: many runs one after another, and workers that crash repeatedly.

use crate::support::budget::Budget;
use crate::support::page::{
    LONG, MEDIUM, PATIENCE, RECORD_WORKERS, SOON, STATE, UNREADABLE, click_button, numbers, recording,
    undisturbed, wait_under_way,
};
use crate::support::{Browser, Options};
use serde::Deserialize;
use serde_json::json;

/// Records the memory of the page's program.
const RECORD_MEMORY: &str = "(() => {
    for (const name of ['instantiate', 'instantiateStreaming']) {
        const real = WebAssembly[name];
        WebAssembly[name] = async (...given) => {
            const made = await real(...given);
            window.program = made.instance ?? made;
            return made;
        };
    }
})()";

/// Number of workers that are not terminated, as a JavaScript expression.
const LIVING: &str = "workers.filter(worker => !worker.ended).length";

/// Resources of the page.
#[derive(Deserialize, Debug)]
struct Held {
    /// Workers that are not terminated.
    workers: f64,
    /// Memory of the page's program, in bytes.
    program: f64,
    /// JavaScript heap, in bytes.
    heap: f64,
    nodes: f64,
    listeners: f64,
}

fn held(browser: &Browser) -> Held {
    browser.cdp("HeapProfiler.collectGarbage", json!({}));
    let metrics = browser.cdp("Performance.getMetrics", json!({}));
    let metric = |name: &str| {
        let all = metrics["metrics"].as_array().expect("metrics");
        all.iter().find(|metric| metric["name"] == name).and_then(|metric| metric["value"].as_f64()).unwrap()
    };
    let [workers, program]: [f64; 2] = browser.eval(&format!(
        "[{LIVING},
            Object.values(program.exports).find(one => one instanceof WebAssembly.Memory).buffer.byteLength]"
    ));
    Held {
        workers,
        program,
        heap: metric("JSHeapUsedSize"),
        nodes: metric("Nodes"),
        listeners: metric("JSEventListeners"),
    }
}

#[test]
fn fifty_starts_and_stops_leak_nothing() {
    let scripts = vec![RECORD_WORKERS.to_owned(), RECORD_MEMORY.to_owned()];
    let memory = Some("memory is counted by the DevTools protocol");
    let options = Options { scripts, chromium_only: memory, ..Options::default() };
    let Some(browser) = Browser::open(&options) else { return };
    browser.cdp("Performance.enable", json!({}));
    browser.goto(LONG);
    let cycle = || {
        wait_under_way(&browser);
        click_button(&browser, "Stop");
        browser.wait_until(&format!("{STATE} === 'stopped'"), SOON).unwrap();
    };
    let again = |times: usize| {
        for _ in 0..times {
            click_button(&browser, "Run");
            cycle();
        }
    };
    cycle();
    // Caches and buffers reach their size first, and workers that start later, one for each core and one, are there.
    again(9);
    browser
        .wait_until(&format!("{LIVING} === Math.min(navigator.hardwareConcurrency, 8) + 1"), SOON)
        .unwrap();
    let early = held(&browser);
    again(40);
    let late = held(&browser);
    println!("{early:?}, {late:?}");
    let least = |what, unit, bar, slack, measured| Budget { what, unit, bar, slack }.check(measured);
    least("workers left by 40 runs", "workers", 0.0, 0.0, late.workers - early.workers);
    least("page program, growth in 40 runs", "MB", 1.0, 4.0, (late.program - early.program) / 1e6);
    least("script objects, growth in 40 runs", "MB", 0.5, 2.0, (late.heap - early.heap) / 1e6);
    least("elements left by 40 runs", "elements", 20.0, 100.0, late.nodes - early.nodes);
    least("listeners left by 40 runs", "listeners", 5.0, 20.0, late.listeners - early.listeners);
    least("page program after 50 runs", "MB", 32.0, 64.0, late.program / 1e6);
}

/// Kills ten workers, or `MEANFIELD_KILLS`.
#[test]
fn workers_killed_during_their_work_lose_no_run() {
    let times =
        std::env::var("MEANFIELD_KILLS").map_or(10, |times| times.parse().expect("a number of kills"));
    let Some(expected) = undisturbed(MEDIUM) else { return };
    let Some(browser) = Browser::open(&recording()) else { return };
    browser.allow_console_errors(); // the panics
    browser.goto(MEDIUM);
    browser.wait_done(PATIENCE).unwrap();
    let took: f64 = browser.eval(&format!(
        "(async () => {{
            const begun = performance.now();
            document.querySelector('.run-bar button.main').click();
            do {{ await new Promise(done => setTimeout(done, 5)); }} while ({STATE} !== 'done');
            return performance.now() - begun;
        }})()"
    ));
    let mut struck = 0;
    for kill in 0..times {
        // Times spread evenly over a run, in random order.
        let moment = took * (f64::from(kill) * 0.618_034).fract();
        let hit: bool = browser.eval(&format!(
            "(async () => {{
                document.querySelector('.run-bar button.main').click();
                await new Promise(done => setTimeout(done, {moment}));
                const living = workers.filter(worker => !worker.ended);
                living[{kill} % living.length].postMessage(new Uint8Array({UNREADABLE:?}).buffer);
                return {STATE} === 'running';
            }})()"
        ));
        struck += usize::from(hit);
        browser.wait_until(&format!("{STATE} !== 'running'"), PATIENCE).unwrap();
        browser.wait_done(PATIENCE).unwrap();
        assert_eq!(numbers(&browser), expected, "after {kill} kills, the last at {moment:.0} ms");
    }
    println!("{struck} of {times} kills in the middle of a run of {took:.0} ms");
    assert!(struck * 2 >= times as usize, "only {struck} of {times} kills hit a run");
}
