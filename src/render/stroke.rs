//! Polylines in pixels: clipping and dashes.

use super::rect::Rect;
use crate::figure::Stroke;

/// A position in CSS pixels.
pub(super) type Px = (f64, f64);

/// Returns the parts of a polyline inside `rect`; `None` is a gap.
pub(super) fn clip(points: impl IntoIterator<Item = Option<Px>>, rect: &Rect) -> Vec<Vec<Px>> {
    let mut runs: Vec<Vec<Px>> = Vec::new();
    // True if the last run may be continued.
    let mut open = false;
    let mut last: Option<Px> = None;
    for point in points {
        if let (Some(a), Some(b)) = (last, point) {
            if let Some((p, q)) = segment(a, b, rect) {
                match runs.last_mut() {
                    Some(run) if open && run.last() == Some(&p) => run.push(q),
                    _ => runs.push(vec![p, q]),
                }
                open = q == b;
            } else {
                open = false;
            }
        } else {
            open = false;
        }
        last = point;
    }
    runs
}

/// Returns the part of a segment inside the rectangle (Liang and Barsky).
fn segment(a: Px, b: Px, rect: &Rect) -> Option<(Px, Px)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut t0, mut t1) = (0.0_f64, 1.0_f64);
    for (p, q) in
        [(-dx, a.0 - rect.left), (dx, rect.right - a.0), (-dy, a.1 - rect.top), (dy, rect.bottom - a.1)]
    {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            t0 = t0.max(q / p);
        } else {
            t1 = t1.min(q / p);
        }
    }
    if t0 > t1 {
        return None;
    }
    // Ends inside are kept exactly, so that runs join.
    let at = |t: f64| match t {
        0.0 => a,
        1.0 => b,
        t => (a.0 + t * dx, a.1 + t * dy),
    };
    Some((at(t0), at(t1)))
}

/// Returns the part of a polygon inside `rect` (Sutherland and Hodgman).
pub(super) fn clip_area(corners: &[Px], rect: &Rect) -> Vec<Px> {
    // Each side: true if vertical, its position, and the sign of the inside.
    let sides = [
        (true, rect.left, 1.0),
        (true, rect.right, -1.0),
        (false, rect.top, 1.0),
        (false, rect.bottom, -1.0),
    ];
    let mut inside: Vec<Px> = corners.to_vec();
    for (upright, edge, sign) in sides {
        let depth = |p: Px| sign * (if upright { p.0 } else { p.1 } - edge);
        let mut kept = Vec::with_capacity(inside.len() + 4);
        for (i, &p) in inside.iter().enumerate() {
            let before = inside[(i + inside.len() - 1) % inside.len()];
            let (from, to) = (depth(before), depth(p));
            if (from < 0.0) != (to < 0.0) {
                let t = from / (from - to);
                kept.push((before.0 + t * (p.0 - before.0), before.1 + t * (p.1 - before.1)));
            }
            if to >= 0.0 {
                kept.push(p);
            }
        }
        inside = kept;
    }
    inside
}

/// Returns the line through fewer points, none of the others farther than about `tolerance` from it.
pub(super) fn straightened(run: &[Px], tolerance: f64) -> Vec<Px> {
    let cross = |a: Px, b: Px| a.0 * b.1 - a.1 * b.0;
    let Some((&first, rest)) = run.split_first() else { return Vec::new() };
    let mut out = vec![first];
    // Directions from the last point of `out` that pass all points since, from right to left, and the distance reached.
    let (mut cone, mut reached): (Option<(Px, Px)>, f64) = (None, 0.0);
    let mut last = first;
    for &p in rest {
        let from = |start: Px| (p.0 - start.0, p.1 - start.1);
        let mut v = from(out[out.len() - 1]);
        let passes = cone.is_none_or(|(right, left)| cross(right, v) >= 0.0 && cross(left, v) <= 0.0);
        if !passes || v.0.hypot(v.1) < reached {
            out.push(last);
            (cone, v) = (None, from(last));
        }
        reached = v.0.hypot(v.1);
        if reached > tolerance {
            let side = (-v.1 * tolerance / reached, v.0 * tolerance / reached);
            let (right, left) = ((v.0 - side.0, v.1 - side.1), (v.0 + side.0, v.1 + side.1));
            cone = Some(cone.map_or((right, left), |(old_right, old_left)| {
                let right = if cross(old_right, right) > 0.0 { right } else { old_right };
                (right, if cross(old_left, left) < 0.0 { left } else { old_left })
            }));
        }
        last = p;
    }
    if !rest.is_empty() {
        out.push(last);
    }
    out
}

/// Returns the lengths of dashes and gaps in pixels for a line of the given width; empty for a solid line.
pub(super) fn pattern(stroke: Stroke, width: f64) -> Vec<f64> {
    let pattern: &[f64] = match stroke {
        Stroke::Solid => &[],
        Stroke::Dashed => &[4.4, 2.8],
        Stroke::Dotted => &[1.1, 1.9],
        Stroke::DashDot => &[4.8, 2.0, 1.1, 2.0],
    };
    pattern.iter().map(|l| l * width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };

    #[test]
    fn a_line_is_clipped_at_the_border_and_continues_inside() {
        let line = [(-50.0, 50.0), (50.0, 50.0), (50.0, 150.0), (80.0, 150.0), (80.0, 50.0), (90.0, 50.0)];
        let runs = clip(line.map(Some), &BOX);
        assert_eq!(runs.len(), 2);
        assert_eq!(runs[0], [(0.0, 50.0), (50.0, 50.0), (50.0, 100.0)]);
        assert_eq!(runs[1], [(80.0, 100.0), (80.0, 50.0), (90.0, 50.0)]);
    }

    #[test]
    fn a_segment_may_cross_the_box_and_a_gap_splits_a_run() {
        assert_eq!(clip([Some((-1e6, 50.0)), Some((1e6, 50.0))], &BOX), [vec![(0.0, 50.0), (100.0, 50.0)]]);
        assert!(clip([Some((-10.0, -10.0)), Some((-10.0, 200.0))], &BOX).is_empty());
        let parted =
            clip([Some((1.0, 1.0)), Some((2.0, 2.0)), None, Some((2.0, 2.0)), Some((3.0, 3.0))], &BOX);
        assert_eq!(parted.len(), 2);
        assert!(clip([Some((1.0, 1.0))], &BOX).is_empty());
    }

    #[test]
    fn an_area_is_clipped_at_the_border() {
        let area = clip_area(&[(-50.0, 20.0), (50.0, 20.0), (50.0, 400.0), (-50.0, 400.0)], &BOX);
        let twice: f64 = (0..area.len())
            .map(|i| (area[i], area[(i + 1) % area.len()]))
            .map(|(a, b)| a.0 * b.1 - b.0 * a.1)
            .sum();
        assert!((twice.abs() - 2.0 * 50.0 * 80.0).abs() < 1e-9, "{area:?}");
        assert!(clip_area(&[(-9.0, 0.0), (-1.0, 0.0), (-5.0, 50.0)], &BOX).is_empty());
        assert!(clip_area(&[], &BOX).is_empty());
    }

    #[test]
    fn a_straightened_line_stays_within_the_tolerance() {
        let wave = |i: i32| (0.5 * f64::from(i), 40.0 * libm::sin(0.02 * f64::from(i)));
        let back = (0..200).map(|i| (100.0 - 0.5 * f64::from(i), 30.0));
        let run: Vec<Px> = (0..=400).map(wave).chain(back).collect();
        let few = straightened(&run, 0.1);
        assert!(few.len() < 60, "{}", few.len());
        assert_eq!((few[0], few[few.len() - 1]), (run[0], run[run.len() - 1]));
        let distance = |p: Px, a: Px, b: Px| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-300);
            let t = t.clamp(0.0, 1.0);
            (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
        };
        for p in run {
            let nearest =
                few.windows(2).map(|ends| distance(p, ends[0], ends[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.11, "{p:?} is {nearest} away");
        }
        let corner = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0), (0.0, 0.0)];
        assert_eq!(straightened(&corner, 0.1), corner);
        assert_eq!(straightened(&[(1.0, 1.0)], 0.1), [(1.0, 1.0)]);
        assert!(straightened(&[], 0.1).is_empty());
    }

    #[test]
    fn straightening_keeps_both_ends() {
        let run: Vec<Px> = (0..=1000).map(|i| (f64::from(i) * 0.01, 0.0)).collect();
        let few = straightened(&run, 0.1);
        assert!(few.len() <= 42 && few[0] == run[0] && few.last() == run.last());
    }
}
