//! Weighted sums of outer products over a long series of vectors, and products of a symmetric matrix with eight columns.

use super::cholesky::reduce;
use super::lanes::{LANES, Lanes, SimdKernel, dispatch_simd};
use super::product::strips;

/// Number of vectors that are added together.
const DEPTH: usize = 64;

/// The symmetric matrix Σ w v vᵀ of vectors v of n elements with weights w, in O(n²) memory. Terms are summed in their order, in
/// groups of a fixed size.
#[derive(Clone, Debug)]
pub struct WeightedGram {
    n: usize,
    /// Waiting vectors in strips of eight elements: element i of vector k at `strip·DEPTH + k`, times its weight and plain.
    weighted: Vec<Lanes>,
    plain: Vec<Lanes>,
    /// Number of waiting vectors.
    waiting: usize,
    /// Minus the sums in blocks of 8×8, j ≤ i: column c of block (s, t) at `8 (s (s+1)/2 + t) + c`.
    negated: Vec<Lanes>,
}

impl WeightedGram {
    /// Returns the sum without terms for vectors of `n` elements.
    pub fn new(n: usize) -> Self {
        let strips = n.div_ceil(LANES);
        Self {
            n,
            weighted: vec![[0.0; LANES]; strips * DEPTH],
            plain: vec![[0.0; LANES]; strips * DEPTH],
            waiting: 0,
            negated: vec![[0.0; LANES]; LANES * strips * (strips + 1) / 2],
        }
    }

    /// Adds eight vectors, the columns of `panel` (n×8), with their `weights`.
    ///
    /// # Panics
    /// If the panel does not have n rows.
    pub fn add(&mut self, panel: &[Lanes], weights: &Lanes) {
        assert_eq!(panel.len(), self.n, "the panel has one row per element");
        for (i, row) in panel.iter().enumerate() {
            let at = i / LANES * DEPTH + self.waiting;
            for lane in 0..LANES {
                self.plain[at + lane][i % LANES] = row[lane];
                self.weighted[at + lane][i % LANES] = weights[lane] * row[lane];
            }
        }
        self.waiting += LANES;
        if self.waiting == DEPTH {
            self.flush();
        }
    }

    /// Adds the waiting vectors. Required before [`Self::at`].
    pub fn flush(&mut self) {
        let Self { weighted, plain, waiting, negated, .. } = self;
        dispatch_simd(GramKernel { weighted, plain, depth: *waiting, negated });
        self.waiting = 0;
    }

    /// Returns the number of elements n of a vector.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns true if vectors have no elements.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the numbers that describe the sum of all flushed terms; linear combinations of them describe those of sums.
    pub fn values(&self) -> &[Lanes] {
        &self.negated
    }

    /// Sets the sum to the one with these [`Self::values`].
    ///
    /// # Panics
    /// If there are not as many.
    pub fn set_values(&mut self, values: impl Iterator<Item = f64>) {
        self.waiting = 0;
        let mut count = 0;
        for (into, value) in self.negated.iter_mut().flatten().zip(values) {
            *into = value;
            count += 1;
        }
        assert_eq!(count, LANES * self.negated.len(), "there is a value for each element");
    }

    /// Returns element (i, j) of the sum of all flushed terms.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        let (s, t) = (i / LANES, j / LANES);
        -self.negated[LANES * (s * (s + 1) / 2 + t) + j % LANES][i % LANES]
    }
}

struct GramKernel<'a> {
    weighted: &'a [Lanes],
    plain: &'a [Lanes],
    depth: usize,
    negated: &'a mut [Lanes],
}

impl SimdKernel for GramKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { weighted, plain, depth, negated } = self;
        let mut blocks = negated.chunks_exact_mut(LANES);
        for s in 0..plain.len() / DEPTH {
            let rows = &weighted[s * DEPTH..][..depth];
            for (t, block) in (0..=s).zip(&mut blocks) {
                let columns = &plain[t * DEPTH..][..depth];
                reduce(rows, columns, block);
            }
        }
    }
}

/// A symmetric n×n matrix in strips of eight rows, for products with eight columns at once.
#[derive(Clone, Debug)]
pub struct SymmetricStrips {
    n: usize,
    /// Minus element (8s+i, k) at `s·n + k`, lane i.
    negated: Vec<Lanes>,
}

impl SymmetricStrips {
    /// Returns the matrix with rows `elements`, n×n.
    pub fn new(n: usize, elements: &[f64]) -> Self {
        Self { n, negated: strips(n, |i, k| -elements[i * n + k]) }
    }

    /// Returns the product with eight columns, n×8.
    ///
    /// # Panics
    /// If the panel does not have n rows.
    pub fn times(&self, panel: &[Lanes]) -> Vec<Lanes> {
        assert_eq!(panel.len(), self.n, "the panel has one row per row of the matrix");
        let mut out = vec![[0.0; LANES]; self.n];
        dispatch_simd(TimesKernel { n: self.n, negated: &self.negated, panel, out: &mut out });
        out
    }
}

struct TimesKernel<'a> {
    n: usize,
    negated: &'a [Lanes],
    panel: &'a [Lanes],
    out: &'a mut [Lanes],
}

impl SimdKernel for TimesKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { n, negated, panel, out } = self;
        for (s, rows) in negated.chunks_exact(n.max(1)).enumerate() {
            let mut block = [[0.0; LANES]; LANES];
            reduce(rows, panel, &mut block);
            for (i, row) in out[s * LANES..].iter_mut().take(LANES).enumerate() {
                for lane in 0..LANES {
                    row[lane] = block[lane][i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_agree_with_direct_ones() {
        for n in [1, 8, 13] {
            let vector =
                |k: usize| (0..n).map(|i| ((i * 7 + k * 5) % 11) as f64 / 3.0 - 1.5).collect::<Vec<f64>>();
            let weight = |k: usize| if k < 77 { (k % 4) as f64 - 1.0 } else { 0.0 };
            let mut gram = WeightedGram::new(n);
            let panel = |k: usize| -> Vec<Lanes> {
                (0..n).map(|i| std::array::from_fn(|lane| vector(k + lane)[i])).collect()
            };
            for k in (0..80).step_by(LANES) {
                gram.add(&panel(k), &std::array::from_fn(|lane| weight(k + lane)));
            }
            gram.flush();
            let element = |i: usize, j: usize| gram.at(i, j);
            let whole: Vec<f64> = (0..n * n).map(|e| element(e / n, e % n)).collect();
            let product = SymmetricStrips::new(n, &whole).times(&panel(3));
            for i in 0..n {
                for j in 0..n {
                    let sum: f64 = (0..80).map(|k| weight(k) * vector(k)[i] * vector(k)[j]).sum();
                    assert!((element(i, j) - sum).abs() < 1e-11, "n={n} ({i}, {j})");
                }
                for lane in 0..LANES {
                    let sum: f64 = (0..n).map(|k| whole[i * n + k] * vector(3 + lane)[k]).sum();
                    assert!((product[i][lane] - sum).abs() < 1e-10, "n={n} ({i}, {lane})");
                }
            }
        }
    }
}
