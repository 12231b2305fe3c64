//! A row of the paper's Table 1 beside ours.

use super::{empty, point};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, minus};
use crate::models::gp::table::table1::Printed;
use crate::models::gp::table::{Main, OwnSnapshot};

/// Shares of errors: printed, and reached here.
pub fn table1(snapshot: &OwnSnapshot, main: &Main, printed: Printed) -> Figure {
    let names = ["test", "exact LOO", "LOO"];
    let rows = [main.table.test_labels.len(), main.table.labels.len(), main.table.labels.len()];
    let scores = main.attempt.scores.as_ref();
    let complete = snapshot.exact_errors().filter(|(known, _)| *known == rows[1]).map(|(_, wrong)| wrong);
    let ours = [scores.map(|s| s.test_errors), complete, scores.map(|s| s.loo_errors)];
    let theirs = [printed.test, printed.exact, printed.loo];
    let place = |i: usize, y: f64| point(i as f64 + 1.0, y);
    let shares = (0..3).filter_map(|i| Some(place(i, ours[i]? as f64 / rows[i] as f64)));
    let each = (0..3).map(|i| {
        let printed = format!("{} {:.3}", names[i], theirs[i]);
        ours[i].map_or(printed.clone(), |wrong| {
            let share = wrong as f64 / rows[i] as f64;
            // Printed with three digits.
            let difference = share - theirs[i];
            let said = if difference.abs() < 6e-4 {
                "as printed".to_owned()
            } else {
                minus(format_args!("{difference:+.3}"))
            };
            format!("{printed}, here {share:.3} ({wrong} of {}, {said})", rows[i])
        })
    });
    let sentence = format!("Printed: {}.", each.collect::<Vec<_>>().join("; "));
    let base = empty(
        "table1",
        "Table 1 of the paper",
        Axis::categories("rows", names.map(str::to_owned).to_vec()),
        Axis::linear("error rate", (0.0, 0.35)),
    );
    let caption = format!(
        "A row of Table 1, which is for the sonar data: this table has as many rows and columns. {sentence} LOO: each row \
             predicted without itself, exactly by training anew. σ² is not printed; at other values of it there are other errors."
    );
    base.caption(caption).summary(sentence).marks([
        Curve::new("paper", "paper: sonar", Hue::Ink)
            .marker(Marker::Circle)
            .points((0..3).map(|i| place(i, theirs[i]))),
        Curve::new("ours", "here", Hue::Blue).marker(Marker::Disc).points(shares),
    ])
}
