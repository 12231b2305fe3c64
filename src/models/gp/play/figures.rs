//! Maps of the plane: a probability as colour, the decision line, and the points.

use super::spec::PointSet;
use super::{Method, MethodRow, PlaySnapshot, PlaySpec, VIEW};
use crate::figure::{Axis, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point};
use crate::lab::Value;

/// The map of the chosen method, which the live one is laid over, and then one for each method.
pub fn compare(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Vec<Figure> {
    let methods = snapshot.methods();
    let truth = methods.iter().find(|row| row.method == Method::Sampled);
    let chosen = methods.iter().find(|row| row.method == spec.method);
    let mut figures: Vec<Figure> = chosen.map(|row| large(spec, row, truth)).into_iter().collect();
    figures.extend(methods.iter().map(|row| figure(spec, row, truth)));
    figures
}

/// The map that follows the controls.
pub fn live(spec: &PlaySpec, snapshot: &PlaySnapshot) -> Vec<Figure> {
    snapshot.rows.iter().map(|row| large(spec, row, None)).collect()
}

/// The large map, of whichever method is chosen.
fn large(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> Figure {
    let title = format!("Large map by {}", row.method.reads());
    let figure = figure(spec, row, truth).handles(handles(row));
    Figure { id: "map".into(), title, ..figure }
}

/// The points are a person's to edit.
fn handles(row: &MethodRow) -> Handles {
    let points = row.points.iter().map(|p| [p.0.into(), p.1.into(), p.2.into()]).collect();
    Handles::new(PlaySpec::FIELDS.points.key, &Value::Labelled(points))
        .with(PlaySpec::FIELDS.set.key, PointSet::Own)
        .count(PlaySpec::FIELDS.examples.key)
}

fn figure(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> Figure {
    let points = |label: f32| {
        let alike = row.points.iter().filter(move |p| p.2 == label);
        alike.map(|p| Point::new(p.0.into(), p.1.into()))
    };
    let wrong = row.points.iter().zip(&row.left_out_wrong).filter(|(_, wrong)| **wrong);
    let wrong = wrong.map(|(p, _)| Point::new(p.0.into(), p.1.into()));
    let mut curves = vec![
        Curve::new("plus", "+1", Hue::Orange).marker(Marker::Disc).points(points(1.0)),
        Curve::new("minus", "−1", Hue::Blue).marker(Marker::Square).points(points(-1.0)),
    ];
    if !row.left_out_wrong.is_empty() {
        curves.push(
            Curve::new("wrong", "misclassified when left out", Hue::Ink).marker(Marker::Circle).points(wrong),
        );
    }
    let map = (!row.map.is_empty()).then(|| {
        let plane = ((-VIEW.0, VIEW.0), (-VIEW.1, VIEW.1));
        Grid::map("map", "probability of +1", row.columns, row.map.clone(), plane, Colours::Probability)
            .contours([0.5])
    });
    Figure::new(row.method.word(), row.method.reads())
        .x(Axis::linear("first input, s₁", (-VIEW.0, VIEW.0)))
        .y(Axis::linear("second input, s₂", (-VIEW.1, VIEW.1)))
        .caption(caption(spec, row, truth))
        .summary(summary(row))
        .marks(map)
        .marks(curves)
}

fn caption(spec: &PlaySpec, row: &MethodRow, truth: Option<&MethodRow>) -> String {
    let name = row.method.reads();
    if let Some(why) = &row.failed {
        return format!("{name}: {why}.");
    }
    let what = match row.method {
        Method::Sampled => {
            let chains =
                row.chains.map_or("Markov chains".to_owned(), |c| format!("{} Markov chains", c.count));
            format!("probability of +1 under the exact posterior, by {} MCMC draws of {chains}", spec.draws)
        }
        _ => "probability of +1; on the line it is one half".to_owned(),
    };
    let loo = row.left_out_errors().map_or(String::new(), |errors| {
        format!(" Circled: {errors} of {} points misclassified in leave-one-out.", row.points.len())
    });
    let evidence = match (row.method, row.minus_g) {
        (Method::Naive, Some(g)) => {
            format!(" −G = {} (a poor estimate of the log evidence, not a bound).", signed(g))
        }
        (_, Some(evidence)) => format!(" Log evidence {}.", signed(evidence)),
        (_, None) => String::new(),
    };
    let far = truth.and_then(|truth| row.difference(truth)).map_or(String::new(), |(far, se)| {
        let se = se.map_or(String::new(), |se| match se {
            // But for rounding.
            ..1e-6 => " (all chains agree there)".to_owned(),
            ..5e-4 => " (Monte Carlo s.e. below 0.001)".to_owned(),
            se => format!(" (Monte Carlo s.e. {se:.3})"),
        });
        let apart = truth.and_then(|truth| truth.chains).is_some_and(|chains| !chains.agree());
        let apart = if apart { ", whose chains have not mixed," } else { "" };
        format!(" Largest difference from the exact posterior{apart} on this map: {far:.3}{se}.")
    });
    let apart = row.chains.filter(|chains| !chains.agree()).map_or(String::new(), |chains| {
        let why = match spec.kappa {
            0.0 => "they move slowly",
            _ => "the posterior is multimodal",
        };
        format!(
            " The chains have not mixed ({why}): treat this reference as approximate (effective sample size {:.0}). More draws \
             help.",
            chains.effective
        )
    });
    format!("{name}: {what}.{loo}{evidence}{far}{apart}")
}

/// A number with a true minus.
fn signed(x: f64) -> String {
    format!("{x:.3}").replace('-', "−")
}

fn summary(row: &MethodRow) -> String {
    let name = row.method.reads();
    let area = row.map.iter().filter(|p| **p > 0.5).count() as f64 / row.map.len().max(1) as f64;
    match row.left_out_errors() {
        _ if row.map.is_empty() => format!("{name}: there is no map."),
        Some(errors) => format!(
            "{name} classifies {:.0} % of the plane as +1; {errors} of {} points are misclassified in leave-one-out.",
            100.0 * area,
            row.points.len()
        ),
        None => format!("{name} classifies {:.0} % of the plane as +1.", 100.0 * area),
    }
}
