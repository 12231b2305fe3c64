//! Calibration of predicted probabilities.

use super::{empty_figure, unit_axis};
use crate::figure::{Band, Dot, Figure, Hue, Interval, Mark, Marker, Point, Points, Segments, Stroke};
use crate::math::stats::{Bin, reliability};

/// Returns the figure of the observed frequency of the event `plus` over its predicted probability, in bins. Each row is a probability
/// and true if the event occurred. Training rows are predicted by leave-one-out or, given `folds`, in folds. Without rows only the axes
/// are shown.
pub fn reliability_figure(
    plus: &str,
    train: &[(f64, bool)],
    folds: Option<usize>,
    test: &[(f64, bool)],
) -> Figure {
    let predicted = unit_axis("predicted probability, p");
    let base = empty_figure("reliability", "Reliability", predicted, unit_axis("observed frequency"));
    if train.is_empty() && test.is_empty() {
        return base;
    }
    let mut marks: Vec<Mark> = vec![
        Segments::new("diagonal", "calibrated", Hue::Ink, Stroke::Dashed, [[(0.0, 0.0), (1.0, 1.0)]]).into(),
    ];
    let mut verdicts = Vec::new();
    let (key, label) = match folds {
        None => ("left_out", "leave-one-out".to_owned()),
        Some(folds) => ("folds", format!("{folds} folds")),
    };
    for (key, label, rows, hue, marker, events) in [
        (key, label.as_str(), format!("In {label}"), Hue::Blue, Marker::Disc, train),
        ("test", "test", "in the test rows".to_owned(), Hue::Orange, Marker::Square, test),
    ] {
        let bins = reliability(events.iter().copied());
        if !bins.is_empty() {
            verdicts.push(format!("{rows}, {}", Bin::verdict(&bins)));
            marks.extend(reliability_marks(key, label, hue, marker, &bins));
        }
    }
    let sentence = format!("{}.", verdicts.join("; "));
    let caption = format!(
        "Reliability of the probabilities: rows in bins by the predicted probability of {plus}, against the observed share; larger \
         signs are more rows. Bands: one standard error around calibrated predictions. {sentence}"
    );
    base.y(unit_axis(&format!("observed frequency of {plus}")))
        .caption(caption)
        .summary(sentence)
        .marks(marks)
}

/// Returns the observed shares, with larger signs for more rows, and the band of one standard error around calibrated predictions.
fn reliability_marks(key: &str, label: &str, hue: Hue, marker: Marker, bins: &[Bin]) -> [Mark; 2] {
    let most = bins.iter().map(|bin| bin.rows).max().unwrap_or(1) as f64;
    let expected = bins.iter().map(|bin| Interval {
        x: bin.predicted,
        lower: (bin.predicted - bin.se).max(0.0),
        upper: (bin.predicted + bin.se).min(1.0),
    });
    let dot = |bin: &Bin| {
        let rows = if bin.rows == 1 { "1 row".to_owned() } else { format!("{} rows", bin.rows) };
        Dot::new(Point::new(bin.predicted, bin.observed), rows)
            .size(0.7 + 0.8 * (bin.rows as f64 / most).sqrt())
    };
    let name = format!("{label}: one s.e. if calibrated");
    [
        Band::new(format!("{key}_expected"), name, hue, expected).into(),
        Points::new(key, label, hue, marker, bins.iter().map(dot)).into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_is_around_the_prediction_and_more_rows_are_larger() {
        let bin = |predicted, observed, rows| Bin { predicted, observed, se: 0.25, rows };
        let [band, points] =
            reliability_marks("a", "a", Hue::Blue, Marker::Disc, &[bin(0.1, 0.5, 1), bin(0.5, 0.25, 9)]);
        let ends = |i: usize| ["lower", "upper"].map(|name| band.datum(i).unwrap().get(name).unwrap());
        assert_eq!([ends(0), ends(1)], [[0.0, 0.35], [0.25, 0.75]]);
        let Mark::Points(points) = points else { panic!("points") };
        assert_eq!((points.dots[0].label.as_str(), points.dots[1].label.as_str()), ("1 row", "9 rows"));
        assert!(points.dots[0].size < points.dots[1].size);
    }
}
