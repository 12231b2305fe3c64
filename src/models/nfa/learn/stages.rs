//! The signal-to-noise ratio of the sources after each stage of a fit, beside that of the linear method.

use super::VariantFit;
use crate::figure::{Axis, Bar, Bars, Figure, Hue, minus, percent};

/// Gain in dB from which the network is clearly better than the linear method.
const CLEAR: f64 = 1.0;

/// Returns the figure of the signal-to-noise ratio by stage.
pub fn stages(shown: Option<&VariantFit>) -> Figure {
    let figure = Figure::new("stages", "Signal-to-noise ratio by stage")
        .x(Axis::linear("stage", (0.0, 1.0)))
        .y(Axis::linear("signal-to-noise ratio, dB", (0.0, 1.0)));
    let Some(scores) = shown.and_then(|row| row.scores.as_ref()) else {
        return figure.saying("The sources are compared with the true ones at the end of the fit.");
    };
    let named = [
        Some(("linear ICA", scores.linear_ica.db)),
        Some(("nonlinear factors", scores.nfa.db)),
        Some(("rotated factors", scores.nfa_ica.db)),
        scores.mixtures.as_ref().map(|score| ("mixtures", score.db)),
    ];
    let stages: Vec<(&str, f64)> = named.into_iter().flatten().collect();
    let listed: Vec<String> = stages.iter().map(|(name, db)| minus(format_args!("{name} {db:.1}"))).collect();
    let (low, high) = stages.iter().fold((0.0_f64, 1.0_f64), |(l, h), (_, db)| (l.min(*db), h.max(*db)));
    let bars = (1..).zip(&stages).map(|(at, (_, db))| Bar::new(f64::from(at), *db));
    figure
        .x(Axis::categories("stage", stages.iter().map(|(name, _)| (*name).to_owned()).collect()))
        .y(Axis::linear("signal-to-noise ratio, dB", (1.1 * low, 1.1 * high)))
        .mark(Bars::new("db", "sources", Hue::Blue, 0.6, bars))
        .caption(
            "Signal-to-noise ratio of the sources in dB. Linear ICA: FastICA of the principal components. Nonlinear factors: the means after the \
             sweeps with Gaussian sources, which are found up to a rotation. Rotated factors: FastICA of these. Mixtures: after the sweeps with \
             mixtures of Gaussians, rotated again. At 0 dB the error variance equals that of the source; at 10 dB it is one tenth.",
        )
        .finding_and_summary(format!(
            "{} Signal-to-noise ratio in dB: {}.",
            verdict(stages[0].1, stages[stages.len() - 1].1),
            listed.join(", ")
        ))
}

/// Compares the signal-to-noise ratios of the linear method and of the last stage, in dB, as errors in per cent of the variance.
fn verdict(linear: f64, network: f64) -> String {
    let error = |decibels: f64| percent(libm::pow(10.0, -0.1 * decibels)).replace(' ', "\u{a0}");
    let errors =
        format!("error variance {} of the source variance, against {}", error(network), error(linear));
    match network - linear {
        gain if gain >= CLEAR => {
            format!("The network recovers the hidden sources more accurately than linear ICA: {errors}.")
        }
        gain if gain > 0.0 => format!("The network is only slightly better than linear ICA: {errors}."),
        _ => format!("The network does not recover the hidden sources better than linear ICA: {errors}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_depends_on_the_gain() {
        let starts = |linear, network, words: &str| {
            let verdict = verdict(linear, network);
            assert!(verdict.starts_with(words), "{verdict}");
        };
        starts(
            1.0,
            7.0,
            "The network recovers the hidden sources more accurately than linear ICA: error variance 20\u{a0}%",
        );
        starts(9.0, 9.5, "The network is only slightly better");
        starts(9.0, 8.0, "The network does not recover");
    }
}
