//! Marks that the user has switched on or off, and lists of further marks. They persist while a task is open.

use crate::render::Drawing;

/// Visibility by figure and mark; other marks are as the task draws them.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    marks: Vec<MarkVisibility>,
    /// Figures whose further marks are listed.
    more: Vec<String>,
}

#[derive(Clone, Debug)]
struct MarkVisibility {
    figure: String,
    mark: String,
    shown: bool,
}

impl Choices {
    /// Switches a mark of a figure on or off.
    pub fn set(&mut self, figure: &str, mark: &str, shown: bool) {
        match self.marks.iter_mut().find(|c| c.figure == figure && c.mark == mark) {
            Some(choice) => choice.shown = shown,
            None => {
                self.marks.push(MarkVisibility { figure: figure.to_owned(), mark: mark.to_owned(), shown });
            }
        }
    }

    /// Shows or hides the list of further marks of a figure.
    pub fn list_more(&mut self, figure: &str, more: bool) {
        self.more.retain(|other| other != figure);
        if more {
            self.more.push(figure.to_owned());
        }
    }

    /// Applies the choices to the marks of `drawing`.
    pub fn apply(&self, drawing: &mut Drawing) {
        drawing.more = self.more.contains(&drawing.figure.id);
        for choice in self.marks.iter().filter(|c| c.figure == drawing.figure.id) {
            for (mark, style) in drawing.figure.marks.iter().zip(&mut drawing.styles) {
                if mark.key() == choice.mark || mark.info().part_of.as_ref() == Some(&choice.mark) {
                    style.hidden = !choice.shown;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, Figure, Hue, Point};

    #[test]
    fn a_mark_and_its_parts_have_one_switch() {
        let figure = Figure::new("f", "")
            .mark(Curve::new("band", "band", Hue::Ink).part_of("mean"))
            .mark(Curve::new("mean", "mean", Hue::Ink))
            .mark(Curve::new("other", "other", Hue::Ink));
        let mut drawing = Drawing::new(figure);
        let mut choices = Choices::default();
        choices.set("f", "mean", false);
        choices.apply(&mut drawing);
        assert_eq!([0, 1, 2].map(|index| drawing.shows(index)), [false, false, true]);
        assert_eq!(drawing.more_marks(), 0);
    }

    #[test]
    fn a_choice_outlives_a_redraw_and_is_of_one_figure() {
        let figure = |id: &str| {
            Figure::new(id, "")
                .mark(Curve::new("a", "a", Hue::Ink))
                .mark(Curve::new("b", "b", Hue::Ink).points([Point::new(0.0, 0.0)]).hidden())
        };
        let mut choices = Choices::default();
        choices.set("f", "a", false);
        choices.set("f", "b", true);
        choices.set("f", "gone", true);
        let shown = |choices: &Choices, id: &str| {
            let mut drawing = Drawing::new(figure(id));
            choices.apply(&mut drawing);
            [drawing.shows(0), drawing.shows(1)]
        };
        assert_eq!(shown(&choices, "f"), [false, true]);
        assert_eq!(shown(&choices, "g"), [true, false]);
        choices.set("f", "a", true);
        assert_eq!(shown(&choices, "f"), [true, true]);
        let listed = |choices: &Choices| {
            let mut drawing = Drawing::new(figure("f"));
            choices.apply(&mut drawing);
            (drawing.more, drawing.more_marks())
        };
        assert_eq!(listed(&choices), (false, 1));
        choices.list_more("f", true);
        assert_eq!(listed(&choices), (true, 1));
        choices.list_more("f", false);
        assert_eq!(listed(&choices), (false, 1));
    }
}
