//! The task `nfa`: fits to built-in data with known sources.

mod chain;
mod figures;
mod records;
mod recovery;
mod report;
mod spec;
mod stages;
mod task;
#[cfg(test)]
mod tests;
mod work;

pub use spec::{BuiltInData, ComparedFits, LearnSpec};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::FitSummary;
use super::solver::learning::UpdateRule;
use crate::lab::{ChainStats, ChainSummary};

/// Maximum number of points of the cloud. The cloud can be rotated and is part of the static picture shown before the program.
const CLOUD_POINTS: usize = 250;

/// The task: nonlinear factor analysis of built-in data.
pub struct Learn;

/// Results of the units so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnSnapshot {
    /// Fits, in the order of the units.
    pub rows: Vec<Rc<VariantFit>>,
    /// Chains through the posterior of the fit that is shown; the values are the sources, T×n.
    pub chains: Vec<Rc<ChainStats>>,
}

/// A fit of one variant, finished or in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VariantFit {
    /// Index of the unit.
    pub unit: usize,
    /// Summary of the fit.
    pub fitted: FitSummary,
    /// Fitted values of the first three channels for the first samples; empty for a single source.
    pub fitted_values: Vec<[f32; 3]>,
    /// Scores against the truth, once the fit is finished.
    pub scores: Option<RecoveryScores>,
}

/// Scores of a fit and of the linear methods against the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecoveryScores {
    /// FastICA of the principal components, a linear method.
    pub linear_ica: SourceRecovery,
    /// Means of the Gaussian sources.
    pub nfa: SourceRecovery,
    /// FastICA of the means of the Gaussian sources.
    pub nfa_ica: SourceRecovery,
    /// FastICA of the means of the sources with mixtures, if any.
    pub mixtures: Option<SourceRecovery>,
    /// Final estimate of the sources, T×n; for several sources FastICA of the means.
    pub final_estimate: Vec<f32>,
    /// Signal-to-noise ratio of the reconstruction by n principal components, in dB.
    pub observation_pca: f64,
    /// Signal-to-noise ratio of the reconstruction by the network, in dB.
    pub observation_nfa: f64,
}

/// Scores of estimated sources, each matched with a true source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceRecovery {
    /// Signal-to-noise ratio over all true sources, in dB.
    pub db: f64,
    /// Signal-to-noise ratio of each true source, in dB.
    pub each: Vec<f64>,
    /// Estimated source matched with each true source.
    pub partner: Vec<Option<usize>>,
    /// Correlation of each pair.
    pub correlation: Vec<f64>,
}

impl RecoveryScores {
    /// Returns the score of the final estimate.
    pub fn final_score(&self) -> &SourceRecovery {
        self.mixtures.as_ref().unwrap_or(&self.nfa_ica)
    }
}

/// Settings in which the compared fits differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Number of sources, n.
    pub sources: usize,
    /// Update rule of a sweep.
    pub updates: UpdateRule,
}

impl LearnSpec {
    /// Returns the compared variants; a single one if nothing is compared.
    pub fn variants(&self) -> Vec<Variant> {
        let chosen = Variant { sources: self.sources, updates: self.updates };
        match self.compare {
            ComparedFits::Nothing => vec![chosen],
            ComparedFits::Sources => {
                let max_sources = (2 * self.sources).min(self.data.channels()).max(self.sources);
                (1..=max_sources).map(|sources| Variant { sources, ..chosen }).collect()
            }
            ComparedFits::Updates => {
                [UpdateRule::Block, UpdateRule::Paper].map(|updates| Variant { updates, ..chosen }).to_vec()
            }
        }
    }

    /// Returns the variant and the restart of a unit.
    pub fn unit(&self, unit: usize) -> (Variant, usize) {
        let variants = self.variants();
        (variants[unit % variants.len()], unit / variants.len())
    }
}

impl LearnSnapshot {
    /// Returns the pooled statistics of the chains.
    pub fn sampled(&self) -> Option<ChainSummary> {
        ChainSummary::of(&self.chains.iter().map(Rc::as_ref).collect::<Vec<_>>())
    }

    /// Returns the posterior standard deviations of each source of each sample, by the fit and by the chains; empty until both
    /// exist.
    pub fn error_bars(&self, spec: &LearnSpec) -> Vec<(f64, f64)> {
        let (Some(row), Some(sampled)) = (self.shown(spec), self.sampled()) else { return Vec::new() };
        let fitted = row.fitted.sds.iter().map(|sd| f64::from(*sd));
        fitted.zip(&sampled.predicted).map(|(fitted, (_, sd))| (fitted, *sd)).collect()
    }

    /// Returns the fit that is shown. Among the fits of the chosen variant it is the first, and once all are finished that with the
    /// lowest cost.
    pub fn shown(&self, spec: &LearnSpec) -> Option<&VariantFit> {
        let chosen = Variant { sources: spec.sources, updates: spec.updates };
        let rows = || self.rows.iter().filter(|row| spec.unit(row.unit).0 == chosen);
        if rows().all(|row| row.fitted.done) {
            rows().min_by(|a, b| a.fitted.final_cost().total_cmp(&b.fitted.final_cost())).map(Rc::as_ref)
        } else {
            rows().next().map(Rc::as_ref)
        }
    }
}
