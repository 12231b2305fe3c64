//! Distribution of the number of successes in independent trials.

/// Updates `counts[j]`, the probability of j successes, for a further trial with probabilities `yes` of success and `no` of failure.
/// Larger numbers of successes than the length allows are dropped.
pub fn add_trial(counts: &mut [f64], yes: f64, no: f64) {
    for j in (0..counts.len()).rev() {
        let success = if j == 0 { 0.0 } else { counts[j - 1] * yes };
        counts[j] = counts[j] * no + success;
    }
}

/// Returns the probabilities of 0 to n successes in n trials of probability `p`, n + 1.
pub fn binomial(n: usize, p: f64) -> Vec<f64> {
    let mut counts = vec![0.0; n + 1];
    counts[0] = 1.0;
    (0..n).for_each(|_| add_trial(&mut counts, p, 1.0 - p));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_binomial_and_poisson_binomial() {
        let five = binomial(5, 0.25);
        let exact = [243.0, 405.0, 270.0, 90.0, 15.0, 1.0].map(|count| count / 1024.0);
        assert!(five.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-15), "{five:?}");
        let mut counts = vec![1.0, 0.0, 0.0];
        add_trial(&mut counts, 0.5, 0.5);
        add_trial(&mut counts, 0.1, 0.9);
        assert!(counts.iter().zip([0.45, 0.5, 0.05]).all(|(a, b)| (a - b).abs() < 1e-15), "{counts:?}");
    }
}
