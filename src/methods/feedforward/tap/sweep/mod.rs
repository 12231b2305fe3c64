//! The TAP equations (4), (5), (6′) and (8) of OW96, solved by a damped iteration with fall-backs.

mod schedule;

use super::cavity_mean;
use super::solution::Solution;
use super::training_set::TrainingSet;
use super::votes::VoteCounter;
use crate::math::covariance::InputCovariance;
use crate::math::lanes::{self, LANES, Lanes, each};
use crate::math::{Budget, Ending, SmallestResidual, max_or_nan};
use schedule::{PATIENT, Response, SCHEDULES, Schedule};

/// State of the iteration, carried from sweep to sweep.
#[derive(Clone, Debug)]
pub struct State {
    /// ⟨w⟩, K×n.
    w: Vec<f64>,
    /// g = i⟨x⟩ of eq. (5): K lanes for each block of eight examples.
    g: Vec<Lanes>,
    /// Damped response estimate 1/(1+V) of λ, K: the centre of the interval to which λ is clipped.
    lambda_response: Vec<f64>,
    /// ⟨w⟩ at which every schedule starts, K×n; empty for 0.
    start: Vec<f64>,
    /// Index into [`SCHEDULES`].
    schedule: usize,
    /// Sweeps on that schedule.
    sweeps: usize,
    /// Smallest residual on that schedule.
    smallest: SmallestResidual,
    total_sweeps: usize,
    /// Diagnostics of the last sweep.
    info: Option<SweepInfo>,
}

/// Diagnostics of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweepInfo {
    /// The larger of rms(C⁻¹Sᵀg/√n − w) and rms(g_new − g).
    pub residual: f64,
    /// True if λ of eq. (6′) lies inside the clipping interval in every branch.
    pub lambda_free: bool,
    /// Fraction of the full step that was taken.
    pub damping: f64,
}

/// Residual at which a schedule is abandoned.
const DIVERGED_RESIDUAL: f64 = 1e20;

/// Largest factor between λ and its response estimate.
const LAMBDA_CLIP: f64 = 3.0;

/// The solver with one variance λ for all examples of a branch; `self` holds its options.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Residual at which a solve has converged.
    pub tolerance: f64,
}

impl Default for Tap {
    fn default() -> Self {
        Self { tolerance: 1e-8 }
    }
}

impl Tap {
    /// Returns the initial state, w = 0 and g = 0.
    pub fn init(&self, problem: &TrainingSet) -> State {
        State {
            w: vec![0.0; problem.inputs()],
            g: vec![[0.0; LANES]; problem.labels.len() * problem.hidden()],
            lambda_response: vec![1.0; problem.hidden()],
            start: Vec::new(),
            // Skips the undamped schedule, which fails for noise-free committees.
            schedule: usize::from(problem.hidden() > 1 && problem.likelihood.flip_probability() < 0.01),
            sweeps: 0,
            smallest: SmallestResidual::new(),
            total_sweeps: 0,
            info: None,
        }
    }

    /// Returns the initial state w = `start`, K×n, and g = 0, to which every schedule returns; an empty `start` stands for 0. Each
    /// branch must have |w|² < n.
    pub fn start_at(&self, problem: &TrainingSet, start: Vec<f64>) -> State {
        let state = self.init(problem);
        if start.is_empty() {
            return state;
        }
        let lambda_response =
            start.chunks_exact(problem.branch()).map(|w| lambda(w, problem.covariance)).collect();
        State { w: start.clone(), lambda_response, start, ..state }
    }

    /// Makes one sweep of the TAP equations over all examples and weights. Returns how the solve ended, `None` if it continues.
    pub fn advance(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        let schedule = SCHEDULES[state.schedule];
        let info = lanes::dispatch_simd(SweepKernel { problem, state, schedule });
        state.sweeps += 1;
        state.total_sweeps += 1;
        state.smallest.add(info.residual);
        state.info = Some(info);
        if info.residual < self.tolerance && info.lambda_free {
            return Some(Ending::Converged);
        }
        let bounded = info.residual < DIVERGED_RESIDUAL;
        if state.sweeps < schedule.sweeps && bounded && !state.smallest.has_stalled(PATIENT) {
            return None;
        }
        if state.schedule + 1 == SCHEDULES.len() {
            return Some(match (bounded, info.lambda_free) {
                (true, true) => Ending::MaxIterations,
                // Eq. (6′) has left the region where the equations are defined.
                (true, false) => Ending::NoSolution,
                (false, _) => Ending::NonFinite,
            });
        }
        *state = State {
            schedule: state.schedule + 1,
            total_sweeps: state.total_sweeps,
            info: state.info,
            ..self.start_at(problem, std::mem::take(&mut state.start))
        };
        None
    }

    /// Returns an initial state that continues from `solved`, the solution for fewer of the same examples; g of the others is 0.
    /// It leads to the same fixed point as [`Self::init`].
    pub fn warm_start(&self, problem: &TrainingSet, solved: State) -> State {
        let mut state = State {
            schedule: self.init(problem).schedule,
            sweeps: 0,
            smallest: SmallestResidual::new(),
            total_sweeps: 0,
            ..solved
        };
        state.g.resize(problem.labels.len() * problem.hidden(), [0.0; LANES]);
        state
    }

    /// Sweeps until the solve ends or the budget is spent; returns `None` in the second case. `observe` is called with the state
    /// after every sweep.
    pub fn run(
        &self,
        problem: &TrainingSet,
        state: &mut State,
        budget: &mut Budget,
        mut observe: impl FnMut(&State),
    ) -> Option<Ending> {
        while !budget.is_spent() {
            let ending = self.advance(problem, state);
            budget.spend(problem.cost() as u64);
            observe(state);
            if ending.is_some() {
                return ending;
            }
        }
        None
    }

    /// Solves without a budget.
    pub fn solve(&self, problem: &TrainingSet) -> (State, Ending) {
        let mut state = self.init(problem);
        loop {
            if let Some(ending) = self.advance(problem, &mut state) {
                return (state, ending);
            }
        }
    }
}

/// Returns λ_k = 1 − ⟨w_k⟩ᵀ C ⟨w_k⟩/n, OW96 eq. (6′), of one branch.
fn lambda(w: &[f64], covariance: InputCovariance) -> f64 {
    let square = match covariance {
        InputCovariance::White => lanes::dot(w, w),
        InputCovariance::Ar1(_) => {
            let mut white = w.to_vec();
            covariance.whiten_weights(&mut white);
            lanes::dot(&white, &white)
        }
    };
    1.0 - square / w.len() as f64
}

/// [`tap_sweep`] as a [`lanes::SimdKernel`].
struct SweepKernel<'a> {
    problem: &'a TrainingSet<'a>,
    state: &'a mut State,
    schedule: Schedule,
}

impl lanes::SimdKernel for SweepKernel<'_> {
    type Output = SweepInfo;
    #[inline(always)]
    fn run(self) -> SweepInfo {
        tap_sweep(self.problem, self.state, self.schedule)
    }
}

/// Updates w, g and the response estimates of λ by a damped, parallel sweep of OW96 eqs. (4), (5), (6′) and (8). Each block of
/// examples is read once: its cavity fields (8), its new g (5) and its share of Sᵀg (4) are computed together. `reference_sweep`
/// in the tests has the equations one by one.
#[inline(always)]
fn tap_sweep(problem: &TrainingSet, state: &mut State, schedule: Schedule) -> SweepInfo {
    let (lambdas, lambda_free) = clipped_lambdas(problem, state);
    let mut sums = sweep_examples(problem, state, schedule, &lambdas);
    let squares = update_weights(problem, state, schedule.damping, &mut sums);
    let residual_w = (squares / problem.inputs() as f64).sqrt();
    let residual_g = (lanes::sum(sums.change) / (problem.m * problem.hidden()) as f64).sqrt();
    SweepInfo { residual: max_or_nan(residual_w, residual_g), lambda_free, damping: schedule.damping }
}

/// Returns λ_k by eq. (6′), clipped around its response estimate, with 1/√λ_k; and true if no branch was clipped.
#[inline(always)]
fn clipped_lambdas(problem: &TrainingSet, state: &State) -> (Vec<(f64, f64)>, bool) {
    let mut free = true;
    let lambdas = (state.w.chunks_exact(problem.branch()).zip(&state.lambda_response))
        .map(|(w, estimate)| {
            let unclipped = lambda(w, problem.covariance);
            let lam = unclipped.clamp(estimate / LAMBDA_CLIP, (estimate * LAMBDA_CLIP).min(1.0));
            free &= lam == unclipped;
            (lam, 1.0 / lam.sqrt())
        })
        .collect();
    (lambdas, free)
}

/// Sums over the examples of a sweep.
struct ExampleSums {
    /// Sᵀg with the new g, K×n.
    s_g: Vec<f64>,
    /// n V of each branch, K.
    responses: Vec<Lanes>,
    /// Σ (g_new − g)².
    change: Lanes,
}

/// Updates g of all examples by eqs. (8) and (5).
#[inline(always)]
fn sweep_examples(
    problem: &TrainingSet,
    state: &mut State,
    schedule: Schedule,
    lambdas: &[(f64, f64)],
) -> ExampleSums {
    let Schedule { damping, response, .. } = schedule;
    let (hidden, branch) = (problem.hidden(), problem.branch());
    let sqrt_n = (branch as f64).sqrt();
    let mut votes = VoteCounter::new(hidden);
    let (mut z, mut slopes) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
    let mut s_g = vec![0.0; problem.inputs()];
    let (mut v, mut change) = (vec![[0.0; LANES]; hidden], [0.0; LANES]);
    for ((block, y), g) in problem.blocks().zip(state.g.chunks_exact_mut(hidden)) {
        for (k, (inputs, w)) in
            block.chunks_exact(branch * LANES).zip(state.w.chunks_exact(branch)).enumerate()
        {
            let (h, (lam, inv_sqrt_lambda)) = (fields(inputs, w), lambdas[k]);
            // OW96 eq. (8), with the Onsager reaction term.
            z[k] = each(|i| cavity_mean(h[i] / sqrt_n, lam, g[k][i]) * inv_sqrt_lambda);
        }
        problem.likelihood.slopes(&z, *y, &mut slopes, &mut votes);
        for (k, inputs) in block.chunks_exact(branch * LANES).enumerate() {
            let inv_sqrt_lambda = lambdas[k].1;
            // OW96 eq. (5): g = λ^−½ ∂ ln⟨F⟩/∂z.
            let new: Lanes = each(|i| slopes[k][i] * inv_sqrt_lambda);
            // Response V = −Σ ∂g/∂h / n of the branch.
            for i in 0..LANES {
                v[k][i] += match response {
                    Response::Derivative => new[i] * (new[i] + z[k][i] * inv_sqrt_lambda),
                    Response::Square => new[i] * new[i],
                };
                let d = new[i] - g[k][i];
                change[i] += d * d;
                g[k][i] += damping * d;
            }
            // OW96 eq. (4), first half: Sᵀg.
            add_s_g(&mut s_g[k * branch..(k + 1) * branch], inputs, &new);
        }
    }
    ExampleSums { s_g, responses: v, change }
}

/// Updates w by eq. (4), and the response estimates of λ. Returns the sum of squares of the full steps of w.
#[inline(always)]
fn update_weights(problem: &TrainingSet, state: &mut State, damping: f64, sums: &mut ExampleSums) -> f64 {
    let branch = problem.branch();
    let sqrt_n = (branch as f64).sqrt();
    let mut squares = 0.0;
    for (k, w) in state.w.chunks_exact_mut(branch).enumerate() {
        let response = 1.0 / (1.0 + (lanes::sum(sums.responses[k]) / branch as f64).max(0.0));
        let s_g = &mut sums.s_g[k * branch..(k + 1) * branch];
        // OW96 eq. (4), second half: w = C⁻¹ Sᵀg/√n, by a step of damping/(1 + V).
        problem.covariance.solve(s_g);
        for (w, s_g) in w.iter_mut().zip(&*s_g) {
            let d = s_g / sqrt_n - *w;
            squares += d * d;
            *w += damping * response * d;
        }
        let estimate = &mut state.lambda_response[k];
        *estimate = (1.0 - damping) * *estimate + damping * response;
    }
    squares
}

/// Returns S w of the eight examples of a block.
#[inline(always)]
fn fields(block: &[f64], w: &[f64]) -> Lanes {
    // Two accumulators hide the latency of the additions.
    let (mut even, mut odd) = ([0.0; LANES], [0.0; LANES]);
    let mut pairs = block.chunks_exact(2 * LANES);
    let mut weights = w.chunks_exact(2);
    for (rows, w) in (&mut pairs).zip(&mut weights) {
        for i in 0..LANES {
            even[i] += rows[i] * w[0];
            odd[i] += rows[LANES + i] * w[1];
        }
    }
    if let ([w], row) = (weights.remainder(), pairs.remainder()) {
        for i in 0..LANES {
            even[i] += row[i] * w;
        }
    }
    each(|i| even[i] + odd[i])
}

/// Adds Sᵀg of a block to `s_g`, n.
#[inline(always)]
fn add_s_g(s_g: &mut [f64], block: &[f64], g: &Lanes) {
    for (sum, row) in s_g.iter_mut().zip(block.chunks_exact(LANES)) {
        *sum += lanes::sum(each(|i| row[i] * g[i]));
    }
}

impl State {
    /// Returns the number of sweeps, over all schedules.
    pub fn total_sweeps(&self) -> usize {
        self.total_sweeps
    }

    /// Returns the smallest residual on the current schedule.
    pub(super) fn smallest(&self) -> SmallestResidual {
        self.smallest
    }

    /// Returns the number of sweeps after which the solve ends if its residual gets no smaller.
    pub(super) fn sweeps_left(&self) -> usize {
        let current = SCHEDULES[self.schedule].sweeps.saturating_sub(self.sweeps);
        self.smallest.steps_left(current, PATIENT) + schedule::sweeps_after(self.schedule)
    }

    /// Returns the residual and damping of the last sweep.
    pub fn last(&self) -> Option<(f64, f64)> {
        self.info.map(|info| (info.residual, info.damping))
    }

    /// Returns the solution at this state, with λ and z by eqs. (6′) and (8).
    pub fn solution(&self, problem: &TrainingSet) -> Solution {
        let (hidden, branch) = (problem.hidden(), problem.branch());
        let sqrt_n = (branch as f64).sqrt();
        let lam: Vec<f64> = self.w.chunks_exact(branch).map(|w| lambda(w, problem.covariance)).collect();
        let (mut g_all, mut z_all) = (vec![0.0; problem.m * hidden], vec![0.0; problem.m * hidden]);
        for (b, ((block, _), g)) in problem.blocks().zip(self.g.chunks_exact(hidden)).enumerate() {
            for (k, (inputs, w)) in
                block.chunks_exact(branch * LANES).zip(self.w.chunks_exact(branch)).enumerate()
            {
                let h = fields(inputs, w);
                for i in 0..LANES.min(problem.m - b * LANES) {
                    let site = (b * LANES + i) * hidden + k;
                    g_all[site] = g[k][i];
                    // OW96 eq. (8).
                    z_all[site] = cavity_mean(h[i] / sqrt_n, lam[k], g[k][i]) / lam[k].sqrt();
                }
            }
        }
        Solution {
            weights: self.w.clone(),
            lambda: lam,
            g: g_all,
            z: z_all,
            sweeps: self.total_sweeps,
            adaptive: None,
        }
    }
}

#[cfg(test)]
mod tests;
