//! Majority votes of K branches. Branch k votes for the label with probability Φ(t_k), t_k = y z_k, independently of the others, so
//! that the number of votes is Poisson–binomial. Prefix and suffix sums give it in O(K²), instead of the 2^K terms of the trace in
//! OW96 eq. (7).

use std::f64::consts::FRAC_1_SQRT_2;

use crate::math::lanes::{LANES, Lanes, each, erfcx_lanes, exp, exp_lanes, map};
use crate::math::special::{INV_SQRT_2PI, ln_phi, phi};

/// Returns the smallest number c of votes that makes a majority; a tie of an even committee counts half.
fn threshold(hidden: usize) -> usize {
    hidden.div_ceil(2)
}

/// Vote counts of K branches for eight examples at once.
///
/// The replica theory counts votes in two other ways. Here counts stop at the threshold and are tilted, and slopes are for one label.
/// `theory/lattice.rs` needs the counts without each branch for all numbers of decided branches at once, for which prefix and suffix
/// sums would take K times as much work. `theory/tensor.rs` counts at one point at a time, minorities without cancellation.
///
/// If a majority is very improbable (β = ∞), all odds are multiplied by a tilt that makes it probable: the one that gives even odds
/// to the branch with the c-th largest field, c the votes needed. Then at least c branches have odds of 1 or more, a majority has
/// probability 2^−K/2 or more, and the tilt cancels in the derivatives.
#[derive(Clone, Debug)]
pub struct VoteCounter {
    /// Tilted probability that branch k votes for the label, K.
    yes: Vec<Lanes>,
    /// Tilted probability that branch k votes against the label, K.
    no: Vec<Lanes>,
    /// φ(t_k)/Φ(t_k), K.
    hazard: Vec<Lanes>,
    /// prefix[k·(c+1) + j]: probability of j ≤ c votes among the first k branches.
    prefix: Vec<Lanes>,
    /// suffix[k·(c+1) + j]: probability of j ≤ c votes among the branches from k on.
    suffix: Vec<Lanes>,
    /// Tilted probability of a majority.
    majority: Lanes,
    /// 1/tilt.
    inverse_tilt: Lanes,
    /// Fields in descending order, K, from which the tilt follows.
    sorted: Vec<Lanes>,
}

impl VoteCounter {
    /// Returns buffers for `hidden` branches.
    pub fn new(hidden: usize) -> Self {
        let zeros = |n| vec![[0.0; LANES]; n];
        let counts = (hidden + 1) * (threshold(hidden) + 1);
        Self {
            yes: zeros(hidden),
            no: zeros(hidden),
            hazard: zeros(hidden),
            prefix: zeros(counts),
            suffix: zeros(counts),
            majority: [0.0; LANES],
            inverse_tilt: [1.0; LANES],
            sorted: zeros(hidden),
        }
    }

    fn hidden(&self) -> usize {
        self.yes.len()
    }

    /// Returns the probability of the output +1 at fields `z` (K), where a tie counts half.
    pub fn plus_probability(&mut self, z: &[Lanes]) -> Lanes {
        self.count(z, [1.0; LANES], false);
        self.majority
    }

    /// Counts the votes for labels `y` at cavity fields `z` (K). They are tilted if `tilt` is true and a majority is improbable in
    /// one of the examples.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(in crate::feedforward) fn count(&mut self, z: &[Lanes], y: Lanes, tilt: bool) {
        let threshold_field = if tilt { self.threshold_field(z, y) } else { [0.0; LANES] };
        let tilted = threshold_field.iter().any(|t| *t < 0.0);
        // Most blocks need no tilt: its odds are computed only where needed.
        let threshold = tilted.then(|| VoteOdds::new(threshold_field));
        for (k, z) in z.iter().enumerate() {
            // Local values do not alias, so that the compiler vectorises.
            let odds = VoteOdds::new(each(|i| y[i] * z[i]));
            self.hazard[k] = odds.hazard;
            (self.yes[k], self.no[k]) = match &threshold {
                Some(threshold) => odds.tilted(threshold, &threshold_field),
                None => (odds.yes, odds.no),
            };
        }
        self.inverse_tilt = threshold.map_or([1.0; LANES], |threshold| {
            let e = exp_lanes(threshold.exponent);
            each(|i| if threshold_field[i] < 0.0 { e[i] * threshold.ratio[i] } else { 1.0 })
        });
        self.convolve();
    }

    /// Returns the [`threshold`]-th largest of the fields yz, or 0 where it is positive and no tilt is needed.
    #[inline(always)]
    fn threshold_field(&mut self, z: &[Lanes], y: Lanes) -> Lanes {
        let hidden = self.hidden();
        for (sorted, z) in self.sorted.iter_mut().zip(z) {
            *sorted = each(|i| y[i] * z[i]);
        }
        // Odd–even transposition sort has no branches, so that all lanes are sorted together.
        for round in 0..hidden {
            for k in (round % 2..hidden.saturating_sub(1)).step_by(2) {
                for i in 0..LANES {
                    let (a, b) = (self.sorted[k][i], self.sorted[k + 1][i]);
                    let swap = a < b;
                    self.sorted[k][i] = if swap { b } else { a };
                    self.sorted[k + 1][i] = if swap { a } else { b };
                }
            }
        }
        let field = self.sorted[threshold(hidden) - 1];
        each(|i| if field[i] < 0.0 { field[i] } else { 0.0 })
    }

    /// Computes prefix and suffix counts up to the threshold, and the tilted probability of a majority.
    #[inline(always)]
    fn convolve(&mut self) {
        let (hidden, c) = (self.hidden(), threshold(self.hidden()));
        let width = c + 1;
        let add = |from: &[Lanes], to: &mut [Lanes], yes: Lanes, no: Lanes| {
            let mut fewer = [0.0; LANES];
            for (from, to) in from.iter().zip(to) {
                *to = each(|i| from[i] * no[i] + fewer[i] * yes[i]);
                fewer = *from;
            }
        };
        self.prefix[..width].fill([0.0; LANES]);
        self.prefix[0] = [1.0; LANES];
        for k in 0..hidden {
            let (from, to) = self.prefix[k * width..(k + 2) * width].split_at_mut(width);
            add(from, to, self.yes[k], self.no[k]);
        }
        self.suffix[hidden * width..].fill([0.0; LANES]);
        self.suffix[hidden * width] = [1.0; LANES];
        for k in (0..hidden).rev() {
            let (to, from) = self.suffix[k * width..(k + 2) * width].split_at_mut(width);
            add(from, to, self.yes[k], self.no[k]);
        }
        self.majority = self.tilted_majority();
    }

    /// Returns Σ_{j ≥ c} Q(j) tilt^(c−j), a tie counted half: a sum over the branch k that casts the c-th vote, after which all
    /// outcomes count, weighted by the tilt.
    #[inline(always)]
    fn tilted_majority(&self) -> Lanes {
        let (hidden, c) = (self.hidden(), threshold(self.hidden()));
        let width = c + 1;
        // after = E[tilt^−votes] of the branches after k.
        let mut after = [1.0; LANES];
        let mut sum = [0.0; LANES];
        for k in (0..hidden).rev() {
            let (before, yes, no) = (self.prefix[k * width + c - 1], self.yes[k], self.no[k]);
            for i in 0..LANES {
                sum[i] += before[i] * yes[i] * after[i];
                after[i] *= no[i] + yes[i] * self.inverse_tilt[i];
            }
        }
        if hidden.is_multiple_of(2) {
            let tie = &self.prefix[hidden * width + c];
            for i in 0..LANES {
                sum[i] -= 0.5 * tie[i];
            }
        }
        sum
    }

    /// Returns the tilted probability of a majority, where a tie counts half.
    #[inline(always)]
    pub(in crate::feedforward) fn majority(&self) -> Lanes {
        self.majority
    }

    /// Returns ∂P(majority)/∂t_k, tilted like [`Self::majority`]: hazard times the probability that k votes for the label and
    /// decides.
    #[inline(always)]
    pub(in crate::feedforward) fn slope(&self, k: usize) -> Lanes {
        let (hazard, yes, pivot) = (self.hazard[k], self.yes[k], self.pivot(k));
        each(|i| hazard[i] * yes[i] * pivot[i])
    }

    /// Returns the tilted probability that the vote of branch k decides.
    #[inline(always)]
    fn pivot(&self, k: usize) -> Lanes {
        let (hidden, c) = (self.hidden(), threshold(self.hidden()));
        let others = |votes: usize| {
            let width = c + 1;
            let before = &self.prefix[k * width..][..=votes];
            let after = &self.suffix[(k + 1) * width..][..=votes];
            let mut sum = [0.0; LANES];
            for (before, after) in before.iter().zip(after.iter().rev()) {
                for i in 0..LANES {
                    sum[i] += before[i] * after[i];
                }
            }
            sum
        };
        let one_short = others(c - 1);
        if !hidden.is_multiple_of(2) {
            return one_short;
        }
        let tied = others(c);
        each(|i| 0.5 * (one_short[i] + tied[i] * self.inverse_tilt[i]))
    }
}

/// Probabilities of a branch's vote at field t, eight at once.
struct VoteOdds {
    /// Φ(t).
    yes: Lanes,
    /// Φ(−t).
    no: Lanes,
    /// φ(t)/Φ(t).
    hazard: Lanes,
    /// ±t²/2: the odds Φ(t)/Φ(−t) are e^exponent · ratio.
    exponent: Lanes,
    ratio: Lanes,
}

impl VoteOdds {
    #[inline(always)]
    fn new(t: Lanes) -> Self {
        let u = map(erfcx_lanes(map(t, |t| t.abs() * FRAC_1_SQRT_2)), |erfcx| 0.5 * erfcx);
        let e = exp_lanes(map(t, |t| -0.5 * t * t));
        let tail: Lanes = each(|i| u[i] * e[i]);
        let either =
            |below: Lanes, above: Lanes| -> Lanes { each(|i| if t[i] < 0.0 { below[i] } else { above[i] }) };
        let body = map(tail, |tail| 1.0 - tail);
        let (yes, no) = (either(tail, body), either(body, tail));
        let (top, bottom) = (either([1.0; LANES], e), either(u, body));
        Self {
            hazard: each(|i| INV_SQRT_2PI * top[i] / bottom[i]),
            exponent: map(t, |t| 0.5 * t * t.abs()),
            ratio: each(|i| bottom[i] / if t[i] < 0.0 { body[i] } else { u[i] }),
            yes,
            no,
        }
    }

    /// Returns the probabilities of a vote for and against the label after all odds are divided by those of the `threshold` field;
    /// unchanged where that field is not negative.
    #[inline(always)]
    fn tilted(&self, threshold: &Self, field: &Lanes) -> (Lanes, Lanes) {
        // e^±600 is certainty to all digits, and its inverse does not underflow.
        const MAX_EXPONENT: f64 = 600.0;
        let exponent: Lanes = each(|i| {
            let exponent = self.exponent[i] - threshold.exponent[i];
            let exponent = if exponent > MAX_EXPONENT { MAX_EXPONENT } else { exponent };
            if exponent < -MAX_EXPONENT { -MAX_EXPONENT } else { exponent }
        });
        let e = exp_lanes(exponent);
        let odds: Lanes = each(|i| e[i] * self.ratio[i] / threshold.ratio[i]);
        let against = map(odds, |odds| 1.0 / (1.0 + odds));
        let either = |tilted: Lanes, plain: Lanes| -> Lanes {
            each(|i| if field[i] < 0.0 { tilted[i] } else { plain[i] })
        };
        let vote: Lanes = each(|i| odds[i] * against[i]);
        (either(vote, self.yes), either(against, self.no))
    }
}

/// Returns the log probability that the majority votes `y` at fields `z` (K).
pub(in crate::feedforward) fn ln_majority(z: &[f64], y: f64) -> f64 {
    let lanes: Vec<Lanes> = z.iter().map(|z| [*z; LANES]).collect();
    let mut votes = VoteCounter::new(z.len());
    votes.count(&lanes, [y; LANES], true);
    let c = threshold(z.len());
    // Removes the tilt: Π (1−p)(1+odds·tilt) · tilt^−c, with 1+odds·tilt = 1/no.
    let t_c = votes.threshold_field(&lanes, [y; LANES])[0];
    if t_c >= 0.0 {
        return libm::log(votes.majority[0]);
    }
    let ln_odds = |t: f64| {
        let odds = VoteOdds::new([t; LANES]);
        odds.exponent[0] + libm::log(odds.ratio[0])
    };
    let ln_odds_c = ln_odds(t_c);
    let mut ln = libm::log(votes.majority[0]) + c as f64 * ln_odds_c;
    for z in z {
        let ln_tilted = ln_odds(y * z) - ln_odds_c;
        // ln(1 + e^x) without overflow.
        let softplus = if ln_tilted > 0.0 {
            ln_tilted + libm::log1p(exp(-ln_tilted))
        } else {
            libm::log1p(exp(ln_tilted))
        };
        ln += ln_phi(-y * z) + softplus;
    }
    ln
}

/// Returns ⟨σ⟩ of the noiseless committee, OW96 eq. (9), at field means `z` (K) in units of their standard deviations.
pub fn mean_output(z: &[f64]) -> f64 {
    if let [z] = z {
        return 2.0 * phi(*z) - 1.0;
    }
    2.0 * majority_probabilities(z, z.len(), &[1.0])[0] - 1.0
}

/// Returns the probability that the majority votes for the label of each example, m, where a tie counts half. Fields `z` are
/// m×`hidden`, in units of their standard deviations; labels `y` = ±1. Small probabilities are accurate until they underflow.
pub(in crate::feedforward) fn majority_probabilities(z: &[f64], hidden: usize, y: &[f64]) -> Vec<f64> {
    if hidden == 1 {
        return z.iter().zip(y).map(|(z, y)| phi(y * z)).collect();
    }
    let mut votes = VoteCounter::new(hidden);
    let mut all = Vec::with_capacity(y.len());
    for (z, y) in z.chunks(hidden * LANES).zip(y.chunks(LANES)) {
        // The last block is padded with the last example.
        let at = |i: usize| i.min(y.len() - 1);
        let fields: Vec<Lanes> = (0..hidden).map(|k| each(|i| z[at(i) * hidden + k])).collect();
        votes.count(&fields, each(|i| y[at(i)]), false);
        all.extend(&votes.majority[..y.len()]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the trace over all 2^K outputs, as eq. (7) is printed.
    fn majority_by_trace(z: &[f64], y: f64) -> f64 {
        let mut sum = 0.0;
        for outputs in 0..1_u32 << z.len() {
            let up = |k: usize| outputs >> k & 1 == 1;
            let weight: f64 =
                z.iter().enumerate().map(|(k, z)| if up(k) { phi(*z) } else { phi(-z) }).product();
            let vote = y * (2.0 * f64::from(outputs.count_ones()) - z.len() as f64);
            sum += weight
                * if vote > 0.0 {
                    1.0
                } else if vote == 0.0 {
                    0.5
                } else {
                    0.0
                };
        }
        sum
    }

    #[test]
    fn majority_equals_the_trace_over_all_outputs() {
        for z in [
            vec![0.3, -0.7],
            vec![0.5, -1.0, 2.0],
            vec![-3.0, -2.0, -4.0, -1.5],
            vec![0.1, -0.2, 0.3, -0.4, 0.5, 1.0, -2.0],
        ] {
            for y in [-1.0, 1.0] {
                let trace = majority_by_trace(&z, y);
                assert!((ln_majority(&z, y) - trace.ln()).abs() < 1e-12, "{z:?}");
            }
            assert!((mean_output(&z) - (2.0 * majority_by_trace(&z, 1.0) - 1.0)).abs() < 1e-14);
        }
    }

    #[test]
    fn majority_probabilities_of_any_number_of_examples() {
        for hidden in [1, 2, 3] {
            for m in [1, 7, 8, 19] {
                let z: Vec<f64> = (0..m * hidden).map(|i| 3.0 * libm::sin(1.7 * i as f64)).collect();
                let y: Vec<f64> = (0..m).map(|i| if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
                let all = majority_probabilities(&z, hidden, &y);
                assert_eq!(all.len(), m);
                for ((z, y), ours) in z.chunks_exact(hidden).zip(y).zip(all) {
                    assert!((ours - majority_by_trace(z, y)).abs() < 1e-14, "{z:?} {y}");
                }
            }
        }
    }
}
