//! Whether the predictions can be believed: their probabilities, and the rows left out by the theory.

use super::{MINUS, PLUS, class, empty, point};
use crate::figure::{Axis, Curve, Figure, Hue, Mark, Marker, Segments, Stroke};
use crate::lab::reliability_marks;
use crate::math::stats::{self, Bin};
use crate::models::gp::table::{OwnSnapshot, Prediction};

/// Predicted probabilities in bins against the share that they came true, of training rows left out and of test rows.
pub fn reliability(snapshot: &OwnSnapshot) -> Figure {
    let unit = (0.0, 1.0);
    let base = empty(
        "reliability",
        "Reliability",
        Axis::linear("predicted probability, p", unit),
        Axis::linear("observed frequency", unit),
    );
    let solved = snapshot.main.as_ref().and_then(|main| Some((main, main.solved.as_ref()?)));
    let Some((main, solved)) = solved else { return base };
    let left_out = bins(&solved.left_out, &main.table.labels);
    let test = bins(&solved.test, &main.table.test_labels);
    let mut marks: Vec<Mark> = vec![
        Segments::new("diagonal", "calibrated", Hue::Ink, Stroke::Dashed, [[(0.0, 0.0), (1.0, 1.0)]]).into(),
    ];
    let mut words = Vec::new();
    for (key, label, whose, hue, marker, bins) in [
        ("left_out", "leave-one-out", "In leave-one-out", Hue::Blue, Marker::Disc, left_out),
        ("test", "test", "in the test rows", Hue::Orange, Marker::Square, test),
    ] {
        if bins.is_empty() {
            continue;
        }
        words.push(format!("{whose}, {}", Bin::verdict(&bins)));
        marks.extend(reliability_marks(key, label, hue, marker, &bins));
    }
    let sentence = format!("{}.", words.join("; "));
    let plus = class(main, 1.0);
    let caption = format!(
        "Reliability of the probabilities: rows in bins by the predicted probability of {plus}, against the observed share; larger \
             signs are more rows. Bands: one standard error around calibrated predictions. {sentence}"
    );
    base.y(Axis::linear(format!("observed frequency of {plus}"), unit))
        .caption(caption)
        .summary(sentence)
        .marks(marks)
}

/// What was said of rows, in bins.
fn bins(said: &[Prediction], labels: &[f64]) -> Vec<Bin> {
    stats::reliability(said.iter().zip(labels).map(|(said, tau)| (said.p, *tau > 0.0)))
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
    let solved = snapshot.main.as_ref().and_then(|main| Some((main, main.solved.as_ref()?)));
    let Some((main, solved)) = solved else { return base };
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
