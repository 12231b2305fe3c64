//! The `result` of `headless`: the solution, its scores, and what it says of each row.

use serde_json::{Map, Value, json};

use super::several::{Several, errors, predicted};
use super::{Attempt, Evaluation, Main, OwnSnapshot, Prediction};
use crate::lab::Judged;
use crate::math::scores::ClassRow;

/// Scores, solution and predictions; nulls where there is no solution.
pub fn own(snapshot: &OwnSnapshot) -> Value {
    if !snapshot.classes.is_empty() {
        return several(snapshot);
    }
    let Some(main) = &snapshot.main else { return unfinished(snapshot) };
    let (table, solved) = (&main.table, main.solved.as_ref());
    let tests = table.test_labels.len();
    let mut report = scalars(&main.attempt, tests);
    let complete = snapshot.exact_errors().filter(|(known, _)| *known == table.labels.len());
    let exact: Vec<Option<Value>> = (0..table.labels.len())
        .map(|row| snapshot.retrained.iter().find(|r| r.row == row)?.prediction.as_ref().map(prediction))
        .collect();
    let all = |rows: &[Prediction]| rows.iter().map(prediction).collect::<Vec<_>>();
    let more = json!({
        "exact_loo_errors": complete.map(|(_, wrong)| wrong),
        "examples": table.labels.len(),
        "columns": table.names,
        "constant_columns": table.constant,
        "treatment": table.treated,
        "label": table.label,
        "positive": table.classes[1],
        "weights": solved.map(|s| &s.weights),
        "relevances": solved.map(|s| {
            let scale = main.attempt.sigma2 * s.weights.len() as f64;
            s.weights.iter().map(|w| w * scale).collect::<Vec<_>>()
        }),
        "x": solved.map(|s| &s.x),
        "lambda": solved.map(|s| &s.lambda),
        "gamma": solved.map(|s| &s.gamma),
        "predictions": solved.map(|s| all(&s.test)),
        "loo_predictions": solved.map(|s| all(&s.left_out)),
        "lines": table.lines,
        "test_lines": table.test_lines,
    });
    extend(&mut report, more);
    if let Some(asked) = solved.map(|s| &s.asked).filter(|asked| !asked.is_empty()) {
        report.insert("unlabelled".into(), json!(all(asked)));
        report.insert("unlabelled_lines".into(), json!(table.unlabelled_lines));
    }
    if let Some(second) = solved.map(|s| &s.second).filter(|second| !second.is_empty()) {
        let rows = table.second_lines.iter().zip(second);
        let row = |(line, said): (&usize, &Prediction)| json!({ "line": line, "mean": said.mean, "var": said.var, "p": said.p });
        report.insert("predicted".into(), rows.map(row).collect());
    }
    extend(&mut report, worth(snapshot, main));
    if !snapshot.retrained.is_empty() {
        report.insert("exact_loo_predictions".into(), json!(exact));
    }
    let trace = trace(snapshot);
    if !trace.is_empty() {
        report.insert("fit_trace".into(), trace.into());
    }
    if !snapshot.scan.is_empty() {
        report
            .insert("grid".into(), snapshot.scan.iter().map(|a| Value::Object(scalars(a, tests))).collect());
    }
    Value::Object(report)
}

/// Of several classes what each classifier found, and what all of them say together.
fn several(snapshot: &OwnSnapshot) -> Value {
    let each: Map<String, Value> = (snapshot.classes.iter())
        .filter_map(|one| Some((one.found.main.as_ref()?.table.classes[1].clone(), own(&one.found))))
        .collect();
    let together = Several::of(snapshot).map(|all| {
        let row = |(line, (p, class)): (&usize, &ClassRow)| {
            json!({ "line": line, "p": p, "predicted": all.names[predicted(p)], "class": all.names[*class] })
        };
        let new = |(line, p): (&usize, &Vec<f64>)| json!({ "line": line, "p": p, "predicted": all.names[predicted(p)] });
        let table = all.table;
        let scores = all.scored("").into_iter().map(|scored| (scored.key.to_owned(), scored.report()));
        json!({
            "classes": all.names,
            "label": table.label,
            "examples": table.labels.len(),
            "columns": table.names,
            "constant_columns": table.constant,
            "treatment": table.treated,
            "test_errors": (!all.test.is_empty()).then(|| errors(&all.test)),
            "test_examples": all.test.len(),
            "loo_errors": errors(&all.left_out),
            "scores": scores.collect::<Map<_, _>>(),
            "predictions": table.test_lines.iter().zip(&all.test).map(row).collect::<Vec<_>>(),
            "loo_predictions": table.lines.iter().zip(&all.left_out).map(row).collect::<Vec<_>>(),
            "unlabelled": table.unlabelled_lines.iter().zip(&all.asked).map(new).collect::<Vec<_>>(),
            "predicted": table.second_lines.iter().zip(&all.second).map(new).collect::<Vec<_>>(),
        })
    });
    let mut report = Map::new();
    extend(&mut report, together.unwrap_or_default());
    report.insert("one_against_others".into(), each.into());
    report.into()
}

/// Scores of the probabilities, of the classifier and of what it is compared with.
fn worth(snapshot: &OwnSnapshot, main: &Main) -> Value {
    let table = &main.table;
    let p = |said: &[Prediction]| said.iter().map(|said| said.p).collect::<Vec<_>>();
    let solved = main.solved.as_ref();
    let folds = snapshot.folds.iter();
    json!({
        "test_scores": solved.and_then(|s| Judged::report(p(&s.test).into_iter(), &table.test_labels)),
        "loo_scores": solved.and_then(|s| Judged::report(p(&s.left_out).into_iter(), &table.labels)),
        "cross_validation_scores": snapshot.cross_validated().and_then(|p| Judged::report(p.into_iter(), &table.labels)),
        "folds": folds.map(|fold| json!({
            "rows": fold.rows.iter().map(|row| table.lines[*row]).collect::<Vec<_>>(),
            "p": fold.predictions.as_deref().map(p),
            "sigma2": fold.sigma2,
            "v": fold.v,
            "kappa": fold.kappa,
        })).collect::<Vec<_>>(),
        "baselines": Judged::report_baselines(table, snapshot.baseline.as_ref()),
    })
}

/// Of a fit that was stopped, the best place so far.
fn unfinished(snapshot: &OwnSnapshot) -> Value {
    let place = snapshot.best_search().and_then(|end| end.place.as_ref());
    let best = place.map(
        |p| json!({ "value": p.value, "sigma2": p.sigma2, "v": p.v, "kappa": p.kappa, "weights": p.weights }),
    );
    json!({ "fit_best": best, "fit_trace": trace(snapshot) })
}

fn trace(snapshot: &OwnSnapshot) -> Vec<Value> {
    let row = |e: Evaluation| json!({ "value": e.value, "sigma2": e.sigma2, "v": e.v, "kappa": e.kappa });
    snapshot.evaluations().map(|(_, evaluation)| row(evaluation)).collect()
}

/// The scalar results of one solve.
fn scalars(attempt: &Attempt, tests: usize) -> Map<String, Value> {
    let scores = attempt.scores.as_ref();
    let mut report = Map::new();
    let all = json!({
        // The naive theory's −G is none.
        "ln_evidence": scores.and_then(|s| s.ln_evidence),
        "minus_g": scores.map(|s| s.minus_g),
        "ln_loo": scores.map(|s| s.ln_loo),
        "test_errors": scores.filter(|_| tests > 0).map(|s| s.test_errors),
        "test_examples": tests,
        "loo_errors": scores.map(|s| s.loo_errors),
        "train_errors": scores.map(|s| s.train_errors),
        "outer_iterations": attempt.outer_iterations,
        "newton_solves": attempt.newton_solves,
        "residual": attempt.residual,
        "sigma2": attempt.sigma2,
        "kappa": attempt.kappa,
        "v": attempt.v,
    });
    extend(&mut report, all);
    report
}

fn extend(report: &mut Map<String, Value>, more: Value) {
    if let Value::Object(more) = more {
        report.extend(more);
    }
}

fn prediction(said: &Prediction) -> Value {
    json!({ "mean": said.mean, "var": said.var, "p": said.p })
}
