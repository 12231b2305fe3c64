//! A Markov chain for the exact posterior: Hamiltonian dynamics that can be followed without any error, because the prior
//! is Gaussian and the likelihood piecewise constant (Pakman and Paninski, J. Comput. Graph. Stat. 23, 518 (2014)).
//!
//! Weights move on circles, u(t) = u cos t + v sin t. Where a branch's field changes sign the likelihood may jump: the
//! move either climbs the step, and is slower after it, or is reflected.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::posterior::{Posterior, sign};
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// How long each move lasts: without a likelihood its end would not depend on its beginning at all.
const DURATION: f64 = FRAC_PI_2;

/// The state of the chain, on white inputs.
#[derive(Clone, Debug)]
pub struct Chain {
    branches: Vec<Branch>,
    /// Votes for + less votes for −, m.
    balances: Vec<i32>,
    /// Time in the present move, which ends at [`DURATION`]; `None` between moves.
    now: Option<f64>,
}

/// One branch on its circle since it last changed it.
#[derive(Clone, Debug)]
struct Branch {
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

impl Chain {
    /// Begins at the weights `w` (N).
    pub fn new(posterior: &Posterior, w: &[f64]) -> Self {
        let mut w = w.to_vec();
        posterior.whiten_weights(&mut w);
        let branches: Vec<Branch> = (w.chunks_exact(posterior.branch()).enumerate())
            .map(|(k, u)| {
                let h: Vec<f64> = posterior.branch_rows(k).map(|x| dot(x, u)).collect();
                Branch {
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
        let balances =
            (0..posterior.labels().len()).map(|i| branches.iter().map(|b| b.votes[i]).sum()).collect();
        Self { branches, balances, now: None }
    }

    /// Whether the posterior gives it a probability at all.
    pub fn possible(&self, posterior: &Posterior) -> bool {
        let pairs = self.balances.iter().zip(posterior.labels());
        pairs.map(|(balance, y)| posterior.ln_likelihood(*balance, *y)).sum::<f64>() > f64::NEG_INFINITY
    }

    /// The weights at the end of the last move, N.
    pub fn weights(&self, posterior: &Posterior) -> Vec<f64> {
        let mut w: Vec<f64> = self.branches.iter().flat_map(|b| &b.u).copied().collect();
        posterior.colour_weights(&mut w);
        w
    }

    /// Multiply–adds of a step.
    pub fn cost(&self) -> usize {
        self.branches[0].h.len() * (self.branches.len() + self.branches[0].u.len() + 40)
    }

    /// Begins a move with fresh velocities, or goes on with it to where the next vote changes; `true` when the move is done.
    pub fn step(&mut self, posterior: &Posterior, stream: &mut Stream) -> bool {
        let Some(now) = self.now else {
            for (k, branch) in self.branches.iter_mut().enumerate() {
                for v in &mut branch.v {
                    *v = stream.normal();
                }
                branch.since = 0.0;
                branch.f = posterior.branch_rows(k).map(|x| dot(x, &branch.v)).collect();
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
        self.turn(posterior, k, i, next);
        false
    }

    /// The vote of branch `k` on example `i` is about to change.
    fn turn(&mut self, posterior: &Posterior, k: usize, i: usize, now: f64) {
        let (before, y) = (self.balances[i], posterior.labels()[i]);
        let branch = &mut self.branches[k];
        let after = before - 2 * branch.votes[i];
        let climb = posterior.ln_likelihood(before, y) - posterior.ln_likelihood(after, y);
        if climb == 0.0 {
            branch.votes[i] = -branch.votes[i];
            branch.turns[i] = branch.next_turn(i, now);
            self.balances[i] = after;
            return;
        }
        branch.go_to(now);
        let Some(x) = posterior.branch_rows(k).nth(i) else { return };
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
        for (f, other) in branch.f.iter_mut().zip(posterior.branch_rows(k)) {
            *f += change * dot(x, other);
        }
        // Exactly on the wall, whatever rounding says.
        branch.h[i] = 0.0;
        branch.find_turns(now);
    }
}

impl Branch {
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

#[cfg(test)]
mod tests {
    use super::super::posterior::weighted_draw;
    use super::*;
    use crate::data::teacher::Examples;
    use crate::data::teacher::{Inputs, Rule, Teacher};
    use crate::math::covariance::Covariance;
    use crate::math::stats::mean;

    fn posterior(hidden: usize, m: usize, flips: f64, covariance: Covariance) -> (Posterior, Vec<f64>) {
        let inputs = Inputs { branch: 4, covariance, ..Inputs::white(4 * hidden) };
        let mut teacher = Teacher::draw(Rule::Committee(hidden), inputs, flips, Stream::of(3, 1));
        let mut examples = Examples::new(4 * hidden);
        teacher.extend(&mut examples, m);
        let mut w = teacher.weights().to_vec();
        w.chunks_exact_mut(4).for_each(|w| covariance.colour_weights(w));
        (Posterior::new(&examples, hidden, flips, covariance), w)
    }

    /// Two samplers that share nothing but the likelihood agree, with noise and without, for one branch, for three, and
    /// for an even number that ties.
    #[test]
    fn the_chain_samples_what_weighted_draws_average() {
        for (hidden, m, flips, rho) in
            [(1, 8, 0.0, 0.0), (1, 12, 0.2, 0.7), (3, 10, 0.1, 0.0), (2, 8, 0.0, 0.0)]
        {
            let (posterior, start) = posterior(hidden, m, flips, Covariance::ar1(rho));
            let mut stream = Stream::of(17, hidden as u64);
            let (mut total, mut sums) = (0.0, vec![0.0; start.len()]);
            for _ in 0..150_000 {
                let (w, ln) = weighted_draw(&posterior, &mut stream);
                let weight = libm::exp(ln);
                total += weight;
                sums.iter_mut().zip(&w).for_each(|(sum, w)| *sum += weight * w);
            }
            let mut chain = Chain::new(&posterior, &start);
            assert!(chain.possible(&posterior));
            let mut batches = vec![Vec::new(); start.len()];
            for _ in 0..40 {
                let mut batch = vec![0.0; start.len()];
                for _ in 0..200 {
                    while !chain.step(&posterior, &mut stream) {}
                    batch.iter_mut().zip(chain.weights(&posterior)).for_each(|(sum, w)| *sum += w / 200.0);
                }
                batches.iter_mut().zip(batch).for_each(|(all, mean)| all.push(mean));
            }
            for (j, batch) in batches.iter().enumerate() {
                let (ours, theirs) = (mean(batch.iter().copied()), sums[j] / total);
                let allowed = 4.0 * ours.se + 0.02;
                assert!((ours.mean - theirs).abs() < allowed, "K={hidden} w_{j}: {ours:?} {theirs}");
            }
        }
    }
}
