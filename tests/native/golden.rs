//! The small runs equal those in `tests/golden/small_runs.txt` (see `common::golden`). `tests/web/worker.rs` compares the WebAssembly
//! build with the same file. `MEANFIELD_BLESS=1` rewrites it.

use crate::common::golden::{difference, small_runs, unannounced};

#[test]
fn native_runs_give_the_golden_bits() {
    let ours = small_runs();
    if std::env::var_os("MEANFIELD_BLESS").is_some() {
        let before = std::fs::read_to_string("tests/golden/small_runs.txt").unwrap();
        let unannounced = unannounced(&ours, &before);
        assert!(
            unannounced.is_empty(),
            "numbers have changed: say in `changes` of their MODEL what did it, for those who follow an older link: {unannounced:#?}"
        );
        std::fs::write("tests/golden/small_runs.txt", &ours).unwrap();
    }
    let golden = std::fs::read_to_string("tests/golden/small_runs.txt").unwrap();
    let difference = difference(&ours, &golden);
    assert!(difference.is_empty() && ours == golden, "small runs differ from the golden ones:\n{difference}");
}

#[test]
fn changed_numbers_need_a_new_revision() {
    let golden = "#/a\n  work: sweeps 7\n  numbers 1 of revision 1, snapshot 5 of 9 bytes\n";
    let other = golden.replace("numbers 1", "numbers 2");
    assert_eq!(unannounced(golden, golden), [""; 0]);
    assert_eq!(unannounced(&other, golden), ["#/a"]);
    assert_eq!(unannounced(&other.replace("revision 1", "revision 2"), golden), [""; 0]);
    assert_eq!(unannounced(&other.replace("#/a", "#/b"), golden), [""; 0]);
    assert_eq!(unannounced(&golden.replace("sweeps 7", "sweeps 8"), golden), [""; 0]);
}

#[test]
fn a_changed_run_is_listed_with_its_differences() {
    let golden = "#/a\n  work: sweeps 7\n  numbers 1\n#/b\n  work: sweeps 3\n  numbers 2\n";
    assert_eq!(difference(golden, golden), "");
    let slower = golden.replace("sweeps 3", "sweeps 30");
    assert_eq!(difference(&slower, golden), "#/b\n  - work: sweeps 3\n  + work: sweeps 30\n");
    let fewer = golden.split_inclusive('\n').take(3).collect::<String>();
    assert_eq!(difference(&fewer, golden), "#/b\n  - work: sweeps 3\n  - numbers 2\n");
    assert_eq!(difference(golden, &fewer), "#/b\n  + work: sweeps 3\n  + numbers 2\n");
}
