//! Calibration of predicted probabilities, as every classifier shows it.

use crate::data::TableSummary;
use crate::figure::{Axis, Band, Dot, Figure, Hue, Interval, Mark, Marker, Point, Points, Segments, Stroke};
use crate::math::stats::{Bin, binomial_interval, reliability};

/// Rows in bins by the predicted probability of the class `plus`, against the share of them that is of it: of training rows left out
/// and of test rows, each a probability and whether it came true.
pub fn reliability_figure(
    base: Figure,
    plus: &str,
    left_out: &[(f64, bool)],
    test: &[(f64, bool)],
) -> Figure {
    let unit = (0.0, 1.0);
    let mut marks: Vec<Mark> = vec![
        Segments::new("diagonal", "calibrated", Hue::Ink, Stroke::Dashed, [[(0.0, 0.0), (1.0, 1.0)]]).into(),
    ];
    let mut words = Vec::new();
    for (key, label, whose, hue, marker, bins) in [
        (
            "left_out",
            "leave-one-out",
            "In leave-one-out",
            Hue::Blue,
            Marker::Disc,
            reliability(left_out.iter().copied()),
        ),
        ("test", "test", "in the test rows", Hue::Orange, Marker::Square, reliability(test.iter().copied())),
    ] {
        if !bins.is_empty() {
            words.push(format!("{whose}, {}", Bin::verdict(&bins)));
            marks.extend(reliability_marks(key, label, hue, marker, &bins));
        }
    }
    let sentence = format!("{}.", words.join("; "));
    let caption = format!(
        "Reliability of the probabilities: rows in bins by the predicted probability of {plus}, against the observed share; larger \
         signs are more rows. Bands: one standard error around calibrated predictions. {sentence}"
    );
    base.x(Axis::linear("predicted probability, p", unit))
        .y(Axis::linear(format!("observed frequency of {plus}"), unit))
        .caption(caption)
        .summary(sentence)
        .marks(marks)
}

/// Observed shares by predicted probability, larger signs for more rows, over the band where calibrated predictions would lie
/// to one standard error.
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

/// The errors on test rows as a headline, or those of training rows left out where there are none.
pub fn table_headline(table: &TableSummary, test_errors: f64, loo_errors: f64) -> String {
    let (what, errors, rows) = match table.test_labels.len() {
        0 => ("Leave-one-out error", loo_errors, table.labels.len()),
        tests => ("Test error", test_errors, tests),
    };
    error_headline(what, errors, rows) + "."
}

/// An error rate as a headline: `Test error 20.8 % (5 of 24; 95 % interval 7–42 %)`.
fn error_headline(what: &str, errors: f64, rows: usize) -> String {
    if rows == 0 {
        return format!("{what}: no rows");
    }
    // Ties count half.
    let (low, _) = binomial_interval(errors.floor() as usize, rows);
    let (_, high) = binomial_interval((errors.ceil() as usize).min(rows), rows);
    format!(
        "{what} {:.1} % ({errors} of {rows}; 95 % interval {:.0}–{:.0} %)",
        100.0 * errors / rows as f64,
        100.0 * low,
        100.0 * high
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_with_its_interval() {
        let said = error_headline("Test error", 5.0, 24);
        assert_eq!(said, "Test error 20.8 % (5 of 24; 95 % interval 7–42 %)");
        assert_eq!(
            error_headline("Test error", 0.5, 2),
            "Test error 25.0 % (0.5 of 2; 95 % interval 0–99 %)"
        );
    }

    #[test]
    fn the_band_is_around_what_was_predicted_and_more_rows_are_larger() {
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
