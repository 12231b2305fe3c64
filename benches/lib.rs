//! Kernels to be timed, by model. Each builds its problem and checks its answer before it is timed: the tests of this package run
//! the checks, `kernels.rs` times.
#![allow(clippy::disallowed_methods, reason = "answers are compared to within a tolerance")]

mod data;
mod feedforward;
mod gp;
mod mlp;
mod nfa;
mod regression;
mod sbn;

use std::hint::black_box;
use std::time::{Duration, Instant};

use meanfield::data::Store;
use meanfield::lab::{Link, Progress};
use meanfield::models::task;

/// A kernel to be timed.
pub struct Case {
    /// Model, kernel and size, as in `gp/TAP, RBF, v = 1, m = 104`.
    pub name: String,
    /// Number of samples of its time.
    pub samples: usize,
    /// True if its check takes more than a few seconds without optimisation.
    pub slow: bool,
    /// Builds the problem, checks the answer and returns the kernel.
    ///
    /// # Panics
    /// If the answer is wrong.
    pub prepare: Box<dyn FnOnce() -> Timed>,
}

/// Runs a kernel so many times and returns the time that this takes.
pub type Timed = Box<dyn FnMut(u64) -> Duration>;

impl Case {
    fn new(name: impl Into<String>, prepare: impl FnOnce() -> Timed + 'static) -> Self {
        Self { name: name.into(), samples: 100, slow: false, prepare: Box::new(prepare) }
    }

    fn samples(self, samples: usize) -> Self {
        Self { samples, ..self }
    }

    fn slow(self, slow: bool) -> Self {
        Self { slow, ..self }
    }
}

/// Returns every case, by model.
pub fn cases() -> Vec<Case> {
    let models = [data::cases(), feedforward::cases(), gp::cases(), mlp::cases(), nfa::cases()];
    models.into_iter().chain([regression::cases(), sbn::cases()]).flatten().collect()
}

fn timed<T>(mut run: impl FnMut() -> T + 'static) -> Timed {
    Box::new(move |times| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(run());
        }
        start.elapsed()
    })
}

/// Runs a task without data to its end and returns its snapshot.
fn snapshot(link: &Link) -> Vec<u8> {
    let task = task(&link.task).unwrap();
    let values = task.check(&link.raw).unwrap();
    let units = task.plan(&values, None).units();
    let mut run = task.start(&values, 0..units, &Store::default(), &[]).unwrap();
    while run.advance() != Progress::Done {}
    run.snapshot()
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} instead of {b}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the checks of some cases.
    fn check(cases: Vec<Case>, slow: bool) {
        for case in cases.into_iter().filter(|case| case.slow == slow) {
            // Shown if the check fails.
            println!("{}", case.name);
            drop((case.prepare)());
        }
    }

    #[test]
    fn data_answers() {
        check(data::cases(), false);
    }

    #[test]
    fn feedforward_answers() {
        check(feedforward::cases(), false);
    }

    #[test]
    fn gp_answers() {
        check(gp::cases(), false);
    }

    #[test]
    fn mlp_answers() {
        check(mlp::cases(), false);
    }

    #[test]
    fn nfa_answers() {
        check(nfa::cases(), false);
    }

    #[test]
    fn regression_answers() {
        check(regression::cases(), false);
    }

    #[test]
    fn sbn_answers() {
        check(sbn::cases(), false);
    }

    #[test]
    #[ignore = "long: scripts/test --full"]
    fn slow_answers() {
        check(cases(), true);
    }
}
