//! Missing inputs: policies, and helpers that remove or fill rows.

use super::inputs::CodedInput;

/// Treatment of rows with a missing input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingPolicy {
    /// The table is refused.
    #[default]
    Refuse,
    /// The rows are skipped.
    Skip,
    /// The mean over the training rows replaces the input; for an indicator, the share of its word.
    Impute,
}

/// Returns true for each row without missing inputs.
pub(super) fn complete_rows(inputs: &[f64], width: usize) -> Vec<bool> {
    inputs.chunks_exact(width).map(|row| row.iter().all(|x| !x.is_nan())).collect()
}

/// Retains the marked rows of `width` inputs.
pub(super) fn retain_rows(inputs: &mut Vec<f64>, width: usize, kept: &[bool]) {
    let cells: Vec<bool> = kept.iter().flat_map(|kept| std::iter::repeat_n(*kept, width)).collect();
    retain(inputs, &cells);
}

/// Retains the marked values.
pub(super) fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| *kept.next().unwrap_or(&false));
}

/// Replaces missing inputs with the means, one per input. Returns the number of cells of the table that were missing.
pub(super) fn fill(inputs: &mut [f64], means: &[f64], coding: &[CodedInput]) -> usize {
    let mut cells = 0;
    for row in inputs.chunks_exact_mut(means.len()) {
        let mut last = None;
        for ((x, mean), input) in row.iter_mut().zip(means).zip(coding) {
            if x.is_nan() {
                // All indicators of a column belong to one cell.
                cells += usize::from(last != Some(&input.column));
                last = Some(&input.column);
                *x = *mean;
            }
        }
    }
    cells
}
