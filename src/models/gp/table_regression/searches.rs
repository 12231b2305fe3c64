//! The searches of a fit and their budgets, which are known before it begins.
//!
//! Each start is searched briefly, on a sample of the rows if there are many, with one σ² for all inputs. The best start is continued on all
//! training rows, or on a random part of them by the bound of the inducing points. The folds of cross-validation begin at the fitted σ²,
//! amplitude and noise, but at the given relevances: fitted relevances depend on the targets of held-out rows. Fitting others takes
//! many evaluations, so the rows of these searches are limited.

use super::ProcessRegressionSpec;
use crate::models::gp::fit::LengthScales;
use crate::models::gp::inducing::Inducing;
use crate::models::gp::regression::fit::{EvidenceFit, FitOptions};

/// Maximum number of rows of a sample.
const SAMPLE: usize = 300;
/// Maximum number of evaluations of a start.
const EVALUATIONS_OF_START: usize = 25;
/// Maximum number of multiply–adds of the search of all rows, about twenty seconds; its minimum number of evaluations takes precedence.
const WORK: f64 = 6e10;
/// Number of evaluations of the bound for which the rows of a search are limited.
const EVALUATIONS_OF_BOUND: f64 = 25.0;
/// Number of evaluations for which the rows of the search for relevances in a fold are limited.
const EVALUATIONS_OF_RELEVANCES: f64 = 30.0;
/// Maximum number of multiply–adds of that search; its minimum number of evaluations takes precedence.
const WORK_OF_RELEVANCES: f64 = WORK / 4.0;
/// Largest derivative with respect to a coordinate at which a search has converged, in nats per row: of the starts, and of the others.
const TOLERANCES: (f64, f64) = (1e-3, 1e-4);

/// A search of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// From a start.
    Start(usize),
    /// On all training rows, from the best start.
    AllRows,
    /// On the rows of all folds but one, from the fitted hyperparameters of all training rows.
    Fold,
}

impl Search {
    /// Returns the maximum number of evaluations with `rows` training rows. With 0 there is no search.
    pub fn evaluations(self, spec: &ProcessRegressionSpec, rows: usize, points: Option<usize>) -> usize {
        let (work, least, most) = match (self, spec.fit_ard) {
            (Self::Start(_), _) => return EVALUATIONS_OF_START,
            (Self::AllRows, false) => (WORK, 6, 60),
            (Self::AllRows, true) => (WORK, 12, 150),
            // The hyperparameters are close; relevances are fitted anew.
            (Self::Fold, false) => (WORK / 20.0, 0, 20),
            (Self::Fold, true) => (WORK_OF_RELEVANCES, 6, 80),
        };
        ((work / EvidenceFit::evaluation_cost(rows, points)) as usize).clamp(least, most)
    }

    /// Returns the maximum number of rows of a search that follows the starts: with inducing `points` and for relevances in a fold, as many
    /// as allow the evaluations that it needs.
    pub fn most_rows(self, spec: &ProcessRegressionSpec, points: Option<usize>) -> usize {
        let is_of_relevances = self == Self::Fold && spec.fit_ard;
        let evaluation = if is_of_relevances {
            WORK_OF_RELEVANCES / EVALUATIONS_OF_RELEVANCES
        } else {
            WORK / EVALUATIONS_OF_BOUND
        };
        match points {
            Some(points) => {
                let row = EvidenceFit::evaluation_cost(1, Some(points)) / (1 + points) as f64;
                (evaluation / row) as usize
            }
            // An evaluation takes about 2m³/3.
            None if is_of_relevances => libm::cbrt(1.5 * evaluation) as usize,
            None => usize::MAX,
        }
    }

    /// Returns the expected number of multiply–adds with `rows` training rows.
    pub fn cost(self, spec: &ProcessRegressionSpec, rows: usize, points: Option<usize>) -> f64 {
        let (searched, points) = match self {
            Self::Start(_) => (rows / sample_parts(rows), None),
            Self::AllRows | Self::Fold => (rows.min(self.most_rows(spec, points)), points),
        };
        self.evaluations(spec, searched, points) as f64 * EvidenceFit::evaluation_cost(searched, points)
    }

    /// Returns the options of the search of `rows` rows, with inducing points if there are any.
    pub fn options(
        self,
        spec: &ProcessRegressionSpec,
        rows: usize,
        inducing: Option<Inducing>,
    ) -> FitOptions {
        let (starts, tolerance, is_start) = match self {
            Self::Start(start) => (start..start + 1, TOLERANCES.0, true),
            Self::AllRows | Self::Fold => (0..1, TOLERANCES.1, false),
        };
        let length_scales =
            if spec.fit_ard && !is_start { LengthScales::PerInput } else { LengthScales::Shared };
        let max_evaluations = self.evaluations(spec, rows, inducing.map(|inducing| inducing.count));
        FitOptions { length_scales, starts, max_evaluations, tolerance: tolerance * rows as f64, inducing }
    }
}

/// Returns the number of equal parts of the `rows` training rows, one of which is the sample that the starts search.
pub fn sample_parts(rows: usize) -> usize {
    rows.div_ceil(SAMPLE).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn budgets_fall_with_the_number_of_rows_to_their_least() {
        let spec = |ard: &str| {
            Checked::<ProcessRegressionSpec>::new(&raw_of([("fit_ard", ard.to_owned())])).unwrap()
        };
        let (plain, ard) = (spec("false"), spec("true"));
        let budgets = |spec: &ProcessRegressionSpec, search: Search| {
            [50, 800, 4000].map(|m| search.evaluations(spec, m, None))
        };
        assert_eq!(budgets(&plain, Search::AllRows), [60, 60, 6]);
        assert_eq!(budgets(&ard, Search::AllRows), [150, 150, 12]);
        assert_eq!(budgets(&plain, Search::Fold), [20, 8, 0]);
        assert_eq!(budgets(&ard, Search::Fold), [80, 40, 6]);
        // 25 evaluations of the bound, of a part of the rows.
        let most_rows = |search: Search, spec, points| search.most_rows(spec, points);
        assert_eq!(most_rows(Search::AllRows, &ard, None), usize::MAX);
        let rows = most_rows(Search::AllRows, &plain, Some(256));
        assert!((10_000..20_000).contains(&rows), "{rows}");
        assert!((23..=26).contains(&Search::AllRows.evaluations(&plain, rows, Some(256))));
        assert_eq!(most_rows(Search::Fold, &plain, Some(256)), rows);
        // As many evaluations in a fold find relevances, whatever the number of rows.
        for points in [None, Some(256)] {
            let rows = most_rows(Search::Fold, &ard, points);
            assert!((800..4_000).contains(&rows), "{rows}");
            let evaluations = Search::Fold.evaluations(&ard, rows, points);
            assert!((26..=30).contains(&evaluations), "{evaluations}");
        }
        assert_eq!([299, 300, 301, 4000].map(sample_parts), [1, 1, 2, 14]);
    }
}
