//! Layers of figures: the present result, the faded result of earlier settings, and the live companion over both.

use crate::figure::Figure;
use crate::render::Drawing;

/// A figure with its role on the page.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Figure of a task.
    pub figure: Figure,
    /// Its role.
    pub role: Role,
}

/// Relation of a figure to the settings of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Result of the settings of the form.
    Current,
    /// Result of earlier settings.
    Stale,
}

/// Note before the caption of a result of earlier settings.
const BEFORE: &str = "Faded: results for the previous settings. ";
/// Note before the caption of a result of a run before the failed one.
const OUTLIVED: &str = "Faded: an earlier run, not the one that failed. ";

/// Combines layers into drawings: a figure whose id is already there is laid over that drawing.
pub fn overlay(layers: impl IntoIterator<Item = Layer>) -> Vec<Drawing> {
    let mut drawings: Vec<Drawing> = Vec::new();
    for Layer { figure, role } in layers {
        let mut drawing = Drawing::new(figure);
        if role == Role::Stale {
            stale(&mut drawing);
            drawing.note = BEFORE;
        }
        match drawings.iter_mut().find(|base| base.figure.id == drawing.figure.id) {
            Some(base) => lay_over(base, drawing),
            None => drawings.push(drawing),
        }
    }
    drawings
}

/// Replaces marks of `base` by those of `top` with the same key and appends the others. Axes and texts of `base` stay; ranges are
/// widened to contain both.
fn lay_over(base: &mut Drawing, top: Drawing) {
    let Drawing { figure: top, styles, .. } = top;
    let top = top.into_contents();
    for (mark, style) in top.marks.into_iter().zip(styles) {
        if let Some(index) = base.figure.marks.iter().position(|old| old.key() == mark.key()) {
            base.figure.marks[index] = mark;
            base.styles[index] = style;
        } else {
            base.figure.marks.push(mark);
            base.styles.push(style);
        }
    }
    // The caption describes the marks on top.
    if !top.caption.is_empty() && !base.note.is_empty() {
        (base.figure.caption, base.figure.finding) = (top.caption, top.finding.clone());
        base.figure.summary = top.summary;
        base.note = if base.styles.iter().any(|style| style.faint) { base.note } else { "" };
    }
    // Some runs leave the finding to their live companion.
    if base.figure.finding.is_empty() {
        base.figure.finding = top.finding;
    }
    if !top.notes.is_empty() {
        base.figure.notes = top.notes;
    }
    if top.handles.is_some() {
        base.figure.handles = top.handles;
    }
    base.figure.x.widen(&top.x);
    base.figure.y.widen(&top.y);
}

/// Fades all marks.
pub fn stale(drawing: &mut Drawing) {
    drawing.styles.iter_mut().for_each(|style| style.faint = true);
}

/// Fades the figure of a run before the failed one and adds a note.
pub fn outlived(drawing: &mut Drawing) {
    stale(drawing);
    drawing.note = OUTLIVED;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Curve, Hue, Mark, Point};

    fn layer(key: &str, y: f64, role: Role) -> Layer {
        let figure = Figure::new("curve", "")
            .y(Axis::linear("y", (0.0, y)))
            .mark(Curve::new(key, key, Hue::Ink).points([Point::new(0.5, y)]));
        Layer { figure, role }
    }

    fn faint(drawing: &Drawing) -> Vec<bool> {
        drawing.styles.iter().map(|style| style.faint).collect()
    }

    #[test]
    fn a_mark_of_the_same_key_is_replaced_and_another_is_added() {
        let same = overlay([layer("a", 1.0, Role::Stale), layer("a", 2.0, Role::Current)]);
        assert_eq!((same.len(), same[0].figure.y.range), (1, (0.0, 2.0)));
        let height = |mark: &Mark| mark.datum(0).unwrap().y;
        assert_eq!(same[0].figure.marks.iter().map(height).collect::<Vec<_>>(), [2.0]);
        assert_eq!(faint(&same[0]), [false]);
        let two = overlay([layer("a", 1.0, Role::Stale), layer("b", 2.0, Role::Current)]);
        assert_eq!(faint(&two[0]), [true, false]);
        assert_eq!(two[0].note, BEFORE);
    }

    #[test]
    fn what_follows_the_controls_says_what_is_seen() {
        let with = |layer: Layer, caption: &str| Layer { figure: layer.figure.caption(caption), ..layer };
        let old = || with(layer("a", 1.0, Role::Stale), "old");
        let drawn = overlay([old(), with(layer("a", 2.0, Role::Current), "new")]).remove(0);
        assert_eq!((drawn.figure.caption.as_str(), drawn.note), ("new", ""));
        let drawn = overlay([old(), with(layer("b", 2.0, Role::Current), "new")]).remove(0);
        assert_eq!((drawn.figure.caption.as_str(), drawn.note), ("new", BEFORE), "a is still faint");
        let drawn = overlay([old(), layer("a", 2.0, Role::Current)]).remove(0);
        assert_eq!((drawn.figure.caption.as_str(), drawn.note), ("old", BEFORE));
    }

    #[test]
    fn a_finding_is_that_of_the_live_figure_where_the_run_has_none() {
        let with =
            |finding: &str, role| Layer { figure: layer("a", 1.0, role).figure.finding(finding), role };
        let found = |run: &str, live: &str| {
            overlay([with(run, Role::Current), with(live, Role::Current)]).remove(0).figure.finding.clone()
        };
        assert_eq!((found("run", "live").as_str(), found("", "live").as_str()), ("run", "live"));
    }

    #[test]
    fn a_note_is_said_once() {
        let mut drawing = overlay([layer("a", 1.0, Role::Stale)]).remove(0);
        outlived(&mut drawing);
        outlived(&mut drawing);
        assert_eq!((drawing.note, faint(&drawing)), (OUTLIVED, vec![true]));
    }
}
