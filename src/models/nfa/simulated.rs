//! Simulated data with known sources: a helix in three dimensions, and nonlinear mixtures of super- and sub-Gaussian sources.

use super::solver::network::Network;
use crate::math::random::{Purpose, Stream};

/// Noise standard deviation of the helix.
pub const HELIX_NOISE: f64 = 0.05;
/// Noise standard deviation of the mixtures.
pub const MIXTURE_NOISE: f64 = 0.1;

/// Factor of the inputs of the hidden units of a saturating mixing: linear ICA then has a signal-to-noise ratio of 1 to
/// 3 dB, depending on the seed.
const SATURATING_GAIN: f64 = 2.0;

/// Measurements with their true sources.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedData {
    /// Measurements, T rows of m.
    pub rows: Vec<Vec<f64>>,
    /// Measurements without noise, T rows of m.
    pub clean: Vec<Vec<f64>>,
    /// True sources, T rows.
    pub sources: Vec<Vec<f64>>,
    /// Noise standard deviation of every channel.
    pub noise: f64,
}

/// Returns the point (sin πs, cos πs, s) of the helix.
pub fn helix_at(s: f64) -> [f64; 3] {
    let angle = std::f64::consts::PI * s;
    [libm::sin(angle), libm::cos(angle), s]
}

/// Simulates `samples` noisy points of the helix with s ~ N(0, 1).
pub fn helix(samples: usize, seed: u64) -> SimulatedData {
    let mut stream = Stream::for_purpose(seed, Purpose::NfaData, 0);
    let sources: Vec<Vec<f64>> = (0..samples).map(|_| vec![stream.normal()]).collect();
    let clean = sources.iter().map(|s| helix_at(s[0]).to_vec()).collect();
    noisy(clean, sources, HELIX_NOISE, &mut stream)
}

/// A random mixing network f(s) = B g(c(As + a)) with standard normal weights.
#[derive(Clone, Copy, Debug)]
pub struct Mixing {
    /// Number of hidden units.
    pub hidden: usize,
    /// Activation g of the hidden units.
    pub activation: fn(f64) -> f64,
    /// Factor c of the inputs of the hidden units.
    pub gain: f64,
}

impl Mixing {
    /// Returns a mixing with the monotonic activation asinh, which linear methods undo in part.
    pub fn monotonic(hidden: usize) -> Self {
        Self { hidden, activation: libm::asinh, gain: 1.0 }
    }

    /// Returns a mixing with the activation tanh, most of whose units saturate, so that linear methods fail.
    pub fn saturating(hidden: usize) -> Self {
        Self { hidden, activation: libm::tanh, gain: SATURATING_GAIN }
    }
}

/// Simulates noisy nonlinear mixtures of `pairs` sources sinh(N) and `pairs` sources asinh(N), standardised.
///
/// The mixing is a random network; every channel is scaled to unit variance.
pub fn mixtures(samples: usize, pairs: usize, mixing: Mixing, channels: usize, seed: u64) -> SimulatedData {
    let Mixing { hidden, activation, gain } = mixing;
    let mut stream = Stream::for_purpose(seed, Purpose::NfaData, 0);
    let mut network = Network::new(2 * pairs, hidden, channels, 1.0);
    let groups = [&mut network.first, &mut network.first_bias, &mut network.second];
    for weight in groups.into_iter().flat_map(|group| &mut group.mean) {
        *weight = stream.normal();
    }
    for weight in network.first.mean.iter_mut().chain(&mut network.first_bias.mean) {
        *weight *= gain;
    }
    let mut sources: Vec<Vec<f64>> = (0..samples)
        .map(|_| {
            let source = |i: usize, x: f64| if i < pairs { libm::sinh(x) } else { libm::asinh(x) };
            (0..2 * pairs).map(|i| source(i, stream.normal())).collect()
        })
        .collect();
    standardise(&mut sources);
    let mut clean: Vec<Vec<f64>> = sources.iter().map(|s| mixed(&network, activation, s)).collect();
    standardise(&mut clean);
    noisy(clean, sources, MIXTURE_NOISE, &mut stream)
}

/// Returns B g(As + a).
fn mixed(network: &Network, activation: fn(f64) -> f64, s: &[f64]) -> Vec<f64> {
    let rows = network.first.mean.chunks_exact(s.len()).zip(&network.first_bias.mean);
    let hidden: Vec<f64> = rows
        .map(|(row, bias)| activation(bias + row.iter().zip(s).map(|(a, s)| a * s).sum::<f64>()))
        .collect();
    let rows = network.second.mean.chunks_exact(hidden.len());
    rows.map(|row| row.iter().zip(&hidden).map(|(b, g)| b * g).sum()).collect()
}

/// Scales every column to mean 0 and variance 1.
fn standardise(rows: &mut [Vec<f64>]) {
    let count = rows.len() as f64;
    for k in 0..rows.first().map_or(0, Vec::len) {
        let mean = rows.iter().map(|row| row[k]).sum::<f64>() / count;
        let var = rows.iter().map(|row| (row[k] - mean) * (row[k] - mean)).sum::<f64>() / count;
        for row in rows.iter_mut() {
            row[k] = (row[k] - mean) / var.sqrt();
        }
    }
}

/// Adds noise to the clean measurements.
fn noisy(clean: Vec<Vec<f64>>, sources: Vec<Vec<f64>>, noise: f64, stream: &mut Stream) -> SimulatedData {
    let rows = clean.iter().map(|row| row.iter().map(|x| x + noise * stream.normal()).collect()).collect();
    SimulatedData { rows, clean, sources, noise }
}
