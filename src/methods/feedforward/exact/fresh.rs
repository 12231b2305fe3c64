//! Fresh inputs, at which predictions are compared.

use crate::data::teacher::Teacher;
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// Fresh inputs at which predictions are compared.
#[derive(Clone, Debug)]
pub struct Fresh {
    /// As the student sees them, count×N.
    rows: Vec<f64>,
    /// The noiseless labels, 0 where a coin decides.
    truth: Vec<f64>,
    inputs: usize,
    branch: usize,
}

impl Fresh {
    /// `count` inputs of that `teacher`.
    pub fn draw(teacher: &Teacher, count: usize, stream: &mut Stream) -> Self {
        let inputs = teacher.inputs();
        let (mut rows, mut truth) = (Vec::with_capacity(count * inputs.count), Vec::new());
        let mut row = vec![0.0; inputs.count];
        for _ in 0..count {
            inputs.draw(stream, &mut row);
            truth.push(teacher.clean(&row));
            inputs.colour(&mut row);
            rows.extend(&row);
        }
        Self { rows, truth, inputs: inputs.count, branch: inputs.branch }
    }

    /// Fields of the branches with weights `w` at each input, over √n.
    pub fn fields<'a>(&'a self, w: &'a [f64]) -> impl Iterator<Item = Vec<f64>> + 'a {
        let n = self.branch;
        self.rows.chunks_exact(self.inputs).map(move |row| {
            row.chunks_exact(n).zip(w.chunks_exact(n)).map(|(s, w)| dot(s, w) / (n as f64).sqrt()).collect()
        })
    }

    /// The noiseless labels, 0 where a coin decides.
    pub fn truth(&self) -> &[f64] {
        &self.truth
    }

    /// Adds `weight` to every input that the machine `w` calls +1, half of it in a tie.
    pub fn vote(&self, w: &[f64], weight: f64, votes: &mut [f64]) {
        for (fields, votes) in self.fields(w).zip(votes) {
            let balance: i32 = fields.iter().map(|f| if *f < 0.0 { -1 } else { 1 }).sum();
            *votes += weight
                * match balance {
                    0 => 0.5,
                    balance => f64::from(u8::from(balance > 0)),
                };
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.truth.len()
    }

    /// Multiply–adds of looking at all of them.
    pub fn cost(&self) -> usize {
        self.rows.len()
    }
}

/// Share of inputs with noiseless labels `truth` at which the more probable of the `outputs` is not that.
pub fn error(outputs: &[f64], truth: &[f64]) -> f64 {
    let wrong = |(p, truth): (&f64, &f64)| match (p - 0.5) * truth {
        agreement if agreement > 0.0 => 0.0,
        agreement if agreement < 0.0 => 1.0,
        _ => 0.5,
    };
    outputs.iter().zip(truth).map(wrong).sum::<f64>() / truth.len() as f64
}
