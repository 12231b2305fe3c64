//! Control variates for averages over independent branches, and the regression on them. Their averages are known exactly, so that
//! their errors on a lattice estimate the errors of other averages.

use std::f64::consts::PI;

use crate::math::cholesky::Cholesky;
use crate::math::lanes::{self, LANES, Lanes, each, map};
use crate::math::special::{density, phi};

/// Number of frequencies ω > 0 of cos(ωm).
const FREQUENCIES: usize = 8;
/// Number of frequencies ω ≥ 0 of v·cos(ωm) and Σφ(z_k)²·cos(ωm).
const MIXED: usize = 3;
/// Number of control variates: all cos(ωm), then both mixed ones at ω = 0, at the lowest frequency, and so on.
const CONTROLS: usize = FREQUENCIES + 2 * MIXED;

/// Values of the control variates at eight points.
pub(in crate::feedforward) type ControlValues = [Lanes; CONTROLS];

/// Control variates, functions of m = Σ(2Φ(z_k)−1), v = Σ 4Φ(z_k)Φ(−z_k) and Σφ(z_k)².
pub(in crate::feedforward) struct Controls {
    /// Lowest frequency π/L, with L beyond most values of m. The others are its multiples.
    base: f64,
    /// Averages of the control variates.
    expected: [f64; CONTROLS],
}

impl Controls {
    /// Returns the control variates for K = `hidden` fields z_k ~ N(0, spread²). A fraction `decided` of them lies beyond ±`edge`,
    /// with φ = 0 and Φ = 0 or 1.
    pub fn new(hidden: usize, spread: f64, edge: f64, decided: f64) -> Self {
        const STEPS: i32 = 400;
        let edge = edge.min(9.0 * spread);
        let step = edge / f64::from(STEPS);
        // Quadrature weight, m, v and φ² of one branch at each node z.
        let nodes: Vec<[f64; 4]> = (-STEPS..=STEPS)
            .map(|i| {
                let z = f64::from(i) * step;
                let (yes, no, phi) = (phi(z), phi(-z), density(z));
                let end = if i.abs() == STEPS { 0.5 } else { 1.0 };
                [end * step * density(z / spread) / spread, yes - no, 4.0 * yes * no, phi * phi]
            })
            .collect();
        let total: f64 = nodes.iter().map(|n| n[0]).sum();
        let share = (1.0 - decided) / total;
        let square = share * nodes.iter().map(|n| n[0] * n[1] * n[1]).sum::<f64>() + decided;
        let count = hidden as f64;
        let base = PI / (4.5 * (count * square).sqrt()).min(1.1 * count);
        let mut expected = [0.0; CONTROLS];
        for l in 0..=FREQUENCIES {
            let omega = l as f64 * base;
            let mut sums = [0.0; 3];
            for [weight, m, v, square] in &nodes {
                let cosine = weight * libm::cos(omega * m);
                sums[0] += cosine;
                sums[1] += cosine * v;
                sums[2] += cosine * square;
            }
            let [one, v, square] = sums.map(|sum| share * sum);
            let one = one + decided * libm::cos(omega);
            let others = power(one, hidden - 1);
            if l > 0 {
                expected[l - 1] = others * one;
            }
            if l < MIXED {
                expected[FREQUENCIES + 2 * l] = count * v * others;
                expected[FREQUENCIES + 2 * l + 1] = count * square * others;
            }
        }
        Self { base, expected }
    }

    /// Returns the average factor by which `decided` branches reduce each cos(ωm), ω = 0 first.
    pub fn damping(&self, decided: usize) -> [f64; FREQUENCIES + 1] {
        each(|l| power(libm::cos(l as f64 * self.base), decided))
    }

    /// Returns the control variates, with their averages subtracted, at m, v and Σφ² of the undecided branches.
    #[inline(always)]
    pub fn values(&self, damping: &[f64; FREQUENCIES + 1], [m, v, square]: [Lanes; 3]) -> ControlValues {
        let mut values = self.expected.map(|expected| [-expected; LANES]);
        // cos(lθ) by recurrence.
        let first = map(m, |m| libm::cos(self.base * m));
        let (mut before, mut cosine) = (first, [1.0; LANES]);
        for (l, damping) in damping.iter().enumerate() {
            for i in 0..LANES {
                let damped = damping * cosine[i];
                if l > 0 {
                    values[l - 1][i] += damped;
                }
                if l < MIXED {
                    values[FREQUENCIES + 2 * l][i] += v[i] * damped;
                    values[FREQUENCIES + 2 * l + 1][i] += square[i] * damped;
                }
            }
            let next = each(|i| 2.0 * first[i] * cosine[i] - before[i]);
            (before, cosine) = (cosine, next);
        }
        values
    }
}

fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |product, _| product * x)
}

/// Regression of two quantities on the control variates: weighted sums, lane by lane.
pub(in crate::feedforward) struct Regression {
    weight: f64,
    quantities: [Lanes; 2],
    controls: ControlValues,
    products: [[Lanes; 2]; CONTROLS],
    /// Products of the control variates, lower triangle.
    squares: [[Lanes; CONTROLS]; CONTROLS],
}

impl Regression {
    /// Returns empty sums.
    pub fn new() -> Self {
        const ZERO: Lanes = [0.0; LANES];
        Self {
            weight: 0.0,
            quantities: [ZERO; 2],
            controls: [ZERO; CONTROLS],
            products: [[ZERO; 2]; CONTROLS],
            squares: [[ZERO; CONTROLS]; CONTROLS],
        }
    }

    /// Adds eight points of equal weight.
    #[inline(always)]
    pub fn add(&mut self, weight: f64, quantities: [Lanes; 2], controls: &ControlValues) {
        let accumulate = |sum: &mut Lanes, x: &Lanes, y: &Lanes| {
            for i in 0..LANES {
                sum[i] += x[i] * y[i];
            }
        };
        let weights = [weight; LANES];
        self.weight += weight * LANES as f64;
        for (sum, y) in self.quantities.iter_mut().zip(&quantities) {
            accumulate(sum, &weights, y);
        }
        for (a, x) in controls.iter().enumerate() {
            accumulate(&mut self.controls[a], &weights, x);
            let x = map(*x, |x| weight * x);
            for (sum, y) in self.products[a].iter_mut().zip(&quantities) {
                accumulate(sum, &x, y);
            }
            for (sum, other) in self.squares[a][..=a].iter_mut().zip(controls) {
                accumulate(sum, &x, other);
            }
        }
    }

    /// Returns the averages of the quantities, corrected by the errors of the control variates.
    pub fn averages(&self) -> [f64; 2] {
        // Regularises nearly collinear control variates.
        const RIDGE: f64 = 1e-7;
        let mean = |sum: Lanes| lanes::sum(sum) / self.weight;
        let covariance =
            |a: usize, b: usize| mean(self.squares[a][b]) - mean(self.controls[a]) * mean(self.controls[b]);
        let scale: [f64; CONTROLS] =
            each(|a| if covariance(a, a) > 1e-24 { covariance(a, a).sqrt() } else { 0.0 });
        let varying: Vec<usize> = (0..CONTROLS).filter(|a| scale[*a] > 0.0).collect();
        let element = |i: usize, j: usize| {
            let (a, b) = (varying[i], varying[j]);
            if i == j { 1.0 + RIDGE } else { covariance(a, b) / (scale[a] * scale[b]) }
        };
        let factor = Cholesky::new(varying.len(), element);
        each(|y| {
            let average = mean(self.quantities[y]);
            let Some(factor) = &factor else { return average };
            let slope =
                |a: &usize| (mean(self.products[*a][y]) - mean(self.controls[*a]) * average) / scale[*a];
            let mut slopes: Vec<f64> = varying.iter().map(slope).collect();
            factor.solve(&mut slopes);
            let error =
                varying.iter().zip(slopes).map(|(a, slope)| slope * mean(self.controls[*a]) / scale[*a]);
            average - error.sum::<f64>()
        })
    }
}
