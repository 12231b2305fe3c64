//! Exact Hamiltonian Monte Carlo for a Gaussian prior and a piecewise constant likelihood: the dynamics are integrated without
//! discretisation error (Pakman and Paninski, J. Comput. Graph. Stat. 23, 518 (2014)).
//!
//! Weights move on circles, u(t) = u cos t + v sin t. The likelihood may jump where a branch's field changes sign: the trajectory
//! then either crosses the step and changes its speed, or is reflected.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::lanes::dot;
use super::random::Stream;

/// A likelihood that depends on the signs of the fields u_k·x_μ, with the prior u ~ N(0, I).
pub trait StepLikelihood {
    /// Returns the inputs x_μ of branch `k`, example by example.
    fn rows(&self, k: usize) -> impl Iterator<Item = &[f64]>;
    /// Returns the log likelihood of example `i`, given the number of its positive fields minus that of its negative fields.
    fn ln_likelihood(&self, i: usize, balance: i32) -> f64;
}

/// Duration of a move. Without a likelihood, the end of a move would be independent of its start.
const DURATION: f64 = FRAC_PI_2;

/// A Markov chain on white inputs.
#[derive(Clone, Debug)]
pub struct ExactHmc {
    branches: Vec<BranchPath>,
    /// Number of positive minus negative votes, m.
    balances: Vec<i32>,
    /// Time within the current move, which ends at [`DURATION`]; `None` between moves.
    now: Option<f64>,
}

/// The circular trajectory of a branch since its last change of velocity.
#[derive(Clone, Debug)]
struct BranchPath {
    /// Time of that change.
    since: f64,
    /// Weights and velocities at that time, n.
    u: Vec<f64>,
    v: Vec<f64>,
    /// Fields and their velocities at that time, m.
    h: Vec<f64>,
    f: Vec<f64>,
    /// Votes ±1, m.
    votes: Vec<i32>,
    /// Times of the next change of each vote, m.
    changes: Vec<f64>,
}

impl ExactHmc {
    /// Starts a chain at the weights `u`, branch after branch with `branch` weights each.
    pub fn new(steps: &impl StepLikelihood, u: &[f64], branch: usize) -> Self {
        let branches: Vec<BranchPath> = (u.chunks_exact(branch).enumerate())
            .map(|(k, u)| {
                let h: Vec<f64> = steps.rows(k).map(|x| dot(x, u)).collect();
                BranchPath {
                    since: 0.0,
                    u: u.to_vec(),
                    v: vec![0.0; u.len()],
                    f: vec![0.0; h.len()],
                    votes: h.iter().map(|h| sign(*h)).collect(),
                    changes: vec![f64::INFINITY; h.len()],
                    h,
                }
            })
            .collect();
        let examples = branches.first().map_or(0, |b| b.votes.len());
        let balances = (0..examples).map(|i| branches.iter().map(|b| b.votes[i]).sum()).collect();
        Self { branches, balances, now: None }
    }

    /// Returns the log likelihood of the current weights.
    pub fn ln_likelihood(&self, steps: &impl StepLikelihood) -> f64 {
        self.balances.iter().enumerate().map(|(i, balance)| steps.ln_likelihood(i, *balance)).sum()
    }

    /// Returns true if the current weights have a posterior probability above zero.
    pub fn is_possible(&self, steps: &impl StepLikelihood) -> bool {
        self.ln_likelihood(steps) > f64::NEG_INFINITY
    }

    /// Returns the weights at the end of the last move, branch after branch.
    pub fn weights(&self) -> Vec<f64> {
        self.branches.iter().flat_map(|b| &b.u).copied().collect()
    }

    /// Returns the number of multiply–adds of a step.
    pub fn cost(&self) -> usize {
        self.branches[0].h.len() * (self.branches.len() + self.branches[0].u.len() + 40)
    }

    /// Starts a move with new velocities, or continues it to the next change of a vote. Returns true when the move is complete.
    pub fn step(&mut self, steps: &impl StepLikelihood, stream: &mut Stream) -> bool {
        let Some(now) = self.now else {
            for (k, branch) in self.branches.iter_mut().enumerate() {
                for v in &mut branch.v {
                    *v = stream.normal();
                }
                branch.since = 0.0;
                branch.f = steps.rows(k).map(|x| dot(x, &branch.v)).collect();
                branch.find_changes(0.0);
            }
            self.now = Some(0.0);
            return false;
        };
        let (mut next, mut at) = (DURATION, None);
        for (k, branch) in self.branches.iter().enumerate() {
            for (i, change) in branch.changes.iter().enumerate() {
                if *change < next {
                    (next, at) = (*change, Some((k, i)));
                }
            }
        }
        // Because of rounding, the change may lie slightly before the current time.
        let next = next.max(now);
        let Some((k, i)) = at else {
            self.branches.iter_mut().for_each(|branch| branch.advance_to(DURATION));
            self.now = None;
            return true;
        };
        self.now = Some(next);
        self.change_vote(steps, k, i, next);
        false
    }

    /// Handles the change of the vote of branch `k` on example `i`: the trajectory crosses the step or is reflected.
    fn change_vote(&mut self, steps: &impl StepLikelihood, k: usize, i: usize, now: f64) {
        let before = self.balances[i];
        let branch = &mut self.branches[k];
        let after = before - 2 * branch.votes[i];
        let climb = steps.ln_likelihood(i, before) - steps.ln_likelihood(i, after);
        if climb == 0.0 {
            branch.votes[i] = -branch.votes[i];
            branch.changes[i] = branch.next_change(i, now);
            self.balances[i] = after;
            return;
        }
        branch.advance_to(now);
        let Some(x) = steps.rows(k).nth(i) else { return };
        let length = dot(x, x).sqrt();
        let speed = branch.f[i] / length;
        let left = speed * speed - 2.0 * climb;
        let new = if left > 0.0 {
            branch.votes[i] = -branch.votes[i];
            self.balances[i] = after;
            left.sqrt() * speed.signum()
        } else {
            -speed
        };
        let change = (new - speed) / length;
        for (v, x) in branch.v.iter_mut().zip(x) {
            *v += change * x;
        }
        for (f, other) in branch.f.iter_mut().zip(steps.rows(k)) {
            *f += change * dot(x, other);
        }
        // The field is exactly 0 at the wall.
        branch.h[i] = 0.0;
        branch.find_changes(now);
    }
}

impl BranchPath {
    /// Advances the trajectory to time `now`.
    fn advance_to(&mut self, now: f64) {
        let (cos, sin) = (libm::cos(now - self.since), libm::sin(now - self.since));
        let rotate = |a: &mut [f64], b: &mut [f64]| {
            for (a, b) in a.iter_mut().zip(b) {
                (*a, *b) = (*a * cos + *b * sin, *b * cos - *a * sin);
            }
        };
        rotate(&mut self.u, &mut self.v);
        rotate(&mut self.h, &mut self.f);
        self.since = now;
    }

    /// Computes the times of the next changes of all votes.
    fn find_changes(&mut self, now: f64) {
        for i in 0..self.h.len() {
            self.changes[i] = self.next_change(i, now);
        }
    }

    /// Returns the time at which the field, in the direction of its vote, next falls through 0. A field that is 0 after a change of
    /// its vote or a reflection is rising: half a period is left.
    fn next_change(&self, i: usize, now: f64) -> f64 {
        let vote = f64::from(self.votes[i]);
        let falls = libm::atan2(vote * self.f[i], vote * self.h[i]) + FRAC_PI_2 + self.since - now;
        // Rounding must not delay a change that is due now by a whole period.
        now + if falls < -1e-9 { falls + TAU } else { falls.max(0.0) }
    }
}

/// Returns the vote of a branch with this field.
pub fn sign(field: f64) -> i32 {
    if field < 0.0 { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mean;

    /// Signs of three fields of two weights, with or without noise.
    struct ThreeSigns {
        rows: Vec<[f64; 2]>,
        ln_wrong: f64,
    }

    impl StepLikelihood for ThreeSigns {
        fn rows(&self, _k: usize) -> impl Iterator<Item = &[f64]> {
            self.rows.iter().map(<[f64; 2]>::as_slice)
        }
        fn ln_likelihood(&self, _i: usize, balance: i32) -> f64 {
            if balance > 0 { 0.0 } else { self.ln_wrong }
        }
    }

    #[test]
    fn means_agree_with_a_fine_grid() {
        for ln_wrong in [f64::NEG_INFINITY, -1.0] {
            let toy = ThreeSigns { rows: vec![[1.0, 0.3], [-0.2, 2.0], [0.9, -0.4]], ln_wrong };
            let (mut total, mut sum) = (0.0, 0.0);
            for a in -300..=300 {
                for b in -300..=300 {
                    let u = [f64::from(a) * 0.02, f64::from(b) * 0.02];
                    let ln: f64 = (0..3).map(|i| toy.ln_likelihood(i, sign(dot(&toy.rows[i], &u)))).sum();
                    let weight = libm::exp(ln - 0.5 * dot(&u, &u));
                    total += weight;
                    sum += weight * u[0];
                }
            }
            let mut chain = ExactHmc::new(&toy, &[1.0, 1.0], 2);
            assert!(chain.is_possible(&toy));
            let mut stream = Stream::of(5, 0);
            let draws: Vec<f64> = (0..20_000)
                .map(|_| {
                    while !chain.step(&toy, &mut stream) {}
                    chain.weights()[0]
                })
                .collect();
            let ours = mean(draws.iter().copied());
            assert!((ours.mean - sum / total).abs() < 6.0 * ours.se, "{ours:?} {}", sum / total);
        }
    }
}
