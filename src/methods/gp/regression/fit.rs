//! Hyperparameters that maximise the log evidence: σ², amplitude and noise, by L-BFGS from several starts (RW06 §5.4.1).

use super::{EvidenceGradient, RegressionModel, RegressionPosterior};
use crate::gp::fit::SIGMA2;
use crate::gp::fit::bounds::LogBounds;
use crate::math::Ending;
use crate::math::lbfgs::Lbfgs;

/// Bounds of the amplitude a.
pub const AMPLITUDE: (f64, f64) = (1e-2, 1e3);
/// Bounds of the standard deviation s of the noise.
pub const NOISE: (f64, f64) = (1e-3, 1e2);

/// Further starts: a factor of the given σ², and the noise relative to the amplitude, the root mean square of the targets. The first
/// start has the given hyperparameters.
const STARTS: [(f64, f64); 6] = [(1.0, 0.1), (0.1, 0.1), (10.0, 0.1), (1.0, 0.5), (10.0, 1.0), (0.02, 0.1)];
/// Convergence tolerance: largest absolute derivative with respect to a coordinate, in nats.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of evaluations per start.
const MAX_EVALUATIONS: usize = 200;
/// Maximum change of a coordinate in one step.
const MAX_STEP: f64 = 1.0;

/// A model and its log evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Model.
    pub model: RegressionModel,
    /// Log evidence, nats.
    pub ln_evidence: f64,
}

/// A search for the hyperparameters that maximise the log evidence.
pub struct EvidenceFit {
    rows: Vec<Vec<f64>>,
    targets: Vec<f64>,
    given: RegressionModel,
    /// Index of the start in progress; `STARTS.len() + 1` at the end.
    start: usize,
    search: Lbfgs,
    /// Evaluations of the start in progress.
    start_evaluations: usize,
    /// Evaluations of all starts.
    evaluations: usize,
    best: Option<(Fitted, Option<Ending>)>,
}

impl EvidenceFit {
    /// Creates a search with inputs `rows` (m of N) and `targets` (m) that starts at `given`.
    pub fn new(rows: Vec<Vec<f64>>, targets: Vec<f64>, given: RegressionModel) -> Self {
        let search = Lbfgs::new(&[], TOLERANCE, MAX_STEP);
        let mut fit =
            Self { rows, targets, given, start: 0, search, start_evaluations: 0, evaluations: 0, best: None };
        fit.open_start();
        fit
    }

    /// Returns the number of starts.
    pub fn starts() -> usize {
        STARTS.len() + 1
    }

    /// Returns the number of evaluations so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Returns the number of the start in progress, from 0.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the best model so far; `None` before the first successful evaluation.
    pub fn best(&self) -> Option<&Fitted> {
        self.best.as_ref().map(|(fitted, _)| fitted)
    }

    /// Returns how the search that found the best model ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.best.as_ref().and_then(|(_, ending)| *ending)
    }

    /// Evaluates one model. Returns true when all starts have ended.
    pub fn advance(&mut self) -> bool {
        if self.start >= Self::starts() {
            return true;
        }
        let model = self.model(self.search.ask());
        let posterior = RegressionPosterior::new(self.rows.clone(), self.targets.clone(), model.clone());
        self.evaluations += 1;
        self.start_evaluations += 1;
        let ending = if let Some(posterior) = posterior {
            let ln_evidence = posterior.ln_evidence();
            let gradient = self.gradient(&model, &posterior.evidence_gradient());
            if self.best().is_none_or(|best| ln_evidence > best.ln_evidence) {
                self.best = Some((Fitted { model, ln_evidence }, None));
            }
            self.search.tell(-ln_evidence, &gradient)
        } else {
            self.search.tell(f64::INFINITY, &vec![0.0; self.search.ask().len()])
        };
        let spent = (self.start_evaluations >= MAX_EVALUATIONS).then_some(Ending::MaxIterations);
        if let Some(ending) = ending.or(spent) {
            // The best model comes from this start if its ending is not set yet.
            if let Some((_, best @ None)) = &mut self.best {
                *best = Some(ending);
            }
            self.start += 1;
            self.open_start();
        }
        self.start >= Self::starts()
    }

    fn open_start(&mut self) {
        let at = self.start_point();
        self.start_evaluations = 0;
        self.search = Lbfgs::new(&self.coordinates(&at), TOLERANCE, MAX_STEP);
    }

    fn start_point(&self) -> RegressionModel {
        let Some((factor, noise)) = self.start.checked_sub(1).and_then(|start| STARTS.get(start)) else {
            return self.given.clone();
        };
        let squares: f64 = self.targets.iter().map(|t| t * t).sum();
        let size = (squares / self.targets.len().max(1) as f64).sqrt().max(10.0 * NOISE.0);
        let mut kernel = self.given.kernel.clone();
        kernel.weights.iter_mut().for_each(|w| *w /= factor);
        RegressionModel { kernel, amplitude: size, noise: noise * size }
    }

    /// Returns true if σ² is fitted. It cannot be identified along with the amplitude if K is proportional to the weights.
    fn scale_is_free(&self) -> bool {
        !self.given.kernel.is_proportional_to_weights()
    }

    /// Returns the coordinates of a model: σ² if it is fitted, amplitude and noise.
    fn coordinates(&self, at: &RegressionModel) -> Vec<f64> {
        let scale = self.scale_is_free().then(|| LogBounds::of(SIGMA2).unbounded(libm::log(sigma2(at))));
        let amplitude = LogBounds::of(AMPLITUDE).unbounded(libm::log(at.amplitude));
        let noise = LogBounds::of(NOISE).unbounded(libm::log(at.noise));
        scale.into_iter().chain([amplitude, noise]).collect()
    }

    /// Returns the model at coordinates `z`.
    fn model(&self, z: &[f64]) -> RegressionModel {
        let (scale, rest) = z.split_at(usize::from(self.scale_is_free()));
        let mut kernel = self.given.kernel.clone();
        for z in scale {
            let ratio = sigma2(&self.given) / libm::exp(LogBounds::of(SIGMA2).value(*z));
            kernel.weights.iter_mut().for_each(|w| *w *= ratio);
        }
        RegressionModel {
            kernel,
            amplitude: libm::exp(LogBounds::of(AMPLITUDE).value(rest[0])),
            noise: libm::exp(LogBounds::of(NOISE).value(rest[1])),
        }
    }

    /// Returns the gradient of minus the log evidence with respect to the coordinates.
    fn gradient(&self, at: &RegressionModel, gradient: &EvidenceGradient) -> Vec<f64> {
        let slope = |bounds: (f64, f64), value: f64| LogBounds::of(bounds).slope(libm::log(value));
        let by_scale = || gradient.ln_weights.iter().sum::<f64>() * slope(SIGMA2, sigma2(at));
        let amplitude = -gradient.ln_amplitude * slope(AMPLITUDE, at.amplitude);
        let noise = -gradient.ln_noise * slope(NOISE, at.noise);
        self.scale_is_free().then(by_scale).into_iter().chain([amplitude, noise]).collect()
    }
}

/// Returns the σ² that corresponds to the mean weight, 1/(N w̄).
pub fn sigma2(model: &RegressionModel) -> f64 {
    1.0 / model.kernel.weights.iter().sum::<f64>()
}
