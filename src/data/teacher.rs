//! Random examples labelled by a teacher network, as in the statistical mechanics of learning.

use crate::math::covariance::InputCovariance;
use crate::math::lanes::{LANES, dot};
use crate::math::random::Stream;

/// Labelled examples in blocks of [`LANES`] for vectorised computation.
#[derive(Clone, Debug, Default)]
pub struct LabelledExamples {
    inputs: usize,
    count: usize,
    blocks: Vec<f64>,
    labels: Vec<f64>,
}

impl LabelledExamples {
    /// Returns an empty set of examples with this number of inputs.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, ..Self::default() }
    }

    /// Appends an example with inputs `s`, N, and a label ±1.
    ///
    /// # Panics
    /// If the length of `s` is not N.
    pub fn push(&mut self, s: &[f64], label: f64) {
        assert_eq!(s.len(), self.inputs, "an example has one number for each input");
        let lane = self.count % LANES;
        if lane == 0 {
            self.blocks.resize(self.blocks.len() + self.inputs * LANES, 0.0);
        }
        let start = self.blocks.len() - self.inputs * LANES;
        for (j, x) in s.iter().enumerate() {
            self.blocks[start + j * LANES + lane] = *x;
        }
        self.labels.push(label);
        self.count += 1;
    }

    /// Returns the number of inputs N.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the number of examples m.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no examples.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the inputs in blocks of eight examples, each N×[`LANES`]. The last block is padded with zeros.
    pub fn blocks(&self) -> std::slice::ChunksExact<'_, f64> {
        self.blocks.chunks_exact((self.inputs * LANES).max(1))
    }

    /// Returns the inputs of all examples row by row, m×N.
    pub fn rows(&self) -> Vec<f64> {
        let row = |(block, lane): (&'_ [f64], usize)| {
            block.iter().skip(lane).step_by(LANES).copied().collect::<Vec<f64>>()
        };
        let places = self.blocks().flat_map(|block| (0..LANES).map(move |lane| (block, lane)));
        places.take(self.count).flat_map(row).collect()
    }

    /// Returns the labels ±1, m.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }
}

/// The rule by which a teacher labels inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeacherRule {
    /// Majority vote of this number of branches; a perceptron if it is 1.
    Committee(usize),
    /// Product of the signs of this number of branches.
    Parity(usize),
    /// A fair coin, independent of the input.
    Coin,
}

/// The distribution of inputs: white rows x, presented to the student as s = L x in each of its branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputDistribution {
    /// Number of inputs N.
    pub count: usize,
    /// Number of inputs of a branch of the student, n.
    pub branch: usize,
    /// Covariance of the inputs within a branch.
    pub covariance: InputCovariance,
    /// True if x is scaled to |x|² = n in each branch, so that it lies on a sphere.
    pub normalise: bool,
}

impl InputDistribution {
    /// Returns the distribution of white Gaussian inputs, as in OW98.
    pub fn white(count: usize) -> Self {
        Self { count, branch: count, covariance: InputCovariance::White, normalise: false }
    }

    /// Draws a white row into `x`, N.
    pub fn draw(&self, stream: &mut Stream, x: &mut [f64]) {
        for x in x.iter_mut() {
            *x = stream.normal();
        }
        if self.normalise {
            for x in x.chunks_exact_mut(self.branch) {
                let scale = (self.branch as f64 / dot(x, x)).sqrt();
                for x in x {
                    *x *= scale;
                }
            }
        }
    }

    /// Transforms a white row into the student's inputs, branch by branch: x ← L x.
    pub fn colour(&self, x: &mut [f64]) {
        x.chunks_exact_mut(self.branch).for_each(|x| self.covariance.colour(x));
    }

    /// Transforms weights on the student's inputs into weights on white inputs, branch by branch: w ← Lᵀ w.
    pub fn whiten_weights(&self, w: &mut [f64]) {
        w.chunks_exact_mut(self.branch).for_each(|w| self.covariance.whiten_weights(w));
    }
}

/// A teacher with N(0, 1) weights on white inputs. It generates examples one after the other, so that a larger set extends a
/// smaller one.
#[derive(Clone, Debug)]
pub struct Teacher {
    rule: TeacherRule,
    inputs: InputDistribution,
    weights: Vec<f64>,
    flip_probability: f64,
    stream: Stream,
    row: Vec<f64>,
}

impl Teacher {
    /// Draws a teacher whose labels are flipped with `flip_probability`.
    ///
    /// # Panics
    /// If the number of inputs is not a multiple of the number of branches.
    pub fn draw(
        rule: TeacherRule,
        inputs: InputDistribution,
        flip_probability: f64,
        mut stream: Stream,
    ) -> Self {
        if let TeacherRule::Committee(hidden) | TeacherRule::Parity(hidden) = rule {
            assert!(hidden > 0 && inputs.count.is_multiple_of(hidden), "every branch has as many inputs");
        }
        let weights = (0..inputs.count).map(|_| stream.normal()).collect();
        Self { rule, inputs, weights, flip_probability, stream, row: vec![0.0; inputs.count] }
    }

    /// Returns the weights on white inputs, N.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the weights on the student's inputs s = L x, N.
    pub fn coloured_weights(&self) -> Vec<f64> {
        let mut weights = self.weights.clone();
        weights.chunks_exact_mut(self.inputs.branch).for_each(|w| self.inputs.covariance.colour_weights(w));
        weights
    }

    /// Returns the distribution of the inputs.
    pub fn inputs(&self) -> InputDistribution {
        self.inputs
    }

    /// Returns the noiseless label of a white row: ±1, or 0 for a coin.
    pub fn clean(&self, x: &[f64]) -> f64 {
        let signs = |hidden: usize| {
            let branch = x.len() / hidden;
            let pairs = x.chunks_exact(branch).zip(self.weights.chunks_exact(branch));
            pairs.map(|(x, w)| if dot(x, w) < 0.0 { -1_i32 } else { 1 })
        };
        f64::from(match self.rule {
            TeacherRule::Committee(hidden) => signs(hidden).sum::<i32>().signum(),
            TeacherRule::Parity(hidden) => signs(hidden).product(),
            TeacherRule::Coin => 0,
        })
    }

    /// Appends examples until there are `count`.
    pub fn extend(&mut self, examples: &mut LabelledExamples, count: usize) {
        while examples.len() < count {
            let mut row = std::mem::take(&mut self.row);
            self.inputs.draw(&mut self.stream, &mut row);
            let clean = self.clean(&row);
            let flipped = self.stream.uniform() < self.flip_probability;
            let clean = if clean == 0.0 { self.stream.sign() } else { clean };
            self.inputs.colour(&mut row);
            examples.push(&row, if flipped { -clean } else { clean });
            self.row = row;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_set_extends_a_smaller_one() {
        let grow = |steps: &[usize]| {
            let mut teacher =
                Teacher::draw(TeacherRule::Committee(1), InputDistribution::white(5), 0.3, Stream::of(1, 2));
            let mut examples = LabelledExamples::new(5);
            for &count in steps {
                teacher.extend(&mut examples, count);
            }
            examples
        };
        let (once, twice) = (grow(&[21]), grow(&[3, 8, 21]));
        assert_eq!(once.labels(), twice.labels());
        assert!(once.blocks().eq(twice.blocks()));
        assert_eq!(once.blocks().count(), 3);
    }

    #[test]
    fn labels_are_flipped_with_the_given_probability() {
        let flipped_share = |p| {
            let mut teacher =
                Teacher::draw(TeacherRule::Committee(1), InputDistribution::white(7), p, Stream::of(5, 0));
            let mut examples = LabelledExamples::new(7);
            teacher.extend(&mut examples, 4000);
            let mut wrong = 0;
            for (b, block) in examples.blocks().enumerate() {
                for lane in 0..LANES {
                    let field: f64 = (0..7).map(|j| block[j * LANES + lane] * teacher.weights()[j]).sum();
                    wrong += usize::from(field * examples.labels()[b * LANES + lane] < 0.0);
                }
            }
            wrong as f64 / 4000.0
        };
        assert_eq!(flipped_share(0.0), 0.0);
        assert!((flipped_share(0.2) - 0.2).abs() < 4.0 * (0.16_f64 / 4000.0).sqrt());
    }

    #[test]
    fn inputs_have_the_given_covariance_and_norm() {
        let inputs = InputDistribution {
            count: 8,
            branch: 4,
            covariance: InputCovariance::ar1(0.8),
            normalise: false,
        };
        let mut stream = Stream::of(2, 0);
        let (mut row, mut sums) = (vec![0.0; 8], [0.0; 3]);
        for _ in 0..20_000 {
            inputs.draw(&mut stream, &mut row);
            inputs.colour(&mut row);
            for (sum, (i, j)) in sums.iter_mut().zip([(1, 2), (0, 3), (3, 4)]) {
                *sum += row[i] * row[j] / 20_000.0;
            }
        }
        for (sum, expected) in sums.iter().zip([0.8, 0.512, 0.0]) {
            assert!((sum - expected).abs() < 0.04, "{sums:?}");
        }
        InputDistribution { normalise: true, ..inputs }.draw(&mut stream, &mut row);
        assert!(row.chunks_exact(4).all(|x| (dot(x, x) - 4.0).abs() < 1e-12));
    }

    #[test]
    fn parity_is_a_product_and_a_coin_is_fair() {
        let of = |rule| Teacher::draw(rule, InputDistribution::white(6), 0.0, Stream::of(4, 4));
        let (parity, committee) = (of(TeacherRule::Parity(3)), of(TeacherRule::Committee(3)));
        let mut stream = Stream::of(9, 0);
        let mut row = vec![0.0; 6];
        for _ in 0..200 {
            InputDistribution::white(6).draw(&mut stream, &mut row);
            let votes: Vec<f64> = (0..3)
                .map(|k| dot(&row[2 * k..2 * k + 2], &parity.weights()[2 * k..2 * k + 2]).signum())
                .collect();
            assert_eq!(parity.clean(&row), votes.iter().product::<f64>());
            assert_eq!(committee.clean(&row), votes.iter().sum::<f64>().signum());
        }
        let mut examples = LabelledExamples::new(6);
        of(TeacherRule::Coin).extend(&mut examples, 2000);
        assert!(examples.labels().iter().sum::<f64>().abs() < 180.0);
    }
}
