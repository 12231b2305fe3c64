//! The choice between given and fitted settings by the scores of held-out rows.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Fold;
use crate::figure::minus;
use crate::math::stats::mean;

/// Number of folds that compare settings if there are test rows, on which the choice is evaluated.
pub const COMPARED_FOLDS: usize = 3;

/// Settings whose results are shown, from least to most flexible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kept {
    /// The given settings.
    Given,
    /// Fitted settings with one length scale for all columns.
    OneLengthScale,
    /// All fitted settings.
    #[default]
    Fitted,
}

impl Kept {
    /// All settings, from least to most flexible.
    const ALL: [Self; 3] = [Self::Given, Self::OneLengthScale, Self::Fitted];

    /// Returns these settings, then their replacements; the first with a solution are shown.
    pub fn order(self) -> [Self; 3] {
        match self {
            Self::Given => Self::ALL,
            Self::OneLengthScale => [Self::OneLengthScale, Self::Fitted, Self::Given],
            Self::Fitted => [Self::Fitted, Self::OneLengthScale, Self::Given],
        }
    }

    /// Returns the name in a report.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::OneLengthScale => "one_length_scale",
            Self::Fitted => "fitted",
        }
    }
}

/// Score by which settings are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeldOutScore {
    /// Log loss of a class, nats.
    #[default]
    LogLoss,
    /// Log density of a target, nats; its loss is the negative.
    LogDensity,
}

impl HeldOutScore {
    /// Returns the score of a mean loss.
    fn of_loss(self, loss: f64) -> f64 {
        match self {
            Self::LogLoss => loss,
            Self::LogDensity => -loss,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::LogLoss => "log loss",
            Self::LogDensity => "mean log density",
        }
    }
}

/// Losses of the held-out rows of a fold at the given settings, at fitted ones with one length scale, and at all fitted ones; `None` without a
/// solution, and for settings that are not compared.
pub type FoldLosses = [Option<Vec<f64>>; 3];

/// Losses of given and fitted settings on the same held-out rows, and the settings that they favour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldOutComparison {
    /// Settings that are kept.
    pub kept: Kept,
    /// Score that is reported.
    score: HeldOutScore,
    /// Number of rows.
    rows: usize,
    /// Mean loss of the given settings, in nats, if they are compared.
    given: Option<f64>,
    /// Mean loss of fitted settings with one length scale, if relevances are fitted.
    one_length_scale: Option<f64>,
    /// Mean loss of all fitted settings.
    fitted: Option<f64>,
    /// Mean loss of those fitted settings that are compared with the given ones.
    tuned: Option<f64>,
}

impl HeldOutComparison {
    /// Compares the losses of held-out rows. Relevances are kept if they lower the mean loss by more than its standard error in comparison
    /// with one length scale, which is the simpler model (the one-standard-error rule of Breiman et al. 1984), and fitted settings if they do
    /// not raise it in comparison with the given ones. Without losses to compare, the fitted settings are kept.
    pub fn of(score: HeldOutScore, folds: &[FoldLosses]) -> Self {
        let is_compared = |at: usize| folds.iter().any(|fold| fold[at].is_some());
        let compared: Vec<usize> = (0..Kept::ALL.len()).filter(|at| is_compared(*at)).collect();
        // Folds in which one of them has no solution are left out for all.
        let complete = |fold: &&FoldLosses| compared.iter().all(|at| fold[*at].is_some());
        let folds: Vec<&FoldLosses> = folds.iter().filter(complete).collect();
        let losses = |at: usize| -> Vec<f64> {
            folds.iter().filter_map(|fold| fold[at].as_ref()).flatten().copied().collect()
        };
        let [given, one, fitted] = [0, 1, 2].map(losses);
        let change = |from: &[f64], to: &[f64]| mean(from.iter().zip(to).map(|(from, to)| to - from));
        let relevances = change(&one, &fitted);
        let helps = relevances.mean < -relevances.se;
        let (tuned, losses): (_, &[f64]) =
            if one.is_empty() || helps { (Kept::Fitted, &fitted) } else { (Kept::OneLengthScale, &one) };
        let kept = if change(&given, losses).mean > 0.0 { Kept::Given } else { tuned };
        let mean = |of: &[f64]| (!of.is_empty()).then(|| mean(of.iter().copied()).mean);
        Self {
            kept,
            score,
            rows: fitted.len(),
            given: mean(&given),
            one_length_scale: mean(&one),
            fitted: mean(&fitted),
            tuned: mean(losses),
        }
    }

    /// Compares the predictions of classes in the folds with the `labels` of all training rows, ±1; see [`Self::of`].
    pub fn of_classes<H>(folds: &[Fold<H>], labels: &[f64]) -> Self {
        let losses: Vec<FoldLosses> = folds.iter().map(|fold| fold.losses(labels)).collect();
        Self::of(HeldOutScore::LogLoss, &losses)
    }

    /// Returns true if losses have been compared.
    pub fn is_made(&self) -> bool {
        self.rows > 0 && (self.given.is_some() || self.one_length_scale.is_some())
    }

    /// Returns the settings that are kept. Relevances wait for the comparison if there is a fit with one length scale.
    pub fn kept(&self, has_one_length_scale: bool) -> Kept {
        if has_one_length_scale && !self.is_made() { Kept::OneLengthScale } else { self.kept }
    }

    /// Returns sentences on settings that are not kept and on relevances, each preceded by a blank; `criterion` is that of the fit.
    pub fn sentences(&self, criterion: &str) -> String {
        let Self { score, rows, given, one_length_scale, fitted, tuned, .. } = *self;
        let of = |loss: Option<f64>| {
            let in_words = |loss| minus(format_args!("{:.3}", score.of_loss(loss)));
            loss.map_or_else(|| "?".to_owned(), in_words)
        };
        let name = score.name();
        match self.kept {
            _ if !self.is_made() => String::new(),
            Kept::Given => format!(
                " Tuning by {criterion} has not helped: {name} {} → {} on {rows} held-out rows. The given settings are kept.",
                of(given),
                of(tuned)
            ),
            Kept::OneLengthScale => {
                let verdict =
                    if fitted < one_length_scale { "bring no clear improvement" } else { "do not help" };
                format!(
                    " Column weights {verdict}: {name} {} instead of {} with one length scale, on {rows} held-out rows. The results use one length scale.",
                    of(fitted),
                    of(one_length_scale)
                )
            }
            Kept::Fitted if one_length_scale.is_some() => format!(
                " Column weights help: {name} {} instead of {} on {rows} held-out rows.",
                of(fitted),
                of(one_length_scale)
            ),
            Kept::Fitted => String::new(),
        }
    }

    /// Returns a sentence, preceded by a blank, on fitted relevances that the results do not use; empty if they do.
    pub fn on_unused_relevances(&self) -> String {
        let change = match self.score {
            HeldOutScore::LogLoss => "lower the log loss",
            HeldOutScore::LogDensity => "raise the mean log density",
        };
        match self.kept {
            Kept::OneLengthScale if self.is_made() => format!(
                " The results do not use these weights: they do not {change} of held-out rows by more than one standard error."
            ),
            Kept::Given if self.is_made() => {
                " The results do not use these weights: the given settings predict held-out rows better."
                    .to_owned()
            }
            _ => String::new(),
        }
    }

    /// Returns the report.
    pub fn report(&self) -> Value {
        let of = |loss: Option<f64>| loss.map(|loss| self.score.of_loss(loss));
        let mut report = json!({ "kept": self.kept.word(), "rows": self.rows, "fitted": of(self.fitted) });
        let others = [("given", self.given), ("one_length_scale", self.one_length_scale)];
        for (name, loss) in others.into_iter().filter(|(_, loss)| loss.is_some()) {
            report[name] = json!(of(loss));
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the comparison of probabilities of the true class of forty rows in two folds.
    fn kept(given: f64, one: Option<f64>, fitted: impl Fn(usize) -> f64) -> HeldOutComparison {
        let labels: Vec<f64> = (0..40).map(|row| if row % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let of = |row: usize, p: f64| if labels[row] > 0.0 { p } else { 1.0 - p };
        let fold = |rows: std::ops::Range<usize>| Fold {
            p: Some(rows.clone().map(|row| of(row, fitted(row))).collect()),
            before_fit: Some(rows.clone().map(|row| of(row, given)).collect()),
            one_length_scale: one.map(|one| rows.clone().map(|row| of(row, one)).collect()),
            rows: rows.collect(),
            hyper: (),
        };
        HeldOutComparison::of_classes(&[fold(0..20), fold(20..40)], &labels)
    }

    #[test]
    fn relevances_are_kept_only_if_they_help() {
        let clear = kept(0.6, Some(0.7), |_| 0.8);
        assert_eq!((clear.kept, clear.rows), (Kept::Fitted, 40));
        assert_eq!(
            clear.sentences("evidence"),
            " Column weights help: log loss 0.223 instead of 0.357 on 40 held-out rows."
        );
        // Better on average, by less than a standard error.
        let unclear = kept(0.6, Some(0.7), |row| if row % 4 == 0 { 0.3 } else { 0.98 });
        assert!(
            unclear.fitted < unclear.one_length_scale && unclear.kept == Kept::OneLengthScale,
            "{unclear:?}"
        );
        assert_eq!(
            unclear.sentences("evidence"),
            " Column weights bring no clear improvement: log loss 0.316 instead of 0.357 with one length scale, on 40 held-out rows. The results use one length scale."
        );
        assert_eq!(unclear.report()["kept"], "one_length_scale");
        let worse = kept(0.6, Some(0.7), |_| 0.65);
        assert!(
            worse
                .sentences("evidence")
                .starts_with(" Column weights do not help: log loss 0.431 instead of 0.357")
        );
        assert_eq!(kept(0.6, Some(0.7), |_| 0.5).kept, Kept::OneLengthScale);
    }

    #[test]
    fn the_given_settings_are_kept_if_tuning_makes_predictions_worse() {
        assert_eq!(kept(0.6, None, |_| 0.8).kept, Kept::Fitted);
        let worse = kept(0.8, None, |_| 0.6);
        assert_eq!(worse.kept, Kept::Given);
        assert_eq!(
            worse.sentences("evidence"),
            " Tuning by evidence has not helped: log loss 0.223 → 0.511 on 40 held-out rows. The given settings are kept."
        );
        assert_eq!(kept(0.8, Some(0.75), |_| 0.6).kept, Kept::Given);
        // The given settings are compared with relevances that help.
        let both = kept(0.8, Some(0.5), |_| 0.6);
        assert!(both.sentences("evidence").contains("0.223 → 0.511"), "{}", both.sentences("evidence"));
        assert_eq!(kept(0.72, Some(0.75), |_| 0.6).kept, Kept::OneLengthScale);
    }

    #[test]
    fn without_predictions_the_fitted_settings_are_kept() {
        let none = HeldOutComparison::of_classes::<()>(&[], &[]);
        assert_eq!((none.kept, none.is_made()), (Kept::Fitted, false));
        assert_eq!(none.sentences("evidence"), "");
        // The only fold has no solution at the fitted settings: there is nothing to compare.
        let fold =
            Fold { rows: vec![0], p: None, hyper: (), before_fit: Some(vec![0.9]), one_length_scale: None };
        assert_eq!(HeldOutComparison::of_classes(&[fold], &[1.0]).kept, Kept::Fitted);
    }

    #[test]
    fn densities_are_compared_as_scores() {
        let losses = |one: f64, fitted: [f64; 2]| -> FoldLosses {
            [None, Some(vec![one; 20]), Some((0..20).map(|row| fitted[row % 2]).collect())]
        };
        let of = |fold: FoldLosses| HeldOutComparison::of(HeldOutScore::LogDensity, &[fold]);
        let better = of(losses(1.5, [1.25, 1.0]));
        assert_eq!(
            (better.kept, better.sentences("evidence").as_str()),
            (
                Kept::Fitted,
                " Column weights help: mean log density −1.125 instead of −1.500 on 20 held-out rows."
            )
        );
        assert_eq!(
            better.report(),
            json!({"kept": "fitted", "rows": 20, "fitted": -1.125, "one_length_scale": -1.5})
        );
        assert_eq!(better.on_unused_relevances(), "");
        let unclear = of(losses(1.5, [2.9, 0.0]));
        assert_eq!((unclear.kept, unclear.kept(true)), (Kept::OneLengthScale, Kept::OneLengthScale));
        assert!(unclear.sentences("evidence").contains("no clear improvement: mean log density −1.450"));
        assert!(unclear.on_unused_relevances().contains("do not raise the mean log density"));
        assert_eq!(HeldOutComparison::default().kept(true), Kept::OneLengthScale, "before a fold is done");
        assert_eq!(unclear.kept.order()[1..], [Kept::Fitted, Kept::Given], "where it has no solution");
    }
}
