//! Folds of cross-validation.

use std::collections::BTreeMap;

use crate::math::random::{Purpose, Stream};
use crate::math::stats::order;

/// Returns the fold in which each row is held out, given the inputs and the label ±1 of each row. The rows of each class are assigned
/// to the folds in turn, in random order, so that folds differ by at most one row of a class. Rows with the same inputs count as one
/// row, the first of them: a copy of a held-out row must not be learnt from.
pub fn stratified<'a>(
    rows: impl IntoIterator<Item = (&'a [f64], f64)>,
    folds: usize,
    seed: u64,
) -> Vec<usize> {
    let mut stream = Stream::for_purpose(seed, Purpose::TableFolds, 0);
    let mut known = BTreeMap::new();
    // Keys in [0, 1) for the negative class and in [1, 2) for the positive class.
    let (first, keys): (Vec<usize>, Vec<f64>) = rows
        .into_iter()
        .enumerate()
        .map(|(row, (inputs, label))| {
            let bits: Vec<u64> = inputs.iter().map(|x| x.to_bits()).collect();
            (*known.entry(bits).or_insert(row), stream.uniform() + f64::from(u8::from(label > 0.0)))
        })
        .unzip();
    let mut fold = vec![0; keys.len()];
    let originals = order(&keys).into_iter().filter(|row| first[*row] == *row);
    for (position, row) in originals.enumerate() {
        fold[row] = position % folds.max(1);
    }
    first.into_iter().map(|row| fold[row]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_each_class() {
        let labels: Vec<f64> = (0..103).map(|i| if i % 4 == 0 { 1.0 } else { -1.0 }).collect();
        let inputs: Vec<[f64; 1]> = (0..103).map(|i| [f64::from(i)]).collect();
        let folds = |seed| stratified(inputs.iter().map(<[f64; 1]>::as_slice).zip(labels.clone()), 10, seed);
        let fold = folds(1);
        for class in [1.0, -1.0] {
            let count = |k| (0..103).filter(|i| labels[*i] == class && fold[*i] == k).count();
            let counts: Vec<usize> = (0..10).map(count).collect();
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(most - least <= 1, "{counts:?}");
        }
        assert_eq!(fold, folds(1));
        assert_ne!(fold, folds(2));
        let all = |k| (0..103).filter(|i| fold[*i] == k).count();
        assert!((0..10).all(|k| (10..=11).contains(&all(k))));
    }

    #[test]
    fn copies_of_a_row_are_held_out_together() {
        let inputs: Vec<[f64; 2]> = (0..60).map(|i| [f64::from(i % 20), 0.5]).collect();
        let rows =
            inputs.iter().enumerate().map(|(i, x)| (x.as_slice(), if i % 3 == 0 { 1.0 } else { -1.0 }));
        let fold = stratified(rows, 5, 3);
        for i in 0..20 {
            assert!(fold[i] == fold[i + 20] && fold[i] == fold[i + 40], "row {i}: {fold:?}");
        }
        let sizes: Vec<usize> = (0..5).map(|k| fold.iter().filter(|fold| **fold == k).count()).collect();
        assert_eq!(sizes, [12; 5]);
    }
}
