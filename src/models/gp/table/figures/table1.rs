//! A row of OW98 Table 1 beside ours.

use crate::data::TableSummary;
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, minus};
use crate::lab::labelled_table::{ClassWeights, empty_figure};
use crate::models::gp::solver::kernel::KernelKind;
use crate::models::gp::table::{Classifier, ClassifierSnapshot, Method, TableSpec};

/// Error rates in a row of OW98 Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedErrors {
    /// Test error.
    pub test: f64,
    /// Leave-one-out error by retraining.
    pub exact: f64,
    /// Estimated leave-one-out error.
    pub loo: f64,
}

/// Returns the row of the table for the kernel and method, if there is no noise and `table` has the sizes of the sonar data: 60 inputs,
/// 104 training rows and 104 test rows, standardised. The rows themselves are not compared.
pub fn printed(spec: &TableSpec, table: &TableSummary) -> Option<PrintedErrors> {
    let sizes = (table.names.len(), table.labels.len(), table.test_labels.len());
    let plain = spec.kappa == 0.0 && spec.v == 0.0 && spec.ard.is_empty() && !spec.is_tuned();
    if sizes != (60, 104, 104) || !plain || !spec.standardise {
        return None;
    }
    let row = |test, exact, loo| Some(PrintedErrors { test, exact, loo });
    match (spec.method, spec.kernel) {
        (Method::Tap | Method::Parallel | Method::Sequential, KernelKind::Arcsine) => {
            row(0.183, 0.260, 0.260)
        }
        (Method::Tap | Method::Parallel | Method::Sequential, KernelKind::Rbf) => row(0.077, 0.212, 0.212),
        (Method::Naive, KernelKind::Arcsine) => row(0.154, 0.269, 0.269),
        (Method::Naive, KernelKind::Rbf) => row(0.077, 0.221, 0.221),
        _ => None,
    }
}

/// Difference below which an error rate counts as the printed one, which has three decimals.
const AS_PRINTED: f64 = 6e-4;

/// Returns the figure of the printed error rates beside ours.
pub fn table1(snapshot: &ClassifierSnapshot, main: &Classifier, printed: PrintedErrors) -> Figure {
    let names = ["test", "exact LOO", "LOO"];
    let rows = [main.table.test_labels.len(), main.table.labels.len(), main.table.labels.len()];
    let scores = main.solve.scores.as_ref();
    let exact = snapshot
        .retrained_errors(ClassWeights::Equal)
        .filter(|(known, _)| *known == rows[1])
        .map(|(_, errors)| errors);
    let ours = [scores.map(|s| s.test_errors), exact, scores.map(|s| s.loo_errors)];
    let theirs = [printed.test, printed.exact, printed.loo];
    let point = |i: usize, y: f64| Point::new(i as f64 + 1.0, y);
    let rates = (0..3).filter_map(|i| Some(point(i, ours[i]? as f64 / rows[i] as f64)));
    let each = (0..3).map(|i| {
        let printed = format!("{} {:.3}", names[i], theirs[i]);
        let Some(errors) = ours[i] else { return printed };
        let rate = errors as f64 / rows[i] as f64;
        let difference = rate - theirs[i];
        let compared = if difference.abs() < AS_PRINTED {
            "as printed".to_owned()
        } else {
            minus(format_args!("{difference:+.3}"))
        };
        format!("{printed}, here {rate:.3} ({errors} of {}, {compared})", rows[i])
    });
    let sentence = format!("Printed: {}.", each.collect::<Vec<_>>().join("; "));
    let base = empty_figure(
        "table1",
        "Table 1 of the paper",
        Axis::categories("rows", names.map(str::to_owned).to_vec()),
        Axis::linear("error rate", (0.0, 0.35)),
    );
    let caption = format!(
        "A row of Table 1, which is for the sonar data: this table has as many rows and columns. {sentence} LOO: each row \
             predicted without itself, exactly by retraining. σ² is not printed; at other values of it there are other errors."
    );
    base.caption(caption).summary(sentence).marks([
        Curve::new("paper", "paper: sonar", Hue::Ink)
            .marker(Marker::Circle)
            .points((0..3).map(|i| point(i, theirs[i]))),
        Curve::new("ours", "here", Hue::Blue).marker(Marker::Disc).points(rates),
    ])
}
