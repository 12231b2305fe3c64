//! Averages over the independent cavity fields z_k ~ N(0, spread²) of many branches, for which a tensor rule takes too many points.
//!
//! A branch with |z| > 5.5 counts as decided: its vote is a fair coin. The number of undecided branches is binomial. For each such
//! number (a stratum) their fields are integrated by a lattice, and the votes of the decided ones are summed over exactly. The error
//! of the lattice is largely a function of the expected votes m = Σ(2Φ(z_k)−1) and of sums such as v = Σ 4Φ(z_k)Φ(−z_k). The averages
//! of cos(ωm) and v·cos(ωm) over independent branches are products, hence known, and serve as control variates.

use std::f64::consts::FRAC_1_SQRT_2;

use super::controls::{Controls, Regression};
use super::tensor::label_variance;
use crate::math::binomial::binomial;
use crate::math::lanes::{self, LANES, Lanes, each, erfcx_lanes, exp, exp_lanes, map};
use crate::math::special::{INV_SQRT_2PI, phi, quantile};

/// Field beyond which the vote of a branch counts as decided: Φ(−5.5) = 2e-8.
const DECIDED: f64 = 5.5;
/// Probability of a stratum below which it is left out, relative to that of any undecided branch.
const MIN_STRATUM_SHARE: f64 = 1e-7;
/// Probability of the less probable output below which slopes are 0.
const MIN_MINORITY: f64 = 1e-10;

/// Averages of replica theory over the fields of K branches.
#[derive(Clone, Copy, Debug)]
pub(in crate::feedforward) struct LatticeMeans {
    /// ⟨(∂⟨σ⟩/∂z_k)² / (1−τ²⟨σ⟩²)⟩ of any branch k.
    pub slope: f64,
    /// ⟨(1−|⟨σ⟩|)/2⟩.
    pub minority: f64,
}

/// Integration points for K branches.
pub(in crate::feedforward) struct Lattice {
    hidden: usize,
    /// One stratum for each number of undecided branches, K+1.
    strata: Vec<Stratum>,
}

/// Fields of which a given number is undecided.
struct Stratum {
    undecided: usize,
    /// Number of blocks of eight points.
    blocks: usize,
    /// Steps of the Kronecker lattice, one for each undecided branch.
    steps: Vec<f64>,
    /// Probability of each number of votes among the decided branches.
    coins: Vec<f64>,
}

impl Lattice {
    /// Returns points for `hidden` branches.
    pub fn new(hidden: usize) -> Self {
        let points = match hidden {
            ..10 => 8192.0,
            10..=25 => 4096.0,
            _ => 2048.0,
        };
        let strata = (0..=hidden).map(|undecided| {
            // In proportion to the largest probability of the stratum at any spread, so that points do not depend on the spread.
            let share = binomial(hidden, undecided as f64 / hidden as f64)[undecided];
            Stratum {
                undecided,
                blocks: if undecided == 0 { 1 } else { (points * share / LANES as f64).ceil() as usize },
                steps: steps(undecided),
                coins: binomial(hidden - undecided, 0.5),
            }
        });
        Self { hidden, strata: strata.collect() }
    }

    /// Returns the averages over fields z_k ~ N(0, spread²) at the contrast `tau`.
    pub fn means(&self, spread: f64, tau: f64) -> LatticeMeans {
        lanes::dispatch_simd(LatticeKernel { lattice: self, spread, tau })
    }
}

/// Returns the steps of a Kronecker lattice: powers of the generalised golden ratio, or square roots of primes in more than 20
/// dimensions, where those powers are close to each other.
fn steps(dimensions: usize) -> Vec<f64> {
    if dimensions > 20 {
        let prime = |n: &u32| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
        return (2..).filter(prime).take(dimensions).map(|n| f64::from(n).sqrt().fract()).collect();
    }
    // Solves x^(d+1) = x + 1.
    let order = (dimensions + 1) as f64;
    let ratio = (0..60).fold(1.5, |x: f64, _| exp(libm::log(1.0 + x) / order));
    (1..=dimensions).map(|k| exp(-(k as f64) * libm::log(ratio)).fract()).collect()
}

/// [`Lattice::means`] as a [`lanes::SimdKernel`].
struct LatticeKernel<'a> {
    lattice: &'a Lattice,
    spread: f64,
    tau: f64,
}

impl lanes::SimdKernel for LatticeKernel<'_> {
    type Output = LatticeMeans;
    #[inline(always)]
    fn run(self) -> LatticeMeans {
        let Self { lattice: Lattice { hidden, strata }, spread, tau } = self;
        let decided = 2.0 * phi(-DECIDED / spread);
        let shares = binomial(*hidden, 1.0 - decided);
        let controls = Controls::new(*hidden, spread, DECIDED, decided);
        let mut regression = Regression::new();
        let mut votes = UndecidedVotes::new(*hidden);
        for (stratum, share) in strata.iter().zip(&shares) {
            if stratum.undecided > 0 && *share < MIN_STRATUM_SHARE * (1.0 - shares[0]) {
                continue;
            }
            let weight = share / (stratum.blocks * LANES) as f64;
            let damping = controls.damping(*hidden - stratum.undecided);
            let mut point = vec![0.5; stratum.undecided];
            for _ in 0..stratum.blocks {
                for (k, x) in point.iter_mut().enumerate() {
                    let mut z = [0.0; LANES];
                    for z in &mut z {
                        *x = (*x + stratum.steps[k]).fract();
                        *z = spread * quantile(0.5 + (*x - 0.5) * (1.0 - decided));
                    }
                    votes.set_fields(k, z);
                }
                votes.count(stratum.undecided, hidden.is_multiple_of(2));
                let (slope, minority) = votes.means(*hidden, &stratum.coins, tau);
                let values = controls.values(&damping, votes.sums(stratum.undecided));
                regression.add(weight, [slope, minority], &values);
            }
        }
        let [slope, minority] = regression.averages();
        LatticeMeans { slope: slope / *hidden as f64, minority }
    }
}

/// Vote counts of the undecided branches at eight points at once. The counts of `tap/votes.rs` stop at one threshold and are tilted.
/// Here the threshold varies with the votes of the decided branches, and each branch is removed from the full count in O(K) instead
/// of O(K²).
struct UndecidedVotes {
    /// Φ(z_k).
    yes: Vec<Lanes>,
    /// Φ(−z_k).
    no: Vec<Lanes>,
    /// φ(z_k)².
    squares: Vec<Lanes>,
    /// counts[j]: probability of j votes.
    counts: Vec<Lanes>,
    /// Counts without one branch, by recurrence from below and from above.
    others: [Vec<Lanes>; 2],
    /// pivots[j]: Σ_k (φ(z_k) · P(the vote of k decides))², if j votes of the undecided branches make a tie.
    pivots: Vec<Lanes>,
}

impl UndecidedVotes {
    fn new(hidden: usize) -> Self {
        let zeros = || vec![[0.0; LANES]; hidden + 1];
        Self {
            yes: zeros(),
            no: zeros(),
            squares: zeros(),
            counts: zeros(),
            others: [zeros(), zeros()],
            pivots: zeros(),
        }
    }

    /// Sets the fields `z` of branch k.
    #[inline(always)]
    fn set_fields(&mut self, k: usize, z: Lanes) {
        let half_erfcx = map(erfcx_lanes(map(z, |z| z.abs() * FRAC_1_SQRT_2)), |erfcx| 0.5 * erfcx);
        let e = exp_lanes(map(z, |z| -0.5 * z * z));
        let tail: Lanes = each(|i| half_erfcx[i] * e[i]);
        self.yes[k] = each(|i| if z[i] < 0.0 { tail[i] } else { 1.0 - tail[i] });
        self.no[k] = each(|i| if z[i] < 0.0 { 1.0 - tail[i] } else { tail[i] });
        self.squares[k] = map(e, |e| INV_SQRT_2PI * INV_SQRT_2PI * e * e);
    }

    /// Counts the votes of the first `undecided` branches of a committee.
    #[inline(always)]
    fn count(&mut self, undecided: usize, even: bool) {
        self.counts[0] = [1.0; LANES];
        for k in 0..undecided {
            let (yes, no) = (self.yes[k], self.no[k]);
            self.counts[k + 1] = [0.0; LANES];
            let mut fewer = [0.0; LANES];
            for count in &mut self.counts[..=k + 1] {
                let was = *count;
                *count = each(|i| was[i] * no[i] + fewer[i] * yes[i]);
                fewer = was;
            }
        }
        self.pivots[..=undecided].fill([0.0; LANES]);
        for k in 0..undecided {
            // Removes branch k, in the direction in which rounding errors do not grow.
            let (yes, no) = (self.yes[k], self.no[k]);
            let [up, down] = &mut self.others;
            let (per_yes, per_no) = (map(yes, |p| 1.0 / p), map(no, |p| 1.0 / p));
            let mut last = [0.0; LANES];
            for j in 0..undecided {
                last = each(|i| (self.counts[j][i] - yes[i] * last[i]) * per_no[i]);
                up[j] = last;
            }
            last = [0.0; LANES];
            for j in (0..undecided).rev() {
                last = each(|i| (self.counts[j + 1][i] - no[i] * last[i]) * per_yes[i]);
                down[j] = last;
            }
            let mut fewer = [0.0; LANES];
            for j in 0..=undecided {
                let here: Lanes = if j == undecided {
                    [0.0; LANES]
                } else {
                    each(|i| if yes[i] > 0.5 { down[j][i] } else { up[j][i] })
                };
                // In an even committee a vote makes a majority of a tie, or a tie of a minority.
                let pivot: Lanes = if even { each(|i| 0.5 * (here[i] + fewer[i])) } else { here };
                for i in 0..LANES {
                    self.pivots[j][i] += self.squares[k][i] * pivot[i] * pivot[i];
                }
                fewer = here;
            }
        }
    }

    /// Returns Σ_k (∂⟨σ⟩/∂z_k)² / (1−τ²⟨σ⟩²) and (1−|⟨σ⟩|)/2 after [`UndecidedVotes::count`], averaged over the votes of the decided
    /// branches, whose distribution is `coins`.
    #[inline(always)]
    fn means(&self, hidden: usize, coins: &[f64], tau: f64) -> (Lanes, Lanes) {
        let undecided = hidden + 1 - coins.len();
        let (half, tie) = (hidden / 2, if hidden.is_multiple_of(2) { 0.5 } else { 1.0 });
        let (mut slope, mut minority) = ([0.0; LANES], [0.0; LANES]);
        let mut fewer = [0.0; LANES];
        let mut more = [0.0; LANES];
        for count in &self.counts[..=undecided] {
            for i in 0..LANES {
                more[i] += count[i];
            }
        }
        // With j votes of the undecided branches it is a tie, or one vote is missing to a majority.
        for j in 0..=undecided {
            let count = self.counts[j];
            for i in 0..LANES {
                more[i] -= count[i];
            }
            if let Some(share) = half.checked_sub(j).and_then(|votes| coins.get(votes)) {
                for i in 0..LANES {
                    let up = more[i] + (1.0 - tie) * count[i];
                    let down = fewer[i] + tie * count[i];
                    let least = if up < down { up } else { down };
                    let steep = 4.0 * self.pivots[j][i] / label_variance(tau, up, down);
                    slope[i] += if least > MIN_MINORITY { share * steep } else { 0.0 };
                    minority[i] += share * least;
                }
            }
            for i in 0..LANES {
                fewer[i] += count[i];
            }
        }
        (slope, minority)
    }

    /// Returns m, v and Σφ² of the first `undecided` branches.
    #[inline(always)]
    fn sums(&self, undecided: usize) -> [Lanes; 3] {
        let mut sums = [[0.0; LANES]; 3];
        for k in 0..undecided {
            for i in 0..LANES {
                let (yes, no) = (self.yes[k][i], self.no[k][i]);
                sums[0][i] += yes - no;
                sums[1][i] += 4.0 * yes * no;
                sums[2][i] += self.squares[k][i];
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedforward::tap::likelihood::Likelihood;
    use crate::feedforward::tap::votes;
    use crate::feedforward::theory::kink::bayes_error;
    use crate::feedforward::theory::mean_square_slope;
    use crate::math::random::Stream;
    use crate::math::stats::mean;

    #[test]
    fn lattice_agrees_with_the_tensor_rule() {
        for (hidden, beta) in [(2, 0.3), (3, 2.0), (3, f64::INFINITY), (4, 2.0), (4, f64::INFINITY)] {
            let likelihood = Likelihood::new(hidden, beta);
            let lattice = Lattice::new(hidden);
            for spread in [1e-6, 0.2, 1.0, 3.0, 10.0, 40.0, 1000.0] {
                let q = spread * spread / (1.0 + spread * spread);
                let ours = lattice.means(spread, likelihood.contrast());
                let slope = likelihood.contrast().powi(2) * ours.slope / (1.0 - q);
                for ratio in
                    [slope / mean_square_slope(&likelihood, q), ours.minority / bayes_error(&likelihood, q)]
                {
                    assert!((ratio - 1.0).abs() < 1e-3, "K={hidden}, β={beta}, spread {spread}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn lattice_agrees_with_random_fields() {
        for (hidden, spread) in [(6, 3.0), (15, 9.0), (51, 1.0), (51, 9.0), (52, 30.0)] {
            let mut stream = Stream::of(1, hidden as u64);
            let mut votes = votes::VoteCounter::new(hidden);
            let mut z = vec![[0.0; LANES]; hidden];
            let blocks = 160_000 / hidden;
            let mut minorities = Vec::new();
            for _ in 0..blocks {
                z.iter_mut().flatten().for_each(|z| *z = spread * stream.normal());
                minorities.extend(votes.plus_probability(&z).map(|up| up.min(1.0 - up)));
            }
            let random = mean(minorities.iter().copied());
            let ours = Lattice::new(hidden).means(spread, 1.0).minority;
            assert!(
                (ours - random.mean).abs() < 3.0 * random.se,
                "K={hidden}, spread {spread}: {ours} {random:?}"
            );
        }
    }
}
