//! Units of a run in their order.

use super::ProcessRegressionSpec;
use super::searches::Search;
use crate::models::gp::inducing_points::COMPARED_ROWS;
use crate::models::gp::regression::RegressionPosterior;
use crate::models::gp::regression::bound::solve::BoundSolve;
use crate::models::gp::regression::fit::EvidenceFit;

/// A unit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegressionUnit {
    /// The model with the given hyperparameters.
    Given,
    /// A start of the fit.
    Start(usize),
    /// Predictors without a Gaussian process.
    Baseline,
    /// The search on all training rows, and the model with the fitted hyperparameters.
    Fitted,
    /// The same with one length scale, beside that of relevances.
    OneLengthScale,
    /// The model that learns the test rows too.
    Refitted,
    /// The full model and that by inducing points on a part of the rows.
    Comparison,
    /// A fold of cross-validation.
    Fold(usize),
}

impl RegressionUnit {
    /// Returns the units of each stage. `refits` is true if there are new rows and test rows that can be learnt, `compares`
    /// if there may be inducing points. Where the folds choose between relevances and one length scale, the units with the chosen settings
    /// follow them.
    pub fn stages(spec: &ProcessRegressionSpec, refits: bool, compares: bool) -> Vec<Vec<Self>> {
        let mut first = vec![Self::Given];
        let of_results = [refits.then_some(Self::Refitted), compares.then_some(Self::Comparison)];
        let of_results = of_results.into_iter().flatten();
        let folds = (0..spec.planned_folds()).map(Self::Fold);
        if !spec.is_fitted() {
            first.push(Self::Baseline);
            first.extend(of_results.chain(folds));
            return vec![first];
        }
        first.extend((0..EvidenceFit::starts()).map(Self::Start));
        first.push(Self::Baseline);
        let stages = if spec.one_length_scale().is_some() {
            let fits = vec![Self::Fitted, Self::OneLengthScale];
            vec![first, fits, folds.collect(), of_results.collect()]
        } else {
            vec![first, vec![Self::Fitted], of_results.chain(folds).collect()]
        };
        stages.into_iter().filter(|stage| !stage.is_empty()).collect()
    }

    /// Returns the expected number of multiply–adds with `rows` rows with a target, of which `trained` are training rows.
    pub fn cost(self, spec: &ProcessRegressionSpec, rows: usize, trained: usize) -> f64 {
        let points = spec.inducing_points(trained).map(|inducing| inducing.count);
        let one = spec.one_length_scale();
        let search = |spec: &ProcessRegressionSpec, search: Search, rows| {
            if spec.is_fitted() { search.cost(spec, rows, points) } else { 0.0 }
        };
        let full = |learnt: usize, all: usize| {
            let (learnt, all) = (learnt as f64, all as f64);
            learnt * learnt * (learnt / 3.0 + all + 40.0)
        };
        // Leave-one-out and predictions take as long as the posterior.
        let solve = |learnt: usize, predicted: usize| match points {
            Some(points) => BoundSolve::cost(learnt, points) + BoundSolve::cost(predicted, points),
            None => full(learnt, predicted),
        };
        match self {
            Self::Given => solve(trained, rows),
            Self::Start(start) => search(spec, Search::Start(start), trained),
            Self::Baseline => RegressionPosterior::cost(trained.min(COMPARED_ROWS)) as f64,
            Self::Comparison => {
                let compared = COMPARED_ROWS.min(trained);
                full(compared, 2 * compared) + points.map_or(0.0, |m| 2.0 * BoundSolve::cost(compared, m))
            }
            Self::Fitted => search(spec, Search::AllRows, trained) + solve(trained, rows),
            Self::OneLengthScale => {
                one.map_or(0.0, |one| search(&one, Search::AllRows, trained) + solve(trained, rows))
            }
            Self::Refitted => solve(rows, rows - trained.min(rows)),
            Self::Fold(_) => {
                let held_out = trained / spec.planned_folds().max(1);
                let learnt = trained - held_out;
                let model = |spec| search(spec, Search::Fold, learnt) + solve(learnt, held_out);
                model(spec) + one.as_ref().map_or(0.0, model)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RegressionUnit::{Baseline, Comparison, Fitted, Fold, Given, OneLengthScale, Refitted, Start};
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn a_fit_comes_between_its_starts_and_the_folds() {
        let spec = |pairs: &[(&'static str, &str)]| {
            let raw = raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
            Checked::<ProcessRegressionSpec>::new(&raw).unwrap()
        };
        let fitted = RegressionUnit::stages(&spec(&[("folds", "2")]), true, true);
        assert_eq!((fitted.len(), fitted[0][0], fitted[0].last()), (3, Given, Some(&Baseline)));
        assert_eq!(fitted[0][1..fitted[0].len() - 1], [0, 1, 2, 3, 4, 5, 6].map(Start));
        assert_eq!(
            (&fitted[1][..], &fitted[2][..]),
            (&[Fitted][..], &[Refitted, Comparison, Fold(0), Fold(1)][..])
        );
        let relevances = RegressionUnit::stages(&spec(&[("folds", "2"), ("fit_ard", "true")]), true, true);
        assert_eq!(relevances[1..3], [vec![Fitted, OneLengthScale], vec![Fold(0), Fold(1)]]);
        assert_eq!(relevances[3..], [[Refitted, Comparison]], "with the settings that the folds favour");
        let plain = RegressionUnit::stages(&spec(&[("fit", "none")]), false, false);
        assert_eq!(plain, [[Given, Baseline]]);
        let spec = spec(&[("folds", "3"), ("fit_ard", "true")]);
        for unit in RegressionUnit::stages(&spec, true, true).concat() {
            assert!(unit.cost(&spec, 100, 70) > 0.0, "{unit:?}");
        }
    }
}
