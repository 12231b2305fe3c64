//! Leave-one-out: the estimate against retraining.

use super::{MINUS, PLUS};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Point, Stroke};
use crate::lab::labelled_table::empty_figure;
use crate::models::gp::solver::prediction::Prediction;
use crate::models::gp::table::ClassifierSnapshot;

/// Returns the figure of the probabilities by retraining over the leave-one-out estimates.
pub fn exact(snapshot: &ClassifierSnapshot) -> Figure {
    let unit = (-0.02, 1.02);
    let base = empty_figure(
        "exact",
        "Leave-one-out: estimate and retraining",
        Axis::linear("estimate, p", unit),
        Axis::linear("by retraining, p", unit),
    );
    let Some((main, solution)) = snapshot.solved() else { return base };
    let (table, estimates) = (&main.table, &solution.predictions.left_out);
    let rows: Vec<(f64, Prediction, Prediction)> = (snapshot.retrained.iter())
        .filter_map(|r| Some((*table.labels.get(r.row)?, *estimates.get(r.row)?, r.prediction?)))
        .collect();
    let of_class = |sign: f64| {
        let rows = rows.iter().filter(move |(label, ..)| *label == sign);
        rows.map(|(_, estimate, exact)| Point::new(estimate.p, exact.p))
    };
    let difference =
        rows.iter().fold(0.0_f64, |most, (_, estimate, exact)| most.max((estimate.p - exact.p).abs()));
    let differing = rows
        .iter()
        .filter(|(label, estimate, exact)| estimate.misses(*label) != exact.misses(*label))
        .count();
    let sentence = format!(
        "{} of {} rows were left out by retraining; {differing} of them are classified differently, and no probability differs by \
         more than {difference:.3}.",
        rows.len(),
        table.labels.len(),
    );
    let caption = format!(
        "Each training row predicted from the others: by the approximation from one solution, and by retraining. {sentence}"
    );
    base.caption(caption).summary(sentence).marks([
        Curve::new("diagonal", "equal", Hue::Ink)
            .stroke(Stroke::Dashed)
            .points([0.0, 1.0].map(|x| Point::new(x, x))),
        Curve::new("minus", table.class(-1.0), MINUS).marker(Marker::Square).points(of_class(-1.0)),
        Curve::new("plus", table.class(1.0), PLUS).marker(Marker::Disc).points(of_class(1.0)),
    ])
}
