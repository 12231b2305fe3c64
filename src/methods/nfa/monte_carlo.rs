//! Monte Carlo through a network: inputs and all weights drawn anew each time.

use serde::{Deserialize, Serialize};

use super::solver::network::Network;
use crate::math::lanes::{LANES, tanh_lanes};
use crate::math::random::Stream;

/// Draws that are kept to find where the histogram is to lie.
const FIRST: usize = 1_000;
/// Bins of the histogram.
const BINS: usize = 60;

/// A network, and means and variances of its inputs.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// All weights.
    pub network: Network,
    /// s̄, n.
    pub mean: Vec<f64>,
    /// s̃, n.
    pub var: Vec<f64>,
}

/// Draws of the output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    /// How many.
    pub draws: usize,
    /// Mean of each output, m.
    pub mean: Vec<f64>,
    /// Variance of each output, m.
    pub var: Vec<f64>,
    /// Standard error of the means, m.
    pub mean_se: Vec<f64>,
    /// Standard error of the variances, m.
    pub var_se: Vec<f64>,
    /// Where the histogram of the first output begins, and the width of a bin.
    pub bins: (f64, f64),
    /// Density of the first output in each bin.
    pub density: Vec<f64>,
}

/// Draws so far.
pub struct Sampling {
    stream: Stream,
    draws: usize,
    /// Mean of the first draws, from which all are measured: no sum cancels.
    origin: Vec<f64>,
    /// Σ (f−origin)^p for p = 1…4, of each output.
    powers: Vec<[f64; 4]>,
    /// The first draws of the first output; then there are bins.
    first: Vec<Vec<f64>>,
    bins: (f64, f64),
    counts: Vec<usize>,
}

impl Sampling {
    /// Nothing drawn yet.
    pub fn new(channels: usize, stream: Stream) -> Self {
        Self {
            stream,
            draws: 0,
            origin: Vec::new(),
            powers: vec![[0.0; 4]; channels],
            first: Vec::new(),
            bins: (0.0, 1.0),
            counts: vec![0; BINS],
        }
    }

    /// Multiply–adds of a draw, a normal number counted as twenty.
    pub fn cost(inputs: &Inputs) -> u64 {
        let network = &inputs.network;
        let weights = network.first.len() + network.second.len() + 2 * network.hidden;
        (20 * (weights + inputs.mean.len() + network.channels)) as u64
    }

    /// How many there are.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Another draw.
    pub fn draw(&mut self, inputs: &Inputs) {
        let f = self.output(inputs);
        self.draws += 1;
        if self.first.len() < FIRST {
            self.first.push(f);
            if self.first.len() == FIRST {
                self.settle();
            }
            return;
        }
        self.add(&f);
    }

    /// The first draws say where the others lie.
    fn settle(&mut self) {
        let count = self.first.len() as f64;
        let channels = self.powers.len();
        self.origin = (0..channels).map(|k| self.first.iter().map(|f| f[k]).sum::<f64>() / count).collect();
        let own = || self.first.iter().map(|f| f[0]);
        let (low, high) = (own().fold(f64::INFINITY, f64::min), own().fold(f64::NEG_INFINITY, f64::max));
        let room = 0.1 * (high - low) + 1e-9 * high.abs() + 1e-300;
        let low = low - room;
        self.bins = (low, (high + room - low) / BINS as f64);
        for f in self.first.clone() {
            self.add(&f);
        }
    }

    fn add(&mut self, f: &[f64]) {
        for ((powers, f), origin) in self.powers.iter_mut().zip(f).zip(&self.origin) {
            let off = f - origin;
            for (p, sum) in powers.iter_mut().enumerate() {
                *sum += off.powi(p as i32 + 1);
            }
        }
        let place = (f[0] - self.bins.0) / self.bins.1;
        if (0.0..BINS as f64).contains(&place) {
            self.counts[place as usize] += 1;
        }
    }

    /// f(s) with everything drawn.
    fn output(&mut self, inputs: &Inputs) -> Vec<f64> {
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

    /// Means and variances so far.
    pub fn sampled(&self) -> Sampled {
        if self.origin.is_empty() {
            return Sampled::default();
        }
        let count = self.draws as f64;
        let mut out = Sampled { draws: self.draws, bins: self.bins, ..Sampled::default() };
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
