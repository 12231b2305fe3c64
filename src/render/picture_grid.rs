//! Arrangement of small pictures in rows.

use super::drawing::{Drawing, StyledMark};
use super::fonts::Font;
use super::rect::Rect;
use crate::figure::{Colours, FigureKind, Grid, Mark};

/// Gap between two pictures, in CSS pixels.
pub(super) const GAP: f64 = 8.0;

/// Height of a bar below a picture, with the gap above it, in CSS pixels.
pub(super) const SHARE: f64 = 8.0;

/// Positions of the pictures of a figure: equal cells in rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureGrid {
    columns: usize,
    count: usize,
    origin: (f64, f64),
    /// Size of a picture.
    pub(super) size: (f64, f64),
    /// Height of the label below each picture; 0 without labels.
    pub(super) label: f64,
    /// Height of the bar between picture and label; 0 without bars.
    pub(super) share: f64,
}

/// Returns the pictures that are drawn.
pub(super) fn shown(drawing: &Drawing) -> impl DoubleEndedIterator<Item = (StyledMark<'_>, &Grid)> {
    drawing.shown().filter_map(|styled| match styled.mark {
        Mark::Grid(grid) if grid.rows() > 0 => Some((styled, grid)),
        _ => None,
    })
}

impl PictureGrid {
    /// Arranges the pictures as large as the area allows, all with the proportions of the first.
    pub(super) fn new(drawing: &Drawing, area: &Rect, font: Font) -> Self {
        let count = shown(drawing).count();
        let aspect = shown(drawing).next().map_or(1.0, |(_, grid)| grid.columns as f64 / grid.rows() as f64);
        let labelled = shown(drawing).any(|(styled, _)| !styled.name().is_empty());
        let label = if labelled { font.leading() } else { 0.0 };
        let share = if shown(drawing).any(|(_, grid)| grid.share.is_some()) { SHARE } else { 0.0 };
        let width_in = |columns: usize| {
            let rows = count.div_ceil(columns).max(1);
            let wide = (area.right - area.left + GAP) / columns as f64 - GAP;
            let high = (area.height() + GAP) / rows as f64 - GAP - share - label;
            wide.min(high * aspect).max(1.0)
        };
        let columns = match &drawing.figure.kind {
            FigureKind::Pictures { columns } if *columns > 0 => *columns,
            _ => (1..=count.max(1)).fold(1, |best, n| if width_in(n) > width_in(best) { n } else { best }),
        };
        let width = width_in(columns);
        let size = (width, width / aspect);
        let used = columns.min(count.max(1)) as f64 * (size.0 + GAP) - GAP;
        let origin = (area.left + (0.5 * (area.right - area.left - used)).max(0.0), area.top);
        Self { columns, count, origin, size, label, share }
    }

    /// Returns the area of a picture.
    pub(super) fn rect(&self, index: usize) -> Rect {
        let (column, row) = ((index % self.columns) as f64, (index / self.columns) as f64);
        let left = self.origin.0 + column * (self.size.0 + GAP);
        let top = self.origin.1 + row * (self.size.1 + GAP + self.share + self.label);
        Rect { left, top, right: left + self.size.0, bottom: top + self.size.1 }
    }

    /// Returns the lower end of the last row, including its bars and labels.
    pub(super) fn bottom(&self) -> f64 {
        self.rect(self.count.max(1) - 1).bottom + self.share + self.label
    }

    /// Returns the indices of mark and cell at a pixel, also of a cell without a value.
    pub(super) fn under(&self, drawing: &Drawing, at: (f64, f64)) -> Option<(usize, usize)> {
        let index = (0..self.count).find(|index| {
            let r = self.rect(*index);
            at.0 >= r.left && at.0 < r.right && at.1 >= r.top && at.1 < r.bottom
        })?;
        let (styled, grid) = shown(drawing).nth(index)?;
        let r = self.rect(index);
        let column = ((at.0 - r.left) / self.size.0 * grid.columns as f64) as usize;
        let row = ((r.bottom - at.1) / self.size.1 * grid.rows() as f64) as usize;
        let (column, row) = (column.min(grid.columns - 1), row.min(grid.rows() - 1));
        Some((styled.index, row * grid.columns + column))
    }

    /// Returns the centre of a cell.
    pub(super) fn centre(&self, drawing: &Drawing, mark: usize, cell: usize) -> Option<(f64, f64)> {
        let (index, (_, grid)) = shown(drawing).enumerate().find(|(_, (styled, _))| styled.index == mark)?;
        let r = self.rect(index);
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        Some((
            r.left + (column as f64 + 0.5) / grid.columns as f64 * self.size.0,
            r.bottom - (row as f64 + 0.5) / grid.rows() as f64 * self.size.1,
        ))
    }
}

/// Returns the grid whose colour scale is drawn: the first, if all have the same colours other than greys.
pub(super) fn scaled(drawing: &Drawing) -> Option<&Mark> {
    let first = shown(drawing).next()?.1.colours;
    let alike = shown(drawing).all(|(_, grid)| grid.colours == first);
    (alike && !matches!(first, Colours::Grey { .. }))
        .then(|| shown(drawing).next().map(|(styled, _)| styled.mark))?
}
