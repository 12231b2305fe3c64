//! Inputs of held-out rows, whose columns can be changed.

use std::ops::Range;

use crate::data::{ColumnScale, Dataset};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::order;

/// Maximum number of held-out rows that are used.
const MAX_ROWS: usize = 1000;

/// Inputs of held-out rows, with the columns of the table that they are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOutInputs {
    /// Inputs, rows×width, row by row.
    pub(super) inputs: Vec<f64>,
    pub(super) width: usize,
    /// Indices of the rows in the data set.
    pub(super) rows: Vec<usize>,
    pub(super) columns: Vec<InputColumn>,
}

/// A column of the table and its inputs; the indicators of a column of words are permuted together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InputColumn {
    pub name: String,
    pub inputs: Range<usize>,
    /// True for a column of numbers, which is one input.
    pub is_number: bool,
    /// Scale of the first input, if the table is standardised.
    pub scale: Option<ColumnScale>,
}

impl HeldOutInputs {
    /// Returns the inputs of the rows `held_out` of `set`; if there are more than 1000, of 1000 evenly spaced ones.
    pub fn of(set: &Dataset, held_out: &[usize]) -> Self {
        let used = held_out.len().min(MAX_ROWS);
        let rows: Vec<usize> = (0..used).map(|i| held_out[i * held_out.len() / used]).collect();
        let mut columns: Vec<InputColumn> = Vec::new();
        for (i, input) in set.coding.iter().enumerate() {
            match columns.last_mut().filter(|column| column.name == input.column) {
                Some(column) => column.inputs.end = i + 1,
                None => columns.push(InputColumn {
                    name: input.column.clone(),
                    inputs: i..i + 1,
                    is_number: input.word.is_none(),
                    scale: set.scaling.as_ref().map(|scaling| scaling.inputs[i]),
                }),
            }
        }
        let inputs = rows.iter().flat_map(|row| set.row(*row)).copied().collect();
        Self { inputs, width: set.width(), rows, columns }
    }

    /// Returns other rows of the same table, with their inputs; their indices are 0, 1, ….
    #[must_use]
    pub fn of_rows(&self, inputs: &[&[f64]]) -> Self {
        Self { inputs: inputs.concat(), rows: (0..inputs.len()).collect(), ..self.clone() }
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Returns the indices of the rows in the data set.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Returns the inputs with those in `range` permuted among the rows.
    pub(super) fn permuted(&self, range: &Range<usize>, seed: u64, unit: u64) -> Vec<f64> {
        let mut stream = Stream::for_purpose(seed, Purpose::TableColumnEffects, unit);
        let keys: Vec<f64> = self.rows.iter().map(|_| stream.uniform()).collect();
        let mut permuted = self.inputs.clone();
        for (to, from) in order(&keys).into_iter().enumerate() {
            let from = &self.inputs[from * self.width..][range.clone()];
            permuted[to * self.width..][range.clone()].copy_from_slice(from);
        }
        permuted
    }
}
