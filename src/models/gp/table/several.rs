//! More than two classes: one classifier a class, which tells its rows from all others, and what they say together.

use serde::{Deserialize, Serialize};

use super::rows::{Classes, Rows};
use super::units::Unit;
use super::within::Within;
use super::{OwnSnapshot, OwnSpec, Prediction, Solved};
use crate::data::TableSummary;
use crate::lab::{Budget, FREQUENCIES, LOGISTIC, Scored};
use crate::math::scores::{ClassRow, PredictiveScores};

/// The classifier of one class against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgainstOthers {
    /// Which class, from 0.
    pub class: usize,
    /// Of how many.
    pub of: usize,
    /// Fit, classifier and baseline.
    pub found: OwnSnapshot,
}

/// The same under way.
pub struct OneClass {
    class: usize,
    of: usize,
    inner: Within,
}

impl OneClass {
    /// Of these rows.
    pub fn new(spec: &OwnSpec, rows: &Rows, classes: &Classes, class: usize) -> Self {
        let inner = Within::new(spec, rows.against_others(classes, class), Some(Unit::Baseline));
        Self { class, of: classes.names.len(), inner }
    }

    /// A step of it; `true` after the last.
    pub fn step(&mut self, budget: &mut Budget) -> bool {
        self.inner.step(budget)
    }

    /// Fraction done, as far as it is known.
    pub fn fraction(&self) -> f64 {
        self.inner.fraction()
    }

    /// What it is doing.
    pub fn note(&self) -> String {
        format!("class {} of {}: {}", self.class + 1, self.of, self.inner.note())
    }

    /// What it has found.
    pub fn found(&self) -> AgainstOthers {
        AgainstOthers { class: self.class, of: self.of, found: self.inner.snapshot() }
    }
}

/// What the classifiers of all classes say together: probabilities that are normalised, K a row.
pub struct Several<'a> {
    /// The rows; its labels are those of the last class.
    pub table: &'a TableSummary,
    /// What the K classes are called.
    pub names: Vec<String>,
    /// Of each training row as if it had not been seen, m×K, and its class.
    pub left_out: Vec<ClassRow>,
    /// Of each test row, and its class.
    pub test: Vec<ClassRow>,
    /// Of each row without a label.
    pub asked: Vec<Vec<f64>>,
    /// Of each row of the second file.
    pub second: Vec<Vec<f64>>,
    /// What logistic regression says of the test rows or, where there are none, of training rows that it was not fitted to.
    logistic: Option<(&'static str, Vec<ClassRow>)>,
}

impl<'a> Several<'a> {
    /// When every class has a solution.
    pub fn of(snapshot: &'a OwnSnapshot) -> Option<Self> {
        let classes = &snapshot.classes;
        if classes.is_empty() || classes.len() < classes[0].of {
            return None;
        }
        let mains: Vec<_> = classes.iter().map(|one| one.found.main.as_ref()).collect::<Option<_>>()?;
        let solved: Vec<&Solved> = mains.iter().map(|main| main.solved.as_ref()).collect::<Option<_>>()?;
        let together = |said: fn(&Solved) -> &[Prediction]| -> Vec<Vec<f64>> {
            normalised(&solved.iter().map(|s| said(s).iter().map(|p| p.p).collect()).collect::<Vec<_>>())
        };
        // The class whose classifier has a row as +1.
        let classes_of = |labels: fn(&TableSummary) -> &[f64]| -> Vec<usize> {
            let of =
                |i: usize| mains.iter().position(|main| labels(&main.table)[i] > 0.0).unwrap_or_default();
            (0..labels(&mains[0].table).len()).map(of).collect()
        };
        let (train, test) = (classes_of(|table| &table.labels), classes_of(|table| &table.test_labels));
        let baselines: Option<Vec<_>> = classes.iter().map(|one| one.found.baseline.as_ref()).collect();
        let logistic = baselines.map(|baselines| {
            let p = baselines.iter().map(|baseline| baseline.predictions().1.to_vec());
            let truth = if test.is_empty() { &train } else { &test };
            let rows = normalised(&p.collect::<Vec<_>>()).into_iter().zip(truth.iter().copied());
            (baselines[0].predictions().0, rows.filter(|(p, _)| p.iter().all(|p| p.is_finite())).collect())
        });
        let names = mains.iter().map(|main| main.table.classes[1].clone()).collect();
        Some(Self {
            table: &mains.last()?.table,
            names,
            left_out: together(|s| &s.left_out).into_iter().zip(train).collect(),
            test: together(|s| &s.test).into_iter().zip(test).collect(),
            asked: together(|s| &s.asked),
            second: together(|s| &s.second),
            logistic,
        })
    }

    /// What the predictions of `method` are worth, and those it is compared with.
    pub fn scored(&self, method: &str) -> Vec<Scored> {
        let scored =
            |key, name, rows: &[ClassRow]| Scored { key, name, scores: PredictiveScores::of_classes(rows) };
        let mut all = vec![
            scored("test", format!("{method}, test rows"), &self.test),
            scored("left_out", format!("{method}, leave-one-out"), &self.left_out),
        ];
        if let Some((how, rows)) = &self.logistic {
            all.push(scored(LOGISTIC, format!("logistic, {how}"), rows));
        }
        let mut counts = vec![0.0; self.names.len()];
        self.left_out.iter().for_each(|(_, class)| counts[*class] += 1.0);
        let (rows, which, own) = if self.test.is_empty() {
            (&self.left_out, "training rows", 1.0)
        } else {
            (&self.test, "test rows", 0.0)
        };
        // A training row is predicted from the others, here too.
        let others = (self.left_out.len() as f64 - own).max(1.0);
        let share = |class: usize| {
            let without = |(k, count): (usize, &f64)| (count - if k == class { own } else { 0.0 }) / others;
            counts.iter().enumerate().map(without).collect()
        };
        let rows: Vec<_> = rows.iter().map(|(_, class)| (share(*class), *class)).collect();
        all.push(scored(FREQUENCIES, format!("frequencies, {which}"), &rows));
        all.retain(|scored| scored.scores.error.count > 0);
        all
    }
}

/// The most probable class.
pub fn predicted(p: &[f64]) -> usize {
    p.iter().enumerate().fold(0, |best, (k, at)| if *at > p[best] { k } else { best })
}

/// How many rows have another class than the most probable one.
pub fn errors(rows: &[ClassRow]) -> usize {
    rows.iter().filter(|(p, class)| predicted(p) != *class).count()
}

/// Of each row the probabilities of the K classes, from those of each class: K×rows to rows×K, divided by their sum. Where all are
/// 0, nothing is known.
fn normalised(p: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |i: usize| {
        let sum: f64 = p.iter().map(|p| p[i]).sum();
        p.iter().map(|p| if sum == 0.0 { 1.0 / p.len() as f64 } else { p[i] / sum }).collect()
    };
    (0..p.first().map_or(0, Vec::len)).map(row).collect()
}
