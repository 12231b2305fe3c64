//! The rows of the user's table.

use super::TableSpec;
use crate::data::{DataRequirements, Dataset, RowRole, Store, TargetKind};
use crate::lab::InputError;

/// Largest number of cells of the training rows.
const MAX_CELLS: usize = 20_000_000;
/// Number of times that each cell is held.
const COPIES: u64 = 3;

/// Returns the bytes that a worker needs for this many cells.
pub fn memory(cells: usize) -> u64 {
    COPIES * 8 * cells.min(MAX_CELLS) as u64
}

/// Returns the requirements on a table of this many columns.
pub(super) fn needs(columns: usize) -> DataRequirements {
    let most = MAX_CELLS / columns.max(1);
    DataRequirements {
        target: TargetKind::TwoClasses,
        training: Some((most, "memory grows with rows times columns")),
    }
}

/// Reads the rows of the table that `spec` names, and scales them onto the sphere if it says so.
///
/// # Errors
/// A field that does not fit the table.
pub fn read_rows(spec: &TableSpec, data: &Store) -> Result<Dataset, InputError> {
    let columns = spec.data.as_ref().and_then(|data_set| data.table(data_set)).map_or(1, |t| t.names.len());
    let mut rows = spec.table.choices(&spec.positive, spec.seed)?.prepare(&needs(columns), data)?;
    let (width, hidden) = (rows.width(), spec.hidden);
    if !width.is_multiple_of(hidden) {
        let divisors = (1..=width).filter(|k| width.is_multiple_of(*k));
        let nearest = divisors.min_by_key(|k| k.abs_diff(hidden)).unwrap_or(1);
        let expected = format!("a number that divides the {width} input columns into equal branches");
        return Err(TableSpec::FIELDS.hidden.error(hidden).expected(expected).nearest(nearest));
    }
    spec.check_variances(width / hidden, rows.of(RowRole::Train).count())?;
    if spec.normalise {
        rows.inputs.chunks_exact_mut(width / hidden).for_each(scale_onto_sphere);
    }
    Ok(rows)
}

/// Scales the n inputs of a branch to |s|² = n; leaves a branch of zeros as it is.
pub(super) fn scale_onto_sphere(branch: &mut [f64]) {
    let square: f64 = branch.iter().map(|x| x * x).sum();
    if square > 0.0 {
        let scale = (branch.len() as f64 / square).sqrt();
        for x in branch {
            *x *= scale;
        }
    }
}
