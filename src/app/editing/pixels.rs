//! Editing a picture of pixels with a pen.

use super::{Key, Scene, Tool};
use crate::lab::Pixels;

/// Largest width of a picture whose strokes are one pixel wide; in larger ones they are as wide as those of scanned digits.
const SMALL: usize = 16;
/// Distance from the centre of a wide pen at which a pixel is half covered, in pixels of the picture.
const WIDE: f64 = 1.1;

/// Stroke of the pen.
#[derive(Clone, Debug)]
pub(super) struct PenStroke {
    /// The picture so far.
    pub picture: Pixels,
    /// Last position of the pointer.
    at: (f64, f64),
    /// True once the picture has changed.
    pub drawn: bool,
}

impl PenStroke {
    pub(super) fn new(picture: Pixels, at: (f64, f64)) -> Self {
        Self { picture, at, drawn: false }
    }

    /// Draws to a position on the screen. Returns true for the first change; `None` if nothing changes.
    pub(super) fn moved(&mut self, scene: &Scene, tool: Tool, to: (f64, f64)) -> Option<bool> {
        let before = self.picture.clone();
        let (from, way) = (self.at, (to.0 - self.at.0).hypot(to.1 - self.at.1));
        let steps = (way / (0.25 * side(scene)?)).ceil().clamp(1.0, 1000.0);
        for step in 1..=steps as usize {
            let t = step as f64 / steps;
            let at = (from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1));
            paint(scene, &mut self.picture, tool, at);
        }
        self.at = to;
        let first = !self.drawn;
        (self.picture != before).then(|| {
            self.drawn = true;
            first
        })
    }
}

/// Returns the cell at a position on the screen.
pub(super) fn cell(scene: &Scene, at: (f64, f64)) -> Option<usize> {
    scene.geometry.pixel(scene.drawing, scene.grid()?, at)
}

/// Returns the width of a cell on the screen.
fn side(scene: &Scene) -> Option<f64> {
    let centre = |cell| scene.geometry.centre(scene.drawing, scene.grid()?, cell);
    Some((centre(1)?.0 - centre(0)?.0).abs().max(1.0))
}

/// Returns column and row from above of a cell; cells are counted from the lower left.
fn place(picture: &Pixels, cell: usize) -> (usize, usize) {
    (cell % picture.columns(), picture.rows() - 1 - cell / picture.columns())
}

/// Returns the cell at a column and row from above.
fn cell_at(picture: &Pixels, column: usize, row: usize) -> usize {
    (picture.rows() - 1 - row) * picture.columns() + column
}

/// Applies the pen at a position on the screen.
fn paint(scene: &Scene, picture: &mut Pixels, tool: Tool, at: (f64, f64)) {
    let (Some(cell), Some(side), Some(grid)) = (cell(scene, at), side(scene), scene.grid()) else { return };
    let (column, row) = place(picture, cell);
    if picture.columns() <= SMALL {
        return touch(picture, tool, column, row, 1.0);
    }
    for row in row.saturating_sub(2)..(row + 3).min(picture.rows()) {
        for column in column.saturating_sub(2)..(column + 3).min(picture.columns()) {
            let cell = cell_at(picture, column, row);
            let Some(centre) = scene.geometry.centre(scene.drawing, grid, cell) else { continue };
            let far = (centre.0 - at.0).hypot(centre.1 - at.1) / side;
            touch(picture, tool, column, row, (WIDE + 0.5 - far).clamp(0.0, 1.0));
        }
    }
}

/// Applies a tool to a pixel, of which the fraction `cover` is covered.
fn touch(picture: &mut Pixels, tool: Tool, column: usize, row: usize, cover: f64) {
    let (top, now) = (f64::from(picture.top()), picture.get(column, row));
    let level = match tool {
        Tool::Hide if cover >= 0.5 => None,
        Tool::Erase => now.map_or(Some(0).filter(|_| cover >= 0.5), |now| {
            Some(now.min(((1.0 - cover) * top).round() as u8))
        }),
        Tool::Draw if cover > 0.0 => Some(now.unwrap_or(0).max((cover * top).round() as u8)),
        _ => now,
    };
    picture.set(column, row, level);
}

/// Applies a key to the picture cell at a position on the screen; returns the edit and the cell read next.
pub(super) fn key(
    scene: &Scene,
    mut picture: Pixels,
    tool: Tool,
    key: Key,
    at: (f64, f64),
) -> Option<(Pixels, usize)> {
    let cell = cell(scene, at)?;
    let (mut column, mut row) = place(&picture, cell);
    let before = picture.clone();
    match key {
        Key::Move(across, up) => {
            column = column.checked_add_signed(across.into()).filter(|column| *column < picture.columns())?;
            row = row.checked_add_signed((-up).into()).filter(|row| *row < picture.rows())?;
            touch(&mut picture, tool, column, row, 1.0);
        }
        Key::Use => touch(&mut picture, tool, column, row, 1.0),
        Key::Next => {
            let missing = matches!(scene.field.kind, crate::lab::Kind::Pixels { missing: true, .. });
            let next = match picture.get(column, row) {
                Some(0) => Some(picture.top()),
                Some(_) if missing => None,
                _ => Some(0),
            };
            picture.set(column, row, next);
        }
        Key::Delete => picture.set(column, row, Some(0)),
        Key::Insert => return None,
    }
    // A step moves on even if it changes nothing.
    let moved = matches!(key, Key::Move(..));
    (moved || picture != before).then(|| {
        let cell = cell_at(&picture, column, row);
        (picture, cell)
    })
}
