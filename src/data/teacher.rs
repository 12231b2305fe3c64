//! Examples labelled by a teacher network: the random problems of the statistical mechanics of learning.

use crate::math::covariance::InputCovariance;
use crate::math::lanes::{LANES, dot};
use crate::math::random::Stream;

/// Examples in blocks of [`LANES`], so that eight are computed at once.
#[derive(Clone, Debug, Default)]
pub struct LabelledExamples {
    inputs: usize,
    count: usize,
    blocks: Vec<f64>,
    labels: Vec<f64>,
}

impl LabelledExamples {
    /// No examples yet, of `inputs` inputs each.
    pub fn new(inputs: usize) -> Self {
        Self { inputs, ..Self::default() }
    }

    /// Adds one example: `s` of length [`Self::inputs`] and its label ±1.
    ///
    /// # Panics
    /// If `s` has another length.
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

    /// How many inputs an example has, N.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many examples there are, m.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Blocks of eight examples, each inputs × [`LANES`]; the last one is padded with zeros.
    pub fn blocks(&self) -> std::slice::ChunksExact<'_, f64> {
        self.blocks.chunks_exact((self.inputs * LANES).max(1))
    }

    /// The labels ±1, one an example.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }
}

/// How a teacher decides on a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeacherRule {
    /// The majority of so many branches; one is a perceptron.
    Committee(usize),
    /// The product of the signs of so many branches.
    Parity(usize),
    /// A fair coin, whatever the input.
    Coin,
}

/// How inputs are drawn: white rows x, which the student sees as s = L x in each of its branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputDistribution {
    /// Their number N.
    pub count: usize,
    /// Inputs of one branch of the student, n.
    pub branch: usize,
    /// Covariance of the inputs within a branch.
    pub covariance: InputCovariance,
    /// Whether each branch's x is scaled to |x|² = n, which puts it on a sphere.
    pub normalise: bool,
}

impl InputDistribution {
    /// White Gaussian inputs, as in the paper.
    pub fn white(count: usize) -> Self {
        Self { count, branch: count, covariance: InputCovariance::White, normalise: false }
    }

    /// A fresh white row into `x`.
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

    /// x ← s = L x, branch by branch.
    pub fn colour(&self, x: &mut [f64]) {
        x.chunks_exact_mut(self.branch).for_each(|x| self.covariance.colour(x));
    }

    /// Weights as they act on white inputs, branch by branch: w ← Lᵀ w.
    pub fn whiten_weights(&self, w: &mut [f64]) {
        w.chunks_exact_mut(self.branch).for_each(|w| self.covariance.whiten_weights(w));
    }
}

/// A teacher with N(0, 1) weights on white inputs that goes on labelling fresh examples: asking for more never
/// changes the first ones.
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
    /// A teacher whose labels are flipped with `flip_probability`.
    ///
    /// # Panics
    /// If its branches do not share the inputs equally.
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

    /// The teacher's weights on white inputs, N.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The teacher's weights on the inputs as the student sees them, N.
    pub fn seen_weights(&self) -> Vec<f64> {
        let mut seen = self.weights.clone();
        seen.chunks_exact_mut(self.inputs.branch).for_each(|w| self.inputs.covariance.colour_weights(w));
        seen
    }

    /// How its inputs are drawn.
    pub fn inputs(&self) -> InputDistribution {
        self.inputs
    }

    /// The noiseless label of a white row: ±1, or 0 where a coin decides.
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
    fn a_growing_set_keeps_its_first_examples() {
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
    fn labels_are_the_teachers_up_to_the_flips() {
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
    fn inputs_are_as_correlated_and_as_long_as_they_say() {
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
