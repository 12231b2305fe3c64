//! The joint posterior of the fields at several new inputs, and the probabilities of +1 that it gives.

use super::hyperparameters::Hyperparameters;
use super::site::probability;
use crate::gp::joint_gaussian::JointGaussian;
use crate::math::lanes::dot;

/// Posterior mean of the field at one input, and a vector whose products with those of other inputs give the covariances.
#[derive(Clone, Debug)]
pub struct FieldVector {
    /// Posterior mean of the field.
    pub mean: f64,
    /// The covariance with another field is that of the prior, minus the product of the first parts, plus that of the second ones.
    pub parts: [Vec<f64>; 2],
}

/// Probabilities of +1 at R inputs under a joint posterior.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointProbabilities {
    /// Posterior means of the probabilities, R.
    pub mean: Vec<f64>,
    /// Probabilities at fields drawn from the posterior, draws×R.
    pub drawn: Vec<Vec<f64>>,
}

impl JointProbabilities {
    /// Returns the probabilities at `inputs`, R of N, whose fields have these `vectors`. Each draw takes R of the standard normal
    /// `numbers`. `None` if the covariance matrix cannot be factored.
    pub fn new(
        hyperparameters: &Hyperparameters,
        inputs: &[&[f64]],
        vectors: &[FieldVector],
        numbers: &[f64],
    ) -> Option<Self> {
        let Hyperparameters { kernel, v, kappa, .. } = hyperparameters;
        let prior: Vec<f64> = inputs.iter().map(|input| kernel.covariance(input, input)).collect();
        let given = |i: usize, j: usize| {
            let ([minus, plus], [other_minus, other_plus]) = (&vectors[i].parts, &vectors[j].parts);
            dot(plus, other_plus) - dot(minus, other_minus)
        };
        let rows = inputs.len();
        let mut covariance = vec![0.0; rows * rows];
        for i in 0..rows {
            for j in 0..=i {
                let prior = if i == j { prior[i] } else { kernel.covariance(inputs[i], inputs[j]) };
                covariance[i * rows + j] = prior + given(i, j);
            }
        }
        let means: Vec<f64> = vectors.iter().map(|vector| vector.mean).collect();
        let marginal =
            |(i, mean): (usize, &f64)| probability(*mean, covariance[i * rows + i].max(0.0) + v, *kappa);
        let mean = means.iter().enumerate().map(marginal).collect();
        let largest = prior.into_iter().fold(0.0, f64::max);
        let joint = JointGaussian::new(means, largest, |i, j| covariance[i * rows + j])?;
        let at_fields = |fields: Vec<f64>| fields.into_iter().map(|f| probability(f, *v, *kappa)).collect();
        let drawn = numbers.chunks_exact(rows.max(1)).map(|numbers| at_fields(joint.draw(numbers)));
        Some(Self { mean, drawn: drawn.collect() })
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::gp::inducing::Inducing;
    use crate::gp::propagation::solve::PropagationSolve;
    use crate::gp::solver::approximation::{Approach, Solve};
    use crate::gp::solver::kernel::KernelKind;
    use crate::gp::solver::mean_field::MeanFieldSolver;
    use crate::gp::solver::theory::MeanFieldTheory;
    use crate::math::Budget;
    use crate::math::random::Stream;

    const ROWS: usize = 30;

    fn examples() -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut stream = Stream::of(4, 0);
        let rows: Vec<Vec<f64>> = (0..ROWS).map(|_| vec![stream.normal(), stream.normal()]).collect();
        let tau = rows.iter().map(|row| (row[0] + 0.7 * stream.normal()).signum()).collect();
        (rows, tau)
    }

    /// Returns new inputs, more than a block of them, of which the last two are equal.
    fn inputs() -> Vec<Vec<f64>> {
        let mut stream = Stream::of(6, 0);
        let mut inputs: Vec<Vec<f64>> = (0..10).map(|_| vec![stream.normal(), stream.normal()]).collect();
        inputs.push(inputs[9].clone());
        inputs
    }

    /// Returns the covariances that the vectors give, R×R.
    fn covariances(hyper: &Hyperparameters, inputs: &[Vec<f64>], vectors: &[FieldVector]) -> DMatrix<f64> {
        DMatrix::from_fn(inputs.len(), inputs.len(), |i, j| {
            let ([a, b], [c, d]) = (&vectors[i].parts, &vectors[j].parts);
            hyper.kernel.covariance(&inputs[i], &inputs[j]) - dot(a, c) + dot(b, d)
        })
    }

    fn vectors_of(inputs: &[Vec<f64>], of_block: impl Fn(&[&[f64]]) -> Vec<FieldVector>) -> Vec<FieldVector> {
        let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        inputs.chunks(8).flat_map(of_block).collect()
    }

    fn full(kappa: f64, theory: MeanFieldTheory) -> (Hyperparameters, Solve, Vec<FieldVector>) {
        let (rows, tau) = examples();
        let hyper = Hyperparameters::isotropic(KernelKind::Rbf, 2, 0.7, 0.2, kappa);
        let approach = Approach::MeanField(MeanFieldSolver::new(theory));
        let mut solve = Solve::new(&rows, &tau, hyper.clone(), approach);
        assert!(solve.solve().is_solution());
        let posterior = solve.posterior().unwrap();
        let vectors =
            vectors_of(&inputs(), |block| posterior.field_vectors(&hyper.kernel, &rows, block).unwrap());
        (hyper, solve, vectors)
    }

    /// K** − K*ᵀ (Λ + C)⁻¹ K* by dense algebra, with negative site precisions if labels flip.
    #[test]
    fn covariances_are_those_of_the_posterior() {
        let (rows, tau) = examples();
        for (kappa, theory) in
            [(0.0, MeanFieldTheory::Tap), (0.15, MeanFieldTheory::Tap), (0.0, MeanFieldTheory::Naive)]
        {
            let (hyper, solve, vectors) = full(kappa, theory);
            let posterior = solve.posterior().unwrap();
            let sites: Vec<_> = (0..ROWS)
                .map(|i| {
                    super::super::site::Site::at(posterior.gamma[i], posterior.lambda[i], tau[i], kappa).s
                })
                .collect();
            let inputs = inputs();
            let k = |a: &[f64], b: &[f64]| hyper.kernel.covariance(a, b);
            let c = DMatrix::from_fn(ROWS, ROWS, |i, j| {
                k(&rows[i], &rows[j]) + if i == j { hyper.v + 1.0 / sites[i] } else { 0.0 }
            });
            let cross = DMatrix::from_fn(ROWS, inputs.len(), |i, j| k(&rows[i], &inputs[j]));
            let prior = DMatrix::from_fn(inputs.len(), inputs.len(), |i, j| k(&inputs[i], &inputs[j]));
            let expected = prior - cross.transpose() * c.lu().solve(&cross).unwrap();
            let ours = covariances(&hyper, &inputs, &vectors);
            assert!((ours - expected).abs().max() < 1e-9, "κ={kappa} {theory:?}");
            let means = cross.transpose() * DVector::from_column_slice(&posterior.x);
            assert!(
                vectors.iter().zip(means.iter()).all(|(vector, mean)| (vector.mean - mean).abs() < 1e-12)
            );
        }
    }

    #[test]
    fn a_point_at_every_row_gives_the_full_posterior() {
        let (rows, tau) = examples();
        let (hyper, _, vectors) = full(0.0, MeanFieldTheory::Tap);
        let inducing = Inducing { count: ROWS, seed: 1 };
        let mut solve =
            PropagationSolve::new(Rc::new(rows), Rc::new(tau), hyper.clone(), inducing).with_tolerance(1e-10);
        while solve.advance(&mut Budget::new(u64::MAX)).is_none() {}
        let posterior = solve.take_posterior().unwrap();
        let sparse = vectors_of(&inputs(), |block| posterior.field_vectors(block));
        let inputs = inputs();
        let difference = covariances(&hyper, &inputs, &vectors) - covariances(&hyper, &inputs, &sparse);
        assert!(difference.abs().max() < 1e-6, "{}", difference.abs().max());
        assert!(vectors.iter().zip(&sparse).all(|(a, b)| (a.mean - b.mean).abs() < 1e-6));
    }

    /// Averages of many draws beside those by the spectral square root of the covariance matrix, with other random numbers.
    #[test]
    fn averages_have_the_distribution_of_the_posterior() {
        const DRAWS: usize = 20_000;
        let (hyper, solve, vectors) = full(0.05, MeanFieldTheory::Tap);
        let (rows, _) = examples();
        let inputs = inputs();
        let mut stream = Stream::of(9, 0);
        let numbers: Vec<f64> = (0..DRAWS * inputs.len()).map(|_| stream.normal()).collect();
        let slices: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let ours = JointProbabilities::new(&hyper, &slices, &vectors, &numbers).unwrap();
        let posterior = solve.posterior().unwrap();
        for (input, p) in inputs.iter().zip(&ours.mean) {
            assert!((solve.predict(&posterior, rows.iter(), input).p - p).abs() < 1e-9);
        }
        let eigen = covariances(&hyper, &inputs, &vectors).symmetric_eigen();
        let root = &eigen.eigenvectors
            * DMatrix::from_diagonal(&eigen.eigenvalues.map(|value| value.max(0.0).sqrt()))
            * eigen.eigenvectors.transpose();
        let means = DVector::from_iterator(inputs.len(), vectors.iter().map(|vector| vector.mean));
        let independent = (0..DRAWS).map(|_| {
            let numbers = DVector::from_fn(inputs.len(), |_, _| stream.normal());
            let fields = &means + &root * numbers;
            fields.iter().map(|f| probability(*f, hyper.v, hyper.kappa)).sum::<f64>() / inputs.len() as f64
        });
        let moments = |averages: &[f64]| {
            let mean = averages.iter().sum::<f64>() / DRAWS as f64;
            let var = averages.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / DRAWS as f64;
            (mean, var.sqrt())
        };
        let expected = moments(&independent.collect::<Vec<_>>());
        let average = |p: &Vec<f64>| p.iter().sum::<f64>() / p.len() as f64;
        let found = moments(&ours.drawn.iter().map(average).collect::<Vec<_>>());
        let error = 4.0 * expected.1 / (DRAWS as f64).sqrt();
        assert!((found.0 - average(&ours.mean)).abs() < error && (expected.0 - found.0).abs() < 1.5 * error);
        assert!((found.1 / expected.1 - 1.0).abs() < 0.04, "{found:?} {expected:?}");
    }
}
