//! One fit from beginning to end: the data brought to one scale, learning, and what is seen of it in the data's own units.

use serde::{Deserialize, Serialize};

use super::solver::cost::{Parts, hidden_costs, source_costs};
use super::solver::learning::{Learning, Options, Phase};
use super::solver::moments::propagate;
use crate::math::Budget;
use crate::math::random::Stream;

/// Points of the learnt curve.
const CURVE: usize = 121;
/// A hidden unit whose weights cost less than this in nats, each, is not used.
const UNUSED: f64 = 0.25;
/// Sweeps over which the last fall of the cost is taken.
const LAST: usize = 20;

/// What is seen of a fit. Arrays over samples are row by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// n.
    pub sources: usize,
    /// The cost after every sweep, in nats, of the data in the fit's own scale.
    pub cost: Vec<Parts>,
    /// Phases, each with its first sweep.
    pub phases: Vec<(usize, Phase)>,
    /// Sweeps that raised the cost and were taken back.
    pub taken_back: usize,
    /// Whether all sweeps are done.
    pub done: bool,
    /// Whether the cost was not finite.
    pub failed: bool,
    /// Standard deviation of each channel's noise.
    pub noise: Vec<f64>,
    /// What each source costs, in nats a sample; 0 of one that is not used.
    pub per_source: Vec<f64>,
    /// What the weights of each hidden unit cost, in nats.
    pub per_hidden: Vec<f64>,
    /// Posterior means of the sources, T×n.
    pub means: Vec<f32>,
    /// Their posterior standard deviations, T×n.
    pub sds: Vec<f32>,
    /// Where there is one source, what it is mapped to.
    pub curve: Vec<CurvePoint>,
}

/// A point of the learnt curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// s.
    pub s: f64,
    /// f̄, m.
    pub mean: Vec<f64>,
    /// Standard deviation of a measurement there: uncertain weights and noise; m.
    pub sd: Vec<f64>,
}

impl Fitted {
    /// The last cost, in nats.
    pub fn final_cost(&self) -> f64 {
        self.cost.last().map_or(f64::INFINITY, Parts::total)
    }

    /// How many hidden units are not used.
    pub fn unused(&self) -> usize {
        let weights = (1 + self.sources + self.noise.len()) as f64;
        self.per_hidden.iter().filter(|cost| **cost < UNUSED * weights).count()
    }

    /// Geometric mean of the noise over the channels.
    pub fn mean_noise(&self) -> f64 {
        let sum: f64 = self.noise.iter().map(|sd| libm::log(*sd)).sum();
        libm::exp(sum / self.noise.len().max(1) as f64)
    }

    /// By how much a sweep lowered the cost on average at last, in nats.
    pub fn last_fall(&self) -> f64 {
        let Some(before) = self.cost.len().checked_sub(LAST + 1) else { return f64::INFINITY };
        (self.cost[before].total() - self.final_cost()) / LAST as f64
    }
}

/// A fit in progress.
pub struct Fit {
    learning: Learning,
    /// What was taken from each channel.
    centre: Vec<f64>,
    /// What all of them were divided by.
    scale: f64,
    options: Options,
}

impl Fit {
    /// Of `rows`, T samples of m channels; what is not finite is missing.
    pub fn new(rows: &[Vec<f64>], options: Options, stream: Stream) -> Self {
        let centre: Vec<f64> = (0..rows.first().map_or(0, Vec::len))
            .map(|k| {
                let seen = || rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
                seen().sum::<f64>() / seen().count().max(1) as f64
            })
            .collect();
        let off = |row: &Vec<f64>| -> Vec<f64> { row.iter().zip(&centre).map(|(x, c)| x - c).collect() };
        let centred: Vec<Vec<f64>> = rows.iter().map(off).collect();
        let seen = || centred.iter().flatten().filter(|x| x.is_finite());
        let power = seen().map(|x| x * x).sum::<f64>() / seen().count().max(1) as f64;
        let scale = if power > 0.0 { power.sqrt() } else { 1.0 };
        let scaled: Vec<Vec<f64>> =
            centred.iter().map(|row| row.iter().map(|x| x / scale).collect()).collect();
        Self { learning: Learning::new(&scaled, options, stream), centre, scale, options }
    }

    /// Goes on within `budget`; `true` once all sweeps are done.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        self.learning.advance(budget)
    }

    /// Share of the sweeps that are done.
    pub fn fraction(&self) -> f64 {
        self.learning.history().len() as f64 / self.options.total().max(1) as f64
    }

    /// What is being done.
    pub fn note(&self) -> String {
        format!("sweep {} of {}", self.learning.history().len() + 1, self.options.total())
    }

    /// What is learnt.
    pub fn learning(&self) -> &Learning {
        &self.learning
    }

    /// Mean and standard deviation of a measurement of each channel at sample t, in the data's units.
    pub fn reconstruction(&self, t: usize) -> (Vec<f64>, Vec<f64>) {
        let sources = &self.learning.state().sources;
        self.measured(&sources.means(t), &sources.vars(t))
    }

    /// The same where the sources have these means and variances.
    fn measured(&self, mean: &[f64], var: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let state = self.learning.state();
        let at = propagate(&state.network, self.options.moments, true, mean, var);
        let means = at.f_mean.iter().zip(&self.centre).map(|(f, centre)| centre + self.scale * f);
        let sds = at.f_var.iter().zip(state.noise.iter()).map(|(var, v)| {
            // E e^{2v}.
            self.scale * (var + libm::exp(2.0 * (v.mean + v.var))).sqrt()
        });
        (means.collect(), sds.collect())
    }

    /// What is seen of it now.
    pub fn seen(&self) -> Fitted {
        let learning = &self.learning;
        let state = learning.state();
        let sources = &state.sources;
        let (samples, n) = (sources.samples, sources.count);
        let each = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f32> {
            (0..samples).flat_map(|t| (0..n).map(move |i| value(t, i) as f32)).collect()
        };
        Fitted {
            sources: n,
            cost: learning.history().to_vec(),
            phases: learning.phases().to_vec(),
            taken_back: learning.taken_back(),
            done: learning.is_done(),
            failed: learning.has_failed(),
            noise: state.noise.iter().map(|v| self.scale * libm::exp(v.mean)).collect(),
            per_source: source_costs(state).into_iter().map(|cost| cost / samples.max(1) as f64).collect(),
            per_hidden: hidden_costs(state),
            means: each(&|t, i| sources.total_mean.at(t, i)),
            sds: each(&|t, i| sources.total_var.at(t, i).sqrt()),
            curve: if n == 1 { self.curve() } else { Vec::new() },
        }
    }

    /// The network's mean of the first three channels for each of the first `most` samples; NaN for a channel that there is not.
    pub fn places(&self, most: usize) -> Vec<[f32; 3]> {
        let samples = self.learning.state().sources.samples.min(most);
        let place = |t| {
            let mean = self.reconstruction(t).0;
            std::array::from_fn(|k| mean.get(k).map_or(f32::NAN, |x| *x as f32))
        };
        (0..samples).map(place).collect()
    }

    /// Over the range of the means.
    fn curve(&self) -> Vec<CurvePoint> {
        let sources = &self.learning.state().sources;
        let means = || (0..sources.samples).map(|t| sources.total_mean.at(t, 0));
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
        let at = |i: usize| low + (high - low) * i as f64 / (CURVE - 1) as f64;
        (0..CURVE)
            .map(|i| {
                let (mean, sd) = self.measured(&[at(i)], &[0.0]);
                CurvePoint { s: at(i), mean, sd }
            })
            .collect()
    }
}
