//! Standardisation of a data set.

use super::{Dataset, RowRole, Target};
use crate::error::ColumnError;
use crate::scaling::{ColumnScale, Scaling};

impl Dataset {
    /// Standardises every input, and a numeric target, to zero mean and unit variance over the training rows. Other rows are scaled
    /// alike. Inputs that are constant over the training rows are removed.
    ///
    /// # Errors
    /// Returns an error of the field `data` if no input is left or the numbers of a column are too different in size.
    pub fn standardise(&mut self) -> Result<(), ColumnError> {
        self.remove_constants()?;
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let mut inputs = Vec::with_capacity(self.width());
        for j in 0..self.width() {
            let column = self.inputs.iter().skip(j).step_by(self.width());
            let is_finite = |scale: &ColumnScale| column.clone().all(|x| scale.standardise(*x).is_finite());
            let scale = ColumnScale::of(train.iter().map(|i| self.row(*i)[j]).collect()).filter(is_finite);
            inputs.push(scale.ok_or_else(|| disproportionate(&self.names[j]))?);
        }
        let target = match &mut self.target {
            Target::Numbers(numbers) => {
                let is_finite = |scale: &ColumnScale| {
                    numbers.iter().all(|x| x.is_nan() || scale.standardise(*x).is_finite())
                };
                let scale = ColumnScale::of(train.iter().map(|i| numbers[*i]).collect()).filter(is_finite);
                let scale = scale.ok_or_else(|| disproportionate(&self.label))?;
                for x in numbers.iter_mut() {
                    *x = scale.standardise(*x);
                }
                Some(scale)
            }
            Target::Classes { .. } | Target::None => None,
        };
        let scaling = Scaling { inputs, target };
        scaling.standardise_rows(&mut self.inputs);
        self.scaling = Some(scaling);
        Ok(())
    }

    /// Removes the inputs that are constant over the training rows: they have no scale and carry no information.
    ///
    /// # Errors
    /// Returns an error of the field `data` if no input is left.
    pub fn remove_constants(&mut self) -> Result<(), ColumnError> {
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let varies = |j: &usize| crate::scaling::varies(train.iter().map(|i| self.row(*i)[*j]));
        let (kept, constant): (Vec<usize>, Vec<usize>) = (0..self.width()).partition(varies);
        let constant: Vec<String> = constant.iter().map(|j| self.names[*j].clone()).collect();
        if kept.is_empty() {
            return Err(ColumnError {
                field: "data",
                given: constant.join(","),
                accepted: "an input column that varies over the training rows is needed".into(),
                nearest: None,
            });
        }
        if !constant.is_empty() {
            let width = self.width();
            self.inputs =
                self.inputs.chunks_exact(width).flat_map(|row| kept.iter().map(|j| row[*j])).collect();
            self.names = kept.iter().map(|j| self.names[*j].clone()).collect();
            self.coding = kept.iter().map(|j| self.coding[*j].clone()).collect();
            self.means = kept.iter().filter_map(|j| self.means.get(*j).copied()).collect();
            self.constant = constant;
        }
        Ok(())
    }
}

fn disproportionate(name: &str) -> ColumnError {
    ColumnError {
        field: "data",
        given: name.to_owned(),
        accepted: format!(
            "the numbers of column “{name}” are all the same, too different in size, or too small, to be standardised; ignore \
             this column or correct it"
        ),
        nearest: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnChoices, Table, TargetKind};

    fn read(text: &str, kind: TargetKind) -> Dataset {
        let table = Table::read(text.as_bytes()).unwrap();
        Dataset::from_table(&table, ColumnChoices::default(), kind).unwrap()
    }

    fn standardised(text: &str) -> Vec<f64> {
        let mut set = read(text, TargetKind::TwoClasses);
        set.standardise().unwrap();
        set.inputs
    }

    #[test]
    fn numbers_that_differ_by_rounding_are_constant() {
        let mut set = read("c,x,y\n0.3,1,0\n0.30000000000000004,2,1\n0.3,4,1\n", TargetKind::TwoClasses);
        set.standardise().unwrap();
        assert_eq!((set.names.join(","), set.constant.join(",")), ("x".into(), "c".into()));
    }

    #[test]
    fn standardised_inputs_have_zero_mean_and_unit_variance_without_constants() {
        let mut set = read("c,a,y\n0.1,1,0\n0.1,2,1\n0.1,4,1\n", TargetKind::TwoClasses);
        set.standardise().unwrap();
        assert_eq!(
            (set.names.as_slice(), set.constant.as_slice()),
            (&["a".to_owned()][..], &["c".to_owned()][..])
        );
        assert!(set.inputs.iter().sum::<f64>().abs() < 1e-15);
        assert!((set.inputs.iter().map(|x| x * x).sum::<f64>() - 3.0).abs() < 1e-14);
    }

    #[test]
    fn test_rows_are_scaled_by_the_training_rows() {
        assert_eq!(standardised("a,part,y\n1,train,0\n3,train,1\n7,test,1\n"), [-1.0, 1.0, 5.0]);
    }

    #[test]
    fn a_numeric_target_is_scaled_and_mapped_back() {
        let mut set = read("a,part,y\n1,train,10\n3,train,30\n7,test,75\n8,train,\n", TargetKind::Numbers);
        set.standardise().unwrap();
        let Target::Numbers(numbers) = &set.target else { panic!("{:?}", set.target) };
        assert_eq!(numbers[..3], [-1.0, 1.0, 5.5]);
        let scale = set.scaling.as_ref().unwrap().target.unwrap();
        assert_eq!((scale.invert(5.5), scale.invert_deviation(0.5)), (75.0, 5.0));
        for (i, x) in [1.0, 3.0, 7.0, 8.0].into_iter().enumerate() {
            assert!((set.scaling.as_ref().unwrap().inputs[0].invert(set.row(i)[0]) - x).abs() < 1e-12);
        }
        assert_eq!(set.roles, [RowRole::Train, RowRole::Train, RowRole::Test, RowRole::Unlabelled]);
    }

    #[test]
    fn standardised_inputs_do_not_depend_on_the_unit() {
        let plain = standardised("1,0\n2,1\n4,1\n");
        for unit in ["e-305", "e-170", "e156", "e200", "e307"] {
            let scaled = standardised(&format!("1{unit},0\n2{unit},1\n4{unit},1\n"));
            for (a, b) in scaled.iter().zip(&plain) {
                assert!((a - b).abs() < 1e-12, "{unit}: {scaled:?}");
            }
        }
        assert_eq!(standardised("-1.7e308,0\n1.7e308,1\n"), [-1.0, 1.0]);
    }

    #[test]
    fn a_column_with_one_huge_cell_stays_finite() {
        let third = -(1.0_f64 / 3.0).sqrt();
        let inputs = standardised("1e200,0\n2,1\n4,1\n3,0\n");
        for (x, expected) in inputs.iter().zip([3.0_f64.sqrt(), third, third, third]) {
            assert!((x - expected).abs() < 1e-12, "{inputs:?}");
        }
    }

    #[test]
    fn numbers_of_too_different_size_are_refused_with_their_column() {
        let texts = [
            "a,b,part,y\n1,1e-300,train,0\n2,2e-300,train,1\n3,1e300,test,1\n",
            "a,b,part,y\n1,5e-324,train,0\n2,1e-323,train,1\n3,5e-324,test,1\n",
        ];
        for text in texts {
            let error = read(text, TargetKind::TwoClasses).standardise().unwrap_err();
            assert_eq!((error.field, error.given.as_str(), error.nearest), ("data", "b", None));
            assert!(error.accepted.contains("column “b”"), "{}", error.accepted);
        }
    }
}
