//! The number of inducing points of a table, and the difference from the full model.

use crate::lab::{Group, TypedField, integer};

use super::inducing::Inducing;
use super::inducing::choice::sample;

/// Largest number of training rows of a full model, unless inducing points are requested.
const FULL_ROWS: usize = 4_000;
/// Largest number of training rows.
pub const MAX_ROWS: usize = 500_000;
/// Reason for the limit, after “since”.
pub const WHY_MAX_ROWS: &str = "the page holds the table and its predictions in memory";
/// Maximum number of rows of either model in a comparison, and of the rows on which they are compared.
pub const COMPARED_ROWS: usize = 1_000;
/// Approximate number of bytes for a row of the table, in inputs and results.
pub const BYTES_PER_ROW: u64 = 2_000;
/// Largest automatic number of points of a regression, in which searches and folds compute with them as well.
pub const MOST_IN_REGRESSION: usize = 512;
/// Largest automatic number of points of a classification. Then 20,000 rows take about as long as 4,000 in the full model.
pub const MOST_IN_CLASSIFICATION: usize = 1_000;
/// Smallest automatic number of points.
const LEAST: usize = 128;
/// Product of the rows and the automatic number of points, while it is large: elements of the matrix of covariances.
const ELEMENTS: f64 = 2e7;
/// Product of the rows and the square of the automatic number of points, while it is small: a few seconds of work.
const WORK: f64 = 6.6e9;

/// Number of points of a preliminary result, which takes a small part of the time.
const PRELIMINARY: usize = 32;
/// Number of points from which on a preliminary result is worth its time.
const MIN_REFINED: usize = 4 * PRELIMINARY;

/// Number of inducing points; 0 for the default.
pub const INDUCING: TypedField<usize> = integer(0, 1_000)
    .keyed("inducing")
    .label("Inducing points")
    .symbol("M")
    .help(
        "Number of rows that stand for all rows in an approximate model; time grows with its square times the number of rows. \
         0: automatic, with no approximation up to 4,000 training rows; above that, 128 to 1,000 points for classification and 128 to 512 \
         for regression.",
    )
    .group(Group::Method)
    .default("0");

/// Returns the inducing points of `rows` training rows, at most `most` if their number is not requested; `None` for the full model.
pub fn inducing(requested: usize, rows: usize, seed: u64, most: usize) -> Option<Inducing> {
    let n = rows as f64;
    let count = match requested {
        0 if rows <= FULL_ROWS => return None,
        0 => ((ELEMENTS / n).max((WORK / n).sqrt()) as usize / 8 * 8).clamp(LEAST, most),
        count => count.min(rows),
    };
    Some(Inducing { count, seed })
}

/// Returns the inducing points of a preliminary result for `rows` training rows; `None` if the result itself takes little time.
pub fn preliminary(inducing: Option<Inducing>, rows: usize) -> Option<Inducing> {
    let Inducing { count, seed } = inducing.filter(|_| rows > FULL_ROWS)?;
    (count >= MIN_REFINED).then_some(Inducing { count: PRELIMINARY, seed })
}

/// Words that follow the finding of a preliminary result.
pub const PRELIMINARY_MARK: &str = " (Preliminary.)";

/// Returns a sentence, preceded by a blank, on a preliminary result by `points` inducing points.
pub fn describe_preliminary(points: usize, rows: usize) -> String {
    format!(
        " Preliminary: {points} inducing points stand for {rows} training rows. The result with more points follows."
    )
}

/// Returns training rows and test rows, each at most [`COMPARED_ROWS`] of the numbers below `rows`, for a comparison with the full model.
pub fn compared_rows(rows: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let drawn = sample(rows, 2 * COMPARED_ROWS, seed, 1);
    let every_other = |first| drawn.iter().copied().skip(first).step_by(2).collect();
    (every_other(0), every_other(1))
}

/// Returns true if a table of `rows` rows may have inducing points.
pub fn may_have(requested: usize, rows: usize) -> bool {
    requested > 0 || rows > FULL_ROWS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_points_falls_with_the_number_of_rows() {
        let count = |requested, rows, most| inducing(requested, rows, 1, most).map(|inducing| inducing.count);
        let counts = |most| [4_000, 4_001, 20_000, 40_000, 100_000, 500_000].map(|rows| count(0, rows, most));
        let classes = [None, Some(1_000), Some(1_000), Some(496), Some(256), Some(128)];
        assert_eq!(counts(MOST_IN_CLASSIFICATION), classes);
        let targets = [None, Some(512), Some(512), Some(496), Some(256), Some(128)];
        assert_eq!(counts(MOST_IN_REGRESSION), targets);
        assert_eq!((count(64, 1_000, 512), count(64, 20, 512)), (Some(64), Some(20)));
        assert!(may_have(1, 5) && may_have(0, 4_001) && !may_have(0, 4_000));
    }
}
