//! The two passes over the data at a given state, in pieces of bounded work: the output layer solved, and all gradients of the
//! data's part of the cost.

use super::activation::Kept;
use super::blocks::Blocks;
use super::hidden_pass::{HiddenPass, OutputSums};
use super::layouts::Layouts;
use super::moments::Moments;
use super::observations::Observations;
use super::output_layer::OutputLayer;
use super::reverse_pass::{ReversePass, Slopes, WeightSums};
use super::state::State;
use crate::math::Budget;
use crate::math::lanes::{LANES, dispatch_simd};

/// What is to be computed.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How moments go through tanh.
    pub moments: Moments,
    /// Whether the output layer is solved first; otherwise its gradients are given.
    pub solve_output: bool,
    /// Whether JᵀPJ of each sample is given.
    pub curvature: bool,
    /// Whether negative curvature is clipped from the variances' gradients; without, they are exact.
    pub clip: bool,
}

/// Gradients of the data's part of the cost.
#[derive(Clone, Debug, Default)]
pub struct Gradient {
    /// By A.
    pub first: Slopes,
    /// By a.
    pub first_bias: Slopes,
    /// By B; nothing where the output layer is solved.
    pub second: Slopes,
    /// By b.
    pub second_bias: Slopes,
    /// By s̄_i(t).
    pub by_mean: Blocks,
    /// By s̃_i(t).
    pub by_var: Blocks,
    /// JᵀPJ of each sample, where it was wanted: element i(i+1)/2 + i′, i′ ≤ i.
    pub curvature: Blocks,
    /// Σ (x−f̄)² + f̃ of each channel.
    pub residuals: Vec<f64>,
}

/// Where an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hidden(usize),
    Reverse(usize),
    Done,
}

/// An evaluation that may be in progress.
#[derive(Clone, Debug)]
pub struct Evaluation {
    wanted: Wanted,
    stage: Stage,
    layouts: Layouts,
    kept: Vec<Kept>,
    output: OutputSums,
    weights: WeightSums,
    precision: Vec<f64>,
    gradient: Gradient,
}

impl Evaluation {
    /// At `state`, before its first step.
    pub fn new(state: &State, wanted: Wanted) -> Self {
        let layouts = Layouts::new(&state.network);
        let (samples, n, hidden) = (state.sources.samples, state.network.sources, state.network.hidden);
        let triangle = if wanted.curvature { n * (n + 1) / 2 } else { 0 };
        Self {
            wanted,
            stage: Stage::Hidden(0),
            kept: vec![Kept::default(); samples.div_ceil(LANES) * hidden],
            output: OutputSums::new(hidden, state.network.channels),
            weights: WeightSums::new(&layouts, !wanted.solve_output),
            precision: Vec::new(),
            gradient: Gradient {
                by_mean: Blocks::new(samples, n, 0.0),
                by_var: Blocks::new(samples, n, 0.0),
                curvature: Blocks::new(samples, triangle, 0.0),
                ..Gradient::default()
            },
            layouts,
        }
    }

    /// Begins again at another state of the same shape.
    pub fn restart(&mut self, state: &State, wanted: Wanted) {
        self.layouts = Layouts::new(&state.network);
        self.output = OutputSums::new(state.network.hidden, state.network.channels);
        self.weights = WeightSums::new(&self.layouts, !wanted.solve_output);
        (self.wanted, self.stage) = (wanted, Stage::Hidden(0));
    }

    /// Goes on within `budget`; once `true`, the gradient is whole, at the output layer that `state` then has.
    pub fn advance(&mut self, state: &mut State, observations: &Observations, budget: &mut Budget) -> bool {
        let blocks = state.sources.samples.div_ceil(LANES);
        loop {
            match self.stage {
                Stage::Done => return true,
                Stage::Hidden(from) if from == blocks => {
                    self.precision = state.noise.iter().map(super::network::Gaussian::precision).collect();
                    if self.wanted.solve_output && self.solve_output(state, observations) {
                        self.layouts.read_second(&state.network);
                    }
                    self.stage = Stage::Reverse(0);
                }
                Stage::Hidden(from) => {
                    let to = Self::piece(from, blocks, self.hidden_work(), budget);
                    let sums = self.wanted.solve_output.then_some(&mut self.output);
                    dispatch_simd(HiddenPass {
                        blocks: from..to,
                        moments: self.wanted.moments,
                        layouts: &self.layouts,
                        sources: &state.sources,
                        observations,
                        kept: &mut self.kept,
                        sums,
                    });
                    self.stage = Stage::Hidden(to);
                }
                Stage::Reverse(from) if from == blocks => {
                    let [first, first_bias, second, second_bias] = self.weights.slopes();
                    let gradient = &mut self.gradient;
                    (gradient.first, gradient.first_bias) = (first, first_bias);
                    (gradient.second, gradient.second_bias) = (second, second_bias);
                    gradient.residuals = self.weights.residuals();
                    self.stage = Stage::Done;
                }
                Stage::Reverse(from) => {
                    let to = Self::piece(from, blocks, self.reverse_work(), budget);
                    let gradient = &mut self.gradient;
                    dispatch_simd(ReversePass {
                        blocks: from..to,
                        moments: self.wanted.moments,
                        clip: self.wanted.clip,
                        layouts: &self.layouts,
                        sources: &state.sources,
                        observations,
                        kept: &self.kept,
                        precision: &self.precision,
                        sums: &mut self.weights,
                        by_mean: &mut gradient.by_mean,
                        by_var: &mut gradient.by_var,
                        curvature: &mut gradient.curvature,
                    });
                    self.stage = Stage::Reverse(to);
                }
            }
            if budget.is_spent() && self.stage != Stage::Done {
                return false;
            }
        }
    }

    /// What came out.
    pub fn gradient(&self) -> &Gradient {
        &self.gradient
    }

    /// Work of a block in the first pass, in multiply–adds.
    fn hidden_work(&self) -> u64 {
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        let gram = if self.wanted.solve_output { (n + 1) * hidden / 2 + self.layouts.channels } else { 0 };
        (LANES * hidden * (30 + 3 * n + gram)) as u64
    }

    /// Work of a block in the second pass.
    fn reverse_work(&self) -> u64 {
        let (n, hidden, channels) = (self.layouts.sources, self.layouts.hidden, self.layouts.channels);
        let second = if self.wanted.solve_output { 0 } else { 3 + n };
        (LANES * hidden * (30 + 8 * n + channels * (6 + 2 * n + second))) as u64
    }

    /// As many blocks from `from` on as there is work left for, one at least; takes the work away.
    fn piece(from: usize, blocks: usize, work: u64, budget: &mut Budget) -> usize {
        let count = (budget.left() / work.max(1)).clamp(1, (blocks - from) as u64);
        budget.spend(count * work);
        from + count as usize
    }

    /// Whether there was a solution; the network keeps what it had where there is none.
    fn solve_output(&self, state: &mut State, observations: &Observations) -> bool {
        let columns: Vec<f64> = state.columns.iter().map(super::network::Gaussian::precision).collect();
        let family = &state.top.second_bias;
        let mut network = state.network.clone();
        let layer = OutputLayer {
            sums: &self.output,
            observations,
            moments: self.wanted.moments,
            layouts: &self.layouts,
            sources: &state.sources,
            kept: &self.kept,
            column_precision: &columns,
            bias_mean: family.mean.mean,
            bias_precision: family.log_sd.precision(),
            noise_precision: &self.precision,
        };
        let solved = layer.solve(&mut network);
        if solved {
            state.network = network;
        }
        solved
    }
}
