//! Inputs, and a numeric target, in units of their own spread over the training rows; and back.

use super::ColumnError;
use super::dataset::{Dataset, RowRole, Target};

/// How columns were brought to zero mean and unit variance.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// One an input.
    pub inputs: Vec<ColumnScale>,
    /// Of a numeric target.
    pub target: Option<ColumnScale>,
}

/// From a number to standard units: ((x/unit − mean)/spread)·factor. Neither a sum nor a square leaves the range of numbers on
/// the way, for unit and spread are powers of two that bring the largest number to between 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnScale {
    unit: f64,
    mean: f64,
    spread: f64,
    factor: f64,
}

impl ColumnScale {
    /// Of some numbers; `None` if they are all the same.
    pub fn of(mut chosen: Vec<f64>) -> Option<Self> {
        if chosen.iter().all(|x| *x == chosen[0]) {
            return None;
        }
        let mean_of = |numbers: &[f64], f: fn(f64) -> f64| {
            numbers.iter().map(|x| f(*x)).sum::<f64>() / numbers.len() as f64
        };
        let unit = power_of_two(&chosen);
        for x in &mut chosen {
            *x /= unit;
        }
        let mean = mean_of(&chosen, |x| x);
        for x in &mut chosen {
            *x -= mean;
        }
        let spread = power_of_two(&chosen);
        for x in &mut chosen {
            *x /= spread;
        }
        let factor = 1.0 / mean_of(&chosen, |x| x * x).sqrt();
        Some(Self { unit, mean, spread, factor })
    }

    /// In standard units.
    pub fn standardise(&self, x: f64) -> f64 {
        (x / self.unit - self.mean) / self.spread * self.factor
    }

    /// Back from standard units.
    pub fn invert(&self, z: f64) -> f64 {
        (z / self.factor * self.spread + self.mean) * self.unit
    }

    /// A deviation, back from standard units.
    pub fn invert_deviation(&self, sd: f64) -> f64 {
        sd / self.factor * self.spread * self.unit
    }
}

/// The power of two that brings the largest of the numbers to between 1 and 2.
fn power_of_two(numbers: &[f64]) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let largest = numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    f64::from_bits(largest.to_bits() & EXPONENT)
}

impl Scaling {
    /// Brings rows of inputs to standard units.
    pub fn standardise_rows(&self, inputs: &mut [f64]) {
        for row in inputs.chunks_exact_mut(self.inputs.len()) {
            row.iter_mut().zip(&self.inputs).for_each(|(x, scale)| *x = scale.standardise(*x));
        }
    }
}

impl Dataset {
    /// Brings every input, and a numeric target, to zero mean and unit variance over the training rows; the other rows are
    /// moved and scaled alike. Inputs that are the same in every training row are left out.
    ///
    /// # Errors
    /// If no input is left, or a column has numbers too different in size for that.
    pub fn standardise(&mut self) -> Result<(), ColumnError> {
        self.leave_out_constants()?;
        let train: Vec<usize> = self.of(RowRole::Train).collect();
        let mut inputs = Vec::with_capacity(self.width());
        for j in 0..self.width() {
            let scale = ColumnScale::of(train.iter().map(|i| self.row(*i)[j]).collect());
            let whole = |scale: &ColumnScale| {
                self.inputs.iter().skip(j).step_by(self.width()).all(|x| scale.standardise(*x).is_finite())
            };
            inputs.push(scale.filter(whole).ok_or_else(|| disproportionate(&self.names[j]))?);
        }
        let target = match &mut self.target {
            Target::Numbers(numbers) => {
                let scale = ColumnScale::of(train.iter().map(|i| numbers[*i]).collect());
                let whole = |scale: &ColumnScale| {
                    numbers.iter().all(|x| x.is_nan() || scale.standardise(*x).is_finite())
                };
                let scale = scale.filter(whole).ok_or_else(|| disproportionate(&self.label))?;
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
}

fn disproportionate(name: &str) -> ColumnError {
    ColumnError {
        field: "data",
        given: name.to_owned(),
        accepted: format!(
            "the numbers of column “{name}” are all the same, too different in size, or too small, to be standardised; ignore \
             this column or mend it"
        ),
        nearest: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::super::dataset::{ColumnChoices, TargetKind};
    use super::*;

    fn read(text: &str, wanted: TargetKind) -> Dataset {
        Table::read(text.as_bytes()).unwrap().dataset(ColumnChoices::default(), wanted).unwrap()
    }

    fn standardised(text: &str) -> Vec<f64> {
        let mut set = read(text, TargetKind::TwoClasses);
        set.standardise().unwrap();
        set.inputs
    }

    #[test]
    fn standardised_inputs_have_no_mean_and_unit_variance_and_constants_are_left_out() {
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
    fn rows_that_are_not_learnt_from_are_measured_by_those_that_are() {
        assert_eq!(standardised("a,part,y\n1,train,0\n3,train,1\n7,test,1\n"), [-1.0, 1.0, 5.0]);
    }

    #[test]
    fn a_numeric_target_comes_back() {
        let mut set = read("a,part,y\n1,train,10\n3,train,30\n7,test,75\n8,train,\n", TargetKind::Numbers);
        set.standardise().unwrap();
        let Target::Numbers(numbers) = &set.target else { panic!("{:?}", set.target) };
        assert_eq!(numbers[..3], [-1.0, 1.0, 5.5]);
        let scale = set.scaling.as_ref().unwrap().target.unwrap();
        assert_eq!((scale.invert(5.5), scale.invert_deviation(0.5)), (75.0, 5.0));
        for (i, x) in [1.0, 3.0, 7.0, 8.0].into_iter().enumerate() {
            assert!((set.scaling.as_ref().unwrap().inputs[0].invert(set.row(i)[0]) - x).abs() < 1e-12);
        }
        assert_eq!(set.parts, [RowRole::Train, RowRole::Train, RowRole::Test, RowRole::Unlabelled]);
    }

    #[test]
    fn the_unit_of_a_column_does_not_matter() {
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
    fn one_huge_cell_leaves_a_column_of_finite_numbers() {
        let third = -(1.0_f64 / 3.0).sqrt();
        let inputs = standardised("1e200,0\n2,1\n4,1\n3,0\n");
        for (x, expected) in inputs.iter().zip([3.0_f64.sqrt(), third, third, third]) {
            assert!((x - expected).abs() < 1e-12, "{inputs:?}");
        }
    }

    #[test]
    fn numbers_out_of_all_proportion_name_their_column() {
        let texts = [
            "a,b,part,y\n1,1e-300,train,0\n2,2e-300,train,1\n3,1e300,test,1\n",
            "a,b,part,y\n1,5e-324,train,0\n2,1e-323,train,1\n3,5e-324,test,1\n",
        ];
        for text in texts {
            let misfit = read(text, TargetKind::TwoClasses).standardise().unwrap_err();
            assert_eq!((misfit.field, misfit.given.as_str(), misfit.nearest), ("data", "b", None));
            assert!(misfit.accepted.contains("column “b”"), "{}", misfit.accepted);
        }
    }
}
