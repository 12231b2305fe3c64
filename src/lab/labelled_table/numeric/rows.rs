//! Training rows and predicted rows of a table with a numeric target.

use std::rc::Rc;

use crate::data::{ColumnScale, Dataset, RowRole, Target};
use crate::labelled_table::HeldOutInputs;

use super::scores::TestScores;

/// The map from targets of a problem, which have mean 0 over the training rows, to units of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetScale {
    /// Mean of the training targets before the shift to 0.
    shift: f64,
    /// Standardisation of the targets.
    scale: Option<ColumnScale>,
}

impl TargetScale {
    /// Converts a mean and a standard deviation of a target to units of the table.
    pub fn in_units(&self, mean: f64, sd: f64) -> (f64, f64) {
        match &self.scale {
            Some(scale) => (scale.invert(mean + self.shift), scale.invert_deviation(sd)),
            None => (mean + self.shift, sd),
        }
    }

    /// Returns the difference of the shifts of two problems with the same unit.
    pub(super) fn shift_from(&self, other: &Self) -> f64 {
        self.shift - other.shift
    }

    /// Returns the unit of the problem in units of the table.
    pub fn unit(&self) -> f64 {
        self.in_units(0.0, 1.0).1
    }
}

/// Rows of a table with a numeric target. Inputs and targets are standardised if the table is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumericRows {
    /// Inputs of the training rows, m of N.
    pub train: Rc<Vec<Vec<f64>>>,
    /// Targets of the training rows, m, shifted to mean 0.
    pub targets: Vec<f64>,
    /// Group of each training row, m; rows of a group are held out together.
    pub groups: Vec<usize>,
    /// Inputs of the rows to predict: test rows, rows without a target, rows of the second file.
    pub queries: Vec<Vec<f64>>,
    /// Targets of the test rows, with the shift of the training rows.
    pub tests: Vec<f64>,
    /// Inputs of test rows for the effects of the columns.
    pub held_out: HeldOutInputs,
    /// Targets of these rows, with the shift of the training rows.
    pub held_out_targets: Vec<f64>,
    /// Map to units of the table.
    pub scale: TargetScale,
}

impl NumericRows {
    /// Returns the rows of a data set; the effects of the columns are measured on at most `effect_rows` of the test rows.
    pub fn of(set: &Dataset, effect_rows: usize) -> Self {
        let targets = match &set.target {
            Target::Numbers(numbers) => numbers.clone(),
            Target::Classes { .. } | Target::None => vec![f64::NAN; set.rows()],
        };
        let train: Vec<usize> = set.of(RowRole::Train).collect();
        let shift = train.iter().map(|i| targets[*i]).sum::<f64>() / train.len().max(1) as f64;
        let inputs = |role| set.of(role).map(|i| set.row(i).to_vec());
        let tests: Vec<usize> = set.of(RowRole::Test).collect();
        let held_out = HeldOutInputs::of(set, &thinned(&tests, effect_rows));
        Self {
            train: Rc::new(inputs(RowRole::Train).collect()),
            targets: train.iter().map(|i| targets[*i] - shift).collect(),
            groups: train.iter().map(|i| set.groups[*i]).collect(),
            queries: [RowRole::Test, RowRole::Unlabelled, RowRole::Second]
                .into_iter()
                .flat_map(inputs)
                .collect(),
            tests: set.of(RowRole::Test).map(|i| targets[i] - shift).collect(),
            held_out_targets: held_out.rows().iter().map(|row| targets[*row] - shift).collect(),
            held_out,
            scale: TargetScale { shift, scale: set.scaling.as_ref().and_then(|scaling| scaling.target) },
        }
    }

    /// Returns the training rows without those in `held_out` (ascending), and these as test rows, on at most `effect_rows` of which the
    /// effects of the columns are measured.
    #[must_use]
    pub fn hold_out(&self, held_out: &[usize], effect_rows: usize) -> Self {
        let learnt: Vec<usize> =
            (0..self.train.len()).filter(|row| held_out.binary_search(row).is_err()).collect();
        self.part(&learnt, held_out, effect_rows)
    }

    /// Returns the training rows `learnt`, and `held_out` ones as test rows, on at most `effect_rows` of which the effects of the columns
    /// are measured.
    #[must_use]
    pub fn part(&self, learnt: &[usize], held_out: &[usize], effect_rows: usize) -> Self {
        let mean = learnt.iter().map(|row| self.targets[*row]).sum::<f64>() / learnt.len().max(1) as f64;
        let inputs = |rows: &[usize]| rows.iter().map(|row| self.train[*row].clone()).collect();
        let targets = |rows: &[usize]| rows.iter().map(|row| self.targets[*row] - mean).collect();
        let measured = thinned(held_out, effect_rows);
        let measured_inputs: Vec<&[f64]> = measured.iter().map(|row| self.train[*row].as_slice()).collect();
        Self {
            train: Rc::new(inputs(learnt)),
            targets: targets(learnt),
            groups: learnt.iter().map(|row| self.groups[*row]).collect(),
            queries: inputs(held_out),
            tests: targets(held_out),
            held_out: self.held_out.of_rows(&measured_inputs),
            held_out_targets: targets(&measured),
            scale: TargetScale { shift: self.scale.shift + mean, scale: self.scale.scale },
        }
    }

    /// Returns the scores of predictive means and standard deviations of the test rows, which come first in `predicted`.
    pub fn scores(&self, predicted: &[(f64, f64)]) -> Option<TestScores> {
        TestScores::of(&self.tests, predicted, |sd| self.scale.in_units(0.0, sd).1)
    }

    /// Returns the squared errors of predictive `means` of the rows on which the effects of the columns are measured.
    pub fn held_out_errors(&self, means: &[f64]) -> Vec<f64> {
        let pairs = means.iter().zip(&self.held_out_targets);
        pairs.map(|(mean, target)| (target - mean) * (target - mean)).collect()
    }
}

/// Returns at most `most` of the rows, evenly spaced.
pub(super) fn thinned(rows: &[usize], most: usize) -> Vec<usize> {
    let used = rows.len().min(most);
    (0..used).map(|i| rows[i * rows.len() / used]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_out_rows_are_shifted_like_the_rows_that_are_learnt() {
        let rows = NumericRows {
            train: Rc::new((0..4).map(|i| vec![f64::from(i)]).collect()),
            targets: vec![-3.0, -1.0, 1.0, 3.0],
            groups: vec![0, 1, 2, 3],
            scale: TargetScale { shift: 10.0, scale: None },
            ..NumericRows::default()
        };
        let fold = rows.hold_out(&[0, 3], 1);
        assert_eq!((&fold.train[..], fold.targets), (&[vec![1.0], vec![2.0]][..], vec![-1.0, 1.0]));
        assert_eq!((fold.queries, fold.tests), (vec![vec![0.0], vec![3.0]], vec![-3.0, 3.0]));
        let fold = rows.hold_out(&[3], 1);
        assert_eq!((&fold.targets[..], &fold.tests[..]), (&[-2.0, 0.0, 2.0][..], &[4.0][..]));
        assert_eq!(fold.scale.in_units(fold.tests[0], 2.0), (13.0, 2.0), "the target in the table");
        assert_eq!((fold.held_out_targets, fold.groups), (vec![4.0], vec![0, 1, 2]));
        assert_eq!(thinned(&[5, 6, 7, 8], 2), [5, 7]);
    }
}
