//! Prediction errors of a known student against a known teacher, without a test set of labels.

use super::votes::Votes;
use crate::math::lanes::{LANES, Lanes};
use crate::math::random::Stream;

/// Probability that the majorities of two committees differ whose k-th branches disagree with probability
/// `disagreements[k]` and are otherwise fair and independent; a tie counts half.
///
/// Exact, by counting the votes of both at once.
pub fn opt_error(disagreements: &[f64]) -> f64 {
    let hidden = disagreements.len();
    let width = hidden + 1;
    // counts[a·width + b]: probability of a votes of the one and b of the other.
    let mut counts = vec![0.0; width * width];
    counts[0] = 1.0;
    for (k, d) in disagreements.iter().enumerate() {
        let (same, other) = (0.5 * (1.0 - d), 0.5 * d);
        for a in (0..=k + 1).rev() {
            for b in (0..=k + 1).rev() {
                let at = |a: usize, b: usize| counts[a * width + b];
                let mut sum = same * at(a, b);
                sum += if a > 0 { other * at(a - 1, b) } else { 0.0 };
                sum += if b > 0 { other * at(a, b - 1) } else { 0.0 };
                sum += if a > 0 && b > 0 { same * at(a - 1, b - 1) } else { 0.0 };
                counts[a * width + b] = sum;
            }
        }
    }
    let mut error = 0.0;
    for a in 0..width {
        for b in 0..width {
            let (one, two) = ((2 * a).cmp(&hidden), (2 * b).cmp(&hidden));
            let tie = one.is_eq() || two.is_eq();
            error += counts[a * width + b] * if tie { 0.5 } else { f64::from(u8::from(one != two)) };
        }
    }
    error
}

/// What the Bayes prediction knows of a branch.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// |⟨w⟩|²/n.
    pub q: f64,
    /// ⟨w⟩·w₀/n.
    pub r: f64,
    /// |w₀|²/n of the teacher.
    pub teacher: f64,
    /// Posterior variance λ of the field.
    pub lambda: f64,
}

/// Error of the Bayes prediction sign⟨σ⟩, eq. (9), against a noiseless teacher: the student's fields are drawn, the
/// teacher's are integrated out given them.
///
/// An unbiased Monte Carlo estimate over `samples` inputs (rounded up to a multiple of eight).
pub fn bayes_error(branches: &[Branch], samples: usize, stream: &mut Stream) -> f64 {
    let hidden = branches.len();
    let mut votes = Votes::new(hidden);
    let (mut student, mut teacher) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
    let blocks = samples.div_ceil(LANES).max(1);
    let mut sum = 0.0;
    for _ in 0..blocks {
        for (k, branch) in branches.iter().enumerate() {
            let xi: Lanes = std::array::from_fn(|_| stream.normal());
            let slope = if branch.q > 0.0 { branch.r / branch.q.sqrt() } else { 0.0 };
            let rest = (branch.teacher - slope * slope).max(f64::MIN_POSITIVE).sqrt();
            student[k] = std::array::from_fn(|i| xi[i] * (branch.q / branch.lambda).sqrt());
            teacher[k] = std::array::from_fn(|i| xi[i] * slope / rest);
        }
        let prediction = votes.majorities(&student);
        let truth = votes.majorities(&teacher);
        for i in 0..LANES {
            sum += if prediction[i] > 0.5 {
                1.0 - truth[i]
            } else if prediction[i] < 0.5 {
                truth[i]
            } else {
                0.5
            };
        }
    }
    sum / (blocks * LANES) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::special::angle_over_pi;

    #[test]
    fn one_branch_errs_by_its_angle() {
        assert!((opt_error(&[0.3]) - 0.3).abs() < 1e-15);
        let (q, r) = (0.4, 0.3);
        let branch = Branch { q, r, teacher: 0.9, lambda: 1.0 - q };
        let exact = angle_over_pi(r / (q * 0.9_f64).sqrt());
        let estimate = bayes_error(&[branch], 40_000, &mut Stream::of(1, 1));
        assert!((estimate - exact).abs() < 0.006, "{estimate} {exact}");
    }

    #[test]
    fn three_branches_by_the_closed_form() {
        // Two majorities of three differ with probability 3/4·(…): by enumeration over the 2³ flips and votes.
        let d = [0.1, 0.25, 0.4];
        let mut expected = 0.0;
        for votes in 0..8_u32 {
            for flips in 0..8_u32 {
                let p: f64 = (0..3)
                    .map(|k| if flips >> k & 1 == 1 { d[k as usize] } else { 1.0 - d[k as usize] })
                    .product();
                let differ = (votes.count_ones() >= 2) != ((votes ^ flips).count_ones() >= 2);
                expected += p / 8.0 * f64::from(u8::from(differ));
            }
        }
        assert!((opt_error(&d) - expected).abs() < 1e-15);
    }

    #[test]
    fn knowing_all_or_nothing() {
        assert_eq!(opt_error(&[0.0; 5]), 0.0);
        assert!((opt_error(&[0.5; 4]) - 0.5).abs() < 1e-15);
        // Even committees tie: half of the ties are wrong even for a perfect student.
        assert!((opt_error(&[0.0; 2]) - 0.25).abs() < 1e-15);
    }
}
