//! Placement of labels beside curves and in rows.

/// Requested position and height of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LabelRequest {
    /// Requested middle.
    pub at: f64,
    /// Height, including spacing.
    pub height: f64,
}

/// Returns middles inside `top..bottom` that do not overlap and minimise the sum of squared displacements; `None` if the labels do
/// not fit. The order is that of the requested positions, but of two closer than half a label, the earlier one stands higher, so
/// that labels do not jump when curves cross while a run goes on.
///
/// After subtracting the heights, "no overlap" means "in order": this is isotonic regression, solved by pooling adjacent violators.
pub(super) fn place_labels(requests: &[LabelRequest], (top, bottom): (f64, f64)) -> Option<Vec<f64>> {
    let total: f64 = requests.iter().map(|request| request.height).sum();
    if total > bottom - top {
        return None;
    }
    let mut order: Vec<usize> = (0..requests.len()).collect();
    order.sort_by(|&a, &b| requests[a].at.total_cmp(&requests[b].at));
    let early = |above: usize, below: usize| {
        let near = 0.25 * (requests[above].height + requests[below].height);
        below < above && requests[below].at - requests[above].at < near
    };
    // Every swap restores the given order of two labels, so the loop ends.
    while let Some(i) = (1..order.len()).find(|&i| early(order[i - 1], order[i])) {
        order.swap(i - 1, i);
    }
    // Upper edges with the heights of the labels above subtracted.
    let mut above = 0.0;
    let mut offsets = Vec::with_capacity(order.len());
    // Pools of adjacent labels that touch: sum of reduced requests, and their number.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &i in &order {
        offsets.push(above);
        let reduced = requests[i].at.clamp(top, bottom) - 0.5 * requests[i].height - above;
        above += requests[i].height;
        pools.push((reduced, 1));
        while let [.., (s1, n1), (s2, n2)] = pools[..] {
            if s1 / n1 as f64 <= s2 / n2 as f64 {
                break;
            }
            pools.truncate(pools.len() - 2);
            pools.push((s1 + s2, n1 + n2));
        }
    }
    let edges = pools.iter().flat_map(|&(s, n)| std::iter::repeat_n(s / n as f64, n));
    let mut out = vec![0.0; requests.len()];
    for ((&i, offset), edge) in order.iter().zip(offsets).zip(edges) {
        out[i] = edge.min(bottom - total).max(top) + offset + 0.5 * requests[i].height;
    }
    Some(out)
}

/// Arranges items of the given widths in rows no wider than `max`: index and left edge of each item. Items stand in columns if
/// that needs no more rows; otherwise each goes to the first row with room for it.
pub(super) fn rows(widths: &[f64], gap: f64, max: f64) -> Vec<Vec<(usize, f64)>> {
    let mut flowing: Vec<(f64, Vec<(usize, f64)>)> = Vec::new();
    for (i, &w) in widths.iter().enumerate() {
        match flowing.iter_mut().find(|(end, _)| end + w <= max) {
            Some((end, row)) => {
                row.push((i, *end));
                *end += w + gap;
            }
            None => flowing.push((w + gap, vec![(i, 0.0)])),
        }
    }
    let n = widths.len();
    for columns in (1..=n).rev() {
        let column = |c: usize| widths.iter().skip(c).step_by(columns).fold(0.0, |a: f64, &b| a.max(b));
        let starts: Vec<f64> = (0..columns)
            .scan(0.0, |x, c| {
                let start = *x;
                *x += column(c) + gap;
                Some(start)
            })
            .collect();
        let fits = starts.last().is_some_and(|s| s + column(columns - 1) <= max);
        if fits && n.div_ceil(columns) <= flowing.len() {
            let items: Vec<(usize, f64)> = (0..n).map(|i| (i, starts[i % columns])).collect();
            return items.chunks(columns).map(<[_]>::to_vec).collect();
        }
    }
    flowing.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the reproducible pseudo-random numbers from 0 to 1.
    fn numbers(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        })
    }

    #[test]
    fn labels_never_overlap_and_stay_inside() {
        for seed in 1..400 {
            let mut r = numbers(seed);
            let n = 1 + (r.next().unwrap() * 9.0) as usize;
            let spread = r.next().unwrap().powi(3) * 600.0;
            let requests: Vec<LabelRequest> = (0..n)
                .map(|_| LabelRequest {
                    at: 100.0 + spread * (r.next().unwrap() - 0.5),
                    height: if r.next().unwrap() < 0.5 { 17.0 } else { 31.0 },
                })
                .collect();
            let Some(at) = place_labels(&requests, (10.0, 390.0)) else {
                panic!("{n} labels fit");
            };
            for i in 0..n {
                assert!(at[i] - 0.5 * requests[i].height >= 10.0 - 1e-9);
                assert!(at[i] + 0.5 * requests[i].height <= 390.0 + 1e-9);
                for j in 0..i {
                    let apart = 0.5 * (requests[i].height + requests[j].height);
                    assert!((at[i] - at[j]).abs() >= apart - 1e-9, "seed {seed}: {requests:?} {at:?}");
                    let (dw, da) = (requests[i].at - requests[j].at, at[i] - at[j]);
                    let near = dw.abs() < 0.5 * apart;
                    assert!(near || dw * da >= 0.0, "seed {seed}: curves well apart keep their order");
                }
            }
        }
    }

    #[test]
    fn a_label_with_room_stays_at_its_requested_position() {
        let w = |at| LabelRequest { at, height: 16.0 };
        assert_eq!(place_labels(&[w(50.0), w(150.0)], (0.0, 200.0)), Some(vec![50.0, 150.0]));
        assert_eq!(place_labels(&[w(50.0), w(50.0)], (0.0, 200.0)), Some(vec![42.0, 58.0]));
        assert_eq!(place_labels(&[w(-900.0)], (0.0, 200.0)), Some(vec![8.0]));
        assert_eq!(place_labels(&[w(50.0), w(50.0)], (0.0, 30.0)), None);
        assert_eq!(place_labels(&[], (0.0, 30.0)), Some(vec![]));
    }

    #[test]
    fn labels_of_close_curves_keep_their_order() {
        let at = |places: [f64; 3]| {
            let requests = places.map(|at| LabelRequest { at, height: 16.0 });
            place_labels(&requests, (0.0, 200.0)).expect("they fit")
        };
        assert_eq!(at([100.0, 101.0, 60.0]), at([101.0, 100.0, 60.0]), "the curves cross, the labels stay");
        let apart = at([109.0, 100.0, 60.0]);
        assert!(apart[1] < apart[0], "half a label apart, they follow the curves: {apart:?}");
    }

    #[test]
    fn a_legend_is_a_table_if_possible() {
        let widths = [100.0, 120.0, 90.0, 110.0];
        assert_eq!(rows(&widths, 10.0, 240.0), [vec![(0, 0.0), (1, 110.0)], vec![(2, 0.0), (3, 110.0)]]);
        assert_eq!(rows(&widths, 10.0, 1000.0).len(), 1);
        assert_eq!(rows(&widths, 10.0, 50.0).len(), 4);
        assert!(rows(&[], 10.0, 50.0).is_empty());
        // Three rows instead of four, since the third item goes beside the first.
        let widths = [160.0, 180.0, 130.0, 150.0, 200.0, 100.0];
        let first: Vec<Vec<usize>> =
            rows(&widths, 14.0, 345.0).iter().map(|r| r.iter().map(|(i, _)| *i).collect()).collect();
        assert_eq!(first, [[0, 2], [1, 3], [4, 5]]);
    }
}
