//! Which curves a person has switched on or off. Kept while a task stays open, whatever is redrawn meanwhile.

use crate::figure::Figure;

/// The choices made, by figure and curve; what was never chosen is as the task draws it.
#[derive(Clone, Debug, Default)]
pub struct Choices(Vec<Choice>);

#[derive(Clone, Debug)]
struct Choice {
    figure: String,
    curve: String,
    shown: bool,
}

impl Choices {
    /// Switches a curve of a figure on or off.
    pub fn set(&mut self, figure: &str, curve: &str, shown: bool) {
        match self.0.iter_mut().find(|c| c.figure == figure && c.curve == curve) {
            Some(choice) => choice.shown = shown,
            None => self.0.push(Choice { figure: figure.to_owned(), curve: curve.to_owned(), shown }),
        }
    }

    /// Shows the curves of `figure` as chosen.
    pub fn apply(&self, figure: &mut Figure) {
        for choice in self.0.iter().filter(|c| c.figure == figure.id) {
            if let Some(curve) = figure.curves.iter_mut().find(|c| c.key == choice.curve) {
                curve.shown = choice.shown;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Curve, Hue};

    #[test]
    fn a_choice_outlives_a_redraw_and_is_of_one_figure() {
        let figure = |id: &str| Figure {
            id: id.into(),
            title: String::new(),
            caption: String::new(),
            summary: String::new(),
            x: Axis::linear("x", (0.0, 1.0)),
            y: Axis::linear("y", (0.0, 1.0)),
            heat: None,
            handles: None,
            curves: vec![Curve::new("a", "a", Hue::Ink), Curve::new("b", "b", Hue::Ink).hidden()],
        };
        let mut choices = Choices::default();
        choices.set("f", "a", false);
        choices.set("f", "b", true);
        choices.set("f", "gone", true);
        let shown = |choices: &Choices, id: &str| {
            let mut drawn = figure(id);
            choices.apply(&mut drawn);
            drawn.curves.iter().map(|c| c.shown).collect::<Vec<_>>()
        };
        assert_eq!(shown(&choices, "f"), [false, true]);
        assert_eq!(shown(&choices, "g"), [true, false]);
        choices.set("f", "a", true);
        assert_eq!(shown(&choices, "f"), [true, true]);
    }
}
