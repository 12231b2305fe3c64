//! Columns and sources: the correlation of each column with each source, and the variance of each column that the fit explains.

use serde_json::{Value, json};

use super::TableRow;
use crate::figure::{Axis, Bar, Bars, Figure, Hue, percent};
use crate::math::stats::order;
use crate::models::nfa::solver::score::correlation;

/// Hues of the sources that are drawn.
const HUES: [Hue; 4] = [Hue::Blue, Hue::Orange, Hue::Green, Hue::Purple];
/// Width of the bars of a column together; columns are one apart.
const WIDTH: f64 = 0.76;
/// Absolute correlation from which a source is said to follow a column: a usual limit for loadings.
const FOLLOWS: f64 = 0.4;
/// Maximum number of sources in the finding, and of letters of the names in it: three lines on a phone.
const MAX_NAMED: usize = 2;
const MAX_LETTERS: usize = 72;
/// Difference of the explained shares above which a dependence is said to be nonlinear.
const NONLINEAR: f64 = 0.2;

/// Returns the share of the variance of each channel that a reconstruction explains, over the finite cells of `measured`; both are
/// T×m, row by row, with `channels` = m. A share is negative if the mean of the channel is a better prediction, NaN if it is not
/// defined.
pub(super) fn explained(measured: &[f64], reconstruction: &[f64], channels: usize) -> Vec<f64> {
    let share = |k: usize| {
        let cells = measured.iter().zip(reconstruction).skip(k).step_by(channels);
        let known: Vec<(f64, f64)> = cells.filter(|(x, _)| x.is_finite()).map(|(x, r)| (*x, *r)).collect();
        let mean = known.iter().map(|(x, _)| x).sum::<f64>() / known.len() as f64;
        let residual: f64 = known.iter().map(|(x, r)| (x - r) * (x - r)).sum();
        let total: f64 = known.iter().map(|(x, _)| (x - mean) * (x - mean)).sum();
        1.0 - residual / total
    };
    (0..channels).map(share).collect()
}

/// Returns the correlation of each channel with the posterior mean of each source over the rows with a measurement, m of n; NaN if it
/// is not defined.
fn loadings(row: &TableRow) -> Vec<Vec<f64>> {
    let (channels, sources) = (row.names.len(), row.fitted.sources);
    let loading = |k: usize, i: usize| {
        let measured = row.measured.iter().skip(k).step_by(channels);
        let means = row.fitted.means.iter().skip(i).step_by(sources);
        let known = measured.zip(means).filter(|(x, _)| x.is_finite());
        let (x, s): (Vec<f64>, Vec<f64>) = known.map(|(x, s)| (f64::from(*x), f64::from(*s))).unzip();
        correlation(&x, &s)
    };
    (0..channels).map(|k| (0..sources).map(|i| loading(k, i)).collect()).collect()
}

/// Returns the figure of the loadings: bars of the correlation of each column with each source. `count` is the number of sources.
pub(super) fn loadings_figure(row: &TableRow, count: usize) -> Figure {
    let loadings = loadings(row);
    let shown = count.min(HUES.len());
    let marks = (0..shown).map(|i| {
        let name = format!("source {}", i + 1);
        let values = loadings.iter().map(|channel| channel.get(i).copied().unwrap_or(f64::NAN));
        bars(&format!("source-{}", i + 1), &name, HUES[i], (i, shown), values)
    });
    let finding = finding(row, &loadings, shown);
    Figure::new("loadings", "Columns and sources")
        .x(column_axis(&row.names))
        .y(Axis::linear("correlation with the source", (-1.05, 1.05)))
        .with_records()
        .marks(marks)
        .caption(format!(
            "Correlation of each column with the posterior mean of each source, from −1 to 1, after {} sweeps on {} rows.{} The sign and \
             the order of the sources are arbitrary{}. {}",
            row.fitted.cost.len(),
            row.lines.len(),
            nonlinear(row, &loadings),
            if row.fitted.sources > 1 { "; without mixture priors, so is their rotation" } else { "" },
            on_table(row)
        ))
        .summary(if finding.is_empty() { "There is no fit yet." } else { finding.as_str() })
        .finding(finding)
}

/// Returns the axis of columns, with their names.
fn column_axis(names: &[String]) -> Axis {
    Axis::categories("column", names.to_vec())
}

/// Returns bars of a series, one of `of.1` beside each other for each column.
fn bars(key: &str, label: &str, hue: Hue, of: (usize, usize), values: impl Iterator<Item = f64>) -> Bars {
    let width = WIDTH / of.1 as f64;
    let shift = width * (of.0 as f64 - 0.5 * (of.1 as f64 - 1.0));
    Bars::new(key, label, hue, width, values.zip(1..).map(|(value, k)| Bar::new(f64::from(k) + shift, value)))
}

/// Returns a sentence with the columns that the first sources follow; empty before the first sweep.
fn finding(row: &TableRow, loadings: &[Vec<f64>], shown: usize) -> String {
    let is_fitted = !row.fitted.cost.is_empty() && loadings.iter().flatten().any(|r| r.is_finite());
    if !is_fitted {
        return String::new();
    }
    let shown = shown.min(MAX_NAMED);
    let follows = |i: usize| {
        let source =
            if row.fitted.sources == 1 { "the source".to_owned() } else { format!("source {}", i + 1) };
        let sizes: Vec<f64> =
            loadings.iter().map(|channel| channel.get(i).map_or(0.0, |r| -r.abs())).collect();
        let clear = order(&sizes).into_iter().filter(|k| sizes[*k] <= -FOLLOWS);
        let names: Vec<&str> = clear.map(|k| row.names[k].as_str()).collect();
        if names.is_empty() {
            format!("{source} reflects no single column")
        } else {
            format!("{source} reflects {}", listed(&names, MAX_LETTERS / shown))
        }
    };
    let words: Vec<String> = (0..shown).map(follows).collect();
    let mut sentence = words.join("; ");
    sentence.replace_range(..1, &sentence[..1].to_uppercase());
    sentence + "."
}

/// Returns names as a list, `a, b and 3 more`, of about that many letters at most.
fn listed(names: &[&str], letters: usize) -> String {
    let mut used = 0;
    let fits = |name: &&&str| {
        used += name.chars().count() + 2;
        used <= letters
    };
    let whole = names.iter().take_while(fits).count();
    let first: String = names[0].chars().take(letters).collect();
    let first = if whole == 0 && first.len() < names[0].len() { first + "…" } else { first };
    let mut parts = vec![first];
    parts.extend(names.iter().take(whole).skip(1).map(|name| (*name).to_owned()));
    match names.len() - parts.len() {
        0 => {}
        more => parts.push(format!("{more} more")),
    }
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

/// Returns a sentence on columns that are explained much better than by a linear dependence; empty if there are none.
fn nonlinear(row: &TableRow, loadings: &[Vec<f64>]) -> String {
    let shares = row.explained.iter().zip(&row.linear_explained).zip(&row.names);
    let clear = shares.filter(|((fit, linear), _)| *fit - linear.max(0.0) > NONLINEAR);
    let names: Vec<&str> = clear.map(|(_, name)| name.as_str()).collect();
    if names.is_empty() || loadings.is_empty() {
        return String::new();
    }
    format!(
        " The network explains {} much better than principal components do, as expected if the dependence is nonlinear.",
        listed(&names, MAX_LETTERS)
    )
}

/// Returns the remarks on columns that are not used and on missing values.
fn on_table(row: &TableRow) -> String {
    let left_out = |which: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!(" {which}, not used: {}.", names.join(", ")),
    };
    format!(
        "{} of {} values are missing.{}{}{}",
        row.missing_cells().count(),
        row.measured.len(),
        left_out("Constant columns", &row.constant),
        left_out("Columns without numbers", &row.without_numbers),
        row.treated.remarks()
    )
}

/// Returns the figure of the share of the variance of each column that sources and principal components explain.
pub(super) fn explained_figure(row: &TableRow) -> Figure {
    let names = &row.names;
    let shares = || row.explained.iter().chain(&row.linear_explained);
    let lowest = shares().filter(|share| share.is_finite()).fold(0.0_f64, |low, share| low.min(*share));
    let figure = Figure::new("explained", "Explained variance of each column")
        .x(column_axis(names))
        .y(Axis::linear("share of the variance", (1.05 * lowest, 1.05)));
    let components = match row.fitted.sources {
        1 => "one principal component".to_owned(),
        count => format!("{count} principal components"),
    };
    let of = |at: usize, key: &str, label: &str, hue, shares: &[f64]| {
        bars(key, label, hue, (at, 2), shares.iter().copied())
    };
    let figure = figure.mark(of(0, "fit", "nonlinear sources", Hue::Blue, &row.explained)).mark(of(
        1,
        "linear",
        "principal components",
        Hue::Orange,
        &row.linear_explained,
    ));
    let Some(share) = row.explained_variance() else {
        return figure.saying("The explained variance is computed at the end of the fit.");
    };
    let sources = match row.fitted.sources {
        1 => "One source explains".to_owned(),
        count => format!("{count} sources explain"),
    };
    let linear = row.linear_explained.iter().sum::<f64>() / row.linear_explained.len() as f64;
    figure
        .finding_and_summary(format!(
            "{sources} {} of the variance, averaged over {} columns; {components}, {}.",
            percent(share),
            names.len(),
            percent(linear)
        ))
        .caption(format!(
            "Share of each column’s variance explained by the network’s reconstruction, and by {components} of the same rows. Missing \
                values are excluded; for principal components they are replaced by the column mean. A column explained much better by the \
                network may depend nonlinearly on the sources, or on directions that the first components leave out."
        ))
}

/// Returns the report of explained variance, in the order of the columns, and loadings, a row per column.
pub(super) fn report(row: &TableRow) -> Value {
    json!({
        "explained_variance": row.explained,
        "explained_variance_of_principal_components": row.linear_explained,
        "loadings": loadings(row),
    })
}
