//! Inputs in units of their own spread.

use super::{Misfit, Supervised};

impl Supervised {
    /// Every input to zero mean and unit variance over all examples; one that never changes becomes 0.
    ///
    /// # Errors
    /// As [`Self::standardise_by`].
    pub fn standardise(&mut self) -> Result<(), Misfit> {
        self.standardise_by(|_| true)
    }

    /// Every input to zero mean and unit variance over the examples that `is_chosen`, by the index; the others are moved
    /// and scaled alike. An input that never changes among the chosen becomes 0.
    ///
    /// # Errors
    /// Which column has numbers too different in size for that.
    pub fn standardise_by(&mut self, is_chosen: impl Fn(usize) -> bool) -> Result<(), Misfit> {
        let width = self.width();
        let chosen: Vec<usize> = (0..self.labels.len()).filter(|i| is_chosen(*i)).collect();
        for j in 0..width {
            let mut column: Vec<f64> = self.inputs.iter().skip(j).step_by(width).copied().collect();
            if !standardise(&mut column, &chosen) {
                return Err(Misfit {
                    field: "data",
                    given: self.names[j].clone(),
                    accepted: format!(
                        "the numbers of column “{}” are too different in size, or too small, to be standardised; ignore this \
                         column or mend it",
                        self.names[j]
                    ),
                    nearest: None,
                });
            }
            self.inputs.iter_mut().skip(j).step_by(width).zip(column).for_each(|(x, new)| *x = new);
        }
        Ok(())
    }
}

/// Zero mean and unit variance over the `chosen`; zeros where these are all the same. Whether the result is finite.
fn standardise(column: &mut [f64], chosen: &[usize]) -> bool {
    if chosen.iter().all(|i| column[*i] == column[chosen[0]]) {
        column.fill(0.0);
        return true;
    }
    let mean = |column: &[f64], of: fn(f64) -> f64| {
        chosen.iter().map(|i| of(column[*i])).sum::<f64>() / chosen.len() as f64
    };
    // Neither a sum nor a square may leave the range of numbers.
    to_unit(column, chosen);
    let middle = mean(column, |x| x);
    for x in column.iter_mut() {
        *x -= middle;
    }
    to_unit(column, chosen);
    let scale = 1.0 / mean(column, |x| x * x).sqrt();
    for x in column.iter_mut() {
        *x *= scale;
    }
    column.iter().all(|x| x.is_finite())
}

/// Divides all by a power of two, which rounds nothing, so that the largest of the `chosen` lies between 1 and 2.
fn to_unit(column: &mut [f64], chosen: &[usize]) {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let largest = chosen.iter().fold(0.0_f64, |most, i| most.max(column[*i].abs()));
    let unit = f64::from_bits(largest.to_bits() & EXPONENT);
    for x in column.iter_mut() {
        *x /= unit;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Table;
    use super::*;

    fn read(text: &str) -> Supervised {
        Table::read(text.as_bytes()).unwrap().supervised("", "").unwrap()
    }

    #[test]
    fn standardised_inputs_have_no_mean_and_unit_variance() {
        let mut s = read("0.1,1,0\n0.1,2,1\n0.1,4,1\n");
        s.standardise().unwrap();
        let b: Vec<f64> = s.inputs.iter().skip(1).step_by(2).copied().collect();
        assert!(s.inputs.iter().step_by(2).all(|x| *x == 0.0));
        assert!(b.iter().sum::<f64>().abs() < 1e-15);
        assert!((b.iter().map(|x| x * x).sum::<f64>() - 3.0).abs() < 1e-14);
    }

    #[test]
    fn rows_that_are_not_chosen_are_measured_by_those_that_are() {
        let mut s = read("1,0\n3,1\n7,1\n");
        s.standardise_by(|i| i < 2).unwrap();
        assert_eq!(s.inputs, [-1.0, 1.0, 5.0]);
    }

    #[test]
    fn the_unit_of_a_column_does_not_matter() {
        let mut plain = read("1,0\n2,1\n4,1\n");
        plain.standardise().unwrap();
        for unit in ["e-305", "e-170", "e156", "e200", "e307"] {
            let mut s = read(&format!("1{unit},0\n2{unit},1\n4{unit},1\n"));
            s.standardise().unwrap();
            for (a, b) in s.inputs.iter().zip(&plain.inputs) {
                assert!((a - b).abs() < 1e-12, "{unit}: {:?}", s.inputs);
            }
        }
        let mut s = read("-1.7e308,0\n1.7e308,1\n");
        s.standardise().unwrap();
        assert_eq!(s.inputs, [-1.0, 1.0]);
    }

    #[test]
    fn one_huge_cell_leaves_a_column_of_finite_numbers() {
        let mut s = read("1e200,0\n2,1\n4,1\n3,0\n");
        s.standardise().unwrap();
        let third = -(1.0_f64 / 3.0).sqrt();
        for (x, expected) in s.inputs.iter().zip([3.0_f64.sqrt(), third, third, third]) {
            assert!((x - expected).abs() < 1e-12, "{:?}", s.inputs);
        }
    }

    #[test]
    fn numbers_out_of_all_proportion_name_their_column() {
        for text in
            ["a,b,y\n1,1e-300,0\n2,2e-300,1\n3,1e300,1\n", "a,b,y\n1,5e-324,0\n2,1e-323,1\n3,5e-324,1\n"]
        {
            let misfit = read(text).standardise_by(|i| i < 2).unwrap_err();
            assert_eq!((misfit.field, misfit.given.as_str(), misfit.nearest), ("data", "b", None));
            assert!(misfit.accepted.contains("column “b”"), "{}", misfit.accepted);
        }
    }
}
