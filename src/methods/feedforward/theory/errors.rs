//! Generalisation errors of a student against a known teacher: exact from angles where both have the same branches, measured on
//! test inputs otherwise.

use crate::data::teacher::Teacher;
use crate::feedforward::tap::solution::{Solution, error_at};
use crate::feedforward::tap::votes::VoteCounter;
use crate::math::lanes::{LANES, Lanes, dot, each};
use crate::math::random::Stream;
use crate::math::special::angle_over_pi;

/// Errors of a solution against the noiseless teacher, and its overlap with the teacher.
#[derive(Clone, Copy, Debug)]
pub struct GeneralisationErrors {
    /// Error of the Bayes prediction sign⟨σ⟩, OW96 eq. (9).
    pub bayes: f64,
    /// Error of the committee with weights ⟨w⟩.
    pub opt: f64,
    /// Overlap R = ⟨w⟩ᵀC w₀/N with the teacher, with the true covariance C.
    pub r: f64,
}

/// Returns the number of test inputs that measure an error for N `inputs`. The Monte Carlo error is then small compared with the
/// scatter between runs, which decreases with N, too.
pub fn test_input_count(inputs: usize) -> usize {
    (131_072 / inputs).clamp(512, 2048)
}

impl GeneralisationErrors {
    /// Returns the errors of a `solution` for examples of this `teacher`. `matched` is true if both have the same branches.
    pub fn of(solution: &Solution, teacher: &Teacher, matched: bool, stream: &mut Stream) -> Self {
        let mut w = solution.weights.clone();
        teacher.inputs().whiten_weights(&mut w);
        let w0 = teacher.weights();
        let hidden = solution.lambda.len();
        let n = w.len() / hidden;
        let samples = test_input_count(w.len());
        let branches: Vec<BranchOverlaps> = (w.chunks_exact(n).zip(w0.chunks_exact(n)).zip(&solution.lambda))
            .map(|((w, w0), lambda)| BranchOverlaps {
                q: dot(w, w) / n as f64,
                r: dot(w, w0) / n as f64,
                teacher: dot(w0, w0) / n as f64,
                lambda: *lambda,
            })
            .collect();
        let r = branches.iter().map(|b| b.r).sum::<f64>() / hidden as f64;
        if !matched {
            let (bayes, opt) = measured_errors(&w, &solution.lambda, teacher, samples, stream);
            return Self { bayes, opt, r };
        }
        // Exact for inputs on the sphere, too: signs do not depend on lengths.
        let opt = opt_error(&branches.iter().map(BranchOverlaps::disagreement).collect::<Vec<_>>());
        let bayes = if hidden == 1 {
            // For K = 1 the Bayes prediction is that of the perceptron ⟨w⟩.
            opt
        } else if teacher.inputs().normalise {
            measured_errors(&w, &solution.lambda, teacher, samples, stream).0
        } else {
            bayes_error(&branches, samples, stream)
        };
        Self { bayes, opt, r }
    }
}

/// Returns the errors of the Bayes prediction and of the committee with weights `w` (K×n, on white inputs) and field variances
/// `lambda` (K), measured on `samples` test inputs.
fn measured_errors(
    w: &[f64],
    lambda: &[f64],
    teacher: &Teacher,
    samples: usize,
    stream: &mut Stream,
) -> (f64, f64) {
    let (hidden, n) = (lambda.len(), w.len() / lambda.len());
    let mut votes = VoteCounter::new(hidden);
    let mut fields = vec![[0.0; LANES]; hidden];
    let mut row = vec![0.0; w.len()];
    let blocks = samples.div_ceil(LANES).max(1);
    let (mut bayes, mut opt) = (0.0, 0.0);
    for _ in 0..blocks {
        let (mut truth, mut balance) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            teacher.inputs().draw(stream, &mut row);
            truth[i] = teacher.clean(&row);
            for (k, (x, w)) in row.chunks_exact(n).zip(w.chunks_exact(n)).enumerate() {
                let field = dot(x, w) / (n as f64).sqrt();
                balance[i] += if field == 0.0 { 0.0 } else { field.signum() };
                fields[k][i] = field / lambda[k].sqrt();
            }
        }
        let majority = votes.plus_probability(&fields);
        for i in 0..LANES {
            bayes += error_at((majority[i] - 0.5) * truth[i]);
            opt += error_at(balance[i] * truth[i]);
        }
    }
    let count = (blocks * LANES) as f64;
    (bayes / count, opt / count)
}

/// Returns the probability that the outputs of two committees differ, where a tie counts half. The k-th branches disagree with
/// probability `disagreements[k]`, independently of the others, and each votes ±1 with equal probability.
///
/// Exact, from the joint distribution of both numbers of votes.
pub fn opt_error(disagreements: &[f64]) -> f64 {
    let hidden = disagreements.len();
    let width = hidden + 1;
    // counts[a·width + b]: probability of a votes in the first committee and b in the second.
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

/// Overlaps and field variance of a branch.
#[derive(Clone, Copy, Debug)]
pub struct BranchOverlaps {
    /// |⟨w⟩|²/n.
    pub q: f64,
    /// ⟨w⟩·w₀/n.
    pub r: f64,
    /// |w₀|²/n.
    pub teacher: f64,
    /// Posterior variance λ of the field.
    pub lambda: f64,
}

impl BranchOverlaps {
    /// Returns the probability that the branch with weights ⟨w⟩ and the teacher's branch differ: the angle between them over π.
    fn disagreement(&self) -> f64 {
        let norms = (self.q * self.teacher).sqrt();
        angle_over_pi(if norms > 0.0 { self.r / norms } else { 0.0 })
    }
}

/// Returns the error of the Bayes prediction sign⟨σ⟩, OW96 eq. (9), against a noiseless teacher: an unbiased Monte Carlo estimate
/// over `samples` inputs (rounded up to a multiple of eight). The student's fields are drawn; given them, the teacher's are
/// integrated out.
pub fn bayes_error(branches: &[BranchOverlaps], samples: usize, stream: &mut Stream) -> f64 {
    let hidden = branches.len();
    let mut votes = VoteCounter::new(hidden);
    let (mut student, mut teacher) = (vec![[0.0; LANES]; hidden], vec![[0.0; LANES]; hidden]);
    let blocks = samples.div_ceil(LANES).max(1);
    let mut sum = 0.0;
    for _ in 0..blocks {
        for (k, branch) in branches.iter().enumerate() {
            let xi: Lanes = each(|_| stream.normal());
            let slope = if branch.q > 0.0 { branch.r / branch.q.sqrt() } else { 0.0 };
            let rest = (branch.teacher - slope * slope).max(f64::MIN_POSITIVE).sqrt();
            student[k] = each(|i| xi[i] * (branch.q / branch.lambda).sqrt());
            teacher[k] = each(|i| xi[i] * slope / rest);
        }
        let prediction = votes.plus_probability(&student);
        let truth = votes.plus_probability(&teacher);
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
    use crate::data::teacher::{InputDistribution, TeacherRule};

    #[test]
    fn error_of_one_branch_is_its_angle_over_pi() {
        assert!((opt_error(&[0.3]) - 0.3).abs() < 1e-15);
        let (q, r) = (0.4, 0.3);
        let branch = BranchOverlaps { q, r, teacher: 0.9, lambda: 1.0 - q };
        let exact = angle_over_pi(r / (q * 0.9_f64).sqrt());
        let estimate = bayes_error(&[branch], 40_000, &mut Stream::of(1, 1));
        assert!((estimate - exact).abs() < 0.006, "{estimate} {exact}");
    }

    #[test]
    fn error_of_three_branches_by_enumeration() {
        // Sum over all votes and all flips of three branches.
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
    fn error_of_a_perfect_and_of_an_uninformed_student() {
        assert_eq!(opt_error(&[0.0; 5]), 0.0);
        assert!((opt_error(&[0.5; 4]) - 0.5).abs() < 1e-15);
        // Even committees tie, and a tie counts half even for a perfect student.
        assert!((opt_error(&[0.0; 2]) - 0.25).abs() < 1e-15);
    }

    #[test]
    fn measured_errors_agree_with_errors_from_angles() {
        let teacher =
            Teacher::draw(TeacherRule::Committee(3), InputDistribution::white(30), 0.0, Stream::of(1, 0));
        let mut stream = Stream::of(2, 0);
        let weights: Vec<f64> = teacher.weights().iter().map(|w| 0.6 * w + 0.4 * stream.normal()).collect();
        let solution = Solution {
            weights: weights.clone(),
            lambda: vec![0.4; 3],
            g: vec![],
            z: vec![],
            sweeps: 0,
            adaptive: None,
        };
        let exact = GeneralisationErrors::of(&solution, &teacher, true, &mut stream);
        let (bayes, opt) = measured_errors(&weights, &[0.4; 3], &teacher, 40_000, &mut stream);
        assert!((bayes - exact.bayes).abs() < 0.03, "{bayes} {exact:?}");
        assert!((opt - exact.opt).abs() < 0.01, "{opt} {exact:?}");
    }

    #[test]
    fn error_against_random_labels_is_one_half() {
        let teacher = Teacher::draw(TeacherRule::Coin, InputDistribution::white(6), 0.0, Stream::of(1, 0));
        let solution = Solution {
            weights: vec![1.0; 6],
            lambda: vec![0.5; 2],
            g: vec![],
            z: vec![],
            sweeps: 0,
            adaptive: None,
        };
        let errors = GeneralisationErrors::of(&solution, &teacher, false, &mut Stream::of(1, 1));
        assert_eq!((errors.bayes, errors.opt), (0.5, 0.5));
    }
}
