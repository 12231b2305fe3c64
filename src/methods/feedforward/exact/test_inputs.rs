//! Test inputs, at which predictions of TAP and of the exact posterior are compared.

use crate::data::teacher::Teacher;
use crate::math::exact_hmc::sign;
use crate::math::lanes::dot;
use crate::math::random::Stream;

/// Test inputs with their noiseless labels.
#[derive(Clone, Debug)]
pub struct TestInputs {
    /// Inputs in the student's coordinates, count×N.
    rows: Vec<f64>,
    /// Returns the noiseless labels: ±1, 0 in a tie.
    truth: Vec<f64>,
    inputs: usize,
    branch: usize,
}

impl TestInputs {
    /// Draws `count` inputs with their labels by the `teacher`.
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

    /// Returns the fields w·s/√n of the branches with weights `w` (N) at each input, K each.
    pub fn fields<'a>(&'a self, w: &'a [f64]) -> impl Iterator<Item = Vec<f64>> + 'a {
        let n = self.branch;
        self.rows.chunks_exact(self.inputs).map(move |row| {
            row.chunks_exact(n).zip(w.chunks_exact(n)).map(|(s, w)| dot(s, w) / (n as f64).sqrt()).collect()
        })
    }

    /// Returns the noiseless labels: ±1, 0 in a tie.
    pub fn truth(&self) -> &[f64] {
        &self.truth
    }

    /// Adds `weight` to `votes` at every input where the committee with weights `w` has output +1, half of it in a tie.
    pub fn add_votes(&self, w: &[f64], weight: f64, votes: &mut [f64]) {
        for (fields, votes) in self.fields(w).zip(votes) {
            let balance: i32 = fields.iter().map(|f| sign(*f)).sum();
            *votes += match balance {
                0 => 0.5 * weight,
                balance => weight * f64::from(u8::from(balance > 0)),
            };
        }
    }

    /// Returns the number of inputs.
    pub fn count(&self) -> usize {
        self.truth.len()
    }

    /// Returns the multiply–adds of the fields at all inputs.
    pub fn cost(&self) -> usize {
        self.rows.len()
    }
}
