//! Folds of cross-validation.

use crate::math::random::{Purpose, Stream};
use crate::math::stats::order;

/// Returns the fold in which each row is held out, given the labels ±1. The rows of each class are assigned to the folds in turn,
/// in random order, so that folds differ by at most one row of a class.
pub fn stratified(labels: &[f64], folds: usize, seed: u64) -> Vec<usize> {
    let mut stream = Stream::for_purpose(seed, Purpose::TableFolds, 0);
    // Keys in [0, 1) for the negative class and in [1, 2) for the positive class.
    let keys: Vec<f64> =
        labels.iter().map(|label| stream.uniform() + f64::from(u8::from(*label > 0.0))).collect();
    let mut fold = vec![0; labels.len()];
    for (position, row) in order(&keys).into_iter().enumerate() {
        fold[row] = position % folds.max(1);
    }
    fold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_each_class() {
        let labels: Vec<f64> = (0..103).map(|i| if i % 4 == 0 { 1.0 } else { -1.0 }).collect();
        let fold = stratified(&labels, 10, 1);
        for class in [1.0, -1.0] {
            let count = |k| (0..103).filter(|i| labels[*i] == class && fold[*i] == k).count();
            let counts: Vec<usize> = (0..10).map(count).collect();
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(most - least <= 1, "{counts:?}");
        }
        assert_eq!(fold, stratified(&labels, 10, 1));
        assert_ne!(fold, stratified(&labels, 10, 2));
        let all = |k| (0..103).filter(|i| fold[*i] == k).count();
        assert!((0..10).all(|k| (10..=11).contains(&all(k))));
    }
}
