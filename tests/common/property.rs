//! Properties that hold for all values of a strategy.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Checks a property on so many values of a strategy, the same ones every time. A failure is reduced to a small one; its seed
/// is kept in `tests/proptest-regressions` and tried first from then on.
#[track_caller]
pub fn for_all<S: Strategy>(cases: u32, values: S, property: impl Fn(S::Value)) {
    let test = std::panic::Location::caller().file();
    let config = ProptestConfig { cases, ..ProptestConfig::with_source_file(test) };
    let always_the_same = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let held = TestRunner::new_with_rng(config, always_the_same).run(&values, |value| {
        property(value);
        Ok(())
    });
    held.unwrap_or_else(|failed| panic!("{failed}"));
}
