//! Descriptions of figures for readers who do not see them.

use std::fmt::{Arguments, Write as _};

use meanfield_math::importance::LogMeanWeight;

use super::{Figure, FigureKind, Mark};

/// Largest number of marks described one by one.
const MAX_MARKS: usize = 12;

impl Figure {
    /// Returns the finding, or the title if there is none.
    pub fn headline(&self) -> String {
        if self.finding.is_empty() { format!("{}.", self.title) } else { self.finding.clone() }
    }

    /// Describes the figure: its summary, then number and range of the values of each mark that is not hidden.
    pub fn described(&self) -> String {
        let mut text = if self.summary.trim().is_empty() { &self.title } else { &self.summary }.clone();
        let repeated = |at: usize, mark: &Mark| {
            self.marks[..at]
                .iter()
                .any(|other| other.info().label == mark.info().label && other.data().eq(mark.data()))
        };
        let visible = |mark: &Mark| !mark.info().hidden && !mark.info().label.is_empty();
        // Panels may repeat a mark.
        let all = self.marks.iter().enumerate();
        let shown: Vec<&Mark> =
            all.filter(|(at, mark)| visible(mark) && !repeated(*at, mark)).map(|(_, mark)| mark).collect();
        for mark in shown.iter().take(MAX_MARKS) {
            // Writing to a String cannot fail.
            let _ = write!(text, " {}: {}.", mark.info().label, self.describe_values(mark));
        }
        if let more @ 1.. = shown.len().saturating_sub(MAX_MARKS) {
            let _ = write!(text, " {more} more are in the data table.");
        }
        text
    }

    /// Describes number and range of the values of a mark.
    fn describe_values(&self, mark: &Mark) -> String {
        let value = |datum: super::Datum| match (mark, &self.kind) {
            (Mark::Grid(_), _) => datum.get("count").or(datum.get("value")),
            (Mark::Bars(bars), _) if bars.horizontal => Some(datum.x),
            (_, FigureKind::Space { .. }) => datum.z,
            _ => Some(datum.y),
        };
        let values = mark.data().filter_map(value);
        let (count, low, high) =
            values.fold((0, f64::INFINITY, f64::NEG_INFINITY), |(n, l, h), v| (n + 1, l.min(v), h.max(v)));
        match count {
            0 => "no values".to_owned(),
            1 => format!("one value, {}", rounded(low)),
            n if low == high => format!("{n} values, all {}", rounded(low)),
            n => format!("{n} values from {} to {}", rounded(low), rounded(high)),
        }
    }
}

/// Formats a number with three significant digits; `no value` if it is not finite.
pub fn rounded(value: f64) -> String {
    match value.abs() {
        _ if !value.is_finite() => "no value".to_owned(),
        size if size != 0.0 && !(1e-3..1e6).contains(&size) => minus(format_args!("{value:.2e}")),
        size if size >= 100.0 => minus(format_args!("{value:.0}")),
        size if size >= 10.0 => minus(format_args!("{value:.1}")),
        _ if value.fract() == 0.0 => minus(format_args!("{value:.0}")),
        size if size >= 1.0 => minus(format_args!("{value:.2}")),
        _ => minus(format_args!("{value:.3}")),
    }
}

/// Formats a share from 0 to 1 in whole per cent; one that only rounds to 0 or 100 as `<1 %` or `>99 %`.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        value if value > 0.0 && value <= 0.5 => "<1 %".to_owned(),
        value if (99.5..100.0).contains(&value) => ">99 %".to_owned(),
        // Adding 0 turns −0 into 0.
        value => format!("{:.0} %", value + 0.0),
    }
}

/// Describes a width relative to the right one (`17 % too wide`, `2.50 times too wide`); `None` if they differ by at most `slack`.
pub fn misfit(ratio: f64, slack: f64) -> Option<String> {
    match ratio {
        ratio if (ratio - 1.0).abs() <= slack => None,
        ratio if ratio >= 2.0 => Some(format!("{} times too wide", rounded(ratio))),
        ratio if ratio > 1.0 => Some(format!("{} too wide", percent(ratio - 1.0))),
        ratio => Some(format!("{} too narrow", percent(1.0 - ratio))),
    }
}

/// Returns a text in which per cent signs stay on the line of their numbers.
pub fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// Most characters of a caption that are shown at first.
const OPENING: usize = 170;

/// Divides a caption into its opening, the whole sentences that are shown at first (at least one), and the rest.
pub fn opening(caption: &str) -> (&str, &str) {
    let starts = |rest: &str| rest.starts_with(char::is_uppercase);
    let ends = caption.match_indices(". ").map(|(at, _)| at + 1).filter(|end| starts(&caption[end + 1..]));
    let ends = ends.chain([caption.len()]);
    let fits = |end: &usize| caption[..*end].chars().count() <= OPENING;
    let end = ends.clone().take_while(fits).last().or_else(|| ends.clone().next()).unwrap_or_default();
    (&caption[..end], caption[end..].trim_start())
}

/// Formats a number with a minus sign (−) in place of the hyphen.
pub fn minus(number: Arguments<'_>) -> String {
    number.to_string().replace('-', "−")
}

/// Formats an estimate of a logarithm in nats with its standard error, or with a warning in its place if its effective sample
/// size is small.
pub fn with_error(estimate: &LogMeanWeight, decimals: usize) -> String {
    let LogMeanWeight { ln_mean, se, ess } = estimate;
    if estimate.is_dominated() {
        minus(format_args!("{ln_mean:.decimals$} nats (unreliable: its effective sample size is {ess:.1})"))
    } else {
        minus(format_args!("{ln_mean:.decimals$} ± {se:.decimals$} nats"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Cloud, Colours, Curve, Grid, Hue, Point};
    use super::*;

    #[test]
    fn a_caption_opens_with_whole_sentences() {
        assert_eq!(opening(""), ("", ""));
        assert_eq!(opening("One. Two."), ("One. Two.", ""));
        let long = format!("A bound, eq. (24). Q. {}.", "Word ".repeat(40));
        assert_eq!(opening(&long), ("A bound, eq. (24). Q.", &long["A bound, eq. (24). Q. ".len()..]));
        assert_eq!(opening(&long[22..]), (&long[22..], ""), "one long sentence");
    }

    #[test]
    fn values_that_are_not_finite_are_described_as_missing() {
        let curve = |key: &str, ys: &[f64]| {
            let points = ys.iter().enumerate().map(|(i, y)| Point::new(i as f64, *y));
            Curve::new(key, key, Hue::Blue).points(points)
        };
        let figure = Figure::new("f", "Title")
            .mark(curve("error", &[f64::NAN, f64::INFINITY]))
            .mark(curve("training error", &[0.25, f64::NAN, -2.5]))
            .mark(curve("single", &[1e-7]))
            .mark(curve("hidden", &[1.0]).hidden());
        assert_eq!(
            figure.described(),
            "Title error: no values. training error: 2 values from −2.50 to 0.250. single: one value, 1.00e−7."
        );
        let mut figure = figure;
        let Mark::Curve(first) = &mut figure.marks[0] else { panic!("a curve") };
        first.points.push(Point::new(0.0, f64::NAN));
        assert!(figure.described().contains("error: no values."));
        assert_eq!(
            [f64::NAN, 0.0, 0.05, 12.34, 1234.5].map(rounded),
            ["no value", "0", "0.050", "12.3", "1234"]
        );
    }

    #[test]
    fn a_share_that_is_not_nothing_or_all_is_not_shown_as_that() {
        let shares = [0.0, -0.0, 1e-12, 0.005, 0.0051, 0.126, 0.9949, 0.995, 0.999_99, 1.0];
        let texts = ["0 %", "0 %", "<1 %", "<1 %", "1 %", "13 %", "99 %", ">99 %", ">99 %", "100 %"];
        assert_eq!(shares.map(percent), texts);
    }

    #[test]
    fn maps_and_clouds_are_described_by_their_values() {
        let extent = ((0.0, 1.0), (0.0, 1.0));
        let map =
            Grid::map("m", "probability", 2, vec![0.0, 0.5, f32::NAN, 1.0], extent, Colours::Probability);
        let text = Figure::new("f", "T").summary("S.").mark(map).described();
        assert_eq!(text, "S. probability: 3 values from 0 to 1.");
        let cloud = Cloud::new("c", "draws", Hue::Blue).points([[0.0, 0.0, 2.0], [1.0, 1.0, 2.0]]);
        let text = Figure::new("f", "T").z(Axis::linear("z", (0.0, 1.0))).mark(cloud).described();
        assert_eq!(text, "T draws: 2 values, all 2.");
    }

    #[test]
    fn an_estimate_of_small_effective_sample_size_has_no_error() {
        let z = LogMeanWeight { ln_mean: -3.25, se: 0.125, ess: 40.0 };
        assert_eq!(with_error(&z, 2), "−3.25 ± 0.12 nats");
        let dominated = LogMeanWeight { ess: 1.3, ..z };
        assert_eq!(with_error(&dominated, 1), "−3.2 nats (unreliable: its effective sample size is 1.3)");
    }
}
