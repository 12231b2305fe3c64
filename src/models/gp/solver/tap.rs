//! TAP and naive mean field, OW98 eqs. (10) to (13), by a double loop: Newton steps for the cavity means at fixed
//! variances λ, and λ from the response, eq. (12). The naive theory is one inner solve at λ = diag C.

use super::damped::Damped;
use super::factor::Factor;
use super::site::Site;
use super::training_set::TrainingSet;
use crate::math::{Budget, Ending, largest};

/// Which mean-field theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanField {
    /// Variances from the response of the other examples.
    Tap,
    /// Variances of the prior.
    Naive,
}

/// The solver; `self` holds its options.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Which theory.
    pub theory: MeanField,
    /// max |Δλ/λ| at which the outer loop is done.
    pub tolerance: f64,
    /// Newton steps at most, damped sweeps among them.
    pub most_steps: usize,
}

impl Tap {
    /// With tolerances at which nothing printed changes.
    pub fn new(theory: MeanField) -> Self {
        Self { theory, tolerance: 1e-9, most_steps: 1000 }
    }
}

/// What must be carried from step to step.
#[derive(Clone, Debug)]
pub struct State {
    /// Cavity means γ, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// Outer iterations and Newton solves so far.
    pub outer_iterations: usize,
    /// See `outer_iterations`.
    pub newton_solves: usize,
    /// max |F| of the inner problem, relative to the largest field.
    pub residual: f64,
    /// max |Δλ/λ| of the last outer iteration.
    pub change: f64,
    smallest_change: f64,
    stalled: usize,
    sites: Vec<Site>,
    force: Vec<f64>,
    pub(in crate::models::gp) way: Way,
}

/// On which way a solve is.
#[derive(Clone, Debug)]
pub(in crate::models::gp) enum Way {
    /// The double loop, from nothing or from another solution.
    DoubleLoop { warm: bool },
    /// What the double loop did not find, by damped sweeps from nothing.
    Damped(Box<Damped>),
}

/// A fixed point: the posterior in the mean-field approximation.
pub struct Solution {
    /// Of which theory.
    pub theory: MeanField,
    /// x = C⁻¹⟨h⟩, m.
    pub x: Vec<f64>,
    /// Posterior means of the fields, h = C x, m.
    pub h: Vec<f64>,
    /// Cavity means γ = h − λx, m.
    pub gamma: Vec<f64>,
    /// Cavity variances λ, m.
    pub lambda: Vec<f64>,
    /// −G: TAP's is the log evidence.
    pub minus_g: f64,
    /// The fields of examples left out, m: the cavity means in TAP, by linear response in the naive theory.
    pub left_out: Vec<f64>,
    /// Variances that go with them, noise included, m: λ in TAP.
    pub left_out_var: Vec<f64>,
    /// Σ ln p(label | others), from the fields left out.
    pub ln_loo: f64,
    /// (I + S C), factored at the solution.
    pub factor: Factor,
    /// Precisions S of the sites, m.
    pub s: Vec<f64>,
    pub(in crate::models::gp) sites: Vec<Site>,
}

/// Inner residuals below this, relative to the largest field, are rounding.
const INNER: f64 = 1e-12;
/// Outer iterations without damping; only κ > 0 ever needs more, and those are damped.
const PATIENCE: usize = 30;

impl Tap {
    /// The state to begin with: the prior's variances and no fields.
    pub fn init(&self, problem: &TrainingSet) -> State {
        let m = problem.len();
        self.begin(problem, vec![0.0; m], (0..m).map(|i| problem.at(i, i)).collect(), false)
    }

    /// The state to begin with where the solution of a similar problem is known: its cavity means and variances, m each. The
    /// fixed point is the same, but for the tolerances, wherever there is one only.
    pub fn init_near(&self, problem: &TrainingSet, gamma: &[f64], lambda: &[f64]) -> State {
        let prior = |i: usize| problem.at(i, i);
        let inside = |i: usize, lambda: f64| if lambda > 0.0 { lambda.min(prior(i)) } else { prior(i) };
        let lambda = match self.theory {
            MeanField::Tap => lambda.iter().enumerate().map(|(i, lambda)| inside(i, *lambda)).collect(),
            MeanField::Naive => (0..problem.len()).map(prior).collect(),
        };
        self.begin(problem, gamma.to_vec(), lambda, true)
    }

    fn begin(&self, problem: &TrainingSet, gamma: Vec<f64>, lambda: Vec<f64>, warm: bool) -> State {
        let mut state = State {
            gamma,
            lambda,
            outer_iterations: 0,
            newton_solves: 0,
            residual: f64::INFINITY,
            change: if self.theory == MeanField::Naive { 0.0 } else { 1.0 },
            smallest_change: f64::INFINITY,
            stalled: 0,
            sites: Vec::new(),
            force: Vec::new(),
            way: Way::DoubleLoop { warm },
        };
        state.look(problem);
        state
    }

    /// The tolerance of the inner loop: a fraction of what the outer loop still moves.
    fn inner_tolerance(&self, state: &State) -> f64 {
        if state.change <= self.tolerance { 1e-10 } else { (0.01 * state.change).clamp(1e-10, 1e-3) }
    }

    /// One Newton step, one update of λ or one damped sweep; `None` while the solve goes on.
    ///
    /// With flips (κ > 0) the double loop of TAP may come to variances at which there are no means. Begun from nothing, it is then
    /// followed by damped sweeps; from another solution, it is for the caller to begin from nothing.
    pub fn advance(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        if let Way::Damped(_) = state.way {
            return self.damped(problem, state);
        }
        let ending = self.double_loop(problem, state);
        let flips = self.theory == MeanField::Tap && problem.kappa > 0.0;
        let failed = matches!(ending, Some(Ending::NoSolution | Ending::NonFinite));
        if flips && failed && matches!(state.way, Way::DoubleLoop { warm: false }) {
            state.way = Way::Damped(Box::new(Damped::new(problem)));
            return None;
        }
        ending
    }

    fn damped(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        let Way::Damped(damped) = &mut state.way else { return Some(Ending::NoSolution) };
        if state.newton_solves >= self.most_steps {
            return Some(Ending::MaxIterations);
        }
        let goes_on = damped.sweep(problem);
        state.newton_solves += 1;
        state.outer_iterations += 1;
        (state.change, state.residual) = (damped.change, damped.change);
        if !goes_on {
            return Some(Ending::NoSolution);
        }
        if damped.change > self.tolerance {
            return None;
        }
        (state.gamma, state.lambda) = (damped.gamma.clone(), damped.lambda.clone());
        state.look(problem);
        Some(if state.residual < 1e-6 { Ending::Converged } else { Ending::NoSolution })
    }

    fn double_loop(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        if !state.residual.is_finite() || state.lambda.iter().any(|l| !l.is_finite()) {
            return Some(Ending::NonFinite);
        }
        if state.newton_solves >= self.most_steps {
            return Some(Ending::MaxIterations);
        }
        if state.residual > self.inner_tolerance(state) {
            return match state.newton(problem) {
                Step::Taken => None,
                Step::Rounding if state.residual < 1e-6 => self.outer(problem, state),
                Step::Rounding => Some(Ending::NoSolution),
                Step::Singular => Some(Ending::NonFinite),
            };
        }
        self.outer(problem, state)
    }

    fn outer(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        let rounding = state.residual > 1e-9;
        if self.theory == MeanField::Naive || state.change <= self.tolerance {
            return Some(if rounding { Ending::Stalled } else { Ending::Converged });
        }
        if state.stalled >= 4 && state.smallest_change < 1e-7 {
            return Some(Ending::Stalled);
        }
        state.update_lambda(problem).err()
    }

    /// Steps until the end or until the budget is spent; `None` in the second case. `observe` sees the state after every step.
    pub fn run(
        &self,
        problem: &TrainingSet,
        state: &mut State,
        budget: &mut Budget,
        mut observe: impl FnMut(&State),
    ) -> Option<Ending> {
        while !budget.is_spent() {
            let ending = self.advance(problem, state);
            budget.spend(problem.cost());
            observe(state);
            if ending.is_some() {
                return ending;
            }
        }
        None
    }

    /// Steps until the end.
    pub fn solve(&self, problem: &TrainingSet) -> (State, Ending) {
        self.finish(problem, self.init(problem))
    }

    /// Steps from `state` until the end.
    pub fn finish(&self, problem: &TrainingSet, mut state: State) -> (State, Ending) {
        loop {
            if let Some(ending) = self.advance(problem, &mut state) {
                return (state, ending);
            }
        }
    }
}

enum Step {
    Taken,
    /// No step makes the residual smaller.
    Rounding,
    Singular,
}

impl State {
    /// Sites and F = γ − (C − λ) x at this γ and λ.
    fn look(&mut self, problem: &TrainingSet) {
        self.sites = self.sites_at(problem, &self.gamma);
        (self.force, self.residual) = self.force_at(problem, &self.gamma, &self.sites);
    }

    fn sites_at(&self, problem: &TrainingSet, gamma: &[f64]) -> Vec<Site> {
        (gamma.iter().zip(&self.lambda).zip(&problem.tau))
            .map(|((gamma, lambda), tau)| Site::at(*gamma, *lambda, *tau, problem.kappa))
            .collect()
    }

    fn force_at(&self, problem: &TrainingSet, gamma: &[f64], sites: &[Site]) -> (Vec<f64>, f64) {
        let x: Vec<f64> = sites.iter().map(|site| site.x).collect();
        let h = problem.times(&x);
        let force: Vec<f64> = (0..gamma.len()).map(|i| gamma[i] - h[i] + self.lambda[i] * x[i]).collect();
        let scale = h.iter().chain(gamma).fold(1e-300_f64, |most, h| most.max(h.abs()));
        let worst = largest(&force);
        (force, worst / scale)
    }

    /// d = −F + (C − λ) u with u = (Λ + C)⁻¹ F, halved until |F| falls.
    fn newton(&mut self, problem: &TrainingSet) -> Step {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        let Some(factor) = Factor::new(problem, &s) else { return Step::Singular };
        self.newton_solves += 1;
        let u = factor.solve(&self.force);
        let c_u = problem.times(&u);
        let direction: Vec<f64> =
            (0..u.len()).map(|i| c_u[i] - self.lambda[i] * u[i] - self.force[i]).collect();
        let norm = |force: &[f64]| force.iter().map(|f| f * f).sum::<f64>();
        let before = norm(&self.force);
        let mut length = 1.0;
        for _ in 0..40 {
            let gamma: Vec<f64> = self.gamma.iter().zip(&direction).map(|(g, d)| g + length * d).collect();
            let sites = self.sites_at(problem, &gamma);
            let (force, residual) = self.force_at(problem, &gamma, &sites);
            if norm(&force) < before {
                (self.gamma, self.sites, self.force, self.residual) = (gamma, sites, force, residual);
                return Step::Taken;
            }
            length *= 0.5;
        }
        if self.residual < INNER { Step::Taken } else { Step::Rounding }
    }

    /// λ ← 1/(1/Σ_ii − S_i), eq. (12); an error where that is not positive.
    fn update_lambda(&mut self, problem: &TrainingSet) -> Result<(), Ending> {
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        let factor = Factor::new(problem, &s).ok_or(Ending::NonFinite)?;
        let b = factor.inverse_diagonal();
        let damping = if self.outer_iterations >= PATIENCE { 0.5 } else { 1.0 };
        let mut change = 0.0_f64;
        for i in 0..s.len() {
            if problem.at(i, i) <= 0.0 {
                continue;
            }
            let Some(lambda) = response(problem, &factor, s[i], b[i], i).filter(|lambda| *lambda > 0.0)
            else {
                return Err(Ending::NoSolution);
            };
            let new = self.lambda[i] + damping * (lambda - self.lambda[i]);
            change = change.max((lambda - self.lambda[i]).abs() / lambda);
            self.lambda[i] = new;
        }
        self.outer_iterations += 1;
        self.change = change;
        if change < self.smallest_change {
            (self.smallest_change, self.stalled) = (change, 0);
        } else {
            self.stalled += 1;
        }
        self.look(problem);
        Ok(())
    }

    /// The solution at this state; `None` where a matrix has no inverse.
    pub fn solution(&self, problem: &TrainingSet, theory: MeanField) -> Option<Solution> {
        let x: Vec<f64> = self.sites.iter().map(|site| site.x).collect();
        let s: Vec<f64> = self.sites.iter().map(|site| site.s).collect();
        let h = problem.times(&x);
        let factor = Factor::new(problem, &s)?;
        let quadratic: f64 = (0..x.len()).map(|i| x[i] * (h[i] - self.lambda[i] * x[i])).sum();
        let naive = self.sites.iter().map(|site| site.ln_z0).sum::<f64>() - 0.5 * quadratic;
        let minus_g = match theory {
            MeanField::Naive => naive,
            // −½ ln det(I + S C) + ½ Σ ln(1 + S λ).
            MeanField::Tap => {
                let logs: f64 = s.iter().zip(&self.lambda).map(|(s, l)| libm::log1p(s * l)).sum();
                naive + 0.5 * (logs - factor.ln_det())
            }
        };
        let (left_out, left_out_var): (Vec<f64>, Vec<f64>) = match theory {
            MeanField::Tap => (self.gamma.clone(), self.lambda.clone()),
            MeanField::Naive => {
                // h − x (1/[(Λ+C)⁻¹]_ii − Λ_i), and the variance that goes with it, by the response of the others.
                let b = factor.inverse_diagonal();
                (0..x.len())
                    .map(|i| match response(problem, &factor, s[i], b[i], i) {
                        Some(lambda) => (h[i] - x[i] * lambda, lambda),
                        None => (h[i], problem.at(i, i)),
                    })
                    .unzip()
            }
        };
        let ln_loo = (left_out.iter().zip(&left_out_var).zip(&problem.tau))
            .map(|((gamma, lambda), tau)| Site::at(*gamma, *lambda, *tau, problem.kappa).ln_z0)
            .sum();
        Some(Solution {
            theory,
            x,
            h,
            gamma: self.gamma.clone(),
            lambda: self.lambda.clone(),
            minus_g,
            left_out,
            left_out_var,
            ln_loo,
            factor,
            s,
            sites: self.sites.clone(),
        })
    }
}

/// Variance of the field of example `i` left out, 1/(1/Σ_ii − S): of its precision S and `b`, its element of diag (I + S C)⁻¹; 0
/// where only rounding is left of it. `None` where S takes away more than there is.
pub(in crate::models::gp) fn response(
    problem: &TrainingSet,
    factor: &Factor,
    s: f64,
    b: f64,
    i: usize,
) -> Option<f64> {
    let prior = problem.at(i, i);
    if prior <= 0.0 {
        return Some(0.0);
    }
    // Σ_ii = (1 − b)/S; where S is tiny that cancels, and the definition does not.
    let var = if (s * prior).abs() > 1e-5 {
        (1.0 - b) / (s * b)
    } else {
        1.0 / (1.0 / (prior - factor.quadratic(problem.row(i))) - s)
    };
    if var.abs() < 1e-9 * prior {
        Some(var.max(0.0))
    } else {
        Some(var).filter(|v| *v > 0.0 && v.is_finite())
    }
}

impl Solution {
    /// Mean and variance of the noise-free field at an input with covariances `k` (m) to the examples and `own` to itself.
    pub fn predict(&self, k: &[f64], own: f64) -> (f64, f64) {
        let mean = k.iter().zip(&self.x).map(|(k, x)| k * x).sum();
        (mean, (own - self.factor.quadratic(k)).max(0.0))
    }

    /// Examples whose field does not agree with its label; none at all counts as a mistake.
    pub fn errors(fields: &[f64], tau: &[f64]) -> usize {
        fields.iter().zip(tau).filter(|(field, tau)| *field * *tau <= 0.0).count()
    }
}
