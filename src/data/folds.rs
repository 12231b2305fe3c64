//! Folds of cross-validation.

use super::groups::numbered;
use crate::math::random::{Purpose, Stream};
use crate::math::stats::order;

/// Returns the fold in which each row is held out, given the labels (±1, or class numbers) and the group of each row. Rows of a group
/// are held out together. The class of a group is that of its first row. The groups of each class are dealt to the folds at random, so that
/// folds differ by at most one group of a class.
pub fn stratified(labels: &[f64], groups: &[usize], folds: usize, seed: u64) -> Vec<usize> {
    let (firsts, group) = numbered(groups);
    let labels: Vec<f64> = firsts.iter().map(|row| labels[*row]).collect();
    let mut stream = Stream::for_purpose(seed, Purpose::TableFolds, 0);
    // Keys in [0, 1) for the first class, in [1, 2) for the second, and so on.
    let keys: Vec<f64> = labels.iter().map(|label| stream.uniform() + label.max(0.0)).collect();
    let mut fold = vec![0; labels.len()];
    for (position, row) in order(&keys).into_iter().enumerate() {
        fold[row] = position % folds.max(1);
    }
    group.into_iter().map(|group| fold[group]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fold_has_its_share_of_each_class() {
        let labels: Vec<f64> = (0..103).map(|i| if i % 4 == 0 { 1.0 } else { -1.0 }).collect();
        let groups: Vec<usize> = (0..103).collect();
        let fold = stratified(&labels, &groups, 10, 1);
        for class in [1.0, -1.0] {
            let count = |k| (0..103).filter(|i| labels[*i] == class && fold[*i] == k).count();
            let counts: Vec<usize> = (0..10).map(count).collect();
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(most - least <= 1, "{counts:?}");
        }
        assert_eq!(fold, stratified(&labels, &groups, 10, 1));
        assert_ne!(fold, stratified(&labels, &groups, 10, 2));
        let all = |k| (0..103).filter(|i| fold[*i] == k).count();
        assert!((0..10).all(|k| (10..=11).contains(&all(k))));
    }

    #[test]
    fn rows_of_a_group_are_held_out_together() {
        let labels: Vec<f64> = (0..60).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let groups: Vec<usize> = (0..60).map(|i| i / 3).collect();
        let fold = stratified(&labels, &groups, 5, 1);
        assert!(fold.chunks(3).all(|rows| rows.iter().all(|fold| *fold == rows[0])), "{fold:?}");
        assert!((0..5).all(|k| fold.iter().filter(|fold| **fold == k).count() == 12));
    }
}
