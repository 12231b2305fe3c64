//! Standard errors by resampling: the bootstrap over independent runs, and the correction for overlapping splits of one table.

use super::random::Stream;
use super::stats::mean;

/// A statistic and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Value.
    pub value: f64,
    /// Standard error; NaN if unknown.
    pub se: f64,
}

/// Number of bootstrap samples: the standard error is known to about 1/√(2·200), 5 %.
const SAMPLES: usize = 200;

/// Returns a statistic of `runs` independent runs with its bootstrap standard error (Efron 1979): the standard deviation of the
/// statistic over samples of as many runs, drawn with replacement. `statistic` gets the indices of the runs. It may be an extreme
/// over quantities that share the runs, such as the largest distance of a curve, whose error is not that of any one of them.
pub fn bootstrap(runs: usize, stream: &mut Stream, statistic: impl Fn(&[usize]) -> f64) -> Estimate {
    let mut sample: Vec<usize> = (0..runs).collect();
    let value = statistic(&sample);
    if runs < 2 {
        return Estimate { value, se: f64::NAN };
    }
    let draws: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            for index in &mut sample {
                *index = ((stream.uniform() * runs as f64) as usize).min(runs - 1);
            }
            statistic(&sample)
        })
        .collect();
    let spread = mean(draws.into_iter());
    Estimate { value, se: spread.se * libm::sqrt(spread.count as f64) }
}

/// Returns the mean of the finite values of a sample, given the values of all runs and the indices of the sample; NaN without any.
pub fn mean_of_sample(values: &[f64], sample: &[usize]) -> f64 {
    let finite = sample.iter().map(|index| values[*index]).filter(|value| value.is_finite());
    let (sum, count) = finite.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

/// Returns the mean of a score over random splits of one table with its standard error (Nadeau and Bengio, Mach. Learn. 52, 239
/// (2003)). The splits share rows, so that √(s²/J) over J splits is too small; the variance is (1/J + n₂/n₁) s², with n₁ `train` and
/// n₂ `test` rows.
pub fn over_splits(scores: impl Iterator<Item = f64> + Clone, train: usize, test: usize) -> Estimate {
    let naive = mean(scores);
    let count = naive.count as f64;
    Estimate { value: naive.mean, se: naive.se * libm::sqrt(1.0 + count * test as f64 / train as f64) }
}

#[cfg(test)]
mod tests {
    use super::super::random::Purpose;
    use super::*;

    #[test]
    fn the_bootstrap_error_of_a_mean_is_the_textbook_one() {
        let mut stream = Stream::for_purpose(1, Purpose::Test(70), 0);
        let values: Vec<f64> = (0..200).map(|_| stream.normal()).collect();
        let of = |sample: &[usize]| sample.iter().map(|i| values[*i]).sum::<f64>() / sample.len() as f64;
        let found = bootstrap(values.len(), &mut stream, of);
        let expected = mean(values.iter().copied());
        assert!((found.value - expected.mean).abs() < 1e-15);
        // 200 samples know a standard deviation to 5 %; four standard errors.
        assert!((found.se / expected.se - 1.0).abs() < 0.2, "{found:?} {expected:?}");
    }

    #[test]
    fn the_mean_of_a_sample_leaves_out_what_is_not_finite() {
        let values = [1.0, f64::NAN, 4.0, f64::INFINITY];
        assert_eq!(mean_of_sample(&values, &[0, 2, 2, 1, 3]), 3.0);
        assert!(mean_of_sample(&values, &[1, 3]).is_nan());
    }

    #[test]
    fn the_error_of_an_extreme_is_not_that_of_its_largest_member() {
        // The maximum of nine independent means of unit variance has standard deviation .60 (tables of order statistics).
        let mut stream = Stream::for_purpose(2, Purpose::Test(70), 0);
        let runs = 400;
        let values: Vec<f64> = (0..9 * runs).map(|_| stream.normal()).collect();
        let column = |sample: &[usize], i: usize| {
            sample.iter().map(|run| values[9 * run + i]).sum::<f64>() / sample.len() as f64
        };
        let centre: Vec<usize> = (0..runs).collect();
        let largest = |sample: &[usize]| {
            (0..9).map(|i| column(sample, i) - column(&centre, i)).fold(f64::MIN, f64::max)
        };
        let found = bootstrap(runs, &mut stream, largest);
        let unit = 1.0 / libm::sqrt(runs as f64);
        assert!((found.se / unit - 0.60).abs() < 0.1, "{}", found.se / unit);
        assert!(bootstrap(1, &mut stream, |_| 0.0).se.is_nan());
    }

    #[test]
    fn overlapping_splits_have_a_larger_error() {
        // s² = 1, J = 4, n₂/n₁ = 1/4: (1/4 + 1/4)^½.
        let scores = [1.0, -1.0, 1.0, -1.0].map(|x: f64| x * libm::sqrt(0.75));
        let found = over_splits(scores.into_iter(), 80, 20);
        assert_eq!(found.value, 0.0);
        assert!((found.se - libm::sqrt(0.5)).abs() < 1e-15, "{found:?}");
        assert!(over_splits([1.0].into_iter(), 80, 20).se.is_nan());
    }
}
