//! A figure as it is shown: its marks with what the page does to each.

use super::space::Turn;
use crate::figure::{Figure, Mark, Stroke};

/// A figure with how it is shown: styles of its marks, view and turn. The figure itself stays as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What is drawn.
    pub figure: Figure,
    /// How, mark by mark.
    pub styles: Vec<Style>,
    /// From where it is seen, if it is in space.
    pub turn: Turn,
    /// What the page says before the caption; empty for nothing.
    pub note: &'static str,
    /// Whether the names of the marks switch them: then hidden ones are named, too.
    pub switches: bool,
}

/// How a mark is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// Neither drawn nor read; table and CSV have it in any case.
    pub hidden: bool,
    /// Drawn faint: it belongs to other settings than those now chosen.
    pub faint: bool,
    /// Drawn with little weight, no error bars and this line, to compare another mark with.
    pub thin: Option<Stroke>,
    /// What stands beside it where that is not its label; empty for nothing.
    pub name: Option<String>,
}

/// A mark that is drawn, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown<'a> {
    /// Place among the marks of the figure.
    pub index: usize,
    pub mark: &'a Mark,
    pub style: &'a Style,
}

impl Drawing {
    /// The figure as its model says.
    pub fn new(figure: Figure) -> Self {
        let styles = figure.marks.iter().map(Style::of).collect();
        Self { figure, styles, turn: Turn::default(), note: "", switches: false }
    }

    /// The same with names that switch their marks, but for what is the only thing to see.
    #[must_use]
    pub fn with_switches(mut self) -> Self {
        self.switches = self.figure.marks.iter().filter(|mark| mark.switchable()).nth(1).is_some();
        self
    }

    /// Puts a mark below those it has.
    pub fn put_below(&mut self, mark: Mark, style: Style) {
        self.figure.marks.insert(0, mark);
        self.styles.insert(0, style);
    }

    /// The marks with their styles.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = (&Mark, &Style)> {
        self.figure.marks.iter().zip(&self.styles)
    }

    /// Whether the mark at `index` is there and drawn.
    pub fn shows(&self, index: usize) -> bool {
        self.styles.get(index).is_some_and(|style| !style.hidden) && index < self.figure.marks.len()
    }

    /// The marks that are named: those that are drawn, and those that can be switched on.
    pub(super) fn listed(&self) -> impl Iterator<Item = Shown<'_>> {
        let all = 0..self.figure.marks.len().min(self.styles.len());
        let all =
            all.map(|index| Shown { index, mark: &self.figure.marks[index], style: &self.styles[index] });
        all.filter(|shown| !shown.style.hidden || self.switches && shown.mark.switchable())
    }

    /// The marks that are drawn, lowest first.
    pub(super) fn shown(&self) -> impl DoubleEndedIterator<Item = Shown<'_>> {
        let all = (0..self.figure.marks.len().min(self.styles.len())).filter(|&index| self.shows(index));
        all.map(|index| Shown { index, mark: &self.figure.marks[index], style: &self.styles[index] })
    }
}

impl Style {
    /// As the mark says.
    pub fn of(mark: &Mark) -> Self {
        Self { hidden: mark.entry().hidden, ..Self::default() }
    }
}

impl<'a> Shown<'a> {
    /// What stands beside it; empty for nothing.
    pub fn name(&self) -> &'a str {
        self.style.name.as_deref().unwrap_or(&self.mark.entry().label).trim()
    }
}
