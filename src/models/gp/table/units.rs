//! What each unit of a run is for.

use super::OwnSpec;

/// What a unit is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// A start of the fit.
    Search(usize),
    /// The classifier.
    Main,
    /// The classifier with another σ².
    Scan(f64),
    /// What it is compared with.
    Baseline,
    /// A fold of cross-validation.
    Fold(usize),
    /// A row of the file.
    LeaveOut(usize),
    /// One of several classes against the others.
    Class(usize),
}

impl Unit {
    /// The unit of that number, as `OwnData::plan` orders them: without a fit the classifier comes first, with one after the scan.
    pub fn numbered(unit: usize, spec: &OwnSpec) -> Self {
        let (starts, grid) = (spec.starts(), &spec.sigma2_grid);
        let (scan, main) = if starts == 0 { (1, 0) } else { (starts, starts + grid.len() + 1) };
        let after = starts + grid.len() + 2;
        if unit == main {
            return Self::Main;
        }
        match unit {
            unit if unit < scan => Self::Search(unit),
            unit if unit < scan + grid.len() => Self::Scan(grid[unit - scan]),
            unit if unit == scan + grid.len() => Self::Baseline,
            unit if unit < after + spec.folds => Self::Fold(unit - after),
            unit => Self::LeaveOut(unit - after - spec.folds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit::{Baseline, Fold, LeaveOut, Main, Scan, Search};
    use super::*;
    use crate::lab::{Checked, Raw};

    #[test]
    fn every_unit_is_there_once() {
        let units = |pairs: &[(&str, &str)]| -> Vec<Unit> {
            let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
            let spec = Checked::<OwnSpec>::new(&raw).unwrap();
            (0..8).map(|unit| Unit::numbered(unit, &spec)).collect()
        };
        let plain = units(&[("sigma2_grid", "1,2"), ("folds", "2")]);
        assert_eq!(plain[..7], [Main, Scan(1.0), Scan(2.0), Baseline, Fold(0), Fold(1), LeaveOut(0)]);
        let fitted = units(&[("sigma2_grid", "1"), ("fit", "evidence")]);
        let searches = fitted.iter().take_while(|unit| matches!(unit, Search(_))).count();
        assert_eq!(fitted[searches..searches + 4], [Scan(1.0), Baseline, Main, LeaveOut(0)]);
    }
}
