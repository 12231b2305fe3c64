//! The work: the fit of the hyperparameters if there is one, the results of the model, and retraining without each example.

use std::rc::Rc;

use super::network::NetworkStart;
use super::view::{columns, cost, result};
use super::{CurveHyperparameters, FitProgress, RegressionSnapshot, RegressionSpec};
use crate::lab::{Budget, Outcome, Work};
use crate::models::gp::fields::RegressionFitBy;
use crate::models::gp::fit::SIGMA2;
use crate::models::gp::regression::fit::{EvidenceFit, FitOptions, sigma2};
use crate::models::gp::regression::{Normal, RegressionPosterior};

/// Typical number of evaluations of a start of the fit.
const EVALUATIONS: u64 = 25;

/// The units of a run: the Gaussian process, then the starts of the network, if there is one.
pub struct RegressionWork {
    spec: RegressionSpec,
    examples: Vec<(f64, f64)>,
    /// True if the posterior is computed again without each example; false for the live companion.
    retrains: bool,
    /// True if results are computed at each improvement of the fit, as frames of the replay.
    recorded: bool,
    step: RegressionStep,
    done: RegressionSnapshot,
}

/// The next step of the work.
enum RegressionStep {
    /// An evaluation of the log evidence.
    Fit(Box<EvidenceFit>),
    /// The results of these hyperparameters.
    Solve(CurveHyperparameters),
    /// Retraining without the next example.
    Retrain(Box<RegressionPosterior>),
    /// A fit of the network.
    Network(Box<NetworkStart>),
    Done,
}

/// Returns the expected multiply–adds of a run.
pub fn work_of(spec: &RegressionSpec) -> f64 {
    let m = spec.count();
    let fits =
        if spec.fit == RegressionFitBy::Evidence { EVALUATIONS * EvidenceFit::starts() as u64 } else { 0 };
    (3 * fits + m as u64) as f64 * RegressionPosterior::cost(m) as f64 + cost(spec, m) as f64
}

impl RegressionWork {
    /// Creates the work, before its unit begins.
    pub fn new(spec: &RegressionSpec, retrains: bool) -> Self {
        let (examples, done) = (spec.points(), RegressionSnapshot::default());
        Self { spec: spec.clone(), examples, retrains, recorded: false, step: RegressionStep::Done, done }
    }

    fn given(&self) -> CurveHyperparameters {
        let RegressionSpec { sigma2, amplitude, noise, .. } = self.spec;
        CurveHyperparameters { sigma2, amplitude, noise }
    }

    fn fit(&mut self, mut fit: Box<EvidenceFit>) -> RegressionStep {
        let all = fit.advance(&mut Budget::new(u64::MAX));
        let outcome = fit.ending().filter(|_| all).map(Outcome::from);
        self.done.fit = Some(FitProgress { evaluations: fit.trace().len(), outcome });
        let best = fit.best().map_or(self.given(), |best| CurveHyperparameters {
            sigma2: sigma2(&best.model).clamp(SIGMA2.0, SIGMA2.1),
            amplitude: best.model.amplitude,
            noise: best.model.noise,
        });
        if all {
            return RegressionStep::Solve(best);
        }
        if self.recorded && self.done.result.as_ref().is_none_or(|result| result.hyper != best) {
            self.done.result = result(&self.spec, &self.examples, best);
        }
        RegressionStep::Fit(fit)
    }

    fn solve(&mut self, hyper: CurveHyperparameters) -> RegressionStep {
        self.done.result = result(&self.spec, &self.examples, hyper);
        self.done.failed = self.done.result.is_none();
        let (rows, targets) = columns(&self.examples);
        let posterior = RegressionPosterior::new(rows, targets, hyper.model(&self.spec));
        let posterior = posterior.filter(|_| self.retrains);
        posterior.map_or(RegressionStep::Done, |posterior| RegressionStep::Retrain(Box::new(posterior)))
    }

    fn retrain(&mut self, posterior: Box<RegressionPosterior>) -> RegressionStep {
        let next = self.done.retrained.len();
        let Some(Normal { mean, var }) = posterior.retrained_without(next) else {
            return RegressionStep::Done;
        };
        self.done.retrained.push((mean, var));
        if next + 1 < self.examples.len() { RegressionStep::Retrain(posterior) } else { RegressionStep::Done }
    }
}

impl Work for RegressionWork {
    type Snapshot = RegressionSnapshot;

    fn begin(&mut self, unit: usize) {
        if let Some(start) = unit.checked_sub(1) {
            self.step =
                RegressionStep::Network(Box::new(NetworkStart::new(&self.spec, &self.examples, start)));
            return;
        }
        let given = self.given();
        self.step = if self.spec.fit == RegressionFitBy::Evidence {
            let (rows, targets) = columns(&self.examples);
            let (rows, targets, model) = (Rc::new(rows), Rc::new(targets), given.model(&self.spec));
            RegressionStep::Fit(Box::new(EvidenceFit::new(rows, targets, model, FitOptions::default())))
        } else {
            RegressionStep::Solve(given)
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let m = self.examples.len();
        self.step = match std::mem::replace(&mut self.step, RegressionStep::Done) {
            RegressionStep::Fit(fit) => {
                budget.spend(3 * RegressionPosterior::cost(m));
                self.fit(fit)
            }
            RegressionStep::Solve(hyper) => {
                budget.spend(cost(&self.spec, m));
                self.solve(hyper)
            }
            RegressionStep::Retrain(posterior) => {
                budget.spend(RegressionPosterior::cost(m));
                self.retrain(posterior)
            }
            RegressionStep::Network(mut network) => {
                if network.step(budget) {
                    self.done.networks.extend(network.result());
                    RegressionStep::Done
                } else {
                    RegressionStep::Network(network)
                }
            }
            RegressionStep::Done => RegressionStep::Done,
        };
        matches!(self.step, RegressionStep::Done)
    }

    fn fraction(&self) -> f64 {
        match &self.step {
            RegressionStep::Fit(fit) => 0.5 * fit.start() as f64 / EvidenceFit::starts() as f64,
            RegressionStep::Solve(_) => 0.5,
            RegressionStep::Retrain(_) => {
                0.5 + 0.5 * self.done.retrained.len() as f64 / self.examples.len() as f64
            }
            RegressionStep::Network(network) => network.fraction(),
            RegressionStep::Done => 0.0,
        }
    }

    fn note(&self) -> String {
        match &self.step {
            RegressionStep::Fit(fit) => {
                format!(
                    "start {} of {}, evaluation {}",
                    fit.start() + 1,
                    EvidenceFit::starts(),
                    fit.trace().len()
                )
            }
            RegressionStep::Retrain(_) => format!("without example {}", self.done.retrained.len() + 1),
            RegressionStep::Network(network) => network.note(),
            RegressionStep::Solve(_) | RegressionStep::Done => "posterior".to_owned(),
        }
    }

    fn is_drawable(&self) -> bool {
        self.retrains || self.done.result.is_some() || self.done.failed
    }

    fn frame(&self) -> Option<RegressionSnapshot> {
        // Retraining changes nothing in the first figure.
        let retraining = matches!(self.step, RegressionStep::Retrain(_)) && !self.done.retrained.is_empty();
        let shown = self.done.result.is_some()
            || matches!(self.step, RegressionStep::Network(_))
            || !self.done.networks.is_empty();
        (shown && !retraining).then(|| self.snapshot())
    }

    fn record(&mut self) {
        self.recorded = true;
    }

    fn snapshot(&self) -> RegressionSnapshot {
        let mut snapshot = self.done.clone();
        if let RegressionStep::Network(network) = &self.step {
            snapshot.networks.extend(network.result());
        }
        snapshot
    }
}
