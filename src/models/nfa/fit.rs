//! A fit: scaling of the data, learning, and a summary of the result in the units of the data.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::solver::approximate_posterior::ApproximatePosterior;
use super::solver::cost::{CostParts, hidden_costs, source_costs};
use super::solver::inference::SourceInference;
use super::solver::learning::{Learning, LearningPhase, Options};
use super::solver::linear::column_means;
use super::solver::moments::{Moments, propagate};
use crate::lab::{Outcome, Status};
use crate::math::Budget;
use crate::math::random::Stream;

/// Number of points of the fitted curve.
const CURVE: usize = 121;
/// Cost per weight, in nats, below which a hidden unit counts as unused.
const UNUSED: f64 = 0.25;
/// Number of final sweeps over which the decrease of the cost is averaged.
const LAST: usize = 20;
/// Decrease of the cost that counts as converged, in nats per cell and sweep.
const CONVERGED: f64 = 1e-4;
/// Maximum number of learnt samples among which the start of a new one is chosen.
const MAX_STARTS: usize = 1000;

/// Summary of a fit. Arrays over samples are row by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FitSummary {
    /// Number of sources, n.
    pub sources: usize,
    /// Cost after every sweep, in nats, for the scaled data.
    pub cost: Vec<CostParts>,
    /// Phases, each with its first sweep.
    pub phases: Vec<(usize, LearningPhase)>,
    /// Number of sweeps that raised the cost and were rejected.
    pub rejected: usize,
    /// True if all sweeps are done.
    pub done: bool,
    /// True if the cost was not finite.
    pub failed: bool,
    /// Noise standard deviation of each channel, m.
    pub noise: Vec<f64>,
    /// Cost of each source, in nats per sample, n; 0 for an unused source.
    pub per_source: Vec<f64>,
    /// Cost of the weights of each hidden unit, in nats, H.
    pub per_hidden: Vec<f64>,
    /// Posterior means of the sources, T×n.
    pub means: Vec<f32>,
    /// Posterior standard deviations of the sources, T×n.
    pub sds: Vec<f32>,
    /// Network output as a function of the source; empty for several sources.
    pub curve: Vec<CurvePoint>,
}

/// A point of the fitted curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Source s.
    pub s: f64,
    /// Mean f̄ of the output, m.
    pub mean: Vec<f64>,
    /// Standard deviation of a measurement, from uncertain weights and noise, m.
    pub sd: Vec<f64>,
}

impl FitSummary {
    /// Returns the last cost, in nats; infinite before the first sweep.
    pub fn final_cost(&self) -> f64 {
        self.cost.last().map_or(f64::INFINITY, CostParts::total)
    }

    /// Returns the number of unused hidden units.
    pub fn unused(&self) -> usize {
        let weights = (1 + self.sources + self.noise.len()) as f64;
        self.per_hidden.iter().filter(|cost| **cost < UNUSED * weights).count()
    }

    /// Returns the geometric mean of the noise standard deviations.
    pub fn mean_noise(&self) -> f64 {
        let sum: f64 = self.noise.iter().map(|sd| libm::log(*sd)).sum();
        libm::exp(sum / self.noise.len().max(1) as f64)
    }

    /// Returns the mean decrease of the cost per sweep over the final sweeps, in nats; infinite if there are too few sweeps.
    pub fn final_decrease(&self) -> f64 {
        let Some(before) = self.cost.len().checked_sub(LAST + 1) else { return f64::INFINITY };
        (self.cost[before].total() - self.final_cost()) / LAST as f64
    }

    /// Returns the status of a fit to `cells` values.
    pub fn status(&self, cells: usize) -> Status {
        if self.failed {
            let reason = Some("the cost is not finite".to_owned());
            return Status { outcome: Outcome::NoResult, reason };
        }
        let decrease = self.final_decrease();
        if decrease <= CONVERGED * cells as f64 {
            return Status::CONVERGED;
        }
        let reason = if decrease.is_finite() {
            format!("the cost still decreases by {decrease:.2} nats per sweep; use more sweeps")
        } else {
            "too few sweeps to assess convergence of the cost".to_owned()
        };
        Status { outcome: Outcome::Partial, reason: Some(reason) }
    }

    /// Returns the report of a fit.
    pub fn report(&self) -> Value {
        let part = |of: fn(&CostParts) -> f64| self.cost.iter().map(of).collect::<Vec<_>>();
        let phases = self.phases.iter().map(|(sweep, phase)| json!({ "from": sweep, "phase": phase }));
        json!({
            "final_cost": self.final_cost(),
            "cost": part(CostParts::total),
            "cost_parts": {
                "data": part(|c| c.data), "sources": part(|c| c.sources),
                "weights": part(|c| c.weights), "hyper": part(|c| c.hyper),
            },
            "phase": phases.collect::<Vec<_>>(),
            "taken_back": self.rejected,
            "noise_sd": self.noise,
            "mean_noise_sd": self.mean_noise(),
            "kl_per_source": self.per_source,
            "kl_per_hidden": self.per_hidden,
            "unused_hidden": self.unused(),
        })
    }
}

/// Units of a fit, in which all measurements together have variance 1.
#[derive(Clone, Debug, PartialEq)]
pub struct FitUnits {
    /// Mean subtracted from each channel, m.
    centre: Vec<f64>,
    /// Number by which all channels are divided.
    scale: f64,
}

impl FitUnits {
    /// Returns the units for `rows`, T samples of m channels; values that are not finite are missing.
    pub fn of(rows: &[Vec<f64>]) -> Self {
        let centre = column_means(rows);
        let differences = || rows.iter().flat_map(|row| row.iter().zip(&centre).map(|(x, c)| x - c));
        let finite = || differences().filter(|x| x.is_finite());
        let power = finite().map(|x| x * x).sum::<f64>() / finite().count().max(1) as f64;
        let scale = if power > 0.0 { power.sqrt() } else { 1.0 };
        Self { centre, scale }
    }

    /// Returns `rows` in these units.
    pub fn scaled(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let scaled = |row: &Vec<f64>| {
            row.iter().zip(&self.centre).map(|(x, c)| (x - c) / self.scale).collect::<Vec<f64>>()
        };
        rows.iter().map(scaled).collect()
    }

    /// Returns the mean and standard deviation of a measurement for sources with these means and variances, by a `learnt` network; m each,
    /// in the units of the data.
    pub fn predict(
        &self,
        learnt: &ApproximatePosterior,
        moments: Moments,
        (mean, var): (&[f64], &[f64]),
    ) -> (Vec<f64>, Vec<f64>) {
        let at = propagate(&learnt.network, moments, true, mean, var);
        let means = at.f_mean.iter().zip(&self.centre).map(|(f, centre)| centre + self.scale * f);
        let sds = at.f_var.iter().zip(learnt.noise.iter()).map(|(var, v)| {
            // E e^{2v}.
            self.scale * (var + libm::exp(2.0 * (v.mean + v.var))).sqrt()
        });
        (means.collect(), sds.collect())
    }

    /// Starts the inference of the sources of new samples by a `learnt` network, in the units of the data; values that are not finite are
    /// missing. Each starts at the sources of the most similar of the `samples` of the fit, whose means are `means`, T×n.
    pub fn infer(
        &self,
        learnt: &ApproximatePosterior,
        options: Options,
        (samples, means): (&[Vec<f64>], &[f32]),
        rows: &[Vec<f64>],
    ) -> SourceInference {
        let (samples, scaled) = (self.scaled(samples), self.scaled(rows));
        let sources = learnt.network.sources;
        let start = |row: &Vec<f64>| {
            let of_sample = &means[most_similar(&samples, row) * sources..][..sources];
            of_sample.iter().map(|mean| f64::from(*mean)).collect()
        };
        let starts: Vec<Vec<f64>> = scaled.iter().map(start).collect();
        SourceInference::new(learnt, &scaled, &starts, options)
    }
}

/// Returns the sample that is nearest to the measurements `row`, over the channels that both have.
fn most_similar(samples: &[Vec<f64>], row: &[f64]) -> usize {
    let distance = |t: usize| {
        let differences = row.iter().zip(&samples[t]).map(|(x, y)| x - y);
        let (sum, count) = differences
            .filter(|difference| difference.is_finite())
            .fold((0.0, 0), |(sum, count), difference| (sum + difference * difference, count + 1));
        if count == 0 { f64::INFINITY } else { sum / f64::from(count) }
    };
    let every = samples.len().div_ceil(MAX_STARTS).max(1);
    let distances = (0..samples.len()).step_by(every).map(|t| (t, distance(t)));
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(t, _)| t)
}

/// A fit in progress.
pub struct FactorFit {
    learning: Learning,
    units: FitUnits,
    options: Options,
}

impl FactorFit {
    /// Creates a fit to `rows`, T samples of m channels; values that are not finite are missing.
    pub fn new(rows: &[Vec<f64>], options: Options, stream: Stream) -> Self {
        let units = FitUnits::of(rows);
        Self { learning: Learning::new(&units.scaled(rows), options, stream), units, options }
    }

    /// Continues within `budget`. Returns true once all sweeps are done.
    pub fn advance(&mut self, budget: &mut Budget) -> bool {
        self.learning.advance(budget)
    }

    /// Returns the fraction of the sweeps that are done.
    pub fn fraction(&self) -> f64 {
        self.learning.history().len() as f64 / self.options.total().max(1) as f64
    }

    /// Returns a description of the current sweep.
    pub fn note(&self) -> String {
        format!("sweep {} of {}", self.learning.history().len() + 1, self.options.total())
    }

    /// Returns the learning in progress.
    pub fn learning(&self) -> &Learning {
        &self.learning
    }

    /// Returns the mean and standard deviation of a measurement of each channel for sample t, in the units of the data; m each.
    pub fn reconstruction(&self, t: usize) -> (Vec<f64>, Vec<f64>) {
        let sources = &self.learning.state().sources;
        self.predict(&sources.means(t), &sources.vars(t))
    }

    /// Returns the learnt network with all hyperparameters.
    pub fn learnt(&self) -> ApproximatePosterior {
        self.learning.state().without_sources()
    }

    fn predict(&self, mean: &[f64], var: &[f64]) -> (Vec<f64>, Vec<f64>) {
        self.units.predict(self.learning.state(), self.options.moments, (mean, var))
    }

    /// Returns a summary of the current state.
    pub fn summary(&self) -> FitSummary {
        let learning = &self.learning;
        let state = learning.state();
        let sources = &state.sources;
        let (samples, n) = (sources.samples, sources.count);
        let each = |value: &dyn Fn(usize, usize) -> f64| -> Vec<f32> {
            (0..samples).flat_map(|t| (0..n).map(move |i| value(t, i) as f32)).collect()
        };
        FitSummary {
            sources: n,
            cost: learning.history().to_vec(),
            phases: learning.phases().to_vec(),
            rejected: learning.rejected(),
            done: learning.is_done(),
            failed: learning.has_failed(),
            noise: state.noise.iter().map(|v| self.units.scale * libm::exp(v.mean)).collect(),
            per_source: source_costs(state).into_iter().map(|cost| cost / samples.max(1) as f64).collect(),
            per_hidden: hidden_costs(state),
            means: each(&|t, i| sources.total_mean.at(t, i)),
            sds: each(&|t, i| sources.total_var.at(t, i).sqrt()),
            curve: if n == 1 { self.curve() } else { Vec::new() },
        }
    }

    /// Returns the reconstruction of the first three channels for the first `max_samples` samples; NaN for a channel that does
    /// not exist.
    pub fn fitted_values(&self, max_samples: usize) -> Vec<[f32; 3]> {
        let samples = self.learning.state().sources.samples.min(max_samples);
        let first_channels = |t| {
            let mean = self.reconstruction(t).0;
            std::array::from_fn(|k| mean.get(k).map_or(f32::NAN, |x| *x as f32))
        };
        (0..samples).map(first_channels).collect()
    }

    /// Returns the fitted curve over the range of the means of the source.
    fn curve(&self) -> Vec<CurvePoint> {
        let sources = &self.learning.state().sources;
        let means = || (0..sources.samples).map(|t| sources.total_mean.at(t, 0));
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
        let at = |i: usize| low + (high - low) * i as f64 / (CURVE - 1) as f64;
        (0..CURVE)
            .map(|i| {
                let (mean, sd) = self.predict(&[at(i)], &[0.0]);
                CurvePoint { s: at(i), mean, sd }
            })
            .collect()
    }
}
