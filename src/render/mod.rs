//! Draws figures in the style of a journal: thin axes, ticks inside, names beside the curves.
//!
//! A [`Drawing`] is a figure with the styles of its marks. Its [`FigureLayout`] is computed once for a size; it has everything that a
//! page needs to draw the figure, to find the datum under the pointer, and to place switches over the names. The same routine
//! draws on any plotters backend and as SVG.

mod axes;
mod axis_map;
#[cfg(feature = "web")]
mod canvas;
mod colour_scale;
mod draw;
mod draw_error;
mod drawing;
mod figure_layout;
mod fonts;
mod geometry;
mod height;
mod labels;
mod layers;
mod layout;
mod marks;
mod names;
mod notes;
mod panels;
mod pen;
mod picture_grid;
mod pictures;
mod projection;
mod rect;
mod sketch;
mod space;
mod stroke;
mod svg;
mod swatch;
#[cfg(test)]
mod tests;
mod text;
mod theme;
mod ticks;
mod title;

pub use axis_map::AxisMap;
pub use draw_error::DrawError;
pub use drawing::{Drawing, MarkStyle, Turn};
pub use figure_layout::FigureLayout;
pub use geometry::{Coordinates, Hit, PlotGeometry};
pub use height::{BESIDE, USUAL, WIDE, height, least_height};
pub use layers::{Layer, overlay};
pub use picture_grid::PictureGrid;
pub use projection::Projection;
pub use rect::Rect;
pub use sketch::sketch_for_page;
pub use svg::{escape, svg, svg_for_page, svg_with_face};
pub use swatch::swatch;
pub use theme::{HUES, Look, Theme, hex, property};
