//! The work: one fit per unit, scored against the truth, and chains through the posterior of the fit that is shown.

use std::rc::Rc;

use super::chain::PosteriorChain;
use super::{CLOUD_POINTS, LearnSnapshot, LearnSpec, RecoveryScores, SourceRecovery, VariantFit};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fit::FactorFit;
use crate::models::nfa::simulated::SimulatedData;
use crate::models::nfa::solver::linear::{fast_ica, linear_reconstruction, principal_components, unmixed};
use crate::models::nfa::solver::score::{Matching, decibel};

/// The work of one worker.
pub(super) struct LearnWork {
    spec: LearnSpec,
    data: SimulatedData,
    /// The measurements, with missing values.
    rows: Vec<Vec<f64>>,
    /// The current unit.
    unit: usize,
    fit: Option<FactorFit>,
    chain: Option<PosteriorChain>,
    /// Unit of the fit whose posterior is sampled.
    shown: usize,
    /// Results of the finished units.
    done: LearnSnapshot,
}

impl Work for LearnWork {
    type Snapshot = LearnSnapshot;

    fn begin(&mut self, unit: usize) {
        match unit.checked_sub(self.spec.restarts * self.spec.variants().len()) {
            None => self.fit = Some(self.fit_of(unit)),
            Some(index) => {
                let stream = Stream::for_purpose(self.spec.seed, Purpose::NfaChain, index as u64);
                self.chain = Some(PosteriorChain::new(self.fit_of(self.shown), self.spec.hmc, stream));
            }
        }
        self.unit = unit;
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(chain) = &mut self.chain {
            if !chain.step(budget) {
                return false;
            }
            let row = chain.row();
            self.done.chains.extend(row.map(Rc::new));
            self.chain = None;
            return true;
        }
        let Some(fit) = &mut self.fit else { return true };
        if !fit.advance(budget) {
            return false;
        }
        if let Some(fit) = self.fit.take() {
            let (unit, fitted, fitted_values) = (self.unit, fit.summary(), fitted_values(&fit));
            let scores = (!fitted.failed).then(|| self.scores(&fit));
            self.done.rows.push(Rc::new(VariantFit { unit, fitted, fitted_values, scores }));
        }
        true
    }

    fn fraction(&self) -> f64 {
        let chain = self.chain.as_ref().map(PosteriorChain::fraction);
        chain.or_else(|| self.fit.as_ref().map(FactorFit::fraction)).unwrap_or(0.0)
    }

    fn note(&self) -> String {
        if self.chain.is_some() {
            return "sampling the posterior".to_owned();
        }
        self.fit.as_ref().map_or("comparing with the true sources".to_owned(), FactorFit::note)
    }

    fn snapshot(&self) -> LearnSnapshot {
        let mut all = self.done.clone();
        let row = |fit: &FactorFit| {
            let (unit, fitted, fitted_values) = (self.unit, fit.summary(), fitted_values(fit));
            Rc::new(VariantFit { unit, fitted, fitted_values, scores: None })
        };
        all.rows.extend(self.fit.as_ref().map(row));
        all.chains.extend(self.chain.as_ref().and_then(PosteriorChain::row).map(Rc::new));
        all
    }
}

/// Returns the fitted values of the first samples; none for a single source, which has a curve instead.
fn fitted_values(fit: &FactorFit) -> Vec<[f32; 3]> {
    if fit.learning().state().sources.count == 1 { Vec::new() } else { fit.fitted_values(CLOUD_POINTS) }
}

impl LearnWork {
    /// Creates the work; `shown` is the unit of the fit whose posterior is sampled.
    pub(super) fn new(spec: &LearnSpec, shown: usize) -> Self {
        let data = spec.simulate();
        Self {
            spec: spec.clone(),
            rows: spec.measurements(&data),
            data,
            unit: 0,
            fit: None,
            chain: None,
            shown,
            done: LearnSnapshot::default(),
        }
    }

    /// Returns the initial fit of a unit.
    fn fit_of(&self, unit: usize) -> FactorFit {
        let (variant, restart) = self.spec.unit(unit);
        let mut options = self.spec.options();
        (options.sources, options.updates) = (variant.sources, variant.updates);
        FactorFit::new(
            &self.rows,
            options,
            Stream::for_purpose(self.spec.seed, Purpose::NfaInitialState, restart as u64),
        )
    }

    /// Scores a fit against the truth.
    fn scores(&self, fit: &FactorFit) -> RecoveryScores {
        let truth = &self.data.sources;
        let learning = fit.learning();
        let last = learning.means();
        let gaussian = learning.gaussian_means().unwrap_or(&last);
        let n = gaussian.first().map_or(0, Vec::len);
        let rotated = |means: &[Vec<f64>]| {
            let w = fast_ica(means, &mut Stream::for_purpose(self.spec.seed, Purpose::NfaIca, 0));
            w.map_or_else(|| means.to_vec(), |w| unmixed(means, &w))
        };
        let score = |estimate: &[Vec<f64>]| SourceRecovery::new(truth, estimate);
        let final_estimate = if n > 1 { rotated(&last) } else { last.clone() };
        let reconstruction: Vec<Vec<f64>> = (0..self.rows.len()).map(|t| fit.reconstruction(t).0).collect();
        RecoveryScores {
            linear_ica: score(&rotated(&principal_components(&self.rows, n))),
            nfa: score(gaussian),
            nfa_ica: score(&rotated(gaussian)),
            mixtures: learning.gaussian_means().map(|_| score(&final_estimate)),
            final_estimate: final_estimate.iter().flatten().map(|s| *s as f32).collect(),
            observation_pca: signal_to_noise(&self.data.clean, &linear_reconstruction(&self.rows, n)),
            observation_nfa: signal_to_noise(&self.data.clean, &reconstruction),
        }
    }
}

impl SourceRecovery {
    /// Matches the estimated sources with the true ones; T rows each.
    fn new(truth: &[Vec<f64>], estimate: &[Vec<f64>]) -> Self {
        let matching = Matching::new(truth, estimate);
        Self {
            db: matching.db(),
            each: matching.each_db(),
            partner: matching.partner,
            correlation: matching.correlation,
        }
    }
}

/// Returns the variance of the noise-free measurements `clean` over the mean squared error of `estimate`, in dB.
fn signal_to_noise(clean: &[Vec<f64>], estimate: &[Vec<f64>]) -> f64 {
    let channels = clean.first().map_or(0, Vec::len);
    let count = clean.len() as f64;
    let (mut signal, mut noise) = (0.0, 0.0);
    for k in 0..channels {
        let mean = clean.iter().map(|row| row[k]).sum::<f64>() / count;
        for (clean, estimate) in clean.iter().zip(estimate) {
            signal += (clean[k] - mean) * (clean[k] - mean);
            noise += (clean[k] - estimate[k]) * (clean[k] - estimate[k]);
        }
    }
    decibel(noise / signal)
}
