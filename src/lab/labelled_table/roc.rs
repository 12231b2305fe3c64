//! ROC curves.

use super::scores::{NORMAL_95, PredictorRows};
use super::{empty_figure, unit_axis};
use crate::figure::{Axis, Curve, Dot, Figure, Hue, Mark, Marker, Point, Points, Stroke};
use crate::math::scores::{RocPoint, auc, roc};

/// Returns the ROC curves of the first four predictors for the class `plus`, with the point of the decision `threshold`. Without any
/// predictor only the axes are shown.
pub fn roc_figure(plus: &str, predictors: &[PredictorRows], threshold: f64) -> Figure {
    const STYLES: [(Hue, Stroke, Marker); 4] = [
        (Hue::Orange, Stroke::Solid, Marker::Disc),
        (Hue::Blue, Stroke::Solid, Marker::Square),
        (Hue::Green, Stroke::Dashed, Marker::Diamond),
        (Hue::Purple, Stroke::Dotted, Marker::Triangle),
    ];
    let base =
        empty_figure("roc", "ROC curve", unit_axis("false-positive rate"), unit_axis("true-positive rate"));
    if predictors.is_empty() {
        return base;
    }
    let point = |at: &RocPoint| Point::new(at.false_positives, at.true_positives);
    let chance = [0.0, 1.0].map(|x| Point::new(x, x));
    let mut marks: Vec<Mark> =
        vec![Curve::new("chance", "chance", Hue::Ink).stroke(Stroke::Dotted).points(chance).into()];
    let mut areas = Vec::new();
    for (PredictorRows { key, name, rows, .. }, (hue, stroke, marker)) in predictors.iter().zip(STYLES) {
        let curve = roc(rows);
        // The last point whose rows are all above the threshold.
        let Some(at) = curve.iter().rfind(|at| at.threshold > threshold).copied() else { continue };
        marks
            .push(Curve::new(*key, name.as_str(), hue).stroke(stroke).points(curve.iter().map(point)).into());
        let (key, label) = (format!("{key}_threshold"), format!("{name}, threshold {threshold}"));
        let dot = Dot::new(point(&at), format!("threshold {threshold}"));
        marks.push(Points::new(key, label, hue, marker, [dot]).into());
        if let Some(auc) = auc(rows) {
            let interval = if auc.se.is_finite() {
                let end = |sign: f64| (auc.mean + sign * NORMAL_95 * auc.se).clamp(0.0, 1.0);
                format!(" (95 % interval {:.2}–{:.2})", end(-1.0), end(1.0))
            } else {
                String::new()
            };
            areas.push(format!("{:.3}{interval} for {name}", auc.mean));
        }
    }
    if areas.is_empty() {
        return base.saying("All predicted rows have the same class, so there is no ROC curve.");
    }
    let finding = format!("Area under the ROC curve: {}.", areas.join("; "));
    let axis = |label: String| Axis::linear(label, (-0.01, 1.01));
    base.x(axis(format!("false-positive rate, share of the others predicted {plus}")))
        .y(axis(format!("true-positive rate, share of {plus} predicted so")))
        .equal()
        .finding(finding.clone())
        .summary(finding)
        .caption(format!(
            "ROC curves: true-positive against false-positive rate of {plus} as the decision threshold varies; signs mark the \
             threshold {threshold}. The area is the probability that a row of {plus} is predicted to be more probably so than \
             another row; .5 is chance. Intervals: DeLong et al. (1988)."
        ))
        .marks(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_is_at_the_operating_point_of_the_threshold() {
        let rows = [(0.9, true), (0.6, false), (0.4, true), (0.1, false)];
        let predictors = [PredictorRows::new("test", "test rows", rows)];
        let at = |threshold| {
            let figure = roc_figure("y = yes", &predictors, threshold);
            let sign = figure.find("test_threshold").unwrap().data().next().unwrap();
            (sign.x, sign.y)
        };
        assert_eq!(at(0.5), (0.5, 0.5));
        assert_eq!(at(0.7), (0.0, 0.5));
        assert_eq!(at(0.6), (0.0, 0.5), "a row at the threshold is not above it");
        assert_eq!((at(0.0), at(1.0)), ((1.0, 1.0), (0.0, 0.0)));
        let finding = roc_figure("y = yes", &predictors, 0.5).finding.clone();
        assert!(finding.starts_with("Area under the ROC curve: 0.750 (95 % interval "), "{finding}");
        let one_row = [PredictorRows::new("test", "test rows", [(0.9, true)])];
        assert!(roc_figure("y", &one_row, 0.5).caption.contains("same class"));
    }
}
