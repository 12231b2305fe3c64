//! Examples labelled by a teacher network: the random, realizable problems of the statistical mechanics of
//! learning.

use crate::math::lanes::{LANES, dot};
use crate::math::random::Stream;

/// Examples in blocks of [`LANES`], so that eight are computed at once.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    inputs: usize,
    count: usize,
    blocks: Vec<f64>,
    labels: Vec<f64>,
}

impl Examples {
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

/// A tree committee (one branch: a perceptron) that goes on labelling fresh examples: asking for more never changes the
/// first ones.
#[derive(Clone, Debug)]
pub struct Teacher {
    weights: Vec<f64>,
    branch: usize,
    flip_probability: f64,
    stream: Stream,
    row: Vec<f64>,
}

impl Teacher {
    /// A teacher of `hidden` branches with N(0, 1) weights whose labels are flipped with `flip_probability`.
    ///
    /// # Panics
    /// If the branches do not share the inputs equally.
    pub fn draw(hidden: usize, inputs: usize, flip_probability: f64, mut stream: Stream) -> Self {
        assert!(hidden > 0 && inputs.is_multiple_of(hidden), "every branch has as many inputs");
        let weights = (0..inputs).map(|_| stream.normal()).collect();
        Self { weights, branch: inputs / hidden, flip_probability, stream, row: vec![0.0; inputs] }
    }

    /// The teacher's weights, K×n.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Appends examples with N(0, 1) inputs until there are `count`.
    pub fn extend(&mut self, examples: &mut Examples, count: usize) {
        while examples.len() < count {
            for x in &mut self.row {
                *x = self.stream.normal();
            }
            let branches = self.row.chunks_exact(self.branch).zip(self.weights.chunks_exact(self.branch));
            let votes: i32 = branches.map(|(s, w)| if dot(s, w) < 0.0 { -1 } else { 1 }).sum();
            let flipped = self.stream.uniform() < self.flip_probability;
            let clean = match votes {
                0 => self.stream.sign(),
                votes => f64::from(votes.signum()),
            };
            examples.push(&self.row, if flipped { -clean } else { clean });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_set_keeps_its_first_examples() {
        let grow = |steps: &[usize]| {
            let mut teacher = Teacher::draw(1, 5, 0.3, Stream::of(1, 2));
            let mut examples = Examples::new(5);
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
            let mut teacher = Teacher::draw(1, 7, p, Stream::of(5, 0));
            let mut examples = Examples::new(7);
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
}
