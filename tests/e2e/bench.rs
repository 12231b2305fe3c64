//! Times of each task's default specification, natively and in the built page on one worker and on two, with drawing
//! off. All must give the same result; then the fastest of several runs is compared.
//! `scripts/bench` prints the table; otherwise (debug build, busy machine) only the results are compared.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Instant;

use crate::support::budget::Budget;
use crate::support::{Browser, Options};
use meanfield::data::Store;
use meanfield::lab::{Field, Link, Progress, Raw, Role, Task, Values};
use meanfield::models::{TASKS, task};
use meanfield::protocol::{Command, Event, decode, encode};
use serde_json::{Value, json};

/// Runs the given starts, each on a fresh worker, and returns the milliseconds and the last message of each.
const IN_WORKERS: &str = r"(async (starts, acks, warm) => {
    const names = new URL(document.querySelector('script[type=module]').src).searchParams;
    const script = new URL(names.get('js'), location.href).href;
    const module = await WebAssembly.compileStreaming(fetch(names.get('wasm')));
    const spawn = () => new Promise(ready => {
        const worker = new Worker('./worker.js?v=bench', { type: 'module' });
        worker.onmessage = () => ready(worker);
        worker.postMessage([script, module]);
    });
    const workers = await Promise.all(starts.map(spawn));
    const bytes = numbers => new Uint8Array(numbers).buffer;
    const run = () => Promise.all(workers.map((worker, i) => new Promise(done => {
        worker.onmessage = event => {
            const message = new Uint8Array(event.data);
            if (message[0] === SNAPSHOT) worker.postMessage(bytes(acks[i]));
            else if (message[0] !== ARTEFACT) done([...message]);
        };
        worker.postMessage(bytes(starts[i]));
    })));
    // The first run is compiled while it runs, which the page's workers have behind them.
    if (warm) await run();
    const begin = performance.now();
    const last = await run();
    const ms = performance.now() - begin;
    workers.forEach(worker => worker.terminate());
    return { ms, last };
})";

/// Returns true if times are compared, and not only results.
fn timed() -> bool {
    std::env::var_os("MEANFIELD_BENCH").is_some()
}

fn natively(task: &dyn Task, values: &Values, stages: &[Range<usize>]) -> (f64, Vec<Vec<u8>>) {
    let begin = Instant::now();
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for stage in stages {
        let before: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let mut run = task.start(values, stage.clone(), &Store::default(), &before).unwrap();
        while run.advance() != Progress::Done {}
        // A worker sends a snapshot, too, which takes some work.
        let part = run.snapshot();
        parts.push(part);
    }
    (begin.elapsed().as_secs_f64() * 1e3, parts)
}

fn in_workers(
    browser: &Browser,
    task: &dyn Task,
    values: &Values,
    shards: &[Range<usize>],
    before: &[Vec<u8>],
) -> (f64, Vec<Vec<u8>>) {
    let (mut starts, mut acks) = (Vec::new(), Vec::new());
    for (job, units) in (1_u64..).zip(shards.iter().cloned()) {
        let task = task.meta().id.to_owned();
        let (values, before) = (values.clone(), before.iter().cloned().map(Into::into).collect());
        starts.push(encode(&Command::Start {
            job,
            task,
            values,
            units,
            before,
            paused: false,
            record: false,
        }));
        acks.push(encode(&Command::Ack(job)));
    }
    let snapshot = Event::Snapshot { job: 1, fraction: 0.0, note: String::new(), bytes: Vec::new() };
    let artefact = Event::Artefact { job: 1, kind: String::new(), bytes: Vec::new() };
    // The first byte of a message is its kind.
    let kind = |event: &Event| encode(event)[0].to_string();
    let script = IN_WORKERS.replace("SNAPSHOT", &kind(&snapshot)).replace("ARTEFACT", &kind(&artefact));
    let answer: Value = browser.eval(&format!("{script}({}, {}, {})", json!(starts), json!(acks), timed()));
    let last: Vec<Vec<u8>> = serde_json::from_value(answer["last"].clone()).unwrap();
    let bytes = last.iter().map(|message| match decode::<Event>(message).unwrap() {
        Event::Finished { bytes, .. } => bytes,
        other => panic!("{other:?}"),
    });
    (answer["ms"].as_f64().unwrap(), bytes.collect())
}

fn report(task: &dyn Task, values: &Values, parts: &[Vec<u8>]) -> Value {
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    task.result(values, &parts).unwrap().report()
}

#[test]
fn native_and_wasm_give_the_same_result_and_their_times() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/nothing");
    let rounds = if timed() { 7 } else { 1 };
    if timed() {
        println!(
            "{:<24}{:>12}{:>12}{:>10}{:>14}{:>12}",
            "task", "native ms", "wasm ms", "ratio", "2 workers ms", "speed-up"
        );
    }
    // Tasks that need the user's data have no default run.
    let runs_alone = |f: &Field| f.role != Role::Data || !f.default.is_empty();
    let tasks = TASKS.iter().filter(|task| task.fields().iter().all(runs_alone));
    let mut runs: Vec<(&str, &dyn Task, Raw)> =
        tasks.map(|task| (task.meta().id, *task, Raw::new())).collect();
    if timed() {
        let Link { task: id, raw } = Link::parse("#/feedforward?hidden=3&inputs=60&beta=inf&runs=40");
        runs.extend(task(&id).map(|task| ("… figure 2, 40 runs", task, raw)));
    }
    let mut differing = BTreeSet::new();
    for (name, task, raw) in runs {
        let values = task.check(&raw).unwrap();
        let plan = task.plan(&values, None);
        let stages = plan.stages();
        let units = plan.units();
        // Each stage as one shard, or as two of about equal cost.
        let cut = |stage: &Range<usize>| {
            let half = 0.5 * plan.cost(stage.clone());
            let cut = stage
                .clone()
                .find(|unit| plan.cost(stage.start..unit + 1) >= half)
                .map_or(stage.end, |unit| unit + 1);
            [stage.start..cut, cut..stage.end]
                .into_iter()
                .filter(|shard| !shard.is_empty())
                .collect::<Vec<_>>()
        };
        let by_stage = |cut: &dyn Fn(&Range<usize>) -> Vec<Range<usize>>| {
            let (mut ms, mut parts) = (0.0, Vec::new());
            for stage in &stages {
                let (more, its) = in_workers(&browser, task, &values, &cut(stage), &parts);
                ms += more;
                parts.extend(its);
            }
            (ms, parts)
        };
        let (mut native, mut wasm, mut two) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for _ in 0..rounds {
            // Alternating, so that drifts of the machine's speed affect all alike.
            let (ms, parts) = natively(task, &values, &stages);
            native = native.min(ms);
            let expected = report(task, &values, &parts);
            let mut compare = |parts: &[Vec<u8>], place: &str| {
                if report(task, &values, parts) != expected {
                    differing.insert(format!("{} in {place}", task.meta().id));
                }
            };
            let (ms, parts) = by_stage(&|stage| vec![stage.clone()]);
            wasm = wasm.min(ms);
            compare(&parts, "a worker");
            if units > 1 {
                let (ms, parts) = by_stage(&cut);
                two = two.min(ms);
                compare(&parts, "two workers");
            }
        }
        if timed() {
            let ratio = wasm / native;
            print!("{name:<24}{native:>12.1}{wasm:>12.1}{ratio:>10.2}");
            if units > 1 { println!("{two:>14.1}{:>12.2}", wasm / two) } else { println!() }
        }
    }
    println!("{differing:?}");
    let same =
        Budget { what: "WebAssembly: results unlike the native ones", unit: "tasks", bar: 0.0, slack: 0.0 };
    same.check(differing.len() as f64);
}
