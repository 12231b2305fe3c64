//! Learning the sources of built-in data, whose true sources are known.

mod chain;
mod figures;
mod records;
mod report;
mod run;
mod spec;
#[cfg(test)]
mod tests;

pub(super) use report::fitted as fitted_report;
pub(super) use run::status;
pub use spec::{Compare, LearnSpec, Set};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::fit::Fitted;
use super::solver::learning::Updates;
use crate::lab::{ChainStats, ChainSummary};

/// Points of the cloud at most: it is turned, and drawn before the program has loaded.
const CLOUD_POINTS: usize = 250;

/// Nonlinear factor analysis of built-in data.
pub struct Learn;

/// What a worker sends: one row for each fit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnSnapshot {
    /// In the order of the units.
    pub rows: Vec<Rc<Row>>,
    /// Chains through the posterior of the fit that is shown; their values are the sources, T×n.
    pub chains: Vec<Rc<ChainStats>>,
}

/// A fit of the network, ended or under way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which unit.
    pub unit: usize,
    /// What is seen of it.
    pub fitted: Fitted,
    /// Where there are several sources, fitted values of the first three channels for the first samples.
    pub places: Vec<[f32; 3]>,
    /// How it compares with the truth; of a fit that is done.
    pub scores: Option<Scores>,
}

/// A fit compared with the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Linear: FastICA of the principal components.
    pub linear_ica: Score,
    /// The means of Gaussian sources as they are.
    pub nfa: Score,
    /// FastICA of these.
    pub nfa_ica: Score,
    /// FastICA of the means of mixtures, where there are any.
    pub mixtures: Option<Score>,
    /// What is read out at last, T×n: of more sources than one FastICA of the means.
    pub read_out: Vec<f32>,
    /// Signal-to-noise ratio of the noise-free measurements by as many principal components, in dB.
    pub observation_pca: f64,
    /// The same by the network.
    pub observation_nfa: f64,
}

/// Sources found, matched with those that are known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Over all sources, in dB.
    pub db: f64,
    /// Of each, in dB.
    pub each: Vec<f64>,
    /// Which of those found goes with each that is known.
    pub partner: Vec<Option<usize>>,
    /// The correlation with it.
    pub correlation: Vec<f64>,
}

impl Scores {
    /// What counts at last.
    pub fn last(&self) -> &Score {
        self.mixtures.as_ref().unwrap_or(&self.nfa_ica)
    }
}

/// What one unit does that another does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// n.
    pub sources: usize,
    /// How a sweep moves.
    pub updates: Updates,
}

impl LearnSpec {
    /// What is compared; one where nothing is.
    pub fn variants(&self) -> Vec<Variant> {
        let own = Variant { sources: self.sources, updates: self.updates };
        match self.compare {
            Compare::Nothing => vec![own],
            Compare::Sources => {
                let most = (2 * self.sources).min(self.data.channels()).max(self.sources);
                (1..=most).map(|sources| Variant { sources, ..own }).collect()
            }
            Compare::Updates => {
                [Updates::Block, Updates::Paper].map(|updates| Variant { updates, ..own }).to_vec()
            }
        }
    }

    /// The variant and the restart of a unit.
    pub fn unit(&self, unit: usize) -> (Variant, usize) {
        let variants = self.variants();
        (variants[unit % variants.len()], unit / variants.len())
    }
}

impl LearnSnapshot {
    /// All chains together.
    pub fn sampled(&self) -> Option<ChainSummary> {
        ChainSummary::of(&self.chains.iter().map(Rc::as_ref).collect::<Vec<_>>())
    }

    /// Standard deviations of each source of each sample, by the fit and by the chains; none before there are both.
    pub fn error_bars(&self, spec: &LearnSpec) -> Vec<(f64, f64)> {
        let (Some(row), Some(sampled)) = (self.shown(spec), self.sampled()) else { return Vec::new() };
        let fitted = row.fitted.sds.iter().map(|sd| f64::from(*sd));
        fitted.zip(&sampled.predicted).map(|(fitted, (_, sd))| (fitted, *sd)).collect()
    }

    /// The row that is shown: the first of the specification's own variant until all are done, then that of the lowest cost.
    pub fn shown(&self, spec: &LearnSpec) -> Option<&Row> {
        let own = Variant { sources: spec.sources, updates: spec.updates };
        let rows = || self.rows.iter().filter(|row| spec.unit(row.unit).0 == own);
        if rows().all(|row| row.fitted.done) {
            rows().min_by(|a, b| a.fitted.final_cost().total_cmp(&b.fitted.final_cost())).map(Rc::as_ref)
        } else {
            rows().next().map(Rc::as_ref)
        }
    }
}
