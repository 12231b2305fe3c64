//! Test of a sweep against the equations of the paper, one by one.

use super::*;
use crate::data::teacher::LabelledExamples;
use crate::feedforward::tap::likelihood::Likelihood;
use crate::math::random::Stream;
use crate::math::special::{density, phi};

/// Returns ∂ ln⟨F⟩/∂z_k with eq. (7) as a trace over all 2^K outputs.
fn slope(z: &[f64], y: f64, beta: f64, k: usize) -> f64 {
    let (mut f, mut derivative) = (libm::exp(-beta), 0.0);
    for outputs in 0..1_u32 << z.len() {
        let sign = |j: usize| if outputs >> j & 1 == 1 { 1.0 } else { -1.0 };
        if y * (0..z.len()).map(sign).sum::<f64>() > 0.0 {
            let others: f64 = (0..z.len()).filter(|j| *j != k).map(|j| phi(sign(j) * z[j])).product();
            f += (1.0 - libm::exp(-beta)) * others * phi(sign(k) * z[k]);
            derivative += (1.0 - libm::exp(-beta)) * others * sign(k) * density(z[k]);
        }
    }
    derivative / f
}

/// Updates w (K×n) and g (m×K) by the equations of OW96 one by one, undamped except for 1/(1+V).
fn reference_sweep(rows: &[Vec<f64>], y: &[f64], beta: f64, w: &mut [Vec<f64>], g: &mut [Vec<f64>]) {
    let n = w[0].len() as f64;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let branch = |i: usize, k: usize| &rows[i][k * w[0].len()..(k + 1) * w[0].len()];
    let lambda: Vec<f64> = w.iter().map(|w| 1.0 - dot(w, w) / n).collect(); // (6')
    let (before, mut v) = (g.to_vec(), vec![0.0; w.len()]);
    for i in 0..rows.len() {
        let z: Vec<f64> = (0..w.len())
            .map(|k| (dot(branch(i, k), &w[k]) / n.sqrt() - lambda[k] * before[i][k]) / lambda[k].sqrt()) // (8)
            .collect();
        for k in 0..w.len() {
            g[i][k] = slope(&z, y[i], beta, k) / lambda[k].sqrt(); // (5)
            v[k] += g[i][k] * (g[i][k] + z[k] / lambda[k].sqrt()) / n;
        }
    }
    for k in 0..w.len() {
        for j in 0..w[k].len() {
            let s_g: f64 = (0..rows.len()).map(|i| rows[i][k * w[k].len() + j] * g[i][k]).sum();
            w[k][j] += (s_g / n.sqrt() - w[k][j]) / (1.0 + v[k]); // (4)
        }
    }
}

#[test]
fn sweep_equals_the_equations_one_by_one() {
    let (hidden, n, m, beta) = (3, 4, 11, 1.0);
    let mut stream = Stream::of(8, 0);
    let rows: Vec<Vec<f64>> = (0..m).map(|_| (0..hidden * n).map(|_| stream.normal()).collect()).collect();
    let y: Vec<f64> = (0..m).map(|_| stream.sign()).collect();
    let mut examples = LabelledExamples::new(hidden * n);
    rows.iter().zip(&y).for_each(|(row, y)| examples.push(row, *y));
    let problem = TrainingSet::new(&examples, m, Likelihood::new(hidden, beta));
    let tap = Tap::default();
    let mut state = tap.init(&problem);
    let (mut w, mut g) = (vec![vec![0.0; n]; hidden], vec![vec![0.0; hidden]; m]);
    for sweep in 0..4 {
        assert!(tap.advance(&problem, &mut state).is_none());
        assert!(state.info.is_some_and(|info| info.lambda_free && info.damping == 1.0));
        reference_sweep(&rows, &y, beta, &mut w, &mut g);
        for (ours, expected) in state.w.iter().zip(w.iter().flatten()) {
            assert!((ours - expected).abs() < 1e-12, "sweep {sweep}: {ours} {expected}");
        }
        for (i, g) in g.iter().enumerate() {
            for (k, expected) in g.iter().enumerate() {
                let ours = state.g[i / LANES * hidden + k][i % LANES];
                assert!((ours - expected).abs() < 1e-12, "sweep {sweep}: {ours} {expected}");
            }
        }
    }
}
