//! A Markov chain for the exact posterior of a Gaussian prior and a piecewise constant likelihood: Hamiltonian dynamics
//! that can be followed without any error (Pakman and Paninski, J. Comput. Graph. Stat. 23, 518 (2014)).
//!
//! Weights move on circles, u(t) = u cos t + v sin t. Where a branch's field changes sign the likelihood may jump: the
//! move either climbs the step, and is slower after it, or is reflected.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::lanes::dot;
use super::random::Stream;

/// A likelihood of the signs of fields u_k·x_μ, with the prior u ~ N(0, I).
pub trait StepLikelihood {
    /// The inputs x_μ of branch `k`, example by example.
    fn rows(&self, k: usize) -> impl Iterator<Item = &[f64]>;
    /// ln of the likelihood of example `i` when so many more of its fields are positive than negative.
    fn ln_likelihood(&self, i: usize, balance: i32) -> f64;
}

/// How long each move lasts: without a likelihood its end would not depend on its beginning at all.
const DURATION: f64 = FRAC_PI_2;

/// The state of the chain, on white inputs.
#[derive(Clone, Debug)]
pub struct ExactHmc {
    branches: Vec<BranchPath>,
    /// Votes for + less votes for −, m.
    balances: Vec<i32>,
    /// Time in the present move, which ends at [`DURATION`]; `None` between moves.
    now: Option<f64>,
}

/// One branch on its circle since it last changed it.
#[derive(Clone, Debug)]
struct BranchPath {
    /// When that was.
    since: f64,
    /// Weights and velocities then, n.
    u: Vec<f64>,
    v: Vec<f64>,
    /// Fields and their velocities then, m.
    h: Vec<f64>,
    f: Vec<f64>,
    /// ±1: the vote on each example, m.
    votes: Vec<i32>,
    /// When each vote changes next, m.
    turns: Vec<f64>,
}

impl ExactHmc {
    /// Begins at `u`: one stretch a branch, each of `branch` weights.
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
                    turns: vec![f64::INFINITY; h.len()],
                    h,
                }
            })
            .collect();
        let examples = branches.first().map_or(0, |b| b.votes.len());
        let balances = (0..examples).map(|i| branches.iter().map(|b| b.votes[i]).sum()).collect();
        Self { branches, balances, now: None }
    }

    /// ln of the likelihood of where it is.
    pub fn ln_likelihood(&self, steps: &impl StepLikelihood) -> f64 {
        self.balances.iter().enumerate().map(|(i, balance)| steps.ln_likelihood(i, *balance)).sum()
    }

    /// Whether the posterior gives it a probability at all.
    pub fn possible(&self, steps: &impl StepLikelihood) -> bool {
        self.ln_likelihood(steps) > f64::NEG_INFINITY
    }

    /// The weights at the end of the last move, branch after branch.
    pub fn weights(&self) -> Vec<f64> {
        self.branches.iter().flat_map(|b| &b.u).copied().collect()
    }

    /// Multiply–adds of a step.
    pub fn cost(&self) -> usize {
        self.branches[0].h.len() * (self.branches.len() + self.branches[0].u.len() + 40)
    }

    /// Begins a move with fresh velocities, or goes on with it to where the next vote changes; `true` when the move is done.
    pub fn step(&mut self, steps: &impl StepLikelihood, stream: &mut Stream) -> bool {
        let Some(now) = self.now else {
            for (k, branch) in self.branches.iter_mut().enumerate() {
                for v in &mut branch.v {
                    *v = stream.normal();
                }
                branch.since = 0.0;
                branch.f = steps.rows(k).map(|x| dot(x, &branch.v)).collect();
                branch.find_turns(0.0);
            }
            self.now = Some(0.0);
            return false;
        };
        let (mut next, mut at) = (DURATION, None);
        for (k, branch) in self.branches.iter().enumerate() {
            for (i, turn) in branch.turns.iter().enumerate() {
                if *turn < next {
                    (next, at) = (*turn, Some((k, i)));
                }
            }
        }
        // Rounding may put a turn a little before now.
        let next = next.max(now);
        let Some((k, i)) = at else {
            self.branches.iter_mut().for_each(|branch| branch.go_to(DURATION));
            self.now = None;
            return true;
        };
        self.now = Some(next);
        self.turn(steps, k, i, next);
        false
    }

    /// The vote of branch `k` on example `i` is about to change.
    fn turn(&mut self, steps: &impl StepLikelihood, k: usize, i: usize, now: f64) {
        let before = self.balances[i];
        let branch = &mut self.branches[k];
        let after = before - 2 * branch.votes[i];
        let climb = steps.ln_likelihood(i, before) - steps.ln_likelihood(i, after);
        if climb == 0.0 {
            branch.votes[i] = -branch.votes[i];
            branch.turns[i] = branch.next_turn(i, now);
            self.balances[i] = after;
            return;
        }
        branch.go_to(now);
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
        // Exactly on the wall, whatever rounding says.
        branch.h[i] = 0.0;
        branch.find_turns(now);
    }
}

impl BranchPath {
    /// Moves on to time `now`.
    fn go_to(&mut self, now: f64) {
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

    fn find_turns(&mut self, now: f64) {
        for i in 0..self.h.len() {
            self.turns[i] = self.next_turn(i, now);
        }
    }

    /// When the field, in the direction of its vote, falls through 0 next. A field that is 0 now because its vote has just
    /// changed, or its wall has just reflected it, rises: half a turn is left.
    fn next_turn(&self, i: usize, now: f64) -> f64 {
        let vote = f64::from(self.votes[i]);
        let falls = libm::atan2(vote * self.f[i], vote * self.h[i]) + FRAC_PI_2 + self.since - now;
        // One that is due at this very moment must not be put off by a turn through rounding.
        now + if falls < -1e-9 { falls + TAU } else { falls.max(0.0) }
    }
}

/// The vote of a branch with that field.
pub fn sign(field: f64) -> i32 {
    if field < 0.0 { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mean;

    /// Signs of three fields of two weights, with noise or without.
    struct Toy {
        rows: Vec<[f64; 2]>,
        ln_wrong: f64,
    }

    impl StepLikelihood for Toy {
        fn rows(&self, _k: usize) -> impl Iterator<Item = &[f64]> {
            self.rows.iter().map(<[f64; 2]>::as_slice)
        }
        fn ln_likelihood(&self, _i: usize, balance: i32) -> f64 {
            if balance > 0 { 0.0 } else { self.ln_wrong }
        }
    }

    #[test]
    fn means_are_those_of_a_fine_grid() {
        for ln_wrong in [f64::NEG_INFINITY, -1.0] {
            let toy = Toy { rows: vec![[1.0, 0.3], [-0.2, 2.0], [0.9, -0.4]], ln_wrong };
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
            assert!(chain.possible(&toy));
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
