//! The TAP equations (4), (5), (8) and (6') of OW96, solved by a damped iteration with fall-backs.

use super::channel::Channel;
use crate::data::teacher::Examples;
use crate::math::lanes::{self, LANES, Lanes};

/// A training set as the solver sees it: the first `m` of the examples.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    examples: &'a Examples,
    m: usize,
    /// In blocks of eight; 0 where there is no example, which makes its g vanish.
    labels: Vec<Lanes>,
    channel: Channel,
}

impl<'a> Problem<'a> {
    /// The first `m` of `examples`, their labels flipped as `channel` says.
    ///
    /// # Panics
    /// If there are fewer than `m`, or `m` is 0.
    pub fn new(examples: &'a Examples, m: usize, channel: Channel) -> Self {
        assert!((1..=examples.len()).contains(&m), "a training set has at least one example");
        let mut labels = vec![[0.0; LANES]; m.div_ceil(LANES)];
        for (i, y) in examples.labels()[..m].iter().enumerate() {
            labels[i / LANES][i % LANES] = *y;
        }
        Self { examples, m, labels, channel }
    }

    /// Number of inputs N.
    fn inputs(&self) -> usize {
        self.examples.inputs()
    }

    /// Blocks of eight examples with their labels.
    fn blocks(&self) -> impl Iterator<Item = (&[f64], &Lanes)> {
        self.examples.blocks().zip(&self.labels)
    }

    /// Multiply–adds of one sweep, to cut work into slices without a clock.
    pub fn cost(&self) -> usize {
        2 * self.m * (self.inputs() + 40)
    }
}

/// What must be carried from sweep to sweep.
#[derive(Clone, Debug)]
pub struct State {
    /// ⟨w⟩, length N.
    w: Vec<f64>,
    /// i⟨x⟩ of eq. (5), in blocks of eight examples.
    g: Vec<Lanes>,
    /// Damped estimate of λ from the responses, 1/(1+V): the centre of the interval λ is clipped to.
    lambda_response: f64,
    /// Which of [`ATTEMPTS`] is under way, and its sweeps so far.
    attempt: usize,
    sweeps: usize,
    total_sweeps: usize,
}

/// What a sweep showed.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// rms(Sᵀg/√N − w) and `rms(g_new` − g), the larger of the two.
    pub residual: f64,
    /// Whether eq. (6') gave a λ inside the clip.
    pub lambda_free: bool,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Residuals below tolerance at an unclipped λ.
    Converged,
    /// All fall-backs used up.
    MaxIterations,
}

/// A fixed point: the posterior in the mean-field approximation.
#[derive(Clone, Debug)]
pub struct Solution {
    /// ⟨w⟩, length N.
    pub weights: Vec<f64>,
    /// λ of eq. (6'): the posterior variance of a field.
    pub lambda: f64,
    /// g = i⟨x⟩ of eq. (5), one an example.
    pub g: Vec<f64>,
    /// Cavity fields z of eq. (8), one an example.
    pub z: Vec<f64>,
    /// Sweeps over all attempts.
    pub sweeps: usize,
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

/// Tried one after the other, each from the start. For one hidden unit the first is enough at any noise; the paper's
/// own iteration, with neither the clip nor the responses in it, fails on every noise-free set with α ≥ .5.
const ATTEMPTS: [Attempt; 5] = [
    Attempt { damping: 1.0, sweeps: 200, response: Response::Derivative },
    Attempt { damping: 0.5, sweeps: 400, response: Response::Derivative },
    Attempt { damping: 0.25, sweeps: 700, response: Response::Derivative },
    Attempt { damping: 0.3, sweeps: 1000, response: Response::Square },
    Attempt { damping: 0.1, sweeps: 2500, response: Response::Square },
];

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
    pub fn init(&self, problem: &Problem) -> State {
        State {
            w: vec![0.0; problem.inputs()],
            g: vec![[0.0; LANES]; problem.labels.len()],
            lambda_response: 1.0,
            attempt: 0,
            sweeps: 0,
            total_sweeps: 0,
        }
    }

    /// One sweep over all examples and weights; `None` while the solve goes on.
    pub fn advance(&self, problem: &Problem, state: &mut State) -> Option<Ending> {
        let info = step(problem, state, ATTEMPTS[state.attempt]);
        state.sweeps += 1;
        state.total_sweeps += 1;
        if info.residual < self.tolerance && info.lambda_free {
            return Some(Ending::Converged);
        }
        if state.sweeps < ATTEMPTS[state.attempt].sweeps && info.residual.is_finite() {
            return None;
        }
        if state.attempt + 1 == ATTEMPTS.len() {
            return Some(Ending::MaxIterations);
        }
        *state = State { attempt: state.attempt + 1, total_sweeps: state.total_sweeps, ..self.init(problem) };
        None
    }

    /// Sweeps until the end.
    pub fn solve(&self, problem: &Problem) -> (State, Ending) {
        let mut state = self.init(problem);
        loop {
            if let Some(ending) = self.advance(problem, &mut state) {
                return (state, ending);
            }
        }
    }
}

/// Eq. (6'): λ = 1 − |⟨w⟩|²/N, for spherical inputs.
fn lambda(w: &[f64]) -> f64 {
    1.0 - lanes::dot(w, w) / w.len() as f64
}

/// The damped, parallel update of w, g and the response estimate of λ. Each block of examples is read once:
/// its fields (8), its new g (5) and its share of Sᵀg (4) are computed together.
fn step(problem: &Problem, state: &mut State, attempt: Attempt) -> Info {
    let Attempt { damping: c, response, .. } = attempt;
    let n = problem.inputs() as f64;
    let free = lambda(&state.w);
    let (low, high) = (state.lambda_response / CLIP, (state.lambda_response * CLIP).min(1.0));
    let lam = free.clamp(low, high);
    let (sqrt_n, inv_sqrt_lambda) = (n.sqrt(), 1.0 / lam.sqrt());

    let mut s_g = vec![0.0; problem.inputs()];
    let (mut v, mut change) = ([0.0; LANES], [0.0; LANES]);
    for ((block, y), g) in problem.blocks().zip(&mut state.g) {
        let h = fields(block, &state.w);
        let z: Lanes = std::array::from_fn(|i| (h[i] / sqrt_n - lam * g[i]) * inv_sqrt_lambda);
        let slope = problem.channel.slope(z, *y);
        let new: Lanes = std::array::from_fn(|i| slope[i] * inv_sqrt_lambda);
        for i in 0..LANES {
            v[i] += match response {
                Response::Derivative => new[i] * (new[i] + z[i] * inv_sqrt_lambda),
                Response::Square => new[i] * new[i],
            };
            let d = new[i] - g[i];
            change[i] += d * d;
            g[i] += c * d;
        }
        accumulate(&mut s_g, block, &new);
    }

    let response = 1.0 / (1.0 + (lanes::sum(v) / n).max(0.0));
    let mut squares = 0.0;
    for (w, s_g) in state.w.iter_mut().zip(&s_g) {
        let d = s_g / sqrt_n - *w;
        squares += d * d;
        *w += c * response * d;
    }
    state.lambda_response = (1.0 - c) * state.lambda_response + c * response;
    let residual_w = (squares / n).sqrt();
    let residual_g = (lanes::sum(change) / problem.m as f64).sqrt();
    // f64::max would hide a NaN.
    let residual = if residual_w > residual_g { residual_w } else { residual_g };
    Info { residual, lambda_free: lam == free }
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
    std::array::from_fn(|i| even[i] + odd[i])
}

/// Adds Sᵀg of a block to `s_g`.
#[inline(always)]
fn accumulate(s_g: &mut [f64], block: &[f64], g: &Lanes) {
    for (sum, row) in s_g.iter_mut().zip(block.chunks_exact(LANES)) {
        *sum += lanes::sum(std::array::from_fn(|i| row[i] * g[i]));
    }
}

impl State {
    /// The solution at this state, with λ and z by eqs. (6') and (8).
    pub fn solution(&self, problem: &Problem) -> Solution {
        let lam = lambda(&self.w);
        let sqrt_n = (problem.inputs() as f64).sqrt();
        let (mut g_all, mut z_all) = (Vec::new(), Vec::new());
        for ((block, _), g) in problem.blocks().zip(&self.g) {
            let h = fields(block, &self.w);
            for i in 0..LANES {
                g_all.push(g[i]);
                z_all.push((h[i] / sqrt_n - lam * g[i]) / lam.sqrt());
            }
        }
        g_all.truncate(problem.m);
        z_all.truncate(problem.m);
        Solution { weights: self.w.clone(), lambda: lam, g: g_all, z: z_all, sweeps: self.total_sweeps }
    }
}

/// Share of errors of fields against labels; a field of exactly 0 counts half.
pub fn error_share<'a>(fields: impl Iterator<Item = (&'a f64, &'a f64)>) -> f64 {
    let (mut errors, mut count) = (0.0, 0.0);
    for (field, label) in fields {
        let agreement = field * label;
        errors += if agreement < 0.0 {
            1.0
        } else if agreement == 0.0 {
            0.5
        } else {
            0.0
        };
        count += 1.0;
    }
    errors / count
}

impl Solution {
    /// Overlap q = |⟨w⟩|²/N.
    pub fn q(&self) -> f64 {
        1.0 - self.lambda
    }

    /// Training error of eq. (9): the share of examples that ⟨w⟩ itself gets wrong.
    ///
    /// The trained field is λg + √λ z, eq. (8).
    pub fn training_error(&self, labels: &[f64]) -> f64 {
        let fields: Vec<f64> =
            self.g.iter().zip(&self.z).map(|(g, z)| self.lambda * g + self.lambda.sqrt() * z).collect();
        error_share(fields.iter().zip(labels))
    }

    /// The moving-control (leave-one-out) estimate of the prediction error on noisy labels.
    pub fn moving_control(&self, labels: &[f64]) -> f64 {
        error_share(self.z.iter().zip(labels))
    }
}
