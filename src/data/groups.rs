//! Groups of rows that are kept together in random splits and folds.

use std::collections::BTreeMap;

/// Mean number of rows per distinct row above which equal rows are not treated as duplicates: the columns have few values.
const MAX_MEAN_COPIES: usize = 4;

/// Returns the group of each row as the index of its first row. Rows with equal `keys` form a group; so do rows with equal inputs
/// (m×width, row by row), unless the table has many equal rows.
pub(crate) fn of_rows(keys: Option<&[String]>, inputs: &[f64], width: usize) -> Vec<usize> {
    let rows = inputs.len() / width.max(1);
    let mut group: Vec<usize> = (0..rows).collect();
    let mut first_of_inputs = BTreeMap::new();
    for (row, inputs) in inputs.chunks_exact(width.max(1)).enumerate() {
        // Adding 0 turns −0 into 0, which has other bits.
        let bits: Vec<u64> = inputs.iter().map(|x| (x + 0.0).to_bits()).collect();
        let first = *first_of_inputs.entry(bits).or_insert(row);
        group[row] = first;
    }
    if MAX_MEAN_COPIES * first_of_inputs.len() < rows {
        group = (0..rows).collect();
    }
    let mut first_of_key = BTreeMap::new();
    // Rows with an empty key do not form a group.
    for (row, key) in keys.into_iter().flatten().enumerate().filter(|(_, key)| !key.is_empty()) {
        let (first, this) = (root(&group, *first_of_key.entry(key).or_insert(row)), root(&group, row));
        group[first.max(this)] = first.min(this);
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

/// Returns the first row of each group, in ascending order, and for each row the index of its group in this list.
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
    fn rows_with_equal_keys_and_duplicates_are_grouped() {
        let keys = ["a", "b", "a", "c", "d", "e"].map(str::to_owned);
        let inputs = [1.0, 2.0, 3.0, 4.0, 2.0, -0.0];
        assert_eq!(of_rows(None, &inputs, 1), [0, 1, 2, 3, 1, 5]);
        assert_eq!(of_rows(Some(&keys), &inputs, 1), [0, 1, 0, 3, 1, 5]);
        // Row 2 has the key of row 0 and is a copy of row 1.
        assert_eq!(of_rows(Some(&keys), &[1.0, 2.0, 2.0, 4.0, 0.0, -0.0], 1), [0, 0, 0, 3, 4, 4]);
        assert_eq!(of_rows(Some(&[""; 3].map(str::to_owned)), &[1.0, 2.0, 3.0], 1), [0, 1, 2]);
        assert_eq!(of_rows(None, &[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 1).len(), 9);
        assert_eq!(of_rows(None, &[0.0; 9], 1), (0..9).collect::<Vec<_>>(), "many equal rows");
        assert_eq!(numbered(&[5, 1, 5, 7]), (vec![0, 1, 3], vec![0, 1, 0, 2]));
    }
}
