//! A figure with the styles of its marks.

use crate::figure::{Figure, Mark, Stroke};

/// A figure as it is shown: styles of its marks, view and turn. The figure itself is not changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The figure.
    pub figure: Figure,
    /// Style of each mark.
    pub styles: Vec<MarkStyle>,
    /// Direction of view of a figure in space.
    pub turn: Turn,
    /// Note on the faint marks; may be empty. See [`Self::shown_note`].
    pub note: &'static str,
    /// True if the names are switches of the marks. Then a mark that the reader has hidden keeps its name.
    pub switches: bool,
    /// True if the switches of the marks that the model hides are listed, too.
    pub more: bool,
    /// True if it is drawn without axes, names and notes.
    pub sketch: bool,
}

/// Direction from which a figure in space is seen, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Angle around the vertical axis.
    pub azimuth: f64,
    /// Angle above the horizontal plane.
    pub elevation: f64,
}

impl Default for Turn {
    fn default() -> Self {
        Self { azimuth: -0.95, elevation: 0.42 }
    }
}

impl Turn {
    /// Returns the direction turned by these angles; the vertical axis stays vertical.
    #[must_use]
    pub fn by(self, azimuth: f64, elevation: f64) -> Self {
        let azimuth = (self.azimuth + azimuth) % std::f64::consts::TAU;
        Self { azimuth, elevation: (self.elevation + elevation).clamp(-1.5, 1.5) }
    }
}

/// Style of a mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkStyle {
    /// True if it is neither drawn nor read; table and CSV file contain it in any case.
    pub hidden: bool,
    /// True if it is drawn faint, because it belongs to other settings.
    pub faint: bool,
    /// Line style of a thin mark without error bars, to compare another mark with.
    pub thin: Option<Stroke>,
    /// Name that replaces the label; may be empty.
    pub name: Option<String>,
}

/// A mark of a drawing with its style.
#[derive(Clone, Copy, Debug)]
pub(super) struct StyledMark<'a> {
    /// Index among the marks of the figure.
    pub index: usize,
    pub mark: &'a Mark,
    pub style: &'a MarkStyle,
}

impl Drawing {
    /// Returns a drawing in which the marks have the styles of the model.
    pub fn new(figure: Figure) -> Self {
        let styles = figure.marks.iter().map(MarkStyle::of).collect();
        Self { figure, styles, turn: Turn::default(), note: "", switches: false, more: false, sketch: false }
    }

    /// Turns the names into switches if at least two marks can be switched.
    #[must_use]
    pub fn with_switches(mut self) -> Self {
        self.switches = self.figure.marks.iter().filter(|mark| mark.is_switchable()).count() > 1;
        self
    }

    /// Returns the marks alone, which fill the area, as on the front page.
    #[must_use]
    pub fn into_sketch(mut self) -> Self {
        self.sketch = true;
        self.styles.iter_mut().for_each(|style| style.name = Some(String::new()));
        self
    }

    /// Adds a mark below the others.
    pub fn put_below(&mut self, mark: Mark, style: MarkStyle) {
        self.figure.marks.insert(0, mark);
        self.styles.insert(0, style);
    }

    /// Returns the marks with their styles.
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = (&Mark, &MarkStyle)> {
        self.figure.marks.iter().zip(&self.styles)
    }

    /// Returns true if the mark at `index` exists and is drawn.
    pub fn shows(&self, index: usize) -> bool {
        self.styles.get(index).is_some_and(|style| !style.hidden) && index < self.figure.marks.len()
    }

    /// Returns the note before the caption; empty if no faint mark is drawn.
    pub fn shown_note(&self) -> &'static str {
        if self.styles.iter().any(|style| style.faint && !style.hidden) { self.note } else { "" }
    }

    /// Returns the mark at `index`, which must exist.
    pub(super) fn styled(&self, index: usize) -> StyledMark<'_> {
        StyledMark { index, mark: &self.figure.marks[index], style: &self.styles[index] }
    }

    /// Returns all marks, the lowest first.
    fn all(&self) -> impl DoubleEndedIterator<Item = StyledMark<'_>> {
        (0..self.figure.marks.len().min(self.styles.len())).map(|index| self.styled(index))
    }

    /// Returns the marks that may be named: those that are drawn, and those that can be switched on.
    pub(super) fn named(&self) -> impl Iterator<Item = StyledMark<'_>> {
        let listed = |mark: &Mark| self.more || !mark.info().hidden;
        let has_switch = move |mark: &Mark| self.switches && mark.is_switchable() && listed(mark);
        self.all().filter(move |styled| !styled.style.hidden || has_switch(styled.mark))
    }

    /// Returns the number of marks whose switches are listed only with [`Self::more`].
    pub fn more_marks(&self) -> usize {
        let is_more = |mark: &&Mark| mark.info().hidden && mark.is_switchable() && !mark.is_empty();
        self.figure.marks.iter().filter(is_more).count()
    }

    /// Returns the marks that are drawn, the lowest first.
    pub(super) fn shown(&self) -> impl DoubleEndedIterator<Item = StyledMark<'_>> {
        self.all().filter(|styled| !styled.style.hidden)
    }
}

impl MarkStyle {
    /// Returns the style that the model gave to the mark.
    pub fn of(mark: &Mark) -> Self {
        Self { hidden: mark.info().hidden, ..Self::default() }
    }

    /// Returns the line style that is drawn for a mark with the line style `own`.
    pub fn stroke(&self, own: Stroke) -> Stroke {
        self.thin.unwrap_or(own)
    }
}

impl<'a> StyledMark<'a> {
    /// Returns the name beside the mark; may be empty.
    pub fn name(&self) -> &'a str {
        let info = self.mark.info();
        let label = if info.unnamed { "" } else { &info.label };
        self.style.name.as_deref().unwrap_or(label).trim()
    }
}
