//! The votes of K branches: branch k votes for the label with probability Φ(t_k), t_k = y z_k, independently. Their number
//! is Poisson–binomial, which prefix and suffix sums give in O(K²) instead of the 2^K terms of the trace in eq. (7).

use std::f64::consts::FRAC_1_SQRT_2;

use crate::math::lanes::{LANES, Lanes, each, erfcx_lanes, exp, exp_lanes, map};
use crate::math::special::{INV_SQRT_2PI, ln_phi, phi};

/// The smallest number of votes that carries the label; a tie of an even committee counts half.
fn threshold(hidden: usize) -> usize {
    hidden.div_ceil(2)
}

/// Scratch for counting the votes of K branches, eight examples at once.
///
/// The theory counts votes in two more ways, and none serves for another: here counts end at the threshold, are tilted, and give the
/// slopes of one label; `theory/lattice.rs` needs every count without each branch, squared and summed, for all numbers of decided
/// branches at once, which prefixes and suffixes would make K times as much work; `theory/tensor.rs` counts for one point at a time,
/// the minority without cancellation.
///
/// Where a majority is very improbable (β = ∞) all odds are multiplied by one tilt that makes it probable: the tilt
/// that gives the branch with the c-th largest field even odds, c the votes needed. Then at least that many branches have odds
/// of 1 or more, the majority at least probability 2^−K/2, and the tilt drops out of the derivatives.
#[derive(Clone, Debug)]
pub struct Votes {
    /// Tilted probability that k votes for the label, and against; their prefix and suffix counts.
    yes: Vec<Lanes>,
    no: Vec<Lanes>,
    /// φ(t)/Φ(t).
    hazard: Vec<Lanes>,
    /// prefix[k·c + j]: probability of j votes among the first k branches, j < c.
    prefix: Vec<Lanes>,
    /// The same among the branches from k on.
    suffix: Vec<Lanes>,
    /// Tilted probability of a majority.
    majority: Lanes,
    /// 1/tilt.
    untilt: Lanes,
    /// Fields in falling order, to find the tilt.
    sorted: Vec<Lanes>,
}

impl Votes {
    /// Scratch for `hidden` branches.
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
            untilt: [1.0; LANES],
            sorted: zeros(hidden),
        }
    }

    fn hidden(&self) -> usize {
        self.yes.len()
    }

    /// Probability that the committee says +1 at fields `z` (K), a tie counted half.
    pub fn majorities(&mut self, z: &[Lanes]) -> Lanes {
        self.count(z, [1.0; LANES], false);
        self.majority
    }

    /// Counts the votes at cavity fields `z`, tilted if `tilt` and some majority needs it.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub(in crate::feedforward) fn count(&mut self, z: &[Lanes], y: Lanes, tilt: bool) {
        let threshold_field = if tilt { self.threshold_field(z, y) } else { [0.0; LANES] };
        let tilted = threshold_field.iter().any(|t| *t < 0.0);
        // Most blocks need no tilt, and then not its odds either.
        let threshold = tilted.then(|| Odds::of(threshold_field));
        for (k, z) in z.iter().enumerate() {
            // Whole lanes in locals: the compiler sees that nothing aliases and vectorises.
            let odds = Odds::of(each(|i| y[i] * z[i]));
            self.hazard[k] = odds.hazard;
            (self.yes[k], self.no[k]) = match &threshold {
                Some(threshold) => odds.tilted(threshold, &threshold_field),
                None => (odds.yes, odds.no),
            };
        }
        self.untilt = threshold.map_or([1.0; LANES], |threshold| {
            let e = exp_lanes(threshold.exponent);
            each(|i| if threshold_field[i] < 0.0 { e[i] * threshold.ratio[i] } else { 1.0 })
        });
        self.convolve();
    }

    /// The [`threshold`]-th largest of the fields yz, or 0 where it is larger: nothing to tilt.
    #[inline(always)]
    fn threshold_field(&mut self, z: &[Lanes], y: Lanes) -> Lanes {
        let hidden = self.hidden();
        for (sorted, z) in self.sorted.iter_mut().zip(z) {
            *sorted = each(|i| y[i] * z[i]);
        }
        // Odd–even transposition: no branches, so all lanes sort together.
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

    /// Prefix and suffix counts up to the threshold, and the tilted probability of a majority.
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
        self.majority = self.carried();
    }

    /// Σ_{j ≥ c} Q(j) tilt^(c−j), ties halved: the last vote needed falls at branch k, and what follows is free but
    /// for the tilt.
    #[inline(always)]
    fn carried(&self) -> Lanes {
        let (hidden, c) = (self.hidden(), threshold(self.hidden()));
        let width = c + 1;
        // after = E[untilt^votes] of the branches after k.
        let mut after = [1.0; LANES];
        let mut sum = [0.0; LANES];
        for k in (0..hidden).rev() {
            let (before, yes, no) = (self.prefix[k * width + c - 1], self.yes[k], self.no[k]);
            for i in 0..LANES {
                sum[i] += before[i] * yes[i] * after[i];
                after[i] *= no[i] + yes[i] * self.untilt[i];
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

    /// Tilted probability of a majority, a tie counted half.
    #[inline(always)]
    pub(in crate::feedforward) fn majority(&self) -> Lanes {
        self.majority
    }

    /// ∂ P(majority)/∂t_k, tilted like [`Self::majority`]: k votes for the label, and decides.
    #[inline(always)]
    pub(in crate::feedforward) fn slope(&self, k: usize) -> Lanes {
        let (hazard, yes, pivot) = (self.hazard[k], self.yes[k], self.pivot(k));
        each(|i| hazard[i] * yes[i] * pivot[i])
    }

    /// How probable it is (tilted) that the vote of branch k decides.
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
        each(|i| 0.5 * (one_short[i] + tied[i] * self.untilt[i]))
    }
}

/// What a field says of its branch's vote, eight at once.
struct Odds {
    /// Φ(t), Φ(−t), φ(t)/Φ(t).
    yes: Lanes,
    no: Lanes,
    hazard: Lanes,
    /// The odds Φ(t)/Φ(−t) are e^exponent · ratio, with exponent = ±t²/2.
    exponent: Lanes,
    ratio: Lanes,
}

impl Odds {
    #[inline(always)]
    fn of(t: Lanes) -> Self {
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

    /// The probabilities of a vote and of none once all odds are divided by those of the `threshold` field; as they
    /// are where that field is not negative.
    #[inline(always)]
    fn tilted(&self, threshold: &Self, field: &Lanes) -> (Lanes, Lanes) {
        // e^±600 is as good as certainty, and its inverse still a number.
        const CERTAIN: f64 = 600.0;
        let exponent: Lanes = each(|i| {
            let exponent = self.exponent[i] - threshold.exponent[i];
            let exponent = if exponent > CERTAIN { CERTAIN } else { exponent };
            if exponent < -CERTAIN { -CERTAIN } else { exponent }
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

/// ln of the probability that the branches carry `y`.
pub(in crate::feedforward) fn ln_majority(z: &[f64], y: f64) -> f64 {
    let lanes: Vec<Lanes> = z.iter().map(|z| [*z; LANES]).collect();
    let mut votes = Votes::new(z.len());
    votes.count(&lanes, [y; LANES], true);
    let c = threshold(z.len());
    // Undo the tilt: Π (1−p)(1+odds·tilt) · tilt^−c, with 1+odds·tilt = 1/no.
    let t_c = votes.threshold_field(&lanes, [y; LANES])[0];
    if t_c >= 0.0 {
        return libm::log(votes.majority[0]);
    }
    let ln_odds = |t: f64| {
        let odds = Odds::of([t; LANES]);
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

/// ⟨σ⟩ of the noiseless committee whose fields have means `z` in units of their deviations, eq. (9).
pub fn mean_output(z: &[f64]) -> f64 {
    if let [z] = z {
        return 2.0 * phi(*z) - 1.0;
    }
    2.0 * each_majority(z, z.len(), &[1.0])[0] - 1.0
}

/// Probability that the branches of each example carry its label, a tie counted half: fields `z` (m×`hidden`, in units of
/// their deviations) and labels `y` = ±1 (m). Accurate however small, until it underflows.
pub(in crate::feedforward) fn each_majority(z: &[f64], hidden: usize, y: &[f64]) -> Vec<f64> {
    if hidden == 1 {
        return z.iter().zip(y).map(|(z, y)| phi(y * z)).collect();
    }
    let mut votes = Votes::new(hidden);
    let mut all = Vec::with_capacity(y.len());
    for (z, y) in z.chunks(hidden * LANES).zip(y.chunks(LANES)) {
        // What is missing in the last block counts for nothing: the last example again.
        let of = |i: usize| i.min(y.len() - 1);
        let fields: Vec<Lanes> = (0..hidden).map(|k| each(|i| z[of(i) * hidden + k])).collect();
        votes.count(&fields, each(|i| y[of(i)]), false);
        all.extend(&votes.majority[..y.len()]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace over all 2^K outputs, as eq. (7) is printed.
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
    fn the_count_of_votes_is_the_trace_over_all_outputs() {
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
    fn examples_are_counted_eight_at_a_time_whatever_their_number() {
        for hidden in [1, 2, 3] {
            for m in [1, 7, 8, 19] {
                let z: Vec<f64> = (0..m * hidden).map(|i| 3.0 * libm::sin(1.7 * i as f64)).collect();
                let y: Vec<f64> = (0..m).map(|i| if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
                let all = each_majority(&z, hidden, &y);
                assert_eq!(all.len(), m);
                for ((z, y), ours) in z.chunks_exact(hidden).zip(y).zip(all) {
                    assert!((ours - majority_by_trace(z, y)).abs() < 1e-14, "{z:?} {y}");
                }
            }
        }
    }
}
