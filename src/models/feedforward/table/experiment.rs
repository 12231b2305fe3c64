//! The experiment: solve, and look at the solution.

use std::mem;

use super::folds::Fit;
use super::{Fields, OwnSnapshot, OwnSolution, OwnSpec};
use crate::data::{Dataset, Part, TableInfo};
use crate::lab::{BaselineFit, Budget, Examples, Residuals, Work};
use crate::math::lanes::exp;
use crate::math::stats::order;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::search::BetaSolution;
use crate::models::feedforward::tap::solution::error_share;

/// Under way.
pub struct OwnWork {
    spec: OwnSpec,
    rows: Dataset,
    stage: Stage,
    residuals: Residuals,
    seen: OwnSnapshot,
}

/// What a unit is for.
enum Stage {
    /// The student.
    Whole(Box<Fit>),
    /// Logistic regression.
    Baseline(Box<BaselineFit>),
    /// A fold of cross-validation.
    Fold(Box<Fit>),
}

/// The units before those of the folds.
pub const BEFORE_FOLDS: usize = 2;

impl OwnWork {
    /// Before its first sweep.
    pub fn new(spec: &OwnSpec, rows: Dataset) -> Self {
        let stage = Stage::Whole(Box::new(Fit::whole(spec, &rows)));
        let (residuals, seen) = (Residuals::default(), OwnSnapshot::default());
        Self { spec: spec.clone(), rows, stage, residuals, seen }
    }
}

impl Work for OwnWork {
    type Snapshot = OwnSnapshot;

    /// The student, what it is compared with, and the folds.
    fn begin(&mut self, unit: usize) {
        let Self { spec, rows, .. } = self;
        self.stage = match unit {
            0 => Stage::Whole(Box::new(Fit::whole(spec, rows))),
            1 => Stage::Baseline(Box::new(BaselineFit::new(&labelled(rows), spec.seed))),
            unit => Stage::Fold(Box::new(Fit::fold(spec, rows, unit - BEFORE_FOLDS))),
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Self { rows, stage, residuals, seen, spec } = self;
        let fit = match stage {
            Stage::Baseline(fit) => {
                seen.baseline = fit.step(&labelled(rows), budget);
                return seen.baseline.is_some();
            }
            Stage::Fold(fit) => {
                let done = fit.advance(rows, budget, |_| {});
                if done {
                    seen.folds.push(fit.held_out(rows, spec.hidden));
                }
                return done;
            }
            Stage::Whole(fit) => fit,
        };
        let done = fit.advance(rows, budget, |residual| residuals.push(residual));
        let search = &fit.search;
        seen.sweeps = search.sweeps();
        if !done {
            return false;
        }
        seen.ending = Some(search.ending());
        seen.path = search.path().to_vec();
        seen.at_the_edge = search.largest_at_last_solution();
        seen.advice = search.advice();
        seen.solved = search.best().map(|found| look_at(spec, rows, found));
        if seen.solved.is_none() {
            seen.residuals = mem::take(residuals);
        }
        true
    }

    /// Nobody knows how many sweeps it will take; most need fewer than a hundred.
    fn fraction(&self) -> f64 {
        let sweeps = match &self.stage {
            Stage::Baseline(fit) => return fit.fraction(),
            Stage::Whole(fit) | Stage::Fold(fit) => fit.search.sweeps(),
        };
        sweeps as f64 / (sweeps + 100) as f64
    }

    fn note(&self) -> String {
        match &self.stage {
            Stage::Baseline(_) => "logistic regression".to_owned(),
            Stage::Whole(fit) => format!("sweep {}", fit.search.sweeps()),
            Stage::Fold(_) => "cross-validation".to_owned(),
        }
    }

    fn snapshot(&self) -> OwnSnapshot {
        self.seen.clone()
    }
}

/// What a solution says of the rows.
fn look_at(spec: &OwnSpec, rows: &Dataset, found: &BetaSolution) -> OwnSolution {
    let table = TableInfo::of(rows);
    let (solution, labels) = (&found.solution, &table.labels);
    let likelihood = Likelihood::new(spec.hidden, found.beta);
    let cavity = || solution.z.chunks_exact(likelihood.hidden());
    let sizes: Vec<f64> = solution.weights.iter().map(|weight| -weight.abs()).collect();
    let order = order(&sizes);
    let predictions: Vec<f64> = cavity().map(|z| plus(&likelihood, z)).collect();
    let unseen =
        |part| rows.of(part).map(|i| plus(&likelihood, &solution.fields_at(rows.row(i)))).collect::<Vec<_>>();
    let test = unseen(Part::Test);
    let count = |share: f64| (2.0 * share * labels.len() as f64).round() / 2.0;
    let of_tests = |share: f64| (2.0 * share * test.len() as f64).round() / 2.0;
    let own = solution.adaptive.as_ref();
    OwnSolution {
        order,
        beta: found.beta,
        own: own.is_some(),
        sd: solution.weight_sd(),
        ln_evidence: found.ln_evidence,
        ln_loo: solution.ln_left_out(labels, &likelihood),
        test_errors: of_tests(error_share(test.iter().map(|p| p - 0.5), &table.test_labels)),
        unlabelled: unseen(Part::Unlabelled),
        second: unseen(Part::Second),
        test,
        loo_errors: count(error_share(predictions.iter().map(|p| p - 0.5), labels)),
        predictions,
        train_errors: count(solution.training_bayes_error(labels)),
        train_errors_tilted: count(solution.training_tilted_error(labels, &likelihood)),
        fields: spec.fields.then(|| Fields {
            g: solution.g.clone(),
            z: solution.z.clone(),
            ln_f: cavity().zip(labels).map(|(z, y)| likelihood.ln_f(z, *y)).collect(),
        }),
        weights: solution.weights.clone(),
        lambda: own.map_or(&solution.lambda, |own| &own.cavity).clone(),
        table,
    }
}

/// The probability of +1 at cavity fields, label noise included: ⟨F⟩ is one but for its factor 1/(1+e^−β).
pub(super) fn plus(likelihood: &Likelihood, z: &[f64]) -> f64 {
    probability((1.0 - likelihood.flip_probability()) * exp(likelihood.ln_f(z, 1.0)))
}

/// The rows with a label, as a baseline sees them.
fn labelled(rows: &Dataset) -> Examples<'_> {
    Examples {
        train: rows.of(Part::Train).map(|i| (rows.row(i), rows.sign(i))).collect(),
        test: rows.of(Part::Test).map(|i| rows.row(i)).collect(),
    }
}

/// Fields of 0 are even odds, but for rounding.
pub(super) fn probability(p: f64) -> f64 {
    if (p - 0.5).abs() < 1e-12 { 0.5 } else { p }
}
