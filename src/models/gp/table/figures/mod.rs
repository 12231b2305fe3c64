//! What is shown of a classifier: predictions by row, what they are worth, and how they came about.

mod checks;
mod inputs;
mod predictions;
mod search;
mod several;
mod table1;
mod worth;

use super::{FitBy, Main, OwnSnapshot, OwnSpec, Solved, table1 as paper};
use crate::figure::{Axis, Figure, Hue, Point};

/// The figures that the settings ask for; without a solution only their axes.
pub fn figures(spec: &OwnSpec, snapshot: &OwnSnapshot) -> Vec<Figure> {
    if !snapshot.classes.is_empty() {
        return several::figures(spec, snapshot);
    }
    let mut figures = vec![predictions::predictions(spec, snapshot)];
    if let Some(named) = &spec.predict {
        figures.push(predictions::second(&named.name, snapshot));
    }
    let main = snapshot.main.as_ref();
    if let Some((main, printed)) = main.and_then(|main| Some((main, paper::printed(spec, &main.table)?))) {
        figures.push(table1::table1(snapshot, main, printed));
    }
    figures.push(worth::scores(spec, snapshot));
    figures.push(worth::confusion(spec, snapshot));
    figures.push(worth::roc(spec, snapshot));
    figures.push(checks::reliability(snapshot));
    if spec.exact_loo {
        figures.push(checks::exact(snapshot));
    }
    if spec.fit_ard && spec.fit != FitBy::Nothing || !spec.ard.is_empty() {
        figures.push(inputs::weights(snapshot));
    }
    if !spec.sigma2_grid.is_empty() {
        figures.push(search::evidence(spec, snapshot));
        figures.push(search::errors(spec, snapshot));
    }
    if spec.fit != FitBy::Nothing {
        figures.push(search::fit(spec, snapshot));
    }
    figures.push(search::residuals(spec, snapshot));
    if main.is_some_and(|main| main.attempt.ending.is_some() && main.solved.is_none()) {
        // What went wrong is seen first, and nothing of what there is not.
        figures.rotate_right(1);
        figures.retain(|figure| figure.caption != NOT_YET);
    }
    figures
}

const NOT_YET: &str = "There is no solution yet.";

/// Colours of the two classes, as in the playground.
const PLUS: Hue = Hue::Orange;
const MINUS: Hue = Hue::Blue;

/// The classifier with its solution, where there is one.
fn solved(snapshot: &OwnSnapshot) -> Option<(&Main, &Solved)> {
    let main = snapshot.main.as_ref()?;
    Some((main, main.solved.as_ref()?))
}

/// A figure with nothing in it yet.
fn empty(id: &str, title: &str, x: Axis, y: Axis) -> Figure {
    Figure::new(id, title).x(x).y(y).caption(NOT_YET).summary(NOT_YET)
}

fn point(x: f64, y: f64) -> Point {
    Point::new(x, y)
}

/// `8 of 104 (7.7 %)`.
fn share(part: usize, all: usize) -> String {
    format!("{part} of {all} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
}

/// What the label's values are called: `label = value`, −1 first.
fn class(main: &Main, sign: f64) -> String {
    main.table.class(sign)
}
