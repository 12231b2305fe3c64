//! The task: its names, plan, status and results.

use serde_json::Value;

use super::dependence::DependenceWork;
use super::multiclass::MultiClass;
use super::predicting::TablePredictions;
use super::rows::TableRows;
use super::searches::{Search, solve_cost};
use super::spec::PRESETS;
use super::units::ClassifierUnit;
use super::work::TableWork;
use super::{FitBy, HyperparameterValues, TableSnapshot, TableSpec, UserTable, figures, report, status};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::labelled_table::{Kept, Untuned};
use crate::lab::{
    Checked, InputError, Meta, Plan, PredictionWork, Predictor, Prepared, Queue, Raw, Status, TypedTask,
    raw_of,
};
use crate::models::gp::inducing_points::{BYTES_PER_ROW, COMPARED_ROWS, MAX_ROWS};

/// Square matrices of the training rows held at once: covariances, factor, inverse, a copy without a row, and one more.
const MATRICES: u64 = 5;

impl TypedTask for UserTable {
    const META: Meta = Meta {
        id: "gp.data",
        title: "Classification of a table",
        question: "Which class does a new row of your table belong to?",
        subtitle: "A Gaussian process learns from your table by TAP (Thouless–Anderson–Palmer), a fast approximation, and gives each row the probability of each class.",
        pair: false,
        tab: Some("Classify"),
        queue: Queue::Run,
        live: None,
        exercises: &[],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    /// Returns the classifier with the given settings, the starts of a fit, the scan and the baseline; after a fit, the last search and the
    /// classifier with fitted settings, and those with one length scale if relevances are fitted; then the folds of cross-validation, of
    /// which some take no time if they are not requested and there are test rows; and, with the settings that the folds favour, the
    /// partial dependence on the columns, and retraining without each row of the file, where rows that are not training rows take no
    /// time. With more than two classes: a unit for each class with the given settings, then one for its fit and folds, then the partial
    /// dependence.
    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let spec = &spec.decided(spec.untuned(Some(facts)));
        let rows = facts.rows().min(MAX_ROWS);
        let rows = if spec.split.is_empty() { (rows as f64 * spec.train_fraction) as usize } else { rows };
        let points = spec.inducing_points(rows).map(|inducing| inducing.count);
        let matrix = points.map_or(rows, |points| points.max(COMPARED_ROWS.min(rows)));
        let memory = MATRICES * 8 * (matrix as u64).pow(2) + BYTES_PER_ROW * facts.rows() as u64;
        // Costs are counted in solves.
        let solve = solve_cost(spec, rows);
        let cost = |unit: ClassifierUnit| unit.cost(spec, rows);
        let (folds, dependence) = (spec.planned_folds(), DependenceWork::cost(spec, rows));
        let part = 1.0 - 1.0 / folds.max(2) as f64;
        // The fit with one length scale beside that of relevances.
        let one = spec.one_length_scale();
        let beside = |search| one.as_ref().map_or(0.0, |one| ClassifierUnit::Fitted(search).cost(one, rows));
        let in_fold = ClassifierUnit::of_fold(spec).into_iter().map(cost).sum::<f64>() + beside(Search::Fold);
        let fold = in_fold * part.powi(3);
        if let classes @ 3.. = spec.classes(facts) {
            let sum = |units: &[ClassifierUnit]| units.iter().map(|unit| cost(*unit)).sum::<f64>();
            let plan = Plan::default().and(classes, sum(&ClassifierUnit::OF_CLASS));
            let fit =
                sum(&ClassifierUnit::of_class_fit(spec)) + beside(Search::AllRows) + folds as f64 * fold;
            let plan = if fit > 0.0 { plan.then(classes, fit) } else { plan };
            return plan.then(1, classes as f64 * dependence).times(solve).memory(memory);
        }
        let plan = ClassifierUnit::first(spec).into_iter().fold(Plan::default(), |plan, unit| match unit {
            ClassifierUnit::Fitted(_) => plan.then(1, cost(unit)),
            _ => plan.and(1, cost(unit)),
        });
        let plan = if one.is_some() { plan.and(1, beside(Search::AllRows)) } else { plan };
        let left_out = if spec.exact_loo { facts.rows() } else { 0 };
        let plan = if folds > 0 { plan.then(folds, fold) } else { plan };
        plan.then(1, dependence).and(left_out, 1.0).times(solve).memory(memory)
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let mut all = TableSnapshot::default();
        for part in parts {
            all.classifier.extend(part.classifier);
            all.folds.extend(part.folds);
            all.fold_effects.extend(part.fold_effects);
            all.dependence.extend(part.dependence);
            all.untuned = all.untuned.or(part.untuned);
            for class in part.classes {
                match all.classes.iter_mut().find(|ours| ours.class == class.class) {
                    Some(ours) => {
                        ours.classifier.extend(class.classifier);
                        ours.folds.extend(class.folds);
                        ours.fold_permuted.extend(class.fold_permuted);
                    }
                    None => all.classes.push(class),
                }
            }
        }
        all.classifier.compare(&all.folds);
        all.classes.iter_mut().for_each(|class| class.classifier.compare(&class.folds));
        all
    }

    fn status(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        status::status(&spec.decided(snapshot.untuned), snapshot, spec.fit == FitBy::Automatic)
    }

    fn figures(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(&spec.decided(snapshot.untuned), snapshot)
    }

    /// Returns the fitted settings, or the best found so far.
    fn found(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Raw {
        let spec = &spec.decided(snapshot.untuned);
        let Some((evaluation, weights)) = snapshot.classifier.best_found(spec) else { return Raw::new() };
        let HyperparameterValues { sigma2, v, kappa } = evaluation.hyper;
        let fields = &TableSpec::FIELDS;
        let mut found = raw_of([
            (fields.fit.key, FitBy::Nothing.word().to_owned()),
            (fields.sigma2.key, sigma2.to_string()),
            (fields.v.key, v.to_string()),
            (fields.kappa.key, kappa.to_string()),
        ]);
        if spec.fit_ard && snapshot.classifier.kept() == Kept::Fitted {
            let relevance = |w: &f64| (w * sigma2 * weights.len() as f64).to_string();
            let relevances: Vec<String> = weights.iter().map(relevance).collect();
            found.insert(fields.ard.key.to_owned(), relevances.join(","));
        }
        found
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        let spec = &spec.decided(snapshot.untuned);
        if snapshot.classes.is_empty() {
            snapshot.classifier.classified(spec, &snapshot.folds)?.records(&spec.table)
        } else {
            Some(MultiClass::of(&snapshot.classes, spec)?.records(spec))
        }
    }

    fn report(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Value {
        let mut report = report::report(&spec.decided(snapshot.untuned), snapshot);
        if spec.fit == FitBy::Automatic {
            report["tuning"] = Untuned::report(snapshot.not_tuned().as_deref());
        }
        report
    }

    fn predictor(_spec: &Checked<TableSpec>) -> Option<Predictor<Self>> {
        Some(|spec, data, mut finished| {
            let rows = TableRows::new(spec, data).map_err(|error| vec![error])?;
            let spec = spec.decided(finished.untuned);
            let predictions = TablePredictions::new(spec, rows, &mut finished);
            Ok(Box::new(PredictionWork::new(predictions, finished)))
        })
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let rows = TableRows::new(spec, data).map_err(|error| vec![error])?;
        let facts = spec.values().facts(data);
        let classes = facts.map_or(2, |facts| spec.classes(facts));
        let untuned = spec.untuned(facts);
        Ok(Box::new(TableWork::new(spec.decided(untuned), classes, rows, before).with_untuned(untuned)))
    }
}
