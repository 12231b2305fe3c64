//! Plain parallel iterations of OW96 eqs. (4)–(8) on examples of their own kind, with and without the reaction term.

use std::f64::consts::PI;

use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::math::random::{Purpose, Stream};
use meanfield::math::special::{density, phi};

/// Number of fresh inputs on which a prediction is tested.
const TEST_INPUTS: usize = 10_000;

/// A perceptron or committee on noise-free or noisy examples of its own kind.
pub struct Problem {
    hidden: usize,
    beta: f64,
    rows: Vec<Vec<f64>>,
    labels: Vec<f64>,
    teacher: Teacher,
    seed: u64,
}

/// A solution of the equations.
pub struct PlainSolution {
    /// Weights of each branch.
    pub weights: Vec<Vec<f64>>,
    /// Variance λ of each branch.
    pub lambda: Vec<f64>,
}

impl Problem {
    /// Draws m = αN examples; the N inputs are divided among `hidden` branches.
    pub fn draw(sizes: (usize, usize), beta: f64, alpha: f64, seed: u64) -> Self {
        Self::of_rule(TeacherRule::Committee(sizes.0), sizes, beta, alpha, seed)
    }

    /// Draws m = αN examples of a rule for a learner of `hidden` branches.
    pub fn of_rule(rule: TeacherRule, sizes: (usize, usize), beta: f64, alpha: f64, seed: u64) -> Self {
        Self::of_stream((rule, Stream::of(seed, 0)), sizes, beta, alpha, seed)
    }

    /// Draws the training set of a permalink of `feedforward.run` with this seed.
    pub fn of_run(inputs: usize, beta: f64, alpha: f64, seed: u64) -> Self {
        let stream = Stream::for_purpose(seed, Purpose::FeedforwardExamples, 0);
        Self::of_stream((TeacherRule::Committee(1), stream), (1, inputs), beta, alpha, seed)
    }

    fn of_stream(
        (rule, stream): (TeacherRule, Stream),
        (hidden, inputs): (usize, usize),
        beta: f64,
        alpha: f64,
        seed: u64,
    ) -> Self {
        let flips = 1.0 / (1.0 + beta.exp());
        let inputs_of = InputDistribution::white(inputs);
        let mut teacher = Teacher::draw(rule, inputs_of, flips, stream);
        let mut drawn = LabelledExamples::new(inputs);
        teacher.extend(&mut drawn, (alpha * inputs as f64) as usize);
        let rows = drawn.rows().chunks_exact(inputs).map(<[f64]>::to_vec).collect();
        Self { hidden, beta, rows, labels: drawn.labels().to_vec(), teacher, seed }
    }

    /// Returns the weights Σ y x of Hebb's rule.
    pub fn hebb(&self) -> Vec<f64> {
        let sum = |j: usize| self.rows.iter().zip(&self.labels).map(|(row, y)| y * row[j]).sum();
        (0..self.rows[0].len()).map(sum).collect()
    }

    /// Returns ∂ ln⟨F⟩/∂z_k, eq. (7).
    fn slope(&self, z: &[f64], y: f64, k: usize) -> f64 {
        let floor = (-self.beta).exp();
        let (mut f, mut derivative) = (floor, 0.0);
        for outputs in 0..1_u32 << z.len() {
            let sign = |j: usize| if outputs >> j & 1 == 1 { 1.0 } else { -1.0 };
            if y * (0..z.len()).map(sign).sum::<f64>() > 0.0 {
                let others: f64 = (0..z.len()).filter(|j| *j != k).map(|j| phi(sign(j) * z[j])).product();
                f += (1.0 - floor) * others * phi(sign(k) * z[k]);
                derivative += (1.0 - floor) * others * sign(k) * density(z[k]);
            }
        }
        derivative / f
    }

    /// Iterates eqs. (4)–(8) in parallel with this damping until no weight changes by more than 10⁻⁸; without `reaction` the cavity field
    /// lacks the term −λg. `None` if the iteration fails.
    pub fn solve(&self, damping: f64, reaction: bool) -> Option<PlainSolution> {
        let n = self.rows[0].len() / self.hidden;
        let root = (n as f64).sqrt();
        let (mut w, mut g) = (vec![vec![0.0; n]; self.hidden], vec![vec![0.0; self.hidden]; self.rows.len()]);
        for _ in 0..3000 {
            let lambda: Vec<f64> = w.iter().map(|w| 1.0 - dot(w, w) / n as f64).collect();
            if !lambda.iter().all(|lambda| *lambda > 0.0) {
                return None;
            }
            for (row, (g, y)) in self.rows.iter().zip(g.iter_mut().zip(&self.labels)) {
                let field = |k: usize| {
                    dot(&row[k * n..(k + 1) * n], &w[k]) / root - f64::from(reaction) * lambda[k] * g[k]
                };
                let z: Vec<f64> = (0..self.hidden).map(|k| field(k) / lambda[k].sqrt()).collect();
                *g = (0..self.hidden).map(|k| self.slope(&z, *y, k) / lambda[k].sqrt()).collect();
            }
            let mut change = 0.0_f64;
            for (k, w) in w.iter_mut().enumerate() {
                for (j, w) in w.iter_mut().enumerate() {
                    let sum: f64 = self.rows.iter().zip(&g).map(|(row, g)| row[k * n + j] * g[k]).sum();
                    let step = damping * (sum / root - *w);
                    *w += step;
                    change = change.max(step.abs());
                }
            }
            if change < 1e-8 {
                return Some(PlainSolution { weights: w, lambda });
            }
        }
        None
    }

    /// Returns the errors of the Bayes prediction and of the network ⟨w⟩ on noiseless inputs: of a perceptron from its angle, of a
    /// committee on fresh inputs.
    pub fn errors(&self, solution: &PlainSolution) -> [f64; 2] {
        if self.hidden == 1 {
            return [cosine(&solution.weights[0], self.teacher.weights()).acos() / PI; 2];
        }
        let inputs = self.rows[0].len();
        let n = inputs / self.hidden;
        let mut stream = Stream::of(self.seed, 1);
        let (mut x, mut wrong) = (vec![0.0; inputs], [0; 2]);
        for _ in 0..TEST_INPUTS {
            self.teacher.inputs().draw(&mut stream, &mut x);
            let z = |k: usize| {
                let field = dot(&x[k * n..(k + 1) * n], &solution.weights[k]) / (n as f64).sqrt();
                field / solution.lambda[k].sqrt()
            };
            let z: Vec<f64> = (0..self.hidden).map(z).collect();
            let predictions = [majority(&z) - 0.5, z.iter().map(|z| z.signum()).sum()];
            for (wrong, prediction) in wrong.iter_mut().zip(predictions) {
                *wrong += usize::from(prediction * self.teacher.clean(&x) < 0.0);
            }
        }
        wrong.map(|count| count as f64 / TEST_INPUTS as f64)
    }
}

impl PlainSolution {
    /// Returns the mean variance λ of the branches.
    pub fn mean_lambda(&self) -> f64 {
        self.lambda.iter().sum::<f64>() / self.lambda.len() as f64
    }
}

/// Returns the probability that most outputs are +1, each with probability Φ(z).
fn majority(z: &[f64]) -> f64 {
    let sign = |outputs: u32, j: usize| if outputs >> j & 1 == 1 { 1.0 } else { -1.0 };
    let most = |outputs: &u32| (0..z.len()).map(|j| sign(*outputs, j)).sum::<f64>() > 0.0;
    let probability =
        |outputs: u32| -> f64 { z.iter().enumerate().map(|(j, z)| phi(sign(outputs, j) * z)).product() };
    (0..1_u32 << z.len()).filter(most).map(probability).sum()
}

/// Returns the cosine of the angle of a and b.
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Returns a·b.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
