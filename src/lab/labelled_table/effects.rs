//! Effect of each column of a table on the predictions of held-out rows, by permutation (Breiman, Machine Learning 45, 5 (2001)).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::held_out_inputs::HeldOutInputs;
use super::scores::SCORES;
use crate::figure::{Axis, Bar, Bars, Figure, Hue, rounded};
use crate::math::scores::{log_loss, normalised};
use crate::math::stats::{mean, order};

/// Number of permutations of each column.
const PERMUTATIONS: usize = 2;
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

/// Reason why there are no effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoEffects {
    /// No rows are held out.
    NoRows,
    /// Number of columns, if more than 400.
    ManyColumns(usize),
    /// Number of columns, too many to permute in at least twenty rows.
    Costly(usize),
}

impl NoEffects {
    /// Returns the reason for these numbers of held-out rows and columns, if one applies to every model.
    pub fn of(rows: usize, columns: usize) -> Option<Self> {
        if columns > MAX_COLUMNS {
            return Some(Self::ManyColumns(columns));
        }
        (rows == 0).then_some(Self::NoRows)
    }

    /// Describes the reason in a sentence.
    fn describe(self) -> String {
        match self {
            Self::NoRows => {
                "There are no held-out rows to measure effects on. Choose a training fraction below 1."
                    .to_owned()
            }
            Self::ManyColumns(columns) => format!(
                "Effects are measured for at most {MAX_COLUMNS} columns; the table has {columns}. Choose columns to ignore."
            ),
            Self::Costly(columns) => format!(
                "Effects are not measured: permuting {columns} columns in at least 20 rows would take longer than the fit."
            ),
        }
    }
}

impl HeldOutInputs {
    /// Returns the effect of each column; none if there are no rows or more than 400 columns. `losses` returns the loss of each row,
    /// given the inputs of all rows, row by row.
    pub fn effects(&self, seed: u64, losses: impl Fn(&[f64]) -> Vec<f64>) -> Vec<ColumnEffect> {
        let mut parts = EffectParts::new(self.clone(), seed);
        while let Some(inputs) = parts.inputs() {
            parts.take(&losses(&inputs));
        }
        parts.finish()
    }
}

/// Probabilities of one class for held-out rows, as they are and after each permutation of each column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PermutedProbabilities {
    /// Names of the columns; none if nothing was computed.
    pub columns: Vec<String>,
    /// Indices of the rows among the held-out ones.
    pub rows: Vec<usize>,
    /// Probabilities of the rows, one list for each part.
    pub p: Vec<Vec<f64>>,
}

/// Effects that are computed in parts: the losses of the rows as they are, then those after each permutation of each column.
#[derive(Clone, Debug)]
pub struct EffectParts {
    rows: HeldOutInputs,
    seed: u64,
    /// Losses of the rows in each part so far.
    losses: Vec<Vec<f64>>,
}

impl EffectParts {
    /// Prepares the effects of all columns; of none if there are more than 400, or no rows.
    pub fn new(mut rows: HeldOutInputs, seed: u64) -> Self {
        if rows.rows.is_empty() || rows.columns.len() > MAX_COLUMNS {
            rows.columns.clear();
        }
        Self { rows, seed, losses: Vec::new() }
    }

    /// Returns the number of parts for this many columns.
    pub fn count(columns: usize) -> usize {
        1 + columns * PERMUTATIONS
    }

    /// Returns the inputs of the next part, row by row; `None` after the last.
    pub fn inputs(&self) -> Option<Vec<f64>> {
        let Some(permutation) = self.losses.len().checked_sub(1) else {
            return (!self.rows.columns.is_empty()).then(|| self.rows.inputs.clone());
        };
        let column = self.rows.columns.get(permutation / PERMUTATIONS)?;
        Some(self.rows.permuted(&column.inputs, self.seed, permutation as u64))
    }

    /// Takes the loss of each row in this part.
    pub fn take(&mut self, losses: &[f64]) {
        self.losses.push(losses.to_vec());
    }

    fn names(&self) -> Vec<String> {
        self.rows.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Returns the effects of the columns that are complete.
    pub fn finish(self) -> Vec<ColumnEffect> {
        effects_of_losses(&self.names(), &self.losses)
    }

    /// Returns the probabilities of one class, if these were taken in place of losses. `rows` are the indices of the rows among the held-out
    /// ones.
    pub fn finish_class(self, rows: Vec<usize>) -> PermutedProbabilities {
        PermutedProbabilities { columns: self.names(), rows, p: self.losses }
    }
}

/// Returns the effects of the columns that are complete, given the losses of the rows in each part.
fn effects_of_losses(columns: &[String], losses: &[Vec<f64>]) -> Vec<ColumnEffect> {
    let Some((unchanged, permuted)) = losses.split_first() else { return Vec::new() };
    let effect = |(column, permuted): (&String, &[Vec<f64>])| {
        let mut increases = vec![0.0; unchanged.len()];
        for losses in permuted {
            for ((sum, loss), before) in increases.iter_mut().zip(losses).zip(unchanged) {
                *sum += (loss - before) / PERMUTATIONS as f64;
            }
        }
        let increase = mean(increases.iter().copied());
        let se = Some(increase.se).filter(|se| se.is_finite());
        ColumnEffect { column: column.clone(), increase: increase.mean, se, rows: unchanged.len() }
    };
    columns.iter().zip(permuted.chunks_exact(PERMUTATIONS)).map(effect).collect()
}

/// Returns the effects of the columns on the log loss of several classes, given the probabilities of each class, which are divided by
/// their sum, and the class of each held-out row. Empty if a class has none.
pub fn effects_of_classes(each: &[&PermutedProbabilities], classes: &[usize]) -> Vec<ColumnEffect> {
    let Some((first, others)) = each.split_first() else { return Vec::new() };
    if others.iter().any(|other| (&other.columns, &other.rows) != (&first.columns, &first.rows)) {
        return Vec::new();
    }
    let loss = |part: usize, (at, row): (usize, &usize)| {
        let p: Vec<f64> = each.iter().map(|class| class.p[part][at]).collect();
        log_loss(normalised(&p)[classes[*row]], true)
    };
    let parts = 0..first.p.len();
    let losses: Vec<Vec<f64>> =
        parts.map(|part| first.rows.iter().enumerate().map(|row| loss(part, row)).collect()).collect();
    effects_of_losses(&first.columns, &losses)
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

/// Returns the figure of the effects, largest first; at most the thirty largest. `loss` is the name of the loss with its unit, `missing` the
/// reason if there are no effects.
pub fn effects_figure(effects: &[ColumnEffect], loss: &str, missing: Option<NoEffects>) -> Figure {
    let label = format!("increase of the {loss}");
    if effects.is_empty() {
        let unit = |label: &str| Axis::linear(label, (0.0, 1.0));
        return Figure::new("effects", TITLE)
            .x(unit(COLUMN))
            .y(unit(&label))
            .saying(missing.map_or_else(|| "There is no result yet.".to_owned(), NoEffects::describe));
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
        .finding_and_summary(finding(&sorted, loss))
        .caption(format!(
            "Increase of the {loss} of held-out rows when the values of one column are permuted among them. Error bars: one \
             standard error over the {} rows. An effect near 0 means that the predictions do not need the column: it carries no information, \
             or other columns carry the same.{omitted}",
            sorted[0].rows
        ))
        .mark(Bars::new("effect", "", Hue::Blue, 0.7, bars))
}

/// Adds the reason why there are no effects to the caption of the scores.
pub fn explain_no_effects(figures: &mut [Figure], missing: NoEffects) {
    for figure in figures.iter_mut().filter(|figure| figure.id == SCORES) {
        figure.caption += " ";
        figure.caption += &missing.describe();
    }
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
    use std::ops::Range;

    use super::super::held_out_inputs::InputColumn;
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
        let figure = effects_figure(&effects, "squared error", None);
        assert_eq!(figure.x.names, ["x", "word", "noise"]);
        let report = report_effects(&effects);
        assert_eq!((&report[0]["column"], &report[2]["increase"]), (&json!("x"), &json!(0.0)));
        assert!(figure.finding.contains("2 of 3 columns"), "{}", figure.finding);
        let many: Vec<ColumnEffect> = (0..50)
            .map(|i| ColumnEffect { column: format!("c{i}"), increase: f64::from(i), se: None, rows: 1 })
            .collect();
        let figure = effects_figure(&many, "squared error", None);
        assert_eq!((figure.x.names.len(), figure.x.names[0].as_str()), (30, "c49"));
        for (reason, text) in [
            (None, "no result yet"),
            (NoEffects::of(0, 3), "no held-out rows"),
            (NoEffects::of(9, 500), "at most 400 columns; the table has 500"),
            (Some(NoEffects::Costly(300)), "300 columns"),
        ] {
            let figure = effects_figure(&[], "squared error", reason);
            assert!(figure.marks.is_empty() && figure.caption.contains(text), "{}", figure.caption);
        }
        assert_eq!(NoEffects::of(9, 400), None);
    }

    /// Two of three classes depend on x alone, the third on nothing.
    #[test]
    fn effects_of_classes_are_those_of_their_log_loss() {
        let rows = rows();
        let classes: Vec<usize> = rows.inputs.chunks(4).map(|row| usize::from(row[0] > 0.0)).collect();
        let weights = |row: &[f64]| [libm::exp(-3.0 * row[0]), libm::exp(3.0 * row[0]), 0.5];
        let of_class = |class: usize| {
            let mut parts = EffectParts::new(rows.clone(), 1);
            while let Some(inputs) = parts.inputs() {
                // Any common factor of the probabilities of a row has no effect.
                parts.take(&inputs.chunks(4).map(|row| 0.01 * weights(row)[class]).collect::<Vec<_>>());
            }
            parts.finish_class((0..200).collect())
        };
        let each = [0, 1, 2].map(of_class);
        let found = effects_of_classes(&each.each_ref(), &classes);
        let losses = |inputs: &[f64]| -> Vec<f64> {
            let loss = |(row, class): (&[f64], &usize)| {
                let all = weights(row);
                -libm::log(all[*class] / (all[0] + all[1] + all[2]))
            };
            inputs.chunks(4).zip(&classes).map(loss).collect()
        };
        for (ours, expected) in found.iter().zip(rows.effects(1, losses)) {
            assert!((ours.increase - expected.increase).abs() < 1e-12 && ours.column == expected.column);
        }
        assert!(found[0].increase > 1.0 && found[2].increase == 0.0, "{found:?}");
        let fewer = PermutedProbabilities { rows: vec![0], ..each[0].clone() };
        assert!(effects_of_classes(&[&each[0], &fewer], &classes).is_empty());
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
