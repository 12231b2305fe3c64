//! Tests of the count of solutions.

use super::*;
use crate::data::Store;
use crate::lab::{Checked, Raw, complete};

fn summaries(pairs: &[(&str, &str)]) -> Vec<AlphaSummary> {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    let spec = Checked::new(&raw).unwrap();
    complete::<SolutionCount>(&spec, &Store::default()).unwrap().summaries(&spec)
}

/// The Nishimori identity guarantees replica symmetry for a matched learner.
#[test]
fn a_matched_learner_has_one_stable_solution() {
    let rows = summaries(&[("teacher", "matched"), ("alphas", "6,1"), ("sets", "2"), ("starts", "4")]);
    assert_eq!(rows.iter().map(|row| row.alpha).collect::<Vec<_>>(), [1.0, 6.0]);
    for row in rows {
        assert_eq!((row.different.mean, row.solved.mean), (1.0, 1.0));
        assert!(row.smallest.mean > 0.0 && row.margin.mean > 0.0, "{row:?}");
    }
}

/// Random labels beyond the line of de Almeida and Thouless.
#[test]
fn random_labels_lose_stability_where_the_theory_says() {
    let rows = summaries(&[("alphas", "1,8"), ("sets", "3"), ("starts", "6"), ("inputs", "40")]);
    let [below, beyond] = &rows[..] else { panic!("two sizes") };
    assert_eq!((below.different.mean, below.solved.mean), (1.0, 1.0));
    assert!(below.smallest.mean > 0.1 && (below.margin.mean - below.theory.unwrap().margin).abs() < 0.15);
    assert!(beyond.theory.unwrap().margin < -0.5);
    assert!(beyond.solved.mean < 0.3, "{beyond:?}");
}
