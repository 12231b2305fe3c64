//! Calibration of predicted probabilities, and the error rate as a finding.

use super::{empty_figure, unit_axis};
use crate::data::TableSummary;
use crate::figure::{Band, Dot, Figure, Hue, Interval, Mark, Marker, Point, Points, Segments, Stroke};
use crate::math::stats::{Bin, binomial_interval, reliability};

/// Returns the figure of the observed frequency of the event `plus` over its predicted probability, in bins. Each row is a probability
/// and true if the event occurred. Without rows only the axes are shown.
pub fn reliability_figure(plus: &str, left_out: &[(f64, bool)], test: &[(f64, bool)]) -> Figure {
    let predicted = unit_axis("predicted probability, p");
    let base = empty_figure("reliability", "Reliability", predicted, unit_axis("observed frequency"));
    if left_out.is_empty() && test.is_empty() {
        return base;
    }
    let mut marks: Vec<Mark> = vec![
        Segments::new("diagonal", "calibrated", Hue::Ink, Stroke::Dashed, [[(0.0, 0.0), (1.0, 1.0)]]).into(),
    ];
    let mut verdicts = Vec::new();
    for (key, label, rows, hue, marker, events) in [
        ("left_out", "leave-one-out", "In leave-one-out", Hue::Blue, Marker::Disc, left_out),
        ("test", "test", "in the test rows", Hue::Orange, Marker::Square, test),
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

/// Returns the test error or, if there are no test rows, the leave-one-out error as a sentence. Ties count half.
pub fn error_rate_finding(table: &TableSummary, test_errors: f64, loo_errors: f64) -> String {
    match table.test_labels.len() {
        0 => error_rate("Leave-one-out error", loo_errors, table.labels.len()),
        tests => error_rate("Test error", test_errors, tests),
    }
}

/// `Test error 20.8 % (5 of 24; 95 % interval 7–42 %).`
fn error_rate(name: &str, errors: f64, rows: usize) -> String {
    if rows == 0 {
        return format!("{name}: no rows.");
    }
    let (low, _) = binomial_interval(errors.floor() as usize, rows);
    let (_, high) = binomial_interval((errors.ceil() as usize).min(rows), rows);
    format!(
        "{name} {:.1} % ({errors} of {rows}; 95 % interval {:.0}–{:.0} %).",
        100.0 * errors / rows as f64,
        100.0 * low,
        100.0 * high
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_rate_has_a_confidence_interval() {
        let sentence = error_rate("Test error", 5.0, 24);
        assert_eq!(sentence, "Test error 20.8 % (5 of 24; 95 % interval 7–42 %).");
        let tie = error_rate("Test error", 0.5, 2);
        assert_eq!(tie, "Test error 25.0 % (0.5 of 2; 95 % interval 0–99 %).");
    }

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
