//! Tests of the count of solutions.

use super::*;
use crate::data::Store;
use crate::figure::Mark;
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

fn finished(pairs: &[(&str, &str)]) -> (Checked<SolutionsSpec>, SolutionsSnapshot) {
    let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    let spec = Checked::new(&raw).unwrap();
    let snapshot = complete::<SolutionCount>(&spec, &Store::default()).unwrap();
    (spec, snapshot)
}

/// Regression: the first figure showed fractions of solutions, which meant that none had been found.
#[test]
fn every_training_set_is_in_one_bar_and_the_headline_says_where_there_is_one_solution() {
    let (spec, snapshot) = finished(&[
        ("teacher", "matched"),
        ("alphas", "1,2"),
        ("sets", "2"),
        ("starts", "2"),
        ("inputs", "20"),
    ]);
    let figures = SolutionCount::figures(&spec, &snapshot);
    assert_eq!(
        figures[0].finding,
        "One solution, the same from every random start, up to 2 examples per weight."
    );
    for figure in &figures[1..3] {
        let panels = figure.all_panels();
        assert!(panels.len() == 2 && panels[0].x == panels[1].x && panels[0].y != panels[1].y);
        assert!(panels.iter().all(|panel| !panel.title.is_empty()));
        let measured = |index| figure.curves().any(move |c| c.info.panel == index && c.marker.is_some());
        assert!(measured(0) && measured(1));
    }
    let (spec, snapshot) =
        finished(&[("alphas", "1,4,12"), ("sets", "4"), ("starts", "2"), ("inputs", "20")]);
    let figure = SolutionCount::figures(&spec, &snapshot).remove(0);
    let of = |outcome: SetOutcome| match figure.find(outcome.key()) {
        Some(Mark::Bars(bars)) => bars.bars.iter().map(|bar| bar.value - bar.base).sum::<f64>(),
        _ => panic!("a mark for each outcome"),
    };
    let total: f64 = SetOutcome::ALL.map(of).into_iter().sum();
    assert!((total - 12.0).abs() < 1e-9, "the bars at three α add up to all training sets: {total}");
    assert!(of(SetOutcome::Nowhere) >= 4.0, "{figure:?}");
    assert_eq!(
        figure.finding,
        "Beyond 3.6 examples per weight (unstable in theory), no solution found in 4 of 8 training sets; up to 4, always one."
    );
}

/// A phone has lines of about 40 characters, and a line more would move the figure.
#[test]
fn names_and_headline_keep_their_size_during_the_run() {
    for pairs in [
        &[("sets", "1"), ("starts", "2"), ("inputs", "20")][..],
        &[("teacher", "matched"), ("sets", "1"), ("starts", "2")],
    ] {
        let (spec, whole) = finished(pairs);
        let names = |snapshot: &SolutionsSnapshot| {
            let figure = SolutionCount::figures(&spec, snapshot).remove(0);
            let named = figure.marks.iter().filter(|mark| !mark.is_empty());
            let names: Vec<String> = named.map(|mark| mark.info().label.clone()).collect();
            (names, figure.finding)
        };
        let (expected, finding) = names(&whole);
        assert!(finding.chars().count() <= 116, "{finding}");
        for count in 0..whole.rows.len() {
            let part = SolutionsSnapshot { rows: whole.rows[..count].to_vec(), ..whole.clone() };
            let (found, running) = names(&part);
            assert!(found.iter().all(|name| expected.contains(name)), "{found:?} / {expected:?}");
            let lines = |text: &str| text.chars().count().div_ceil(40);
            assert!(
                lines(&running) >= lines(&finding).min(3) - 1 && lines(&running) <= 3,
                "{running} / {finding}"
            );
        }
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
