//! The TAP equations (4), (5), (8) and (6') of OW96, solved by a damped iteration with fall-backs.

use super::solution::Solution;
use super::training_set::TrainingSet;
use super::votes::Votes;
use crate::math::covariance::InputCovariance;
use crate::math::lanes::{self, LANES, Lanes, each};
use crate::math::{Budget, Ending, max_or_nan};

/// What must be carried from sweep to sweep.
#[derive(Clone, Debug)]
pub struct State {
    /// ⟨w⟩, K×n.
    w: Vec<f64>,
    /// i⟨x⟩ of eq. (5): for each block of eight examples, its K branches.
    g: Vec<Lanes>,
    /// Damped estimate of λ of each branch from the responses, 1/(1+V): the centre of the interval it is clipped to.
    lambda_response: Vec<f64>,
    /// Which of [`ATTEMPTS`] is under way, and its sweeps so far.
    attempt: usize,
    sweeps: usize,
    total_sweeps: usize,
    /// What the last sweep showed.
    info: Option<Info>,
}

/// What a sweep showed.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// rms(C⁻¹Sᵀg/√n − w) and `rms(g_new` − g), the larger of the two.
    pub residual: f64,
    /// Whether eq. (6') gave a λ inside the clip.
    pub lambda_free: bool,
    /// The share of a step that was taken.
    pub damping: f64,
}

/// How the responses V are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Response {
    /// Σ g (g + z/√λ) / N, the exact derivative.
    Derivative,
    /// Σ g² / N, equal at the fixed point and never negative.
    Square,
}

/// A damping with its share of sweeps.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    damping: f64,
    sweeps: usize,
    response: Response,
}

/// Tried one after the other, each from the start. For one hidden unit the first is enough at any noise, for several
/// nearly always the second; a plain parallel iteration, with neither the clip nor the responses in it, fails on every
/// noise-free set with α ≥ .5.
const ATTEMPTS: [Attempt; 6] = [
    Attempt { damping: 1.0, sweeps: 200, response: Response::Derivative },
    Attempt { damping: 0.8, sweeps: 250, response: Response::Derivative },
    Attempt { damping: 0.5, sweeps: 400, response: Response::Derivative },
    Attempt { damping: 0.25, sweeps: 700, response: Response::Derivative },
    Attempt { damping: 0.3, sweeps: 1000, response: Response::Square },
    Attempt { damping: 0.1, sweeps: 2500, response: Response::Square },
];

/// No attempt comes back from a residual like this.
const HOPELESS: f64 = 1e20;

/// λ is kept within this factor of its response estimate.
const CLIP: f64 = 3.0;

/// The solver; `self` holds its options.
#[derive(Clone, Copy, Debug)]
pub struct Tap {
    /// Residual at which a solve is done.
    pub tolerance: f64,
}

impl Default for Tap {
    fn default() -> Self {
        Self { tolerance: 1e-8 }
    }
}

impl Tap {
    /// The state to begin with: nothing learnt.
    pub fn init(&self, problem: &TrainingSet) -> State {
        State {
            w: vec![0.0; problem.inputs()],
            g: vec![[0.0; LANES]; problem.labels.len() * problem.hidden()],
            lambda_response: vec![1.0; problem.hidden()],
            // Undamped, a noise-free committee only wastes its sweeps.
            attempt: usize::from(problem.hidden() > 1 && problem.likelihood.flip_probability() < 0.01),
            sweeps: 0,
            total_sweeps: 0,
            info: None,
        }
    }

    /// Makes one sweep of the TAP equations over all examples and weights. Returns how the solve ended; `None` if it goes on.
    pub fn advance(&self, problem: &TrainingSet, state: &mut State) -> Option<Ending> {
        let info = lanes::dispatch_simd(Sweep { problem, attempt: ATTEMPTS[state.attempt], state });
        state.sweeps += 1;
        state.total_sweeps += 1;
        state.info = Some(info);
        if info.residual < self.tolerance && info.lambda_free {
            return Some(Ending::Converged);
        }
        let bounded = info.residual < HOPELESS;
        if state.sweeps < ATTEMPTS[state.attempt].sweeps && bounded {
            return None;
        }
        if state.attempt + 1 == ATTEMPTS.len() {
            return Some(match (bounded, info.lambda_free) {
                (true, true) => Ending::MaxIterations,
                // Eq. (6') has left the region where the equations are defined.
                (true, false) => Ending::NoSolution,
                (false, _) => Ending::NonFinite,
            });
        }
        *state = State {
            attempt: state.attempt + 1,
            total_sweeps: state.total_sweeps,
            info: state.info,
            ..self.init(problem)
        };
        None
    }

    /// The state to begin with where fewer of the same examples are solved already: their solution, and nothing learnt
    /// from the others. It leads to the same fixed point.
    pub fn warm_start(&self, problem: &TrainingSet, solved: State) -> State {
        let mut state = State { attempt: self.init(problem).attempt, sweeps: 0, total_sweeps: 0, ..solved };
        state.g.resize(problem.labels.len() * problem.hidden(), [0.0; LANES]);
        state
    }

    /// Sweeps until the end or until the budget is spent; `None` in the second case. `observe` sees the state after every sweep.
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

    /// Sweeps until the end.
    pub fn solve(&self, problem: &TrainingSet) -> (State, Ending) {
        let mut state = self.init(problem);
        loop {
            if let Some(ending) = self.advance(problem, &mut state) {
                return (state, ending);
            }
        }
    }
}

/// Eq. (6'): λ_k = 1 − ⟨w_k⟩ᵀ C ⟨w_k⟩/n.
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

/// [`step`] as a [`lanes::SimdKernel`].
struct Sweep<'a> {
    problem: &'a TrainingSet<'a>,
    state: &'a mut State,
    attempt: Attempt,
}

impl lanes::SimdKernel for Sweep<'_> {
    type Output = Info;
    #[inline(always)]
    fn run(self) -> Info {
        step(self.problem, self.state, self.attempt)
    }
}

/// The damped, parallel update of w, g and the response estimates of λ, OW96 eqs. (4), (5), (6'), (8). Each block of examples is
/// read once: its cavity fields (8), its new g (5) and its share of Sᵀg (4) are computed together. The equations one by one are
/// `reference_sweep` of the tests.
#[inline(always)]
fn step(problem: &TrainingSet, state: &mut State, attempt: Attempt) -> Info {
    let Attempt { damping, response, .. } = attempt;
    let (hidden, branch) = (problem.hidden(), problem.branch());
    let sqrt_n = (branch as f64).sqrt();
    let mut lambda_free = true;
    // Eq. (6'): λ_k = 1 − w_kᵀ C w_k/n, clipped around its response estimate; with 1/√λ_k.
    let lambdas: Vec<(f64, f64)> = (state.w.chunks_exact(branch).zip(&state.lambda_response))
        .map(|(w, estimate)| {
            let unclipped = lambda(w, problem.covariance);
            let lam = unclipped.clamp(estimate / CLIP, (estimate * CLIP).min(1.0));
            lambda_free &= lam == unclipped;
            (lam, 1.0 / lam.sqrt())
        })
        .collect();

    let mut votes = Votes::new(hidden);
    let (mut z, mut slopes) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
    let mut s_g = vec![0.0; problem.inputs()];
    let (mut v, mut change) = (vec![[0.0; LANES]; hidden], [0.0; LANES]);
    for ((block, y), g) in problem.blocks().zip(state.g.chunks_exact_mut(hidden)) {
        for (k, (inputs, w)) in
            block.chunks_exact(branch * LANES).zip(state.w.chunks_exact(branch)).enumerate()
        {
            let (h, (lam, inv_sqrt_lambda)) = (fields(inputs, w), lambdas[k]);
            // Eq. (8): the cavity field z = (S w/√n − λ g)/√λ. λ g is the Onsager reaction term, what the example itself has
            // contributed to its own field.
            z[k] = each(|i| (h[i] / sqrt_n - lam * g[k][i]) * inv_sqrt_lambda);
        }
        problem.likelihood.slopes(&z, *y, &mut slopes, &mut votes);
        for (k, inputs) in block.chunks_exact(branch * LANES).enumerate() {
            let inv_sqrt_lambda = lambdas[k].1;
            // Eq. (5): g = λ^−½ ∂ ln F/∂z.
            let new: Lanes = each(|i| slopes[k][i] * inv_sqrt_lambda);
            // The response V = Σ ∂g/∂h / n of the branch.
            for i in 0..LANES {
                v[k][i] += match response {
                    Response::Derivative => new[i] * (new[i] + z[k][i] * inv_sqrt_lambda),
                    Response::Square => new[i] * new[i],
                };
                let d = new[i] - g[k][i];
                change[i] += d * d;
                g[k][i] += damping * d;
            }
            // Eq. (4), first half: Sᵀ g.
            accumulate(&mut s_g[k * branch..(k + 1) * branch], inputs, &new);
        }
    }

    let mut squares = 0.0;
    for (k, w) in state.w.chunks_exact_mut(branch).enumerate() {
        let response = 1.0 / (1.0 + (lanes::sum(v[k]) / branch as f64).max(0.0));
        let s_g = &mut s_g[k * branch..(k + 1) * branch];
        // Eq. (4), second half: w = C⁻¹ Sᵀ g/√n, by a step of damping/(1 + V).
        problem.covariance.solve(s_g);
        for (w, s_g) in w.iter_mut().zip(&*s_g) {
            let d = s_g / sqrt_n - *w;
            squares += d * d;
            *w += damping * response * d;
        }
        let estimate = &mut state.lambda_response[k];
        *estimate = (1.0 - damping) * *estimate + damping * response;
    }
    let residual_w = (squares / problem.inputs() as f64).sqrt();
    let residual_g = (lanes::sum(change) / (problem.m * hidden) as f64).sqrt();
    Info { residual: max_or_nan(residual_w, residual_g), lambda_free, damping }
}

/// S w for the eight examples of a block.
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

/// Adds Sᵀg of a block to `s_g`.
#[inline(always)]
fn accumulate(s_g: &mut [f64], block: &[f64], g: &Lanes) {
    for (sum, row) in s_g.iter_mut().zip(block.chunks_exact(LANES)) {
        *sum += lanes::sum(each(|i| row[i] * g[i]));
    }
}

impl State {
    /// Sweeps so far, over all attempts.
    pub fn total_sweeps(&self) -> usize {
        self.total_sweeps
    }

    /// The residual that the last sweep showed, and the damping it was done with.
    pub fn last(&self) -> Option<(f64, f64)> {
        self.info.map(|info| (info.residual, info.damping))
    }

    /// The solution at this state, with λ and z by eqs. (6') and (8).
    pub fn solution(&self, problem: &TrainingSet) -> Solution {
        let (hidden, branch) = (problem.hidden(), problem.branch());
        let lam: Vec<f64> = self.w.chunks_exact(branch).map(|w| lambda(w, problem.covariance)).collect();
        let (mut g_all, mut z_all) = (vec![0.0; problem.m * hidden], vec![0.0; problem.m * hidden]);
        for (b, ((block, _), g)) in problem.blocks().zip(self.g.chunks_exact(hidden)).enumerate() {
            for (k, (inputs, w)) in
                block.chunks_exact(branch * LANES).zip(self.w.chunks_exact(branch)).enumerate()
            {
                let h = fields(inputs, w);
                for i in 0..LANES.min(problem.m - b * LANES) {
                    let place = (b * LANES + i) * hidden + k;
                    g_all[place] = g[k][i];
                    z_all[place] = (h[i] / (branch as f64).sqrt() - lam[k] * g[k][i]) / lam[k].sqrt();
                }
            }
        }
        Solution {
            weights: self.w.clone(),
            lambda: lam,
            g: g_all,
            z: z_all,
            sweeps: self.total_sweeps,
            own: None,
        }
    }
}

#[cfg(test)]
mod tests;
