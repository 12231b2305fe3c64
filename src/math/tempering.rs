//! Parallel tempering (Swendsen & Wang, Phys. Rev. Lett. 57, 2607 (1986); Geyer, Computing Science and Statistics 23, 156 (1991)):
//! chains at several temperatures of the likelihood that exchange positions, so that the coldest moves between modes.

use super::hmc::{Density, Hmc, Whitening};
use super::random::Stream;

/// A posterior density whose likelihood can be raised to a power.
pub trait Temperable {
    /// Returns the log prior plus `power` times the log likelihood at `x`, up to a constant, and writes its gradient to `gradient`.
    fn ln_tempered(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64;

    /// Returns the log likelihood at `x`.
    fn ln_likelihood(&self, x: &[f64]) -> f64;
}

/// The target at one power of the likelihood.
struct TemperedTarget<'a, T> {
    target: &'a T,
    power: f64,
}

impl<T: Temperable> Density for TemperedTarget<'_, T> {
    fn ln_density(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.target.ln_tempered(self.power, x, gradient)
    }
}

/// Chains at several powers of the likelihood; the first power is 1.
#[derive(Clone, Debug)]
pub struct Tempering {
    powers: Vec<f64>,
    chains: Vec<Hmc>,
    stream: Stream,
    /// Index of the chain that moves next.
    current: usize,
    sweeps: usize,
}

impl Tempering {
    /// Starts `count` chains at `start`, with powers 1, `ratio`, `ratio`², …. The first `warmup` moves tune the step sizes.
    pub fn new(
        target: &impl Temperable,
        whitening: &Whitening,
        start: &[f64],
        warmup: usize,
        (count, ratio): (usize, f64),
        stream: Stream,
    ) -> Self {
        let seed = stream.clone().bits();
        let powers: Vec<f64> = (0..count as i32).map(|i| ratio.powi(i)).collect();
        let hmc = |power: f64, stream| {
            Hmc::new(&TemperedTarget { target, power }, whitening.clone(), start, warmup, stream)
        };
        let hot = powers.iter().enumerate().skip(1).map(|(i, power)| hmc(*power, Stream::of(seed, i as u64)));
        let hot: Vec<Hmc> = hot.collect();
        let chains = std::iter::once(hmc(1.0, stream)).chain(hot).collect();
        Self { powers, chains, stream: Stream::of(seed, 0), current: 0, sweeps: 0 }
    }

    /// Returns the chain at power 1.
    pub fn cold(&self) -> &Hmc {
        &self.chains[0]
    }

    /// Makes one evaluation of the density. Returns true when every chain has moved and neighbours have been exchanged.
    pub fn step(&mut self, target: &impl Temperable) -> bool {
        let power = self.powers[self.current];
        if !self.chains[self.current].step(&TemperedTarget { target, power }) {
            return false;
        }
        self.current = (self.current + 1) % self.chains.len();
        if self.current > 0 {
            return false;
        }
        self.exchange(target);
        true
    }

    /// Proposes to exchange the places of pairs of neighbours, even and odd pairs in turn.
    fn exchange(&mut self, target: &impl Temperable) {
        for i in (self.sweeps % 2..self.chains.len() - 1).step_by(2) {
            let (here, there) = (self.chains[i].position().to_vec(), self.chains[i + 1].position().to_vec());
            let gain = target.ln_likelihood(&there) - target.ln_likelihood(&here);
            let ratio = (self.powers[i] - self.powers[i + 1]) * gain;
            if libm::log(self.stream.uniform()) < ratio {
                self.chains[i].set_position(&TemperedTarget { target, power: self.powers[i] }, &there);
                self.chains[i + 1].set_position(&TemperedTarget { target, power: self.powers[i + 1] }, &here);
            }
        }
        self.sweeps += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prior N(0, 4²); the likelihood has two narrow peaks, at 3 with weight 3/4 and at −3 with 1/4.
    struct TwoPeaks;

    const SD: f64 = 0.2;

    impl TwoPeaks {
        fn peaks(x: f64) -> [f64; 2] {
            [(3.0, 0.75), (-3.0, 0.25)]
                .map(|(at, weight): (f64, f64)| libm::log(weight) - 0.5 * ((x - at) / SD).powi(2))
        }
    }

    impl Temperable for TwoPeaks {
        fn ln_tempered(&self, power: f64, x: &[f64], gradient: &mut [f64]) -> f64 {
            let [a, b] = Self::peaks(x[0]);
            let share = 1.0 / (1.0 + libm::exp(b - a));
            let slope = (share * (3.0 - x[0]) + (1.0 - share) * (-3.0 - x[0])) / (SD * SD);
            gradient[0] = power * slope - x[0] / 16.0;
            power * self.ln_likelihood(x) - x[0] * x[0] / 32.0
        }

        fn ln_likelihood(&self, x: &[f64]) -> f64 {
            let [a, b] = Self::peaks(x[0]);
            a.max(b) + libm::log1p(libm::exp(-(a - b).abs()))
        }
    }

    /// Returns the share of draws at the larger peak.
    fn share(count: usize) -> f64 {
        let whitening = Whitening::new(vec![0.0], vec![1.0]);
        let mut chains = Tempering::new(&TwoPeaks, &whitening, &[-3.0], 500, (count, 0.4), Stream::of(1, 0));
        let (mut draws, mut right) = (0, 0);
        while draws < 20_000 {
            let warming = chains.cold().is_warming_up();
            if chains.step(&TwoPeaks) && !warming {
                draws += 1;
                right += usize::from(chains.cold().position()[0] > 0.0);
            }
        }
        right as f64 / f64::from(draws as u32)
    }

    #[test]
    fn separated_peaks_are_visited_in_proportion_to_their_weights() {
        assert_eq!(share(1), 0.0, "a single chain stays at its start");
        // The prior density is equal at both peaks.
        let tempered = share(7);
        assert!((tempered - 0.75).abs() < 0.05, "{tempered}");
    }
}
