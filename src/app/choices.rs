//! Marks that the user has switched on or off. They persist while a task is open.

use crate::render::Drawing;

/// Visibility by figure and mark; other marks are as the task draws them.
#[derive(Clone, Debug, Default)]
pub struct Choices(Vec<MarkVisibility>);

#[derive(Clone, Debug)]
struct MarkVisibility {
    figure: String,
    mark: String,
    shown: bool,
}

impl Choices {
    /// Switches a mark of a figure on or off.
    pub fn set(&mut self, figure: &str, mark: &str, shown: bool) {
        match self.0.iter_mut().find(|c| c.figure == figure && c.mark == mark) {
            Some(choice) => choice.shown = shown,
            None => self.0.push(MarkVisibility { figure: figure.to_owned(), mark: mark.to_owned(), shown }),
        }
    }

    /// Applies the choices to the marks of `drawing`.
    pub fn apply(&self, drawing: &mut Drawing) {
        for choice in self.0.iter().filter(|c| c.figure == drawing.figure.id) {
            let found = drawing.figure.marks.iter().position(|mark| mark.key() == choice.mark);
            if let Some(style) = found.and_then(|index| drawing.styles.get_mut(index)) {
                style.hidden = !choice.shown;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, Figure, Hue};

    #[test]
    fn a_choice_outlives_a_redraw_and_is_of_one_figure() {
        let figure = |id: &str| {
            Figure::new(id, "")
                .mark(Curve::new("a", "a", Hue::Ink))
                .mark(Curve::new("b", "b", Hue::Ink).hidden())
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
    }
}
