//! Prediction errors of a known student against a known teacher: exact from angles where they are alike, on fresh
//! inputs where they are not.

use crate::data::teacher::Teacher;
use crate::feedforward::tap::solution::Solution;
use crate::feedforward::tap::votes::Votes;
use crate::math::lanes::{LANES, Lanes, dot, each};
use crate::math::random::Stream;
use crate::math::special::angle_over_pi;

/// What a student's solution is worth against the noiseless teacher.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// Error of the Bayes prediction sign⟨σ⟩, eq. (9).
    pub bayes: f64,
    /// Error of the machine with weights ⟨w⟩.
    pub opt: f64,
    /// ⟨w⟩ᵀ C w₀/N with the true covariance C: the overlap with the teacher's weights.
    pub r: f64,
}

/// How many inputs are drawn to measure an error: its Monte Carlo error is then a small part of the scatter from run
/// to run, which falls with their number too.
pub fn test_inputs(inputs: usize) -> usize {
    (131_072 / inputs).clamp(512, 2048)
}

impl Errors {
    /// The errors of a `solution` of examples of this `teacher`; `matched` says that both have the same branches.
    pub fn of(solution: &Solution, teacher: &Teacher, matched: bool, stream: &mut Stream) -> Self {
        let mut w = solution.weights.clone();
        teacher.inputs().whiten_weights(&mut w);
        let w0 = teacher.weights();
        let hidden = solution.lambda.len();
        let n = w.len() / hidden;
        let samples = test_inputs(w.len());
        let branches: Vec<Branch> = (w.chunks_exact(n).zip(w0.chunks_exact(n)).zip(&solution.lambda))
            .map(|((w, w0), lambda)| Branch {
                q: dot(w, w) / n as f64,
                r: dot(w, w0) / n as f64,
                teacher: dot(w0, w0) / n as f64,
                lambda: *lambda,
            })
            .collect();
        let r = branches.iter().map(|b| b.r).sum::<f64>() / hidden as f64;
        if !matched {
            let (bayes, opt) = on_fresh_inputs(&w, &solution.lambda, teacher, samples, stream);
            return Self { bayes, opt, r };
        }
        // Signs do not see lengths: exact on the sphere, too.
        let opt = opt_error(&branches.iter().map(Branch::disagreement).collect::<Vec<_>>());
        let bayes = if hidden == 1 {
            // The Bayes prediction of one branch is the machine ⟨w⟩.
            opt
        } else if teacher.inputs().normalise {
            on_fresh_inputs(&w, &solution.lambda, teacher, samples, stream).0
        } else {
            bayes_error(&branches, samples, stream)
        };
        Self { bayes, opt, r }
    }
}

/// Errors of the Bayes prediction and of the machine with weights `w` (K×n, on white inputs) whose fields have variances
/// `lambda` (K), measured on `samples` fresh inputs.
fn on_fresh_inputs(
    w: &[f64],
    lambda: &[f64],
    teacher: &Teacher,
    samples: usize,
    stream: &mut Stream,
) -> (f64, f64) {
    let (hidden, n) = (lambda.len(), w.len() / lambda.len());
    let mut votes = Votes::new(hidden);
    let mut fields = vec![[0.0; LANES]; hidden];
    let mut row = vec![0.0; w.len()];
    let blocks = samples.div_ceil(LANES).max(1);
    let (mut bayes, mut opt) = (0.0, 0.0);
    // 1 for a mistake, ½ where a coin decides on either side.
    let mistake = |prediction: f64, truth: f64| {
        0.5 * (1.0 - prediction.signum() * truth * f64::from(prediction != 0.0))
    };
    for _ in 0..blocks {
        let (mut truth, mut machine) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            teacher.inputs().draw(stream, &mut row);
            truth[i] = teacher.clean(&row);
            for (k, (x, w)) in row.chunks_exact(n).zip(w.chunks_exact(n)).enumerate() {
                let field = dot(x, w) / (n as f64).sqrt();
                machine[i] += if field == 0.0 { 0.0 } else { field.signum() };
                fields[k][i] = field / lambda[k].sqrt();
            }
        }
        let majority = votes.majorities(&fields);
        for i in 0..LANES {
            bayes += mistake(majority[i] - 0.5, truth[i]);
            opt += mistake(machine[i], truth[i]);
        }
    }
    let count = (blocks * LANES) as f64;
    (bayes / count, opt / count)
}

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

impl Branch {
    /// How often the branch with the mean weights and the teacher's differ: their angle over π.
    fn disagreement(&self) -> f64 {
        let norms = (self.q * self.teacher).sqrt();
        angle_over_pi(if norms > 0.0 { self.r / norms } else { 0.0 })
    }
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
            let xi: Lanes = each(|_| stream.normal());
            let slope = if branch.q > 0.0 { branch.r / branch.q.sqrt() } else { 0.0 };
            let rest = (branch.teacher - slope * slope).max(f64::MIN_POSITIVE).sqrt();
            student[k] = each(|i| xi[i] * (branch.q / branch.lambda).sqrt());
            teacher[k] = each(|i| xi[i] * slope / rest);
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
    use crate::data::teacher::{InputDistribution, TeacherRule};

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

    /// Two ways to the same two numbers: angles and integrals, and fresh inputs.
    #[test]
    fn fresh_inputs_measure_what_angles_say() {
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
            own: None,
        };
        let exact = Errors::of(&solution, &teacher, true, &mut stream);
        let (bayes, opt) = on_fresh_inputs(&weights, &[0.4; 3], &teacher, 40_000, &mut stream);
        assert!((bayes - exact.bayes).abs() < 0.03, "{bayes} {exact:?}");
        assert!((opt - exact.opt).abs() < 0.01, "{opt} {exact:?}");
    }

    #[test]
    fn nobody_beats_a_coin() {
        let teacher = Teacher::draw(TeacherRule::Coin, InputDistribution::white(6), 0.0, Stream::of(1, 0));
        let solution = Solution {
            weights: vec![1.0; 6],
            lambda: vec![0.5; 2],
            g: vec![],
            z: vec![],
            sweeps: 0,
            own: None,
        };
        let errors = Errors::of(&solution, &teacher, false, &mut Stream::of(1, 1));
        assert_eq!((errors.bayes, errors.opt), (0.5, 0.5));
    }
}
