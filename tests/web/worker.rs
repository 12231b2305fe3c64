//! In a dedicated web worker, the solvers give the bits of the native build.
#![cfg(target_arch = "wasm32")]

#[path = "../common/mod.rs"]
mod common;

use common::golden::{difference, small_runs};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn wasm_runs_give_the_golden_bits() {
    let (ours, golden) = (small_runs(), include_str!("../golden/small_runs.txt"));
    let difference = difference(&ours, golden);
    assert!(
        difference.is_empty() && ours == golden,
        "WebAssembly differs from the golden runs:\n{difference}"
    );
}

#[wasm_bindgen_test]
fn a_host_serves_a_run_to_its_end() {
    use meanfield::protocol::{Command, Event};
    use meanfield::worker::Host;
    let mut host = Host::new(meanfield::models::catalog());
    let task = meanfield::models::task("feedforward").unwrap();
    let values = task.check(&common::small("feedforward")).unwrap();
    let task = task.meta().id.to_owned();
    let start = Command::Start {
        job: 1,
        task,
        values,
        units: 0..33,
        before: Vec::new(),
        paused: false,
        record: false,
    };
    assert_eq!(host.handle(start), None);
    let mut last = None;
    while host.is_busy() {
        for event in host.turn(js_sys::Date::now) {
            host.handle(Command::Ack(1));
            last = Some(event);
        }
    }
    assert!(matches!(last, Some(Event::Finished { job: 1, .. })));
}
