//! Whether the predictions can be believed: their probabilities, and the rows left out by the theory.

use super::{MINUS, PLUS, class, empty, point, solved};
use crate::figure::{Axis, Curve, Figure, Hue, Marker, Stroke};
use crate::lab::reliability_figure;
use crate::models::gp::table::{OwnSnapshot, Prediction};

/// Predicted probabilities in bins against the share that they came true, of training rows left out and of test rows.
pub fn reliability(snapshot: &OwnSnapshot) -> Figure {
    let base = reliability_base();
    let Some((main, solved)) = solved(snapshot) else { return base };
    let rows = |said: &[Prediction], labels: &[f64]| {
        said.iter().zip(labels).map(|(said, tau)| (said.p, *tau > 0.0)).collect::<Vec<_>>()
    };
    let (left_out, test) =
        (rows(&solved.left_out, &main.table.labels), rows(&solved.test, &main.table.test_labels));
    reliability_figure(base, &class(main, 1.0), &left_out, &test)
}

pub(super) fn reliability_base() -> Figure {
    let axis = |label: &str| Axis::linear(label, (0.0, 1.0));
    empty("reliability", "Reliability", axis("predicted probability, p"), axis("observed frequency"))
}

/// Rows left out by the theory against rows left out by training anew.
pub fn exact(snapshot: &OwnSnapshot) -> Figure {
    let unit = (-0.02, 1.02);
    let base = empty(
        "exact",
        "Leave-one-out: estimate and retraining",
        Axis::linear("estimate, p", unit),
        Axis::linear("by retraining, p", unit),
    );
    let Some((main, solved)) = solved(snapshot) else { return base };
    let known: Vec<(f64, Prediction, Prediction)> = (snapshot.retrained.iter())
        .filter_map(|r| Some((*main.table.labels.get(r.row)?, *solved.left_out.get(r.row)?, r.prediction?)))
        .collect();
    let of = |sign: f64| {
        let rows = known.iter().filter(move |(tau, ..)| *tau == sign);
        rows.map(|(_, theory, exact)| point(theory.p, exact.p))
    };
    let far = known.iter().fold(0.0_f64, |most, (_, theory, exact)| most.max((theory.p - exact.p).abs()));
    let other = known.iter().filter(|(tau, theory, exact)| theory.misses(*tau) != exact.misses(*tau)).count();
    let rows = main.table.labels.len();
    let sentence = format!(
        "{} of {rows} rows were left out by training anew; {other} of them are judged differently, and no probability differs \
         by more than {far:.3}.",
        known.len(),
    );
    let caption = format!(
        "Each training row predicted from the others: by the approximation from one solution, and by retraining. {sentence}"
    );
    base.caption(caption).summary(sentence).marks([
        Curve::new("diagonal", "equal", Hue::Ink)
            .stroke(Stroke::Dashed)
            .points([0.0, 1.0].map(|x| point(x, x))),
        Curve::new("minus", class(main, -1.0), MINUS).marker(Marker::Square).points(of(-1.0)),
        Curve::new("plus", class(main, 1.0), PLUS).marker(Marker::Disc).points(of(1.0)),
    ])
}
