//! How often each class is recognised.

use super::{MINUS, PLUS, class, empty, point};
use crate::figure::{Axis, Curve, Figure, Marker};
use crate::models::gp::table::{OwnSnapshot, Prediction};

/// The confusion matrix: of the rows of each class, how many are called what. Its table has a row a class and a column for
/// what it is called; training rows left out, test rows and rows left out by retraining side by side.
pub fn confusion(snapshot: &OwnSnapshot) -> Figure {
    let axis = Axis::linear("class", (0.5, 2.5));
    let base = empty("confusion", "Confusion matrix", axis.clone(), Axis::linear("rows", (0.0, 1.0)));
    let solved = snapshot.main.as_ref().and_then(|main| Some((main, main.solved.as_ref()?)));
    let Some((main, solved)) = solved else { return base };
    let table = &main.table;
    let mut kinds = vec![(
        "left_out",
        "leave-one-out",
        Marker::Disc,
        Cells::of(table.labels.iter().zip(&solved.left_out)),
    )];
    if !solved.test.is_empty() {
        let cells = Cells::of(table.test_labels.iter().zip(&solved.test));
        kinds.push(("test", "test", Marker::Square, cells));
    }
    if snapshot.exact_errors().is_some() {
        let known = snapshot.retrained.iter();
        let known = known.filter_map(|r| Some((table.labels.get(r.row)?, r.prediction.as_ref()?)));
        kinds.push(("exact", "exact leave-one-out", Marker::Circle, Cells::of(known)));
    }
    let names = [1.0, -1.0].map(|sign| class(main, sign));
    let words: Vec<String> = (kinds.iter())
        .map(|(_, label, _, Cells(cells))| {
            let recognised =
                |i: usize| format!("{} of {} with {}", cells[i][i], cells[i].iter().sum::<usize>(), names[i]);
            format!("{label}, {} and {} are classified correctly", recognised(0), recognised(1))
        })
        .collect();
    let sentence = format!("Of the rows of each class: {}.", words.join("; "));
    let most = kinds.iter().flat_map(|(_, _, _, cells)| cells.0.as_flattened()).max().copied().unwrap_or(1);
    let mut curves = Vec::new();
    for (key, label, marker, Cells(cells)) in kinds {
        for (said, (sign, hue)) in [("plus", PLUS), ("minus", MINUS)].into_iter().enumerate() {
            let called = format!("{label}, classified as {}", names[said]);
            let points = (0..2).map(|is| point(is as f64 + 1.0, cells[is][said] as f64));
            curves.push(Curve::new(format!("{key}_{sign}"), called, hue).marker(marker).points(points));
        }
    }
    let caption = format!(
        "Confusion matrix: of the rows of each class (left and right), how many are classified as what; the table under “Data” has \
             one row per class. {sentence} A latent mean of exactly zero counts as an error."
    );
    base.x(Axis::categories("class", names.to_vec()))
        .y(Axis::linear("rows", (0.0, most as f64 * 1.08)))
        .caption(caption)
        .summary(sentence)
        .marks(curves)
}

/// Numbers of rows: by class, +1 first, and by what they are called.
struct Cells([[usize; 2]; 2]);

impl Cells {
    fn of<'a>(rows: impl Iterator<Item = (&'a f64, &'a Prediction)>) -> Self {
        let mut cells = [[0; 2]; 2];
        for (tau, said) in rows {
            let is = usize::from(*tau < 0.0);
            cells[is][is ^ usize::from(said.misses(*tau))] += 1;
        }
        Self(cells)
    }
}
