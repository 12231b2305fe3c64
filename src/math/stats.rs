//! Averages with their standard errors, and numbers in their order.

use std::collections::BinaryHeap;

/// A mean over independent runs and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean; NaN over nothing.
    pub mean: f64,
    /// One standard error of the mean; NaN over fewer than two values.
    pub se: f64,
    /// How many values.
    pub count: usize,
}

/// Mean and standard error of `values`, in their order; values that are not finite are left out.
pub fn mean(values: impl Iterator<Item = f64> + Clone) -> Mean {
    let [mean] = means(values.map(|x| [x]));
    mean
}

/// The same of several numbers a row, in two walks over the rows.
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

/// The places of `values` from the smallest value to the largest, as [`f64::total_cmp`] has it; of equal ones the first comes first.
/// A heap is a tenth of the code of the standard library's sorts, which every model's program would carry.
pub fn order(values: &[f64]) -> Vec<usize> {
    let key = |x: &f64| {
        let bits = x.to_bits().cast_signed();
        // Of negative numbers the larger size comes first.
        bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
    };
    let keys: BinaryHeap<(i64, usize)> = values.iter().map(key).zip(0..).collect();
    keys.into_sorted_vec().into_iter().map(|(_, place)| place).collect()
}

/// The values from the smallest to the largest.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    order(values).into_iter().map(|place| values[place]).collect()
}

/// The middle value (the mean of the two middle ones for an even number); NaN over nothing.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let sorted = sorted(&values.collect::<Vec<_>>());
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => f64::NAN,
        (n, h) if n % 2 == 1 => sorted[h],
        (_, h) => 0.5 * (sorted[h - 1] + sorted[h]),
    }
}

/// The exact 95 % interval (Clopper and Pearson 1934) of the probability of an event that came about `count` times in `trials`
/// independent ones: each tail has 2.5 %.
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

/// The probability of at most `count` events in `trials`, each of probability `p`.
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

/// Rows whose predicted probabilities lie near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Mean of what was predicted.
    pub predicted: f64,
    /// Share of the rows for which it came true.
    pub observed: f64,
    /// One standard error of that share, were the prediction right.
    pub se: f64,
    /// How many rows.
    pub rows: usize,
}

impl Bin {
    /// With fewer rows a bin can hardly disagree.
    const FEWEST: usize = 5;

    /// Whether the observed share is within two standard errors of the predicted one.
    fn agrees(&self) -> bool {
        (self.observed - self.predicted).abs() <= 2.0 * self.se
    }

    /// In how many of the `bins` the prediction came true, in words; those of few rows are not asked.
    pub fn verdict(bins: &[Self]) -> String {
        let asked = || bins.iter().filter(|bin| bin.rows >= Self::FEWEST);
        match (asked().filter(|bin| bin.agrees()).count(), asked().count()) {
            (_, 0) => format!("no bin has {} rows, and fewer are too few to tell", Self::FEWEST),
            (near, count) => format!(
                "the observed share is within two standard errors of the predicted one in {near} of {count} bins with at least \
                 {} rows",
                Self::FEWEST
            ),
        }
    }
}

/// How far predicted probabilities can be taken at their word: rows, each with its probability (0 to 1) and whether it came
/// true, in ten bins of equal width; those without rows are left out.
pub fn reliability(rows: impl Iterator<Item = (f64, bool)>) -> Vec<Bin> {
    const BINS: usize = 10;
    let mut sums = [(0.0, 0.0, 0); BINS];
    for (p, came_true) in rows {
        let (predicted, positive, count) = &mut sums[((p * BINS as f64) as usize).min(BINS - 1)];
        *predicted += p;
        *positive += f64::from(u8::from(came_true));
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
    fn intervals_are_those_of_clopper_and_pearson() {
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
    fn textbook_values() {
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
    fn bins_hold_what_lies_in_them() {
        let rows = [(0.01, false), (0.05, true), (0.95, true), (1.0, true), (1.0, true)];
        let bins = reliability(rows.into_iter());
        assert_eq!(bins.iter().map(|bin| bin.rows).collect::<Vec<_>>(), [2, 3]);
        assert!((bins[0].predicted - 0.03).abs() < 1e-15 && bins[0].observed == 0.5);
        assert!((bins[1].predicted - 2.95 / 3.0).abs() < 1e-15 && bins[1].observed == 1.0);
        assert!((bins[0].se - (0.03_f64 * 0.97 / 2.0).sqrt()).abs() < 1e-15);
        assert!(bins[1].agrees() && !bins[0].agrees());
    }

    #[test]
    fn bins_that_can_hardly_fail_are_not_asked() {
        let rows = |p: f64, came_true: usize, count: usize| (0..count).map(move |i| (p, i < came_true));
        let verdict = |rows: &mut dyn Iterator<Item = (f64, bool)>| Bin::verdict(&reliability(rows));
        assert_eq!(verdict(&mut rows(0.58, 1, 1)), "no bin has 5 rows, and fewer are too few to tell");
        // All of five: 0.58 ± 0.22 may be 1, 0.05 ± 0.1 may not.
        let said = verdict(&mut rows(0.58, 5, 5).chain(rows(0.05, 5, 5)).chain(rows(0.3, 1, 4)));
        assert!(said.ends_with("in 1 of 2 bins with at least 5 rows"), "{said}");
    }
}
