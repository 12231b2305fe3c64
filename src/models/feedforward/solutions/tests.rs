//! Tests of the count of solutions.

use super::*;
use crate::data::Store;
use crate::lab::{Checked, Raw, TypedTask, complete};

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

/// Regression: numbers of solutions and of starts shared an axis.
#[test]
fn each_quantity_has_a_panel_over_the_same_axis_and_the_headline_is_plain() {
    let raw = |pairs: &[(&str, &str)]| -> Raw {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    };
    let first = |pairs: &[(&str, &str)]| {
        let spec = Checked::new(&raw(pairs)).unwrap();
        let snapshot = complete::<SolutionCount>(&spec, &Store::default()).unwrap();
        SolutionCount::figures(&spec, &snapshot)
    };
    let matched =
        first(&[("teacher", "matched"), ("alphas", "1,2"), ("sets", "2"), ("starts", "2"), ("inputs", "20")]);
    assert_eq!(matched[0].finding, "With up to 2 examples per weight every start finds the same solution.");
    for figure in &matched[..2] {
        let panels = figure.all_panels();
        assert!(panels.len() == 2 && panels[0].x == panels[1].x && panels[0].y != panels[1].y);
        assert!(panels.iter().all(|panel| !panel.title.is_empty()));
        let measured = |index| figure.curves().any(move |c| c.info.panel == index && c.marker.is_some());
        assert!(measured(0) && measured(1));
    }
    let random = first(&[("alphas", "1,12"), ("sets", "2"), ("starts", "2"), ("inputs", "20")]).remove(0);
    assert_eq!(
        random.finding,
        "With up to 1 example per weight every start finds the same solution; beyond 4.0, where theory predicts instability, 25 % of the starts find a solution."
    );
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
