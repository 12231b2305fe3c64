//! Monte Carlo estimates of the moments of a network's output: the inputs and all weights are drawn anew for each sample.

use serde::{Deserialize, Serialize};

use super::solver::network::Network;
use crate::math::lanes::{LANES, tanh_lanes};
use crate::math::random::Stream;

/// Number of initial draws that set the range of the histogram.
const PILOT_DRAWS: usize = 1_000;
/// Number of histogram bins.
const BINS: usize = 60;

/// A network with uncertain weights, and the distribution of its input.
#[derive(Clone, Debug)]
pub struct NetworkInput {
    /// The network.
    pub network: Network,
    /// Means s̄ of the input, n.
    pub mean: Vec<f64>,
    /// Variances s̃ of the input, n.
    pub var: Vec<f64>,
}

/// Monte Carlo estimates of the moments of the output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutputEstimate {
    /// Number of draws.
    pub draws: usize,
    /// Mean of each output, m.
    pub mean: Vec<f64>,
    /// Variance of each output, m.
    pub var: Vec<f64>,
    /// Standard error of the means, m.
    pub mean_se: Vec<f64>,
    /// Standard error of the variances, m.
    pub var_se: Vec<f64>,
    /// Lower end of the histogram of the first output, and the width of a bin.
    pub bins: (f64, f64),
    /// Density of the first output in each bin.
    pub density: Vec<f64>,
}

/// A Monte Carlo run in progress.
pub struct OutputSampler {
    stream: Stream,
    draws: usize,
    /// Means of the pilot draws, m. Power sums are taken about them to avoid cancellation.
    origin: Vec<f64>,
    /// Σ (f−origin)^p for p = 1…4, of each output.
    powers: Vec<[f64; 4]>,
    /// Pilot draws of the output.
    pilot: Vec<Vec<f64>>,
    bins: (f64, f64),
    counts: Vec<usize>,
}

impl OutputSampler {
    /// Creates a run without draws for `channels` outputs.
    pub fn new(channels: usize, stream: Stream) -> Self {
        Self {
            stream,
            draws: 0,
            origin: Vec::new(),
            powers: vec![[0.0; 4]; channels],
            pilot: Vec::new(),
            bins: (0.0, 1.0),
            counts: vec![0; BINS],
        }
    }

    /// Returns the work of a draw in multiply–adds; a normal deviate counts as twenty.
    pub fn cost(inputs: &NetworkInput) -> u64 {
        let network = &inputs.network;
        let weights = network.first.len() + network.second.len() + 2 * network.hidden;
        (20 * (weights + inputs.mean.len() + network.channels)) as u64
    }

    /// Returns the number of draws.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Adds a draw of the output.
    pub fn draw(&mut self, inputs: &NetworkInput) {
        let f = self.output(inputs);
        self.draws += 1;
        if self.pilot.len() < PILOT_DRAWS {
            self.pilot.push(f);
            if self.pilot.len() == PILOT_DRAWS {
                self.finish_pilot();
            }
            return;
        }
        self.add(&f);
    }

    /// Sets the origin and the bins from the pilot draws, and counts these draws.
    fn finish_pilot(&mut self) {
        let count = self.pilot.len() as f64;
        let channels = self.powers.len();
        self.origin = (0..channels).map(|k| self.pilot.iter().map(|f| f[k]).sum::<f64>() / count).collect();
        let first_output = || self.pilot.iter().map(|f| f[0]);
        let low = first_output().fold(f64::INFINITY, f64::min);
        let high = first_output().fold(f64::NEG_INFINITY, f64::max);
        let margin = 0.1 * (high - low) + 1e-9 * high.abs() + 1e-300;
        let low = low - margin;
        self.bins = (low, (high + margin - low) / BINS as f64);
        for f in self.pilot.clone() {
            self.add(&f);
        }
    }

    /// Adds a draw to the power sums and to the histogram.
    fn add(&mut self, f: &[f64]) {
        for ((powers, f), origin) in self.powers.iter_mut().zip(f).zip(&self.origin) {
            let deviation = f - origin;
            for (p, sum) in powers.iter_mut().enumerate() {
                *sum += deviation.powi(p as i32 + 1);
            }
        }
        let bin = (f[0] - self.bins.0) / self.bins.1;
        if (0.0..BINS as f64).contains(&bin) {
            self.counts[bin as usize] += 1;
        }
    }

    /// Returns f(s) for random s, A, a, B and b.
    fn output(&mut self, inputs: &NetworkInput) -> Vec<f64> {
        let network = &inputs.network;
        let stream = &mut self.stream;
        let mut normal = |mean: f64, var: f64| mean + var.sqrt() * stream.normal();
        let s: Vec<f64> =
            inputs.mean.iter().zip(&inputs.var).map(|(mean, var)| normal(*mean, *var)).collect();
        let mut g: Vec<f64> = (0..network.hidden)
            .map(|j| {
                let bias = network.first_bias.get(j);
                let mut y = normal(bias.mean, bias.var);
                for (i, s) in s.iter().enumerate() {
                    let weight = network.first.get(j * inputs.mean.len() + i);
                    y += normal(weight.mean, weight.var) * s;
                }
                y
            })
            .collect();
        for chunk in g.chunks_mut(LANES) {
            let mut lanes = [0.0; LANES];
            lanes[..chunk.len()].copy_from_slice(chunk);
            let lanes = tanh_lanes(lanes);
            chunk.copy_from_slice(&lanes[..chunk.len()]);
        }
        (0..network.channels)
            .map(|k| {
                let bias = network.second_bias.get(k);
                let mut f = normal(bias.mean, bias.var);
                for (j, g) in g.iter().enumerate() {
                    let weight = network.second.get(k * network.hidden + j);
                    f += normal(weight.mean, weight.var) * g;
                }
                f
            })
            .collect()
    }

    /// Returns the estimates from the draws so far; zero draws before the pilot is complete.
    pub fn estimate(&self) -> OutputEstimate {
        if self.origin.is_empty() {
            return OutputEstimate::default();
        }
        let count = self.draws as f64;
        let mut out = OutputEstimate { draws: self.draws, bins: self.bins, ..OutputEstimate::default() };
        for (powers, origin) in self.powers.iter().zip(&self.origin) {
            let [first, second, third, fourth] = powers.map(|sum| sum / count);
            let var = second - first * first;
            let kurtosis = fourth - 4.0 * first * third + 6.0 * first * first * second - 3.0 * first.powi(4);
            out.mean.push(origin + first);
            out.var.push(var);
            out.mean_se.push((var / count).sqrt());
            out.var_se.push(((kurtosis - var * var).max(0.0) / count).sqrt());
        }
        out.density = self.counts.iter().map(|c| *c as f64 / (count * self.bins.1)).collect();
        out
    }
}
