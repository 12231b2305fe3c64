//! Training examples and the inputs of predictions.

use std::rc::Rc;

use super::{PlaneSpec, PlaneTrainingSet};
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::hyperprior::Hyperprior;
use crate::models::mlp::solver::network::NetworkShape;
use crate::models::mlp::solver::precisions::PriorGroups;
use crate::models::mlp::solver::problem::RegressionProblem;

/// Number of inputs at which predictions are drawn.
const INPUTS: usize = 81;

impl PlaneSpec {
    /// Returns x and t of each example.
    pub fn examples(&self) -> Vec<(f64, f64)> {
        match self.set {
            // Chosen so that F matches the values printed in BB98, which does not give its data.
            PlaneTrainingSet::Figure1 => vec![(-1.17, -0.15), (0.47, 0.055), (0.94, 0.151), (1.76, 0.196)],
            PlaneTrainingSet::Second => vec![(-0.7, -0.14), (0.3, 0.08), (0.8, 0.21), (1.4, 0.31)],
            PlaneTrainingSet::Saturated => vec![(3.7, 0.89), (1.6, 0.42), (0.9, 0.33)],
            PlaneTrainingSet::Own => self.points.iter().map(|[x, t]| (*x, *t)).collect(),
        }
    }

    /// Returns the regression problem.
    pub fn problem(&self) -> Rc<RegressionProblem> {
        let (x, t): (Vec<f64>, Vec<f64>) = self.examples().into_iter().unzip();
        Rc::new(RegressionProblem {
            shape: NetworkShape { hidden: 1, inputs: 1 },
            examples: ExampleBlocks::new(&x, 1, &t),
            hyper: Hyperprior::Fixed { alpha: self.alpha, beta: self.beta },
            groups: PriorGroups::Shared,
        })
    }

    /// Returns the inputs of predictions: first those that are drawn, symmetric about 0, then those of the report.
    pub fn inputs(&self) -> Vec<f64> {
        let widest = self.examples().iter().fold(0.0, |most: f64, (x, _)| most.max(x.abs()));
        let end = if widest > 0.0 { 1.4 * widest } else { 1.0 };
        let drawn = (0..INPUTS).map(|i| end * (2.0 * i as f64 / (INPUTS - 1) as f64 - 1.0));
        drawn.chain(self.predict.iter().copied()).collect()
    }

    /// Number of leading elements of [`Self::inputs`] that are drawn.
    pub const DRAWN: usize = INPUTS;
}
