//! The two passes over the data at a given state, in pieces of bounded work. They solve for the output layer and compute the
//! gradient of the data term of the cost.

use super::activation::StoredUnit;
use super::approximate_posterior::ApproximatePosterior;
use super::blocks::Blocks;
use super::hidden_pass::{HiddenPass, OutputSums};
use super::layouts::Layouts;
use super::moments::Moments;
use super::observations::Observations;
use super::output_layer::OutputLayer;
use super::reverse_pass::{MomentGradient, ReversePass, WeightSums};
use crate::math::Budget;
use crate::math::lanes::{LANES, dispatch_simd};

/// Options of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationOptions {
    /// Approximation of the moments of tanh.
    pub moments: Moments,
    /// True if the output layer is solved for first; otherwise its gradients are computed.
    pub solve_output: bool,
    /// True if JᵀPJ of each sample is computed.
    pub curvature: bool,
    /// True if negative curvature terms are removed from the gradients with respect to variances; without, these are exact.
    pub clip: bool,
}

/// Gradient of the data term of the cost.
#[derive(Clone, Debug, Default)]
pub struct DataGradient {
    /// With respect to A.
    pub first: MomentGradient,
    /// With respect to a.
    pub first_bias: MomentGradient,
    /// With respect to B; empty if the output layer is solved for.
    pub second: MomentGradient,
    /// With respect to b.
    pub second_bias: MomentGradient,
    /// With respect to s̄_i(t), n per sample.
    pub by_mean: Blocks,
    /// With respect to s̃_i(t), n per sample.
    pub by_var: Blocks,
    /// JᵀPJ of each sample if requested: element i(i+1)/2 + i′, i′ ≤ i.
    pub curvature: Blocks,
    /// Residuals Σ (x−f̄)² + f̃ of each channel, m.
    pub residuals: Vec<f64>,
}

/// Pass of an evaluation, with the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NextBlock {
    Hidden(usize),
    Reverse(usize),
    Done,
}

/// An evaluation of the two passes, possibly in progress.
#[derive(Clone, Debug)]
pub struct CostEvaluation {
    wanted: EvaluationOptions,
    next: NextBlock,
    layouts: Layouts,
    stored: Vec<StoredUnit>,
    output: OutputSums,
    weights: WeightSums,
    precision: Vec<f64>,
    gradient: DataGradient,
}

impl CostEvaluation {
    /// Creates an evaluation at `state`, before its first step.
    pub fn new(state: &ApproximatePosterior, wanted: EvaluationOptions) -> Self {
        let layouts = Layouts::new(&state.network);
        let (samples, n, hidden) = (state.sources.samples, state.network.sources, state.network.hidden);
        let triangle = if wanted.curvature { n * (n + 1) / 2 } else { 0 };
        Self {
            wanted,
            next: NextBlock::Hidden(0),
            stored: vec![StoredUnit::default(); samples.div_ceil(LANES) * hidden],
            output: OutputSums::new(hidden, state.network.channels),
            weights: WeightSums::new(&layouts, !wanted.solve_output),
            precision: Vec::new(),
            gradient: DataGradient {
                by_mean: Blocks::new(samples, n, 0.0),
                by_var: Blocks::new(samples, n, 0.0),
                curvature: Blocks::new(samples, triangle, 0.0),
                ..DataGradient::default()
            },
            layouts,
        }
    }

    /// Restarts at another state of the same shape.
    pub fn restart(&mut self, state: &ApproximatePosterior, wanted: EvaluationOptions) {
        self.layouts = Layouts::new(&state.network);
        self.output = OutputSums::new(state.network.hidden, state.network.channels);
        self.weights = WeightSums::new(&self.layouts, !wanted.solve_output);
        (self.wanted, self.next) = (wanted, NextBlock::Hidden(0));
    }

    /// Continues within `budget`. Returns true once the gradient is complete; it is then taken at the output layer of `state`.
    pub fn advance(
        &mut self,
        state: &mut ApproximatePosterior,
        observations: &Observations,
        budget: &mut Budget,
    ) -> bool {
        let blocks = state.sources.samples.div_ceil(LANES);
        loop {
            match self.next {
                NextBlock::Done => return true,
                NextBlock::Hidden(from) if from == blocks => {
                    self.precision = state.noise.iter().map(super::network::Gaussian::precision).collect();
                    if self.wanted.solve_output && self.solve_output(state, observations) {
                        self.layouts.read_second(&state.network);
                    }
                    self.next = NextBlock::Reverse(0);
                }
                NextBlock::Hidden(from) => {
                    let to = Self::next_end(from, blocks, self.hidden_work(), budget);
                    let sums = self.wanted.solve_output.then_some(&mut self.output);
                    dispatch_simd(HiddenPass {
                        blocks: from..to,
                        moments: self.wanted.moments,
                        layouts: &self.layouts,
                        sources: &state.sources,
                        observations,
                        stored: &mut self.stored,
                        sums,
                    });
                    self.next = NextBlock::Hidden(to);
                }
                NextBlock::Reverse(from) if from == blocks => {
                    self.collect_gradient();
                    self.next = NextBlock::Done;
                }
                NextBlock::Reverse(from) => {
                    let to = Self::next_end(from, blocks, self.reverse_work(), budget);
                    let gradient = &mut self.gradient;
                    dispatch_simd(ReversePass {
                        blocks: from..to,
                        moments: self.wanted.moments,
                        clip: self.wanted.clip,
                        layouts: &self.layouts,
                        sources: &state.sources,
                        observations,
                        stored: &self.stored,
                        precision: &self.precision,
                        sums: &mut self.weights,
                        by_mean: &mut gradient.by_mean,
                        by_var: &mut gradient.by_var,
                        curvature: &mut gradient.curvature,
                    });
                    self.next = NextBlock::Reverse(to);
                }
            }
            if budget.is_spent() && self.next != NextBlock::Done {
                return false;
            }
        }
    }

    /// Collects the gradient with respect to the weights from the sums of the reverse pass.
    fn collect_gradient(&mut self) {
        let [first, first_bias, second, second_bias] = self.weights.gradients();
        let gradient = &mut self.gradient;
        (gradient.first, gradient.first_bias) = (first, first_bias);
        (gradient.second, gradient.second_bias) = (second, second_bias);
        gradient.residuals = self.weights.residuals();
    }

    /// Returns the gradient.
    pub fn gradient(&self) -> &DataGradient {
        &self.gradient
    }

    /// Returns the work of a block in the first pass, in multiply–adds.
    fn hidden_work(&self) -> u64 {
        let (n, hidden) = (self.layouts.sources, self.layouts.hidden);
        let gram = if self.wanted.solve_output { (n + 1) * hidden / 2 + self.layouts.channels } else { 0 };
        (LANES * hidden * (30 + 3 * n + gram)) as u64
    }

    /// Returns the work of a block in the second pass, in multiply–adds.
    fn reverse_work(&self) -> u64 {
        let (n, hidden, channels) = (self.layouts.sources, self.layouts.hidden, self.layouts.channels);
        let second = if self.wanted.solve_output { 0 } else { 3 + n };
        (LANES * hidden * (30 + 8 * n + channels * (6 + 2 * n + second))) as u64
    }

    /// Returns the end of the next range of blocks that fits into the budget, at least one block, and spends its work.
    fn next_end(from: usize, blocks: usize, work: u64, budget: &mut Budget) -> usize {
        let count = (budget.left() / work.max(1)).clamp(1, (blocks - from) as u64);
        budget.spend(count * work);
        from + count as usize
    }

    /// Solves for the output layer. Returns false, and leaves the network unchanged, if the system is singular.
    fn solve_output(&self, state: &mut ApproximatePosterior, observations: &Observations) -> bool {
        let columns: Vec<f64> = state.columns.iter().map(super::network::Gaussian::precision).collect();
        let family = &state.top.second_bias;
        let mut network = state.network.clone();
        let layer = OutputLayer {
            sums: &self.output,
            observations,
            moments: self.wanted.moments,
            layouts: &self.layouts,
            sources: &state.sources,
            stored: &self.stored,
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
