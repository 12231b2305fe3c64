//! Names of marks, beside the plot or above it.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use super::drawing::{Drawing, StyledMark};
use super::fonts::{Font, Fonts, WIDE};
use super::geometry::PlotGeometry;
use super::labels::{LabelRequest, place_labels, rows};
use super::marks::{self, MARKER_RADIUS, SAMPLE, end, sample};
use super::pen::Pen;
use super::rect::Rect;
use super::stroke::Px;
use super::text::{fit, wrap};
use crate::figure::{Mark, Stroke};

/// Gap between sample and name.
const SAMPLE_GAP: f64 = 5.0;
/// Width of the margin between the plot and the samples beside it, which leaders cross.
const LEADER: f64 = 22.0;
/// Smallest height of a name that is a switch (WCAG 2.5.8).
const SWITCH_HEIGHT: f64 = 24.0;

/// Arrangement of the names before the plot has its final size; numbers are indices of marks.
pub(super) enum Arrangement {
    /// Beside the plot: lines of each name.
    Beside(Vec<(usize, Vec<String>)>),
    /// Rows above the plot.
    Above(Vec<PlacedName>),
}

/// Room for the names around the plot.
pub(super) struct NameMargins {
    pub arrangement: Arrangement,
    /// Top of the plot.
    pub top: f64,
    /// Width of the margin at its right.
    pub right: f64,
}

/// A name at its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedName {
    /// Index of the mark.
    pub mark: usize,
    lines: Vec<String>,
    /// Left end of the sample, and the middle of the lines.
    at: Px,
    /// End of the mark to which a leader is drawn.
    leader: Option<Px>,
    /// Area of sample and name, in CSS pixels.
    pub rect: Rect,
}

impl PlacedName {
    fn new(mark: usize, lines: Vec<String>, at: Px, leader: Option<Px>, (font, height): (Font, f64)) -> Self {
        let width = lines.iter().map(|line| font.width(line)).fold(0.0, f64::max);
        let (left, right) = (at.0 - 3.0, at.0 + SAMPLE + SAMPLE_GAP + width + 3.0);
        let rect = Rect { left, top: at.1 - 0.5 * height, right, bottom: at.1 + 0.5 * height };
        Self { mark, lines, at, leader, rect }
    }
}

/// Chooses the arrangement of the names and reserves room for it. A mark without data is not named, but has its room, so that the plot does
/// not move when data arrive.
pub(super) fn reserve(drawing: &Drawing, (width, height): (f64, f64), fonts: Fonts) -> NameMargins {
    let names: Vec<(usize, &str)> =
        drawing.named().filter(marks::is_named).map(|styled| (styled.index, styled.name())).collect();
    if names.is_empty() {
        return NameMargins { arrangement: Arrangement::Above(Vec::new()), top: 10.5, right: 12.0 };
    }
    let beside =
        if width >= WIDE { reserve_beside(drawing, &names, (width, height), fonts.name) } else { None };
    beside.unwrap_or_else(|| reserve_above(drawing, &names, (width, height), fonts.name))
}

/// Reserves room beside the plot; `None` if it is too low for all names.
fn reserve_beside(
    drawing: &Drawing,
    names: &[(usize, &str)],
    (width, height): (f64, f64),
    font: Font,
) -> Option<NameMargins> {
    let measure = (0.2 * width).clamp(110.0, 180.0);
    let lines = |name: &str| -> Vec<String> {
        wrap(name, font.size, measure).iter().map(|line| fit(line, font.size, 1.2 * measure)).collect()
    };
    let beside: Vec<(usize, Vec<String>)> = names.iter().map(|(mark, name)| (*mark, lines(name))).collect();
    let requests: Vec<LabelRequest> = beside
        .iter()
        .map(|(_, lines)| LabelRequest { at: 0.0, height: name_height(lines.len(), font, drawing.switches) })
        .collect();
    place_labels(&requests, vertical_range(height))?;
    let widest = beside.iter().flat_map(|(_, lines)| lines).map(|line| font.width(line)).fold(0.0, f64::max);
    let right = LEADER + SAMPLE + SAMPLE_GAP + widest + 7.0;
    let with_data = beside.into_iter().filter(|(mark, _)| !drawing.styled(*mark).mark.is_empty());
    Some(NameMargins { arrangement: Arrangement::Beside(with_data.collect()), top: 10.5, right })
}

/// Reserves rows above the plot.
fn reserve_above(
    drawing: &Drawing,
    names: &[(usize, &str)],
    (width, height): (f64, f64),
    font: Font,
) -> NameMargins {
    let row = at_least_a_switch(font.leading() + 2.0, drawing.switches);
    let (gap, start) = (12.0, 7.0);
    let available = width - 2.0 * start;
    let texts: Vec<(usize, String)> = names
        .iter()
        .map(|(mark, name)| (*mark, fit(name, font.size, available - SAMPLE - SAMPLE_GAP)))
        .collect();
    let table = |texts: &[(usize, String)]| {
        let widths: Vec<f64> = texts.iter().map(|(_, text)| SAMPLE + SAMPLE_GAP + font.width(text)).collect();
        let mut table = rows(&widths, gap, available);
        // More rows would leave too little room for the plot; the data table has all names.
        table.truncate(((0.42 * height / row) as usize).max(1));
        table
    };
    let top = (4.0 + table(&texts).len() as f64 * row + 6.0).floor() + 0.5;
    // The others keep their places when data arrive.
    let placed = table(&texts).into_iter().enumerate().flat_map(|(r, items)| {
        let y = 4.0 + row * (r as f64 + 0.5);
        items.into_iter().map(move |(i, x)| (i, (start + x, y)))
    });
    let placed = placed.filter(|(i, _)| !drawing.styled(texts[*i].0).mark.is_empty());
    let placed = placed.map(|(i, at)| {
        let (mark, text) = texts[i].clone();
        PlacedName::new(mark, vec![text], at, None, (font, row))
    });
    NameMargins { arrangement: Arrangement::Above(placed.collect()), top, right: 10.0 }
}

/// Places the names around the plot; `margin` is the width of the colour scale beside it.
pub(super) fn placed(
    arrangement: Arrangement,
    drawing: &Drawing,
    geometry: &PlotGeometry,
    font: Font,
    margin: f64,
) -> Vec<PlacedName> {
    match arrangement {
        Arrangement::Above(placed) => placed,
        Arrangement::Beside(names) => beside(names, drawing, geometry, font, margin),
    }
}

/// Places names beside the plot. Names of lines stand at their ends. Marks of one colour belong together and stand at the end of
/// the first of them, so that the order does not change while a run goes on. Names of points and of marks over a map are a list.
fn beside(
    names: Vec<(usize, Vec<String>)>,
    drawing: &Drawing,
    geometry: &PlotGeometry,
    font: Font,
    margin: f64,
) -> Vec<PlacedName> {
    let is_line = |styled: &StyledMark| matches!(styled.mark, Mark::Curve(curve) if curve.stroke.is_some());
    let all: Vec<StyledMark> = names.iter().map(|(mark, _)| drawing.styled(*mark)).collect();
    let at_ends = drawing.shown().any(|styled| is_line(&styled))
        && !drawing.shown().any(|styled| matches!(styled.mark, Mark::Grid(_)));
    let at_ends = at_ends && drawing.figure.all_panels().is_empty();
    let bands = all.iter().filter(|styled| matches!(styled.mark, Mark::Band(_))).count();
    let ends: Vec<Option<Px>> = all.iter().map(|styled| end(geometry, styled, bands == 1)).collect();
    // Curves that all end at the lower edge, such as densities, are not told apart there.
    let is_low = |end: &Px| geometry.plot.bottom - end.1 < font.leading();
    let at_ends = at_ends && !ends.iter().flatten().all(is_low);
    let hue = |styled: &StyledMark| styled.mark.info().hue;
    let lowest = if at_ends { geometry.plot.bottom } else { geometry.plot.top };
    // A mark without data stands with the one before it; a mark that is hidden at first, at the bottom. One that the reader has switched off
    // keeps its place, where it can be switched on again.
    let is_extra = |styled: &StyledMark| styled.style.hidden && styled.mark.info().hidden;
    let mut previous = lowest;
    let mut requests = Vec::with_capacity(all.len());
    for (styled, (_, lines)) in all.iter().zip(&names) {
        let mut alike =
            all.iter().zip(&ends).filter(|(other, _)| !is_extra(other) && hue(other) == hue(styled));
        let end = alike.find_map(|(_, end)| *end).filter(|_| at_ends && !is_extra(styled));
        previous = end.map_or(previous, |end| end.1);
        let at = if is_extra(styled) { lowest } else { previous };
        requests.push(LabelRequest { at, height: name_height(lines.len(), font, drawing.switches) });
    }
    // `reserve_beside` has checked that there is room.
    let Some(middles) = place_labels(&requests, vertical_range(geometry.size.1)) else { return Vec::new() };
    let x = geometry.plot.right + margin + LEADER;
    let mut placed = Vec::with_capacity(names.len());
    for (i, (mark, lines)) in names.into_iter().enumerate() {
        let y = middles[i];
        let far = |end: &Px| at_ends && (y - end.1).abs() > 5.0 && geometry.plot.right - end.0 < 40.0;
        let leader = ends[i].filter(|end| !all[i].style.hidden && far(end));
        let leader = leader.map(|end| (end.0 + 1.35 * MARKER_RADIUS, end.1));
        placed.push(PlacedName::new(mark, lines, (x, y), leader, (font, requests[i].height)));
    }
    placed
}

/// Returns the height of a name of some lines beside the plot.
fn name_height(lines: usize, font: Font, switches: bool) -> f64 {
    at_least_a_switch(lines as f64 * font.leading() + 3.0, switches)
}

fn at_least_a_switch(height: f64, switches: bool) -> f64 {
    if switches { height.max(SWITCH_HEIGHT) } else { height }
}

/// Returns the vertical range of names beside the plot.
fn vertical_range(height: f64) -> (f64, f64) {
    (2.0, height - 2.0)
}

/// Draws the names with their samples and leaders.
pub(super) fn draw(pen: &Pen, names: &[PlacedName], drawing: &Drawing, font: Font) {
    for PlacedName { mark, lines, at: (x, y), leader, .. } in names {
        let styled = drawing.styled(*mark);
        let (x, y) = (*x, *y);
        if let Some(leader) = leader {
            pen.line(&[*leader, (x - 2.0, y)], Stroke::Solid, 0.7, styled.ink(pen).mix(0.6));
        }
        // A hidden mark has a plus, which switches it on, in place of its sample.
        let opacity = if styled.style.hidden {
            plus(pen, (x + 0.5 * SAMPLE, y), styled.ink(pen));
            0.55
        } else {
            let under = bands_below(drawing, &styled).chain(parts_of(drawing, &styled));
            under.for_each(|under| sample(pen, &under, (x, y)));
            sample(pen, &styled, (x, y));
            if styled.style.faint { 0.6 } else { 1.0 }
        };
        let ink = pen.look.theme.ink().mix(opacity);
        let first = y - 0.5 * (lines.len() as f64 - 1.0) * font.leading();
        for (k, line) in lines.iter().enumerate() {
            let at = (x + SAMPLE + SAMPLE_GAP, first + k as f64 * font.leading());
            pen.text(line, at, font, HPos::Left, ink);
        }
    }
}

/// Returns the drawn bands on which a band lies: on them, its sample has the colour that it has in the plot.
fn bands_below<'a>(
    drawing: &'a Drawing,
    styled: &StyledMark<'a>,
) -> impl Iterator<Item = StyledMark<'a>> + use<'a> {
    let (above, panel) = (styled.index, styled.mark.info().panel);
    let own = if let Mark::Band(band) = styled.mark { Some(band) } else { None };
    drawing.shown().filter(move |other| match (own, other.mark) {
        (Some(own), Mark::Band(band)) => {
            let plain = !band.outlined && !band.hatched;
            plain && other.index < above && other.mark.info().panel == panel && band.contains(own)
        }
        _ => false,
    })
}

/// Returns the drawn bands and curves that are parts of a mark, such as the band around a mean.
fn parts_of<'a>(
    drawing: &'a Drawing,
    styled: &StyledMark<'a>,
) -> impl Iterator<Item = StyledMark<'a>> + use<'a> {
    let key = &styled.mark.info().key;
    drawing.shown().filter(move |other| {
        let has_area_or_line = match other.mark {
            Mark::Band(_) => true,
            Mark::Curve(curve) => curve.stroke.is_some(),
            _ => false,
        };
        has_area_or_line && other.mark.info().part_of.as_ref() == Some(key)
    })
}

fn plus(pen: &Pen, (x, y): Px, ink: RGBAColor) {
    const ARM: f64 = 4.0;
    pen.across((x - ARM, x + ARM), y, 1.5, ink);
    pen.down(x, (y - ARM, y + ARM), 1.5, ink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Band, Figure, Hue, Interval};

    #[test]
    fn the_sample_of_a_band_stands_on_the_bands_that_contain_it() {
        let band = |key: &str, half: f64| {
            let interval = |i: i32| Interval { x: f64::from(i), lower: -half, upper: half };
            Band::new(key, key, Hue::Blue, (0..5).map(interval))
        };
        let figure = Figure::new("f", "").mark(band("wide", 3.0)).mark(band("outlined", 3.0).outlined());
        let mut drawing =
            Drawing::new(figure.mark(band("middle", 2.0)).mark(band("narrow", 1.0)).mark(band("wider", 4.0)));
        let below = |drawing: &Drawing, index: usize| -> Vec<usize> {
            bands_below(drawing, &drawing.styled(index)).map(|styled| styled.index).collect()
        };
        assert_eq!([0, 2, 3, 4].map(|index| below(&drawing, index)), [vec![], vec![0], vec![0, 2], vec![]]);
        drawing.styles[2].hidden = true;
        assert_eq!(below(&drawing, 3), [0]);
    }
}
