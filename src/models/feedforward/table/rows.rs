//! The rows of the table that is named, as the student gets to see them.

use super::OwnSpec;
use crate::data::{DataRequirements, Dataset, RowRole, Store, TargetKind};
use crate::lab::InputError;

/// Numbers of the training rows at most: they are held three times.
const MOST_CELLS: usize = 20_000_000;

/// Bytes that a worker needs for so many numbers.
pub fn memory(cells: usize) -> u64 {
    3 * 8 * cells.min(MOST_CELLS) as u64
}

/// What a student can learn from a table of so many columns.
pub(super) fn needs(columns: usize) -> DataRequirements {
    let most = MOST_CELLS / columns.max(1);
    DataRequirements {
        target: TargetKind::TwoClasses,
        training: Some((most, "memory grows with rows times columns")),
    }
}

/// The rows of the table that is named, as the student gets to see them.
pub fn rows(spec: &OwnSpec, data: &Store) -> Result<Dataset, InputError> {
    let columns = spec.data.as_ref().and_then(|data_set| data.table(data_set)).map_or(1, |t| t.names.len());
    let mut rows = spec.table.choices(&spec.positive, spec.seed).prepare(&needs(columns), data)?;
    let (width, hidden) = (rows.width(), spec.hidden);
    if !width.is_multiple_of(hidden) {
        let divisors = (1..=width).filter(|k| width.is_multiple_of(*k));
        let nearest = divisors.min_by_key(|k| k.abs_diff(hidden)).unwrap_or(1);
        let expected = format!("a number that divides the {width} input columns into equal branches");
        return Err(OwnSpec::FIELDS.hidden.error(hidden).expected(expected).nearest(nearest));
    }
    spec.check_variances(width / hidden, rows.of(RowRole::Train).count())?;
    if spec.normalise {
        rows.inputs.chunks_exact_mut(width / hidden).for_each(onto_sphere);
    }
    Ok(rows)
}

/// |s|² = n; a branch of zeros has no direction to keep.
fn onto_sphere(branch: &mut [f64]) {
    let square: f64 = branch.iter().map(|x| x * x).sum();
    if square > 0.0 {
        let scale = (branch.len() as f64 / square).sqrt();
        for x in branch {
            *x *= scale;
        }
    }
}
