//! Means with standard errors, order statistics, binomial intervals and calibration.

/// A mean over independent runs and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Mean; NaN without values.
    pub mean: f64,
    /// Standard error of the mean; NaN for fewer than two values.
    pub se: f64,
    /// Number of values.
    pub count: usize,
}

/// Returns the mean and standard error of the finite `values`.
pub fn mean(values: impl Iterator<Item = f64> + Clone) -> Mean {
    let [mean] = means(values.map(|x| [x]));
    mean
}

/// Returns the mean and standard error of the finite values in each of N columns, in two passes over the rows.
pub fn means<const N: usize>(rows: impl Iterator<Item = [f64; N]> + Clone) -> [Mean; N] {
    let mut all = [Mean { mean: 0.0, se: 0.0, count: 0 }; N];
    for row in rows.clone() {
        for (of, x) in all.iter_mut().zip(row).filter(|(_, x)| x.is_finite()) {
            of.mean += x;
            of.count += 1;
        }
    }
    for of in &mut all {
        of.mean /= of.count as f64;
    }
    for row in rows {
        for (of, x) in all.iter_mut().zip(row).filter(|(_, x)| x.is_finite()) {
            of.se += (x - of.mean) * (x - of.mean);
        }
    }
    for Mean { se, count, .. } in &mut all {
        *se = if *count < 2 { f64::NAN } else { libm::sqrt(*se / ((*count - 1) as f64 * *count as f64)) };
    }
    all
}

/// Returns the indices that sort `values` in the order of [`f64::total_cmp`]; equal values keep their order.
pub fn order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order
}

/// Returns the values in ascending order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the median (the mean of the two middle values for an even number); NaN without values.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let sorted = sorted(&values.collect::<Vec<_>>());
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => f64::NAN,
        (n, h) if n % 2 == 1 => sorted[h],
        (_, h) => 0.5 * (sorted[h - 1] + sorted[h]),
    }
}

/// Returns the exact 95 % interval (Clopper and Pearson 1934) of the probability of an event that occurred `count` times in `trials`
/// independent trials, with 2.5 % in each tail.
///
/// The tails are found by bisection: an inverse incomplete beta function from a crate would use the platform's logarithm.
pub fn binomial_interval(count: usize, trials: usize) -> (f64, f64) {
    const TAIL: f64 = 0.025;
    let bisect = |above: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            *(if above(middle) { &mut high } else { &mut low }) = middle;
        }
        0.5 * (low + high)
    };
    let low = if count == 0 { 0.0 } else { bisect(&|p| 1.0 - at_most(count - 1, trials, p) > TAIL) };
    let high = if count >= trials { 1.0 } else { bisect(&|p| at_most(count, trials, p) < TAIL) };
    (low, high)
}

/// Returns the probability of at most `count` events in `trials`, each of probability `p`.
fn at_most(count: usize, trials: usize, p: f64) -> f64 {
    let (n, odds) = (trials as f64, libm::log(p) - libm::log1p(-p));
    let mut ln_term = n * libm::log1p(-p);
    let mut sum = libm::exp(ln_term);
    for k in 0..count {
        ln_term += libm::log((n - k as f64) / (k as f64 + 1.0)) + odds;
        sum += libm::exp(ln_term);
    }
    sum.min(1.0)
}

/// A bin of rows with similar predicted probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Mean predicted probability.
    pub predicted: f64,
    /// Share of rows with the event.
    pub observed: f64,
    /// Standard error of this share under the predicted probability.
    pub se: f64,
    /// Number of rows.
    pub rows: usize,
}

impl Bin {
    /// Minimum number of rows for a comparison.
    const MIN_ROWS: usize = 5;

    /// Returns true if the observed share is within two standard errors of the predicted probability.
    fn agrees(&self) -> bool {
        (self.observed - self.predicted).abs() <= 2.0 * self.se
    }

    /// Describes the number of `bins` in agreement, without bins of few rows.
    pub fn verdict(bins: &[Self]) -> String {
        let compared = || bins.iter().filter(|bin| bin.rows >= Self::MIN_ROWS);
        match (compared().filter(|bin| bin.agrees()).count(), compared().count()) {
            (_, 0) => format!("no bin has {} rows, the minimum for a comparison", Self::MIN_ROWS),
            (near, count) => format!(
                "the observed share is within two standard errors of the predicted one in {near} of {count} bins with at least \
                 {} rows",
                Self::MIN_ROWS
            ),
        }
    }
}

/// Computes the calibration of predicted probabilities in ten bins of equal width. Each row has a probability from 0 to 1 and is true if the event
/// occurred. Empty bins are left out.
pub fn reliability(rows: impl Iterator<Item = (f64, bool)>) -> Vec<Bin> {
    const BINS: usize = 10;
    let mut sums = [(0.0, 0.0, 0); BINS];
    for (p, occurred) in rows {
        let (predicted, positive, count) = &mut sums[((p * BINS as f64) as usize).min(BINS - 1)];
        *predicted += p;
        *positive += f64::from(u8::from(occurred));
        *count += 1;
    }
    let filled = sums.into_iter().filter(|(.., rows)| *rows > 0);
    let bin = |(predicted, positive, rows): (f64, f64, usize)| {
        let count = rows as f64;
        let predicted = predicted / count;
        let se = (predicted * (1.0 - predicted) / count).max(0.0).sqrt();
        Bin { predicted, observed: positive / count, se, rows }
    };
    filled.map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_intervals_agree_with_r() {
        // R: binom.test(5, 24), binom.test(0, 10), binom.test(10, 10).
        for (count, trials, (low, high)) in
            [(5, 24, (0.07132, 0.42151)), (0, 10, (0.0, 0.30850)), (10, 10, (0.69150, 1.0))]
        {
            let found = binomial_interval(count, trials);
            assert!(
                (found.0 - low).abs() < 1e-5 && (found.1 - high).abs() < 1e-5,
                "{count}/{trials}: {found:?}"
            );
        }
    }

    #[test]
    fn means_medians_and_orders_are_correct() {
        let m = mean([1.0, 2.0, 3.0, 4.0, f64::NAN].into_iter());
        assert_eq!((m.mean, m.count), (2.5, 4));
        assert!((m.se - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        assert!(mean([1.0].into_iter()).se.is_nan());
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
        assert!(median(std::iter::empty()).is_nan());
        assert_eq!(order(&[2.0, -1.0, 2.0, 0.0]), [1, 3, 0, 2]);
        let ends = [f64::NAN, f64::INFINITY, 0.0, -0.0, -3.0, -2.5, f64::MIN_POSITIVE, f64::NEG_INFINITY];
        assert_eq!(order(&ends), [7, 4, 5, 3, 2, 6, 1, 0]);
    }

    #[test]
    fn bins_average_their_rows() {
        let rows = [(0.01, false), (0.05, true), (0.95, true), (1.0, true), (1.0, true)];
        let bins = reliability(rows.into_iter());
        assert_eq!(bins.iter().map(|bin| bin.rows).collect::<Vec<_>>(), [2, 3]);
        assert!((bins[0].predicted - 0.03).abs() < 1e-15 && bins[0].observed == 0.5);
        assert!((bins[1].predicted - 2.95 / 3.0).abs() < 1e-15 && bins[1].observed == 1.0);
        assert!((bins[0].se - (0.03_f64 * 0.97 / 2.0).sqrt()).abs() < 1e-15);
        assert!(bins[1].agrees() && !bins[0].agrees());
    }

    #[test]
    fn bins_that_can_hardly_fail_are_not_compared() {
        let rows = |p: f64, occurred: usize, count: usize| (0..count).map(move |i| (p, i < occurred));
        let verdict = |rows: &mut dyn Iterator<Item = (f64, bool)>| Bin::verdict(&reliability(rows));
        assert_eq!(verdict(&mut rows(0.58, 1, 1)), "no bin has 5 rows, the minimum for a comparison");
        // All of five: 0.58 ± 0.22 may be 1, 0.05 ± 0.1 may not.
        let text = verdict(&mut rows(0.58, 5, 5).chain(rows(0.05, 5, 5)).chain(rows(0.3, 1, 4)));
        assert!(text.ends_with("in 1 of 2 bins with at least 5 rows"), "{text}");
    }
}
