//! The exact posterior of the student's weights, and independent draws from the prior weighted by their likelihoods (importance
//! sampling; rejection sampling without noise). `math::exact_hmc` has a Markov chain for it.

use crate::data::teacher::LabelledExamples;
use crate::math::covariance::InputCovariance;
use crate::math::exact_hmc::{ExactHmc, StepLikelihood, sign};
use crate::math::lanes::{LANES, dot};
use crate::math::random::Stream;

/// Posterior of a committee's weights: prior N(0, C⁻¹) in each branch, labels flipped with a given probability. Inputs are stored
/// white, so that the prior of the stored weights is N(0, I).
#[derive(Clone, Debug)]
pub struct WeightPosterior {
    /// White inputs, m×N, one example per row.
    rows: Vec<f64>,
    labels: Vec<f64>,
    hidden: usize,
    inputs: usize,
    /// Log likelihood of a label equal to the output.
    ln_right: f64,
    /// Log likelihood of a label different from the output.
    ln_wrong: f64,
    /// Log likelihood of a label in a tie.
    ln_tie: f64,
    covariance: InputCovariance,
}

impl WeightPosterior {
    /// Returns the posterior of a committee of `hidden` branches given all `examples`.
    pub fn new(
        examples: &LabelledExamples,
        hidden: usize,
        flip_probability: f64,
        covariance: InputCovariance,
    ) -> Self {
        let inputs = examples.inputs();
        let blocks: Vec<&[f64]> = examples.blocks().collect();
        let mut rows: Vec<f64> = (0..examples.len())
            .flat_map(|i| (0..inputs).map(move |j| (i, j)))
            .map(|(i, j)| blocks[i / LANES][j * LANES + i % LANES])
            .collect();
        rows.chunks_exact_mut(inputs / hidden).for_each(|s| covariance.whiten(s));
        Self {
            rows,
            labels: examples.labels().to_vec(),
            hidden,
            inputs,
            ln_right: libm::log1p(-flip_probability),
            ln_wrong: if flip_probability > 0.0 { libm::log(flip_probability) } else { f64::NEG_INFINITY },
            ln_tie: -std::f64::consts::LN_2,
            covariance,
        }
    }

    /// Returns the number of inputs N.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the number of examples m.
    pub fn examples(&self) -> usize {
        self.labels.len()
    }

    /// Returns the inputs of a branch n.
    pub(in crate::feedforward) fn branch(&self) -> usize {
        self.inputs / self.hidden
    }

    /// Returns the multiply–adds of one weighted draw.
    pub fn cost(&self) -> usize {
        self.rows.len() + 20 * self.inputs
    }

    /// Converts weights on white inputs to weights on the original inputs, in place.
    pub fn colour_weights(&self, w: &mut [f64]) {
        w.chunks_exact_mut(self.branch()).for_each(|w| self.covariance.colour_weights(w));
    }

    /// Returns a chain that starts at the weights `w` (N); `None` if they have zero probability.
    pub fn chain(&self, w: &[f64]) -> Option<ExactHmc> {
        let mut u = w.to_vec();
        u.chunks_exact_mut(self.branch()).for_each(|w| self.covariance.whiten_weights(w));
        Some(ExactHmc::new(self, &u, self.branch())).filter(|chain| chain.is_possible(self))
    }

    /// Returns the log odds of a correct label, β; infinite without noise.
    pub fn log_odds(&self) -> f64 {
        self.ln_right - self.ln_wrong
    }

    /// Returns the posterior with other log odds of a correct label; 0 gives the prior.
    pub fn tempered(&self, log_odds: f64) -> TemperedPosterior<'_> {
        let wrong = libm::exp(-log_odds);
        TemperedPosterior { posterior: self, ln_wrong: -log_odds, ln_tie: libm::log(0.5 * (1.0 + wrong)) }
    }
}

/// Posterior with other log odds of a correct label, whose likelihood is normalised to 1; see [`WeightPosterior::tempered`].
#[derive(Clone, Copy, Debug)]
pub struct TemperedPosterior<'a> {
    posterior: &'a WeightPosterior,
    ln_wrong: f64,
    ln_tie: f64,
}

impl StepLikelihood for TemperedPosterior<'_> {
    fn rows(&self, k: usize) -> impl Iterator<Item = &[f64]> {
        self.posterior.rows(k)
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        match f64::from(balance) * self.posterior.labels[i] {
            agreement if agreement > 0.0 => 0.0,
            agreement if agreement < 0.0 => self.ln_wrong,
            _ => self.ln_tie,
        }
    }
}

impl StepLikelihood for WeightPosterior {
    fn rows(&self, k: usize) -> impl Iterator<Item = &[f64]> {
        let n = self.branch();
        self.rows.chunks_exact(self.inputs).map(move |row| &row[k * n..(k + 1) * n])
    }

    fn ln_likelihood(&self, i: usize, balance: i32) -> f64 {
        match f64::from(balance) * self.labels[i] {
            agreement if agreement > 0.0 => self.ln_right,
            agreement if agreement < 0.0 => self.ln_wrong,
            _ => self.ln_tie,
        }
    }
}

/// Draws weights from the prior, N; returns them with their log likelihood.
pub fn weighted_draw(posterior: &WeightPosterior, stream: &mut Stream) -> (Vec<f64>, f64) {
    let mut w: Vec<f64> = (0..posterior.inputs).map(|_| stream.normal()).collect();
    let mut balances = vec![0_i32; posterior.labels.len()];
    for (k, w) in w.chunks_exact(posterior.branch()).enumerate() {
        for (balance, x) in balances.iter_mut().zip(posterior.rows(k)) {
            *balance += sign(dot(x, w));
        }
    }
    let ln_weight =
        balances.iter().enumerate().map(|(i, balance)| posterior.ln_likelihood(i, *balance)).sum();
    posterior.colour_weights(&mut w);
    (w, ln_weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::teacher::{InputDistribution, Teacher, TeacherRule};
    use crate::math::stats::mean;

    fn posterior(
        hidden: usize,
        m: usize,
        flips: f64,
        covariance: InputCovariance,
    ) -> (WeightPosterior, Vec<f64>) {
        let inputs = InputDistribution { branch: 4, covariance, ..InputDistribution::white(4 * hidden) };
        let mut teacher = Teacher::draw(TeacherRule::Committee(hidden), inputs, flips, Stream::of(3, 1));
        let mut examples = LabelledExamples::new(4 * hidden);
        teacher.extend(&mut examples, m);
        let mut w = teacher.weights().to_vec();
        w.chunks_exact_mut(4).for_each(|w| covariance.colour_weights(w));
        (WeightPosterior::new(&examples, hidden, flips, covariance), w)
    }

    /// Covers labels with and without noise, one branch, three, and two with ties.
    #[test]
    fn chain_and_weighted_draws_agree() {
        for (hidden, m, flips, rho) in
            [(1, 8, 0.0, 0.0), (1, 12, 0.2, 0.7), (3, 10, 0.1, 0.0), (2, 8, 0.0, 0.0)]
        {
            let (posterior, start) = posterior(hidden, m, flips, InputCovariance::ar1(rho));
            let mut stream = Stream::of(17, hidden as u64);
            let (mut total, mut sums) = (0.0, vec![0.0; start.len()]);
            for _ in 0..150_000 {
                let (w, ln) = weighted_draw(&posterior, &mut stream);
                let weight = libm::exp(ln);
                total += weight;
                sums.iter_mut().zip(&w).for_each(|(sum, w)| *sum += weight * w);
            }
            let mut chain = posterior.chain(&start).unwrap();
            let mut batches = vec![Vec::new(); start.len()];
            for _ in 0..40 {
                let mut batch = vec![0.0; start.len()];
                for _ in 0..200 {
                    while !chain.step(&posterior, &mut stream) {}
                    let mut w = chain.weights();
                    posterior.colour_weights(&mut w);
                    batch.iter_mut().zip(w).for_each(|(sum, w)| *sum += w / 200.0);
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
