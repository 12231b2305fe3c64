//! The points of the playground, and the cells of its maps.

use super::{PlaySpec, PointSet, VIEW};
use crate::data::toy::{LabelledPoint, ToySet};
use crate::math::cholesky::Cholesky;
use crate::math::random::{Purpose, Stream};
use crate::math::stats::order;
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::Kernel;
use crate::models::gp::solver::training_set::TrainingSet;

/// Points with labels, and the hyperparameters of their classifier.
pub struct PlayPoints {
    /// Inputs, m of 2.
    pub rows: Vec<Vec<f64>>,
    /// Labels ±1, m.
    pub tau: Vec<f64>,
    /// Covariance function and noise.
    pub hyperparameters: Hyperparameters,
}

impl PlayPoints {
    /// Returns the points of `spec`: drawn, with a fraction κ of the labels flipped, or the user's, whose labels are kept.
    pub fn new(spec: &PlaySpec) -> Self {
        let kernel = spec.isotropic_kernel(2, spec.sigma2);
        let mut stream = Stream::for_purpose(spec.seed, Purpose::GpPoints, 0);
        let toy = match spec.set {
            PointSet::Moons | PointSet::Draw | PointSet::Own => ToySet::Moons,
            PointSet::Xor => ToySet::Xor,
            PointSet::Rings => ToySet::Rings,
            PointSet::Mixture => ToySet::Mixture,
        };
        let mut points = toy.draw(spec.examples, &mut stream);
        match spec.set {
            PointSet::Draw => relabel(&mut points, &kernel, spec, &mut stream),
            PointSet::Own => {
                let given = spec.points.iter();
                points = given.map(|[x, y, label]| LabelledPoint { at: [*x, *y], label: *label }).collect();
            }
            PointSet::Moons | PointSet::Xor | PointSet::Rings | PointSet::Mixture => {
                flip_labels(&mut points, spec);
            }
        }
        Self {
            rows: points.iter().map(|p| p.at.to_vec()).collect(),
            tau: points.iter().map(|p| p.label).collect(),
            hyperparameters: Hyperparameters { kernel, sigma2: spec.sigma2, v: spec.v, kappa: spec.kappa },
        }
    }

    /// Returns the training set, with the noise v in its covariances.
    pub fn problem(&self) -> TrainingSet {
        let Hyperparameters { kernel, v, kappa, .. } = &self.hyperparameters;
        TrainingSet::new(&self.rows, &self.tau, kernel, *v, *kappa)
    }

    /// Returns the covariances of the field at an input with those of the points, m, and its variance with the noise v.
    pub fn covariances(&self, at: &[f64]) -> (Vec<f64>, f64) {
        let Hyperparameters { kernel, v, .. } = &self.hyperparameters;
        (self.rows.iter().map(|row| kernel.covariance(row, at)).collect(), kernel.covariance(at, at) + v)
    }
}

/// Flips the labels of a fraction κ of the points, rounded to a whole number. A larger κ flips a superset of these labels.
fn flip_labels(points: &mut [LabelledPoint], spec: &PlaySpec) {
    let mut stream = Stream::for_purpose(spec.seed, Purpose::GpFlippedLabels, 0);
    let ranks: Vec<f64> = points.iter().map(|_| stream.uniform()).collect();
    let flipped = (spec.kappa * points.len() as f64).round() as usize;
    for index in order(&ranks).into_iter().take(flipped) {
        points[index].label = -points[index].label;
    }
}

/// Moves the points to uniform positions and labels them by a draw of the process, with its noise and flips.
fn relabel(points: &mut [LabelledPoint], kernel: &Kernel, spec: &PlaySpec, stream: &mut Stream) {
    for point in points.iter_mut() {
        point.at =
            [VIEW.0 * 0.85 * (2.0 * stream.uniform() - 1.0), VIEW.1 * 0.85 * (2.0 * stream.uniform() - 1.0)];
    }
    let element = |i: usize, j: usize| {
        let noise = if i == j { spec.v + 1e-9 } else { 0.0 };
        kernel.covariance(&points[i].at, &points[j].at) + noise
    };
    let Some(factor) = Cholesky::new(points.len(), element) else { return };
    let u: Vec<f64> = points.iter().map(|_| stream.normal()).collect();
    for (i, point) in points.iter_mut().enumerate() {
        let h: f64 = (0..=i).map(|j| factor.at(i, j) * u[j]).sum();
        let flip = stream.uniform() < spec.kappa;
        point.label = if (h < 0.0) == flip { 1.0 } else { -1.0 };
    }
}

/// Returns the number of cells of a grid with `columns` columns over the view, of aspect ratio 4:3.
pub fn cells(columns: usize) -> usize {
    columns * (columns * 3 / 4)
}

/// Returns the centre of a cell; cells are in rows from the bottom.
pub fn cell(columns: usize, index: usize) -> [f64; 2] {
    let at = |i: usize, count: usize, half: f64| half * ((2 * i + 1) as f64 / count as f64 - 1.0);
    [at(index % columns, columns, VIEW.0), at(index / columns, columns * 3 / 4, VIEW.1)]
}
