//! Damping of the iteration with one variance for all examples: the schedules, which are tried in turn.

use crate::math::SmallestResidual;

/// Damping from which the patience of all schedules follows: 300 sweeps. Some solves make no progress for 200 and then converge.
pub(super) const PATIENT: f64 = 0.1;

/// Estimator of the response V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Response {
    /// Σ g (g + z/√λ) / n, the exact derivative.
    Derivative,
    /// Σ g² / n, equal at the fixed point and never negative.
    Square,
}

/// Damping of an iteration and its largest number of sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub damping: f64,
    pub sweeps: usize,
    pub response: Response,
}

/// Schedules, tried in turn, each from the initial state. K = 1 nearly always converges on the first at any noise, K > 1 on the
/// second. A plain parallel iteration, without clipping and response estimates, fails on every noise-free set with α ≥ .5.
pub(super) const SCHEDULES: [Schedule; 6] = [
    Schedule { damping: 1.0, sweeps: 200, response: Response::Derivative },
    Schedule { damping: 0.8, sweeps: 250, response: Response::Derivative },
    Schedule { damping: 0.5, sweeps: 400, response: Response::Derivative },
    Schedule { damping: 0.25, sweeps: 700, response: Response::Derivative },
    Schedule { damping: 0.3, sweeps: 1000, response: Response::Square },
    Schedule { damping: 0.1, sweeps: 2500, response: Response::Square },
];

/// Returns the number of sweeps on the schedules after `schedule` if none of them makes progress.
pub(super) fn sweeps_after(schedule: usize) -> usize {
    let later = SCHEDULES.iter().skip(schedule + 1);
    later.map(|schedule| SmallestResidual::new().steps_left(schedule.sweeps, PATIENT)).sum()
}
