//! Units of a run in their order.

use super::TableRegressionSpec;
use super::searches::Search;
use crate::models::gp::regression::RegressionPosterior;
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
    /// The model that learns the test rows too.
    Refitted,
    /// A fold of cross-validation.
    Fold(usize),
}

impl RegressionUnit {
    /// Returns the units of each stage. `refits` is true if there are new rows and test rows that can be learnt.
    pub fn stages(spec: &TableRegressionSpec, refits: bool) -> Vec<Vec<Self>> {
        let mut first = vec![Self::Given];
        let mut last: Vec<Self> = refits.then_some(Self::Refitted).into_iter().collect();
        last.extend((0..spec.planned_folds()).map(Self::Fold));
        if !spec.is_fitted() {
            first.push(Self::Baseline);
            first.extend(last);
            return vec![first];
        }
        first.extend((0..EvidenceFit::starts()).map(Self::Start));
        first.push(Self::Baseline);
        vec![first, vec![Self::Fitted], last].into_iter().filter(|stage| !stage.is_empty()).collect()
    }

    /// Returns the expected number of multiply–adds with `rows` rows with a target, of which `trained` are training rows.
    pub fn cost(self, spec: &TableRegressionSpec, rows: usize, trained: usize) -> f64 {
        let search = |search: Search, rows| if spec.is_fitted() { search.cost(spec, rows) } else { 0.0 };
        let solve = |learnt: usize| {
            let (learnt, all) = (learnt as f64, rows as f64);
            learnt * learnt * (learnt / 3.0 + all + 40.0)
        };
        match self {
            Self::Given => solve(trained),
            Self::Start(start) => search(Search::Start(start), trained),
            Self::Baseline => RegressionPosterior::cost(trained) as f64,
            Self::Fitted => search(Search::AllRows, trained) + solve(trained),
            Self::Refitted => solve(rows),
            Self::Fold(_) => {
                let learnt = trained - trained / spec.planned_folds().max(1);
                search(Search::Fold, learnt) + solve(learnt)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RegressionUnit::{Baseline, Fitted, Fold, Given, Refitted, Start};
    use super::*;
    use crate::lab::{Checked, raw_of};

    #[test]
    fn a_fit_comes_between_its_starts_and_the_folds() {
        let spec = |pairs: &[(&'static str, &str)]| {
            let raw = raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
            Checked::<TableRegressionSpec>::new(&raw).unwrap()
        };
        let fitted = RegressionUnit::stages(&spec(&[("folds", "2")]), true);
        assert_eq!((fitted.len(), fitted[0][0], fitted[0].last()), (3, Given, Some(&Baseline)));
        assert_eq!(fitted[0][1..fitted[0].len() - 1], [0, 1, 2, 3, 4, 5, 6].map(Start));
        assert_eq!((&fitted[1][..], &fitted[2][..]), (&[Fitted][..], &[Refitted, Fold(0), Fold(1)][..]));
        let plain = RegressionUnit::stages(&spec(&[("fit", "none")]), false);
        assert_eq!(plain, [[Given, Baseline]]);
        let spec = spec(&[("folds", "3")]);
        for unit in RegressionUnit::stages(&spec, true).concat() {
            assert!(unit.cost(&spec, 100, 70) > 0.0, "{unit:?}");
        }
    }
}
