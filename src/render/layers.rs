//! Figures of several runs laid over each other: the current result, a result for earlier settings, and the figures of a live
//! companion.

use super::Drawing;
use crate::figure::Figure;

/// A figure of one run.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The figure.
    pub figure: Figure,
    /// True if it belongs to earlier settings; then it is drawn faint.
    pub stale: bool,
}

/// Note before the caption of a figure for earlier settings.
const PREVIOUS_SETTINGS: &str = "Faded: results for the previous settings. ";
/// Note before the caption of a figure of the run before a failed one.
const EARLIER_RUN: &str = "Faded: an earlier run, not the one that failed. ";

/// Combines layers, the lowest first: a figure is laid over an earlier one with the same id.
pub fn overlay(layers: impl IntoIterator<Item = Layer>) -> Vec<Drawing> {
    let mut drawings: Vec<Drawing> = Vec::new();
    for Layer { figure, stale } in layers {
        let mut drawing = Drawing::new(figure);
        if stale {
            drawing.fade();
            drawing.note = PREVIOUS_SETTINGS;
        }
        match drawings.iter_mut().find(|base| base.figure.id == drawing.figure.id) {
            Some(base) => base.lay_over(drawing),
            None => drawings.push(drawing),
        }
    }
    drawings
}

impl Drawing {
    /// Replaces the marks of the same key with those of `top`, except final results for the present settings, and adds its other
    /// marks. Ranges grow to hold both.
    fn lay_over(&mut self, top: Self) {
        let Self { figure: top, styles, .. } = top;
        let settled: Vec<bool> =
            self.marks().map(|(mark, style)| mark.info().settled && !style.faint).collect();
        let panels: Vec<usize> = self.figure.marks.iter().map(|mark| mark.info().panel).collect();
        let is_settled = |panel: usize| panels.iter().zip(&settled).any(|(of, done)| *of == panel && *done);
        self.figure.widen(&top);
        self.figure.retitle(&top, |panel| !is_settled(panel));
        for (mark, style) in top.marks.into_iter().zip(styles) {
            if let Some(index) = self.figure.marks.iter().position(|old| old.key() == mark.key()) {
                if settled.get(index) != Some(&true) {
                    self.figure.marks[index] = mark;
                    self.styles[index] = style;
                }
            } else {
                self.figure.marks.push(mark);
                self.styles.push(style);
            }
        }
        // A caption over a stale figure describes the new marks.
        if !top.caption.is_empty() && !self.note.is_empty() {
            (self.figure.caption, self.figure.finding) = (top.caption, top.finding.clone());
            self.figure.summary.clone_from(&top.summary);
            self.note = if self.styles.iter().any(|style| style.faint) { self.note } else { "" };
        }
        if self.figure.finding.is_empty() && !top.finding.is_empty() {
            (self.figure.finding, self.figure.summary) = (top.finding, top.summary);
        }
        // A note points at the marks of its panel.
        if !top.notes.is_empty() {
            self.figure.notes.retain(|note| is_settled(note.panel));
            self.figure.notes.extend(top.notes.into_iter().filter(|note| !is_settled(note.panel)));
        }
        if top.handles.is_some() {
            self.figure.handles = top.handles;
        }
    }

    /// Draws all marks faint.
    pub fn fade(&mut self) {
        self.styles.iter_mut().for_each(|style| style.faint = true);
    }

    /// Marks the drawing as one of the run before a failed one.
    pub fn outdate(&mut self) {
        self.fade();
        self.note = EARLIER_RUN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Curve, Hue, Mark, Panel, Point};

    fn layer(key: &str, y: f64, stale: bool) -> Layer {
        let figure = Figure::new("curve", "")
            .y(Axis::linear("y", (0.0, y)))
            .mark(Curve::new(key, key, Hue::Ink).points([Point::new(0.5, y)]));
        Layer { figure, stale }
    }

    fn faint(drawing: &Drawing) -> Vec<bool> {
        drawing.styles.iter().map(|style| style.faint).collect()
    }

    #[test]
    fn marks_with_the_same_key_are_replaced_and_others_added() {
        let same = overlay([layer("a", 1.0, true), layer("a", 2.0, false)]);
        assert_eq!((same.len(), same[0].figure.y.range), (1, (0.0, 2.0)));
        let height = |mark: &Mark| mark.datum(0).unwrap().y;
        assert_eq!(same[0].figure.marks.iter().map(height).collect::<Vec<_>>(), [2.0]);
        assert_eq!(faint(&same[0]), [false]);
        let two = overlay([layer("a", 1.0, true), layer("b", 2.0, false)]);
        assert_eq!(faint(&two[0]), [true, false]);
        assert_eq!(two[0].note, PREVIOUS_SETTINGS);
    }

    /// Regression: the note of a final curve pointed at the curve of the live companion, which was not drawn.
    #[test]
    fn notes_stay_with_final_results() {
        let noted = |y: f64, settled: bool, stale: bool| {
            let mut layer = layer("a", y, stale);
            layer.figure = layer.figure.note((0.5, y), "here");
            layer.figure.marks[0].info_mut().settled = settled;
            layer
        };
        let notes = |layers: [Layer; 2]| -> Vec<f64> {
            overlay(layers)[0].figure.notes.iter().map(|note| note.at[1]).collect()
        };
        assert_eq!(notes([noted(1.0, true, false), noted(2.0, false, false)]), [1.0]);
        assert_eq!(notes([noted(1.0, true, true), noted(2.0, false, false)]), [2.0]);
        assert_eq!(notes([noted(1.0, false, false), noted(2.0, false, false)]), [2.0]);
    }

    #[test]
    fn final_results_for_the_present_settings_stay() {
        let settled = |y: f64, stale: bool| {
            let mut layer = layer("a", y, stale);
            layer.figure.marks[0].info_mut().settled = true;
            layer
        };
        let height = |drawings: Vec<Drawing>| drawings[0].figure.marks[0].datum(0).unwrap().y;
        assert_eq!(height(overlay([settled(1.0, false), layer("a", 2.0, false)])), 1.0);
        assert_eq!(height(overlay([layer("a", 1.0, false), settled(2.0, false)])), 2.0);
        let moved = overlay([settled(1.0, true), layer("a", 2.0, false)]);
        assert_eq!(faint(&moved[0]), [false], "the controls have moved");
        assert_eq!(height(moved), 2.0);
    }

    #[test]
    fn the_title_of_a_panel_is_that_of_its_marks() {
        let panels = |titles: [&str; 2], settled: bool| {
            let panels = titles.map(|title| {
                let axis = || Axis::linear("", (0.0, 1.0));
                Panel::new(title, axis(), axis()).titled(title, Hue::Ink)
            });
            let curve = |key: &str| Curve::new(key, key, Hue::Ink).points([Point::new(0.5, 0.5)]);
            let figure = Figure::new("f", "").panels(2, panels);
            let figure = figure.on(0, [curve("a").settled_if(settled)]).on(1, [curve("b")]);
            Layer { figure, stale: false }
        };
        let drawn = overlay([panels(["best of 3", "start 1"], true), panels(["live", "live"], false)]);
        let titles: Vec<&str> =
            drawn[0].figure.all_panels().iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["best of 3", "live"]);
    }

    #[test]
    fn the_caption_is_that_of_the_uppermost_layer() {
        let with = |layer: Layer, caption: &str| Layer { figure: layer.figure.caption(caption), ..layer };
        let old = || with(layer("a", 1.0, true), "old");
        let drawn = overlay([old(), with(layer("a", 2.0, false), "new")]).remove(0);
        assert_eq!((drawn.figure.caption.as_str(), drawn.note), ("new", ""));
        let drawn = overlay([old(), with(layer("b", 2.0, false), "new")]).remove(0);
        assert_eq!(
            (drawn.figure.caption.as_str(), drawn.note),
            ("new", PREVIOUS_SETTINGS),
            "a is still faint"
        );
        let drawn = overlay([old(), layer("a", 2.0, false)]).remove(0);
        assert_eq!((drawn.figure.caption.as_str(), drawn.note), ("old", PREVIOUS_SETTINGS));
    }

    #[test]
    fn faint_marks_are_noted_only_if_they_are_drawn() {
        let hidden = Curve::new("draws", "draws", Hue::Ink).points([Point::new(0.5, 1.0)]).hidden();
        let mut base = layer("a", 1.0, true);
        base.figure = base.figure.mark(hidden);
        let mut drawn = overlay([base, layer("a", 2.0, false)]).remove(0);
        assert_eq!((faint(&drawn), drawn.shown_note()), (vec![false, true], ""));
        drawn.styles[1].hidden = false;
        assert_eq!(drawn.shown_note(), PREVIOUS_SETTINGS);
    }

    #[test]
    fn finding_and_summary_of_a_live_figure_replace_those_of_one_without_a_finding() {
        let with = |finding: &str, summary: &str| {
            let figure = layer("a", 1.0, false).figure.finding(finding).summary(summary);
            Layer { figure, stale: false }
        };
        let found = |run: &str| {
            let figure = overlay([with(run, "of the run"), with("live", "live")]).remove(0).figure;
            (figure.finding, figure.summary)
        };
        assert_eq!(found("run"), ("run".to_owned(), "of the run".to_owned()));
        assert_eq!(found(""), ("live".to_owned(), "live".to_owned()));
    }

    #[test]
    fn outdating_a_drawing_twice_changes_nothing() {
        let mut drawing = overlay([layer("a", 1.0, true)]).remove(0);
        drawing.outdate();
        drawing.outdate();
        assert_eq!((drawing.note, faint(&drawing)), (EARLIER_RUN, vec![true]));
    }
}
