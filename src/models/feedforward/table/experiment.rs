//! The experiment: solve, and look at the solution.

use std::mem;

use super::{Fields, OwnSnapshot, OwnSolution, OwnSpec, SOLVER};
use crate::data::teacher;
use crate::data::{Dataset, Part, TableInfo};
use crate::lab::{BaselineFit, Budget, Examples, Residuals, Work};
use crate::math::lanes::exp;
use crate::math::stats::order;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::own::Rows;
use crate::models::feedforward::tap::search::{Data, Found, Search};
use crate::models::feedforward::tap::solution::error_share;

/// Under way.
pub struct OwnWork {
    hidden: usize,
    fields: bool,
    rows: Dataset,
    /// The training rows among them, and these in blocks.
    places: Vec<usize>,
    examples: teacher::Examples,
    search: Search,
    /// In the unit of logistic regression.
    baseline: Option<BaselineFit>,
    seed: u64,
    residuals: Residuals,
    seen: OwnSnapshot,
}

impl OwnWork {
    /// Before its first sweep.
    pub fn new(spec: &OwnSpec, rows: Dataset) -> Self {
        let mut examples = teacher::Examples::new(rows.width());
        let places: Vec<usize> = rows.of(Part::Train).collect();
        for i in &places {
            examples.push(rows.row(*i), rows.sign(*i));
        }
        let variances = spec.variances(rows.width() / spec.hidden, places.len());
        Self {
            hidden: spec.hidden,
            fields: spec.fields,
            rows,
            places,
            examples,
            search: Search::new(SOLVER, variances, spec.hidden, spec.given_beta()),
            baseline: None,
            seed: spec.seed,
            residuals: Residuals::default(),
            seen: OwnSnapshot::default(),
        }
    }
}

impl Work for OwnWork {
    type Snapshot = OwnSnapshot;

    /// The student, and then what it is compared with.
    fn begin(&mut self, unit: usize) {
        self.baseline = (unit == 1).then(|| BaselineFit::new(&labelled(&self.rows), self.seed));
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(fit) = &mut self.baseline {
            self.seen.baseline = fit.step(&labelled(&self.rows), budget);
            return self.seen.baseline.is_some();
        }
        let Self { rows, places, examples, search, residuals, seen, .. } = self;
        let (inputs, width) = (rows.inputs.as_slice(), rows.width());
        let data = Data { examples, rows: Rows { inputs, width, places, labels: examples.labels() } };
        let done = search.advance(&data, budget, |residual| residuals.push(residual));
        seen.sweeps = search.sweeps();
        if !done {
            return false;
        }
        seen.ending = Some(search.ending());
        seen.path = search.path().to_vec();
        seen.at_the_edge = search.at_the_edge();
        seen.advice = search.advice();
        let solved = self.search.best().map(|found| self.look_at(found));
        if solved.is_none() {
            self.seen.residuals = mem::take(&mut self.residuals);
        }
        self.seen.solved = solved;
        true
    }

    /// Nobody knows how many sweeps it will take; most need fewer than a hundred.
    fn fraction(&self) -> f64 {
        if let Some(fit) = &self.baseline {
            return fit.fraction();
        }
        self.seen.sweeps as f64 / (self.seen.sweeps + 100) as f64
    }

    fn note(&self) -> String {
        if self.baseline.is_some() {
            return "logistic regression".to_owned();
        }
        format!("sweep {}", self.seen.sweeps)
    }

    fn snapshot(&self) -> OwnSnapshot {
        self.seen.clone()
    }
}

impl OwnWork {
    fn look_at(&self, found: &Found) -> OwnSolution {
        let table = TableInfo::of(&self.rows);
        let (solution, labels) = (&found.solution, &table.labels);
        let likelihood = Likelihood::new(self.hidden, found.beta);
        let cavity = || solution.z.chunks_exact(likelihood.hidden());
        // ⟨F⟩ is a probability but for its factor 1/(1+e^−β).
        let right = 1.0 - likelihood.flip_probability();
        let sizes: Vec<f64> = solution.weights.iter().map(|weight| -weight.abs()).collect();
        let order = order(&sizes);
        let plus = |z: &[f64]| probability(right * exp(likelihood.ln_f(z, 1.0)));
        let predictions: Vec<f64> = cavity().map(plus).collect();
        let unseen = |part| {
            self.rows.of(part).map(|i| plus(&solution.fields_at(self.rows.row(i)))).collect::<Vec<_>>()
        };
        let test = unseen(Part::Test);
        let count = |share: f64| (2.0 * share * labels.len() as f64).round() / 2.0;
        let of_tests = |share: f64| (2.0 * share * test.len() as f64).round() / 2.0;
        let own = solution.own.as_ref();
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
            train_errors: count(solution.training_bayes(labels)),
            train_errors_tilted: count(solution.training_tilted(labels, &likelihood)),
            fields: self.fields.then(|| Fields {
                g: solution.g.clone(),
                z: solution.z.clone(),
                ln_f: cavity().zip(labels).map(|(z, y)| likelihood.ln_f(z, *y)).collect(),
            }),
            weights: solution.weights.clone(),
            lambda: own.map_or(&solution.lambda, |own| &own.cavity).clone(),
            table,
        }
    }
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
