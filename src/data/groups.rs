//! Groups of rows that stay together in random draws and folds.

use std::collections::BTreeMap;

/// Number of rows per different row above which repetitions are not copies: the columns have few values.
const USUAL: usize = 4;

/// Returns the group of each row, the index of its first row. Rows with equal `keys` belong together, and copies: rows with equal inputs
/// (m×width, row by row), unless repetitions are usual in the table.
pub(crate) fn of_rows(keys: Option<&[String]>, inputs: &[f64], width: usize) -> Vec<usize> {
    let rows = inputs.len() / width.max(1);
    let mut group: Vec<usize> = (0..rows).collect();
    let mut first_of_inputs = BTreeMap::new();
    for (row, inputs) in inputs.chunks_exact(width.max(1)).enumerate() {
        // Zero has two signs.
        let bits: Vec<u64> = inputs.iter().map(|x| (x + 0.0).to_bits()).collect();
        let first = *first_of_inputs.entry(bits).or_insert(row);
        group[row] = first;
    }
    if USUAL * first_of_inputs.len() < rows {
        group = (0..rows).collect();
    }
    let mut first_of_key = BTreeMap::new();
    // Rows without a key are not a group.
    for (row, key) in keys.into_iter().flatten().enumerate().filter(|(_, key)| !key.is_empty()) {
        let (first, own) = (root(&group, *first_of_key.entry(key).or_insert(row)), root(&group, row));
        group[first.max(own)] = first.min(own);
    }
    (0..rows).map(|row| root(&group, row)).collect()
}

/// Follows the links from a row to the first row of its group.
fn root(links: &[usize], mut row: usize) -> usize {
    while links[row] != row {
        row = links[row];
    }
    row
}

/// Returns the first row of each group in the order of the rows, and for each row the position of its group among them.
pub fn numbered(groups: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut position = BTreeMap::new();
    let mut firsts = Vec::new();
    let positions = groups.iter().enumerate().map(|(row, group)| {
        *position.entry(*group).or_insert_with(|| {
            firsts.push(row);
            firsts.len() - 1
        })
    });
    let positions = positions.collect();
    (firsts, positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_key_and_copies_are_together() {
        let keys = ["a", "b", "a", "c", "d", "e"].map(str::to_owned);
        let inputs = [1.0, 2.0, 3.0, 4.0, 2.0, -0.0];
        assert_eq!(of_rows(None, &inputs, 1), [0, 1, 2, 3, 1, 5]);
        assert_eq!(of_rows(Some(&keys), &inputs, 1), [0, 1, 0, 3, 1, 5]);
        // Row 2 has the key of row 0 and is a copy of row 1.
        assert_eq!(of_rows(Some(&keys), &[1.0, 2.0, 2.0, 4.0, 0.0, -0.0], 1), [0, 0, 0, 3, 4, 4]);
        assert_eq!(of_rows(Some(&[""; 3].map(str::to_owned)), &[1.0, 2.0, 3.0], 1), [0, 1, 2]);
        assert_eq!(of_rows(None, &[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 1).len(), 9);
        assert_eq!(of_rows(None, &[0.0; 9], 1), (0..9).collect::<Vec<_>>(), "repetitions are usual");
        assert_eq!(numbered(&[5, 1, 5, 7]), (vec![0, 1, 3], vec![0, 1, 0, 2]));
    }
}
