//! The approximations behind one face: begun, advanced a step at a time, and looked at.

use super::super::factor::Factor;
use super::super::kernel::Kernel;
use super::super::laplace::{Search, Stepped};
use super::super::problem::Problem;
use super::super::site::{Site, probability};
use super::super::tap::{Ending, Solution, State, Tap, Theory};
use super::super::watch::Parallel;
use super::{Attempt, Ended, Method, OwnSpec, Prediction};

/// Where the paper's iteration counts as settled, and after how many sweeps nobody waits for it any longer.
const SETTLED: f64 = 1e-9;
const MOST_SWEEPS: usize = 20_000;

/// Covariance function and noise of one solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Covariance function with its weights.
    pub kernel: Kernel,
    /// The σ² in them.
    pub sigma2: f64,
    /// Noise variance of the fields.
    pub v: f64,
    /// Probability that a label is flipped.
    pub kappa: f64,
}

impl Setting {
    /// That of `spec` for `inputs` inputs, with another σ².
    pub fn new(spec: &OwnSpec, inputs: usize, sigma2: f64) -> Self {
        let mut kernel = Kernel::isotropic(spec.kernel.into(), inputs, sigma2);
        for (weight, relevance) in kernel.weights.iter_mut().zip(&spec.ard) {
            *weight *= relevance;
        }
        Self { kernel, sigma2, v: spec.v, kappa: spec.kappa }
    }
}

/// A solve under way.
pub struct Solving {
    problem: Problem,
    setting: Setting,
    tool: Tool,
}

enum Tool {
    MeanField(Tap, Box<State>),
    /// On the covariances without noise.
    Laplace(Search),
    Paper(Parallel),
}

/// An approximate posterior.
pub struct Posterior {
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Posterior means of the fields, m.
    pub h: Vec<f64>,
    /// What is said of each example left out, m.
    pub left_out: Vec<Prediction>,
    /// Σ ln p(label | others).
    pub ln_loo: f64,
    /// −G, or Laplace's log evidence.
    pub minus_g: f64,
    factor: Factor,
}

impl Solving {
    /// The covariances of `rows`, without those of their noise where the `method` wants none: m×m, row by row.
    pub fn new(rows: &[Vec<f64>], tau: &[f64], setting: Setting, spec: &OwnSpec) -> Self {
        let v = if spec.method == Method::Laplace { 0.0 } else { setting.v };
        let problem = Problem::new(rows, tau, &setting.kernel, v, setting.kappa);
        Self::of(problem, setting, spec)
    }

    /// The same without example `row`.
    pub fn without(&self, row: usize, spec: &OwnSpec) -> Self {
        let problem = self.problem.without(row);
        Self::of(problem, self.setting.clone(), spec)
    }

    fn of(problem: Problem, setting: Setting, spec: &OwnSpec) -> Self {
        let mean_field = |theory| {
            let tap = Tap::new(theory);
            Tool::MeanField(tap, Box::new(tap.init(&problem)))
        };
        let tool = match spec.method {
            Method::Tap => mean_field(Theory::Tap),
            Method::Naive => mean_field(Theory::Naive),
            Method::Laplace => Tool::Laplace(Search::new(&problem, setting.v)),
            Method::PaperIteration => Tool::Paper(Parallel::new(&problem, spec.damping)),
        };
        Self { problem, setting, tool }
    }

    /// One step; how it ended, if it did.
    pub fn advance(&mut self) -> Option<Ended> {
        match &mut self.tool {
            Tool::MeanField(tap, state) => tap.advance(&self.problem, state).map(|ending| match ending {
                Ending::Converged | Ending::Stalled => Ended::Solved,
                Ending::MaxIterations => Ended::TooLong,
                Ending::Diverged => Ended::Lost,
            }),
            Tool::Laplace(search) => match search.step(&self.problem) {
                Stepped::GoOn => None,
                Stepped::Settled => Some(Ended::Solved),
                Stepped::Lost => Some(Ended::Lost),
            },
            Tool::Paper(parallel) => {
                if !parallel.sweep(&self.problem) {
                    Some(Ended::Lost)
                } else if parallel.residual < SETTLED {
                    Some(Ended::Solved)
                } else {
                    (parallel.sweeps >= MOST_SWEEPS).then_some(Ended::TooLong)
                }
            }
        }
    }

    /// Multiply–adds of a step, roughly.
    pub fn cost(&self) -> usize {
        self.problem.len().pow(3) / 2
    }

    /// How far it is, without scores.
    pub fn attempt(&self, ended: Option<Ended>) -> Attempt {
        let (outer_iterations, newton_solves, residual) = match &self.tool {
            // Of the naive theory there is no outer loop, and no λ that could still move.
            Tool::MeanField(_, state) => {
                (state.outer_iterations, state.newton_solves, state.residual.max(state.change))
            }
            Tool::Laplace(search) => (0, search.newton_solves, search.residual),
            Tool::Paper(parallel) => (parallel.sweeps, 0, parallel.residual),
        };
        let Setting { sigma2, v, kappa, .. } = self.setting;
        Attempt { sigma2, kappa, v, ended, outer_iterations, newton_solves, residual, scores: None }
    }

    /// The posterior here; `None` where a matrix has no inverse.
    pub fn posterior(&self) -> Option<Posterior> {
        let problem = &self.problem;
        match &self.tool {
            Tool::MeanField(tap, state) => {
                let solution = state.solution(problem, tap.theory)?;
                let variances = match tap.theory {
                    Theory::Tap => solution.lambda.clone(),
                    Theory::Naive => responses(problem, &solution),
                };
                Some(self.mean_field(solution, &variances))
            }
            Tool::Paper(parallel) => {
                let solution = parallel.solution(problem)?;
                let variances = solution.lambda.clone();
                Some(self.mean_field(solution, &variances))
            }
            Tool::Laplace(search) => {
                let fit = search.approximation(problem)?;
                let (v, kappa) = (self.setting.v, self.setting.kappa);
                let mut fields = fit.left_out(problem);
                for ((mean, var), (f, a)) in fields.iter_mut().zip(fit.f.iter().zip(&fit.a)) {
                    *mean = sure(*mean, f.abs() + (*var * a).abs());
                }
                let said = |(mean, var): &(f64, f64)| self.said(*mean, var + v);
                let log =
                    |((mean, var), tau): (&(f64, f64), &f64)| Site::at(*mean, var + v, *tau, kappa).ln_z0;
                Some(Posterior {
                    left_out: fields.iter().map(said).collect(),
                    ln_loo: fields.iter().zip(&problem.tau).map(log).sum(),
                    minus_g: fit.ln_evidence,
                    gamma: fields.iter().map(|f| f.0).collect(),
                    lambda: fields.iter().map(|f| f.1).collect(),
                    x: fit.a,
                    h: fit.f,
                    factor: fit.factor,
                })
            }
        }
    }

    fn mean_field(&self, solution: Solution, variances: &[f64]) -> Posterior {
        let left_out = |i: usize| {
            let terms = solution.h[i].abs() + (solution.x[i] * variances[i]).abs();
            self.said(sure(solution.left_out[i], terms), variances[i])
        };
        Posterior {
            left_out: (0..variances.len()).map(left_out).collect(),
            x: solution.x,
            gamma: solution.gamma,
            lambda: solution.lambda,
            h: solution.h,
            ln_loo: solution.ln_loo,
            minus_g: solution.minus_g,
            factor: solution.factor,
        }
    }

    /// A prediction from a field whose variance has the noise in it.
    fn said(&self, mean: f64, var: f64) -> Prediction {
        Prediction { mean, var, p: probability(mean, var, self.setting.kappa) }
    }

    /// What is said of an input at `at`, the `rows` being those that were learnt from.
    pub fn predict<'a>(
        &self,
        posterior: &Posterior,
        rows: impl Iterator<Item = &'a Vec<f64>>,
        at: &[f64],
    ) -> Prediction {
        let Setting { kernel, v, kappa, .. } = &self.setting;
        let k: Vec<f64> = rows.map(|row| kernel.at(row, at)).collect();
        let mean = k.iter().zip(&posterior.x).map(|(k, x)| k * x).sum();
        let var = (kernel.at(at, at) - posterior.factor.quadratic(&k)).max(0.0);
        Prediction { mean, var, p: probability(mean, var + v, *kappa) }
    }

    /// Its settings.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }
}

/// A difference of two `terms` unless it is their rounding: then a field of nothing, whose sign would be chance, or the
/// label's own.
fn sure(difference: f64, terms: f64) -> f64 {
    if difference.abs() > 1e-13 * terms { difference } else { 0.0 }
}

/// Variances of the fields of examples left out of the naive theory, by the response of the others: 1/[(Λ+C)⁻¹]_μμ − Λ_μ.
fn responses(problem: &Problem, solution: &Solution) -> Vec<f64> {
    let b = solution.factor.inverse_diagonal();
    let response = |(i, b): (usize, &f64)| {
        let lambda = (1.0 - b) / (solution.s[i] * b);
        if lambda.is_finite() { lambda } else { problem.at(i, i) }
    };
    b.iter().enumerate().map(response).collect()
}
