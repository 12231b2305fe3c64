//! The `result` of `headless`.

use serde_json::{Map, Value, json};

use super::multiclass::{MultiClass, errors, most_probable};
use super::{
    ClassifierSnapshot, HyperparameterValues, SearchEvaluation, SolveSummary, TableSnapshot, TableSpec,
};
use crate::lab::labelled_table::{
    ClassifiedTable, Fold, Headline, PredictorScores, report_effects, report_folds, report_table,
};
use crate::models::gp::solver::prediction::Prediction;

/// Returns scores, solution and predictions; null without a solution.
pub fn report(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    if snapshot.classes.is_empty() {
        let mut report = classifier(spec, &snapshot.classifier, &snapshot.folds);
        report["effects"] = report_effects(&snapshot.effects());
        report["dependence"] = json!(snapshot.dependence.first());
        report
    } else {
        classes(spec, snapshot)
    }
}

/// Returns the report of a classifier of two classes.
fn classifier(
    spec: &TableSpec,
    snapshot: &ClassifierSnapshot,
    folds: &[Fold<HyperparameterValues>],
) -> Value {
    let trace: Vec<Value> = snapshot.evaluations().map(|(_, e)| evaluation(e)).collect();
    let Some(main) = snapshot.shown() else { return json!({ "fit_trace": trace }) };
    let (table, solution) = (&main.table, main.solution.as_ref());
    let classified = snapshot.classified(spec, folds);
    let mut report = ClassifiedTable::report(classified.as_ref());
    extend(&mut report, solve(&main.solve, table.test_labels.len()));
    let retrained =
        snapshot.retrained_errors(spec.class_weights).filter(|(rows, _)| *rows == table.labels.len());
    report["exact_loo_errors"] = json!(retrained.map(|(_, errors)| errors));
    report["weights"] = json!(solution.map(|s| &s.weights));
    report["relevances"] = json!(solution.map(|s| {
        let scale = main.solve.hyper.sigma2 * s.weights.len() as f64;
        s.weights.iter().map(|w| w * scale).collect::<Vec<_>>()
    }));
    if let Some(points) = solution.and_then(|s| s.points) {
        report["inducing_points"] = json!(points);
        report["comparison"] = json!(main.comparison);
    }
    report["x"] = json!(solution.map(|s| &s.x));
    report["lambda"] = json!(solution.map(|s| &s.lambda));
    report["gamma"] = json!(solution.map(|s| &s.gamma));
    let shift = spec.class_weights.shift(&table.class_counts());
    let shifted = |row: Prediction| Prediction { p: shift.of_event(row.p), ..row };
    report["loo_predictions"] =
        json!(solution.map(|s| s.predictions.left_out.iter().map(|row| shifted(*row)).collect::<Vec<_>>()));
    report["folds"] = report_folds(folds, snapshot.kept(), Some(&table.lines), &shift, |hyper| json!(hyper));
    if let Some(classified) = classified.filter(|_| spec.class_weights.is_balanced()) {
        add_balanced_errors(&mut report, &classified);
    }
    if !snapshot.retrained.is_empty() {
        let row = |row: usize| -> Option<Prediction> {
            snapshot.retrained.iter().find(|r| r.row == row)?.prediction.map(shifted)
        };
        report["exact_loo_predictions"] = (0..table.labels.len()).map(|i| json!(row(i))).collect();
    }
    if !trace.is_empty() {
        report["fit_trace"] = trace.into();
    }
    add_fit(&mut report, spec, snapshot, folds);
    if !snapshot.scan.is_empty() {
        report["grid"] = snapshot.scan.iter().map(|scan| solve(scan, table.test_labels.len())).collect();
    }
    report
}

/// Replaces the numbers of errors with those for equally frequent classes.
fn add_balanced_errors(report: &mut Value, classified: &ClassifiedTable<'_>) {
    let [tests, left_out] = classified.errors();
    let is_solved = classified.rows.is_some();
    report["loo_errors"] = json!(is_solved.then_some(left_out));
    let is_tested = is_solved && !classified.table.test_labels.is_empty();
    report["test_errors"] = json!(is_tested.then_some(tests));
    // Training rows are counted by their fields, for which the classes have the frequencies of the table.
    report["train_errors"] = Value::Null;
}

/// Adds the results before a fit and the comparison with it, or the best values so far.
fn add_fit(
    report: &mut Value,
    spec: &TableSpec,
    snapshot: &ClassifierSnapshot,
    folds: &[Fold<HyperparameterValues>],
) {
    if snapshot.comparison.is_made() {
        report["held_out_comparison"] = snapshot.comparison.report();
    }
    if let Some(before) = snapshot.before_fit(spec, folds) {
        let headline = before.headline();
        report["before_fit"] = json!({
            "headline": headline.as_ref().map(Headline::report),
            "log_loss": headline.as_ref().map(Headline::log_loss),
            "settings": snapshot.given.as_ref().map(|given| given.solve.hyper),
        });
    } else if let Some(optimum) = snapshot.best_start().and_then(|end| end.optimum.as_ref()) {
        // The fit was stopped, or has no solution: report the best optimum so far.
        report["fit_best"] =
            evaluation(SearchEvaluation { value: Some(optimum.value), hyper: optimum.hyper });
        report["fit_best"]["weights"] = json!(optimum.weights);
    }
}

/// Returns the report of more than two classes: the classifier of each class, and their combined predictions.
fn classes(spec: &TableSpec, snapshot: &TableSnapshot) -> Value {
    let mut report =
        MultiClass::of(&snapshot.classes, spec).map_or_else(|| json!({}), |all| multiclass(spec, &all));
    let each: Map<String, Value> = (snapshot.classes.iter())
        .filter_map(|one| {
            let name = one.classifier.shown()?.table.classes[1].clone();
            Some((name, classifier(spec, &one.classifier, &one.folds)))
        })
        .collect();
    report["one_against_others"] = each.into();
    report["effects"] = report_effects(&snapshot.effects());
    report["dependence"] = json!(snapshot.dependence);
    if let Some(before) = MultiClass::before_fit(&snapshot.classes, spec) {
        let headline = before.headline(spec);
        report["before_fit"] = json!({ "headline": headline.report(), "log_loss": headline.log_loss() });
    }
    report
}

fn multiclass(spec: &TableSpec, all: &MultiClass<'_>) -> Value {
    let table = all.table;
    let rows = |lines: &[usize], p: &[Vec<f64>], classes: Option<&[usize]>| -> Value {
        let row = |(i, (line, p)): (usize, (&usize, &Vec<f64>))| {
            let mut row = json!({ "line": line, "p": p, "predicted": all.names[most_probable(p)] });
            if let Some(classes) = classes {
                row["class"] = json!(all.names[classes[i]]);
            }
            row
        };
        lines.iter().zip(p).enumerate().map(row).collect()
    };
    let scores = all.scores("").into_iter().map(|scored| (scored.key.to_owned(), scored.report()));
    let mut report = report_table(Some(table));
    report["classes"] = json!(all.names);
    report["test_errors"] = json!((!all.p.test.is_empty()).then(|| errors(&all.test())));
    report["test_examples"] = json!(all.p.test.len());
    report["loo_errors"] = json!(errors(&all.left_out()));
    report["headline"] = all.headline(spec).report();
    report["scores"] = scores.collect::<Map<_, _>>().into();
    report["predictions"] = rows(&table.test_lines, &all.p.test, Some(&all.test_classes));
    report["loo_predictions"] = rows(&table.lines, &all.p.left_out, Some(&all.train_classes));
    report["unlabelled"] = rows(&table.unlabelled_lines, &all.p.unlabelled, None);
    report["predicted"] = rows(&table.second_lines, &all.p.second, None);
    let second = PredictorScores::of_classes("second", String::new(), &all.second(), spec.class_weights);
    report["predicted_scores"] = json!((second.scores.error.count > 0).then(|| second.report()));
    report
}

/// Returns the report of one evaluation of a fit.
fn evaluation(SearchEvaluation { value, hyper }: SearchEvaluation) -> Value {
    let mut report = json!(hyper);
    report["value"] = json!(value);
    report
}

/// Returns the report of the scalars of one solve; the scores are null without a solution.
fn solve(solve: &SolveSummary, tests: usize) -> Value {
    let scores = solve.scores.as_ref();
    let mut report = json!({
        "ln_evidence": scores.and_then(|s| s.ln_evidence),
        "minus_g": scores.map(|s| s.minus_g),
        "ln_loo": scores.map(|s| s.ln_loo),
        "test_errors": scores.filter(|_| tests > 0).map(|s| s.test_errors),
        "test_examples": tests,
        "loo_errors": scores.map(|s| s.loo_errors),
        "train_errors": scores.map(|s| s.train_errors),
        "outer_iterations": solve.outer_iterations,
        "newton_solves": solve.newton_solves,
        "residual": solve.residual,
    });
    extend(&mut report, json!(solve.hyper));
    report
}

fn extend(report: &mut Value, entries: Value) {
    if let (Value::Object(report), Value::Object(entries)) = (report, entries) {
        report.extend(entries);
    }
}
