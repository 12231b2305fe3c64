//! The small runs, bit for bit, as they were when `tests/golden/small_runs.txt` was written. `tests/web/worker.rs` holds the
//! WebAssembly build to the same file: native = wasm. A change of a solver rewrites it: `MEANFIELD_BLESS=1`.

use crate::common;
#[test]
fn native_runs_give_the_golden_bits() {
    let ours = common::small_runs();
    if std::env::var_os("MEANFIELD_BLESS").is_some() {
        std::fs::write("tests/golden/small_runs.txt", &ours).unwrap();
    }
    let golden = include_str!("../golden/small_runs.txt");
    assert!(ours == golden, "a small run has other bits than tests/golden/small_runs.txt");
}
