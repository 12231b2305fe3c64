//! The examples of a specification, and where predictions are looked at.

use std::rc::Rc;

use super::{CurveSpec, Hyperparameters, PointSet};
use crate::math::random::Stream;
use crate::models::mlp::solver::fit::Problem;
use crate::models::mlp::solver::hyper::Hyper;
use crate::models::mlp::solver::inputs::Examples;
use crate::models::mlp::solver::network::Shape;

/// Inputs at which predictions are drawn.
const INPUTS: usize = 101;
/// Purpose of a random stream.
const POINTS: u64 = 0;
/// Inputs are drawn between −HALF and HALF.
const HALF: f64 = 2.0;

impl CurveSpec {
    /// How many of [`Self::inputs`] are drawn.
    pub const DRAWN: usize = INPUTS;

    /// What the targets are without noise; nothing for a person's own.
    pub fn rule(&self, x: f64) -> Option<f64> {
        match self.set {
            PointSet::Waves | PointSet::Gap | PointSet::Growing => {
                Some(libm::sin(2.5 * x) * (1.0 - x * x / 8.0))
            }
            PointSet::Steps => Some(libm::floor(x + 0.5) * 0.5),
            PointSet::Own => None,
        }
    }

    /// x and t of each example.
    pub fn examples(&self) -> Vec<(f64, f64)> {
        let mut stream = Stream::aside(self.seed, 0, POINTS);
        let count = self.examples;
        let mut draw = |i: usize| {
            // One in each of as many equal stretches.
            let share = (i as f64 + stream.uniform()) / count as f64;
            let x = match self.set {
                // Nothing in the middle fifth and beside it.
                PointSet::Gap if share < 0.5 => HALF * (1.4 * share - 1.0),
                PointSet::Gap => HALF * (1.4 * share - 0.4),
                _ => HALF * (2.0 * share - 1.0),
            };
            let sd = match self.set {
                PointSet::Growing => self.noise * (x + HALF) / (2.0 * HALF),
                _ => self.noise,
            };
            Some((x, self.rule(x)? + sd * stream.normal()))
        };
        match self.set {
            PointSet::Own => self.points.iter().map(|[x, t]| (*x, *t)).collect(),
            _ => (0..count).filter_map(&mut draw).collect(),
        }
    }

    /// The network with its examples; targets have their mean taken away, which is given.
    pub fn problem(&self) -> (Rc<Problem>, f64) {
        let (x, t): (Vec<f64>, Vec<f64>) = self.examples().into_iter().unzip();
        let mean = t.iter().sum::<f64>() / t.len().max(1) as f64;
        let t: Vec<f64> = t.iter().map(|t| t - mean).collect();
        let hyper = match (self.hyper, self.hyperpriors.as_slice()) {
            (Hyperparameters::Estimated, &[a, b, c, d]) => Hyper::Gamma([a, b, c, d]),
            _ => Hyper::Fixed { alpha: self.alpha, beta: self.beta },
        };
        let shape = Shape { hidden: self.hidden, inputs: self.width() };
        let examples = Examples::new(&self.rows(&x), self.width(), &t);
        (Rc::new(Problem { shape, examples, hyper }), mean)
    }

    fn width(&self) -> usize {
        1 + usize::from(self.bias)
    }

    fn rows(&self, x: &[f64]) -> Vec<f64> {
        x.iter().flat_map(|x| [*x, 1.0].into_iter().take(self.width())).collect()
    }

    /// Inputs at which predictions are drawn, beyond the examples on either side, and then those that are reported.
    pub fn inputs(&self) -> Vec<f64> {
        let examples = self.examples();
        let ends = examples.iter().map(|(x, _)| (*x, *x));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((-1.0, 1.0));
        let room = 0.35 * (high - low).max(1e-3);
        let at = |i: usize| low - room + (high - low + 2.0 * room) * i as f64 / (INPUTS - 1) as f64;
        (0..INPUTS).map(at).chain(self.predict.iter().copied()).collect()
    }

    /// The same as the network takes them.
    pub fn queries(&self) -> Examples {
        Examples::unlabelled(&self.rows(&self.inputs()), self.width())
    }
}
