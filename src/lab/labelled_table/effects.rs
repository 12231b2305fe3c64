//! Effect of each column of a table on the predictions of held-out rows, by permutation (Breiman, Machine Learning 45, 5 (2001)).

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::data::{ColumnScale, Dataset};
use crate::figure::{Axis, Bar, Bars, Figure, Hue, rounded};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::{mean, order};

/// Maximum number of held-out rows that are used.
const MAX_ROWS: usize = 1000;
/// Number of permutations of each column.
const PERMUTATIONS: u64 = 2;
/// Maximum number of columns for which effects are computed.
const MAX_COLUMNS: usize = 400;
/// Maximum number of columns in the figure.
const MAX_BARS: usize = 30;
const TITLE: &str = "Effect of each column";
const COLUMN: &str = "column, largest effect first";

/// Effect of a column on the predictions of held-out rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEffect {
    /// Name of the column.
    pub column: String,
    /// Mean increase of the loss of a row when the values of the column are permuted among the rows.
    pub increase: f64,
    /// Standard error of the increase over the rows; `None` for a single row.
    pub se: Option<f64>,
    /// Number of rows.
    pub rows: usize,
}

/// Inputs of held-out rows, with the columns of the table that they are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOutInputs {
    /// Inputs, rows×width, row by row.
    pub(super) inputs: Vec<f64>,
    pub(super) width: usize,
    /// Indices of the rows in the data set.
    pub(super) rows: Vec<usize>,
    pub(super) columns: Vec<InputColumn>,
}

/// A column of the table and its inputs; the indicators of a column of words are permuted together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InputColumn {
    pub name: String,
    pub inputs: Range<usize>,
    /// True for a column of numbers, which is one input.
    pub is_number: bool,
    /// Scale of the first input, if the table is standardised.
    pub scale: Option<ColumnScale>,
}

impl HeldOutInputs {
    /// Returns the inputs of the rows `held_out` of `set`; if there are more than 1000, of 1000 evenly spaced ones.
    pub fn of(set: &Dataset, held_out: &[usize]) -> Self {
        let used = held_out.len().min(MAX_ROWS);
        let rows: Vec<usize> = (0..used).map(|i| held_out[i * held_out.len() / used]).collect();
        let mut columns: Vec<InputColumn> = Vec::new();
        for (i, input) in set.coding.iter().enumerate() {
            match columns.last_mut().filter(|column| column.name == input.column) {
                Some(column) => column.inputs.end = i + 1,
                None => columns.push(InputColumn {
                    name: input.column.clone(),
                    inputs: i..i + 1,
                    is_number: input.word.is_none(),
                    scale: set.scaling.as_ref().map(|scaling| scaling.inputs[i]),
                }),
            }
        }
        let inputs = rows.iter().flat_map(|row| set.row(*row)).copied().collect();
        Self { inputs, width: set.width(), rows, columns }
    }

    /// Returns other rows of the same table, with their inputs; their indices are 0, 1, ….
    #[must_use]
    pub fn of_rows(&self, inputs: &[&[f64]]) -> Self {
        Self { inputs: inputs.concat(), rows: (0..inputs.len()).collect(), ..self.clone() }
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Returns the indices of the rows in the data set.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Returns the effect of each column; none if there are no rows or more than 400 columns. `losses` returns the loss of each row,
    /// given the inputs of all rows, row by row.
    pub fn effects(&self, seed: u64, losses: impl Fn(&[f64]) -> Vec<f64>) -> Vec<ColumnEffect> {
        let mut parts = EffectParts::new(self.clone(), seed);
        while let Some(inputs) = parts.inputs() {
            parts.take(&losses(&inputs));
        }
        parts.finish()
    }

    /// Returns the inputs with those in `range` permuted among the rows.
    fn permuted(&self, range: &Range<usize>, seed: u64, unit: u64) -> Vec<f64> {
        let mut stream = Stream::for_purpose(seed, Purpose::TableColumnEffects, unit);
        let keys: Vec<f64> = self.rows.iter().map(|_| stream.uniform()).collect();
        let mut permuted = self.inputs.clone();
        for (to, from) in order(&keys).into_iter().enumerate() {
            let from = &self.inputs[from * self.width..][range.clone()];
            permuted[to * self.width..][range.clone()].copy_from_slice(from);
        }
        permuted
    }
}

/// Effects that are computed in parts: the losses of the rows as they are, then those after each permutation of each column.
#[derive(Clone, Debug)]
pub struct EffectParts {
    rows: HeldOutInputs,
    seed: u64,
    /// Loss of each row as it is, once it is known.
    unchanged: Option<Vec<f64>>,
    /// Mean increase of the loss of each row by the permutations of the current column so far.
    increases: Vec<f64>,
    /// Permutations of the current column so far.
    permutations: u64,
    effects: Vec<ColumnEffect>,
}

impl EffectParts {
    /// Prepares the effects of all columns; of none if there are more than 400, or no rows.
    pub fn new(mut rows: HeldOutInputs, seed: u64) -> Self {
        if rows.rows.is_empty() || rows.columns.len() > MAX_COLUMNS {
            rows.columns.clear();
        }
        let increases = vec![0.0; rows.rows.len()];
        Self { rows, seed, unchanged: None, increases, permutations: 0, effects: Vec::new() }
    }

    /// Returns the number of parts for so many columns.
    pub fn count(columns: usize) -> usize {
        1 + columns * PERMUTATIONS as usize
    }

    /// Returns the inputs of the next part, row by row; `None` after the last.
    pub fn inputs(&self) -> Option<Vec<f64>> {
        let column = self.rows.columns.get(self.effects.len())?;
        let unit = self.effects.len() as u64 * PERMUTATIONS + self.permutations;
        let is_first = self.unchanged.is_none();
        Some(if is_first {
            self.rows.inputs.clone()
        } else {
            self.rows.permuted(&column.inputs, self.seed, unit)
        })
    }

    /// Takes the loss of each row in this part.
    pub fn take(&mut self, losses: &[f64]) {
        let Some(unchanged) = &self.unchanged else {
            self.unchanged = Some(losses.to_vec());
            return;
        };
        for ((sum, loss), before) in self.increases.iter_mut().zip(losses).zip(unchanged) {
            *sum += (loss - before) / PERMUTATIONS as f64;
        }
        self.permutations += 1;
        if self.permutations == PERMUTATIONS {
            let increase = mean(self.increases.iter().copied());
            let se = Some(increase.se).filter(|se| se.is_finite());
            let column = self.rows.columns[self.effects.len()].name.clone();
            self.effects.push(ColumnEffect { column, increase: increase.mean, se, rows: unchanged.len() });
            self.increases.fill(0.0);
            self.permutations = 0;
        }
    }

    /// Returns the effects of the columns that are complete.
    pub fn finish(self) -> Vec<ColumnEffect> {
        self.effects
    }
}

/// Returns the effects over the held-out rows of all folds, given those of each fold.
pub fn effects_over_folds(folds: &[Vec<ColumnEffect>]) -> Vec<ColumnEffect> {
    let Some((first, others)) = folds.split_first() else { return Vec::new() };
    let of_column = |(at, first): (usize, &ColumnEffect)| {
        let all = || std::iter::once(first).chain(others.iter().filter_map(move |fold| fold.get(at)));
        let rows: usize = all().map(|effect| effect.rows).sum();
        let share = |effect: &ColumnEffect| effect.rows as f64 / rows as f64;
        let square = all().map(|effect| effect.se.map(|se| (share(effect) * se) * (share(effect) * se)));
        ColumnEffect {
            column: first.column.clone(),
            increase: all().map(|effect| share(effect) * effect.increase).sum(),
            se: square.sum::<Option<f64>>().map(f64::sqrt),
            rows,
        }
    };
    first.iter().enumerate().map(of_column).collect()
}

/// Returns the figure of the effects, largest first; at most the thirty largest. `loss` is the name of the loss with its unit.
pub fn effects_figure(effects: &[ColumnEffect], loss: &str) -> Figure {
    let label = format!("increase of the {loss}");
    if effects.is_empty() {
        let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
        return Figure::new("effects", TITLE).x(unit(COLUMN)).y(unit(&label)).saying(
            "The effect of a column is measured on test rows or in folds, for at most 400 columns. There is no result yet, or there are no \
             such rows.",
        );
    }
    let sorted = by_size(effects);
    let shown = &sorted[..sorted.len().min(MAX_BARS)];
    let bars = shown
        .iter()
        .zip(1..)
        .map(|(effect, at)| Bar::new(f64::from(at), effect.increase).with_se(effect.se.unwrap_or(f64::NAN)));
    let bars: Vec<Bar> = bars.collect();
    let ends = bars.iter().map(|bar| (bar.value, bar.se.unwrap_or(0.0)));
    let (low, high) =
        ends.fold((0.0, 1e-9), |(low, high): (f64, f64), (x, se)| (low.min(x - se), high.max(x + se)));
    let names = shown.iter().map(|effect| effect.column.clone()).collect();
    let omitted = match sorted.len() - shown.len() {
        0 => String::new(),
        _ => format!(" Of {} columns, the {MAX_BARS} largest are shown.", sorted.len()),
    };
    Figure::new("effects", TITLE)
        .x(Axis::categories(COLUMN, names))
        .y(Axis::linear(label, (1.05 * low, 1.05 * high)))
        .found(finding(&sorted, loss))
        .caption(format!(
            "Increase of the {loss} of held-out rows when the values of one column are permuted among them. Error bars: one \
             standard error over the {} rows. An effect near 0 means that the predictions do not need the column: it carries no information, \
             or other columns carry the same.{omitted}",
            sorted[0].rows
        ))
        .mark(Bars::new("effect", "", Hue::Blue, 0.7, bars))
}

/// Returns the report of the effects, largest first.
pub fn report_effects(effects: &[ColumnEffect]) -> Value {
    let entry = |effect: &ColumnEffect| json!({ "column": effect.column, "increase": effect.increase, "se": effect.se, "rows": effect.rows });
    by_size(effects).into_iter().map(entry).collect()
}

/// Returns the effects in descending order.
pub(super) fn by_size(effects: &[ColumnEffect]) -> Vec<&ColumnEffect> {
    let keys: Vec<f64> = effects.iter().map(|effect| -effect.increase).collect();
    order(&keys).into_iter().map(|i| &effects[i]).collect()
}

/// Returns a sentence with the largest effect, and the number of columns whose effect is beyond two standard errors.
fn finding(sorted: &[&ColumnEffect], loss: &str) -> String {
    let is_clear = |effect: &&&ColumnEffect| effect.se.is_some_and(|se| effect.increase > 2.0 * se);
    let clear = sorted.iter().filter(is_clear).count();
    match sorted.first().filter(|_| clear > 0) {
        Some(largest) => format!(
            "The predictions depend most on {}: permuting it increases the {loss} by {}. {clear} of {} columns have an effect of more \
             than two standard errors.",
            largest.column,
            rounded(largest.increase),
            sorted.len()
        ),
        None => "No column has an effect of more than two standard errors.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the inputs of 200 rows: a number, a column of two indicators, and a number that is not used.
    fn rows() -> HeldOutInputs {
        let row = |i: usize| {
            let word = f64::from(u8::from(i.is_multiple_of(3)));
            [(i * 37 % 101) as f64 / 50.0 - 1.0, word, 1.0 - word, (i % 7) as f64]
        };
        let column = |name: &str, inputs: Range<usize>| {
            let is_number = inputs.len() == 1;
            InputColumn { name: name.into(), inputs, is_number, scale: None }
        };
        HeldOutInputs {
            inputs: (0..200).flat_map(row).collect(),
            width: 4,
            rows: (0..200).collect(),
            columns: vec![column("x", 0..1), column("word", 1..3), column("noise", 3..4)],
        }
    }

    /// Returns the squared errors of the prediction 2x + word, which is exact, for rows whose indicators are consistent.
    fn losses(inputs: &[f64]) -> Vec<f64> {
        let targets: Vec<f64> = rows().inputs.chunks(4).map(|row| 2.0 * row[0] + row[1]).collect();
        let loss = |(row, target): (&[f64], &f64)| {
            assert_eq!(row[1] + row[2], 1.0, "the indicators of a column are permuted together");
            (2.0 * row[0] + row[1] - target) * (2.0 * row[0] + row[1] - target)
        };
        inputs.chunks(4).zip(&targets).map(loss).collect()
    }

    #[test]
    fn the_effect_of_a_column_is_twice_the_variance_that_it_explains() {
        let effects = rows().effects(1, losses);
        let variance = |of: fn(&[f64]) -> f64| {
            let values: Vec<f64> = rows().inputs.chunks(4).map(of).collect();
            let mean = values.iter().sum::<f64>() / 200.0;
            values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 200.0
        };
        for (effect, variance) in effects.iter().zip([variance(|row| 2.0 * row[0]), variance(|row| row[1])]) {
            let se = effect.se.unwrap();
            assert!((effect.increase - 2.0 * variance).abs() < 3.0 * se && se < 0.2, "{effect:?} {variance}");
        }
        assert_eq!((effects[2].increase, effects[2].se), (0.0, Some(0.0)));
        assert_eq!(effects, rows().effects(1, losses), "the same for the same seed");
        assert_ne!(effects, rows().effects(2, losses));
    }

    #[test]
    fn the_figure_has_the_largest_effect_first() {
        let effects = rows().effects(1, losses);
        let figure = effects_figure(&effects, "squared error");
        assert_eq!(figure.x.names, ["x", "word", "noise"]);
        let report = report_effects(&effects);
        assert_eq!((&report[0]["column"], &report[2]["increase"]), (&json!("x"), &json!(0.0)));
        assert!(figure.finding.contains("2 of 3 columns"), "{}", figure.finding);
        let many: Vec<ColumnEffect> = (0..50)
            .map(|i| ColumnEffect { column: format!("c{i}"), increase: f64::from(i), se: None, rows: 1 })
            .collect();
        let figure = effects_figure(&many, "squared error");
        assert_eq!((figure.x.names.len(), figure.x.names[0].as_str()), (30, "c49"));
        assert!(effects_figure(&[], "squared error").marks.is_empty());
    }

    #[test]
    fn folds_are_weighted_by_their_rows() {
        let effect = |increase, se, rows| vec![ColumnEffect { column: "x".into(), increase, se, rows }];
        let both = effects_over_folds(&[effect(1.0, Some(0.3), 10), effect(4.0, Some(0.6), 20)]);
        let se = (0.1_f64 * 0.1 + 0.4 * 0.4).sqrt();
        assert!((both[0].increase - 3.0).abs() < 1e-12 && (both[0].se.unwrap() - se).abs() < 1e-12);
        assert_eq!((both[0].rows, both.len()), (30, 1));
        assert_eq!(effects_over_folds(&[effect(1.0, None, 1), effect(4.0, Some(0.6), 20)])[0].se, None);
        assert!(effects_over_folds(&[]).is_empty());
    }
}
