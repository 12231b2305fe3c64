//! Covariance functions K(s, s′), OW98 §1, with a weight `w_i` for every input. Each function is one file; two of them can be added or
//! multiplied.
//!
//! # Adding a covariance function
//!
//! 1. Write `NAME.rs` beside `linear.rs`: a unit struct that implements `CovarianceFunction`. That is its covariance, its
//!    derivatives with respect to the weights, and whether its scale is identified beside the noise v.
//! 2. Add a variant to [`KernelKind`], with the word that links and files use and the label in the form.
//! 3. Add the arm of `KernelKind::function` that the compiler then asks for; `benches/gp.rs` has a second `match`.
//! 4. Add it to the row of K in the table of `methods/gp/README.md`.
//! 5. Add a sentence about it to the help text in `models/gp/fields.rs`.
//!
//! Forms, permalinks, the command line, fits and the test of the derivatives below follow [`KernelKind`].

mod arcsine;
mod linear;
mod matern32;
mod matern52;
mod periodic;
mod rbf;

use crate::math::lanes::{LANES, sum};

crate::choice! {
    /// A covariance function K(s, s′) of inputs with weights `w_i`.
    pub enum KernelKind {
        /// OW98 eq. (2): exp(−½ Σ wᵢ (sᵢ − sᵢ′)²).
        Rbf = "rbf" "RBF, eq. (2)",
        /// Matérn with ν = 5/2: twice differentiable functions.
        Matern52 = "matern52" "Matérn 5/2",
        /// Matérn with ν = 3/2: once differentiable functions.
        Matern32 = "matern32" "Matérn 3/2",
        /// exp(−½ Σ wᵢ (p/π)² sin²(π (sᵢ − sᵢ′)/p)): functions with period p in every input.
        Periodic = "periodic" "periodic",
        /// OW98 eq. (1): the limit of infinitely many hidden units without bias, so that K(0, ·) = 0.
        Arcsine = "arcsine" "arcsine, eq. (1)",
        /// Σ wᵢ sᵢ sᵢ′: a single-layer perceptron, OW98 §1.
        Linear = "linear" "linear",
    }
}

crate::choice! {
    /// A combination of a second covariance function with the first. Sums and products of covariance functions are covariance functions.
    pub enum Combination {
        /// The first function alone.
        None = "none" "none",
        /// K₁ + K₂: a sum of two independent functions.
        Sum = "sum" "sum, K₁ + K₂",
        /// K₁ K₂: functions vary by both.
        Product = "product" "product, K₁ K₂",
    }
}

impl KernelKind {
    fn function(self) -> &'static dyn CovarianceFunction {
        match self {
            Self::Rbf => &rbf::Rbf,
            Self::Matern52 => &matern52::Matern52,
            Self::Matern32 => &matern32::Matern32,
            Self::Periodic => &periodic::Periodic,
            Self::Arcsine => &arcsine::Arcsine,
            Self::Linear => &linear::Linear,
        }
    }
}

/// The element (i, j) of a symmetric m×m matrix; read at j ≤ i only.
type LowerTriangle<'a> = dyn Fn(usize, usize) -> f64 + 'a;

/// One covariance function of a kernel: its weights are `scale` times `weights`.
struct Term<'a> {
    /// Weights of the kernel, N.
    weights: &'a [f64],
    scale: f64,
    /// Period in the units of the inputs.
    period: f64,
}

impl Term<'_> {
    /// Returns Σ wᵢ aᵢ bᵢ.
    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        self.scale * sum_of_triples(a, b, self.weights, |a, b, w| w * a * b)
    }

    /// Returns Σ wᵢ (aᵢ − bᵢ)².
    fn square_distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.scale * sum_of_triples(a, b, self.weights, |a, b, w| w * (a - b) * (a - b))
    }
}

/// A covariance function of two inputs (N each).
trait CovarianceFunction {
    /// Returns K(a, b).
    fn covariance(&self, term: &Term, a: &[f64], b: &[f64]) -> f64;

    /// Returns Σ `Q_ij` `∂K_ij/∂w_n` for every weight of the kernel, N, at inputs `rows` (m of N). `q` is a symmetric matrix, m×m, and
    /// `k` has the covariances of different inputs.
    fn weight_gradient(
        &self,
        term: &Term,
        rows: &[Vec<f64>],
        k: &LowerTriangle,
        q: &LowerTriangle,
    ) -> Vec<f64>;

    /// Returns true if K is proportional to its weights: a posterior without noise then does not depend on their scale, and one with noise
    /// depends on its ratio to v only.
    fn is_proportional_to_weights(&self) -> bool {
        false
    }
}

/// A covariance function with its weights, or the sum or product of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// First covariance function.
    pub kind: KernelKind,
    /// Weights `w_i`, N: 1/(σ²N), times the relevance of the input where relevances are given.
    pub weights: Vec<f64>,
    /// Period p > 0 in the units of the inputs; ignored by functions that are not periodic.
    pub period: f64,
    /// Second covariance function.
    pub second: Option<SecondKernel>,
}

/// A second covariance function and its combination with the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondKernel {
    /// Covariance function.
    pub kind: KernelKind,
    /// True for the product with the first function; false for the sum.
    pub is_product: bool,
    /// Its weights divided by those of the first function.
    pub scale: f64,
    /// Period p > 0 in the units of the inputs; ignored by functions that are not periodic.
    pub period: f64,
}

impl Kernel {
    /// Returns the isotropic kernel of `inputs` inputs, with period 1: `w_i` = 1/(σ²N), OW98 §5.
    pub fn isotropic(kind: KernelKind, inputs: usize, sigma2: f64) -> Self {
        Self { kind, weights: vec![1.0 / (sigma2 * inputs as f64); inputs], period: 1.0, second: None }
    }

    /// Sets the period of the first function.
    #[must_use]
    pub fn with_period(self, period: f64) -> Self {
        Self { period, ..self }
    }

    /// Sets the second function.
    #[must_use]
    pub fn with_second(self, second: Option<SecondKernel>) -> Self {
        Self { second, ..self }
    }

    fn first_term(&self) -> Term<'_> {
        Term { weights: &self.weights, scale: 1.0, period: self.period }
    }

    fn second_term(&self, second: &SecondKernel) -> Term<'_> {
        Term { weights: &self.weights, scale: second.scale, period: second.period }
    }

    /// Returns K(a, b).
    pub fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let first = self.kind.function().covariance(&self.first_term(), a, b);
        let Some(second) = &self.second else { return first };
        let other = second.kind.function().covariance(&self.second_term(second), a, b);
        if second.is_product { first * other } else { first + other }
    }

    /// Returns Σ `Q_ij` `∂K_ij/∂ln w_n` for every input n, N, at inputs `rows` (m of N). `q` is a symmetric matrix, m×m, and `k` has
    /// the covariances of different inputs; both are read at j ≤ i only.
    pub(in crate::gp) fn ln_weight_gradient(
        &self,
        rows: &[Vec<f64>],
        k: impl Fn(usize, usize) -> f64,
        q: impl Fn(usize, usize) -> f64,
    ) -> Vec<f64> {
        let mut gradient = match &self.second {
            None => self.kind.function().weight_gradient(&self.first_term(), rows, &k, &q),
            Some(second) => self.combined_gradient(second, rows, &q),
        };
        gradient.iter_mut().zip(&self.weights).for_each(|(sum, w)| *sum *= w);
        gradient
    }

    /// Returns Σ `Q_ij` `∂K_ij/∂w_n` of the sum or the product with `second`.
    fn combined_gradient(&self, second: &SecondKernel, rows: &[Vec<f64>], q: &LowerTriangle) -> Vec<f64> {
        let (first, other) = (self.kind.function(), second.kind.function());
        let (first_term, other_term) = (self.first_term(), self.second_term(second));
        let k1 = |i: usize, j: usize| first.covariance(&first_term, &rows[i], &rows[j]);
        let k2 = |i: usize, j: usize| other.covariance(&other_term, &rows[i], &rows[j]);
        // ∂(K₁K₂) = K₂ ∂K₁ + K₁ ∂K₂.
        let times = |k: &LowerTriangle, i, j| if second.is_product { q(i, j) * k(i, j) } else { q(i, j) };
        let mut gradient = first.weight_gradient(&first_term, rows, &k1, &|i, j| times(&k2, i, j));
        let more = other.weight_gradient(&other_term, rows, &k2, &|i, j| times(&k1, i, j));
        gradient.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        gradient
    }

    /// Returns true if K is proportional to its weights, so that their scale is not identified beside the noise v.
    pub(in crate::gp) fn is_proportional_to_weights(&self) -> bool {
        let of = |kind: KernelKind| kind.function().is_proportional_to_weights();
        of(self.kind) && self.second.is_none_or(|second| !second.is_product && of(second.kind))
    }
}

/// Returns the sum of `term` over the elements of three vectors of equal length, accumulated lane by lane.
#[inline(always)]
fn sum_of_triples(a: &[f64], b: &[f64], w: &[f64], term: impl Fn(f64, f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let (mut ca, mut cb, mut cw) = (a.chunks_exact(LANES), b.chunks_exact(LANES), w.chunks_exact(LANES));
    for ((a, b), w) in (&mut ca).zip(&mut cb).zip(&mut cw) {
        for i in 0..LANES {
            sums[i] += term(a[i], b[i], w[i]);
        }
    }
    let rest = ca.remainder().iter().zip(cb.remainder()).zip(cw.remainder());
    sum(sums) + rest.map(|((a, b), w)| term(*a, *b, *w)).sum::<f64>()
}

/// Returns the sum of the elements (i, j) and (j, i) of a symmetric matrix, and on the diagonal the one element.
fn pair_sum(q: &LowerTriangle, i: usize, j: usize) -> f64 {
    if i == j { q(i, i) } else { 2.0 * q(i, j) }
}

/// Returns Σ_{j≤i} `factor(i, j)` `s_in` `s_jn` for every input n, N, times the scale of `term`.
fn sum_of_products(rows: &[Vec<f64>], term: &Term, mut factor: impl FnMut(usize, usize) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; term.weights.len()];
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows[..=i].iter().enumerate() {
            let factor = factor(i, j) * term.scale;
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += factor * a * b;
            }
        }
    }
    sums
}

/// Returns Σ_{j<i} `factor(i, j)` (s_in − s_jn)² for every input n, N, times the scale of `term`.
fn sum_of_square_differences(
    rows: &[Vec<f64>],
    term: &Term,
    factor: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    let mut sums = vec![0.0; term.weights.len()];
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows[..i].iter().enumerate() {
            let factor = factor(i, j) * term.scale;
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += factor * (a - b) * (a - b);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Choice;
    use crate::math::cholesky::Cholesky;
    use crate::math::random::{Purpose, Stream};

    /// Asserts that a kernel of one input with weight 1 is the Fourier transform of a spectral density (Bochner's theorem), by
    /// the trapezoidal rule.
    pub(super) fn assert_student_spectrum(kind: KernelKind, density: impl Fn(f64) -> f64) {
        const STEP: f64 = 0.05;
        let kernel = Kernel::isotropic(kind, 1, 1.0);
        for r in [0.0, 0.3, 1.0, 2.5] {
            let term = |i: i32| density(STEP * f64::from(i)) * libm::cos(STEP * f64::from(i) * r);
            let integral = STEP * (-80_000..=80_000).map(term).sum::<f64>();
            let exact = kernel.covariance(&[0.4], &[0.4 + r]);
            assert!((integral - exact).abs() < 1e-10, "{kind:?} at {r}: {integral} {exact}");
        }
    }

    #[test]
    fn covariance_matrices_of_random_inputs_are_positive_definite() {
        for kernel in kernels() {
            let mut stream = Stream::for_purpose(11, Purpose::Test(0), 0);
            for inputs in [1, 3] {
                let rows: Vec<Vec<f64>> =
                    (0..40).map(|_| (0..inputs).map(|_| 2.0 * stream.normal()).collect()).collect();
                let weights = (0..inputs).map(|_| libm::exp(stream.normal())).collect();
                let kernel = Kernel { weights, ..kernel.clone() };
                let element = |i: usize, j: usize| {
                    kernel.covariance(&rows[i], &rows[j]) + if i == j { 1e-10 } else { 0.0 }
                };
                let factor = Cholesky::new(rows.len(), element);
                assert!(factor.is_some_and(|factor| factor.ln_det().is_finite()), "{kernel:?}");
            }
        }
    }

    fn kinds() -> impl Iterator<Item = KernelKind> {
        KernelKind::WORDS.iter().filter_map(|(word, _)| KernelKind::from_word(word))
    }

    /// Returns every function with period 2.3, alone and in sum and product with every other.
    fn kernels() -> Vec<Kernel> {
        let alone = |kind| Kernel::isotropic(kind, 1, 1.0).with_period(2.3);
        let both = |kind: KernelKind, is_product: bool| {
            kinds().map(move |other| {
                let second = SecondKernel { kind: other, is_product, scale: 0.6, period: 1.4 };
                alone(kind).with_second(Some(second))
            })
        };
        kinds()
            .flat_map(|kind| [alone(kind)].into_iter().chain(both(kind, false)).chain(both(kind, true)))
            .collect()
    }

    #[test]
    fn a_second_function_is_added_or_multiplied_with_its_own_scale_and_period() {
        let (a, b) = ([0.4, -1.0], [0.7, 0.3]);
        let of =
            |kind, sigma2, period| Kernel::isotropic(kind, 2, sigma2).with_period(period).covariance(&a, &b);
        let (rbf, periodic) = (of(KernelKind::Rbf, 0.8, 1.0), of(KernelKind::Periodic, 0.4, 1.7));
        for (is_product, expected) in [(false, rbf + periodic), (true, rbf * periodic)] {
            let second = SecondKernel { kind: KernelKind::Periodic, is_product, scale: 2.0, period: 1.7 };
            let kernel = Kernel::isotropic(KernelKind::Rbf, 2, 0.8).with_second(Some(second));
            assert!((kernel.covariance(&a, &b) - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn weight_gradients_match_finite_differences_for_every_kernel() {
        let rows: Vec<Vec<f64>> = vec![vec![0.3, -1.2, 0.5], vec![1.1, 0.4, -0.7], vec![0.0, 0.0, 0.0]];
        let q = [[0.3, -0.8, 0.2], [-0.8, 1.1, 0.6], [0.2, 0.6, -0.4]];
        for kernel in kernels() {
            let kernel = Kernel { weights: vec![0.5, 0.2, 1.3], ..kernel };
            let k = |i: usize, j: usize| kernel.covariance(&rows[i], &rows[j]);
            let exact = kernel.ln_weight_gradient(&rows, k, |i, j| q[i][j]);
            for (input, exact) in exact.iter().enumerate() {
                let weighted_sum = |step: f64| {
                    let mut kernel = kernel.clone();
                    kernel.weights[input] *= libm::exp(step);
                    (0..9)
                        .map(|e| q[e / 3][e % 3] * kernel.covariance(&rows[e / 3], &rows[e % 3]))
                        .sum::<f64>()
                };
                let numeric = (weighted_sum(1e-5) - weighted_sum(-1e-5)) / 2e-5;
                assert!((numeric - exact).abs() < 1e-9, "{kernel:?} {input}: {numeric} {exact}");
            }
        }
    }

    #[test]
    fn only_kernels_proportional_to_their_weights_are_marked_so() {
        let (a, b) = ([0.4, -1.0], [0.7, 0.3]);
        for kernel in kernels() {
            let scaled = |w| Kernel { weights: vec![w; 2], ..kernel.clone() }.covariance(&a, &b);
            let proportional = (scaled(1.0) - 2.0 * scaled(0.5)).abs() < 1e-12;
            assert_eq!(kernel.is_proportional_to_weights(), proportional, "{kernel:?}");
        }
    }

    #[test]
    fn the_arcsine_covariance_with_the_origin_is_zero() {
        let kernel = Kernel::isotropic(KernelKind::Arcsine, 2, 0.5);
        assert_eq!(kernel.covariance(&[0.0, 0.0], &[1.0, 2.0]), 0.0);
        assert_eq!(kernel.covariance(&[0.0, 0.0], &[0.0, 0.0]), 0.0);
    }
}
